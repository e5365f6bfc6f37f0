#!/usr/bin/env bash
# A soak in real time: one trial of SECONDS (an hour where none are named) at some 290 events a second,
# a million in an hour, on a virtual wire with a simulated participant.
#   benchmarks/soak.sh [SECONDS] [FOLDER]      FOLDER takes the data: some 400 MB for an hour
# Prints the memory of the program each minute. Fails where memory grows by more than what an
# event takes, where anything was lost, or where the recording does not replay.
# CHRONOTAP=path takes that build.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-3600}
work=$(mktemp -d)
data=${2:-$work/data}
if [ -z "${CHRONOTAP-}" ]; then
    . scripts/find-rust.sh
    need_rust
    cargo build --quiet --release --locked -p chronotap-cli
fi
chronotap=${CHRONOTAP:-${CARGO_TARGET_DIR:-target}/release/chronotap}
trial=
trap '[ -z "$trial" ] || kill "$trial" 2>/dev/null || true; rm -rf "$work"' EXIT
# What the program may keep of an event: 136 bytes and as much of its end, in a list that never
# doubles; and what anything else may take.
most_bytes_each=$((136 * 2))
other_bytes=24000000

{
    printf '[input.pad]\n'
    # 28.7 ms is no multiple of the kernel's tick.
    for stream in a b c d e f g; do
        printf '[pacing.%s]\ninterval = "28.7 ms"\ntone = { note = 76, duration = "9 ms" }\n' "$stream"
    done
    printf '[feedback.tone]\n[[when]]\ntime = "%s s"\nend = true\n' "$seconds"
} >"$work/soak.toml"

memory() { awk '$1 == "RssAnon:" { print $2 * 1024 }' "/proc/$1/status" 2>/dev/null || true; }
fail() { echo "soak: $*" >&2; exit 1; }

echo "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r)"
echo "$(date -u +%Y-%m-%dT%H:%MZ): $seconds s"
"$chronotap" run "$work/soak.toml" --simulate "tapper" --data "$data" --quiet >"$work/said" 2>&1 &
trial=$!
sleep 5
before=$(memory "$trial")
begun=$SECONDS
greatest=0
while kill -0 "$trial" 2>/dev/null; do
    for _ in $(seq 60); do
        sleep 1
        kill -0 "$trial" 2>/dev/null || break
    done
    now=$(memory "$trial")
    [ -n "$now" ] || break
    [ "$now" -le "$greatest" ] || greatest=$now
    printf '%5d s  %8.1f MB more\n' $((SECONDS - begun + 5)) "$(awk -v a="$now" -v b="$before" 'BEGIN { print (a - b) / 1e6 }')"
done
status=0
wait "$trial" || status=$?
trial=
[ "$status" -le 1 ] || { cat "$work/said" >&2; fail "the trial ended with status $status"; }

table=$(find "$data" -name '*_events.tsv' | sort | tail -n 1)
description=${table%.tsv}.json
events=$(($(wc -l <"$table") - 1)) # each with its end, where it has one
echo "$events events, exit status $status"
awk -v grown=$((greatest - before)) -v events="$events" 'BEGIN {
    if (events > 0 && grown > 0) printf "greatest growth %.1f MB, %.0f bytes for each event\n", grown / 1e6, grown / events }'
[ $((greatest - before)) -le $((events * most_bytes_each + other_bytes)) ] || fail "memory grew by $((greatest - before)) bytes"
python3 - "$description" <<'CHECK' || fail "something was lost"
import json, sys
footer = json.load(open(sys.argv[1]))["Chronotap"]["footer"]
summary = footer["summary"]
lost = {
    "dropped": footer["dropped"],
    "lost in the engine": summary["lost_in_engine"],
    "overdue": summary["overdue"],
    "lost at a port": sum(port["lost"] + port["overruns"] for port in summary["ports"]),
}
print(", ".join(f"{name}: {count}" for name, count in lost.items()))
sys.exit(any(lost.values()))
CHECK
"$chronotap" replay "$table"
