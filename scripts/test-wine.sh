#!/usr/bin/env bash
# Runs the program for Windows under wine beside that for Linux, with the same files, and compares what both print and
# write, byte for byte: every example, every ready-made study simulated, packed, opened and reported, a dataset that
# moved between the two, packs that were changed, files as Windows has them, a drive and a share, files that another
# program holds, and Ctrl-C. What a data file and a report say of the machine, and of where music lies on it, is left
# out of the comparison, and a name of a file that is printed has the separator of its system. Each whole run adds a
# line to docs/wine.tsv.
#
# It needs wine (Debian: wine), gcc-mingw-w64-x86-64, and Rust's library for x86_64-pc-windows-gnu (rustup). A wine before 9
# has no bcryptprimitives.dll, which Rust asks for random numbers; then one is built from scripts/wine/.
# CHRONOTAP_COMMAND and CHRONOTAP_WINDOWS name programs that are to be tried in place of those that it would build, as
# that in the zip of scripts/windows.sh.
#
# Usage: scripts/test-wine.sh [NAME...]     of an example, a study, or a part: moved changed others of_windows devices
#                                           places held interrupted; few: two studies and a trial, for continuous integration
# exit 1: something differs; 2: there is no such part, or it could not be built; 3: something is missing, nothing was tried
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
. scripts/find-rust.sh
need_rust
repository=$PWD
triple=x86_64-pc-windows-gnu
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/wine/work
few="synchronization spontaneous-tempo phase_shift.toml"
wanted=" ${*/#few/$few} "
export SOURCE_DATE_EPOCH=1700000000 WINEDEBUG=-all WINEPREFIX=$target/wine/prefix DISPLAY=

