#!/usr/bin/env bash
# A whole experiment to tables: 1,320 trials of 28 s with about 65 taps each, ten times as many to
# see that the cost is in proportion, and ten million taps in hours of tapping without a pacing
# signal, where what is read is mostly taps. Three rounds each; ten million need 6 GB of disk.
# On demand as many trials of 28 s as have ten million taps: 155000 need 12 GB.
#
# Usage: benchmarks/analysis.sh [HOURS [TRIALS]]
#        HOURS of 7,195 taps each, 1390 unless told; 0 leaves them out
#        TRIALS of 28 s besides, such as 155000; none unless told
source "$(dirname "$0")/common.sh"

machine
analyzed() {
    for _ in 1 2 3; do
        /usr/bin/time -o "$work/took" -f "%e s (%U s + %S s of the processors), at most %M kB" \
            "$chronotap" analyze "$work/data" >"$work/said"
        echo "$1 trials: $(cat "$work/took"); $(head -n 1 "$work/said")"
    done
    rm -rf "$work/data"
}
for trials in 1320 13200 ${2:-}; do
    "$chronotap" simulate benchmarks/virtual.toml --simulate tapper --repeat "$trials" --seed 1 \
        --data "$work/data" >"$work/said"
    analyzed "$trials"
done
hours=${1:-1390}
[ "$hours" -eq 0 ] || {
    "$chronotap" simulate benchmarks/free.toml --simulate tapper --repeat "$hours" --seed 1 \
        --for "61 min" --data "$work/data" >"$work/said"
    analyzed "$hours"
}
