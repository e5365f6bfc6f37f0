#!/usr/bin/env bash
# Holds every output of the program fixed: runs all that scripts/frozen/outputs.sh names, and compares the
# SHA-256 of each output with that of an earlier commit, in scripts/frozen/record.tsv.
#
# A difference is a failure, unless it stands in scripts/frozen/differences.tsv with its reason:
# output, reason, SHA-256 that is wanted. Write `-` for the SHA-256, and --record puts it in. An
# entry that is no difference any more is a failure too, until --record has removed it.
#
# Exit status: 0 all is as recorded, 1 something differs, 2 it could not be found out.
set -uo pipefail
usage="usage: scripts/frozen.sh [OPTION...] [ITEM...]
  --program FILE     try this program instead of building one
  --against COMMIT   show what differs, line by line, from what this commit prints; a program
                     may stand in place of the commit
  --record           take up the differences that have a reason; refused while one has none
  --because REASON   with --record: the reason of every difference that has none
  --base COMMIT      with --record: the record anew, of this commit, on the files of today;
                     with ITEMs, only theirs
  ITEM               only what begins so, such as help or studies/music"
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C
folder=${CARGO_TARGET_DIR:-$PWD/target}/frozen
record=scripts/frozen/record.tsv
differences=scripts/frozen/differences.tsv
program=${CHRONOTAP-} against="" base="" recording="" because="" wanted=() worker=""

main() {
    arguments "$@"
    place=$(mktemp -d) || exit 2
    trap 'rm -rf "$place"' EXIT
    trap 'stop 130' INT
    trap 'stop 143' TERM HUP
    mkdir -p "$folder" || exit 2
    [ -n "$program" ] || program=$(built) || exit 2
    items >"$place/items" || exit 2
    outputs "$program" "$folder/outputs"
    sums "$folder/outputs" >"$place/now"
    [ -z "$base" ] || record_anew
    compare
    [ -z "$against" ] || show_differences
    [ -z "$recording" ] || take_up
    report
}

arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --program | --against | --base | --because)
            [ $# -gt 1 ] || wrong_usage
            printf -v "${1#--}" %s "$2"
            shift
            ;;
        --record) recording=yes ;;
        -h | --help) echo "$usage"; exit 0 ;;
        -*) wrong_usage ;;
        *) wanted+=("$1") ;;
        esac
        shift
    done
    [ -n "$recording" ] || [ -z "$because$base" ] || wrong_usage
}

wrong_usage() {
    echo "$usage" >&2
    exit 2
}

# The program of this source.
built() {
    . scripts/find-rust.sh
    need_rust
    cargo build --quiet --locked -p chronotap-cli >&2 || return
    (cd "${CARGO_TARGET_DIR:-target}/debug" && echo "$PWD/chronotap")
}

# built_of COMMIT: the program of that commit, built aside and kept.
built_of() {
    [ ! -x "$1" ] || [ -d "$1" ] || { (cd "$(dirname "$1")" && echo "$PWD/${1##*/}"); return; }
    local commit source=$folder/source kept
    commit=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "no commit $1 here" >&2; return 1; }
    kept=$folder/programs/$commit
    [ ! -x "$kept/chronotap" ] || { echo "$kept/chronotap"; return; }
    . scripts/find-rust.sh
    need_rust
    echo "building the program of $commit" >&2
    rm -rf "$source" && git worktree prune &&
        git worktree add --quiet --force --detach "$source" "$commit" >&2 &&
        (cd "$source" && CARGO_TARGET_DIR=$folder/build cargo build --quiet --locked -p chronotap-cli >&2) &&
        mkdir -p "$kept" && cp "$folder/build/debug/chronotap" "$kept/"
    local status=$?
    git worktree remove --force "$source" 2>/dev/null
    [ $status -ne 0 ] || echo "$kept/chronotap"
    return $status
}

# The items that are wanted.
items() {
    local item prefix
    for item in $(scripts/frozen/outputs.sh --items); do
        for prefix in "${wanted[@]-}"; do
            [ "${item#"$prefix"}" = "$item" ] && [ -n "$prefix" ] || { echo "$item"; break; }
        done
    done
}

