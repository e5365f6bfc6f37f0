"""Clock and motor variance of self-paced intervals, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import By, Groups, of_frame, said
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


@overload
def clock_and_motor_levels(intervals_ms: ArrayLike, *, seed: int = 1) -> ClockAndMotorLevels: ...
@overload
def clock_and_motor_levels(
    intervals_ms: ArrayLike, groups: Groups, *, seed: int = 1
) -> pd.DataFrame: ...
@overload
def clock_and_motor_levels(
    intervals_ms: Any, *, by: By, column: str | None = None, seed: int = 1
) -> pd.DataFrame: ...
def clock_and_motor_levels(
    intervals_ms: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    seed: int = 1,
) -> ClockAndMotorLevels | pd.DataFrame:
    """Clock and motor variance of self-paced intervals, each with an interval by simulation
    from the model. Intervals over missed and doubled taps are left out. Of a run whose estimates lie
    outside the model there are none; :func:`chronotap.statistics.clock_and_motor` has intervals by
    formula of every run.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds. NaN is one over a missed
        tap: those on both sides of it are no neighbours. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values, ``interval_ms`` by default. A
        row without a value parts its neighbours; rows of trials that do not count (``counts``) are left out. A missing label is
        a label of its own.
    seed
        What the simulated runs are drawn from, 1,000 for each group.

    Returns
    -------
    A :class:`ClockAndMotorLevels` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    drawn = whole("seed", seed, most=2**53)
    values, groups = of_frame(intervals_ms, groups, by, column, "interval_ms", gaps="rows")

    def of(given: _native._Grouped) -> list[Column]:
        return _native.clock_and_motor_levels_by_group(given, drawn)

    return said(ClockAndMotorLevels, of, values, groups)
