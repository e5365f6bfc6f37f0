#!/usr/bin/env bash
# `make test`: the quick checks, the tests of all crates and those of the scripts, each a line with the seconds it
# took and those that processors worked for it, which say more where the machine is slow or has other work, and a
# count at the end. With --all every check of this project, as `.ci/run` has it: the tests that are long, the manual,
# browsers, other systems, the Python package, R and the device lab, each run of a scenario a check. It begins with
# the quick checks (scripts/quick.sh --slips), and ends there where one of them fails: what a slip breaks is known
# within two minutes.
# All output goes to target/test.log; of a check that fails it is shown whole.
# The count adds up cargo's own `test result` lines and one for every further
# check. A check that fails without naming a failed test counts as one failure. What cannot
# be made on this machine is named with its reason and counts as skipped: a whole check by
# its exit status 3, a single test by the file that CHRONOTAP_PASSED_OVER names
# (`pass_over` in crates/testkit). The count stands alone on the last line.
#
# Usage: scripts/test.sh [--all]      exit 1: something failed
# TEST_LIMIT=SECONDS ends a check that takes longer, and says so; 2,700 unless given.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2

if [ "${1-}" = --all ]; then scripts/install.sh --for-all; else scripts/install.sh --for-tests; fi || exit 2
. scripts/find-rust.sh
find_rust
export CARGO_TERM_COLOR=never NO_COLOR=1
# Tests wait most of their time, for trials in real time: so many at once keep the processors busy (CONTRIBUTING.md).
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((4 * $(nproc 2>/dev/null || echo 2)))}
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
log=$target/test.log
# The command as the tests have built it, for the checks that would build it once more.
place=$(cd "$target" && pwd)
with_command=(env "CHRONOTAP=$place/debug/chronotap")
# Beside the lab the Python package is built as the lab's program is, so that what both share is built once. By itself
# `pip install .` takes the profile `pip`, which differs from a release in how much is optimized.
of_python=(env "MATURIN_PEP517_ARGS=--profile release" scripts/test-python.sh)
: >"$log"
begun_at=$EPOCHSECONDS
passed=0
failed=0
skipped=0
worked=0 # seconds that processors worked for all that has ended so far
cost="" # of the last check, in words
# What ends a check that hangs: three quarters of an hour is more than any of them needs on two processors, building included.
limit=${TEST_LIMIT:-2700}
find_lints
of_plugins=(cargo test --quiet --workspace --features chronotap-bench/lv2 --test lv2 --locked)
part=$(mktemp)
times_of_all=$(mktemp)
said=$(mktemp) # by what was begun early
CHRONOTAP_PASSED_OVER=$(mktemp) # a line per test: its file and name, a tab, the reason
export CHRONOTAP_PASSED_OVER
running=0 ahead=1 early=2
groups=() # of processes that are to end with this script: what is run, what is done ahead, what was begun early
begun=""  # the command that was begun early
trap 'end_all; rm -f "$part" "$times_of_all" "$said" "$CHRONOTAP_PASSED_OVER"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

main() {
    case ${*:-tests} in
    tests | --all) ;;
    *) echo "usage: scripts/test.sh [--all]" >&2; exit 2 ;;
    esac
    slips || { count; return 1; }
    if [ "${1-}" = --all ]; then all; else most; fi
    count
}

# most: what a change is tried with.
most() {
    tests "tests" env CHRONOTAP_BRIEF=1 "${linted[@]}" cargo test --workspace --locked --no-fail-fast
    check "scripts: what they choose and say" scripts/test-scripts.sh
    echo "        \`make test-all\` runs the long tests too, the manual, browsers, other systems, Python and the lab"
}

# all: what must hold before a change is kept.
all() {
    ahead
    tests "tests" "${linted[@]}" cargo test --workspace --locked --no-fail-fast
    early "${of_python[@]}"
    plugins
    check "manual: commands do what it shows" "${with_command[@]}" scripts/test-docs.sh
    check "scripts: what they choose and say" scripts/test-scripts.sh
    check "fuzzing, 3 s each" env "MUTATE=$target/debug/mutate" scripts/fuzz.sh 3
    check "the half without Linux, for other targets" scripts/other-targets.sh
    check "the console in a browser" "${with_command[@]}" scripts/test-console.sh
    check "the engine in a page" "${with_command[@]}" scripts/test-web.sh
    check "taps on an emulated Arduino" scripts/test-ears.sh short
    check "the program for Windows, under wine" "${with_command[@]}" scripts/test-wine.sh few
    check "LabRecorder beside a trial" "${with_command[@]}" scripts/test-lsl.sh
    check "the Python package" "${of_python[@]}"
    check "R reads a dataset" "${with_command[@]}" scripts/test-r.sh
    check "the manual as a site" "${with_command[@]}" scripts/site.sh
    lab
    check "the Debian package" package
}

