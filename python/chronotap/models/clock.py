"""Clock and motor variance of self-paced intervals, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, said
from chronotap._results import Estimate, Result
from chronotap._values import whole
from chronotap.frames import Column


@dataclass(frozen=True)
class ClockAndMotorLevels(Result):
    """Clock and motor variance without the bias of short runs."""

    clock_ms2: Estimate
    motor_ms2: Estimate
    seed: int
    """What the simulated runs behind the intervals were drawn from."""
    runs: int


@dataclass(frozen=True)
class ClockAndMotorEstimates(Result):
    """Clock and motor variance, each with its interval by formula."""

    clock_ms2: Estimate
    motor_ms2: Estimate | None
    """``None`` where neighbours are so alike that the model allows of no motor variance."""
    r1: Estimate
    """Lag-1 autocorrelation of the intervals."""


@overload
def clock_and_motor_levels(intervals_ms: ArrayLike, *, seed: int = 1) -> ClockAndMotorLevels: ...
@overload
def clock_and_motor_levels(
    intervals_ms: ArrayLike, groups: Groups, *, seed: int = 1
) -> pd.DataFrame: ...
def clock_and_motor_levels(
    intervals_ms: ArrayLike, groups: Groups | None = None, *, seed: int = 1
) -> ClockAndMotorLevels | pd.DataFrame:
    """Clock and motor variance of self-paced intervals, each with an interval by simulation
    from the model. Intervals over missed and doubled taps are left out.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    seed
        What the simulated runs are drawn from, 1,000 for each group.
    """
    drawn = whole("seed", seed, most=2**53)

    def of(given: _native._Grouped) -> list[Column]:
        return _native.clock_and_motor_levels_by_group(given, drawn)

    return said(ClockAndMotorLevels, of, intervals_ms, groups)


@overload
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, *, detrended: bool = False
) -> ClockAndMotorEstimates: ...
@overload
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, groups: Groups, *, detrended: bool = False
) -> pd.DataFrame: ...
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, groups: Groups | None = None, *, detrended: bool = False
) -> ClockAndMotorEstimates | pd.DataFrame:
    """Clock and motor variance of self-paced intervals, with intervals by formula. Every run has
    them, also one whose estimates lie outside the model (a variance below 0 by chance).
    :func:`clock_and_motor_levels` has intervals by simulation, of runs within the model alone.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    detrended
        Whether the linear drift of the intervals is taken off.
    """

    def of(given: _native._Grouped) -> list[Column]:
        return _native.clock_and_motor_estimates_by_group(given, detrended)

    return said(ClockAndMotorEstimates, of, intervals_ms, groups)
