#!/usr/bin/env bash
# `make lab`: runs the scenarios in lab/scenarios/ on Debian's stock and PREEMPT_RT
# kernels inside an emulated machine, and closes with a table of what passed. Needs
# no device, no rights and no hardware virtualisation; docs/lab.md explains it.
#
# Usage: lab/run.sh [--machine amd64|arm64] [--kernel stock|rt] [--mode virtual|real] [SCENARIO...]
#        all where none is named, but those whose head says `named = only`
# Exit status: 0 all passed, 1 some expectation failed, 2 the lab could not work.
# CHRONOTAP=FILE takes that program instead of building it. LAB_PATIENCE=N gives each scenario N times as long, where
# other work has the processors. LAB_UNTIL=SECONDS (since 1970): what has not begun by then is passed over, and is said so.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
lab=$PWD/lab
target=${CARGO_TARGET_DIR:-$PWD/target}
kernels="stock rt"
modes="virtual real"
names=()

say() { echo "$*"; }
give_up() { echo "lab: $*" >&2; exit 2; }

. "$lab/machines.sh"
. "$lab/packages.sh"
. "$lab/image.sh"
. "$lab/scenario.sh"
. "$lab/report.sh"

main() {
    take_machine amd64
    read_arguments "$@"
    name_places
    mkdir -p "$work" "$results"
    : >"$log"
    : >"$work/verdicts.tsv"
    plan >"$work/plan"
    trap interrupted INT TERM
    install_host_packages
    build_programs
    fetch_guest_tools
    local kernel
    for kernel in $kernels; do
        say "building the guest with the $kernel kernel"
        build_image "$kernel"
    done
    # In virtual time a scenario does not notice what else the host does, and takes one
    # of its processors; in real time it gets them all.
    run_all virtual "$(nproc)"
    run_all real 1
    report
}

name_places() {
    work=$target/lab$suffix
    results=$work/results
    log=$work/lab.log
    programs=$target/release
    [ -z "$foreign" ] || programs=$target/$rust_triple/release
    chronotap=${CHRONOTAP:-$programs/chronotap}
    [ ${#names[@]} -gt 0 ] || mapfile -t names < <(scenarios)
    local name
    for name in "${names[@]}"; do
        [ -f "$lab/scenarios/$name.scenario" ] || give_up "there is no scenario $name in $lab/scenarios"
        can_be_had "$lab/scenarios/$name.scenario" || give_up "$name needs what the machine $machine has not"
    done
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --machine) take_machine "${2:?--machine needs amd64 or arm64}"; shift ;;
        --kernel) kernels=${2:?--kernel needs stock or rt}; shift ;;
        --mode) modes=${2:?--mode needs virtual or real}; shift ;;
        -*) give_up "usage: lab/run.sh [--machine amd64|arm64] [--kernel stock|rt] [--mode virtual|real] [SCENARIO...]" ;;
        *) names+=("$(basename "$1" .scenario)") ;;
        esac
        shift
    done
}

# scenarios: all that this machine can be, but those that take too long to be run unless they are named.
scenarios() {
    local file
    for file in "$lab"/scenarios/*.scenario; do
        can_be_had "$file" || continue
        [ "$(setting "$file" named)" = only ] || basename "$file" .scenario
    done
}

# plan: a line `MODE NAME KERNEL` for every run.
plan() {
    local name kernel file
    for name in "${names[@]}"; do
        file=$lab/scenarios/$name.scenario
        [[ " $modes " == *" $(setting "$file" mode) "* ]] || continue
        for kernel in $kernels; do
            [[ " $(setting "$file" kernels) " == *" $kernel "* ]] || continue
            echo "$(setting "$file" mode) $name $kernel"
        done
    done
}

# run_all MODE N: the planned runs of that mode, N at a time.
run_all() {
    local mode name kernel
    while read -r mode name kernel; do
        [ "$mode" = "$1" ] || continue
        if [ "$EPOCHSECONDS" -ge "${LAB_UNTIL:-9999999999}" ]; then
            pass_over "$name" "$kernel" "there was no time left for it"
            continue
        fi
        while [ "$(jobs -rp | wc -l)" -ge "$2" ]; do wait -n; done
        run_scenario "$name" "$kernel" </dev/null &
    done <"$work/plan"
    wait
}

# Each guest is ended by the shell that waits for it.
interrupted() {
    kill $(jobs -p) 2>/dev/null
    wait
    echo "lab: interrupted; results so far are in $results" >&2
    exit 2
}

build_programs() {
    scripts/install.sh || exit 2
    . scripts/find-rust.sh
    find_rust
    local cross=()
    if [ -n "$foreign" ]; then
        [ -n "${CHRONOTAP-}" ] || chronotap=$(scripts/program.sh "$machine") || exit 2
        cross=(--target "$rust_triple" --config "target.$rust_triple.linker='$triple-gcc'")
    elif [ -z "${CHRONOTAP-}" ]; then
        [ -x "$chronotap" ] || say "building chronotap (some minutes the first time)"
        cargo build --quiet --color never --release --locked -p chronotap-cli || exit 2
    fi
    cargo build --quiet --color never --release --locked "${cross[@]}" \
        --manifest-path "$lab/performer/Cargo.toml" --target-dir "$target" || exit 2
}

main "$@"
