#!/usr/bin/env bash
# A whole experiment to tables: 1,320 trials of 28 s with about 65 taps each, and ten times as
# many to see that the cost is in proportion. Three rounds each.
source "$(dirname "$0")/common.sh"
TIMEFORMAT='%R'

machine
for trials in 1320 13200; do
    "$chronotap" simulate benchmarks/virtual.toml --simulate tapper --repeat "$trials" --seed 1 \
        --data "$work/data" >"$work/said"
    for _ in 1 2 3; do
        seconds=$( { time "$chronotap" analyze "$work/data" >"$work/said"; } 2>&1)
        echo "$trials trials: $seconds s; $(head -n 1 "$work/said")"
    done
    rm -rf "$work/data"
done
