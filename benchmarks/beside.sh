#!/usr/bin/env bash
# This chronotap beside another build of it, turn about: lateness of output (idle), tap to
# feedback through a pseudo-terminal, speed in virtual time, start to first beat.
#   benchmarks/beside.sh OTHER_CHRONOTAP [ROUNDS=5]       needs real-time rights
# OTHER_CHRONOTAP is built from another commit: git worktree add DIR COMMIT, then cargo build
# --release there. Each line has both builds' figures and the ratio, this one to the other.
other=$(realpath "${1:?which other chronotap?}")
source "$(dirname "$0")/common.sh"
rounds=${2:-5}
this=$chronotap

lateness() { # NAME
    rm -rf "$work/data"
    run benchmarks/wakeups.toml --in wire --out wire --data "$work/data"
    column lateness_ns pacing "$(one_events_file "$work/data")" >>"$work/lateness.$1"
}

feedback() { # NAME SEED
    "$tools/pty_drive" 300 "$2" "$chronotap" run benchmarks/raw_port.toml "${rights[@]}" --quiet \
        --in raw:{} --out raw:{} --data "$work/data" >>"$work/feedback.$1" 2>>"$work/messages"
}

seconds() { # NAME WHAT COMMAND...: its wall time, in nanoseconds
    local begin
    begin=$(date +%s%N)
    "${@:3}" >/dev/null 2>>"$work/messages" || [ $? -le 1 ]
    echo $(($(date +%s%N) - begin)) >>"$work/$2.$1"
}

round() { # NAME SEED
    lateness "$1"
    feedback "$1" "$2"
    seconds "$1" virtual "$chronotap" simulate benchmarks/virtual.toml --simulate tapper --repeat 1320 --seed 1 --no-data --quiet
    "$tools/pty_drive" 0 "$2" "$chronotap" run benchmarks/startup.toml "${rights[@]}" --quiet \
        --in raw:{} --out raw:{} --data "$work/data" >>"$work/startup.$1" 2>>"$work/messages"
}

for seed in $(seq "$rounds"); do
    chronotap=$this round this "$seed"
    chronotap=$other round other "$seed"
done

machine
heading "turn about"
for what in lateness feedback virtual startup; do
    row "$what, this" "$work/$what.this"
    row "$what, other" "$work/$what.other"
    ratios "$work/$what.this" "$work/$what.other"
done
