#!/usr/bin/env bash
# Runs the commands that README.md and docs/ show, so that the manual stays true.
#
# A block fenced as ```console is run; ```sh, ```text and the rest are not. In it
# a line that begins with "$ " is a command, which must succeed within a minute.
# The lines below it must each occur in its output, in that order; "..." alone on
# a line stands for anything. The blocks of one file run in one fresh directory
# that holds a copy of examples/ and, for docs/NAME.md, of docs/NAME/, with `chronotap`
# on the path. A block within <!-- --> is run, too: what a page checks but does not show. CHRONOTAP=FILE takes that program, of this name, instead of building it.
#
# Usage: scripts/test-docs.sh [PAGE.md...]      all pages, or these      exit 1: a command prints something else
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
. scripts/find-rust.sh
need_rust
root=$PWD
if [ -z "${CHRONOTAP-}" ]; then
    cargo build --quiet --locked -p chronotap-cli || exit 1
    CHRONOTAP=$(cd "${CARGO_TARGET_DIR:-target}/debug" && pwd)/chronotap
fi
PATH=$(dirname "$CHRONOTAP"):$PATH
export PATH
commands=0
wrong=0

main() {
    local file
    # shellcheck disable=SC2046
    [ $# -gt 0 ] || set -- README.md $(find docs -name '*.md' | sort)
    for file; do
        local begun=$SECONDS
        test_file "$file"
        [ "$file" != docs/first-study.md ] || echo "an afternoon's commands took $((SECONDS - begun)) s ($file)"
    done
    echo "$commands commands of the manual, $wrong wrong"
    [ "$wrong" -eq 0 ] && [ "$commands" -gt 0 ]
}

test_file() {
    local file=$1 number=0 line inside="" shown_at="" command="" expected=""
    place=$(mktemp -d)
    cp -r "$root/examples" "$place/" 2>/dev/null
    [ ! -d "$root/${file%.md}" ] || cp -r "$root/${file%.md}" "$place/"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        if [ -z "$inside" ]; then
            [ "$line" = '```console' ] && inside=yes
            case $line in ' '*'```console') wrong=$((wrong + 1)) && echo "$file:$number: a block that is indented is not run" ;; esac
        elif [ "$line" = '```' ]; then
            run_command
            inside=""
        elif [ "${line#\$ }" != "$line" ]; then
            run_command
            command=${line#\$ } shown_at=$file:$number expected=""
        else
            expected+=$line$'\n'
        fi
    done <"$root/$file"
    rm -rf "$place"
}

# Runs `command`, if there is one, and compares what it printed with `expected`.
run_command() {
    [ -n "$command" ] || return 0
    local output status=0 missing=""
    commands=$((commands + 1))
    output=$(cd "$place" && timeout 180 bash -c "$command" 2>&1 </dev/null) || status=$?
    missing=$(lines_missing "$expected" "$output")
    if [ "$status" -ne 0 ] || [ -n "$missing" ]; then
        wrong=$((wrong + 1))
        printf '%s: %s\n  exit status %s\n' "$shown_at" "$command" "$status"
        [ -z "$missing" ] || printf '  not printed, or not in this order: %s\n' "$missing"
        printf '%s\n' "$output" | sed 's/^/  | /'
    fi
    command=""
}

# Prints the first expected line that does not come after those before it.
lines_missing() {
    # By a pipe: a variable of the environment holds 128 KB at most.
    printf '%s\n' "$2" | EXPECTED=$1 awk '{ output[++m] = $0 } END {
        n = split(ENVIRON["EXPECTED"], expected, "\n")
        for (i = 1; i <= n; i++) {
            if (expected[i] ~ /^[ \t]*(\.\.\.)?[ \t]*$/) continue
            do { at++ } while (at <= m && !index(output[at], expected[i]))
            if (at > m) { print expected[i]; exit }
        }
    }'
}

main "$@"
