"""Detrended fluctuation analysis: the points of its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import By, Groups, grouped, of_frame, one_of, table, ungrouped
from chronotap._results import Result
from chronotap._values import whole


@dataclass(frozen=True)
class FluctuationLine(Result):
    """Detrended fluctuation analysis with the points of its line."""

    exponent: float
    points: tuple[tuple[int, float], ...]
    """Each window, in values, and the fluctuation in the unit of the values."""

    def to_frame(self) -> pd.DataFrame:
        """A row for each window: ``window``, ``fluctuation``, and the ``exponent`` of all."""
        found = pd.DataFrame(list(self.points), columns=["window", "fluctuation"])
        return found.assign(exponent=self.exponent)


@overload
def fluctuation_line(
    values: ArrayLike, *, windows: Sequence[int] | None = None
) -> FluctuationLine: ...
@overload
def fluctuation_line(
    values: ArrayLike, groups: Groups, *, windows: Sequence[int] | None = None
) -> pd.DataFrame: ...
@overload
def fluctuation_line(
    values: Any, *, by: By, column: str, windows: Sequence[int] | None = None
) -> pd.DataFrame: ...
def fluctuation_line(
    values: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    windows: Sequence[int] | None = None,
) -> FluctuationLine | pd.DataFrame:
    """Detrended fluctuation analysis, DFA-1 (Peng et al. 1994), of at least 64 values, better 512,
    without gaps.

    Parameters
    ----------
    values
        In any unit. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each window of each group,
        with ``window`` (in values), ``fluctuation`` and the ``exponent`` of the group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values. Rows
        without a value are left out, and those of trials that do not count (``counts``). A missing label is
        a label of its own.
    windows
        Each of 4 values or more; by default about twelve from 10 to a quarter of the values.

    Returns
    -------
    A :class:`FluctuationLine` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    wanted = None if windows is None else [whole("windows", window) for window in windows]
    values, groups = of_frame(values, groups, by, column)
    given, labels = (ungrouped(values), None) if groups is None else grouped(values, groups)
    columns = _native.fluctuation_by_group(given, wanted)
    if labels is not None:
        return table(columns, labels, None)
    exponent = one_of(None, columns)["exponent"]
    _, (_, sizes, *_), (_, fluctuations, *_), *_ = columns
    points = zip(sizes.tolist(), fluctuations.tolist())
    return FluctuationLine(exponent, tuple((int(window), size) for window, size in points))
