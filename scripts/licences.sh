#!/usr/bin/env bash
# Prints the licences of what is bundled in the program: of each crate its name, version and
# licence, and the texts that came with it, each text once.
#
# Usage: scripts/licences.sh [ARGUMENT...]      cargo's, such as --features lv2 or --target TRIPLE
# `--package chronotap-web` prints those of the engine in a page.
# exit 2: there is no Rust, or a crate states no licence
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
. scripts/bundled.sh
need_rust
texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT

main() {
    local registry=${CARGO_HOME:-$HOME/.cargo}/registry/src name version licence text sum
    [[ " $* " == *" --package "* ]] || set -- --package chronotap-cli "$@"
    echo "Chronotap is licensed under MIT or Apache-2.0, at your choice. The program holds"
    echo "the libraries below, each under the licence named beside it; their texts follow."
    echo
    bundled "$@" | awk -F '|' '$5 { print $2 " " $3 " | " $4 }' | sort -u >"$texts/list"
    ! grep -v ' | .' "$texts/list" || { echo "a crate states no licence" >&2; exit 2; }
    cat "$texts/list"
    while read -r name version licence; do
        for text in "$registry"/*/"$name-$version"/{LICEN[CS]E,COPYING,NOTICE,UNLICENSE}*; do
            [ -f "$text" ] || continue
            sum=$(sha256sum "$text" | cut -c 1-64)
            [ -f "$texts/$sum" ] || cp "$text" "$texts/$sum"
            echo "$name $version" >>"$texts/$sum.of"
        done
    done < <(sed 's/ | / /' "$texts/list")
    if grep -q '^uPlot ' "$texts/list"; then
        cp crates/console/pages/uPlot.LICENSE.txt "$texts/uplot"
        echo uPlot >"$texts/uplot.of"
    fi
    if grep -q '^Roboto ' "$texts/list"; then
        cp LICENSE-APACHE "$texts/roboto"
        echo Roboto >"$texts/roboto.of"
    fi
    for text in "$texts"/*.of; do
        printf '\n%s\n' "================================================================"
        printf 'Of %s:\n\n' "$(sort -u "$text" | paste -s -d , | sed 's/,/, /g')"
        cat "${text%.of}"
    done
}

main "$@"
