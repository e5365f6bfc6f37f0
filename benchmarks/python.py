#!/usr/bin/env python3
"""How fast is the package, beside what one writes with numpy?

Usage: benchmarks/python.py [TRIALS] [TAPS]      (needs `pip install .`)

Statistics: TRIALS trials of TAPS taps each (10,000 of 60) are described by one grouped call, and by
the loop over trials that users write: a mask for each trial, then numpy. Beside it the same loop over
slices, by someone who knows that the trials stand in order. Then 1,320 trials of 28 s are simulated
into frames, and 10^7 taps are read from a study that was gathered (needs pyarrow). Each runs three times; the median of the wall clock is shown, and of the processor time,
which a machine that does other work spoils less.
"""

from __future__ import annotations

import resource
import statistics as standard
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

import chronotap as ct
from chronotap import statistics

Values = np.ndarray


def asynchrony(cells: Values) -> tuple[float, ...]:
    """Mean, SD, mean absolute, root of the mean square."""
    return cells.mean(), cells.std(ddof=1), np.abs(cells).mean(), np.sqrt((cells**2).mean())


def intervals(cells: Values) -> tuple[float, ...]:
    """Mean, median, SD, CV, RMSSD, drift, nPVI."""
    mean, sd, steps = cells.mean(), cells.std(ddof=1), np.diff(cells)
    drift = np.polyfit(np.arange(len(cells)), cells, 1)[0]
    npvi = 100 * np.mean(np.abs(steps) / ((cells[1:] + cells[:-1]) / 2))
    return mean, np.median(cells), sd, sd / mean, np.sqrt((steps**2).mean()), drift, npvi


def clock_and_motor(cells: Values) -> tuple[float, ...]:
    """Variances by moments; without slips, bias and drift, which the grouped call adds."""
    less = cells - cells.mean()
    c0, c1 = (less**2).sum() / len(cells), (less[1:] * less[:-1]).sum() / len(cells)
    return c1 / c0, c0 + 2 * c1, -c1


def directions(angles: Values) -> tuple[float, ...]:
    """Length and direction of the mean vector, circular SD, angular deviation, Rayleigh's z."""
    vector = np.exp(1j * angles).mean()
    r = np.abs(vector)
    return r, np.angle(vector), np.sqrt(-2 * np.log(r)), np.sqrt(2 * (1 - r)), len(angles) * r**2


def autocorrelation(cells: Values) -> tuple[float, ...]:
    """At lag 1, with 1/n."""
    less = cells - cells.mean()
    return ((less[1:] * less[:-1]).sum() / (less**2).sum(),)


