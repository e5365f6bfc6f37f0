#!/usr/bin/env bash
# Builds on a Mac the program without devices, and puts it into a zip with the licences of what it holds and the examples.
# Not run: nobody here has a Mac. On Linux scripts/other-targets.sh lets the compiler check the same sources for
# aarch64-apple-darwin. It needs Rust and Xcode's command line tools (`xcode-select --install`).
#
# Usage: scripts/macos.sh [FOLDER]      (target/macos)      exit 3: this is no Mac, or something is missing
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
[ "$(uname -s)" = Darwin ] || { echo "this is no Mac; nothing was built"; exit 3; }
command -v cargo >/dev/null || { echo "Rust is missing (https://rustup.rs)"; exit 3; }
folder=${1:-target/macos}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=chronotap-$version-macos-$(uname -m)

CHRONOTAP_COMMIT=$(git rev-parse --short=12 HEAD) cargo build --quiet --release --locked -p chronotap-desk
rm -rf "${folder:?}/$name"
mkdir -p "$folder/$name"
cp "${CARGO_TARGET_DIR:-target}/release/chronotap-desk" "$folder/$name/chronotap"
strip "$folder/$name/chronotap"
cp -r LICENSE-APACHE LICENSE-MIT examples "$folder/$name/"
scripts/licences.sh --package chronotap-desk --target "$(rustc -vV | sed -n 's/^host: //p')" >"$folder/$name/licences.txt"
(cd "$folder" && rm -f "$name.zip" && zip -qr "$name.zip" "$name")
ls -l "$folder/$name.zip"
