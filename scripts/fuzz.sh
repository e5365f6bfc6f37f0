#!/usr/bin/env bash
# Feeds mutated input to every parser, SECONDS each, on the stable toolchain.
# A long run goes over all parsers in turn for SECONDS together, on every processor, each slice with
# another seed, and adds what it did to fuzz/runs.tsv: day, target, inputs, processor's seconds.
# --sum says how many there were by now, and how many a second.
# The same targets run under cargo-fuzz, which searches far better; it needs a nightly
# toolchain or this:  RUSTC_BOOTSTRAP=1 cargo fuzz run --features libfuzzer midi_parser
# MUTATE=FILE takes that program, such as the tests have built, instead of building an optimized one.
#
# Usage: scripts/fuzz.sh [SECONDS] [SEED] | --long SECONDS | --sum
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
[ -z "${MUTATE-}" ] || exec "$MUTATE" "$@"
. scripts/find-rust.sh
need_rust
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
exec cargo run --quiet --profile fuzz --locked --package chronotap-fuzz --bin mutate -- "$@"
