#!/usr/bin/env python3
"""Is a trial that Python runs as punctual as one that the command runs?

Usage: benchmarks/python_lateness.py [ROUNDS]      (needs `pip install .`)

The trial of benchmarks/wakeups.sh (a tone every 5 ms, 2,000 times) on a virtual wire, turn about by
`chronotap run` and by `Session.run`, both with the rights that they are granted. While Python's trial
runs, its interpreter is kept busy by a second thread that holds the lock of the interpreter: it costs
the trial nothing. Printed are quantiles of all rounds together.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np

import chronotap as ct

TRIAL = Path(__file__).with_name("wakeups.toml")
COMMAND = Path(sys.executable).with_name("chronotap")


def of_command(place: Path, number: int) -> np.ndarray:
    folder = place / f"command-{number}"
    asked = [COMMAND, "run", TRIAL, "--in", "wire", "--out", "wire", "--data", folder, "--seed", "1"]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    [path] = folder.glob("*_events.tsv")
    return lateness(ct.read_trial(path).events)


def of_python(session: ct.Session, busy: bool) -> np.ndarray:
    over = threading.Event()

    def count() -> None:
        while not over.is_set():
            sum(range(1_000))

    beside = threading.Thread(target=count)
    if busy:
        beside.start()
    finished = session.run(TRIAL, data=None, seed=1)
    over.set()
    if busy:
        beside.join()
    return lateness(finished.events)


def lateness(events) -> np.ndarray:
    return events.loc[events["trial_type"] == "pacing", "lateness_ns"].dropna().to_numpy(dtype=float) / 1e3


def main(rounds: int) -> None:
    rows: dict[str, list[np.ndarray]] = {"chronotap run": [], "Session.run": [], "Session.run, busy interpreter": []}
    with tempfile.TemporaryDirectory() as place:
        for number in range(rounds):
            rows["chronotap run"].append(of_command(Path(place), number))
            with ct.Session("wire") as session:
                rows["Session.run"].append(of_python(session, busy=False))
                rows["Session.run, busy interpreter"].append(of_python(session, busy=True))
    print(f"{'lateness in us':<32}     n  median     p99     max")
    for name, all_rounds in rows.items():
        us = np.concatenate(all_rounds)
        median, p99 = np.quantile(us, [0.5, 0.99], method="inverted_cdf")
        print(f"{name:<32} {len(us):5d} {median:7.1f} {p99:7.1f} {us.max():7.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
