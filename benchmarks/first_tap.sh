#!/usr/bin/env bash
# What the program of `make demo` costs to build, crate by crate, and how early its outputs are beside another
# program's, the released one, in pairs turn about.
#   benchmarks/first_tap.sh [OTHER_CHRONOTAP [PAIRS=20]]       pairs need real-time rights, or PRIORITY=0
# Processor seconds are much the same beside other work; pairs want a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
other=${1:+$(realpath "$1")}
pairs=${2:-20}
rights=(--priority "${PRIORITY-80}")
[ "${PRIORITY-80}" -gt 0 ] || rights=(--ordinary)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
    echo "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(rustc --version)"
    build
    [ -z "$other" ] || compare
}

# The demo's program from nothing. What each call of the compiler costs is written down by what cargo calls in its place.
build() {
    cat >"$work/rustc" <<'END'
#!/usr/bin/env bash
TIMEFORMAT="%U %S"
crate=$(printf '%s\n' "$@" | sed -n '/^--crate-name$/{n;p;q;}')
exec 30>&1 31>&2 # numbers that cargo's own are not
spent=$({ time "$@" 1>&30 2>&31; } 2>&1) || status=$?
echo "$spent $crate" >>"$CRATES"
exit "${status-0}"
END
    chmod +x "$work/rustc"
    CRATES=$work/crates RUSTC_WRAPPER=$work/rustc CARGO_TARGET_DIR=$work/target \
        cargo build --quiet --profile demo --locked -p chronotap-cli --no-default-features
    awk '{ s[$3] += $1 + $2 } END { for (crate in s) printf "%8.1f CPU s  %s\n", s[crate], crate }' "$work/crates" |
        sort -rn | head -n 25
    awk '{ s += $1 + $2 } END { printf "%8.1f CPU s  in all\n", s }' "$work/crates"
}

# Lateness of 2,000 tones in each trial; of each pair the ratio of the demo's program to the other.
compare() {
    local pair what
    for pair in $(seq "$pairs"); do
        lateness "$work/target/demo/chronotap" demo
        lateness "$other" other
    done
    for what in 0.5 0.99; do
        echo "lateness, quantile $what, in ns: the demo's program and the other"
        paste -d ' ' "$work/demo.$what" "$work/other.$what" | tee "$work/pairs" | sort -n | sed -n "$(((pairs + 1) / 2))p"
        awk -v limit=1.2 -f benchmarks/pairs.awk "$work/pairs" || [ $? -eq 1 ]
    done
}

lateness() { # PROGRAM NAME
    local status=0 q
    rm -rf "$work/data"
    "$1" run benchmarks/wakeups.toml --in wire --out wire --data "$work/data" "${rights[@]}" >"$work/said" 2>&1 || status=$?
    [ "$status" -le 1 ] || { cat "$work/said" >&2; exit 2; }
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["trial_type"] == "pacing" { print $at["lateness_ns"] }' "$work"/data/*_events.tsv | sort -n >"$work/sorted"
    for q in 0.5 0.99; do
        awk -v q="$q" '{ v[NR] = $1 } END { i = int(q * NR); print v[i < q * NR ? i + 1 : i] }' "$work/sorted" >>"$work/$2.$q"
    done
}

main
