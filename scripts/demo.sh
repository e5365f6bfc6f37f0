#!/usr/bin/env bash
# `make demo`: from a fresh clone to a running trial. Needs no sound card, no
# MIDI device and no rights; with real-time rights the trial uses them and says so.
# Everything after the script's name goes to `chronotap demo`.
#
# Exit status 0 where the trial ran and its data are there, also when its timing verdict
# failed: what a busy machine makes late is no fault of the installation. `chronotap demo`
# and `chronotap run` themselves end with 1 then.
#
# Usage: scripts/demo.sh [ARGUMENT...]      those of `chronotap demo`, such as --data DIR
set -euo pipefail
. "$(dirname "$0")/usage.sh"
from=$PWD
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

program=$target/demo/chronotap
# Without Parquet and LSL, which a first look does not need and would wait for.
what=(--locked -p chronotap-cli --no-default-features)
# What building costs in processor time, in seconds, measured (docs/releasing.md).
BUILD_S=260

main() {
    scripts/install.sh
    . scripts/find-rust.sh
    find_rust
    build || exit 2
    run_trial "$@"
}

# build: in a profile of its own (Cargo.toml), which costs a third of what the released program does.
build() {
    local all
    [ -x "$program" ] || announce
    trap stopped INT
    all=$(crates --offline 2>/dev/null) || { echo "  fetching the libraries"; all=$(crates); } || return
    cargo build --color never --profile demo "${what[@]}" 2>&1 | progress "$all" || return
    trap - INT
}

# About how long it takes is said before it begins: processor time, on the processors here.
announce() {
    local processors minutes about="a minute"
    processors=$(nproc 2>/dev/null || echo 1)
    minutes=$(((BUILD_S / processors + 59) / 60))
    [ "$minutes" -le 1 ] || about="$minutes minutes"
    echo "building chronotap once, to be tried: about $about on $processors processor$([ "$processors" -eq 1 ] || echo s)"
}

# How many there are to build.
crates() {
    cargo tree --quiet --color never "$@" --prefix none --edges normal,build "${what[@]}" |
        awk '!seen[$1 $2]++ { n++ } END { print n + 0 }'
}

# progress NUMBER: of what cargo says, how many crates of so many were begun: on a terminal in one line, which
# changes; else a line for each twenty, and for each of Chronotap's own, which take longest. All else as it comes.
# Not by awk: that of Debian waits for more than a line.
progress() {
    local all=$1 begun=0 line word name rest
    while IFS= read -r line; do
        read -r word name rest <<<"$line"
        case $word in
        Compiling) begun=$((begun + 1)) && show "$begun of $all: $name" ;;
        Updating | Locking | Adding | Downloading | Downloaded | Blocking | Finished) ;;
        *) clear_line && printf '%s\n' "$line" ;;
        esac
    done
    clear_line
}

show() {
    local begun=${1%% *} name=${1##*: }
    if is_terminal; then
        printf '\r\033[K  %s' "$1"
    elif [ $((begun % 20)) -eq 0 ] || [[ $name == chronotap-* ]]; then
        printf '  %s\n' "$1"
    fi
}

clear_line() {
    ! is_terminal || printf '\r\033[K'
}

is_terminal() {
    [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]
}

stopped() {
    clear_line
    echo "stopped; what is built is kept, and the same command goes on from there" >&2
    exit 130
}

run_trial() {
    local begun status=0
    begun=$(mktemp)
    trap "rm -f '$begun'" EXIT
    "$program" demo "$@" || status=$?
    events=$(events_since "$begun" "$@")
    if [ "$status" -eq 1 ] && [ "$events" ]; then
        explain_verdict
        status=0
    fi
    [ "$status" -ne 0 ] || next_steps
    exit "$status"
}

# events_since FILE ARGUMENT...: the events file of the trial whose data are no older than the file, the
# newest of them. Both can have the same time: a file system's clock goes in steps of milliseconds.
events_since() {
    local begun=$1 dir=data file newest=""
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --data) dir=${2-} ;;
        --data=*) dir=${1#--data=} ;;
        esac
        shift
    done
    while read -r file; do
        [ "$begun" -nt "$file" ] || [ "$newest" -nt "$file" ] || newest=$file
    done < <(find "$dir" -name 'demo_run-*_events.json' 2>/dev/null)
    echo "${newest%.json}${newest:+.tsv}"
}

explain_verdict() {
    cat <<END

The trial ran and its data are there, but its timing verdict failed, for the reason below the
verdict. Most often the machine was busy with other work, or is a virtual one that its host
stopped for a moment. This says what on this machine spoils timing, and how to cure it:
    $program doctor
END
}

# What can be typed next, from where this was called.
next_steps() {
    printf '\nNext, with the program just built%s:\n' "$([ "$from" = "$PWD" ] || printf ', in %q' "$PWD")"
    [ -z "$events" ] || printf '    %q report %q\n' "$program" "$events"
    cat <<END
    $(printf %q "$program") console --demo
The first writes the figures of this trial as a page, the second shows a small
study on pages in a browser. This program is built to be tried. How to have all
of Chronotap, fully optimized: docs/installing.md
END
}

main "$@"
