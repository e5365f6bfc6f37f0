"""The lateness of output described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, grouped, rows_of, said, ungrouped
from chronotap._results import Result
from chronotap._values import finite
from chronotap.frames import Column


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

    Returns
    -------
    A :class:`Lateness` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values and for labels that do not fit.

    Examples
    --------
    >>> lateness([-1500, 3, 1000, 1000.001]).over_limit
    2
    """

    limit = finite("limit_us", limit_us, 0)

    def of(values: _native._Grouped) -> list[Column]:
        return _native.lateness_of(values, limit)

    return said(Lateness, of, lateness_us, groups)


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

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values and for labels that do not fit.
    """
    given, labels = (ungrouped(lateness_us), None) if groups is None else grouped(lateness_us, groups)
    return rows_of(_native.lateness_histogram(given), labels)
