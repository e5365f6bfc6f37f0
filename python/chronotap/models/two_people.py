"""Two columns of intervals against each other: who follows whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, Pair, said_of_two
from chronotap._results import Estimate, Result


@dataclass(frozen=True)
class Following(Result):
    """The intervals of two people against each other."""

    n: int
    first_follows: Estimate
    """Cross-correlation at lag −1."""
    together: Estimate
    """At lag 0."""
    second_follows: Estimate
    """At lag 1."""
    band: float
    """Half the width of the band of no correlation."""
    coupling: Literal["FirstLeads", "SecondLeads", "Mutual", "None"]
    """Without linear drifts; somebody leads only where the two correlations differ beyond chance."""


@overload
def following(first_ms: ArrayLike, second_ms: ArrayLike) -> Following: ...
@overload
def following(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair, *, intervals: bool = False
) -> pd.DataFrame: ...
def following(
    first_ms: ArrayLike,
    second_ms: ArrayLike,
    groups: Groups | Pair | None = None,
    *,
    intervals: bool = False,
) -> Following | pd.DataFrame:
    """Who follows whom, by cross-correlation at lags −1, 0 and 1 (Konvalinka et al. 2010).

    Parameters
    ----------
    first_ms, second_ms
        At least 15 intervals of each of two people, of the same places, in milliseconds. NaN stands for an
        interval to or from a missed tap, so that those on both sides of it are no neighbours.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    intervals
        Whether a frame has standard error and interval of each correlation as well. One pair always
        has them.

    Returns
    -------
    A :class:`Following` of one pair; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For labels that do not fit, and where one run gives no estimate: why. Of groups ``why_not`` says it.
    """
    ends = _native.following_estimates_by_group
    return said_of_two(Following, _native.following_by_group, first_ms, second_ms, groups, ends, intervals)
