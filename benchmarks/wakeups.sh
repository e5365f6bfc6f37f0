#!/usr/bin/env bash
# Lateness of chronotap's output (stamped after the write returned) beside the
# wake-ups of cyclictest, at the same interval (5 ms) and priority, turn about:
# first on an idle machine, then beside three arithmetic loops per core.
# chronotap sleeps until shortly before a deadline and then spins; --no-spin sleeps
# right up to it, as cyclictest does, and its figure is still that of the output.
#   benchmarks/wakeups.sh [ROUNDS=3]      needs real-time rights and `cyclictest`
# cyclictest holds the processors out of their idle states, and so does chronotap
# where it is granted that; its summary says so.
source "$(dirname "$0")/common.sh"
rounds=${1:-3}
command -v cyclictest >/dev/null || { echo "please install: apt-get install rt-tests" >&2; exit 2; }

ours() { # NAME CONDITION [OPTION]
    rm -rf "$work/data"
    run benchmarks/wakeups.toml --in wire --out wire --data "$work/data" "${@:3}"
    column lateness_ns pacing "$(one_events_file "$work/data")" >>"$work/$1.$2"
}

theirs() { # every sample, in nanoseconds: "task: count: value"
    cyclictest --quiet --verbose --nsecs --mlockall --threads=1 --priority="$PRIORITY" \
        --interval=5000 --loops=2000 | awk -F: '/^ *0: *[0-9]+: *[0-9]+/ { print $3 + 0 }' \
        >>"$work/theirs.$1"
}

compare() { # CONDITION
    for _ in $(seq "$rounds"); do
        ours ours "$1"
        theirs "$1"
        ours sleeps "$1" --no-spin
    done
    heading "$1"
    row "chronotap, output" "$work/ours.$1"
    row "chronotap --no-spin, output" "$work/sleeps.$1"
    row "cyclictest, wake-up" "$work/theirs.$1"
    ratios "$work/ours.$1" "$work/theirs.$1"
}

machine
compare idle
"$tools/arithmetic" $((3 * $(nproc))) &
sleep 1
compare loaded
