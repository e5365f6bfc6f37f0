#!/usr/bin/env bash
# Runs the program for Windows under wine beside that for Linux, with the same files, and compares what both print and
# write, byte for byte: every example, every ready-made study, a dataset that moved between the two, and files as Windows
# has them. What the head of a data file says of the machine, and of where music lies on it, is left out of the comparison,
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
        files "$name"
    done
}

# A dataset of Linux, looked after on Windows.
moved() {
    local arguments
    mkdir -p L
    (cd L && "$linux" simulate "$repository/examples/delay-study/study.toml" --participants 3 --data data --quiet)
    cp -r L W
    for arguments in "status data" "verify data" "analyze data" "export data --to tables" "backup data copy" \
        "pack data --output data.zip" "withdraw data --participant 02 --yes" "verify data"; do
        # shellcheck disable=SC2086 # words
        both "a dataset that moved" $arguments
    done
    files "a dataset that moved"
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
    files "of Windows"
}

# The date, the commit, wine, and the counts.
record() {
    local runs=$repository/docs/wine.tsv
    [ -f "$runs" ] || printf "date\tcommit\twine\tsame\tdiffer\n" >"$runs"
    printf '%s\t%s\t%s\t%s\t%s\n' "$(date -u +%F)" "$(git -C "$repository" rev-parse --short=12 HEAD)" \
        "$(wine --version)" "$same" "$differ" >>"$runs"
}

main
