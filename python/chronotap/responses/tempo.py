"""What follows a tempo that changes: prediction and tracking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, Pair, said_of_two
from chronotap._results import Estimate, Result


@dataclass(frozen=True)
class Tracking(Result):
    """Whether somebody predicts a changing tempo or follows it (Pecenka & Keller 2009)."""

    n: int
    r0: Estimate
    """Correlation with the pacing's interval of the same place: prediction."""
    r1: Estimate
    """With the one before: tracking."""
    ratio: Estimate | None
    """None unless both are above 0."""
    index: Estimate
    """r0 − r1."""
    own: float
    """The pacing's own correlation of neighbouring intervals, tapped or not."""
    r0_less_own: Estimate | None
    r1_less_own: Estimate | None


@overload
def tracking(intervals_ms: ArrayLike, pacing_ms: ArrayLike) -> Tracking: ...
@overload
def tracking(
    intervals_ms: ArrayLike, pacing_ms: ArrayLike, groups: Groups | Pair, *, intervals: bool = False
) -> pd.DataFrame: ...
def tracking(
    intervals_ms: ArrayLike,
    pacing_ms: ArrayLike,
    groups: Groups | Pair | None = None,
    *,
    intervals: bool = False,
) -> Tracking | pd.DataFrame:
    """Prediction and tracking (Pecenka & Keller 2009).

    Parameters
    ----------
    intervals_ms, pacing_ms
        At least ten inter-tap intervals and those of the pacing, of the same places, in milliseconds. NaN stands
        for an interval to or from a missed tap, so that those on both sides of it are no neighbours; none
        of the pacing is missing.
    groups
        One label for each pair of values, or a frame of labels: then a row for each group.
    intervals
        Whether a frame has standard error and interval of each number as well. One run always has them.

    Returns
    -------
    A :class:`Tracking` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values of the pacing, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    ends = _native.tracking_estimates_by_group
    return said_of_two(Tracking, _native.tracking_by_group, intervals_ms, pacing_ms, groups, ends, intervals)
