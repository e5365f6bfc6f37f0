#!/usr/bin/env bash
# Tests of the scripts that meet a machine first: which Rust install-rust.sh chooses and
# what it says, how demo.sh ends, what test.sh counts, and what pairs of measurements come to; and whether `pip install .` builds in common what it
# can. Each case has a directory of commands of its own as
# its whole PATH: links to a few real ones, and stubs for what the case is about. Nothing
# is installed, and no network is used.
#
# Usage: scripts/test-scripts.sh      exit 1: a case failed
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
failed=0
cases=0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

main() {
    rust_that_is_there
    rust_of_the_distribution
    rust_that_cannot_be_had
    rust_and_the_owners_word
    components
    ends_of_the_demo
    builds_of_the_demo
    counts_of_the_tests
    ratios_of_pairs
    one_set_of_features
    first_boot_of_a_board
    drawings
    echo "$cases cases of scripts, $failed failed"
    [ "$failed" -eq 0 ] && [ "$cases" -gt 0 ]
}

# The manual's pictures of the table and of ways are what the scripts draw.
drawings() {
    expect "docs/pictures/set-up.svg is drawn by scripts/set-up.sh" 0 "" \
        bash -c 'cmp docs/pictures/set-up.svg <(scripts/set-up.sh)'
    mkdir "$place/ways"
    expect "docs/pictures/ways are drawn by scripts/ways.sh" 0 "" \
        bash -c "scripts/ways.sh --all $place/ways && diff -r docs/pictures/ways $place/ways"
    expect "a picture that there is not is named" 2 'no picture "other"' scripts/ways.sh other
}

# What the first boot of a Raspberry Pi changes, in a folder that looks like one.
first_boot_of_a_board() {
    local name config before
    machine
    for name in tr realpath; do ln -s "$(command -v "$name")" "$bin/$name"; done
    stub id 'case $1 in -u) echo 0 ;; -nG) echo "tapper $(cat "'"$bin"'/groups" 2>/dev/null)" ;; tapper) ;; *) exit 1 ;; esac'
    stub gpasswd 'echo "$3" | tr "\n" " " >>"'"$bin"'/groups"'
    stub apt-get 'echo "$*" >>"'"$bin"'/asked"'
    stub debconf-set-selections 'cat >>"'"$bin"'/asked"'
    expect "any other computer is refused" 2 "this is not a Raspberry Pi" first_boot
    mkdir -p "$bin/pi/proc/device-tree" "$bin/pi/boot/firmware"
    printf 'Raspberry Pi 4 Model B Rev 1.5\0' >"$bin/pi/proc/device-tree/model"
    expect "one without config.txt is refused" 2 "there is no config.txt" first_boot
    config=$bin/pi/boot/firmware/config.txt
    printf '[pi4]\narm_boost=1\n' >"$config"
    before=$(cat "$config")
    expect "without a package it says what to name" 2 "name the package" first_boot
    touch "$bin/chronotap_arm64.deb"
    expect "nobody unknown is put into a group" 2 "there is no user nobody" \
        first_boot --user nobody "$bin/chronotap_arm64.deb"
    expect "a new board is prepared" 0 "config.txt has a new part: force_turbo=1" \
        first_boot --user tapper "$bin/chronotap_arm64.deb"
    expect "the package is installed with real-time rights" 0 "" \
        grep -q "realtime boolean true" "$bin/asked"
    expect "the user joins both groups" 0 "audio dialout" cat "$bin/groups"
    stub chronotap ''
    expect "a second time nothing more is changed" 0 "Restart, then look at: chronotap doctor" \
        first_boot --user tapper
    expect "the part stands there once" 0 "1" grep -c force_turbo "$config"
    expect "and can be taken back" 0 "config.txt is as it was" first_boot --undo
    expect "to what was there" 0 "$before" cat "$config"
}

first_boot() { PATH=$bin ROOT=$bin/pi HOME=$bin/home SUDO_USER="" /bin/sh scripts/first-boot.sh "$@"; }

