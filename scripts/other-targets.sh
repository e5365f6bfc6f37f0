#!/usr/bin/env bash
# Checks the half of the house that knows no Linux (ARCHITECTURE.md) for every other
# target whose standard library is installed: `rustup target add x86_64-pc-windows-gnu`
# adds one. Exit 3: there is none, so that nothing was tried.
#
# Usage: scripts/other-targets.sh
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."

portable=(core machine timing engine audio analysis config data trial recorder design simulate session visit words drawing report web desk)
host=$(rustc -vV | sed -n 's/^host: //p')
tried=0
for library in "$(rustc --print sysroot)"/lib/rustlib/*/lib; do
    target=$(basename "$(dirname "$library")")
    [ "$target" != "$host" ] && compgen -G "$library/libstd-*.rlib" >/dev/null || continue
    echo "cargo check --target $target: ${portable[*]}"
    cargo check --quiet --locked --target "$target" --no-default-features "${portable[@]/#/-pchronotap-}"
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo "no standard library of another target is installed"; exit 3; }
