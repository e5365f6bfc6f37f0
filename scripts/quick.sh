#!/usr/bin/env bash
# `make quick`: what a slip of the hand breaks, told within two minutes: format, subjects of commits, lengths of
# lines, lints, lists of sentences, tables of the manual, circles of modules, names of types, and the tests of the
# crates that changed since BASE (by default origin/main). `make test` and `.ci/run` begin with the first of them,
# `--slips`, and go on with the rest of the tests. What is built for them is linted as it is built.
#
# Usage: scripts/quick.sh [--slips]      exit 1: something is wrong
# A crate has changed where a file of it differs between BASE and the working tree. Crates above it are not
# tried here: `make test` does that.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
. scripts/find-rust.sh
need_rust
export CARGO_TERM_COLOR=never NO_COLOR=1
base=${BASE:-origin/main}
failed=0

main() {
    case ${1-} in
    "") ;;
    --slips) ;;
    *) echo "usage: scripts/quick.sh [--slips]" >&2; exit 2 ;;
    esac
    if cargo fmt --version >/dev/null 2>&1; then try "format" format; else echo "skipped format: there is no cargo fmt here"; fi
    try "scripts can be read by bash" readable_scripts
    try "scripts say how they are used" usages
    if git cat-file -e "$rule_since" 2>/dev/null; then try "subjects of commits" subjects; else echo "skipped subjects of commits: this clone has not their history"; fi
    try "lengths of lines" lengths
    try "files of tests are listed" listed_tests
    try "pages name their reader" readers
    try "the glossary has the terms of pages" scripts/glossary.sh
    # All of the workspace, as `make test` builds it, so that nothing is built twice.
    if find_lints; then try "everything is built, and lints" lints; else echo "skipped lints: there is no clippy here"; fi
    try "promises, tables of the manual, lists of sentences, circles of modules, names of types" \
        "${linted[@]}" cargo test --quiet --workspace --locked -- every_promise_has_tests \
        no_arrow_between_modules no_public_type_has_the_name _as_kept
    [ "${1-}" = --slips ] || changed_crates
    echo "quick checks: $failed failed, $SECONDS s"
    [ "$failed" -eq 0 ]
}

# try NAME COMMAND...: one check; what it printed is shown where it fails.
try() {
    local name=$1 begun=$SECONDS said
    shift
    if said=$("$@" 2>&1); then
        echo "ok      $name, $((SECONDS - begun)) s"
    else
        printf '%s\nFAILED  %s\n' "$said" "$name"
        failed=$((failed + 1))
    fi
}

# Of the workspace, and of the packages that are none of it.
format() {
    cargo fmt --all --check && cargo fmt --manifest-path lab/performer/Cargo.toml --check &&
        cargo fmt --manifest-path site/glue/Cargo.toml --check
}

readable_scripts() {
    local script status=0
    while read -r script; do bash -n "$script" || status=1; done < <(git ls-files '*.sh' .ci/run)
    return $status
}

# A script that is run, not sourced, answers to --help. One that stands for pkg-config has the answer of that.
usages() {
    local script status=0
    while read -r script; do
        head -1 "$script" | grep -q '^#!' && [ "$script" != scripts/pkg-config.sh ] || continue
        grep -q '^Usage: ' <<<"$(bash "$script" --help </dev/null)" || { echo "$script --help says no usage"; status=1; }
    done < <(git ls-files 'scripts/*.sh')
    return $status
}

# A subject is `area: imperative`, of 60 characters at most. Commits before the rule are as they are.
rule_since=5ae2e530ddbf03e8338d2b0d487f7d2d2e5f505b
subjects() {
    git log --no-merges --format='%h %s' "$rule_since..HEAD" | awk '{
        subject = substr($0, index($0, " ") + 1)
        if (length(subject) > 60) { print $1 ": " length(subject) " characters: " subject; wrong = 1 }
        else if (subject !~ /^[a-z0-9][a-z0-9 ,.\/_-]*: [^ ]/) { print $1 ": not `area: imperative`: " subject; wrong = 1 }
    } END { exit wrong }'
}

# A file of tests that its program does not name is never built, and fails nobody.
listed_tests() {
    local file folder name status=0
    while read -r file; do
        folder=${file%/tests/*} name=$(basename "$file" .rs)
        grep -qE "^mod $name;" "$folder"/tests/*.rs || grep -q "^name = \"$name\"" "$folder/Cargo.toml" ||
            { echo "$file: no program of tests names it; add \`mod $name;\` to $folder/tests/all.rs"; status=1; }
    done < <(git ls-files 'crates/*/tests/*.rs' | grep -E '^crates/[^/]+/tests/[^/]+\.rs$' | grep -v '/all\.rs$')
    return $status
}

# The first line below the title of a page of the manual says for whom it is.
readers() {
    local page status=0
    for page in docs/*.md docs/paradigms/*.md; do
        sed -n 3p "$page" | grep -q '^\*For .*[?:]' || { echo "$page: line 3 does not begin with *For"; status=1; }
    done
    return $status
}

# The pages that people read as text, and how many characters a line of each may have.
lengths() {
    local page most status=0
    while read -r page most; do
        ! LC_ALL=C.UTF-8 grep -nE "^.{$((most + 1)),}" "$page" | sed "s|^|$page:|" | grep . ||
            { echo "longer than $most characters"; status=1; }
    done <<PAGES
docs/promises.md 130
ARCHITECTURE.md 100
CONTRIBUTING.md 100
CHANGELOG.md 100
docs/inside.md 100
docs/adding.md 100
PAGES
    return $status
}

# Every lint that is broken is told, of what was built before too.
lints() {
    local said status=0
    said=$("${linted[@]}" cargo test --quiet --workspace --locked --no-run 2>&1) || status=$?
    echo "$said"
    [ "$status" -eq 0 ] && ! grep -q '^warning' <<<"$said"
}

# The crates with a file that differs from BASE: their tests.
changed_crates() {
    local crates=()
    mapfile -t crates < <(changed_packages)
    [ ${#crates[@]} -gt 0 ] || { echo "        no crate differs from $base"; return; }
    try "tests of ${crates[*]#chronotap-}" "${linted[@]}" cargo test --quiet --locked "${crates[@]/#/-p}" --no-fail-fast
}

changed_packages() {
    local from
    from=$(git merge-base "$base" HEAD 2>/dev/null) || { echo "there is no $base; set BASE" >&2; return; }
    { git diff --name-only "$from"; git ls-files --others --exclude-standard; } |
        sed -n -e 's|^crates/\([a-z]*\)/.*|chronotap-\1|p' -e 's|^fuzz/.*|chronotap-fuzz|p' | sort -u
}

main "$@"
