#!/usr/bin/env bash
# Runs examples/r/read_dataset.R on a simulated study and its analysis, and compares what it
# counts with the files.
#
# Usage: scripts/test-r.sh      exit 1: something differs; 3: there is no R here
# CHRONOTAP=FILE takes that program instead of building it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
command -v Rscript >/dev/null || { echo "there is no Rscript (Debian: r-base-core)"; exit 3; }

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli
    CHRONOTAP=${CARGO_TARGET_DIR:-target}/debug/chronotap
fi
chronotap() { "$CHRONOTAP" "$@"; }

main() {
    chronotap simulate examples/delay-study/study.toml --participants 2 --data "$place/study" --quiet || [ $? -eq 1 ]
    chronotap analyze "$place/study" >/dev/null
    Rscript examples/r/read_dataset.R "$place/study" | tee "$place/said"
    said "2 participants, $(cat "$place"/study/sub-*/beh/*_beh.tsv | cut -f 6 | grep -c true) trials that count"
    said "$(($(wc -l <"$place/study/derivatives/chronotap/desc-taps_beh.tsv") - 1)) taps in the tables of the analysis"
}

# said TEXT: it is a line of what R printed.
said() {
    grep -qxF "$1" "$place/said" || { echo "not printed: $1"; exit 1; }
}

main
