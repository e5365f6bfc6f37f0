#!/usr/bin/env bash
# Builds the wheel of the Python package as it is released: optimized, and linked by zig against
# glibc 2.17 (manylinux2014), the oldest that Rust's own library runs on, so that it installs on
# every Linux of the last ten years. auditwheel then reads from extension and command which
# symbols they need, and its word must be the tag in the wheel's name. Bills of materials of both
# (scripts/sbom.sh) are in it, where Python's installers keep them (`dist-info/sboms`, PEP 770). It brings the
# console's page "Try" and its engine (scripts/web.sh) into share/chronotap/try of the environment.
#
# It builds in a folder of its own, target/python/zig: Cargo does not build anew what another linker
# linked, and one program of the host's linker is enough for a newer glibc. CHRONOTAP_COMMAND is not
# heeded for the same reason.
#
# Usage: scripts/wheel.sh [FOLDER [x86_64|aarch64]]      (target/python/release, this machine's)
# exit 1: it could not be built, or needs more than its tag says; 3: there is no Python for it, or what the page needs
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
machine=${2:-$(uname -m)}
triple=$machine-unknown-linux-gnu
TAG=manylinux_2_17

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/python"
place=$(cd "$target/python" && pwd)
folder=${1:-$place/release}
bin=$place/venv/bin
scripts/web.sh
export CHRONOTAP_TRY=${place%/python}/try/made
CARGO_TARGET_DIR=$place/zig
arguments="--zig --compatibility $TAG --target $triple"
export CARGO_TARGET_DIR
unset CHRONOTAP_COMMAND
[ -x "$bin/pip" ] || python3 -m venv "$place/venv" >/dev/null 2>&1 ||
    { echo "Python has no venv (Debian: python3-venv)"; exit 3; }
"$bin/pip" install --quiet --disable-pip-version-check "maturin>=1.16,<2" ziglang auditwheel ||
    { echo "pip cannot install maturin, ziglang and auditwheel (no network?)"; exit 3; }

mkdir -p "$place/sboms"
for part in command extension; do
    file=$place/sboms/chronotap-$part.cdx.json
    scripts/sbom.sh --package "chronotap-$([ $part = command ] && echo cli || echo python)" --target "$triple" >"$file"
    arguments+=" --sbom-include $file"
done
rm -rf "$folder"
CHRONOTAP_COMMIT=$(git rev-parse --short=12 HEAD) MATURIN_PEP517_ARGS=$arguments PATH="$bin:$PATH" "$bin/pip" wheel --quiet \
    --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$folder" .
wheel=$(echo "$folder"/*.whl)
ls -l "$wheel"
[ -f "$wheel" ] || { echo "there is not one wheel in $folder"; exit 1; }
said=$("$bin/auditwheel" show "$wheel")
echo "$said"
case $wheel in *"$TAG"*) ;; *) echo "the name of the wheel has no $TAG"; exit 1 ;; esac
tr '\n' ' ' <<<"$said" | grep -q "consistent with the following platform tag: \"$TAG" ||
    { echo "auditwheel does not find it to be $TAG"; exit 1; }
