#!/usr/bin/env bash
# Holds every library, those of the tests and of other systems too, to what deny.toml says: licences, bans and
# sources; and, where the list of advisories can be fetched, that none speaks against one. cargo-deny is built
# once, into target/deny.
#
# Usage: scripts/deny.sh      exit 1: a library does not fit; 3: there is no network to install cargo-deny with
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
place=$(mkdir -p "${CARGO_TARGET_DIR:-target}/deny" && cd "${CARGO_TARGET_DIR:-target}/deny" && pwd)
VERSION=0.20.2
deny=$place/bin/cargo-deny

[ -x "$deny" ] || command -v cargo-deny >/dev/null ||
    CARGO_TARGET_DIR=$place/build cargo install --quiet --locked --root "$place" --profile dev "cargo-deny@$VERSION" ||
    { echo "passed over: cargo-deny cannot be installed (no network?)"; exit 3; }
[ -x "$deny" ] || deny=$(command -v cargo-deny)

"$deny" --log-level warn check licenses bans sources
"$deny" --log-level warn --manifest-path site/glue/Cargo.toml check --config deny.toml licenses bans sources
if "$deny" --log-level error fetch db 2>/dev/null; then
    "$deny" --log-level warn check advisories
else
    echo "advisories passed over: their list cannot be fetched"
fi
