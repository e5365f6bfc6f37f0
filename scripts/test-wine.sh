#!/usr/bin/env bash
# Runs the program for Windows under wine beside that for Linux, with the same files, and compares what both print and
# write, byte for byte: every example, every ready-made study simulated, packed, opened and reported, a dataset that
# moved between the two, packs that were changed, and files as Windows has them. What the head of a data file says of the machine, and of where music lies on it, is left out of the comparison,
# and a name of a file that is printed has the separator of its system. Each run adds a line to docs/wine.tsv.
#
# It needs wine (Debian: wine64), gcc-mingw-w64-x86-64, and `rustup target add x86_64-pc-windows-gnu`. A wine before 9
# has no bcryptprimitives.dll, which Rust asks for random numbers; then one is built from scripts/wine/.
#
# Usage: scripts/test-wine.sh [--one NAME]     exit 1: something differs; 3: something is missing, nothing was tried
set -uo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.." || exit 2
. scripts/find-rust.sh
need_rust
only=
[ "${1-}" != --one ] || only=${2:?which example or study?}
triple=x86_64-pc-windows-gnu
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
same=0 differ=0
export SOURCE_DATE_EPOCH=1700000000 WINEDEBUG=-all WINEPREFIX=$target/wine/prefix DISPLAY=

main() {
    local work=$target/wine/work
    ready
    rm -rf "$work"
    mkdir -p "$work"
    cd "$work" || exit 2
    examples
    studies
    [ -n "$only" ] || { moved; of_windows; }
    wineserver -k 2>/dev/null
    echo "$same the same, $differ differ, $SECONDS s; $(wine --version 2>/dev/null)"
    [ -n "$only" ] || record
    [ "$differ" -eq 0 ]
}

# Both programs, and what wine lacks.
ready() {
    command -v wine >/dev/null || missing "wine (Debian: wine64)"
    command -v x86_64-w64-mingw32-gcc >/dev/null || missing "a linker for Windows (Debian: gcc-mingw-w64-x86-64)"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] || missing "Rust's library (rustup target add $triple)"
    linux=${CHRONOTAP_COMMAND:-$target/debug/chronotap}
    [ -n "${CHRONOTAP_COMMAND-}" ] || cargo build --quiet --locked -p chronotap-cli || exit 2
    windows=${CHRONOTAP_WINDOWS:-$target/$triple/debug/chronotap-desk.exe}
    [ -n "${CHRONOTAP_WINDOWS-}" ] || cargo build --quiet --locked -p chronotap-desk --target "$triple" || exit 2
    mkdir -p "$target/wine"
    if ! wine "$windows" --version >/dev/null 2>&1; then
        x86_64-w64-mingw32-gcc -shared -nostdlib -o "$(dirname "$windows")/bcryptprimitives.dll" \
            scripts/wine/bcryptprimitives.c -ladvapi32 -lkernel32 || exit 2
    fi
    wine "$windows" --version >/dev/null 2>&1 || missing "a wine that runs Rust's programs"
}

missing() {
    echo "$1 is missing; nothing was tried"
    exit 3
}

# both NAME ARGUMENTS...: runs both, each in its folder, and compares status and what is printed.
both() {
    local name=$1 on_linux on_windows
    shift
    mkdir -p L W
    (cd L && "$linux" "$@" >../said.L 2>&1 </dev/null)
    on_linux=$?
    (cd W && wine "$windows" "$@" >../said.W 2>&1 </dev/null)
    on_windows=$?
    # Only a name of a file may differ, by its separator.
    tr '\\' '/' <said.W >said.W.slashes
    tr '\\' '/' <said.L >said.L.slashes
    if [ "$on_linux" = "$on_windows" ] && cmp -s said.L.slashes said.W.slashes; then
        same=$((same + 1))
    else
        tell "$name: $1 (status $on_linux, $on_windows)" "$(diff said.L.slashes said.W.slashes | head -6)"
    fi
}

# files NAME: compares everything that both have written, and begins anew.
files() {
    local found
    found=$(python3 - <<'P'
import json, pathlib, re
OF_THE_MACHINE = ("machine", "OperatingSystem")
def alike(said):
    if isinstance(said, dict):
        return {key: alike(value) for key, value in said.items() if key not in OF_THE_MACHINE}
    if isinstance(said, list):
        return [alike(value) for value in said]
    # Where music lies on this computer.
    return re.sub(r"(?m)^path = .*$", "path", said) if isinstance(said, str) else said
def of(root):
    found = {}
    for path in sorted(pathlib.Path(root).rglob("*")):
        if not path.is_file():
            continue
        text = path.read_bytes()
        if path.name.endswith("_events.json"):
            text = json.dumps(alike(json.loads(text))).encode()
        found[str(path.relative_to(root))] = text
    return found
linux, windows = of("L"), of("W")
for name in sorted({*linux, *windows}):
    if linux.get(name) != windows.get(name):
        where = "differs" if name in linux and name in windows else "is there once"
        print(name, where)
P
    )
    if [ -z "$found" ]; then same=$((same + 1)); else tell "$1: files" "$found"; fi
    rm -rf L W
}