rust_that_is_there() {
    machine
    rust 1.96.0
    expect "Rust that is new enough is left alone, in silence" 0 "" install
    machine
    rust 1.96.0 "$bin/home/.cargo/bin"
    expect "so is one in rustup's directory that is not on PATH" 0 "" install
    machine
    rust 1.75.0
    rust 1.97.1 "$bin/lib/rust-1.97/bin"
    expect "so is one of Ubuntu's versions beside an older Rust" 0 "" install
}

rust_of_the_distribution() {
    machine # Debian 12
    packages rustc 1.63.0+dfsg1-2 cargo 0.66.0+ds1-1 rustc-web 1.96.0+dfsg1-1~deb12u2 \
        cargo-web 1.96.0+dfsg1-1~deb12u2
    expect "Debian 12: the compiler for browsers" 0 "--yes rustc-web cargo-web (downloads 171 MB)" install
    machine # Debian 12 without its security updates
    packages rustc 1.63.0+dfsg1-2 cargo 0.66.0+ds1-1 rustc-web 1.85.0+dfsg3-1~deb12u3 \
        cargo-web 1.85.0+dfsg3-1~deb12u3
    expect "one that is too old is not installed" 2 "https://sh.rustup.rs" install
    machine # Ubuntu 24.04
    packages rustc 1.75.0+dfsg0ubuntu1-0ubuntu7.4 cargo 1.75.0+dfsg0ubuntu1-0ubuntu7.4 \
        rustc-1.89 1.89.0+dfsg~24.04-0ubuntu0.24.04.2 cargo-1.89 1.89.0+dfsg~24.04-0ubuntu0.24.04.2 \
        rustc-1.100 1.100.0+dfsg-1 cargo-1.100 1.100.0+dfsg-1 rustup 1.26.0-5ubuntu0.1
    expect "Ubuntu 24.04: the newest of its versions" 0 "--yes rustc-1.100 cargo-1.100" install
    expect "which is then found where it lies" 0 "" install
    rm -r "$bin/lib"
    expect "and where that is, is said" 0 "on your PATH: $bin/lib/rust-1.100/bin" install
    machine # Ubuntu 26.04
    packages rustc 1.93.1ubuntu1 cargo 1.93.1ubuntu1 rustc-1.97 1.97.1 cargo-1.97 1.97.1
    expect "Ubuntu 26.04: Rust under its own name" 0 "--yes rustc cargo" install
    machine # a distribution with rustup alone
    packages rustc 1.85.1+dfsg1-1 cargo 1.85.1+dfsg1-1 rustup 1.27.1-3+b1
    expect "where only rustup is new enough, by rustup" 0 \
        "--yes rustup && rustup toolchain install stable" install
    machine
    packages
    later_packages rustc-web 1.96.0 cargo-web 1.96.0
    expect "lists that are empty are fetched first" 0 "--yes rustc-web cargo-web" install
}

rust_that_cannot_be_had() {
    machine
    packages
    expect "where there is nothing, the one line is said" 2 "https://sh.rustup.rs" install
    machine
    expect "so it is where the distribution is another" 2 "https://sh.rustup.rs" install
    machine
    packages rustc-web 1.96.0 cargo-web 1.96.0
    stub id 'echo 1000'
    expect "without root and sudo nothing is run" 2 "sudo apt-get -qq install" install
    stub sudo 'exec "$@"'
    expect "with sudo it is" 0 "running: sudo apt-get -qq update && sudo apt-get" install
    machine
    packages rustc-web 1.96.0 cargo-web 1.96.0
    stub apt-get 'case "$*" in *--simulate*) exit 0 ;; esac; echo "no space left"; exit 100'
    expect "what apt-get says is shown where it fails" 2 "no space left" install
}

