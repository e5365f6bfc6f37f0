#!/usr/bin/env bash
# Processor time of a whole run with one beat every 500 ms, as a share of one core:
# idle input on a FIFO, output to another.   benchmarks/cpu.sh [ROUNDS=3]
source "$(dirname "$0")/common.sh"
TIMEFORMAT='%R %U %S'

mkfifo "$work/in" "$work/out"
for _ in $(seq "${1:-3}"); do
    sleep 60 >"$work/in" & # holds the input open and sends nothing
    holder=$!
    cat "$work/out" >/dev/null &
    { time "$chronotap" run benchmarks/cpu.toml --in "raw:$work/in" --out "raw:$work/out" \
        --data "$work/data" >"$work/said" 2>&1; } 2>>"$work/times" || true
    kill "$holder" || true
done
machine
awk '{ printf "%.1f s, of it %.3f s on a processor: %.2f %% of one core\n",
    $1, $2 + $3, 100 * ($2 + $3) / $1 }' "$work/times"
