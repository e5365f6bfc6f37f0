"""The errors of reproduced rhythms, each with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded, one_of, table
from chronotap._results import Estimate, Result
from chronotap._values import values_of


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

    Returns
    -------
    A :class:`ReproductionEstimates` of all rounds together; of groups a frame with a row for each, its label as
    the index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.

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