rust_and_the_owners_word() {
    machine
    rust 1.63.0
    packages rustc-web 1.96.0 cargo-web 1.96.0
    stub removed 'echo "Remv rustc [1.63.0]"; echo "Remv cargo [0.66.0]"'
    expect "without a terminal nothing is replaced" 2 "It replaces: rustc cargo" install
    expect "with a yes it is" 0 "running: apt-get" on_terminal y install
    machine
    packages rustc-web 1.96.0 cargo-web 1.96.0
    expect "a no is a no" 2 "https://sh.rustup.rs" on_terminal n install
    expect "the return key is a yes" 0 "Run it? [Y/n]" on_terminal "" install
    machine
    rust 1.63.0
    stub rustup 'case "$*" in "toolchain list") echo "1.63.0 (default)" ;; esac'
    packages rustc-web 1.96.0 cargo-web 1.96.0
    expect "whoever has rustup is told its line" 2 "rustup update stable" install
}

components() {
    machine
    rust 1.96.0
    packages rustfmt-web 1.96.0 rust-web-clippy 1.96.0
    stub dpkg-query 'echo "cargo-web: /usr/bin/cargo"'
    expect "rustfmt and clippy go with cargo" 0 "installing: rustfmt-web rust-web-clippy" \
        install --for-tests
    stub dpkg-query 'echo "cargo-1.97: /usr/lib/rust-1.97/bin/cargo"'
    expect "in Ubuntu's versions too" 0 "installing: rustfmt-1.97 rust-1.97-clippy" \
        install --for-tests
    stub dpkg-query 'exit 1'
    expect "that they cannot be had is said, and no failure" 0 "will be passed over" \
        install --for-tests
}

ends_of_the_demo() {
    demo_that 'echo "Verdict: passed"'
    expect "a trial in time: exit status 0" 0 "Verdict: passed" demo
    demo_that 'echo "Verdict: FAILED"; touch "$data/demo_run-01_events.json"; exit 1'
    expect "a trial that was late has its data, and the next step" 0 "chronotap doctor" demo
    demo_that 'touch -r "$data/../begun" "$data/demo_run-01_events.json"; exit 1'
    stub mktemp "echo >'$bin/begun'; echo '$bin/begun'"
    expect "so has one whose data have the time of its beginning" 0 "chronotap doctor" demo
    demo_that 'touch -d yesterday "$data/demo_run-01_events.json"; exit 1'
    expect "the data of an earlier trial are none" 1 "" demo
    demo_that 'exit 1'
    expect "a verdict without data is a failure" 1 "" demo
    demo_that 'touch "$data/demo_run-01_events.json"; exit 2'
    expect "so is a program that could not do its work" 2 "" demo
    demo_that 'touch "$data/demo_run-03_events.json"'
    touch -d yesterday "$bin/data/demo_run-02_events.json"
    expect "the next step is the report of this trial, with the program just built" 0 "
    $bin/target/demo/chronotap report $bin/data/demo_run-03_events.tsv
    $bin/target/demo/chronotap console --demo
" demo
    expect "from elsewhere it is said where it is typed" 0 "Next, with the program just built, in $PWD:" demo_from_elsewhere
}

# What is said while the demo's program is built. Each cargo has three crates to build, one of them Chronotap's.
builds_of_the_demo() {
    built_by '"$compile" a; "$compile" b; "$compile" chronotap-core'
    expect "how long it takes is said before anything is built" 0 \
        "building chronotap once, to be tried: about MINUTES on 2 processors
  3 of 3: chronotap-core
the trial" minutes demo
    expect "the second time nothing is said of building" 0 "the trial

Next, " demo
    stub nproc 'echo 1'
    rm "$bin/target/demo/chronotap"
    expect "one processor is one" 0 " on 1 processor
" demo
    built_by 'for n in $(seq 20); do "$compile" "x$n"; done'
    expect "of libraries each twentieth is told" 0 "processors
  20 of 3: x20
the trial" demo
    built_by '"$compile" a; "$compile" b; "$compile" chronotap-core'
    expect "on a terminal one line changes, and goes" 0 $'  2 of 3: b\r\033[K  3 of 3: chronotap-core\r\033[Kthe trial' \
        on_terminal "" "term=xterm demo"
    built_by '"$compile" chronotap-core; for n in $(seq 100); do [ ! -e "$0.seen" ] || break; sleep 0.05; done; [ -e "$0.seen" ]'
    expect "what is built is told at once" 0 "the trial" demo_that_is_read
    built_by 'echo "warning: slow disk"; echo; echo "error[E0308]: mismatched types"; exit 101'
    expect "a build that fails shows what cargo says, and ends with 2" 2 "warning: slow disk

error[E0308]: mismatched types" demo
    built_by 'exit 0'
    stub cargo 'case $1 in --version) echo "cargo 1.96.0" ;; *) echo "error: no network" >&2; exit 101 ;; esac'
    expect "so does one whose libraries cannot be fetched" 2 "  fetching the libraries
error: no network" demo
    built_by 'kill -INT 0'
    expect "Ctrl-C ends it, and says that it can go on" 130 "stopped; what is built is kept" demo_in_a_group
}

