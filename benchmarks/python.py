#!/usr/bin/env python3
"""How fast is the package, beside what one writes with numpy?

Usage: benchmarks/python.py [TRIALS] [TAPS]      (needs `pip install .`)

Statistics: TRIALS trials of TAPS taps each (10,000 of 60) are described by one grouped call, and by
the loop over trials that users write: a mask for each trial, then numpy. Beside it the same loop over
slices, by someone who knows that the trials stand in order; and the same numbers by the group-by of pandas and of polars, as
expressions (without lag one and drift, which have none). Clock and motor variance stand there twice:
beside the moments alone, which most scripts stop at, and beside all that the call gives (slips left out, without
the bias of short runs, with the drift taken off). Then models of 1,320 trials of 60 taps: the loop over masks with the
model in numpy, one grouped call, and a call for each trial. What numpy does is what a script does: the estimate, and its
interval where the text beside it says so. Then 1,320 trials of 28 s are simulated into frames, and 10^7 taps are read from a study that
was gathered (needs pyarrow). Each runs five times (models three); the least of the wall clock is shown, and of the processor time,
which a machine that does other work spoils less.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

import chronotap as ct
from chronotap import models, onsets, responses, statistics

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


def moments(cells: Values) -> tuple[float, ...]:
    """Clock and motor variance by moments alone."""
    less = cells - cells.mean()
    c0, c1 = (less**2).sum() / len(cells), (less[1:] * less[:-1]).sum() / len(cells)
    return c1 / c0, c0 + 2 * c1, -c1


def clock_and_motor(cells: Values) -> tuple[float, ...]:
    """The same without slips, without bias, and once more without drift."""
    median = np.median(cells)
    kept = (cells <= 1.5 * median) & (cells >= 0.5 * median)
    places = np.flatnonzero(kept)
    cells, n = cells[places], len(places)
    beside = np.zeros((n, n))
    pair = np.flatnonzero(np.diff(places) == 1)
    beside[pair, pair + 1] = beside[pair + 1, pair] = 1
    found: list[float] = [n, len(kept) - n, len(pair)]
    for columns in ([np.ones(n)], [np.ones(n), places - places.mean()]):
        basis = np.linalg.qr(np.column_stack(columns))[0]
        off = np.eye(n) - basis @ basis.T
        less = off @ cells
        s0, s1 = (less**2).sum(), (less[pair] * less[pair + 1]).sum()
        c0, c1 = s0 / n, s1 / len(pair) * (n - 1) / n
        rn = off @ beside
        left = [
            [np.trace(off), 2 * np.trace(off) - np.trace(rn)],
            [np.trace(rn) / 2, np.trace(rn) - np.trace(rn @ rn) / 2],
        ]
        clock, motor = np.linalg.solve(left, [s0, s1])
        found += [c1 / c0, c0 + 2 * c1, -c1, clock, motor]
    return tuple(found)


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


def bgls(taps: Values, beats: Values) -> tuple[float, ...]:
    """Phase correction, clock and motor noise by bGLS (Jacoby et al. 2015)."""
    asynchronies, intervals = taps - beats, np.diff(taps)
    x, y = asynchronies[:-1] - asynchronies.mean(), intervals - intervals.mean()
    n, g0, g1, alpha = len(y), 1.0, 0.0, 0.0
    for _ in range(20):
        covariance = g0 * np.eye(n) + g1 * (np.eye(n, k=1) + np.eye(n, k=-1))
        weighted = np.linalg.solve(covariance, x)
        before, alpha = alpha, -(weighted @ y) / (weighted @ x)
        left = y + alpha * x
        table = np.cov(left[:-1], left[1:])
        g0, g1 = (table[0, 0] + table[1, 1]) / 2, min(table[0, 1], 0.0)
        g0 = max(g0, -3 * g1)
        if abs(alpha - before) < 1e-3:
            break
    return alpha, np.sqrt(g0 + 2 * g1), np.sqrt(-g1)


def v_test(angles: Values) -> tuple[float, ...]:
    """V, u and the mean vector."""
    vector = np.exp(1j * angles).mean()
    v = vector.real * len(angles)
    return v, v * np.sqrt(2 / len(angles)), np.abs(vector)


def lagged(first: Values, second: Values) -> tuple[float, ...]:
    """Cross-correlations at lags -1, 0 and 1."""
    shifted = ((first[1:], second[:-1]), (first, second), (first[:-1], second[1:]))
    return tuple(np.corrcoef(a, b)[0, 1] for a, b in shifted)


def closest(beats: Values, taps: Values) -> list[tuple[int, int, float]]:
    """Each tap to the beat that is closest, each beat to the tap that is closest to it."""
    window, pairs = 0.4 * np.median(np.diff(beats)), []
    for place, beat in enumerate(beats):
        tap = int(np.argmin(np.abs(taps - beat)))
        if abs(taps[tap] - beat) < window and np.argmin(np.abs(beats - taps[tap])) == place:
            pairs.append((place, tap, taps[tap] - beat))
    return pairs


def with_interval(value: float, influences: Values, t: float) -> tuple[float, ...]:
    """A value with an interval that counts serial dependence, by low-frequency cosines (Lazarus et al. 2018)."""
    n = len(influences)
    waves = np.cos(np.pi * np.outer(np.arange(1, int(0.3 * n ** (2 / 3)) + 1), np.arange(n) + 0.5) / n)
    error = np.sqrt(2 * ((waves @ influences) ** 2).mean()) / n
    return value, error, value - t * error, value + t * error


def estimates(cells: Values) -> tuple[float, ...]:
    """Mean, SD, mean absolute, root of the mean square and lag one, each with its interval; the median without."""
    mean, sd, less = cells.mean(), cells.std(ddof=1), cells - cells.mean()
    absolute, rms = np.abs(cells).mean(), np.sqrt((cells**2).mean())
    next_one = np.append(less[1:], 0.0)
    r = (less * next_one).sum() / (less**2).sum()
    found = [np.median(cells)]
    for value, influences in [
        (mean, less),
        (sd, less**2 / (2 * sd)),
        (absolute, np.abs(cells)),
        (rms, cells**2 / (2 * rms)),
        (r, (less * next_one - r * less**2) / (less**2).mean()),
    ]:
        found += with_interval(value, influences, 2.78)
    return tuple(found)


def mixture(angles: Values) -> tuple[float, ...]:
    """Share in phase, direction and concentration by EM."""
    x, y = np.cos(angles), np.sin(angles)
    share, direction, k = 0.5, np.angle(np.exp(2j * angles).mean()) / 2, 2.0
    for _ in range(1000):
        odds = np.exp(-2 * k * (x * np.cos(direction) + y * np.sin(direction)))
        first = share / (share + (1 - share) * odds)
        side = 2 * first - 1
        r = np.hypot((side * x).mean(), (side * y).mean())
        now = first.mean(), np.arctan2((side * y).mean(), (side * x).mean()), r * (2 - r**2) / (1 - r**2)
        moved = abs(now[0] - share) + abs(now[1] - direction) + abs(now[2] - k) / (1 + k)
        share, direction, k = now
        if moved < 1e-9:
            break
    return share, direction, k


def student(cells: Values) -> tuple[float, ...]:
    """A mean with Student's interval."""
    mean, error = cells.mean(), cells.std(ddof=1) / np.sqrt(len(cells))
    return mean, error, mean - 2.0 * error, mean + 2.0 * error


