#!/usr/bin/env bash
# The wake-up test beside cyclictest, turn about: the same interval (1 ms), priority,
# one thread on each core, no distance between them, the cores held out of their idle
# states. Of each round the mean and p99 over all cores; of the rounds the medians.
# They agree where these differ by no more than 10 %.
#   benchmarks/cyclictest.sh [ROUNDS=10 [SECONDS=5]]   needs real-time rights and `cyclictest`
# cyclictest counts whole microseconds, rounded down: half of one is added.
source "$(dirname "$0")/common.sh"
rounds=${1:-10}
seconds=${2:-5}
command -v cyclictest >/dev/null || { echo "please install: apt-get install rt-tests" >&2; exit 2; }

ours() { # prints nanoseconds and count, a bin a line
    rm -rf "$work/timing"
    local status=0
    "$chronotap" timing wakeup --seconds "$seconds" --distance-us 0 "${rights[@]}" --output "$work/timing" \
        >"$work/said" 2>&1 || status=$?
    [ "$status" -le 1 ] || { cat "$work/said" >&2; exit 2; }
    awk -F '"?,"?' '$3 == "lateness" && /held at 0 us/ { print $(NF - 2) + $(NF - 1) / 2, $NF }' \
        "$work"/timing/*_histograms.csv
}

theirs() {
    cyclictest --quiet --mlockall --threads --affinity --priority="$PRIORITY" --interval=1000 \
        --duration="$seconds" --histogram=100000 2>"$work/said" |
        awk '/^[0-9]+ / { n = 0; for (i = 2; i <= NF; i++) n += $i; if (n) print $1 * 1000 + 500, n }'
}

# figures FILE: mean and p99 (nearest rank) of bins on standard input, in microseconds.
figures() {
    sort -n | awk '{ at[NR] = $1; n[NR] = $2; all += $2; sum += $1 * $2 }
        END { for (i = 1; i <= NR; i++) { seen += n[i]; if (seen >= 0.99 * all) break }
              printf "%.2f %.2f\n", sum / all / 1e3, at[i] / 1e3 }' >>"$1"
}

median() { cut -d ' ' -f "$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

machine
for round in $(seq "$rounds"); do
    if [ $((round % 2)) -eq 1 ]; then
        ours | figures "$work/ours" && theirs | figures "$work/theirs"
    else
        theirs | figures "$work/theirs" && ours | figures "$work/ours"
    fi
    echo "round $round: mean and p99 in us: chronotap $(tail -n 1 "$work/ours"), cyclictest $(tail -n 1 "$work/theirs")"
done
awk -v a="$(median "$work/ours" 1)" -v b="$(median "$work/theirs" 1)" \
    -v c="$(median "$work/ours" 2)" -v d="$(median "$work/theirs" 2)" 'BEGIN {
    printf "%-24s %10s %10s %8s\n", "median of the rounds", "chronotap", "cyclictest", "ratio"
    printf "%-24s %10.1f %10.1f %8.3f\n", "mean, us", a, b, a / b
    printf "%-24s %10.1f %10.1f %8.3f\n", "p99, us", c, d, c / d
    exit !(a / b >= 0.9 && a / b <= 1.1 && c / d >= 0.9 && c / d <= 1.1) }'
