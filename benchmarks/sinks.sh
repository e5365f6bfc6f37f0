#!/usr/bin/env bash
# What watching costs: lateness of output and tap to feedback without sinks and with ten,
# one of them stuck, turn about.
#   benchmarks/sinks.sh [ROUNDS=5]                    needs real-time rights
source "$(dirname "$0")/common.sh"
rounds=${1:-5}

watched=()
for n in $(seq 10); do
    mkfifo "$work/pipe$n"
    watched+=(--follow "$work/pipe$n")
done

readers() { # nine that read, and one that holds its pipe open and never does
    for n in $(seq 9); do cat "$work/pipe$n" >/dev/null & done
    sleep 600 <"$work/pipe10" &
}

lateness() { # NAME OPTION...
    rm -rf "$work/data"
    run benchmarks/wakeups.toml --in wire --out wire --data "$work/data" "${@:2}"
    column lateness_ns pacing "$(one_events_file "$work/data")" >>"$work/lateness.$1"
}

feedback() { # NAME SEED OPTION...
    "$tools/pty_drive" 300 "$2" "$chronotap" run benchmarks/raw_port.toml "${rights[@]}" --quiet \
        --in raw:{} --out raw:{} --data "$work/data" "${@:3}" >>"$work/feedback.$1" 2>>"$work/messages"
}

with_readers() { # COMMAND...
    readers
    sleep 0.2
    "$@"
    jobs -p | xargs -r kill 2>/dev/null || true # those that read have ended by themselves
    wait 2>/dev/null || true
}

for seed in $(seq "$rounds"); do
    lateness alone
    with_readers lateness watched "${watched[@]}"
    feedback alone "$seed"
    with_readers feedback watched "$seed" "${watched[@]}"
done

machine
for what in lateness feedback; do
    heading "$what"
    row "alone" "$work/$what.alone"
    row "ten sinks, one stuck" "$work/$what.watched"
    ratios "$work/$what.watched" "$work/$what.alone"
done