# count: what all checks came to; the last line of the log.
count() {
    echo "all checks together: $SECONDS s, of processors $worked s"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}

# slips: the quick checks, each a line of its own as it ends.
slips() {
    local status=0 p f o
    run scripts/quick.sh --slips || status=$?
    read -r p f o < <(awk '/^ok / { p++ } /^FAILED / { f++ } /^skipped / { o++ } END { print p + 0, f + 0, o + 0 }' "$part")
    cat "$part"
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || { f=1; echo "FAILED  quick checks, $cost"; }
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + o))
    [ "$f" -eq 0 ]
}

# ahead: what later checks need is built while the tests run, which wait most of their time, and then the scenarios
# in virtual time, which do not notice what else there is to do: with the priority that takes no processor from anybody.
# What is built decides nothing: each check builds for itself, finds it done, and says what is wrong. Nothing is built that
# the tests, which are running, use.
ahead() {
    chrt --idle 0 true 2>/dev/null || return 0
    # Not before the tests run: until then they wait for whoever builds.
    local work="for second in {1..60}; do ! grep -q '^ *Running' $part || break; sleep 1; done"
    work+="; scripts/other-targets.sh; scripts/web.sh"
    work+="; LAB_UNTIL=$((begun_at + 4200)) LAB_PATIENCE=4 exec lab/run.sh --mode virtual"
    begin ahead chrt --idle 0 bash -c "$work" >"$target/ahead.log" 2>&1
}

# early COMMAND...: begun now, beside the checks that stand before its own: it waits most of its time, as they do.
early() {
    begun=$*
    begin early timeout --kill-after=10 "$limit" "$@" >"$said" 2>&1
}

# plugins: what is only there with the feature `lv2`, where its library is installed and
# Rust is new enough for the crates that need it.
plugins() {
    local why=""
    pkg-config --exists lilv-0 2>/dev/null || why="no liblilv"
    printf '1.95\n%s\n' "$(cargo --version | awk '{ print $2 }')" | sort -VC || why="they need Rust 1.95"
    [ -z "$why" ] || { skip "LV2 plugins" "$why"; return; }
    # Lints are told of what is built, so that both are one.
    check "lints, LV2 plugins" lints_of_plugins
    tests "tests, LV2 plugins" "${linted[@]}" "${of_plugins[@]}" --no-fail-fast
}

lints_of_plugins() {
    local said status=0
    [ ${#linted[@]} -gt 0 ] || { echo "there is no clippy here"; return 3; }
    said=$("${linted[@]}" "${of_plugins[@]}" --no-run 2>&1) || status=$?
    echo "$said"
    [ "$status" -eq 0 ] && ! grep -q '^warning' <<<"$said"
}

# package: the package of the program that the lab has built, and what stands in it.
package() {
    local file contents page_try=()
    [ ! -e "$target/try/made/version.txt" ] || page_try=(usr/share/chronotap/try/{pane.js,engine.js,try.css,licences.txt,version.txt})
    command -v dpkg-deb >/dev/null || { echo "this is no Debian"; return 3; }
    CHRONOTAP=$target/release/chronotap scripts/deb.sh "$target/deb" || return 1
    contents=$(dpkg-deb --contents "$target"/deb/chronotap_*"_$(dpkg --print-architecture).deb") || return 1
    for file in usr/bin/chronotap usr/share/man/man1/chronotap-run.1.gz usr/share/doc/chronotap/{licences.txt.gz,chronotap.cdx.json} \
        usr/share/bash-completion/completions/chronotap usr/share/applications/chronotap.desktop rules.d/60-chronotap.rules "${page_try[@]}"; do
        grep -q "/$file\$" <<<"$contents" || { echo "not in the package: $file"; return 1; }
    done
}

# check NAME COMMAND...: one check that passes or fails as a whole, or with exit status 3
# says in its last line why it cannot be made here.
check() {
    local name=$1 status=0
    shift
    run "$@" || status=$?
    case $status in
    0)
        passed=$((passed + 1))
        echo "ok      $name, $cost"
        ;;
    3) skip "$name" "$(tail -n 1 "$part")" ;;
    *)
        failed=$((failed + 1))
        show_failure "$name"
        ;;
    esac
}

