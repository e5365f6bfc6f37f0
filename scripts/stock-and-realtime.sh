#!/usr/bin/env bash
# Makes docs/stock-and-realtime/ anew: the results of the timing tests on both kernels of
# the device lab, and the picture of what differs most. Four figures of the page of
# `timing compare` are the picture; the page itself is left in target/lab. Takes a quarter
# of an hour of a processor for each kernel, and needs Chromium.
#
# Usage: scripts/stock-and-realtime.sh
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
chronotap=${CHRONOTAP:-$target/release/chronotap}
results=$target/lab/results
page=$target/lab/stock-and-realtime.html
into=docs/stock-and-realtime

main() {
    lab/run.sh timing_all
    mkdir -p "$into"
    rm -f "$into"/*.json.gz "$page"
    local file
    for file in "$results"/{stock,rt}/timing_all/timing/*.json; do
        gzip --best --no-name <"$file" >"$into/$(basename "$file").gz"
    done
    "$chronotap" timing compare --output "$page" \
        "$results"/stock/timing_all/timing/*.json "$results"/rt/timing_all/timing/*.json >/dev/null
    picture
}

# The wake-ups and /dev/rtc at 1024 Hz, idle and beside the reader of /proc.
picture() {
    local part=$target/lab/stock-and-realtime-part.html
    awk '
        BEGIN { RS = "<figure>" }
        NR == 1 {
            match($0, /<style>.*<\/style>/)
            print "<!doctype html><meta charset=utf-8>" substr($0, RSTART, RLENGTH)
            print "<style>:root { color-scheme: light } body, main { max-width: none; margin: 6px }"
            print ".plots { display: grid; grid-template-columns: 1fr 1fr }</style>"
            print "<main><div class=plots>"
        }
        /<title>Lateness: (1000 us, (idle|beside senoner-proc), SCHED_FIFO 80, idle states held off|(idle|beside senoner-proc), 1024 Hz, SCHED_FIFO 80, \/dev\/rtc)</ {
            sub(/<\/figure>.*/, "</figure>")
            print "<figure>" $0
        }
        END { print "</div></main>" }' "$page" >"$part"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,880 \
        --screenshot="$PWD/$into/lateness.png" "$part" 2>/dev/null
}

main
