"""Asynchronies, intervals and directions of taps described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._groups import By, Groups, of_frame, said
from chronotap._results import Estimate, Result
from chronotap._values import LONGEST_MS, cells_of
from chronotap.frames import Column


@dataclass(frozen=True)
class Asynchrony(Result):
    """Asynchronies described. The ends of an interval are NaN below ten values."""

    n: int
    mean_ms: Estimate | None
    """Negative when early. None where there is no value, here and below."""
    median_ms: Estimate | None
    sd_ms: Estimate | None
    """With n − 1."""
    mean_absolute_ms: Estimate | None
    """Mean distance from the beat, early or late."""
    rms_ms: Estimate | None
    """Root of the mean square."""
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class Intervals(Result):
    """Inter-tap intervals described. The ends of an interval are NaN below ten values."""

    n: int
    mean_ms: Estimate | None
    """None where there is no value, here and below."""
    median_ms: Estimate | None
    sd_ms: Estimate | None
    """With n − 1."""
    cv: Estimate | None
    """Coefficient of variation, SD / mean."""
    rmssd_ms: Estimate | None
    """Root of the mean square of successive differences."""
    drift_ms_per_interval: Estimate | None
    """Least-squares slope; positive when slowing down."""
    npvi: Estimate | None
    """Normalized pairwise variability index (Grabe & Low 2002)."""
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class ClockAndMotor(Result):
    """Clock and motor variance (Wing & Kristofferson 1973)."""

    n: int | None
    excluded: int | None
    """Intervals left out: over missed taps, and the parts of doubled ones."""
    pairs: int | None
    """Pairs of neighbours among the intervals."""
    r1: Estimate | None
    """Lag-1 autocorrelation."""
    clock_ms2: float | None
    """Clock variance by moments."""
    motor_ms2: float | None
    """Motor variance by moments."""
    clock_unbiased_ms2: Estimate | None
    """Clock variance without the bias of short runs; may be negative. Every run of at least ten
    intervals has an interval by formula, also one outside the model."""
    motor_unbiased_ms2: Estimate | None
    """Motor variance without the bias of short runs; may be negative."""
    admissible: bool | None
    """Whether −0.5 < r1 < 0, as the model has it, and no variance is negative."""
    detrended_r1: Estimate | None
    """The same with the linear drift of the intervals taken off, here and below."""
    detrended_clock_unbiased_ms2: Estimate | None
    detrended_motor_unbiased_ms2: Estimate | None
    detrended_admissible: bool | None


@dataclass(frozen=True)
class Directions(Result):
    """Directions on a circle described (Fisher 1993). The ends of an interval are NaN below ten values."""

    n: int
    resultant: Estimate | None
    """Length of the mean vector: 0 spread all round, 1 all alike."""
    direction_rad: Estimate | None
    sd_rad: Estimate | None
    """Circular standard deviation, √(−2 ln R)."""
    deviation_rad: Estimate | None
    """Angular deviation, √(2 (1 − R))."""
    logit: float | None
    """ln(R / (1 − R)), for tests that need normal values; None where R is 0 or 1."""
    rayleigh_z: float | None
    rayleigh_p: float | None
    """Of Rayleigh's test against an even spread, by Zar's approximation."""


@overload
def asynchrony(asynchronies_ms: ArrayLike) -> Asynchrony: ...
@overload
def asynchrony(
    asynchronies_ms: ArrayLike, groups: Groups, *, intervals: bool = False
) -> pd.DataFrame: ...
@overload
def asynchrony(
    asynchronies_ms: Any, *, by: By, column: str | None = None, intervals: bool = False
) -> pd.DataFrame: ...
def asynchrony(
    asynchronies_ms: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
) -> Asynchrony | pd.DataFrame:
    """Describe asynchronies, tap onset less pacing onset. The intervals of one run count how each value
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    asynchronies_ms
        Of one run in the order of its taps, in milliseconds; negative when early. NaN is a beat
        without a tap: the taps on both sides of it are no neighbours. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values,
        ``asynchrony_ms`` by default. Rows without a value are left out, and those of trials that do not
        count (``counts``). With a column ``beat``, taps to beats that do not follow one another are no neighbours. A missing label is a label of its own.
    intervals
        Whether a frame has standard error and interval of each number as well, in the columns
        NAME_standard_error, NAME_low, NAME_high and NAME_held, and ``why_not`` where a group has none.
        One run always has them.

    Returns
    -------
    A :class:`Asynchrony` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For labels that do not fit.

    Examples
    --------
    >>> found = asynchrony([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35])
    >>> print(found.sd_ms)
    21.2459 (95 % 10.2601 to 58.1386)
    >>> found.mean_ms * 2, found.mean_ms.low < -22.5 < found.mean_ms.high
    (-45.0, True)
    >>> asynchrony([-30, -20, 10], ["a", "a", "b"])["mean_ms"].tolist()
    [-25.0, 10.0]
    >>> taps = pd.DataFrame({"asynchrony_ms": [-30, None, -20, 10], "hand": ["l", "l", "l", "r"]})
    >>> asynchrony(taps, by="hand")["mean_ms"].to_dict()
    {'l': -25.0, 'r': 10.0}
    >>> asynchrony([-10, 10, np.nan, -10, 10]).lag_one.value
    -0.75
    """
    values, groups = of_frame(asynchronies_ms, groups, by, column, "asynchrony_ms", gaps="beats")
    return said(Asynchrony, _native.asynchronies, values, groups, _native.asynchrony_estimates_by_group, intervals)


@overload
def intervals(intervals_ms: ArrayLike) -> Intervals: ...
@overload
def intervals(
    intervals_ms: ArrayLike, groups: Groups, *, intervals: bool = False
) -> pd.DataFrame: ...
@overload
def intervals(
    intervals_ms: Any, *, by: By, column: str | None = None, intervals: bool = False
) -> pd.DataFrame: ...
def intervals(
    intervals_ms: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
) -> Intervals | pd.DataFrame:
    """Describe inter-tap intervals. The intervals for 95 % count how each value depends on those before
    it (Lazarus et al. 2018).

    Parameters
    ----------
    intervals_ms
        Of one run in the order of its taps, in milliseconds. NaN is one over a missed
        tap: those on both sides of it are no neighbours. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values,
        ``interval_ms`` by default. A row without a value parts its neighbours; rows of trials that do not
        count (``counts``) are left out. A missing label is a label of its own.
    intervals
        Whether a frame has standard error and interval of each number as well, in the columns
        NAME_standard_error, NAME_low, NAME_high and NAME_held, and ``why_not`` where a group has none.
        One run always has them.

    Returns
    -------
    A :class:`Intervals` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For labels that do not fit.
    """
    values, groups = of_frame(intervals_ms, groups, by, column, "interval_ms", gaps="rows")
    return said(Intervals, _native.intervals_of, values, groups, _native.interval_estimates_by_group, intervals)


@overload
def clock_and_motor(intervals_ms: ArrayLike, *, leave_out_slips: bool = True) -> ClockAndMotor: ...
@overload
def clock_and_motor(
    intervals_ms: ArrayLike, groups: Groups, *, intervals: bool = False, leave_out_slips: bool = True
) -> pd.DataFrame: ...
@overload
def clock_and_motor(
    intervals_ms: Any,
    *,
    by: By,
    column: str | None = None,
    intervals: bool = False,
    leave_out_slips: bool = True,
) -> pd.DataFrame: ...
def clock_and_motor(
    intervals_ms: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
    leave_out_slips: bool = True,
) -> ClockAndMotor | pd.DataFrame:
    """Part the variance of self-paced intervals into that of a clock and that of motor delays.
    :func:`chronotap.models.clock_and_motor_levels` has intervals by simulation, of runs within the
    model alone.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds. NaN is one over a missed
        tap: those on both sides of it are no neighbours. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values,
        ``interval_ms`` by default. A row without a value parts its neighbours; rows of trials that do not
        count (``counts``) are left out. A missing label is a label of its own.
    intervals
        Whether a frame has standard error and interval of each number as well, in the columns
        NAME_standard_error, NAME_low, NAME_high and NAME_held, and ``why_not`` where a group has none.
        One run always has them.
    leave_out_slips
        Whether intervals over missed taps and the parts of doubled ones are left out. Where they are
        not, there are no intervals for 95 %.

    Returns
    -------
    A :class:`ClockAndMotor` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For labels that do not fit.
    """
    values, groups = of_frame(intervals_ms, groups, by, column, "interval_ms", gaps="rows")

    def of(given: _native._Grouped) -> list[Column]:
        return _native.clock_and_motor(given, leave_out_slips)

    ends = _native.clock_and_motor_estimates_by_group if leave_out_slips else None
    return said(ClockAndMotor, of, values, groups, ends, intervals)


@overload
def directions(angles_rad: ArrayLike) -> Directions: ...
@overload
def directions(
    angles_rad: ArrayLike, groups: Groups, *, intervals: bool = False
) -> pd.DataFrame: ...
@overload
def directions(
    angles_rad: Any, *, by: By, column: str | None = None, intervals: bool = False
) -> pd.DataFrame: ...
def directions(
    angles_rad: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
) -> Directions | pd.DataFrame:
    """Describe taps as directions on a circle that one interval goes round.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians; :func:`angles` makes them of asynchronies. Or a
        frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values,
        ``angle_rad`` by default. Rows without a value are left out, and those of trials that do not
        count (``counts``). A missing label is a label of its own.
    intervals
        Whether a frame has standard error and interval of each number as well, in the columns
        NAME_standard_error, NAME_low, NAME_high and NAME_held, and ``why_not`` where a group has none.
        One run always has them.

    Returns
    -------
    A :class:`Directions` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values and for labels that do not fit.
    """
    values, groups = of_frame(angles_rad, groups, by, column, "angle_rad")
    return said(Directions, _native.directions, values, groups, _native.direction_estimates_by_group, intervals)


def angles(asynchronies_ms: ArrayLike, interval_ms: ArrayLike) -> NDArray[np.float64]:
    """Asynchronies as directions in radians: 2π · asynchrony / interval.

    Parameters
    ----------
    asynchronies_ms
        In milliseconds.
    interval_ms
        Of the pacing: one, or one for each asynchrony.

    Returns
    -------
    One direction for each asynchrony.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For an interval that is not above 0, and for as many intervals as there are not asynchronies.
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
