"""Builds the wheel: the command ``chronotap`` and the extension, both with maturin.

maturin puts what stands in ``python/chronotap.data/scripts`` on the path of whoever installs
the wheel. The command is put there by this backend, as a program of its own: neither Ctrl-C nor
real time passes through an interpreter. ``MATURIN_PEP517_ARGS`` holds for both, such as
``--zig --compatibility manylinux_2_17`` (`scripts/wheel.sh`) or ``--profile dev``
(`scripts/test-python.sh`). Both are built in one target folder, where the other builds of the
repository find what they share. ``CHRONOTAP_COMMAND=FILE`` takes that program for the command,
where it is built already.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401  (hooks that stay as they are)
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "python" / "chronotap.data" / "scripts"
COMMAND = "chronotap"


def build_wheel(wheel_directory: str, *more: Any, **named: Any) -> str:
    """The wheel, with the command in it."""
    _prepare()
    _build_command()
    return str(maturin.build_wheel(wheel_directory, *more, **named))


def build_editable(wheel_directory: str, *more: Any, **named: Any) -> str:
    """The same, with the sources used where they stand."""
    _prepare()
    _build_command()
    return str(maturin.build_editable(wheel_directory, *more, **named))


def prepare_metadata_for_build_wheel(metadata_directory: str, *more: Any, **named: Any) -> str:
    """maturin refuses a folder of data that is not there."""
    _prepare()
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, *more, **named))


def prepare_metadata_for_build_editable(metadata_directory: str, *more: Any, **named: Any) -> str:
    """As above."""
    return prepare_metadata_for_build_wheel(metadata_directory, *more, **named)


def build_sdist(*_: Any, **__: Any) -> str:
    """The command's sources lie outside of what a source package of maturin holds."""
    raise SystemExit("there is no source package: build the wheel in a clone, with `pip install .`")


def _prepare() -> None:
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))


def _build_command() -> None:
    """The command as maturin builds programs, taken out of the wheel that it makes of it."""
    for old in SCRIPTS.iterdir():
        old.unlink()
    if not sys.platform.startswith("linux"):
        return  # it runs on Linux alone
    if built := os.environ.get("CHRONOTAP_COMMAND"):
        shutil.copy(built, SCRIPTS / COMMAND)
        return _finish()
    more = shlex.split(os.environ.get("MATURIN_PEP517_ARGS", "")) or ["--compatibility", "linux"]
    profile = [] if any(one.startswith("--profile") for one in more) else ["--release"]
    manifest = ROOT / "crates" / "cli" / "Cargo.toml"
    with tempfile.TemporaryDirectory() as place:
        build = ["build", "--bindings", "bin", *profile, "--locked", "--out", place]
        command = [sys.executable, "-m", "maturin", *build, "--manifest-path", str(manifest), *more]
        subprocess.run(command, check=True, cwd=ROOT)
        (wheel,) = Path(place).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            (name,) = (one for one in files.namelist() if one.endswith(f"/scripts/{COMMAND}"))
            (SCRIPTS / COMMAND).write_bytes(files.read(name))
    _finish()


def _finish() -> None:
    """As a program without what only debuggers read."""
    (SCRIPTS / COMMAND).chmod(0o755)
    if shutil.which("strip"):  # here, so that the build itself is that of `cargo build --release`
        subprocess.run(["strip", "--strip-debug", str(SCRIPTS / COMMAND)], check=True)
