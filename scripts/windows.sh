#!/usr/bin/env bash
# Builds for Windows on Linux what is handed out: a zip with chronotap.exe, the licences of what it holds, and the examples;
# and a wheel of the Python package (abi3, for Python 3.10 and later) with the same program in it.
# scripts/test-wine.sh tries the program under wine; on Windows itself nobody has run either yet.
# The same clone and commit give the same zip. It needs gcc-mingw-w64-x86-64 and `rustup target add x86_64-pc-windows-gnu`,
# and for the wheel Python with venv and a network for pip.
#
# Usage: scripts/windows.sh [--zip] [FOLDER]      (target/windows; --zip: without the wheel)
# exit 1: it could not be built; 3: something is missing
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
with_wheel=yes
[ "${1-}" != --zip ] || { with_wheel=; shift; }
triple=x86_64-pc-windows-gnu
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=${1:-$target/windows}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=chronotap-$version-windows-x86_64

[ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] || { echo "rustup target add $triple"; exit 3; }
command -v x86_64-w64-mingw32-gcc >/dev/null || { echo "sudo apt-get install gcc-mingw-w64-x86-64"; exit 3; }
CHRONOTAP_COMMIT=$(git rev-parse --short=12 HEAD) \
    cargo build --quiet --release --locked -p chronotap-desk --target "$triple"

rm -rf "${folder:?}/$name"
mkdir -p "$folder/$name"
cp "$target/$triple/release/chronotap-desk.exe" "$folder/$name/chronotap.exe"
x86_64-w64-mingw32-strip "$folder/$name/chronotap.exe"
cp -r LICENSE-APACHE LICENSE-MIT examples "$folder/$name/"
scripts/licences.sh --package chronotap-desk --target "$triple" >"$folder/$name/licences.txt"
python3 - "$folder" "$name" "$(git log -1 --format=%ct)" <<'P'
import pathlib, sys, time, zipfile
folder, name, date = pathlib.Path(sys.argv[1]), sys.argv[2], time.gmtime(int(sys.argv[3]))
with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for path in sorted(path for path in (folder / name).rglob("*") if path.is_file()):
        about = zipfile.ZipInfo(str(path.relative_to(folder)), date[:6])
        about.compress_type = zipfile.ZIP_DEFLATED
        out.writestr(about, path.read_bytes())
P
ls -l "$folder/$name.zip"
[ -n "$with_wheel" ] || exit 0

# pyo3 links python3.dll by its name (raw-dylib), so no Python for Windows is needed here.
place=$target/python
bin=$place/venv/bin
[ -x "$bin/pip" ] || python3 -m venv "$place/venv" >/dev/null 2>&1 || { echo "Python has no venv (Debian: python3-venv)"; exit 3; }
"$bin/pip" install --quiet --disable-pip-version-check "maturin>=1.16,<2" || { echo "pip cannot install maturin (no network?)"; exit 3; }
CHRONOTAP_COMMAND=$folder/$name/chronotap.exe MATURIN_PEP517_ARGS="--target $triple" PATH="$bin:$PATH" \
    "$bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$folder" .
wheel=$(echo "$folder"/*.whl)
[ -f "$wheel" ] || { echo "there is not one wheel in $folder"; exit 1; }
python3 - "$wheel" <<'P'
import sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
for end in ("/_native.pyd", "/scripts/chronotap.exe"):
    if not any(name.endswith(end) for name in names):
        sys.exit(f"the wheel has no {end}")
P
ls -l "$wheel"
