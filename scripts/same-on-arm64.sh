#!/usr/bin/env bash
# Does the program for arm64 print and write the same bytes as that for amd64? Every example and every
# ready-made study (explained, rehearsed, verified, analysed, replayed, exported, reported), as
# `crates/cli/tests/outputs` runs them and keeps what is printed and written; here the program for arm64 runs them, under
# qemu. What must differ has a word in its place there: the machine, the moments, and the checksums that follow from them.
#
# Usage: scripts/same-on-arm64.sh [TEST...]      only these, such as studies or help
# CHRONOTAP_ARM64=FILE takes this program instead of building one.
# exit 1: something differs (it is shown); 2: it could not be tried
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/find-rust.sh
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

main() {
    need_rust
    command -v qemu-aarch64-static >/dev/null || apt_install qemu-user-static
    emulated "${CHRONOTAP_ARM64:-$(scripts/program.sh arm64)}" >"$place/chronotap"
    chmod +x "$place/chronotap"
    [ $# -gt 0 ] || set -- examples studies
    # One command may take long: emulated, it takes about ten times as long.
    CHRONOTAP=$place/chronotap CHRONOTAP_MOST_S=1200 cargo test --quiet --locked -p chronotap-cli --test outputs -- --exact "$@"
    echo "$*: all that is printed and written is the same on arm64"
}

# emulated PROGRAM: a command that runs it, under its own name.
emulated() {
    printf '#!/bin/sh\nexec qemu-aarch64-static -0 chronotap %q "$@"\n' "$1"
}

main "$@"
