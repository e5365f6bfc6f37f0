#!/usr/bin/env bash
# `make demo`: from a fresh clone to a running trial. Needs no sound card, no
# MIDI device and no rights; with real-time rights the trial uses them and says so.
# Everything after the script's name goes to `chronotap demo`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install.sh
. scripts/find-rust.sh
find_rust
target=${CARGO_TARGET_DIR:-target}

[ -x "$target/release/chronotap" ] || echo "building chronotap (a minute or two the first time)"
cargo build --quiet --color never --release --locked -p chronotap-cli
exec "$target/release/chronotap" demo "$@"