def fluctuation(cells: Values) -> tuple[float, ...]:
    """DFA-1 with 12 windows from 10 to N/4."""
    walk = np.cumsum(cells - cells.mean())
    windows = np.unique(np.round(np.geomspace(10, len(cells) / 4, 12)).astype(int))
    sizes = []
    for window in windows:
        left = []
        for part in range(len(walk) // window):
            y, x = walk[part * window : (part + 1) * window], np.arange(window)
            left.append(((y - np.polyval(np.polyfit(x, y, 1), x)) ** 2).mean())
        sizes.append(np.sqrt(np.mean(left)))
    return (np.polyfit(np.log(windows), np.log(sizes), 1)[0],)


def masked(values: Values, trials: Values, of: Callable[[Values], tuple[float, ...]]) -> Values:
    """The loop that users write."""
    return np.array([of(values[trials == trial]) for trial in np.unique(trials)])


def sliced(values: Values, trials: Values, of: Callable[[Values], tuple[float, ...]]) -> Values:
    """The same by someone who knows that the trials stand in order."""
    return np.array([of(cells) for cells in np.split(values, np.flatnonzero(np.diff(trials)) + 1)])


def measured(call: Callable[[], object], times: int = 3) -> tuple[float, float]:
    """Median seconds of the clock and of processor time (that of all threads)."""
    clock, processor = [], []
    for _ in range(times):
        began, used = time.perf_counter(), cpu()
        call()
        clock.append(time.perf_counter() - began)
        processor.append(cpu() - used)
    return standard.median(clock), standard.median(processor)


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def line(name: str, rows: Iterable[tuple[float, float]]) -> None:
    (mask, mask_cpu), (cut, _), (ours, ours_cpu) = rows
    times = f"{mask / ours:6.0f} {cut / ours:6.1f} {mask_cpu / ours_cpu:6.0f}"
    print(f"  {name:<17} {mask * 1e3:9.1f} {cut * 1e3:8.1f} {ours * 1e3:8.1f} {ours_cpu * 1e3:8.1f}  {times}")


def described(count: int, taps: int) -> None:
    random = np.random.default_rng(1)
    trials = np.repeat(np.arange(count), taps)
    early, long = random.normal(-30, 25, count * taps), random.normal(500, 20, count * taps)
    print(f"{count} trials of {taps} taps; ms of the clock (of the processors), and how many times as fast")
    print("                         mask   slices     ours    (cpu)    mask slices mask, cpu")
    for name, values, ours, of in [
        ("asynchrony", early, statistics.asynchrony, asynchrony),
        ("intervals", long, statistics.intervals, intervals),
        ("clock_and_motor", long, statistics.clock_and_motor, clock_and_motor),
        ("directions", early / 80, statistics.directions, directions),
        ("autocorrelation", early, statistics.autocorrelation, autocorrelation),
    ]:
        given = (values, trials)
        calls = [lambda: masked(*given, of), lambda: sliced(*given, of), lambda: ours(*given)]
        line(name, [measured(call) for call in calls])
    few, long_run = max(count // 100, 10), 256
    given = (random.normal(size=few * long_run), np.repeat(np.arange(few), long_run))
    calls = [
        lambda: masked(*given, fluctuation),
        lambda: sliced(*given, fluctuation),
        lambda: statistics.fluctuation(*given),
    ]
    line("fluctuation *", [measured(call) for call in calls])
    print(f"  * {few} trials of {long_run} values")


def simulated() -> None:
    trial = Path(__file__).with_name("virtual.toml")
    clock, processor = measured(lambda: ct.simulate(trial, n=1320, seed=1))
    print(f"1,320 trials of 28 s into four frames: {clock:.2f} s ({processor:.2f} s of the processors)")


def gathered(taps: int = 10**7) -> None:
    """A study of that many taps: simulated trials, over and over, of 50 participants."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    trial = Path(__file__).with_name("virtual.toml")
    some = ct.simulate(trial, n=1320, seed=1, frame="arrow").taps
    table = pa.concat_tables([some] * (taps // some.num_rows + 1)).slice(0, taps).combine_chunks()
    numbers = np.arange(taps)
    names = [f"{number:02d}" for number in range(1, 51)]
    people = pa.DictionaryArray.from_arrays(pa.array((numbers * 50 // taps).astype("int32")), names)
    delays = pa.DictionaryArray.from_arrays(pa.array((numbers // 64 % 3).astype("int32")), ["0 ms", "70 ms", "200 ms"])
    table = table.append_column("participant", people).append_column("delay", delays)
    few = ["participant", "delay", "asynchrony_ms"]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "taps.parquet"
        pq.write_table(table, path, compression="zstd", row_group_size=1 << 20)
        megabytes = path.stat().st_size / 1e6
        del table
        print(f"10^7 taps, gathered in {megabytes:.0f} MB, into pandas")
        for name, call in [
            ("participant, delay, asynchrony", lambda: ct.read_gathered(path, columns=few)),
            ("one participant, all columns", lambda: ct.read_gathered(path, participants=["07"])),
            ("all columns", lambda: ct.read_gathered(path)),
        ]:
            clock, processor = measured(call)
            print(f"  {name:<32} {clock:5.2f} s ({processor:.2f} s of the processors)")


if __name__ == "__main__":
    given = [int(number) for number in sys.argv[1:3]]
    described(*given, *(10_000, 60)[len(given) :])
    simulated()
    gathered()
