#!/usr/bin/env bash
# `make lab`: runs the scenarios in lab/scenarios/ on Debian's stock and PREEMPT_RT
# kernels inside an emulated machine, and closes with a table of what passed. Needs
# no device, no rights and no hardware virtualisation; docs/lab.md explains it.
#
# Usage: lab/run.sh [--kernel stock|rt] [SCENARIO...]     all where none is named
# Exit status: 0 all passed, 1 some expectation failed, 2 the lab could not work.
# CHRONOTAP=FILE takes that program instead of building it.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
lab=$PWD/lab
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/lab
results=$work/results
log=$work/lab.log
chronotap=${CHRONOTAP:-$target/release/chronotap}
guest=

say() { echo "$*"; }
give_up() { echo "lab: $*" >&2; exit 2; }

. "$lab/packages.sh"
. "$lab/image.sh"
. "$lab/scenario.sh"
. "$lab/report.sh"

main() {
    local kernels="stock rt" names=()
    while [ $# -gt 0 ]; do
        case $1 in
        --kernel) kernels=${2:?--kernel needs stock or rt}; shift ;;
        -*) give_up "usage: lab/run.sh [--kernel stock|rt] [SCENARIO...]" ;;
        *) names+=("$(basename "$1" .scenario)") ;;
        esac
        shift
    done
    [ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$lab/scenarios" && ls ./*.scenario | sed 's|^./||; s|.scenario$||')
    mkdir -p "$work" "$results"
    : >"$log"
    trap interrupted INT TERM
    install_host_packages
    build_programs
    fetch_guest_tools
    local kernel name
    : >"$work/verdicts.tsv"
    for kernel in $kernels; do
        say "building the guest with the $kernel kernel"
        build_image "$kernel"
        for name in "${names[@]}"; do run_scenario "$name" "$kernel"; done
    done
    report
}

# The guest is a child of this script alone; it dies with it.
interrupted() {
    [ -z "$guest" ] || kill "$guest" 2>/dev/null
    echo "lab: interrupted; results so far are in $results" >&2
    exit 2
}

build_programs() {
    scripts/install.sh || exit 2
    PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
    if [ -z "${CHRONOTAP-}" ]; then
        [ -x "$chronotap" ] || say "building chronotap (a minute or two the first time)"
        cargo build --quiet --color never --release --locked -p chronotap-cli || exit 2
    fi
    cargo build --quiet --color never --release --locked \
        --manifest-path "$lab/performer/Cargo.toml" --target-dir "$target" || exit 2
}

main "$@"
