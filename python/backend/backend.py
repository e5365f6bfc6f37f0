"""Builds the wheel: the command ``chronotap`` and the extension, both with maturin.

maturin puts what stands in ``python/chronotap.data/scripts`` on the path of whoever installs
the wheel. The command is put there by this backend, as a program of its own: neither Ctrl-C nor
real time passes through an interpreter. ``MATURIN_PEP517_ARGS`` holds for both, such as
``--zig --compatibility manylinux_2_17`` (`scripts/wheel.sh`) or ``--profile dev``
(`scripts/test-python.sh`). Where it says nothing, both are built in the profile ``pip`` (Cargo.toml),
in which what runs in a trial and what computes is optimized as in a release, and nothing else.
Both are built in one target folder, where the other builds of the
repository find what they share. ``CHRONOTAP_COMMAND=FILE`` takes that program for the command,
where it is built already. ``CHRONOTAP_TRY=FOLDER`` brings the console's page *Try* and its engine
(`scripts/web.sh`) into ``share/chronotap/try`` of the environment, where the command looks for them; what pip builds
from the source is without, since the engine alone takes five minutes of processor time.

Rust is found as all scripts find it, by ``scripts/find-rust.sh``. Where there is none that is new
enough, the build ends with the sentence that names the script that installs it.

A source package holds the whole clone: the command's sources lie outside of what one of maturin has.
"""

from __future__ import annotations

import gzip
import io
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import maturin
from maturin import get_requires_for_build_sdist  # noqa: F401  (it stays as it is)