def after_shifts(cells: Values) -> list[Values]:
    """Asynchronies less the baseline, and shifts, after four perturbations."""
    found = []
    for beat, size in SHIFTS.items():
        less = cells[beat - 1 : beat + 8] - np.nanmean(cells[beat - 5 : beat - 1])
        found += [less, less + size]
    return found


def level(beats: Values, taps: Values) -> tuple[float, ...]:
    """The level of the metre, and the mean vector at it."""
    ratio = np.median(np.diff(taps)) / np.median(np.diff(beats))
    levels = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (1, 3), (1, 4), (3, 2), (2, 3), (4, 3), (3, 4)]
    many, few = min(levels, key=lambda of: abs(np.log(ratio * of[0] / of[1])))
    place = np.clip(np.searchsorted(beats, taps, side="right") - 1, 0, len(beats) - 2)
    position = place + (taps - beats[place]) / (beats[place + 1] - beats[place])
    vector = np.exp(2j * np.pi * (position * many % 1)).mean()
    return many, few, ratio * many / few, np.abs(vector), np.angle(vector)


def apart(first: Values, second: Values) -> tuple[float, ...]:
    """Distances of the taps of two people that belong together."""
    off = np.array([pair[2] for pair in closest(first, second)])
    return off.mean(), off.std(ddof=1), np.abs(off).mean(), np.abs(off).mean() / np.diff(first).mean()


