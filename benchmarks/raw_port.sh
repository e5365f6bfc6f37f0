#!/usr/bin/env bash
# From a tap's last byte to its feedback's first byte, through a pseudo-terminal:
# chronotap beside a minimal C loop, a C loop that polls every 0.49 ms, and Python,
# turn about.   benchmarks/raw_port.sh [ROUNDS=5] [TAPS=400]
source "$(dirname "$0")/common.sh"
rounds=${1:-5}
taps=${2:-400}

measure() { # NAME SEED COMMAND...
    "$tools/pty_drive" "$taps" "$2" "${@:3}" >>"$work/$1" 2>>"$work/messages"
}

for round in $(seq "$rounds"); do
    measure chronotap "$round" "$chronotap" run benchmarks/raw_port.toml "${rights[@]}" --quiet \
        --in raw:{} --out raw:{} --data "$work/data"
    measure c_loop "$round" "$tools/pty_loop" {}
    measure poll490 "$round" "$tools/pty_poll490" {}
    measure python "$round" python3 benchmarks/python_loop.py {}
done

machine
heading "tap to feedback"
row "chronotap" "$work/chronotap"
row "C: poll, read, write" "$work/c_loop"
row "C: looks every 0.49 ms" "$work/poll490"
row "$(sed -n 's/^python_loop: /Python: /p' "$work/messages" | head -n 1)" "$work/python"
echo "chronotap to the C loop: $(ratios "$work/chronotap" "$work/c_loop")"
grep -v -e '^python_loop' -e '^$' "$work/messages" | sort | uniq -c || true
