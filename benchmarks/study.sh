#!/usr/bin/env bash
# What a study costs besides its trials: check and orders, a whole study in virtual time and
# how it grows, how often that waits for the disk, a session in real time, and going on with
# one. CHRONOTAP=path measures another build.
given=${CHRONOTAP-}
source "$(dirname "$0")/common.sh"
chronotap=${given:-$chronotap}
TIMEFORMAT='%R s, %U s of processors'

trial() { # trial SECONDS
    printf '[input.pad]\n[pacing.metronome]\ninterval = "400 ms"\nbeats = 12\n[feedback.tone]\n'
    printf 'delay = "100 ms"\n[[when]]\ntime = "%s s"\nend = true\n' "$1"
}

study() { # study NAME PARTICIPANTS REPETITIONS SECONDS KEYS...
    local folder=$work/$1
    mkdir -p "$folder"
    trial "$4" >"$folder/trial.toml"
    {
        printf 'task = "bench"\nparticipants = %s\ntrial = "trial.toml"\n[factor]\n' "$2"
        printf 'tempo = ["300 ms", "400 ms"]\ndelay = ["0 ms", "70 ms", "200 ms"]\n[set]\n'
        printf 'pacing.metronome.interval = { factor = "tempo" }\n'
        printf 'feedback.tone.delay = { factor = "delay" }\n'
        printf '[[step]]\nname = "main"\nrepetitions = %s\ngap = "0 ms"\n' "$3"
        printf '%s\n' "${@:5}"
    } >"$folder/study.toml"
}

three() { # three WHAT COMMAND...: three rounds
    local what=$1
    shift
    for _ in 1 2 3; do printf '%-52s %s\n' "$what" "$( { time "$@" >"$work/said"; } 2>&1)"; done
}

simulate() { # simulate NAME
    rm -rf "$work/d"
    "$chronotap" simulate "$work/$1/study.toml" --data "$work/d"
}

machine
df --output=source,fstype "$work" | tail -n 1
study check 24 1667 28 'shuffle = "each repetition"'
three "check, 10,002 trials" "$chronotap" check "$work/check/study.toml"
study order 1 33 28 'shuffle = "all"' 'apart = { delay = 2 }' 'at_most_in_a_row = { tempo = 2 }'
three "plan, an order of 198 trials under constraints" \
    "$chronotap" plan "$work/order/study.toml" --participant 1
study finney 20 11 28 'shuffle = "all"'
three "simulate, 20 x 66 trials of 28 s, all files" simulate finney
for participants in 4 16 64; do
    study grow "$participants" 26 28 'shuffle = "all"'
    three "simulate, $participants x 156 trials" simulate grow
done
if command -v strace >/dev/null; then
    rm -rf "$work/d"
    strace -f -e trace=fsync,fdatasync,syncfs,sync -o "$work/calls" \
        "$chronotap" simulate "$work/finney/study.toml" --data "$work/d" >"$work/said"
    # strace tells a call that another one comes between in two lines.
    echo "syncs of 20 simulated participants: $(grep -v resumed "$work/calls" | grep -c 'sync')"
fi
# In real time: 60 trials of 0.1 s; what is left beside 6 s is the program's and the disk's.
study real 1 10 0.1 'shuffle = "all"'
session() {
    "$chronotap" run "$work/real/study.toml" --participant 1 --data "$work/real/d" \
        --simulate tapper --limit-us 60000000 "${rights[@]}" || [ $? -eq 1 ]
}
for _ in 1 2 3; do
    rm -rf "$work/real/d"
    begun=$(date +%s%N)
    session >"$work/said"
    ended=$(date +%s%N)
    awk -v a="$begun" -v b="$ended" 'BEGIN {
        printf "60 trials of 100 ms in real time, with the start: %.1f ms a trial besides\n", ((b - a) / 1e6 - 6000) / 60 }'
done
three "the same command again, nothing left to do" session