counts_of_the_tests() {
    tests_that 'echo "test result: ok. 5 passed; 0 failed; 0 ignored;"'
    expect "every test and every check is counted" 0 "
7 passed, 0 failed, 0 skipped" run_tests
    stub project/scripts/quick.sh 'echo "ok      format, 0 s"; echo "skipped lints: there is no clippy here"'
    expect "what the quick checks pass over is skipped" 0 "
7 passed, 0 failed, 1 skipped" run_tests
    tests_that 'echo "test result: ok. 5 passed; 0 failed; 0 ignored;"
        for test in a b b; do printf "x.rs: $test\tno card\n" >>"$CHRONOTAP_PASSED_OVER"; done'
    expect "tests that were passed over are skipped, each once" 0 "
5 passed, 0 failed, 2 skipped" run_tests
    expect "with their reasons" 0 "skipped x.rs: b: no card" run_tests
    tests_that 'echo "test result: ok. 5 passed; 0 failed; 0 ignored; brief=${CHRONOTAP_BRIEF-no}"'
    expect "long tests are asked to wait for the rest" 0 "brief=1" logged_tests
    stub project/scripts/test-scripts.sh 'echo "no mawk here"; exit 3'
    expect "a check that ends with status 3 is skipped" 0 "skipped scripts: what they choose and say: no mawk here" run_tests
    expect "and not passed" 0 "
6 passed, 0 failed, 1 skipped" run_tests
    stub project/scripts/test-scripts.sh 'exit 1'
    expect "a check that fails, fails" 1 "
6 passed, 1 failed, 0 skipped" run_tests
    tests_that 'echo "test result: FAILED. 4 passed; 2 failed; 0 ignored;"; exit 101'
    expect "tests that fail are counted" 1 "
6 passed, 2 failed, 0 skipped" run_tests
    stub project/scripts/quick.sh 'echo "FAILED  format"; exit 1'
    expect "a slip ends them at once" 1 "
0 passed, 1 failed, 0 skipped" run_tests
    tests_that 'exit 0'
    expect "no test at all is a failure" 1 "
2 passed, 1 failed, 0 skipped" run_tests
    tests_that 'echo "test result: ok. 5 passed; 0 failed; 0 ignored; brief=${CHRONOTAP_BRIEF-no}"'
    laboratory 'a\trt\tpassed\t\nb\tstock\tover\tno time\n' 0
    expect "everything together asks for the long tests" 0 "brief=no" logged_tests --all
    expect "a run of the lab that there was no time for is skipped by its name" 0 "skipped lab, b, stock: no time" \
        run_tests --all
    expect "and is none that failed" 0 "ok      device lab in real time (1)" run_tests --all
    laboratory 'b\tstock\tover\tno time\n' 0
    expect "also where there was time for none" 0 "ok      device lab in real time (0)" run_tests --all
    laboratory '' 0
    expect "a lab without a word has failed" 1 "FAILED  device lab in real time" run_tests --all
    tests_that 'echo $$ >"${0%/*}/running"; exec sleep 300'
    ln -s "$(command -v sleep)" "$bin/sleep"
    expect "what takes longer than its limit is ended, and says so" 1 \
        " s: ended by its limit of 1 s; TEST_LIMIT gives another" limited_tests
    tests_that ''
    stub project/scripts/quick.sh 'exec sleep 300'
    ln -s "$(command -v sleep)" "$bin/sleep"
    expect "so are quick checks that have no end" 1 "FAILED  quick checks, 1 s, of processors 0 s: ended by" limited_tests
    tests_that 'echo $$ >"${0%/*}/running"; exec sleep 300'
    ln -s "$(command -v sleep)" "$bin/sleep"
    expect "whoever ends the tests ends what they have begun" 0 "ended: 143" ended_tests
}

