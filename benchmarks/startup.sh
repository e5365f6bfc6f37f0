#!/usr/bin/env bash
# From the start of the process to the first byte of the first beat, which the
# trial asks for at its time zero.   benchmarks/startup.sh [ROUNDS=20]
source "$(dirname "$0")/common.sh"

for round in $(seq "${1:-20}"); do
    "$tools/pty_drive" 0 "$round" "$chronotap" run benchmarks/startup.toml "${rights[@]}" \
        --in raw:{} --out raw:{} --data "$work/data" >>"$work/times"
done
machine
heading "start to first beat"
row "chronotap" "$work/times"