main() {
    local file page same differ
    ready
    rm -rf "$work"
    mkdir -p "$work"
    for file in "$repository"/examples/*.{toml,ftap} "$repository"/docs/trial-files/*.toml; do
        beside example "$(basename "$file")" "$file"
    done
    for page in "$repository"/docs/paradigms/*.md; do
        [ "$(basename "$page")" = README.md ] || beside study "$(basename "$page" .md)"
    done
    for part in moved changed others of_windows devices places; do beside "$part" "$part"; done
    wait
    # By the clock, and so alone.
    for part in held interrupted; do beside "$part" "$part"; wait; done
    same=$(cat "$work"/*/counts 2>/dev/null | grep -c same) differ=$(cat "$work"/*/counts 2>/dev/null | grep -c differ)
    [ "$((same + differ))" -gt 0 ] || { echo "nothing is called$wanted"; exit 2; }
    echo "$same the same, $differ differ, $SECONDS s; $(wine --version 2>/dev/null)"
    [ -n "${wanted// /}" ] || record "$same" "$differ"
    [ "$differ" -eq 0 ]
}

# beside PART NAME [FILE]: runs a part where it is wanted, in a folder of its own, beside few others: a program under
# wine waits most of its time. The services of wine are no jobs of this shell.
beside() {
    [ -z "${wanted// /}" ] || [[ $wanted == *" $2 "* ]] || return 0
    until [ "$(jobs -rp | wc -l)" -le "$(nproc)" ]; do wait -n; done
    (
        mkdir -p "$work/$2" && cd "$work/$2" || exit 2
        name=$2
        "$1" "${3-}"
    ) &
}

# Both programs, and what wine lacks.
ready() {
    command -v wine >/dev/null || missing "wine (Debian: wine)"
    command -v x86_64-w64-mingw32-gcc >/dev/null || missing "a linker for Windows (Debian: gcc-mingw-w64-x86-64)"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] || rustup target add "$triple" >/dev/null 2>&1 ||
        missing "Rust's library (rustup target add $triple)"
    linux=${CHRONOTAP_COMMAND:-${CHRONOTAP:-$target/debug/chronotap}}
    [ -n "${CHRONOTAP_COMMAND-}${CHRONOTAP-}" ] || cargo build --quiet --locked -p chronotap-cli || exit 2
    windows=${CHRONOTAP_WINDOWS:-$target/$triple/elsewhere/chronotap-desk.exe}
    [ -n "${CHRONOTAP_WINDOWS-}" ] || cargo build --quiet --locked --profile elsewhere -p chronotap-desk --target "$triple" || exit 2
    begin_wine
    if ! wine "$windows" --version >/dev/null 2>&1; then
        x86_64-w64-mingw32-gcc -shared -nostdlib -o "$(dirname "$windows")/bcryptprimitives.dll" \
            scripts/wine/bcryptprimitives.c -ladvapi32 -lkernel32 || exit 2
    fi
    wine "$windows" --version >/dev/null 2>&1 || missing "a wine that runs Rust's programs"
}

begin_wine() {
    mkdir -p "$target/wine"
    # The services of wine begin here: later, what they say would stand between what the program says.
    wineserver -p >/dev/null 2>&1
    wine winecfg -v win10 >/dev/null 2>&1
    trap 'wineserver -k 2>/dev/null' EXIT
}

missing() {
    echo "$1 is missing; nothing was tried"
    exit 3
}

# both ARGUMENTS...: runs both, each in its folder, and compares status and what is printed.
both() {
    local on_linux on_windows of_linux
    mkdir -p L W
    (cd L && exec "$linux" "$@" >../said.L 2>&1 </dev/null) &
    of_linux=$!
    (cd W && exec wine "$windows" "${@//given\//given\\}" >../said.W 2>&1 </dev/null)
    on_windows=$?
    wait "$of_linux"
    on_linux=$?
    # Only a name of a file may differ, by its separator. What a service of wine says when it ends badly is left out;
    # of the program itself the status tells it.
    grep -v "^wine: Unhandled page fault" said.W | tr '\\' '/' >said.W.slashes
    tr '\\' '/' <said.L >said.L.slashes
    if [ "$on_linux" = "$on_windows" ] && cmp -s said.L.slashes said.W.slashes; then
        echo same >>counts
    else
        tell "$1 (status $on_linux, $on_windows)" "$(diff said.L.slashes said.W.slashes | head -6)"
    fi
}

# files: compares everything that both have written, and begins anew.
files() {
    local found
    found=$(python3 "$repository/scripts/wine/compare.py" L W)
    if [ -z "$found" ]; then echo same >>counts; else tell "files" "$found"; fi
    rm -rf L W
}

tell() {
    echo differ >>counts
    printf 'DIFFERS %s: %s\n%s\n' "$name" "$1" "$2"
}

example() {
    local file=$1 folder
    for folder in L W; do
        mkdir -p "$folder"
        cp -r "$repository/examples/." "$folder/" && cp "$file" "$folder/"
    done
    both check "$name"
    both check "$name" --picture picture.svg
    both simulate "$name" --seed 7 --for "60 s" --data out --name trial
    both summary out/trial_run-01_events.tsv
    both replay out/trial_run-01_events.tsv
    both analyze out/trial_run-01_events.tsv --to analyzed
    both report out/trial_run-01_events.tsv --to report.html --figures figures
    both render "$name" --seed 7 --for "20 s" --output sound.wav --tones-for-music
    files
}

study() {
    both new "$name" study
    both check study/study.toml
    both plan study/study.toml --participant 01
    both pack study/study.toml --participants 2 --output study.zip
    both open study.zip --to opened
    both simulate study/study.toml --participants 2 --data data --quiet
    both analyze data
    both report data
    both verify data
    files
}

# A dataset of Linux, looked after on Windows.
moved() {
    local arguments
    mkdir -p L
    (cd L && "$linux" simulate "$repository/examples/delay-study/study.toml" --participants 3 --data data --quiet)
    cp -r L W
    for arguments in "status data" "verify data" "analyze data" "report data" "export data --to tables" "backup data copy" \
        "pack data --output data.zip" "open data.zip --to opened" "withdraw data --participant 02 --yes" "verify data"; do
        # shellcheck disable=SC2086 # words
        both $arguments
    done
    files
}

# The commands that no other part has. What they read lies in folders, named with a backslash there.
others() {
    local tables=$repository/docs/other-data
    mkdir -p L/given
    cp "$tables/taps.csv" "$tables/asynchronies.tsv" "$repository/examples/ftap_rhythm.ftap" "$repository/examples/eeg_codes.toml" L/given/
    (cd L && "$linux" simulate "$repository/examples/delay-study/study.toml" --participants 3 --data data --quiet &&
        timeout --signal=KILL 3 "$linux" run "$repository/examples/demo.toml" --simulate steady --data live --name trial) >/dev/null 2>&1
    cp -r L W
    on_both 'import-taps given/taps.csv --taps "tap in ms" --stimuli "stimulus in ms" --participant-column participant --trial-column trial --data taps'
    on_both 'import-taps given/asynchronies.tsv --asynchronies "asynch in ms" --interval "isi in ms" --beat-column beat --participant-column subject --trial-column trial --data asynchronies'
    on_both "import-ftap given/ftap_rhythm.ftap -o rhythm.toml"
    on_both "import-ftap given --output of_ftap"
    on_both "simulate given/eeg_codes.toml --seed 7 --data aligned --name eeg_codes"
    on_both "render given/eeg_codes.toml --seed 7 --output heard.wav"
    on_both "align aligned/eeg_codes_run-01_events.tsv --recorder heard.wav"
    on_both "recover live/trial_run-01.journal"
    on_both "verify data"
    on_both 'dropout data --participant 02 --reason "moved away"'
    on_both "repair data"
    on_both "simulate $repository/examples/delay-study/study.toml --participants 4 --shard 1/2 --data one --quiet"
    on_both "simulate $repository/examples/delay-study/study.toml --participants 4 --shard 2/2 --data other --quiet"
    on_both "merge one other whole"
    on_both "analyze whole"
    on_both "gather whole all"
    on_both "export whole --as parquet --to columns"
    on_both "check given/eeg_cods.toml"
    on_both "open whole"
    on_both "simulate given/eeg_codes.toml --seed 7 --data aligned --name given/trial"
    files
}

# on_both COMMAND: as `both`, of words as a shell reads them.
on_both() {
    eval "both $1"
}

# A pack of Linux, the same with a digit that somebody changed, and one that was cut off, opened on both.
changed() {
    mkdir -p L
    (cd L && "$linux" simulate "$repository/examples/delay-study/study.toml" --participants 2 --data data --quiet &&
        "$linux" analyze data && "$linux" pack data --output data.zip && head -c 3000 data.zip >cut.zip) >/dev/null 2>&1
    python3 - L/data.zip L/changed.zip <<'P'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as given, zipfile.ZipFile(sys.argv[2], "w") as out:
    for about in given.infolist():
        text = given.read(about)
        if about.filename.endswith("desc-conditions_beh.tsv"):
            lines = text.decode().split("\n")
            cells = lines[1].split("\t")
            at = max(i for i, cell in enumerate(cells) if "." in cell)
            cells[at] = cells[at][:-1] + ("2" if cells[at][-1] == "1" else "1")
            text = "\n".join([lines[0], "\t".join(cells), *lines[2:]]).encode()
        out.writestr(about, text)
P
    cp -r L W
    both open data.zip --to whole
    both open changed.zip --to changed
    both open cut.zip --to cut
    files
}

# A study as Windows' editors leave it, a long path, and names that Windows keeps for itself.
of_windows() {
    local long
    long=$(printf 'a%.0s' {1..60})
    long=$long/$long/$long/$long/$long
    mkdir -p L W
    { printf '\xef\xbb\xbf' && sed 's/$/\r/' "$repository/examples/demo.toml"; } | tee L/notepad.toml >W/notepad.toml
    sed 's/^title = .*/title = "Verz\xf6gert"/' "$repository/examples/demo.toml" | tee L/cp1252.toml >W/cp1252.toml
    both check notepad.toml
    both check cp1252.toml
    both simulate notepad.toml --seed 7 --data "$long" --name trial
    both summary "$long/trial_run-01_events.tsv"
    both report "$long/trial_run-01_events.tsv" --to "$long/report.html"
    both new synchronization "$long/study"
    both simulate "$long/study/study.toml" --participants 1 --data "$long/data" --quiet
    both verify "$long/data"
    both power "$long/study/study.toml" --studies 4 --participants 4 --seed 3
    both pack "$long/study/study.toml" --participants 1 --output pack.zip
    both open pack.zip --to "$long/opened"
    files
}

