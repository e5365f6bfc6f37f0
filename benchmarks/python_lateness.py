#!/usr/bin/env python3
"""Is a trial that Python runs as punctual as one that the command runs?

Usage: benchmarks/python_lateness.py [ROUNDS]      (needs `pip install .`; ten rounds, six minutes)

The trial of benchmarks/wakeups.sh (a tone every 5 ms, 2,000 times) on a virtual wire, by `chronotap run`, by
`Rig.run`, and by `Rig.run` while a second thread keeps the interpreter busy and holds its lock. They
run turn about, and each round begins with another, so that what else the machine does falls on all alike.
PRIORITY=0 runs all of them as ordinary programs; else all ask for SCHED_FIFO 80.

Printed are quantiles of all rounds together, by nearest rank; and of Python over the command round by round:
the median of the ratios, the least and the greatest. Where the rounds of the command alone differ by as
much, the machine does not decide.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import chronotap as ct

TRIAL = Path(__file__).with_name("wakeups.toml")
COMMAND = Path(sys.executable).with_name("chronotap")
PRIORITY = int(os.environ.get("PRIORITY", "80"))


def of_command(place: Path) -> np.ndarray:
    """Lateness of a trial that the command runs."""
    rights = ["--priority", str(PRIORITY)] if PRIORITY else ["--ordinary"]
    asked = [COMMAND, "run", TRIAL, "--in", "wire", "--out", "wire", "--data", place, "--seed", "1", *rights]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    [path] = place.glob("*_events.tsv")
    return lateness(ct.read_trial(path).events)


def of_python(place: Path) -> np.ndarray:
    """The same of a trial that Python runs, with its data on the disk, too."""
    with ct.Rig("wire", priority=PRIORITY or None) as rig:
        return lateness(rig.run(TRIAL, data=place, seed=1).events)


def of_busy_python(place: Path) -> np.ndarray:
    """The same while the interpreter counts."""
    over = threading.Event()

    def count() -> None:
        while not over.is_set():
            sum(range(1_000))

    beside = threading.Thread(target=count)
    beside.start()
    try:
        return of_python(place)
    finally:
        over.set()
        beside.join()


WAYS: dict[str, Callable[[Path], np.ndarray]] = {
    "chronotap run": of_command,
    "Rig.run": of_python,
    "Rig.run, busy interpreter": of_busy_python,
}


def lateness(events: pd.DataFrame) -> np.ndarray:
    """Of every beat, in microseconds."""
    beats = events.loc[events["trial_type"] == "pacing", "lateness_ns"].dropna()
    return beats.to_numpy(dtype=float) / 1e3


def quantile(us: np.ndarray, p: float) -> float:
    return float(np.quantile(us, p, method="inverted_cdf"))


def table(found: dict[str, list[np.ndarray]]) -> None:
    print(f"{'lateness in us':<32}     n  median     p95     p99     max")
    for name, rounds in found.items():
        us = np.concatenate(rounds)
        p = " ".join(f"{quantile(us, p):7.1f}" for p in (0.5, 0.95, 0.99, 1))
        print(f"{name:<32} {len(us):5d} {p}")


def ratios(found: dict[str, list[np.ndarray]]) -> None:
    command = found["chronotap run"]
    for name, rounds in found.items():
        said = []
        for word, p in [("median", 0.5), ("p95", 0.95)]:
            of = [quantile(us, p) / quantile(base, p) for us, base in zip(rounds, command, strict=True)]
            if rounds is command:  # a round over the one before
                of = [quantile(b, p) / quantile(a, p) for a, b in zip(command, command[1:])] or [1.0]
            said.append(f"of {word}s {np.median(of):.2f} ({min(of):.2f} to {max(of):.2f})")
        beside = "the round before" if rounds is command else "the command"
        print(f"{name} / {beside}: {', '.join(said)}")


def main(rounds: int) -> None:
    found: dict[str, list[np.ndarray]] = {name: [] for name in WAYS}
    names = list(WAYS)
    with tempfile.TemporaryDirectory() as place:
        for number in range(rounds):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                found[name].append(WAYS[name](Path(place) / f"{number}-{names.index(name)}"))
    table(found)
    ratios(found)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
