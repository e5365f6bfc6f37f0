#!/usr/bin/env python3
"""How fast are grouped statistics, beside the loop over trials that one writes with numpy?

Usage: benchmarks/python_statistics.py [TRIALS] [TAPS]      (needs `pip install .`)

Both describe the asynchronies of TRIALS trials of TAPS taps each (10,000 of 60): mean, SD, mean
absolute, root of the mean square. The labels of the trials are whole numbers, in order. Each runs
five times; the median is shown, and the greatest difference between the two.
"""

import statistics as standard
import sys
import time

import numpy as np
import pandas as pd

from chronotap import statistics


def loop(values: np.ndarray, trials: np.ndarray) -> pd.DataFrame:
    rows = []
    for trial in np.unique(trials):
        cells = values[trials == trial]
        absolute, square = np.abs(cells).mean(), np.sqrt((cells**2).mean())
        rows.append((len(cells), cells.mean(), cells.std(ddof=1), absolute, square))
    return pd.DataFrame(rows, columns=["n", "mean_ms", "sd_ms", "mean_absolute_ms", "rms_ms"])


def sliced(values: np.ndarray, trials: np.ndarray) -> pd.DataFrame:
    """The same by someone who knows that the trials stand in order."""
    rows = []
    for cells in np.split(values, np.flatnonzero(np.diff(trials)) + 1):
        absolute, square = np.abs(cells).mean(), np.sqrt((cells**2).mean())
        rows.append((len(cells), cells.mean(), cells.std(ddof=1), absolute, square))
    return pd.DataFrame(rows, columns=["n", "mean_ms", "sd_ms", "mean_absolute_ms", "rms_ms"])


def main() -> None:
    count, taps = (int(number) for number in (sys.argv[1:] + ["10000", "60"][len(sys.argv) - 1 :]))
    values = np.random.default_rng(1).normal(-30, 25, count * taps)
    trials = np.repeat(np.arange(count), taps)
    took, found = {}, {}
    for name, of in [
        ("numpy, a mask for each trial", loop),
        ("numpy, slices of sorted trials", sliced),
        ("chronotap, grouped", statistics.asynchrony),
    ]:
        times = []
        for _ in range(5 if of is not loop else 1):
            began = time.perf_counter()
            found[name] = of(values, trials)
            times.append(time.perf_counter() - began)
        took[name] = standard.median(times)
    ours = list(took)[-1]
    print(f"{count} trials of {taps} taps")
    for name, seconds in took.items():
        print(f"  {name:<32} {seconds * 1e3:9.1f} ms  {seconds / took[ours]:7.1f} times")
    tables = [table.to_numpy(dtype=float) for table in found.values()]
    print(f"  greatest difference {max(np.abs(table - tables[-1]).max() for table in tables):.1e} ms")


if __name__ == "__main__":
    main()
