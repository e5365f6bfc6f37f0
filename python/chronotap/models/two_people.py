"""Two columns of intervals against each other: who follows whom, and who predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, Pair, said_of_two
from chronotap._results import Estimate, Result


@dataclass(frozen=True)
class TrackingEstimates(Result):
    """Prediction and tracking (:func:`chronotap.responses.tracking`), each with its interval."""

    n: int
    r0: Estimate | None
    r1: Estimate | None
    ratio: Estimate | None
    """None unless both are above 0."""
    index: Estimate | None
    r0_less_own: Estimate | None
    r1_less_own: Estimate | None


@dataclass(frozen=True)
class FollowingEstimates(Result):
    """The cross-correlations of :func:`following`, each with its interval."""

    n: int
    first_follows: Estimate | None
    together: Estimate | None
    second_follows: Estimate | None


@dataclass(frozen=True)
class Following(Result):
    """The intervals of two people against each other."""

    n: int
    first_follows: float
    """Cross-correlation at lag −1."""
    together: float
    """At lag 0."""
    second_follows: float
    """At lag 1."""
    band: float
    """Half the width of the band of no correlation."""
    coupling: Literal["FirstLeads", "SecondLeads", "Mutual", "None"]
    """Without linear drifts; somebody leads only where the two correlations differ beyond chance."""


@overload
def following(first_ms: ArrayLike, second_ms: ArrayLike) -> Following: ...
@overload
def following(first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair) -> pd.DataFrame: ...
def following(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair | None = None
) -> Following | pd.DataFrame:
    """Who follows whom, by cross-correlation at lags −1, 0 and 1 (Konvalinka et al. 2010).

    Parameters
    ----------
    first_ms, second_ms
        At least 15 intervals of each of two people, of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    return said_of_two(Following, _native.following_by_group, first_ms, second_ms, groups)


@overload
def following_estimates(first_ms: ArrayLike, second_ms: ArrayLike) -> FollowingEstimates: ...
@overload
def following_estimates(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair
) -> pd.DataFrame: ...
def following_estimates(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair | None = None
) -> FollowingEstimates | pd.DataFrame:
    """Who follows whom, with the intervals of the three correlations.

    Parameters
    ----------
    first_ms, second_ms
        At least 15 intervals of each of two people, of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    return said_of_two(FollowingEstimates, _native.following_estimates_by_group, first_ms, second_ms, groups)


@overload
def tracking_estimates(taps_ms: ArrayLike, pacing_ms: ArrayLike) -> TrackingEstimates: ...
@overload
def tracking_estimates(
    taps_ms: ArrayLike, pacing_ms: ArrayLike, groups: Groups | Pair
) -> pd.DataFrame: ...
def tracking_estimates(
    taps_ms: ArrayLike, pacing_ms: ArrayLike, groups: Groups | Pair | None = None
) -> TrackingEstimates | pd.DataFrame:
    """Prediction and tracking (Pecenka & Keller 2009), with their intervals.

    Parameters
    ----------
    taps_ms, pacing_ms
        At least ten intervals of taps and pacing of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    return said_of_two(TrackingEstimates, _native.tracking_estimates_by_group, taps_ms, pacing_ms, groups)
