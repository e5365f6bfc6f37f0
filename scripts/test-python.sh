#!/usr/bin/env bash
# Tests the Python package as its users get it: builds the wheel from pyproject.toml, with the
# command in it, installs it into an environment of its own (target/python/venv), and runs there
# the format and lints of the extension, pytest (with the manual, the examples and the notebooks),
# `mypy --strict`, and `stubtest` on the hand-written stubs. Tests that cannot be made here are
# named by pytest with the reason.
#
# The wheel is built as `cargo test` builds the crates, so that little is built twice; CHRONOTAP=FILE
# takes that program for the command in it. WHEEL=FILE takes a whole wheel, such as scripts/wheel.sh builds.
#
# Usage: scripts/test-python.sh      exit 1: something failed; 3: it cannot be tried here
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust

mkdir -p "${CARGO_TARGET_DIR:-target}/python"
place=$(cd "${CARGO_TARGET_DIR:-target}/python" && pwd)
bin=$place/venv/bin
# The folder of the main build: what command and extension share is built once.
CARGO_TARGET_DIR=$(dirname "$place")
export CARGO_TARGET_DIR

cannot() {
    echo "$1"
    exit 3
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    cannot "there is no Python 3.10 or later"
[ -x "$bin/pip" ] || python3 -m venv "$place/venv" >/dev/null 2>&1 ||
    cannot "Python has no venv (Debian: python3-venv)"
"$bin/python" - >"$place/needed.txt" <<'PYTHON' || cannot "Python is older than 3.11, whose tomllib is needed here"
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
extra = project["project"]["optional-dependencies"]["test"]
print(*project["build-system"]["requires"], *project["project"]["dependencies"], *extra, sep="\n")
PYTHON
"$bin/pip" install --quiet --disable-pip-version-check -r "$place/needed.txt" ||
    cannot "pip cannot install what the tests need (no network?)"

if cargo fmt --version >/dev/null 2>&1; then
    cargo fmt --manifest-path python/Cargo.toml --check
fi
if [ -z "${WHEEL-}" ]; then
    rm -rf "$place/wheel"
    export MATURIN_PEP517_ARGS="--profile dev --compatibility linux" CHRONOTAP_COMMAND=${CHRONOTAP-}
    PATH="$bin:$PATH" "$bin/pip" wheel --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation --wheel-dir "$place/wheel" .
    WHEEL=$(echo "$place"/wheel/*.whl)
fi
"$bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$WHEEL"
if cargo clippy --version >/dev/null 2>&1; then
    cargo clippy --quiet --manifest-path python/Cargo.toml -- -D warnings
fi
MPLBACKEND=Agg "$bin/python" -m pytest -q -rs -p no:cacheprovider --durations=5
"$bin/python" -m mypy --cache-dir "$place/mypy"
MYPYPATH=python "$bin/python" -m mypy.stubtest chronotap._native --mypy-config-file pyproject.toml
