#!/usr/bin/env bash
# Finney's loop test in real time: on a looped wire each message that arrives is
# sent again, and a note-on and its note-off circulate until 10,000 have come in. A
# message of three bytes takes 0.960 ms at 31,250 baud, so the mean must be that.
source "$(dirname "$0")/common.sh"

run examples/loop.toml --in wire:loop --out wire:loop --data "$work/data"
column achieved_ns 'tap|release' "$(one_events_file "$work/data")" | sort -n |
    awk 'NR > 1 { print $1 - last } { last = $1 }' >"$work/intervals"
machine
heading "between inputs"
row "chronotap" "$work/intervals"
awk '{ s += $1 } END { printf "%d intervals, mean %.4f ms (0.9600 expected), %+.4f %%\n",
    NR, s / NR / 1e6, 100 * (s / NR / 960000 - 1) }' "$work/intervals"
