#!/usr/bin/env bash
# Makes the manual as a site of static pages: docs/, README, each command's help, the reference of
# the Python package from its docstrings. Search works without a network, also from a disk.
# A link that leads nowhere is a failure. Where the engine for a page can be made (scripts/web.sh), each whole
# trial or experiment file has a button "Try it".
#
# Usage: scripts/site.sh      the site is then target/site/html
# CHRONOTAP=FILE asks that program for its help instead of building one.
# exit 1: a page or link is wrong; 3: there is no Python, or no network, to make it with
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
site=target/site
pages=$site/pages
bin=$site/venv/bin

main() {
    need_mkdocs
    rm -rf "$pages" "$site/html"
    mkdir -p "$pages"
    cp -r docs/. "$pages/"
    mkdir -p "$pages/assets" && cp site/search_on_disk.js "$pages/assets/"
    export CHRONOTAP=${CHRONOTAP:-$(built)} # site/hooks.py asks it which blocks are whole files
    try_it
    front_pages
    examples
    studies
    decisions
    commands "$CHRONOTAP"
    python_reference
    # With `--quiet` too, `--strict` counts no warning.
    NO_MKDOCS_2_WARNING=1 "$bin/mkdocs" build --strict --config-file site/mkdocs.yml 2>"$site/mkdocs.log" ||
        { cat "$site/mkdocs.log"; exit 1; }
    outside
    echo "$(find "$site/html" -name '*.html' | wc -l) pages in $site/html"
}

need_mkdocs() {
    [ ! -x "$bin/mkdocs" ] || return 0
    python3 -m venv "$site/venv" >/dev/null 2>&1 ||
        { echo "Python has no venv (Debian: python3-venv)"; exit 3; }
    "$bin/pip" install --quiet --disable-pip-version-check "mkdocs>=1.6,<2" "mkdocs-material>=9.5,<10" \
        "mkdocstrings[python]>=1,<2" || { echo "pip cannot install mkdocs (no network?)"; exit 3; }
}

# The engine for a page; without it the pages are there to be read.
try_it() {
    local status=0
    scripts/web.sh || status=$?
    case $status in
    0) mkdir -p "$pages/assets/try" && cp "${CARGO_TARGET_DIR:-target}"/try/made/* "$pages/assets/try/" ;;
    3) echo "the site has no \"Try it\"" ;;
    *) exit "$status" ;;
    esac
}

built() {
    . scripts/find-rust.sh
    need_rust
    cargo build --quiet --locked -p chronotap-cli >&2
    echo "${CARGO_TARGET_DIR:-target}/debug/chronotap"
}

# README is the first page; its part about the manual is what the contents are made from.
front_pages() {
    local page
    sed -n '/^## The manual/,/^## /p' README.md >"$pages/readme-manual.txt"
    for page in README ARCHITECTURE CONTRIBUTING CHANGELOG; do
        sed -E 's|\]\(docs/decisions/\)|](decisions/index.md)|g; s|\]\(docs/|](|g
            s|\]\(examples/\)|](examples.md)|g; s|\]\(README.md|](index.md|g' "$page.md" >"$pages/$page.md"
    done
    mv "$pages/README.md" "$pages/index.md"
    # What a page in docs/ says of files above it.
    find "$pages" -name '*.md' -exec sed -i -E 's|\]\(\.\./examples/[^)]*\)|](examples.md)|g
        s!\]\(\.\./(ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md!](\1.md!g' {} +
}

# The example trials, one page with all their texts, each trial with its timeline.
examples() {
    local file picture
    mkdir -p "$pages/examples"
    {
        echo "# Examples"
        echo
        echo "*What does a whole trial look like?* Each of these runs as it is."
        for file in examples/*.toml examples/*-study/*; do
            printf '\n## %s\n\n' "$file"
            picture=examples/$(basename "$file" .toml).svg
            ! { [[ $file == examples/*.toml ]] && "$CHRONOTAP" check "$file" --picture "$pages/$picture" >/dev/null; } ||
                printf '![The timeline of this trial](%s)\n\n' "$picture"
            printf '```%s\n' "$([ "${file##*.}" != toml ] || echo toml)"
            cat "$file"
            printf '```\n'
        done
    } >"$pages/examples.md"
}

# The page of each ready-made study begins with the timeline of one of its trials, as the program draws it.
studies() {
    local page name place
    place=$(mktemp -d)
    for page in "$pages"/paradigms/*.md; do
        name=$(basename "$page" .md)
        [ "$name" != README ] || continue
        "$CHRONOTAP" new "$name" "$place/$name" >/dev/null
        "$CHRONOTAP" check "$place/$name/study.toml" --picture "$pages/paradigms/$name.svg" >/dev/null
        awk -v picture="![The timeline of one trial of this study]($name.svg)" \
            '{ print } NR > 1 && /^\*For / && !done { print ""; print picture; done = 1 }' "$page" >"$place/page"
        grep -qF "($name.svg)" "$place/page" || { echo "$page does not name its reader"; exit 1; }
        cp "$place/page" "$page"
    done
    rm -rf "$place"
}

decisions() {
    local file
    {
        printf '# Decisions\n\n*Why is it built in this way?*\n\n'
        for file in docs/decisions/*.md; do
            echo "- [$(sed -n '1s/^# //p' "$file")](${file##*/})"
        done
    } >"$pages/decisions/index.md"
}

# commands PROGRAM: a page for each command, as its --help has it, with those of the commands below it.
commands() {
    local name below
    mkdir -p "$pages/commands"
    page_of_help "$1" chronotap >"$pages/commands/index.md"
    for name in $(named "$1"); do
        page_of_help "$1" "chronotap $name" "$name" >"$pages/commands/$name.md"
        for below in $(named "$1" "$name"); do
            printf '\n#' && page_of_help "$1" "chronotap $name $below" "$name" "$below"
        done >>"$pages/commands/$name.md"
    done
}

# named PROGRAM WORD...: the commands that the help of these words lists.
named() {
    "$@" --help | awk '/^Commands/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ && $1 != "help" { print $1 }'
}

page_of_help() {
    local program=$1 title=$2
    shift 2
    printf '# %s\n\n```text\n' "$title"
    "$program" "$@" --help
    printf '```\n'
}

# A page for each public module; what it says is in the docstrings.
python_reference() {
    local module
    mkdir -p "$pages/python-reference"
    for module in chronotap $(cd python/chronotap && printf 'chronotap.%s\n' */ | tr -d / | grep -v __); do
        printf '# `%s`\n\n::: %s\n' "$module" "$module" >"$pages/python-reference/$module.md"
    done
}

# Nothing is fetched from elsewhere when a page is read.
outside() {
    ! grep -rlE '<(script|link|img)[^>]+(src|href)="https?://' "$site/html" --include='*.html' |
        grep . || { echo "these pages fetch something from elsewhere"; exit 1; }
}

main
