#!/usr/bin/env bash
# Makes "Try it" for the manual's site and for the console: the engine as WebAssembly and the page's scripts, in
# target/try/made: button.js and try.css, which every page of the site has; pane.js and engine.js, which the first
# press fetches. Nothing is fetched when a page is read, and everything works from a disk.
#
# The console of a program in target/ finds it there. For an installed one, --beside puts it into share/chronotap/try
# beside the folder of the program.
#
# Usage: scripts/web.sh [--beside PROGRAM]      exit 1: the engine is too large; 2: there is no such program;
# 3: it cannot be made here
set -euo pipefail
. "$(dirname "$0")/usage.sh"
from=$PWD
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
place=$target/try
made=$place/made
triple=wasm32-unknown-unknown
# Compressed, in bytes.
LARGEST=3000000

main() {
    local program=""
    [ "${1-}" != --beside ] || program=$(installed "${2-}")
    mkdir -p "$made" "$place/engine"
    # Whoever comes while it is made waits for it.
    exec 9>"$place/lock"
    flock 9
    need_target
    need_libraries
    engine
    scripts
    version >"$made/version.txt"
    [ -z "$program" ] || beside "$program"
    echo "the engine for a page: $(($(stat -c %s "$place/engine.gz") / 1000)) kB compressed, in $made"
}

# installed PROGRAM: where it really lies.
installed() {
    cd "$from"
    [ -f "$1" ] && [ -x "$1" ] || { echo "--beside: no program \"$1\"; name the installed one" >&2; exit 2; }
    realpath "$1"
}

# That of the program, by which the console knows whether both belong together.
version() {
    sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml
}

beside() {
    local place
    place=$(dirname "$1")/../share/chronotap/try
    mkdir -p "$place" && cp "$made"/* "$place/"
    echo "the console finds it in $(realpath "$place")"
}

cannot() {
    echo "$1"
    exit 3
}

need_target() {
    [ -e "$(rustc --print sysroot)/lib/rustlib/$triple" ] || rustup target add "$triple" >/dev/null 2>&1 ||
        cannot "Rust cannot build for browsers: rustup target add $triple (no rustup, or no network?)"
}

# Of exactly the versions that site/try/package-lock.json has, with their checksums.
need_libraries() {
    command -v npm >/dev/null || cannot "there is no npm (Debian: npm)"
    cp site/try/* "$place/"
    cmp -s "$place/package-lock.json" "$place/node_modules/installed" ||
        { (cd "$place" && npm ci --silent --no-audit --no-fund --ignore-scripts) >/dev/null 2>&1 &&
            cp "$place/package-lock.json" "$place/node_modules/installed"; } ||
        cannot "npm cannot install what the pane needs (no network?)"
}

# engine: WebAssembly, and the script that calls it, whose types are of the same make.
engine() {
    CARGO_ENCODED_RUSTFLAGS=$(without_paths) cargo rustc --quiet --locked -p chronotap-web --lib --crate-type cdylib --target "$triple" --profile web
    cargo run --quiet --locked --manifest-path site/glue/Cargo.toml --target-dir "$target/glue" -- \
        "$target/$triple/web/chronotap_web.wasm" "$place/engine" || cannot "the glue cannot be built (no network?)"
    gzip -9 -n -c "$place/engine/engine_bg.wasm" >"$place/engine.gz"
    [ "$(stat -c %s "$place/engine.gz")" -le $LARGEST ] || { echo "the engine is larger than $LARGEST bytes"; exit 1; }
    printf 'window.chronotapEngine = "%s";\n' "$(base64 -w 0 "$place/engine.gz")" >"$made/engine.js"
}

# What it says where it fails names no folder of this machine: package and site have the same bytes wherever they are made.
without_paths() {
    printf -- '--remap-path-prefix=%s\x1f--remap-path-prefix=%s' "$PWD=chronotap" "${CARGO_HOME:-$HOME/.cargo}=cargo"
}

scripts() {
    local esbuild=$place/node_modules/.bin/esbuild
    "$esbuild" "$place/worker.js" --bundle --minify --format=iife --target=es2022 --log-level=warning \
        --alias:engine="$place/engine/engine.js" --define:import.meta.url='""' --outfile="$place/worker.txt"
    "$esbuild" "$place/pane.js" --bundle --minify --format=iife --target=es2022 --log-level=warning --loader:.txt=text \
        --alias:worker-text="$place/worker.txt" --legal-comments=none --outfile="$made/pane.js"
    "$esbuild" "$place/button.js" --minify --format=iife --target=es2022 --log-level=warning --outfile="$made/button.js"
    cp "$place/try.css" "$made/try.css"
    licences >"$made/licences.txt"
}

# What pane.js and engine.js hold of others, with the texts of their licences.
licences() {
    local of
    scripts/licences.sh --package chronotap-web --target "$triple"
    printf '\nThe pane "Try it" holds CodeMirror and its parts, under the licences below.\n'
    for of in "$place"/node_modules/@codemirror/* "$place"/node_modules/@lezer/* "$place"/node_modules/@marijn/* \
        "$place"/node_modules/{crelt,style-mod,w3c-keyname}; do
        [ -f "$of/LICENSE" ] || continue
        printf '\n%s\n%s\n\n' "================================================================" "${of#"$place"/node_modules/}"
        cat "$of/LICENSE"
    done
}

main "$@"
