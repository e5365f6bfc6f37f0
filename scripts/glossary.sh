#!/usr/bin/env bash
# Does the glossary have every term that pages for users ask for? Each term of scripts/terms.txt that a page uses, and
# each abbreviation (a word with two capitals) outside of code, must stand in docs/glossary.md in bold. A term
# that no page uses leaves the list.
#
# Usage: scripts/glossary.sh      exit 1: a term is missing
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

main() {
    local status=0
    for page in README.md docs/*.md docs/paradigms/*.md; do
        case $page in docs/inside.md | docs/adding.md | docs/releasing.md | docs/lab.md | docs/glossary.md) ;;
        *) prose "$page" | sed "s|^|$page: |" ;;
        esac
    done >"$place/pages"
    tr '\n' ' ' <docs/glossary.md | grep -oE '\*\*[^*]+\*\*' | tr 'A-Z' 'a-z' >"$place/bold"
    terms || status=1
    abbreviations || status=1
    return $status
}

# The paragraphs of a page, each as one line, without code, places of links, remarks and references.
prose() {
    awk '/^```/ { code = !code; next } /^## (References|Sources)/ { exit }
        !code && !/^    / && !/^- .*\([12][0-9][0-9][0-9][a-z]?\)\. /' "$1" |
        awk 'BEGIN { RS = "" } { gsub("\n", " "); print }' |
        sed -E 's/`[^`]*`//g; s/\]\([^)]*\)/]/g; s/<!--.*-->//g; s|https?://[^ ]*||g'
}

terms() {
    local term form status=0
    while IFS=$'\t' read -r term form; do
        case $term in "" | \#* | -*) continue ;; esac
        if ! grep -qiwE "${form:-${term}s?}" "$place/pages"; then
            echo "scripts/terms.txt: no page uses \"$term\""
        elif ! grep -qF "$term" "$place/bold"; then
            echo "docs/glossary.md lacks \"$term\":"
            grep -iwE "${form:-${term}s?}" "$place/pages" | head -1 | cut -c1-120
        else
            continue
        fi
        status=1
    done <scripts/terms.txt
    return $status
}

abbreviations() {
    local word missing=""
    grep -oE '(^|[^A-Za-z_.-])[A-Za-z]*[A-Z][A-Z]+[A-Za-z]*' "$place/pages" | grep -oE '[A-Za-z]+$' | sort -u >"$place/short"
    while read -r word; do
        grep -qwiF -e "$word" -e "${word%s}" "$place/bold" || grep -qixF -e "-$word" -e "-${word%s}" scripts/terms.txt || missing+=" $word"
    done <"$place/short"
    [ -z "$missing" ] || { echo "abbreviations that docs/glossary.md lacks:$missing"; return 1; }
}

main
