#!/usr/bin/env bash
# Builds the Debian package: the program, its manual pages, completions, udev rule, a question
# about real-time rights, and the licences of what the program holds. Neither the folder nor the day is
# meant to change its bytes; two builds have not been compared yet.
#
# Usage: scripts/deb.sh [FOLDER]      the package goes there (target/deb)
# CHRONOTAP=FILE packs that program instead of building it.
# exit 1: it could not be built; 2: a tool is missing, and cannot be installed
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/find-rust.sh

main() {
    local target made folder
    need_tools
    target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
    folder=${1:-$target/deb}
    mkdir -p "$folder" && folder=$(cd "$folder" && pwd)
    same_version
    tree=$target/deb/tree
    take_tree
    make_parts "${CHRONOTAP:-$(built "$target")}" "$tree/target/deb/made"
    (cd "$tree" && quietly dpkg-buildpackage --build=binary --no-sign --no-check-builddeps) || exit 1
    mv "$target"/deb/chronotap_*.deb "$folder/" 2>/dev/null || true # there already where they are one
    rm -rf "$tree" "$target"/deb/chronotap*.{buildinfo,changes} "$target"/deb/chronotap-dbgsym*
    ls -l "$folder"/chronotap_*.deb
}

need_tools() {
    local missing=()
    command -v dpkg-buildpackage >/dev/null || missing+=(dpkg-dev)
    command -v dh >/dev/null || missing+=(debhelper)
    command -v fakeroot >/dev/null || missing+=(fakeroot)
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    pkg-config --exists lilv-0 2>/dev/null || missing+=(liblilv-dev)
    [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
    need_rust
}

# The package's version is the program's.
same_version() {
    local cargo debian
    cargo=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
    debian=$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
    [ "$cargo" = "$debian" ] || give_up "debian/changelog has version $debian, Cargo.toml $cargo"
}

# What git holds, and what is changed here: nothing else can come into the package.
take_tree() {
    rm -rf "$tree" && mkdir -p "$tree"
    git ls-files -z --cached --others --exclude-standard |
        xargs -0 tar -c --ignore-failed-read 2>/dev/null | tar -x -C "$tree"
}

# built TARGET: the program, in a folder of its own, since no path of this machine may stand in it.
# It takes LV2 plugins, whose library Debian has everywhere; the package then depends on it.
built() {
    local remap="--remap-path-prefix=$PWD=chronotap"
    remap+=$'\x1f'"--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    CHRONOTAP_COMMIT=$(commit) CARGO_ENCODED_RUSTFLAGS=$remap CARGO_TARGET_DIR=$1/deb/build \
        cargo build --release --locked --quiet -p chronotap-cli --features lv2 >&2
    echo "$1/deb/build/release/chronotap"
}

# The commit that is checked out, and whether it was changed since.
commit() {
    echo "$(git rev-parse --short=12 HEAD)$([ -z "$(git status --porcelain)" ] || echo " and changes")"
}

# make_parts PROGRAM FOLDER: the program, and what is made by it.
make_parts() {
    local program=$1 made=$2
    mkdir -p "$made/completions"
    install -m 755 "$program" "$made/chronotap"
    "$program" man "$made/man" >/dev/null
    "$program" completions bash >"$made/completions/chronotap"
    "$program" completions zsh >"$made/completions/_chronotap"
    "$program" completions fish >"$made/completions/chronotap.fish"
    scripts/licences.sh >"$made/licences.txt"
    cp crates/console/pages/icon.svg "$made/chronotap.svg"
}

main "$@"
