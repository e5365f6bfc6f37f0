#!/usr/bin/env bash
# A whole experiment in virtual time: 1,320 trials of 28 s with about 65 taps each,
# ten hours of life, without data files and with them. Three rounds each.
source "$(dirname "$0")/common.sh"
TIMEFORMAT='%R'

simulate() {
    "$chronotap" simulate benchmarks/virtual.toml --simulate tapper --repeat 1320 --seed 1 "$@" >"$work/said"
}

machine
for _ in 1 2 3; do
    echo "without data files: $( { time simulate --no-data; } 2>&1) s"
done
for _ in 1 2 3; do
    echo "with data files:    $( { time simulate --data "$work/data"; } 2>&1) s"
    files=$(find "$work/data" -name '*_events.tsv' | wc -l)
    taps=$(find "$work/data" -name '*_events.tsv' -exec cat {} + | awk -F'\t' '$3 == "tap"' | wc -l)
    rm -rf "$work/data"
done
awk -v t="$taps" -v f="$files" 'BEGIN { printf "%d trials, %.1f taps each\n", f, t / f }'