# What Windows keeps for itself: a file of such a name is packed on no system, and on Windows none is read or made.
devices() {
    local kept
    mkdir -p L W
    (cd L && "$linux" new synchronization study && mv study/sync.toml study/aux.toml &&
        sed -i 's/"sync.toml"/"aux.toml"/' study/study.toml) >/dev/null 2>&1
    (cd L && "$linux" pack study/study.toml --participants 1 --output pack.zip) >said.W 2>&1
    count "a device's name is packed" "$(grep -c "aux.toml: this name is that of a device on Windows; rename" said.W)" 1
    for kept in CON NUL aux.toml; do
        (cd W && timeout 20 wine "$windows" check "$kept" >../said.W 2>&1 </dev/null)
        count "check $kept" "$?" 2
    done
    for kept in con.svg NUL.svg aux.svg; do
        (cd W && timeout 20 wine "$windows" check "$repository/examples/demo.toml" --picture "$kept" >../said.W 2>&1 </dev/null)
        count "a picture $kept" "$?" 2
    done
    count "files with such names" "$(find W -type f | wc -l)" 0
    cp -r "$repository/examples/delay-study" W/study
    for kept in aux aux.zip; do
        (cd W && timeout 60 wine "$windows" pack study/study.toml --participants 1 --output "$kept" >../said.W 2>&1 </dev/null)
        count "a pack called $kept" "$?" 2
    done
    rm -rf L W
}