# machine: a new machine with nothing on it but what every Debian has.
machine() {
    local name
    bin=$place/machine-$cases-$RANDOM
    mkdir -p "$bin/home"
    for name in bash env sed awk grep sort head cat mktemp rm id dirname readlink cp chmod mkdir find touch \
        tail timeout wc; do
        ln -s "$(command -v "$name")" "$bin/$name"
    done
    stub id 'echo 0'
    stub make ''
    stub cc 'cat >/dev/null' # reads what it is given, as cc does
}

# stub NAME BODY: a command of the machine.
stub() {
    rm -f "$bin/$1"
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# rust VERSION [DIRECTORY]: a cargo and a rustc of this version, without components.
rust() {
    local dir=${2:-$bin} name
    mkdir -p "$dir"
    for name in cargo rustc; do
        printf '#!%s\ncase $1 in --version) echo "%s %s" ;; *) exit 1 ;; esac\n' \
            "$(command -v bash)" "$name" "$1" >"$dir/$name"
        chmod +x "$dir/$name"
    done
}

# packages NAME VERSION ...: a distribution that has these. What apt-get installs is a
# Rust that is new enough; what it would remove is what the command `removed` prints.
packages() {
    printf '%s %s\n' "$@" >"$bin/packages"
    stub apt-cache 'case $1 in
        policy) awk -v name="$2" '"'"'$1 == name { print "  Candidate: " $2 }'"'"' "'"$bin"'/packages" ;;
        pkgnames) awk -v start="$2" '"'"'index($1, start) == 1 { print $1 }'"'"' "'"$bin"'/packages" ;;
        esac'
    rust 1.96.0 "$bin/installed"
    stub apt-get 'case "$*" in
        *--simulate*) ! command -v removed >/dev/null || removed ;;
        *--print-uris*) echo "Need to get 171 MB of archives." ;;
        *update) [ ! -e "'"$bin"'/later" ] || cp "'"$bin"'/later" "'"$bin"'/packages" ;;
        *cargo-1.*) mkdir -p "'"$bin"'/lib/rust-1.100"
            cp -r "'"$bin"'/installed" "'"$bin"'/lib/rust-1.100/bin" ;;
        *rustup) cp "'"$bin"'/make" "'"$bin"'/rustup"; cp "'"$bin"'"/installed/* "'"$bin"'" ;;
        *) cp "'"$bin"'"/installed/* "'"$bin"'" ;;
        esac'
}

# later_packages NAME VERSION ...: those that the distribution has after apt-get update.
later_packages() {
    printf '%s %s\n' "$@" >"$bin/later"
}

# demo_that BODY: a built chronotap whose demo does this.
demo_that() {
    machine
    rust 1.96.0
    stub cargo 'case $1 in --version) echo "cargo 1.96.0" ;; esac'
    mkdir -p "$bin/target/demo" "$bin/data"
    stub target/demo/chronotap "data='$bin/data'; $1"
}

# built_by BODY: a machine with two processors, whose cargo builds the demo's program so.
built_by() {
    machine
    rust 1.96.0
    for name in sleep seq tr; do ln -sf "$(command -v "$name")" "$bin/$name"; done
    stub nproc 'echo 2'
    stub compile 'echo "   Compiling $1 v1.0.0 (/somewhere)" >&2'
    mkdir -p "$bin/target/demo" "$bin/data"
    stub cargo "compile='$bin/compile'
        case \$1 in
        --version) echo 'cargo 1.96.0' ;;
        tree) printf '%s v1.0.0\n' a b a chronotap-core ;;
        build) [ ! -x '$bin/target/demo/chronotap' ] || exit 0; $1 || exit 101
            printf '#!%s\necho the trial\n' '$(command -v bash)' >'$bin/target/demo/chronotap'
            chmod +x '$bin/target/demo/chronotap' ;;
        esac"
}

# The demo whose build goes on when somebody has read that it began.
demo_that_is_read() {
    demo 2>&1 | while IFS= read -r line; do
        echo "$line"
        [[ $line != *chronotap-core* ]] || touch "$bin/cargo.seen"
    done
}

# minutes COMMAND...: what it says, its number of minutes as a word.
minutes() {
    "$@" | sed 's/about [0-9]* minutes/about MINUTES/'
}

# tests_that BODY: a project of nothing but test.sh, whose checks all pass, and a cargo
# whose `test` does this. There is no liblilv.
tests_that() {
    local name
    machine
    rust 1.96.0
    stub cargo "[ \"\$1\" != --version ] || { echo 'cargo 1.96.0'; exit; }; [ \$1 = test ] || exit 0; $1"
    mkdir -p "$bin/project/scripts"
    cp Cargo.toml "$bin/project"
    cp scripts/test.sh scripts/find-rust.sh scripts/usage.sh "$bin/project/scripts"
    for name in install test-docs test-scripts test-console test-web test-lsl test-ears test-wine fuzz other-targets web; do
        stub "project/scripts/$name.sh" ''
    done
    stub project/scripts/quick.sh 'echo "ok      format, 0 s"'
}

run_tests() {
    alone "$bin/project/scripts/test.sh" "$@"
}

# laboratory VERDICTS STATUS: one that leaves these and ends so; what else only `.ci/run` tries passes.
laboratory() {
    local name
    for name in test-python test-r site deb; do stub "project/scripts/$name.sh" ''; done
    mkdir -p "$bin/project/lab"
    stub project/lab/run.sh "mkdir -p \"\$CARGO_TARGET_DIR/lab\"; printf '$1' >\"\$CARGO_TARGET_DIR/lab/verdicts.tsv\"; exit $2"
}

# logged_tests [--all]: the whole log of them.
logged_tests() {
    run_tests "$@" >"$place/said" || return
    cat "$bin/target/test.log"
}

limited_tests() {
    alone env TEST_LIMIT=1 "$bin/project/scripts/test.sh"
}

# Ends the tests when one of theirs is running, and says their exit status if that one ends too.
ended_tests() {
    run_tests &
    timeout 10 bash -c 'until [ -s "$0" ]; do sleep 0.05; done' "$bin/running"
    kill -TERM $(processes_of "$bin/project/scripts/test.sh")
    wait $!
    echo "ended: $?"
    timeout 10 bash -c 'while kill -0 "$0" 2>/dev/null; do sleep 0.05; done' "$(cat "$bin/running")"
}

# processes_of SCRIPT: those that run it. A bare system has no pkill.
processes_of() {
    local each
    for each in /proc/[0-9]*; do
        ! tr '\0' '\n' 2>/dev/null <"$each/cmdline" | grep -qxF "$1" || echo "${each#/proc/}"
    done
}

ratios_of_pairs() {
    expect "of twenty pairs the interval is from the 6th to the 15th ratio" 0 \
        "median of 20 ratios 1.05, interval of 95 % from 0.60 to 1.50: passed" pairs $(tenths 20 1)
    expect "in whatever order they come" 0 "rising order: 0.10 0.20 0.30" pairs $(tenths 20 1 | sort -R)
    expect "an interval all above the limit fails" 1 \
        "from 1.30 to 2.20: FAILED, all of it above 1.2" pairs $(tenths 20 8)
    expect "one that begins at the limit does not" 0 "from 1.20 to 2.10: passed" pairs $(tenths 20 7)
    expect "few late pairs among many decide nothing" 0 "of 20 ratios 1.00, interval of 95 % from 1.00 to 1.00: passed" \
        pairs $(printf '10/10 %.0s' $(seq 15)) 90/1 90/1 90/1 90/1 90/1
    expect "six pairs have an interval from end to end" 0 "of 6 ratios 0.35, interval of 95 % from 0.10 to 0.60" \
        pairs $(tenths 6 1)
    expect "an odd number has its middle ratio" 0 "of 7 ratios 0.40," pairs $(tenths 7 1)
    expect "five pairs have none, and so no verdict" 2 "no interval of 95 %: that takes 6 pairs" pairs $(tenths 5 20)
    expect "nor has a session that came to nothing" 2 "not a pair with a ratio: 10 nan" pairs 10/nan $(tenths 20 1)
}

# pairs OURS/THEIRS...: what benchmarks/console.sh makes of them.
pairs() {
    printf '%s\n' "$@" | tr / ' ' | awk -v limit=1.2 -f benchmarks/pairs.awk
}

# tenths N FIRST: N pairs, of which the ratios are FIRST tenths and on.
tenths() {
    seq -f '%g/10' "$2" $(($2 + $1 - 1))
}

one_set_of_features() {
    expect "what command and extension share is built once: of the same features" 0 "" apart
}

# apart: packages of which command and extension want other features, those of the command first.
apart() {
    features_for chronotap-cli >"$place/command" && features_for chronotap-python >"$place/extension" || return
    diff "$place/command" "$place/extension" >"$place/features"
    awk '{ key = $2 " " $3 } $1 == "<" { of[key] = $0 } $1 == ">" && key in of { print of[key] ORS $0 }' "$place/features"
}

# features_for PACKAGE: a line for each dependency: name, version, features.
features_for() {
    cargo tree --quiet --locked --offline --package "$1" --edges normal,build --format '{p} {f}' --prefix none |
        sed 's/ ([^)]*)//g' | grep -v "^$1 " | sort -u
}

install() {
    alone scripts/install-rust.sh "$@"
}

demo() {
    alone scripts/demo.sh --data "$bin/data"
}

demo_from_elsewhere() {
    local root=$PWD
    (cd / && alone "$root/scripts/demo.sh" --data "$bin/data")
}

# In a group of processes of its own, as a terminal gives it: Ctrl-C is for all of the group.
demo_in_a_group() {
    export -f demo alone
    export bin
    timeout 20 "$BASH" -c demo
}

alone() {
    env -i ${term:+TERM="$term"} PATH="$bin" HOME="$bin/home" RUST_VERSIONS="$bin/lib" CARGO_TARGET_DIR="$bin/target" "$@"
}

# on_terminal ANSWER COMMAND...: with a terminal to ask on. `script` gives the command to
# $SHELL, which must be a bash to know the functions.
on_terminal() {
    local answer=$1
    shift
    export -f install demo alone
    bin=$bin printf '%s\n' "$answer" |
        bin=$bin SHELL=$BASH script --quiet --return --command "$*" /dev/null
}

# expect NAME STATUS WORDS COMMAND...: it ends with the status, and prints the words; where
# these are none, it prints nothing.
expect() {
    local name=$1 status=$2 words=$3 out got=0
    shift 3
    cases=$((cases + 1))
    out=$("$@" 2>&1 </dev/null) || got=$?
    if [ "$got" -eq "$status" ] && { [[ $words && $out == *"$words"* ]] || [ "$out" = "$words" ]; }; then
        return
    fi
    failed=$((failed + 1))
    printf 'WRONG: %s\n  exit status %s (not %s), looked for "%s" in:\n%s\n' \
        "$name" "$got" "$status" "$words" "$out"
}

main "$@"
