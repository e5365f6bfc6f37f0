"""Statistics of tapping, for one run of values or for many groups of values at once.

Each function takes values (a list, an array, a column of a frame) and gives a small dataclass.
With ``groups``, one label for each value or a frame with several columns of labels, it gives a
frame of pandas with one row for each group, in the order in which the groups first come, and
the work is done outside the interpreter on all processors. The formulas and their sources stand
in docs/statistics.md; the numbers are those of the library.

Values must not be missing: leave such rows out first. A statistic that the data cannot give
(a standard deviation of one tap) is None, or missing in a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._groups import (
    Groups,
    Pair,
    cell_of,
    grouped,
    one_of,
    paired,
    rows_of,
    typed,
    ungrouped,
)
from chronotap._results import Result
from chronotap._values import LONGEST_MS, cells_of, finite, whole
from chronotap.frames import Column

__all__ = [
    "Asynchrony",
    "Autocorrelation",
    "ClockAndMotor",
    "CrossCorrelation",
    "Directions",
    "Fluctuation",
    "Intervals",
    "Lateness",
    "angles",
    "asynchrony",
    "autocorrelation",
    "clock_and_motor",
    "cross_correlation",
    "directions",
    "fluctuation",
    "intervals",
    "lateness",
    "lateness_histogram",
]

R = TypeVar("R", bound=Result)

_FARTHEST = 2**31


@dataclass(frozen=True)
class Asynchrony(Result):
    """Asynchronies described."""

    n: int
    mean_ms: float | None
    """Negative when early."""
    sd_ms: float | None
    """With n − 1."""
    mean_absolute_ms: float | None
    """Mean distance from the beat, early or late."""
    rms_ms: float | None
    """Root of the mean square."""


@dataclass(frozen=True)
class Intervals(Result):
    """Inter-tap intervals described."""

    n: int
    mean_ms: float | None
    median_ms: float | None
    sd_ms: float | None
    """With n − 1."""
    cv: float | None
    """Coefficient of variation, SD / mean."""
    rmssd_ms: float | None
    """Root of the mean square of successive differences."""
    drift_ms_per_interval: float | None
    """Least-squares slope; positive when slowing down."""
    npvi: float | None
    """Normalized pairwise variability index (Grabe & Low 2002)."""


@dataclass(frozen=True)
class ClockAndMotor(Result):
    """Clock and motor variance (Wing & Kristofferson 1973)."""

    n: int | None
    excluded: int | None
    """Intervals left out: over missed taps, and the parts of doubled ones."""
    pairs: int | None
    """Pairs of neighbours among the intervals."""
    r1: float | None
    """Lag-1 autocorrelation."""
    clock_ms2: float | None
    """Clock variance by moments."""
    motor_ms2: float | None
    """Motor variance by moments."""
    clock_unbiased_ms2: float | None
    """Clock variance without the bias of short runs; may be negative."""
    motor_unbiased_ms2: float | None
    """Motor variance without the bias of short runs; may be negative."""
    admissible: bool | None
    """Whether −0.5 < r1 < 0, as the model has it, and no variance is negative."""
    detrended_r1: float | None
    """The same with the linear drift of the intervals taken off, here and below."""
    detrended_clock_unbiased_ms2: float | None
    detrended_motor_unbiased_ms2: float | None
    detrended_admissible: bool | None


@dataclass(frozen=True)
class Directions(Result):
    """Directions on a circle described (Fisher 1993)."""

    n: int
    resultant: float | None
    """Length of the mean vector: 0 spread all round, 1 all alike."""
    direction_rad: float | None
    sd_rad: float | None
    """Circular standard deviation, √(−2 ln R)."""
    deviation_rad: float | None
    """Angular deviation, √(2 (1 − R))."""
    logit: float | None
    """ln(R / (1 − R)), for tests that need normal values; None where R is 0 or 1."""
    rayleigh_z: float | None
    rayleigh_p: float | None
    """Of Rayleigh's test against an even spread, by Zar's approximation."""


@dataclass(frozen=True)
class Autocorrelation(Result):
    """The autocorrelation at one lag, the estimator with 1/n."""

    n: int
    r: float | None
    band: float | None
    """Half the width of the band of independent values, 1.96/√n."""


@dataclass(frozen=True)
class CrossCorrelation(Result):
    """The cross-correlation of two columns at one lag."""

    n: int
    r: float | None
    """None where one of the two does not vary."""
    band: float | None
    """Half the width of the band of independent values, 1.96/√n."""


@dataclass(frozen=True)
class Lateness(Result):
    """Lateness of output described, achieved less deadline."""

    n: int
    mean_us: float | None
    min_us: float | None
    """Negative is early."""
    median_us: float | None
    p99_us: float | None
    """99th percentile; like the median one that occurred, never one between two."""
    max_us: float | None
    over_limit: int
    """How many were farther than the limit from their deadline, early or late."""


@dataclass(frozen=True)
class Fluctuation(Result):
    """Detrended fluctuation analysis, DFA-1 (Peng et al. 1994)."""

    n: int
    exponent: float | None
    """0.5 for white noise, 1 for 1/f noise, 1.5 for a random walk; None below 64 values."""


@overload
def asynchrony(asynchronies_ms: ArrayLike) -> Asynchrony: ...
@overload
def asynchrony(asynchronies_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def asynchrony(
    asynchronies_ms: ArrayLike, groups: Groups | None = None
) -> Asynchrony | pd.DataFrame:
    """Describe asynchronies, tap onset less pacing onset.

    Parameters
    ----------
    asynchronies_ms
        In milliseconds; negative when early.
    groups
        One label for each value, or a frame of labels.

    Examples
    --------
    >>> print(asynchrony([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35]))
    Asynchrony
    n                 10
    mean_ms           -22.5
    sd_ms             21.2459
    mean_absolute_ms  24.5
    rms_ms            30.2076
    >>> asynchrony([-30, -20, 10], ["a", "a", "b"])["mean_ms"].tolist()
    [-25.0, 10.0]
    """
    return _described(Asynchrony, _native.asynchronies, asynchronies_ms, groups)


@overload
def intervals(intervals_ms: ArrayLike) -> Intervals: ...
@overload
def intervals(intervals_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def intervals(intervals_ms: ArrayLike, groups: Groups | None = None) -> Intervals | pd.DataFrame:
    """Describe inter-tap intervals.

    Parameters
    ----------
    intervals_ms
        In milliseconds.
    groups
        One label for each value, or a frame of labels.
    """
    return _described(Intervals, _native.intervals_of, intervals_ms, groups)


@overload
def clock_and_motor(intervals_ms: ArrayLike, *, leave_out_slips: bool = True) -> ClockAndMotor: ...
@overload
def clock_and_motor(
    intervals_ms: ArrayLike, groups: Groups, *, leave_out_slips: bool = True
) -> pd.DataFrame: ...
def clock_and_motor(
    intervals_ms: ArrayLike, groups: Groups | None = None, *, leave_out_slips: bool = True
) -> ClockAndMotor | pd.DataFrame:
    """Part the variance of self-paced intervals into that of a clock and that of motor delays.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    groups
        One label for each value, or a frame of labels.
    leave_out_slips
        Whether intervals over missed taps and the parts of doubled ones are left out.
    """

    def of(values: _native._Grouped) -> list[Column]:
        return _native.clock_and_motor(values, leave_out_slips)

    return _described(ClockAndMotor, of, intervals_ms, groups)


@overload
def directions(angles_rad: ArrayLike) -> Directions: ...
@overload
def directions(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def directions(angles_rad: ArrayLike, groups: Groups | None = None) -> Directions | pd.DataFrame:
    """Describe taps as directions on a circle that one interval goes round.

    Parameters
    ----------
    angles_rad
        In radians. :func:`angles` makes them of asynchronies.
    groups
        One label for each value, or a frame of labels.
    """
    return _described(Directions, _native.directions, angles_rad, groups)


@overload
def autocorrelation(values: ArrayLike, *, lag: int = 1) -> Autocorrelation: ...
@overload
def autocorrelation(values: ArrayLike, groups: Groups, *, lag: int = 1) -> pd.DataFrame: ...
def autocorrelation(
    values: ArrayLike, groups: Groups | None = None, *, lag: int = 1
) -> Autocorrelation | pd.DataFrame:
    """The autocorrelation of values at a lag.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels.
    lag
        How many places later.
    """

    distance = whole("lag", lag, most=_FARTHEST)

    def of(given: _native._Grouped) -> list[Column]:
        return _native.autocorrelations(given, distance)

    return _described(Autocorrelation, of, values, groups)


@overload
def fluctuation(values: ArrayLike) -> Fluctuation: ...
@overload
def fluctuation(values: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def fluctuation(values: ArrayLike, groups: Groups | None = None) -> Fluctuation | pd.DataFrame:
    """Detrended fluctuation analysis of a long run of values without gaps.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels.
    """
    return _described(Fluctuation, _native.fluctuations, values, groups)


@overload
def cross_correlation(
    first: ArrayLike, second: ArrayLike, *, lag: int = 0
) -> CrossCorrelation: ...
@overload
def cross_correlation(
    first: ArrayLike, second: ArrayLike, groups: Groups | Pair, *, lag: int = 0
) -> pd.DataFrame: ...
def cross_correlation(
    first: ArrayLike, second: ArrayLike, groups: Groups | Pair | None = None, *, lag: int = 0
) -> CrossCorrelation | pd.DataFrame:
    """The cross-correlation of two columns of the same places, as of the intervals of two people.
    :func:`chronotap.models.following` says who follows whom.

    Parameters
    ----------
    first, second
        In any unit.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    lag
        Which of the second is laid beside the first: at 1 the next one, at −1 the one before.

    Examples
    --------
    >>> first, second = [500, 520, 540, 500, 480], [510, 500, 520, 540, 500]
    >>> print(cross_correlation(first, second, lag=1))
    CrossCorrelation
    n     5
    r     0.739041
    band  0.876523
    """
    distance = whole("lag", lag, -_FARTHEST, _FARTHEST)
    if groups is not None:
        one, other, labels = paired(first, second, groups)
        return rows_of(_native.cross_correlations(one, other, distance), labels)
    columns = _native.cross_correlations(ungrouped(first), ungrouped(second), distance)
    return CrossCorrelation(**one_of(CrossCorrelation, columns))


@overload
def lateness(lateness_us: ArrayLike, *, limit_us: float = 1000.0) -> Lateness: ...
@overload
def lateness(
    lateness_us: ArrayLike, groups: Groups, *, limit_us: float = 1000.0
) -> pd.DataFrame: ...
def lateness(
    lateness_us: ArrayLike, groups: Groups | None = None, *, limit_us: float = 1000.0
) -> Lateness | pd.DataFrame:
    """Describe the lateness of output, as the summary of a trial does.

    Parameters
    ----------
    lateness_us
        Of what sounded, in microseconds: ``events["lateness_ns"].dropna() / 1e3``.
    groups
        One label for each value, or a frame of labels.
    limit_us
        What lies farther from its deadline is counted in ``over_limit``. Trial files have 1 ms unless
        they say otherwise.

    Examples
    --------
    >>> lateness([-1500, 3, 1000, 1000.001]).over_limit
    2
    """

    limit = finite("limit_us", limit_us, 0)

    def of(values: _native._Grouped) -> list[Column]:
        return _native.lateness_of(values, limit)

    return _described(Lateness, of, lateness_us, groups)


def lateness_histogram(lateness_us: ArrayLike, groups: Groups | None = None) -> pd.DataFrame:
    """Count the lateness of output in buckets: 1, 2 and 5 of every power of ten, the same in every
    report, so that histograms can be laid upon each other.

    Parameters
    ----------
    lateness_us
        In microseconds.
    groups
        One label for each value, or a frame of labels: then the buckets of each group, with its label
        as their index.

    Returns
    -------
    A row for each bucket: ``from_us`` (missing of the early ones), ``below_us`` (missing beyond the
    last), and ``count``.
    """
    given, labels = (ungrouped(lateness_us), None) if groups is None else grouped(lateness_us, groups)
    return rows_of(_native.lateness_histogram(given), labels)


def angles(asynchronies_ms: ArrayLike, interval_ms: ArrayLike) -> NDArray[np.float64]:
    """Asynchronies as directions in radians: 2π · asynchrony / interval.

    Parameters
    ----------
    asynchronies_ms
        In milliseconds.
    interval_ms
        Of the pacing: one, or one for each asynchrony.
    """
    asynchronies = cells_of(asynchronies_ms)
    interval = np.asarray(interval_ms, dtype=np.float64) if np.ndim(interval_ms) == 0 else cells_of(interval_ms)
    if interval.ndim and len(interval) != len(asynchronies):
        told = f"{len(asynchronies)} asynchronies and {len(interval)} intervals"
        raise ValueError(f"{told}: give one interval, or one for each asynchrony")
    if not ((interval > 0) & (interval <= LONGEST_MS)).all():
        raise ValueError(f"interval_ms = {interval_ms!r}: give the interval of the pacing, above 0")
    found: NDArray[np.float64] = 2 * np.pi * asynchronies / interval
    return found


def _described(
    kind: type[R],
    of: Callable[[_native._Grouped], Sequence[Column]],
    values: ArrayLike,
    groups: Groups | None,
) -> R | pd.DataFrame:
    if groups is None:
        columns = of(ungrouped(values))
        return kind(**{name: cell_of(kind, name, cells[0]) for name, cells, *_ in columns})
    given, labels = grouped(values, groups)
    columns = of(given)
    # Made at once: each conversion of a column that stands in a frame costs more than a statistic.
    return pd.DataFrame({name: typed(kind, name, cells) for name, cells, *_ in columns}, labels)