# A folder with blanks and other letters, on a drive of its own and on a share: both are the folder W.
places() {
    local place
    mkdir -p L W "$WINEPREFIX/dosdevices/unc/laboratory"
    ln -sfn "$PWD/W" "$WINEPREFIX/dosdevices/x:"
    ln -sfn "$PWD/W" "$WINEPREFIX/dosdevices/unc/laboratory/data"
    both new synchronization "Töne und Zeiten"
    for place in 'X:\on a drive' '\\laboratory\data\on a share'; do
        (cd L && looked_after "${place##*\\}" "$linux")
        (cd W && looked_after "$place" wine "$windows")
    done
    files
}

# looked_after DATASET PROGRAM...: everything that has no name of the place in what it writes.
looked_after() {
    local data=$1
    shift
    for arguments in "simulate 'Töne und Zeiten/study.toml' --participants 2 --quiet --data '$data'" "verify '$data'" \
        "backup '$data' '$data copy'" "pack '$data' --output '$data.zip'" "open '$data.zip' --to '$data opened'"; do
        eval "\"\$@\" $arguments" >>said 2>&1 </dev/null || echo "$1: $arguments: $?" >>refused
    done
    rm -f said
}

# What another program holds: for a moment it is waited for, and then it is said.
held() {
    mkdir -p W
    x86_64-w64-mingw32-gcc -o hold.exe "$repository/scripts/wine/hold.c" || exit 2
    wine "$windows" simulate "$repository/examples/delay-study/study.toml" --participants 2 --data W/data --quiet >/dev/null 2>&1
    wine "$windows" report W/data >/dev/null 2>&1
    wine "$windows" analyze W/data >/dev/null 2>&1
    hold W/data/derivatives/chronotap/desc-trials_beh.tsv 1
    wine "$windows" analyze W/data >said.W 2>&1
    count "a table that is held for a second" "$?" 0
    wait
    hold W/data/derivatives/chronotap/report.html 1
    wine "$windows" report W/data >said.W 2>&1
    count "a report that is held for a second" "$?" 0
    wait
    cp "$repository/examples/demo.toml" W/
    hold W/demo.toml 1
    wine "$windows" check W/demo.toml >said.W 2>&1
    count "a trial file that is held for a second" "$?" 0
    wait
    hold W/data/derivatives/chronotap/report.html 600
    wine "$windows" report W/data >said.W 2>&1
    count "a report that is held" "$(grep -c "another program has it open" said.W)" 1
    let_go
    hold W/data/derivatives/chronotap/desc-trials_beh.tsv 600
    wine "$windows" analyze W/data >said.W 2>&1
    count "a table that is held" "$(grep -c "close it in the program that has it open" said.W)" 1
    let_go
    wine "$windows" analyze W/data >said.W 2>&1
    count "a table that was held" "$?" 0
    locked
    wine "$windows" verify W/data >said.W 2>&1
    count "data of which some were held" "$?" 0
    count "what is left of it" "$(find W -name '*.part' | wc -l)" 0
    rm -rf L W
}