tell() {
    differ=$((differ + 1))
    printf 'DIFFERS %s\n%s\n' "$1" "$2"
}

wanted() {
    [ -z "$only" ] || [ "$only" = "$1" ]
}

repository=$PWD
examples() {
    local file name
    for file in "$repository"/examples/*.toml "$repository"/examples/*.ftap "$repository"/docs/trial-files/*.toml; do
        name=$(basename "$file")
        wanted "$name" || continue
        mkdir -p L W
        cp -r "$repository/examples/." L/ && cp -r "$repository/examples/." W/
        cp "$file" L/ && cp "$file" W/
        both "$name" check "$name"
        both "$name" check "$name" --picture picture.svg
        both "$name" simulate "$name" --seed 7 --for "60 s" --data out --name trial
        both "$name" summary out/trial_run-01_events.tsv
        both "$name" replay out/trial_run-01_events.tsv
        both "$name" analyze out/trial_run-01_events.tsv --to analyzed
        both "$name" report out/trial_run-01_events.tsv --to report.html --figures figures
        both "$name" render "$name" --seed 7 --for "20 s" --output sound.wav --tones-for-music
        files "$name"
    done
}

studies() {
    local page name
    for page in "$repository"/docs/paradigms/*.md; do
        name=$(basename "$page" .md)
        [ "$name" != README ] && wanted "$name" || continue
        both "$name" new "$name" study
        both "$name" check study/study.toml
        both "$name" plan study/study.toml --participant 01
        both "$name" pack study/study.toml --participants 2 --output study.zip
        both "$name" open study.zip --to opened
        both "$name" simulate study/study.toml --participants 2 --data data --quiet
        both "$name" analyze data
        both "$name" report data
        both "$name" verify data
        files "$name"
    done
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
        both "a dataset that moved" $arguments
    done
    files "a dataset that moved"
    changed
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
    both "a pack that was changed" open data.zip --to whole
    both "a pack that was changed" open changed.zip --to changed
    both "a pack that was changed" open cut.zip --to cut
    files "a pack that was changed"
}

# A study as Windows' editors leave it, a long path, and names that Windows keeps for itself.
of_windows() {
    local long
    long=$(printf 'a%.0s' {1..60})
    long=$long/$long/$long/$long/$long
    mkdir -p L W
    printf '\xef\xbb\xbf%s' "$(sed 's/$/\r/' "$repository/examples/demo.toml")" | tee L/notepad.toml >W/notepad.toml
    sed 's/^title = .*/title = "Verz\xf6gert"/' "$repository/examples/demo.toml" | tee L/cp1252.toml >W/cp1252.toml
    both "of Windows" check notepad.toml
    both "of Windows" check cp1252.toml
    both "of Windows" simulate notepad.toml --seed 7 --data "$long" --name trial
    both "of Windows" summary "$long/trial_run-01_events.tsv"
    both "of Windows" report "$long/trial_run-01_events.tsv" --to "$long/report.html"
    both "of Windows" new synchronization "$long/study"
    both "of Windows" simulate "$long/study/study.toml" --participants 1 --data "$long/data" --quiet
    both "of Windows" verify "$long/data"
    both "of Windows" pack "$long/study/study.toml" --participants 1 --output pack.zip
    both "of Windows" open pack.zip --to "$long/opened"
    files "of Windows"
    devices
}

# What Windows keeps for itself: a file of such a name is packed on no system, and on Windows none is read or made.
devices() {
    local name
    mkdir -p L W
    (cd L && "$linux" new synchronization study && mv study/sync.toml study/aux.toml &&
        sed -i 's/"sync.toml"/"aux.toml"/' study/study.toml) >/dev/null 2>&1
    (cd L && "$linux" pack study/study.toml --participants 1 --output pack.zip) >said.W 2>&1
    count "a device's name is packed" "$(grep -c "aux.toml: this name is that of a device on Windows; rename" said.W)" 1
    for name in CON NUL aux.toml; do
        (cd W && timeout 20 wine "$windows" check "$name" >../said.W 2>&1 </dev/null)
        count "check $name" "$?" 1
    done
    for name in con.svg NUL.svg aux.svg; do
        (cd W && timeout 20 wine "$windows" check "$repository/examples/demo.toml" --picture "$name" >../said.W 2>&1 </dev/null)
        count "a picture $name" "$?" 2
    done
    count "files with such names" "$(find W -type f | wc -l)" 0
    rm -rf L W
}

# count WHAT FOUND DUE
count() {
    if [ "$2" = "$3" ]; then same=$((same + 1)); else tell "$1" "$2 in place of $3: $(head -3 said.W)"; fi
}

# The date, the commit, wine, and the counts.
record() {
    local runs=$repository/docs/wine.tsv
    [ -f "$runs" ] || printf "date\tcommit\twine\tsame\tdiffer\n" >"$runs"
    printf '%s\t%s\t%s\t%s\t%s\n' "$(date -u +%F)" "$(git -C "$repository" rev-parse --short=12 HEAD)" \
        "$(wine --version)" "$same" "$differ" >>"$runs"
}

main