# outputs PROGRAM FOLDER: every item's outputs of this program, in that folder.
outputs() {
    local status=0 made=$place/made
    [ -s "$place/items" ] || { echo "no such item; see scripts/frozen/outputs.sh --items" >&2; exit 2; }
    [ -x "$1" ] || { echo "$1: no program" >&2; exit 2; }
    rm -rf "$made" && mkdir "$made" || exit 2
    # In a process group of its own, so that it can be ended with all that it has begun.
    set -m
    xargs -n 1 -P "$(nproc)" scripts/frozen/outputs.sh "$(readlink -f "$1")" "$made" "$place" \
        <"$place/items" &
    worker=$!
    set +m
    wait $worker || status=$?
    worker=""
    [ $status -eq 0 ] || { echo "an item could not be run" >&2; exit 2; }
    rm -rf "$2" && mv "$made" "$2" || exit 2
}

stop() {
    [ -z "$worker" ] || kill -TERM -- "-$worker" 2>/dev/null
    wait
    exit "$1"
}

# sums FOLDER: each output and its SHA-256.
sums() {
    (cd "$1" && find . -type f | sed 's|^\./||' | sort | xargs sha256sum) |
        awk '{ print $2 "\t" $1 }'
}

record_anew() {
    local of commit
    of=$(built_of "$base") || exit 2
    commit=$(git rev-parse --verify --quiet "$base^{commit}" || echo "$base")
    if [ ${#wanted[@]} -gt 0 ] && ! sed -n 1p "$record" | grep -qF "commit $commit,"; then
        echo "the record is not of $commit: make all of it anew" >&2
        exit 2
    fi
    outputs "$of" "$folder/base"
    {
        echo "# Every output and its SHA-256, of commit $commit, by scripts/frozen.sh"
        { others_recorded; sums "$folder/base"; } | sort
    } >"$place/record" && mv "$place/record" "$record"
}

# What is recorded of the items that are not tried now.
others_recorded() {
    [ ${#wanted[@]} -eq 0 ] ||
        awk -v items="$place/items" -v others=yes -f scripts/frozen/compare.awk "$record" /dev/null /dev/null
}

# What became of each output, one a line: kind, output, SHA-256, reason.
compare() {
    [ -s "$differences" ] || printf '# output\treason\tSHA-256\n' >"$differences"
    awk -v items="$place/items" -f scripts/frozen/compare.awk "$record" "$differences" "$place/now" |
        sort -t $'\t' -k 2 >"$place/compared" || exit 2
}

# Everything that fails, beside what the other program prints of it.
show_differences() {
    local of name
    of=$(built_of "$against") || exit 2
    awk -F '\t' '$1 !~ /^(same|wanted)$/ { print $2 }' "$place/compared" >"$place/names"
    awk -F / 'NR == FNR { tried[$0]; next } ($1 in tried) { print $1 } ($1 "/" $2 in tried) { print $1 "/" $2 }' \
        "$place/items" "$place/names" | sort -u >"$place/differing"
    mv "$place/differing" "$place/items"
    [ -s "$place/items" ] || return 0
    outputs "$of" "$folder/against"
    while IFS= read -r name; do
        difference "$name" || echo "$name: no difference from $against on the files of today"
    done <"$place/names"
}

# difference OUTPUT: how it differs, if it does; an output that is not there is empty.
difference() {
    local one=$folder/against/$1 other=$folder/outputs/$1
    [ -e "$one" ] || one=/dev/null
    [ -e "$other" ] || other=/dev/null
    ! diff -a -U 1 --label "$against: $1" --label "now: $1" "$one" "$other" >"$place/difference" || return 1
    awk -f scripts/frozen/shorten.awk "$place/difference"
}

# Writes the list of differences anew: with their SHA-256, and without what is none any more.
take_up() {
    awk -F '\t' -v because="$because" '$1 ~ /^(differs|new|missing|again)$/ && because == "" { print $2 }' \
        "$place/compared" >"$place/names"
    if [ -s "$place/names" ]; then
        echo "these have no reason in $differences (or another than it was for), and are not taken up:"
        sed 's/^/  /' "$place/names"
    else
        awk -v because="$because" -f scripts/frozen/take_up.awk "$place/compared" "$differences" |
            sort >"$place/differences" && mv "$place/differences" "$differences" || exit 2
    fi
    compare
}

# A line for each group, the outputs that fail, and the count.
report() {
    awk -F '\t' -f scripts/frozen/report.awk "$place/compared"
    local status=$?
    [ $status -eq 0 ] || [ -n "$against" ] ||
        echo "what differs, line by line: scripts/frozen.sh --against $(base_of_record)"
    exit $status
}

# The commit whose outputs are recorded.
base_of_record() { sed -n '1s/.* commit \([0-9a-f]*\).*/\1/p' "$record" | cut -c -10; }

main "$@"
