#!/usr/bin/env bash
# Tests "Try it" in a browser without a network: each function of the engine beside the program, byte for
# byte, and the pane as people use it. With --site every block of the manual's site too, and functions and pane in
# Firefox, where there is one. Pictures go to target/try/pictures.
#
# Usage: scripts/test-web.sh [--site]     exit 1: something failed; 3: it cannot be tried here
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

for name in chromium chromium-browser google-chrome chrome; do
    BROWSER=$(command -v "$name") && break
done
[ -n "${BROWSER:-}" ] || cannot "there is no Chromium; scripts/install.sh --for-all installs it"
command -v node >/dev/null || cannot "there is no node (Debian: nodejs)"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || cannot "node is older than 20"
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=$target/debug/chronotap
fi
export CHRONOTAP BROWSER MADE=$target/try/made EXAMPLES=$PWD/examples PICTURES=$target/try/pictures
tests=(functions pane)
if [ "${1-}" = --site ]; then
    scripts/site.sh
    export SITE=$PWD/target/site/html
    tests+=(site)
else
    scripts/web.sh
fi
cd "$target/try"
tried() { node --test --test-reporter=spec --test-timeout=900000 "${@/%/.test.js}" 2>&1; }
tried "${tests[@]}"
[ "${1-}" = --site ] || exit 0
FIREFOX=$(command -v firefox-esr || command -v firefox) ||
    { echo "not tried in Firefox: there is none (Debian: firefox-esr)"; exit 0; }
export FIREFOX
IN=firefox tried functions firefox
