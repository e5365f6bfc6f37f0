#!/usr/bin/env bash
# `make accept`: makes every reference anew that git keeps as text, and shows what differs from the last commit:
# outputs of the program, lists of sentences, tables and references of the manual, expected events, types of the pages.
# They are compared by the tests whose names end with `_as_kept`, and by `crates/cli/tests/outputs`; all of
# them write what they would compare where SNAPSHOTS=overwrite is in the environment (crates/kept).
#
# exit 1: a test failed for another reason than a difference; what it said is shown
#
# Usage: scripts/accept.sh
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
. scripts/find-rust.sh
need_rust
export SNAPSHOTS=overwrite CARGO_TERM_COLOR=never
said=$(mktemp)
trap 'rm -f "$said"' EXIT

main() {
    # Outputs come last: what the manual and the lists of sentences say is in them. All of the workspace, as
    # `make test` builds it, so that nothing is built twice.
    made --workspace -- _as_kept
    made --workspace --test outputs
    git diff --stat
    git status --short --untracked-files=all | sed -n '/^??/p'
}

# made ARGUMENT...: what these tests compare with is written.
made() {
    cargo test --quiet --locked --no-fail-fast "$@" >"$said" 2>&1 || { cat "$said"; exit 1; }
}

main
