#!/usr/bin/env bash
# `make demo`: from a fresh clone to a running trial. Needs no sound card, no
# MIDI device and no rights; with real-time rights the trial uses them and says so.
# Everything after the script's name goes to `chronotap demo`.
#
# Exit status 0 where the trial ran and its data are there, also when its timing verdict
# failed: what a busy machine makes late is no fault of the installation. `chronotap demo`
# and `chronotap run` themselves end with 1 then.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

main() {
    scripts/install.sh
    . scripts/find-rust.sh
    find_rust
    [ -x "$target/release/chronotap" ] || echo "building chronotap (some minutes the first time)"
    # Without Parquet, which a first look does not need and would wait for.
    cargo build --quiet --color never --release --locked -p chronotap-cli --no-default-features
    run_trial "$@"
}

run_trial() {
    local begun status=0
    begun=$(mktemp)
    trap "rm -f '$begun'" EXIT
    "$target/release/chronotap" demo "$@" || status=$?
    if [ "$status" -eq 1 ] && has_data_since "$begun" "$@"; then
        explain_verdict
        status=0
    fi
    exit "$status"
}

# has_data_since FILE ARGUMENT...: whether there is a trial's data that is no older than the
# file. Both can have the same time: a file system's clock goes in steps of milliseconds.
has_data_since() {
    local begun=$1 dir=data file
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --data) dir=${2-} ;;
        --data=*) dir=${1#--data=} ;;
        esac
        shift
    done
    while read -r file; do
        [ "$begun" -nt "$file" ] || return 0
    done < <(find "$dir" -name 'demo_run-*_events.json' 2>/dev/null)
    return 1
}

explain_verdict() {
    cat <<END

The trial ran and its data are there, but its timing verdict failed, for the reason below the
verdict. Most often the machine was busy with other work, or is a virtual one that its host
stopped for a moment. This says what on this machine spoils timing, and how to cure it:
    $target/release/chronotap doctor
END
}

main "$@"
