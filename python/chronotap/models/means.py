"""Means, differences and shares of independent values."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import By, Groups, Pair, grouped, of_frame, one_of, paired, table, ungrouped
from chronotap._results import Estimate, Result


@dataclass(frozen=True)
class Share(Result):
    """So many of so many."""

    count: int
    of: int
    share: float
    low: float
    """Lower end of the interval of Wilson for 95 %."""
    high: float


@overload
def mean(values: ArrayLike) -> Estimate: ...
@overload
def mean(values: ArrayLike, groups: Groups) -> pd.DataFrame: ...
@overload
def mean(values: Any, *, by: By, column: str) -> pd.DataFrame: ...
def mean(
    values: Any, groups: Groups | None = None, *, by: By | None = None, column: str | None = None
) -> Estimate | pd.DataFrame:
    """The mean of independent values (one a trial, not one a tap) with Student's interval.

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

    Returns
    -------
    The mean as an :class:`chronotap.Estimate`; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.

    Examples
    --------
    >>> print(mean([1, 2, 3, 4]))
    2.5 (95 % 0.44574 to 4.55426)
    >>> mean([1, 2, 3, 4], ["a", "a", "b", "b"])["mean"].tolist()
    [1.5, 3.5]
    """
    values, groups = of_frame(values, groups, by, column)
    if groups is not None:
        given, labels = grouped(values, groups)
        return table(_native.mean_by_group(given), labels, None)
    found: Estimate = one_of(None, _native.mean_by_group(ungrouped(values)))["mean"]
    return found


@overload
def difference(first: ArrayLike, second: ArrayLike) -> Estimate: ...
@overload
def difference(first: ArrayLike, second: ArrayLike, groups: Pair) -> pd.DataFrame: ...
def difference(
    first: ArrayLike, second: ArrayLike, groups: Pair | None = None
) -> Estimate | pd.DataFrame:
    """The difference of two means of independent values, first less second, with Welch's (1947)
    interval.

    Parameters
    ----------
    first, second
        In one unit.
    groups
        The labels of the first and those of the second: then a row for each group.

    Returns
    -------
    The difference as an :class:`chronotap.Estimate`; of groups a frame with a row for each, its label as the
    index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    if groups is not None:
        *given, labels = paired(first, second, groups)
        return table(_native.difference_by_group(*given), labels, None)
    given = [ungrouped(first), ungrouped(second)]
    found: Estimate = one_of(None, _native.difference_by_group(*given))["difference"]
    return found


@overload
def share(count: int, of: int) -> Share: ...
@overload
def share(count: ArrayLike, of: ArrayLike) -> Share | pd.DataFrame: ...
def share(count: ArrayLike, of: ArrayLike) -> Share | pd.DataFrame:
    """A share, such as that of trials with an error, with the interval of Wilson (1927).

    Parameters
    ----------
    count, of
        So many of so many; or columns of such numbers, which give a row for each two.

    Returns
    -------
    The share with its interval; of several counts a frame with a row for each.

    Raises
    ------
    TypeError
        For counts that are no whole numbers.
    ValueError
        For counts below 0 or above that of all.

    Examples
    --------
    >>> print(share(3, 20).low < 0.15 < share(3, 20).high)
    True
    >>> share([3, 5], 20)["share"].tolist()
    [0.15, 0.25]
    """
    given = {"count": np.asarray(count), "of": np.asarray(of)}
    for name, cells in given.items():
        if cells.dtype.kind not in "iu" and cells.size:
            raise TypeError(f"{name} = {reprlib.repr(cells.tolist())}: give whole numbers")
        if cells.ndim > 1:
            raise ValueError(f"{name} has {cells.ndim} dimensions: give a number or a column")
    if len({len(cells) for cells in given.values() if cells.ndim}) > 1:
        told = " and ".join(f"{name} has {len(cells)}" for name, cells in given.items())
        raise ValueError(f"{told} numbers: give one for each, or one for all")
    counts, ofs = np.broadcast_arrays(*given.values())
    if (counts > ofs).any() or (counts < 0).any():
        raise ValueError("a share is so many of at least as many, and none below 0")
    whole = (np.ascontiguousarray(cells, dtype=np.int64).ravel() for cells in (counts, ofs))
    columns = _native.shares_of(*whole)
    if counts.ndim == 0:
        return Share(**one_of(Share, columns))
    return table(columns, pd.RangeIndex(len(counts)), Share)