ROOT = Path(__file__).resolve().parents[2]
PROFILE = "pip"
BUILD_S = 420  # of processor time: 331 of the command, measured (docs/releasing.md); of the extension a guess
SCRIPTS = ROOT / "python" / "chronotap.data" / "scripts"
COMMAND = "chronotap"
PAGE_TRY = ROOT / "python" / "chronotap.data" / "data" / "share" / "chronotap" / "try"
PARTS_OF_PAGE = ["pane.js", "engine.js", "try.css", "licences.txt", "version.txt"]
COMMIT = ROOT / "COMMIT"  # of a source package: the commit that it is of


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Asked first, so that who has no Rust learns it at once. maturin would ask for one of its own."""
    _prepare()
    return list(maturin.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """As above."""
    return get_requires_for_build_wheel(config_settings)


def build_wheel(wheel_directory: str, *more: Any, **named: Any) -> str:
    """The wheel, with the command in it."""
    _prepare()
    _say_what_is_built()
    _build_command()
    _bring_page()
    return str(maturin.build_wheel(wheel_directory, *more, **named))


def build_editable(wheel_directory: str, *more: Any, **named: Any) -> str:
    """The same, with the sources used where they stand."""
    _prepare()
    _say_what_is_built()
    _build_command()
    _bring_page()
    return str(maturin.build_editable(wheel_directory, *more, **named))


def prepare_metadata_for_build_wheel(metadata_directory: str, *more: Any, **named: Any) -> str:
    """maturin refuses a folder of data that is not there."""
    _prepare()
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, *more, **named))


def prepare_metadata_for_build_editable(metadata_directory: str, *more: Any, **named: Any) -> str:
    """As above."""
    return prepare_metadata_for_build_wheel(metadata_directory, *more, **named)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """All files of the clone, and what it is (``PKG-INFO``, ``COMMIT``); one commit gives the same bytes."""
    if not (ROOT / ".git").exists():
        raise SystemExit("a source package is made in a clone of the repository")
    commit, seconds = _git("log", "-1", "--format=%h %ct", "--abbrev=12").split()
    seconds = os.environ.get("SOURCE_DATE_EPOCH", seconds)
    with tempfile.TemporaryDirectory() as place:
        about = prepare_metadata_for_build_wheel(place)
        metadata = (Path(place) / about / "METADATA").read_bytes()
    files = {"PKG-INFO": metadata, COMMIT.name: f"{commit}\n".encode()}
    files |= {name: (ROOT / name).read_bytes() for name in _git("ls-files", "-z").split("\0") if name}
    folder = about.removesuffix(".dist-info")
    with (
        open(Path(sdist_directory) / f"{folder}.tar.gz", "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime = len(content), int(seconds)
            entry.mode = 0o755 if os.access(ROOT / name, os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return f"{folder}.tar.gz"


def _git(*words: str) -> str:
    said = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(said.stderr.strip())
    return said.stdout


def _prepare() -> None:
    _find_rust()
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
    os.environ["MATURIN_PEP517_ARGS"] = os.environ.get("MATURIN_PEP517_ARGS") or f"--profile {PROFILE}"
    if COMMIT.exists():
        os.environ.setdefault("CHRONOTAP_COMMIT", COMMIT.read_text().strip())


def _say_what_is_built() -> None:
    """Before it begins; pip shows it where it is asked to (``pip install -v .``)."""
    processors = os.cpu_count() or 1
    minutes = -(-BUILD_S // (60 * processors))
    print(f"building the command {COMMAND} and the extension of Python: {os.environ['MATURIN_PEP517_ARGS']}")
    print(f"about {minutes} minutes on {processors} processors, if nothing is built yet", flush=True)


def _find_rust() -> None:
    """Puts a Rust that is new enough first on PATH. Each hook is a process of its own."""
    if not sys.platform.startswith("linux"):
        return  # the script is for Linux; elsewhere maturin looks for Rust
    script = '. scripts/find-rust.sh; need_rust; printf %s "$PATH"'
    found = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        raise SystemExit(found.stderr.strip())
    os.environ["PATH"] = found.stdout


def _build_command() -> None:
    """The command as maturin builds programs, taken out of the wheel that it makes of it."""
    for old in SCRIPTS.iterdir():
        old.unlink()
    if not sys.platform.startswith("linux"):
        return  # it runs on Linux alone
    if built := os.environ.get("CHRONOTAP_COMMAND"):
        place = SCRIPTS / f"{COMMAND}{Path(built).suffix}"  # .exe on Windows
        shutil.copy(built, place)
        return _finish(place)
    more = shlex.split(os.environ["MATURIN_PEP517_ARGS"])
    if "--compatibility" not in more:
        more += ["--compatibility", "linux"]
    profile = [] if any(one.startswith("--profile") for one in more) else ["--release"]
    manifest = ROOT / "crates" / "cli" / "Cargo.toml"
    with tempfile.TemporaryDirectory() as place:
        build = ["build", "--bindings", "bin", *profile, "--locked", "--out", place]
        # By its name: in an isolated build it is on PATH, and not among this interpreter's scripts.
        command = ["maturin", *build, "--manifest-path", str(manifest), *more]
        if subprocess.run(command, cwd=ROOT).returncode:
            raise SystemExit("the command chronotap could not be built; the reason stands above")
        (wheel,) = Path(place).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            (name,) = (one for one in files.namelist() if one.endswith(f"/scripts/{COMMAND}"))
            (SCRIPTS / COMMAND).write_bytes(files.read(name))
    _finish(SCRIPTS / COMMAND)


def _bring_page() -> None:
    """The console's page *Try*, where somebody has made it; one of an earlier build would be of another version."""
    shutil.rmtree(PAGE_TRY, ignore_errors=True)
    if made := os.environ.get("CHRONOTAP_TRY"):
        PAGE_TRY.mkdir(parents=True)
        for part in PARTS_OF_PAGE:
            shutil.copy(Path(made) / part, PAGE_TRY / part)


def _finish(command: Path) -> None:
    """As a program without what only debuggers read."""
    command.chmod(0o755)
    more = os.environ.get("MATURIN_PEP517_ARGS", "")
    here = "--target" not in more or f"--target {platform.machine()}-" in more
    if here and shutil.which("strip"):  # here, so that the build itself is that of `cargo build --release`
        subprocess.run(["strip", "--strip-debug", str(command)], check=True)
