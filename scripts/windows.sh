#!/usr/bin/env bash
# Builds the program for Windows on Linux, and puts it into a zip as it is handed out: chronotap.exe, the licences of what
# it holds, and the examples. scripts/test-wine.sh tries the program under wine; on Windows itself nobody has run it yet.
# The same clone and commit give the same zip. It needs gcc-mingw-w64-x86-64 and `rustup target add x86_64-pc-windows-gnu`.
#
# Usage: scripts/windows.sh [FOLDER]      (target/windows)      exit 3: something is missing
set -euo pipefail
. "$(dirname "$0")/usage.sh"
cd "$(dirname "$0")/.."
. scripts/find-rust.sh
need_rust
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
