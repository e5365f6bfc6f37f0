#!/usr/bin/env bash
# Does the program of `make demo` say of everything that it was built without, and of nothing else, that it is not in
# the demo build, and how to get it? Ends each command with 2, and leaves nothing behind.
#
# Usage: scripts/check-demo.sh [PROGRAM]      (target/demo/chronotap); exit 1: something is said otherwise
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
program=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/demo/chronotap}")
trial=$PWD/examples/synchronization_continuation.toml
cure='install the whole program with `cargo install --locked --path crates/cli` in its clone'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

main() {
    "$program" simulate "$trial" --seed 1 --data data --quiet
    lacks "LSL" lsl
    lacks "LSL" lsl --help
    lacks "LSL" help listen
    lacks "LSL" listen EyeTracker
    lacks "LSL" run "$trial" --lsl --data new
    lacks "LSL" run "$trial" --lsl=Room-2 --labrecorder localhost --data new
    lacks "LSL" run "$trial" --listen EyeTracker --data new
    lacks "Parquet and workbooks" export data --to new --as parquet
    lacks "Parquet and workbooks" export data --to new --as xlsx
    lacks "Parquet and workbooks" gather data new
    expect 0 "not written as Parquet, too: Parquet and workbooks are not in the demo build; $cure" analyze data --to tables
    expect 0 "" export data --to csv --quiet
    expect 2 "unrecognized subcommand 'lsll'" lsll
    echo "$failed failed"
    [ "$failed" -eq 0 ]
}

# lacks WHAT ARGUMENT...: it ends with 2 and says that this is not there.
lacks() {
    local what=$1 verb=is
    shift
    [ "$what" = LSL ] || verb=are
    expect 2 "$what $verb not in the demo build; $cure" "$@"
    [ ! -e new ] || wrong "left behind" "$@"
}

expect() {
    local status=$1 words=$2 said got=0
    shift 2
    said=$(timeout 60 "$program" "$@" 2>&1 </dev/null) || got=$?
    [ "$got" -eq "$status" ] && [[ $said == *"$words"* ]] || wrong "$got: $said" "$@"
}

wrong() {
    failed=$((failed + 1))
    printf 'WRONG: chronotap %s\n  %s\n' "${*:2}" "$1"
}

main
