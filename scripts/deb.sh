#!/usr/bin/env bash
# Builds the Debian package: the program (scripts/program.sh), its manual pages, completions, udev rule, a
# question about real-time rights, and of what the program holds the licences and a bill of materials; with them the
# console's page "Try" and its engine, where these can be made (scripts/web.sh). It says how large they are, or why they lack.
# Neither the folder nor the day changes its bytes.
#
# Usage: scripts/deb.sh [FOLDER [amd64|arm64]]      the package goes there (target/deb)
# CHRONOTAP=FILE packs that program instead of building it.
# exit 1: it could not be built; 2: a tool is missing, and cannot be installed
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/packages.sh
architecture=${2:-$(dpkg --print-architecture)}

main() {
    local target folder program
    need_tools
    target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
    folder=${1:-$target/deb}
    mkdir -p "$folder" && folder=$(cd "$folder" && pwd)
    same_version
    tree=$target/deb/tree
    take_tree
    program=${CHRONOTAP:-$(scripts/program.sh "$architecture")}
    make_parts "$program" "$tree/target/deb/made"
    (cd "$tree" && quietly dpkg-buildpackage --build=binary --no-sign --no-check-builddeps \
        --host-arch "$architecture") || exit 1
    mv "$target"/deb/chronotap_*"_$architecture.deb" "$folder/" 2>/dev/null || true # there already where they are one
    rm -rf "$tree" "$target"/deb/chronotap*.{buildinfo,changes} "$target"/deb/chronotap-dbgsym*
    ls -l "$folder"/chronotap_*"_$architecture.deb"
}

need_tools() {
    local missing=()
    command -v dpkg-buildpackage >/dev/null || missing+=(dpkg-dev)
    command -v dh >/dev/null || missing+=(debhelper)
    command -v fakeroot >/dev/null || missing+=(fakeroot)
    [ "$architecture" != arm64 ] || command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
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
        tar -c --null --files-from - --ignore-failed-read | tar -x -C "$tree"
}

# make_parts PROGRAM FOLDER: the program, and what is made by it and of it.
make_parts() {
    local program=$1 made=$2 run=() holds=()
    [ "$architecture" != arm64 ] || [ "$(uname -m)" = aarch64 ] || run=(qemu-aarch64-static -0 chronotap)
    run+=("$program")
    mkdir -p "$made/completions"
    install -m 755 "$program" "$made/chronotap"
    "${run[@]}" man "$made/man" >/dev/null
    "${run[@]}" completions bash >"$made/completions/chronotap"
    "${run[@]}" completions zsh >"$made/completions/_chronotap"
    "${run[@]}" completions fish >"$made/completions/chronotap.fish"
    [[ $("${run[@]}" --version) != *"with lv2"* ]] || holds+=(--features lv2)
    [ "$architecture" != arm64 ] || holds+=(--target aarch64-unknown-linux-gnu)
    scripts/licences.sh "${holds[@]}" >"$made/licences.txt"
    scripts/sbom.sh "${holds[@]}" >"$made/chronotap.cdx.json"
    cp crates/console/pages/icon.svg "$made/chronotap.svg"
    page_try "$made/try"
}

# page_try FOLDER: the same files for every architecture.
page_try() {
    local said status=0
    said=$(scripts/web.sh 2>&1) || status=$?
    case $status in
    0) install -D -m 644 -t "$1" "$target"/try/made/{pane.js,engine.js,try.css,licences.txt,version.txt} ;;
    3) ;;
    *) echo "$said" >&2; exit 1 ;;
    esac
    if [ "$status" -eq 0 ]; then
        echo "with the page \"Try\", $(cat "$1"/* | wc -c) bytes"
    else
        echo "without the page \"Try\": $(tail -n 1 <<<"$said")"
    fi
}

main "$@"