# skip NAME REASON: one check that cannot be made here; it is counted as that.
skip() {
    skipped=$((skipped + 1))
    echo "skipped $1: $2"
}

# tests NAME COMMAND...: a run of cargo test; its own tests are counted.
tests() {
    local name=$1 status=0 p f i
    shift
    : >"$CHRONOTAP_PASSED_OVER"
    run "$@" || status=$?
    read -r p f i < <(awk '/^test result:/ { p += $4; f += $6; i += $8 }
        END { print p + 0, f + 0, i + 0 }' "$part")
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    [ "$status" -ne 0 ] || [ "$p" -gt 0 ] || f=1 # no test ran: that is no success
    failed=$((failed + f))
    [ "$i" -eq 0 ] || echo "        $i of $name ignored"
    p=$((p - $(passed_over | wc -l)))
    passed=$((passed + p))
    while IFS=$'\t' read -r test reason; do skip "$test" "$reason"; done < <(passed_over)
    if [ "$f" -eq 0 ]; then echo "ok      $name ($p), $cost"; else show_failure "$name"; fi
}

# passed_over: the tests of this run that cannot be made here; rustc's own test programs
# have counted them as passed. A test may say so more than once.
passed_over() {
    sort -t $'\t' -k 1,1 -u "$CHRONOTAP_PASSED_OVER"
}

# lab: every scenario on both kernels; its verdicts are counted. Those in virtual time have been going on for long. Where a
# machine is so slow that they are not done when the 90 minutes of CI are nearly over, the rest counts as skipped.
lab() {
    lab_in virtual
    LAB_UNTIL=$((begun_at + 4800)) lab_in real
}

# lab_in MODE: A lab that could not work has given no verdict, and has failed.
lab_in() {
    local status=0 p f over scenario kernel why
    if [ "$1" = virtual ] && [ -n "${groups[ahead]-}" ]; then
        run finish_ahead || status=$?
    else
        run lab/run.sh --mode "$1" || status=$?
    fi
    read -r p f over < <(awk -F '\t' '$3 == "passed" { p++; next } $3 == "over" { o++; next } { f++ }
        END { print p + 0, f + 0, o + 0 }' "$target/lab/verdicts.tsv" 2>/dev/null)
    p=${p:-0} f=${f:-0} over=${over:-0}
    while IFS=$'\t' read -r scenario kernel _ why; do skip "lab, $scenario, $kernel" "$why"; done \
        < <(awk -F '\t' '$3 == "over"' "$target/lab/verdicts.tsv" 2>/dev/null)
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    [ "$status" -ne 0 ] || [ $((p + over)) -gt 0 ] || f=1
    passed=$((passed + p))
    failed=$((failed + f))
    if [ "$f" -eq 0 ]; then echo "ok      device lab in $1 time ($p), $cost"; else show_failure "device lab in $1 time"; fi
}

# finish_ahead: nobody else wants the processors now.
finish_ahead() {
    local status=0
    wait "${groups[ahead]}" || status=$?
    unset "groups[ahead]"
    cat "$target/ahead.log"
    return "$status"
}

run() {
    echo "== $*" >>"$log"
    local status=0 since=$SECONDS before=$worked
    case $([ "$*" = "$begun" ] && echo early || type -t "$1") in
    early) wait "${groups[early]}" ;;
    function) "$@" ;;
    *) begin running timeout --kill-after=10 "$limit" "$@" && wait "${groups[running]}" ;;
    esac >"$part" 2>&1 || status=$?
    unset "groups[running]"
    [ "$*" != "$begun" ] || { cat "$said" >"$part"; begun=""; unset "groups[early]"; }
    worked_so_far
    cost="$((SECONDS - since)) s, of processors $((worked - before)) s"
    # `timeout` has these for what it ended.
    [[ $status != 124 && $status != 137 ]] || cost+=": ended by its limit of $limit s; TEST_LIMIT gives another"
    cat "$part" >>"$log"
    return $status
}

# worked_so_far: asked of this shell itself, since another one would answer for its own processes.
worked_so_far() {
    times >"$times_of_all"
    worked=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$times_of_all")
}

# begin PLACE COMMAND...: in a group of its own, which Ctrl-C does not reach, but `end_all`.
begin() {
    local place=$1
    shift
    set -m
    "$@" </dev/null &
    set +m
    groups[place]=$!
}

end_all() {
    local group
    for group in "${groups[@]}"; do kill -- "-$group" 2>/dev/null; done
}

show_failure() {
    cat "$part"
    echo "FAILED  $1, $cost"
}

main "$@"