# What the program itself holds: Windows keeps everybody from reading what is locked, which wine does not. A program that
# waits for a held file of a dataset has the dataset's lock meanwhile, for some seconds.
locked() {
    x86_64-w64-mingw32-gcc -o locks.exe "$repository/scripts/wine/locks.c" || exit 2
    hold W/data/README.md 600
    wine "$windows" backup W/data W/copy >said.held 2>&1 &
    local waiting=$!
    while kill -0 "$waiting" 2>/dev/null; do
        wine ./locks.exe W/data/sourcedata/dataset.lock >said.W 2>&1
        grep -q "is free, " said.W || break
    done
    count "a lock of the program" "$(tr -d '\r' <said.W)" "its byte is held, its content is free"
    wait "$waiting"
    count "a file of a backup that is held" "$(grep -c "close it in the program that has it open" said.held)" 1
    let_go
}

# hold FILE SECONDS: comes back when it is held.
hold() {
    : >hold.txt
    wine ./hold.exe "$1" "$2" >hold.txt 2>&1 &
    holder=$!
    until grep -q . hold.txt; do sleep 0.1; done
}

let_go() {
    kill "$holder"
    wait
}

# Ctrl-C in a console, while something long is under way.
interrupted() {
    mkdir -p W
    cp -r "$repository/examples/delay-study" W/study
    press pack study/study.toml --participants 400 --output pack.zip
    count "a pack that was interrupted" "$(grep -c "interrupted; nothing is left behind" said.W)" 1
    count "what it left" "$(find W -name '*.part' -o -name pack.zip | wc -l)" 0
    press simulate study/study.toml --participants 400 --data data
    count "a rehearsal that was interrupted" "$(grep -c "chronotap: interrupted:" said.W)" 1
    wine "$windows" status W/data >said.W 2>&1
    count "a dataset that was interrupted" "$?" 0
    rm -rf W
}

press() {
    (cd W && python3 "$repository/scripts/wine/press.py" 2 wine "$windows" "$@" >../said.W 2>&1)
    count "$1 until Ctrl-C" "$?" 0
}

# count WHAT FOUND DUE
count() {
    if [ "$2" = "$3" ]; then echo same >>counts; else tell "$1" "$2 in place of $3: $(head -3 said.W)"; fi
}

# record SAME DIFFER: the date, the commit, wine, and the counts.
record() {
    local runs=$repository/docs/wine.tsv
    [ -f "$runs" ] || printf "date\tcommit\twine\tsame\tdiffer\n" >"$runs"
    printf '%s\t%s\t%s\t%s\t%s\n' "$(date -u +%F)" "$(git -C "$repository" rev-parse --short=12 HEAD)" \
        "$(wine --version)" "$1" "$2" >>"$runs"
}

main
