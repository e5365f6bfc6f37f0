# shellcheck shell=bash disable=SC2034
# Read by every comparison: builds what they need, and the statistics they print.
# Statistics are always taken from the raw values, by nearest rank.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/find-rust.sh
need_rust
target=${CARGO_TARGET_DIR:-target}
tools=$target/benchmarks
chronotap=$target/release/chronotap
export PRIORITY=${PRIORITY-80} # SCHED_FIFO, for all that are compared alike
rights=(--priority "$PRIORITY")
[ "$PRIORITY" -gt 0 ] || rights=(--ordinary)

mkdir -p "$tools"
cargo build --quiet --release --locked -p chronotap-cli
for source in benchmarks/*.c; do
    program=$tools/$(basename "$source" .c)
    [ "$program" -nt "$source" ] || cc -O2 -Wall -o "$program" "$source"
done

work=$(mktemp -d)
trap 'rm -rf "$work"; jobs -p | xargs -r kill 2>/dev/null' EXIT

# run ARGUMENTS...: a trial; what it said is shown only where it could not be run.
# A failed verdict (status 1) is no reason: the figures are what is compared.
run() {
    local status=0
    "$chronotap" run "$@" "${rights[@]}" >"$work/said" 2>&1 || status=$?
    [ "$status" -le 1 ] || { cat "$work/said" >&2; exit 2; }
}

machine() {
    echo "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r)"
}

# quantile P: the P-quantile of the numbers on standard input, by nearest rank.
quantile() {
    sort -n | awk -v p="$1" '{ v[NR] = $1 }
        END { if (!NR) { print "nan"; exit }
              i = int(p * NR); if (i < p * NR) i++; if (i < 1) i = 1; print v[i] }'
}

# column NAME TYPES [FILE]: a column of an events file, of the rows whose
# trial_type is one of TYPES ("pacing" or "tap|release"), without n/a.
column() {
    awk -F'\t' -v name="$1" -v types="^($2)$" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
                  if (!(name in at)) { print "no column " name > "/dev/stderr"; exit 1 }
                  next }
        $at["trial_type"] ~ types && $at[name] != "n/a" { print $at[name] }' "$3"
}

# row NAME FILE: count, median, p99 and maximum of nanoseconds, in microseconds.
row() {
    local n
    n=$(wc -l <"$2")
    awk -v name="$1" -v n="$n" -v m="$(quantile 0.5 <"$2")" -v p="$(quantile 0.99 <"$2")" \
        -v x="$(quantile 1 <"$2")" 'BEGIN {
        printf "%-28s %8d %10.1f %10.1f %10.1f\n", name, n, m / 1e3, p / 1e3, x / 1e3 }'
}

heading() {
    printf '%-28s %8s %10s %10s %10s\n' "$1" n "median us" "p99 us" "max us"
}

# ratios OURS THEIRS: how many times theirs, at the median and at p99.
ratios() {
    awk -v a="$(quantile 0.5 <"$1")" -v b="$(quantile 0.5 <"$2")" \
        -v c="$(quantile 0.99 <"$1")" -v d="$(quantile 0.99 <"$2")" 'BEGIN {
        printf "ratio of medians %.2f, of p99 %.2f\n", a / b, c / d }'
}

one_events_file() {
    find "$1" -name '*_events.tsv' | sort | tail -n 1
}
