"""One run of values, or each group of many, described by the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, cell_of, grouped, typed, ungrouped
from chronotap._results import Result, result_of
from chronotap.frames import Column

R = TypeVar("R", bound=Result)


def described(
    kind: type[R],
    of: Callable[[_native._Grouped], Sequence[Column]],
    values: ArrayLike,
    groups: Groups | None,
) -> R | pd.DataFrame:
    if groups is None:
        columns = of(ungrouped(values))
        return result_of(kind, {name: cell_of(kind, name, cells[0]) for name, cells, *_ in columns})
    given, labels = grouped(values, groups)
    columns = of(given)
    # Made at once: each conversion of a column that stands in a frame costs more than a statistic.
    return pd.DataFrame({name: typed(kind, name, cells) for name, cells, *_ in columns}, labels)
