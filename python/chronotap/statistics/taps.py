"""Asynchronies, intervals and directions of taps described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._groups import Groups
from chronotap._results import Result
from chronotap._values import LONGEST_MS, cells_of
from chronotap.frames import Column
from chronotap.statistics._described import described


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
    return described(Asynchrony, _native.asynchronies, asynchronies_ms, groups)


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
    return described(Intervals, _native.intervals_of, intervals_ms, groups)


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

    return described(ClockAndMotor, of, intervals_ms, groups)


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
    return described(Directions, _native.directions, angles_rad, groups)


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
