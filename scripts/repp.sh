#!/usr/bin/env bash
# Compares `chronotap import-taps --reading repp` with REPP: recordings that a generator makes around REPP's own
# stimuli are judged by both, and the taps of both are compared with those that were made. `keep` makes
# crates/data/tests/repp/kept.json again, which `make test` compares with. repp-tapping is installed into
# target/repp, an environment of Python of its own, and is linked nowhere. Needs Python 3.11 or later with
# venv, and a network the first time. Not part of `make test`.
#
# Usage: scripts/repp.sh [COUNT [SEED]]    500 recordings, from seed 1; CHRONOTAP=FILE is the program
#        scripts/repp.sh keep
# exit 0: at least 99 % are judged alike; 1: fewer
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."

place=${CARGO_TARGET_DIR:-target}/repp
[ -x "$place/bin/python" ] || python3 -m venv "$place"
"$place/bin/pip" install --quiet repp-tapping==1.4.0 numpy==2.4.6 scipy==1.17.1
recordings=crates/data/tests/repp/recordings.py
if [ "${1-}" = keep ]; then
    exec "$place/bin/python" "$recordings" keep
fi
program=${CHRONOTAP:-$(cargo build --release --locked --quiet -p chronotap-cli && echo "${CARGO_TARGET_DIR:-target}/release/chronotap")}
exec "$place/bin/python" "$recordings" compare "$(realpath "$program")" "${1:-500}" "${2:-1}"
