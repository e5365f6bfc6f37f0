#!/usr/bin/env bash
# Does the program for arm64 print and write the same bytes as that for amd64? Every example and every
# ready-made study, as scripts/frozen/outputs.sh runs them (explained, rehearsed, verified, analysed, replayed,
# exported, reported), once with each program; that for arm64 runs under qemu. What must differ has a word
# in its place there: the machine, the moments, and the checksums that follow from them.
#
# Usage: scripts/same-on-arm64.sh [ITEM...]      only what begins so, such as studies/music
# CHRONOTAP=FILE and CHRONOTAP_ARM64=FILE take these programs, of one commit, instead of building them.
# exit 1: something differs (the first lines are shown); 2: it could not be tried
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
export LC_ALL=C MOST_S=1200 # for one command; emulated, it takes about ten times as long
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

main() {
    command -v qemu-aarch64-static >/dev/null || apt_install qemu-user-static
    local amd64 arm64
    amd64=${CHRONOTAP:-$(scripts/program.sh amd64)}
    arm64=${CHRONOTAP_ARM64:-$(scripts/program.sh arm64)}
    emulated "$arm64" >"$place/arm64.sh"
    chmod +x "$place/arm64.sh"
    items "$@" >"$place/items"
    [ -s "$place/items" ] || give_up "no such item; see scripts/frozen/outputs.sh --items"
    outputs "$amd64" amd64
    outputs "$place/arm64.sh" arm64
    diff -r "$place/amd64" "$place/arm64" >"$place/differences" || { head -n 40 "$place/differences"; exit 1; }
    echo "$(wc -l <"$place/items") items: what $(lines '^\$ ') commands printed, and the $(lines '^file ') files that they wrote," \
        "are the same on amd64 and arm64"
}

# lines PATTERN: how many there are like it in all outputs.
lines() {
    grep -rh "$1" "$place/amd64" | wc -l
}

# emulated PROGRAM: a command that runs it, under its own name.
emulated() {
    printf '#!/bin/sh\nexec qemu-aarch64-static -0 chronotap %q "$@"\n' "$1"
}

items() {
    local wanted=("$@") prefix
    [ $# -gt 0 ] || wanted=(examples/ studies/)
    for prefix in "${wanted[@]}"; do
        scripts/frozen/outputs.sh --items | awk -v prefix="$prefix" 'index($0, prefix) == 1'
    done
}

# outputs PROGRAM NAME
outputs() {
    mkdir -p "$place/$2" "$place/run-$2"
    xargs -n 1 -P "$(nproc)" scripts/frozen/outputs.sh "$1" "$place/$2" "$place/run-$2" <"$place/items"
}

main "$@"