def bounced(onsets: Values) -> list[bool]:
    """Taps within 40 ms of the last that counts."""
    out, last = [], -np.inf
    for onset in onsets:
        out.append(onset - last < 40)
        last = last if out[-1] else onset
    return out


SHIFTS = {10: -50.0, 22: 50.0, 34: -50.0, 46: 50.0}


def masked(values: Values, trials: Values, of: Callable[[Values], tuple[float, ...]]) -> Values:
    """The loop that users write."""
    return np.array([of(values[trials == trial]) for trial in np.unique(trials)])


def sliced(values: Values, trials: Values, of: Callable[[Values], tuple[float, ...]]) -> Values:
    """The same by someone who knows that the trials stand in order."""
    return np.array([of(cells) for cells in np.split(values, np.flatnonzero(np.diff(trials)) + 1)])


def measured(call: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """Least seconds of the clock and of processor time (that of all threads)."""
    clock, processor = [], []
    for _ in range(times):
        began, used = time.perf_counter(), cpu()
        call()
        clock.append(time.perf_counter() - began)
        processor.append(cpu() - used)
    return min(clock), min(processor)


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
        ("its moments alone", long, statistics.clock_and_motor, moments),
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


def by_pandas(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """The numbers of each trial by pandas' own group-by."""
    v, of = frame["v"], frame["trial"]
    groups = v.groupby(of)
    if kind == "asynchrony":
        more = {"absolute": v.abs().groupby(of).mean(), "rms": (v**2).groupby(of).mean() ** 0.5}
        return groups.agg(["count", "mean", "median", "std"]).assign(**more)
    if kind == "intervals":
        steps, sums = groups.diff(), v + groups.shift()
        found = groups.agg(["count", "mean", "median", "std"])
        more = {"rmssd": (steps**2).groupby(of).mean() ** 0.5, "npvi": 200 * (steps.abs() / sums).groupby(of).mean()}
        return found.assign(cv=found["std"] / found["mean"], **more)
    parts = pd.DataFrame({"c": np.cos(v), "s": np.sin(v)}).groupby(of).mean()
    r = np.hypot(parts["c"], parts["s"])
    n = groups.size()
    more = {"sd": np.sqrt(-2 * np.log(r)), "deviation": np.sqrt(2 * (1 - r)), "z": n * r**2}
    return pd.DataFrame({"r": r, "direction": np.arctan2(parts["s"], parts["c"]), **more})


def by_polars(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """The same by polars."""
    v = pl.col("v")
    groups = frame.group_by("trial", maintain_order=True)
    usual = [pl.len().alias("n"), v.mean().alias("mean"), v.median().alias("median"), v.std().alias("sd")]
    if kind == "asynchrony":
        return groups.agg(*usual, v.abs().mean().alias("absolute"), (v**2).mean().sqrt().alias("rms"))
    if kind == "intervals":
        steps, sums = v.diff(), v + v.shift()
        more = [(v.std() / v.mean()).alias("cv"), (steps**2).mean().sqrt().alias("rmssd")]
        return groups.agg(*usual, *more, (200 * (steps.abs() / sums).mean()).alias("npvi"))
    parts = groups.agg(pl.len().alias("n"), v.cos().mean().alias("c"), v.sin().mean().alias("s"))
    r = (pl.col("c") ** 2 + pl.col("s") ** 2).sqrt()
    more = [(-2 * r.log()).sqrt().alias("sd"), (2 * (1 - r)).sqrt().alias("deviation"), (pl.col("n") * r**2).alias("z")]
    return parts.select("trial", r.alias("r"), pl.arctan2("s", "c").alias("direction"), *more)


def beside_group_by(count: int, taps: int) -> None:
    """One call beside the group-by of the two libraries of frames."""
    random = np.random.default_rng(1)
    trials = np.repeat(np.arange(count), taps)
    print(f"{count} trials of {taps} taps; ms of the clock (of the processors)")
    print("                        pandas      polars        ours    with intervals")
    for name, values, ours in [
        ("asynchrony", random.normal(-30, 25, count * taps), statistics.asynchrony),
        ("intervals", random.normal(500, 20, count * taps), statistics.intervals),
        ("directions", random.normal(-0.4, 0.3, count * taps), statistics.directions),
    ]:
        frame = pd.DataFrame({"trial": trials, "v": values})
        polars = pl.from_pandas(frame)
        calls = [
            lambda: by_pandas(frame, name),
            lambda: by_polars(polars, name),
            lambda: ours(frame, by="trial", column="v"),
            lambda: ours(frame, by="trial", column="v", intervals=True),
        ]
        cells = (measured(call) for call in calls)
        told = "".join(f"{clock * 1e3:6.1f} ({used * 1e3:.0f})".rjust(14) for clock, used in cells)
        print(f"  {name:<14}{told}")


def modelled(count: int = 1320, taps: int = 60) -> None:
    """Models: the loop, one call for all, and a call for each."""
    random = np.random.default_rng(2)
    trials = np.repeat(np.arange(count), taps)
    beats = np.tile(np.arange(taps) * 500.0, count)
    early, other = random.normal(-30, 25, (2, count * taps))
    first, second = beats + early, beats + other
    long, ahead = 500 + early, 500 + other
    around = np.where(random.random(count * taps) < 0.7, early, early + 250) / 80
    both = (trials, trials)

    def correction(*given: Values) -> object:
        return models.phase_correction(*models.runs(*given, trials))

    print(f"{count} trials of {taps} taps; ms of the clock (of the processors), and how many times as fast")
    print("                           numpy  grouped  (cpu)  a call each  grouped, (cpu)     each")
    for name, theirs, grouped, one, columns in [
        ("asynchrony, 95 %", estimates, lambda a: statistics.asynchrony(a, trials, intervals=True), statistics.asynchrony, [early]),
        ("mean, Student", student, lambda a: models.mean(a, trials), models.mean, [early]),
        ("v_test", v_test, lambda a: models.v_test(a, groups=trials), models.v_test, [early / 80]),
        ("mixture", mixture, lambda a: models.mixture(a, trials), models.mixture, [around]),
        ("phase_correction", bgls, correction, lambda a, b: models.phase_correction([(a, [b])]), [first, beats]),
        ("following", lagged, lambda *given: models.following(*given, trials), models.following, [long, ahead]),
        ("tracking", lagged, lambda *given: responses.tracking(*given, trials), responses.tracking, [long, ahead]),
        ("responses", after_shifts, lambda a: responses.responses(a, SHIFTS, groups=trials), lambda a: responses.responses(a, SHIFTS), [early]),
        ("match", closest, lambda *given: onsets.match(*given, both), onsets.match, [beats, first]),
        ("together", apart, lambda *given: onsets.together(*given, both), onsets.together, [first, second]),
        ("tapping", level, lambda *given: onsets.tapping(*given, both), onsets.tapping, [beats, first]),
        ("clean (bounces)", bounced, lambda a: onsets.clean(a, groups=trials), onsets.clean, [first]),
    ]:
        compared(name, trials, columns, theirs, grouped, one)


def compared(
    name: str,
    trials: Values,
    columns: list[Values],
    theirs: Callable[..., object],
    grouped: Callable[..., object],
    one: Callable[..., object],
) -> None:
    """Milliseconds for all trials."""

    def loop(of: Callable[..., object]) -> list[object]:
        masks = (trials == trial for trial in np.unique(trials))
        return [of(*(column[mask] for column in columns)) for mask in masks]

    calls = [lambda: loop(theirs), lambda: grouped(*columns), lambda: loop(one)]
    (numpy, numpy_cpu), (ours, ours_cpu), (each, each_cpu) = (measured(call, 3) for call in calls)
    milliseconds = f"{numpy * 1e3:7.1f} {ours * 1e3:8.1f} {ours_cpu * 1e3:6.1f} {each * 1e3:12.1f}"
    times = f"{numpy / ours:8.0f} {numpy_cpu / ours_cpu:6.0f} {numpy_cpu / each_cpu:8.1f}"
    print(f"  {name:<22} {milliseconds} {times}")


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
    names = [f"sub-{number:02d}" for number in range(1, 51)]
    people = pa.DictionaryArray.from_arrays(pa.array((numbers * 50 // taps).astype("int32")), names)
    delays = pa.DictionaryArray.from_arrays(pa.array((numbers // 64 % 3).astype("int32")), ["0 ms", "70 ms", "200 ms"])
    table = table.append_column("participant_id", people).append_column("delay", delays)
    few = ["participant_id", "delay", "asynchrony_ms"]
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
    beside_group_by(*given, *(10_000, 60)[len(given) :])
    modelled()
    simulated()
    gathered()
