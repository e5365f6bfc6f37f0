"""How values of a series depend on those before them, and on another series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import By, Groups, Pair, of_frame, one_of, paired, rows_of, said, table, ungrouped
from chronotap._results import Estimate, Result
from chronotap._values import whole
from chronotap.frames import Column

_FARTHEST = 2**31


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
class Fluctuation(Result):
    """Detrended fluctuation analysis, DFA-1 (Peng et al. 1994)."""

    n: int
    exponent: Estimate | None
    """0.5 for white noise, 1 for 1/f noise, 1.5 for a random walk; None below 64 values. The ends of
    its interval are NaN unless it was asked for."""


@overload
def autocorrelation(values: ArrayLike, *, lag: int = 1) -> Autocorrelation: ...
@overload
def autocorrelation(values: ArrayLike, groups: Groups, *, lag: int = 1) -> pd.DataFrame: ...
@overload
def autocorrelation(values: Any, *, by: By, column: str, lag: int = 1) -> pd.DataFrame: ...
def autocorrelation(
    values: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    lag: int = 1,
) -> Autocorrelation | pd.DataFrame:
    """The autocorrelation of values at a lag.

    Parameters
    ----------
    values
        In any unit. NaN is one that is missing: no pair reaches across it. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values. A
        row without a value parts its neighbours; rows of trials that do not count (``counts``) are left out. A missing label is
        a label of its own.
    lag
        How many places later.

    Returns
    -------
    A :class:`Autocorrelation` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For labels that do not fit.
    """
    distance = whole("lag", lag, most=_FARTHEST)
    values, groups = of_frame(values, groups, by, column, gaps="rows")

    def of(given: _native._Grouped) -> list[Column]:
        return _native.autocorrelations(given, distance)

    return said(Autocorrelation, of, values, groups)


@overload
def fluctuation(values: ArrayLike, *, intervals: bool = False, seed: int = 1) -> Fluctuation: ...
@overload
def fluctuation(
    values: ArrayLike, groups: Groups, *, intervals: bool = False, seed: int = 1
) -> pd.DataFrame: ...
@overload
def fluctuation(
    values: Any, *, by: By, column: str, intervals: bool = False, seed: int = 1
) -> pd.DataFrame: ...
def fluctuation(
    values: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
    seed: int = 1,
) -> Fluctuation | pd.DataFrame:
    """Detrended fluctuation analysis of a long run of values without gaps.
    :func:`chronotap.models.fluctuation_line` has the points of its line.

    Parameters
    ----------
    values
        In any unit. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values. Rows
        without a value are left out, and those of trials that do not count (``counts``). A missing label is
        a label of its own.
    intervals
        Whether the exponent has an interval, by simulation of 400 runs of fractional noise with that
        exponent; it takes about as long as 400 calls.
    seed
        What the noise is drawn from.

    Returns
    -------
    A :class:`Fluctuation` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values and for labels that do not fit.
    """
    drawn = whole("seed", seed, most=2**53)
    values, groups = of_frame(values, groups, by, column)

    def ends(given: _native._Grouped) -> list[Column]:
        return _native.exponent_estimate_by_group(given, drawn)

    wanted = ends if intervals else None
    return said(Fluctuation, _native.fluctuations, values, groups, wanted, intervals)


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

    Returns
    -------
    A :class:`CrossCorrelation` of one pair; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values and for labels that do not fit.

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


def windowed_cross_correlation(
    first: ArrayLike,
    second: ArrayLike,
    groups: Groups | Pair | None = None,
    *,
    window: int = 10,
    step: int = 1,
    lags: int = 2,
) -> pd.DataFrame:
    """Cross-correlations in windows that move along two columns, such as the intervals of two people:
    coupling that changes with time (Boker, Xu, Rotondo & King 2002).

    Parameters
    ----------
    first, second
        In any unit, of the same places.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then the rows of
        each group, with its label as their index.
    window
        So many values are correlated at a time, at least 4.
    step
        How many places the next window is later.
    lags
        From so many places earlier to so many later is the second laid beside the first.

    Returns
    -------
    A row for each window and lag: ``start`` (the place of the window's first value, from 0), ``lag``
    (at 1 the second is one place later: it follows), and ``r``, missing where one does not vary.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.

    Examples
    --------
    >>> first = [3, 1, 4, 1, 5, 9, 2, 6]
    >>> found = windowed_cross_correlation(first, [0, *first[:-1]], window=4, lags=1)
    >>> float(found[found["lag"] == 1]["r"].min())
    1.0
    """
    sizes = whole("window", window, 4, _FARTHEST), whole("step", step, 1, _FARTHEST)
    asked = (*sizes, whole("lags", lags, 0, _FARTHEST))
    if groups is not None:
        one, other, labels = paired(first, second, groups)
        return table(_native.windowed_cross_correlations(one, other, *asked), labels, None)
    columns = _native.windowed_cross_correlations(ungrouped(first), ungrouped(second), *asked)
    one_of(None, columns)  # why there is none
    return rows_of(columns, None)
