#!/usr/bin/env bash
# Prints the bill of materials (SBOM) of the program, as CycloneDX 1.6: each library that is in it, with
# version, licence and the SHA-256 of its source, and which uses which. It has neither a moment nor a
# number drawn at random, so that the same source gives the same bytes.
#
# Usage: scripts/sbom.sh [ARGUMENT...]      cargo's, such as --features lv2 or --target TRIPLE
# `--package chronotap-python` gives that of the Python package's extension.
# exit 2: there is no Rust, or a library states no licence
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
. scripts/bundled.sh
need_rust
export LC_ALL=C
list=$(mktemp)
trap 'rm -f "$list"' EXIT

main() {
    [[ " $* " == *" --package "* ]] || set -- --package chronotap-cli "$@"
    bundled "$@" >"$list"
    ! grep -E '^[^|]*\|[^|]*\|[^|]*\|\|' "$list" || { echo "a library states no licence" >&2; exit 2; }
    echo '{'
    echo '  "bomFormat": "CycloneDX",'
    echo '  "specVersion": "1.6",'
    echo '  "version": 1,'
    printf '  "metadata": {\n    "component": %s\n  },\n' "$(grep '^0|' "$list" | components application | sed 's/^ *//')"
    printf '  "components": [\n%s\n  ],\n' "$(grep -v '^0|' "$list" | components library | between_commas)"
    printf '  "dependencies": [\n%s\n  ]\n}\n' "$(uses | between_commas)"
}

# components TYPE: of lines of the list, an object each.
components() {
    awk -F '|' -v type="$1" '
        FILENAME == "Cargo.lock" {
            split($0, part, "\"")
            if (/^name = /) name = part[2]
            if (/^version = /) version = part[2]
            if (/^checksum = /) sum[name "@" version] = part[2]
            next
        }
        {
            name = $2 "@" $3
            printf "    {\"type\": \"%s\", \"bom-ref\": \"%s\", ", type, $5 ? $5 : name
            printf "\"name\": \"%s\", \"version\": \"%s\", ", type == "application" ? "chronotap" : $2, $3
            if ($5 ~ /^pkg:cargo/) printf "\"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"%s\"}], ", sum[name]
            printf "\"licenses\": [{\"expression\": \"%s\"}]%s}\n", $4, $5 ? ", \"purl\": \"" $5 "\"" : ""
        }' Cargo.lock - | sort -u
}

# Of each library, those that it uses itself.
uses() {
    awk -F '|' '{
        at[$1] = $5 ? $5 : $2 "@" $3
        if ($1 > 0) print at[$1 - 1] "|" at[$1]
    }' "$list" | sort -u | awk -F '|' '
        $1 != of { if (of) print "    {\"ref\": \"" of "\", \"dependsOn\": [" those "]}"; of = $1; those = "" }
        { those = those (those ? ", " : "") "\"" $2 "\"" }
        END { print "    {\"ref\": \"" of "\", \"dependsOn\": [" those "]}" }'
}

between_commas() { sed '$!s/$/,/'; }

main "$@"
