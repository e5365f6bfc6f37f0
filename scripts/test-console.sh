#!/usr/bin/env bash
# Tests the pages of the console as people see them: the types of their scripts, and whole
# sessions in Chromium with a simulated participant. Where the engine for a page can be made (scripts/web.sh), also
# the page on which a study is tried. Pictures go to target/console/pictures; with
# --pictures those of the manual are made anew (docs/pictures).
#
# Usage: scripts/test-console.sh [--pictures]     exit 1: something failed; 3: it cannot be tried here
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
command -v npm >/dev/null || cannot "there is no npm (Debian: npm)"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || cannot "node is older than 20"

target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
place=$target/console
mkdir -p "$place/browser" "$place/pages"
# Beside the build, so that nothing is left among the sources.
cp crates/console/browser/* "$place/browser/"
cp crates/console/pages/*.js crates/console/pages/*.ts crates/console/browser/package.json "$place/pages/"
(cd "$place/browser" && npm ci --silent --no-audit --no-fund --ignore-scripts) >/dev/null 2>&1 ||
    cannot "npm cannot install what the tests need (no network?)"

"$place/browser/node_modules/.bin/tsc" --project "$place/browser"
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=$target/debug/chronotap
fi
# A program of this build finds the engine there; another one has its own, or none.
status=3
case $(realpath "$CHRONOTAP") in "$target"/*) status=0; scripts/web.sh || status=$? ;; esac
case $status in
0) export TRY=yes ;;
3) echo "the console has no page to try a study on" ;;
*) exit "$status" ;;
esac
# Two files at a time, on two processors, too: most of the time a page waits for a trial to go on. With --pictures
# only the two tests that make them, so that nothing runs beside their trials.
tests=("$place/browser/"*.test.js)
[ "${1-}" != --pictures ] || tests=(--test-name-pattern="from the form to the dataset"
    --test-name-pattern="tests of the computer" "$place/browser/session.test.js")
CHRONOTAP=$CHRONOTAP BROWSER=$BROWSER PICTURES=$place/pictures \
    node --test --test-concurrency=2 --test-reporter=spec --test-timeout=900000 "${tests[@]}"

if [ "${1-}" = --pictures ]; then
    mkdir -p docs/pictures
    for name in form-light-1280 devices-light-1280 trial-light-1280 calm-light-1280 scale-light-360 test-light-1280; do
        cp "$place/pictures/$name.png" "docs/pictures/console-${name%%-*}.png"
    done
    echo "Beside the picture of a trial, docs/console.md names where it was made: $(uname -sr), $(nproc) processors,$(sed -n 's/^model name.*://p' /proc/cpuinfo | head -1)"
fi
