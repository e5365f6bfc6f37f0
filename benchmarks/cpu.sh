#!/usr/bin/env bash
# Processor time of a whole run with one beat every 500 ms and a simulated participant
# who taps to it, as a share of one core.   benchmarks/cpu.sh [ROUNDS=3]
source "$(dirname "$0")/common.sh"
TIMEFORMAT='%R %U %S'

for _ in $(seq "${1:-3}"); do
    { time run benchmarks/cpu.toml --in wire --out wire --simulate tapper \
        --data "$work/data"; } 2>>"$work/times"
done
machine
awk '{ printf "%.1f s, of it %.3f s on a processor: %.2f %% of one core\n",
    $1, $2 + $3, 100 * ($2 + $3) / $1 }' "$work/times"
