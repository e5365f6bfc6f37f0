#!/usr/bin/env bash
# Builds the program as it is released, for this architecture or another, and prints where it is. It takes
# LV2 plugins, whose library Debian has everywhere. It is built in a folder of its own, and no path of
# this machine stands in it, so that neither folder nor day changes its bytes.
#
# Usage: scripts/program.sh [amd64|arm64]
# For another architecture than this machine's, the packages of that one must be known to apt:
#   dpkg --add-architecture arm64 && apt-get update
# exit 1: it could not be built; 2: a tool is missing, and cannot be installed
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/find-rust.sh
here=$(dpkg --print-architecture)
architecture=${1:-$here}
gnu=""    # as gcc calls it
triple="" # as Rust does

main() {
    local target
    names
    need_tools >&2
    target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)/deb/build
    build "$target" >&2 || exit 1
    echo "$target/$triple/release/chronotap"
}

names() {
    case $architecture in
    amd64) gnu=x86_64-linux-gnu ;;
    arm64) gnu=aarch64-linux-gnu ;;
    *) give_up "no program is released for $architecture: amd64 and arm64" ;;
    esac
    triple=${gnu/-linux/-unknown-linux}
}

need_tools() {
    local missing=()
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    command -v "$gnu-gcc" >/dev/null || missing+=("gcc-${gnu/_/-}")
    [ -e "/usr/lib/$gnu/liblilv-0.so" ] || missing+=("liblilv-dev:$architecture")
    [ "$architecture" = "$here" ] || dpkg --print-foreign-architectures | grep -qx "$architecture" ||
        give_up "apt knows no packages for $architecture; as root, please type:" \
            "  dpkg --add-architecture $architecture && apt-get update"
    [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
    need_rust
    [ -n "$(compgen -G "$(rustc --print sysroot)/lib/rustlib/$triple/lib/libstd-*.rlib")" ] ||
        quietly rustup target add "$triple" ||
        give_up "Rust has no library for $architecture here; rustup can add it: rustup target add $triple"
}

# build FOLDER: paths of the machine are taken out of it.
build() {
    local flags linker
    flags="--remap-path-prefix=$PWD=chronotap"$'\x1f'
    flags+="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    linker=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$triple")_LINKER
    env CHRONOTAP_COMMIT="$(commit)" CARGO_ENCODED_RUSTFLAGS="$flags" CARGO_TARGET_DIR="$1" "$linker=$gnu-gcc" \
        cargo build --release --locked --quiet -p chronotap-cli --features lv2 --target "$triple"
}

# The commit that is checked out, and whether it was changed since.
commit() {
    echo "$(git rev-parse --short=12 HEAD)$([ -z "$(git status --porcelain)" ] || echo " and changes")"
}

main
