#!/usr/bin/env bash
# Tests the Python package as its users get it. First who has no Rust, or one that is too old, is told
# how to get it. Then the lines of docs/python.md install the package into an empty environment
# (target/python/venv), in pip's isolation; the package is imported and the command run. On that
# package run pytest (with the manual, the examples and the notebooks), `mypy --strict`, and `stubtest` on the hand-written stubs. Tests that cannot be made here
# are named by pytest with the reason.
#
# Nothing helps the installation but the target folder of the other builds. WHEEL=FILE tests that wheel
# instead, such as scripts/wheel.sh builds. While you work, this is quicker:
# MATURIN_PEP517_ARGS="--profile dev" CHRONOTAP_COMMAND=FILE.
#
# Usage: scripts/test-python.sh      exit 1: something failed; 3: it cannot be tried here
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust

mkdir -p "${CARGO_TARGET_DIR:-target}/python"
place=$(cd "${CARGO_TARGET_DIR:-target}/python" && pwd)
bin=$place/venv/bin
# The folder of the main build: what command and extension share is built once.
CARGO_TARGET_DIR=$(dirname "$place")
export CARGO_TARGET_DIR PIP_DISABLE_PIP_VERSION_CHECK=1

main() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        cannot "there is no Python 3.11 or later, whose tomllib is needed here"
    rm -rf "$place/venv" "$place/sdist"
    python3 -m venv "$place/venv" >/dev/null 2>&1 || cannot "Python has no venv (Debian: python3-venv)"
    "$bin/pip" download --quiet --no-deps --dest "$place/reached" "maturin>=1.9,<2" ||
        cannot "pip cannot reach its index (no network?)"
    if [ -n "${WHEEL-}" ]; then
        "$bin/pip" install --quiet "$WHEEL"
    else
        without_rust
        source_package
        as_the_manual_says
    fi
    "$bin/pip" install --quiet -r <(needed_by_tests) || cannot "pip cannot install what the tests need"
    checks
}

cannot() {
    echo "$1"
    exit 3
}

# without_rust: pip says what is missing and which script installs it, and shows no traceback.
without_rust() {
    local bare=$place/bare name
    rm -rf "$bare"
    mkdir -p "$bare"
    for name in bash sed awk sort head; do ln -s "$(command -v "$name")" "$bare/$name"; done
    refused_in "$bare"
    for name in cargo rustc; do
        printf '#!%s\necho "%s 1.70.0"\n' "$(command -v bash)" "$name" >"$bare/$name"
        chmod +x "$bare/$name"
    done
    refused_in "$bare"
}

# refused_in FOLDER: on a machine that has the commands of this folder.
refused_in() {
    local said cache wanted
    wanted="Rust $(least_rust) or later is needed; this installs it: scripts/install.sh"
    cache=$("$bin/pip" cache dir)
    if said=$(env PATH="$bin:$1" HOME="$1" CARGO_HOME="$1" RUST_VERSIONS="$1" PIP_CACHE_DIR="$cache" \
        "$bin/pip" install . 2>&1); then
        echo "pip installed the package without Rust"
        exit 1
    fi
    if ! grep -qF "$wanted" <<<"$said" || grep -q Traceback <<<"$said"; then
        echo "pip does not just say: $wanted"
        echo "$said"
        exit 1
    fi
}

# source_package: it holds every file of the clone and who made it, and twice the same bytes.
source_package() {
    local names
    "$bin/pip" install --quiet build
    for one in first second; do
        "$bin/python" -m build --sdist --outdir "$place/sdist/$one" . >/dev/null
    done
    cmp "$place"/sdist/{first,second}/chronotap-*.tar.gz
    names=$(tar tf "$place"/sdist/first/chronotap-*.tar.gz | sed 's|^chronotap-[^/]*/||' | sort)
    diff <(echo "$names") <({ git ls-files; echo PKG-INFO; echo COMMIT; } | sort)
    tar xOf "$place"/sdist/first/chronotap-*.tar.gz --wildcards 'chronotap-*/PKG-INFO' |
        grep -x "Requires-Dist: numpy>=1.24" >/dev/null # reads all: tar would fail at a pipe that is closed
}

# as_the_manual_says: the two lines of docs/python.md that install, letter by letter.
as_the_manual_says() {
    local lines
    mapfile -t lines < <(sed -n 's/^    \(pip install .*\)/\1/p' docs/python.md)
    [ ${#lines[@]} -eq 2 ] || { echo "docs/python.md does not have two lines that install"; exit 1; }
    typed "${lines[0]} -v" >"$place/install.log" 2>&1 || { cat "$place/install.log"; exit 1; }
    grep -F "building the command chronotap and the extension of Python" "$place/install.log"
    (cd "$place" && "$bin/python" -c 'import chronotap; print(chronotap.__version__)')
    (cd "$place" && "$bin/chronotap" --version)
    typed "${lines[1]} --quiet"
    (cd "$place" && MPLBACKEND=Agg "$bin/python" -c '
import chronotap.music, chronotap.plot, matplotlib, mne, parangonar, polars, pyarrow, pyxdf')
}

# typed LINE: as a user types it where the environment is activated.
typed() {
    echo "\$ $1"
    PATH="$bin:$PATH" bash -c "$1"
}

needed_by_tests() {
    "$bin/python" -c '
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
print(*project["dependencies"], *project["optional-dependencies"]["test"], sep="\n")'
}

checks() {
    MPLBACKEND=Agg "$bin/python" -m pytest -q -rs -p no:cacheprovider --durations=5
    "$bin/python" -m mypy --cache-dir "$place/mypy"
    MYPYPATH=python "$bin/python" -m mypy.stubtest chronotap._native --mypy-config-file pyproject.toml
}

main "$@"
