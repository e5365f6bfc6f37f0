"""What describes one run of asynchronies, intervals or reproduced rhythms, each with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded, one_of, said, table
from chronotap._results import Estimate, Result
from chronotap._values import values_of


@dataclass(frozen=True)
class AsynchronyEstimates(Result):
    """What describes the asynchronies of one run, each with its interval."""

    n: int
    mean_ms: Estimate
    median_ms: Estimate
    sd_ms: Estimate | None
    """None where nothing varies, here and below."""
    mean_absolute_ms: Estimate | None
    rms_ms: Estimate | None
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class IntervalEstimates(Result):
    """What describes the inter-tap intervals of one run, each with its interval."""

    n: int
    mean_ms: Estimate
    median_ms: Estimate
    sd_ms: Estimate | None
    """None where nothing varies, here and below."""
    cv: Estimate | None
    rmssd_ms: Estimate | None
    drift_ms_per_interval: Estimate | None
    npvi: Estimate | None
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class ReproductionEstimates(Result):
    """The errors of reproduced rhythms, from one round to the next, each with its interval."""

    rounds: int
    """Rounds in which something was reproduced."""
    error_ms: Estimate
    """The constant error: the mean of reproduced - heard."""
    sd_ms: Estimate | None
    """The variable error, about the mean of each interval; None where nothing varies."""
    absolute_error_ms: Estimate | None
    """None where there is no error."""


@overload
def asynchrony_estimates(asynchronies_ms: ArrayLike) -> AsynchronyEstimates: ...
@overload
def asynchrony_estimates(asynchronies_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def asynchrony_estimates(
    asynchronies_ms: ArrayLike, groups: Groups | None = None
) -> AsynchronyEstimates | pd.DataFrame:
    """What describes at least ten asynchronies of one run, with intervals that count how each
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    asynchronies_ms
        Of one run in the order of its taps, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.

    Examples
    --------
    >>> found = asynchrony_estimates([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35])
    >>> print(found.mean_ms.low < -22.5 < found.mean_ms.high)
    True
    """
    return said(AsynchronyEstimates, _native.asynchrony_estimates_by_group, asynchronies_ms, groups)


@overload
def interval_estimates(intervals_ms: ArrayLike) -> IntervalEstimates: ...
@overload
def interval_estimates(intervals_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def interval_estimates(
    intervals_ms: ArrayLike, groups: Groups | None = None
) -> IntervalEstimates | pd.DataFrame:
    """What describes at least ten inter-tap intervals of one run, with intervals that count how each
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    intervals_ms
        Of one run in the order of its taps, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    return said(IntervalEstimates, _native.interval_estimates_by_group, intervals_ms, groups)


@overload
def reproduction_estimates(errors_ms: Iterable[ArrayLike]) -> ReproductionEstimates: ...
@overload
def reproduction_estimates(errors_ms: Iterable[ArrayLike], groups: Groups) -> pd.DataFrame: ...
def reproduction_estimates(
    errors_ms: Iterable[ArrayLike], groups: Groups | None = None
) -> ReproductionEstimates | pd.DataFrame:
    """The errors of at least two rounds, with their intervals (Student's t over rounds; chi squared
    for the variable error).

    Parameters
    ----------
    errors_ms
        Of each round its errors, reproduced - heard in the order of the rhythm, in milliseconds. A
        round that breaks off has fewer.
    groups
        One label for each round, or a frame of labels: then a row for each group.

    Examples
    --------
    >>> found = reproduction_estimates([[12, -8], [20, 3], [4], [15, -1]])
    >>> print(found.rounds, found.error_ms.low < found.error_ms.value < found.error_ms.high)
    4 True
    """
    rounds = [values_of(one) for one in errors_ms]
    codes, labels = coded(np.zeros(len(rounds), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(rounds):
        raise ValueError(f"{len(rounds)} rounds and {len(codes)} groups: give one for each")
    count = max(len(labels), 1) if groups is None else len(labels)
    columns = _native.reproduction_estimates_by_group(rounds, codes.tolist(), count)
    if groups is not None:
        return table(columns, labels, ReproductionEstimates)
    return ReproductionEstimates(**one_of(ReproductionEstimates, columns))
