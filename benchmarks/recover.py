#!/usr/bin/env python3
"""How much memory and time `chronotap recover` takes for a large journal.

    benchmarks/recover.py [MEGABYTES=500] [--damaged]

Makes the journal that a stuck key leaves (a tap, its tone, the end of both, over and over), with
`--damaged` with one byte changed in its middle, recovers it, and prints what the kernel counted. It is made
in /var/tmp, which must have room for some three times as much; CHRONOTAP names another program than
target/release/chronotap.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("CHRONOTAP", ROOT / "target/release/chronotap"))


def journal(path: Path, size: int, damaged: bool) -> None:
    """Writes a journal of about `size` bytes, with the first line of the journal for fuzzing."""
    first = (ROOT / "fuzz/seeds/journal/tiny.journal").read_bytes().split(b"\n")[0]
    last = int(first.rpartition(b"\t")[2], 16)
    written, number = 0, 1
    with path.open("wb") as file:
        file.write(first + b"\n")
        while written < size:
            at, tone = number * 1_000_000, number + 1
            lines = (
                f"tap\t0\t{number}\t0\t{number}\t{at}\t{at}\t0\t90 3c 64\t{at}\tuser space",
                f"feedback\t0\t{number}\t{number}\t{tone}\t{at}\t{at}\t0\t90 40 64\t{at + 4567}\t-",
                f"release\t0\t0\t{number}\t{number + 2}\t{at + 400_000}\t{at + 400_000}\t0\t80 3c 40\t{at + 400_000}\tuser space",
                f"off\t0\t0\t0\t{tone}\t{at + 500_000}\t{at + 500_000}\t0\t80 40 40\t{at + 504567}\t-",
            )
            for line in lines:
                body = line.encode()
                last = zlib.crc32(last.to_bytes(4, "little") + body)
                written += file.write(b"%s\t%08x\n" % (body, last))
            number += 3
    if damaged:
        with path.open("r+b") as file:
            file.seek(size // 2)
            file.write(b"?")


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]
    megabytes = sizes[0] if sizes else 500
    damaged = "--damaged" in sys.argv
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        path = Path(folder) / "large.journal"
        journal(path, megabytes * 1_000_000, damaged)
        size = path.stat().st_size
        begun = time.monotonic()
        ended = subprocess.run([os.fspath(PROGRAM), "recover", os.fspath(path)], check=False)
        took = time.monotonic() - begun
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = used.ru_maxrss * 1024
        print(f"journal {size / 1e6:.0f} MB, exit status {ended.returncode}")
        print(f"peak memory {peak / 1e6:.0f} MB ({peak / size:.2f} times the journal)")
        print(f"took {took:.1f} s, {used.ru_utime:.1f} s of it computing")


main()
