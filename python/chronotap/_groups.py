"""Many groups at once: the numbers of groups from their labels, and the columns of the extension as
a frame with the labels as its index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._results import Result
from chronotap.frames import Column

Groups: TypeAlias = "ArrayLike | Sequence[object] | pd.Series[Any] | pd.Index[Any] | pd.DataFrame"
"""One label for each value, or a frame with several columns of labels."""

Pair: TypeAlias = tuple[Groups, Groups]
"""The labels of two columns of values."""


def values_of(values: ArrayLike) -> NDArray[np.float64]:
    """One run of values, none of them missing."""
    cells = cells_of(values)
    if not np.isfinite(cells).all():
        raise ValueError("some values are missing or not finite: leave them out first")
    return cells


def cells_of(values: ArrayLike) -> NDArray[np.float64]:
    """One run of values, of which some may be missing (NaN)."""
    kind = np.asarray(values).dtype.kind
    if kind in "mMUS":
        # numpy would take a timedelta for its nanoseconds, and a text for the number that it spells.
        names = {"m": "durations", "M": "dates", "U": "texts", "S": "texts"}
        raise TypeError(f"values are {names[kind]}: give numbers, times in milliseconds")
    cells = np.ascontiguousarray(values, dtype=np.float64)
    if cells.ndim != 1:
        raise ValueError(f"values of {cells.ndim} dimensions: give one run of values")
    return cells


def onsets_of(values: ArrayLike) -> NDArray[np.float64]:
    """One run of onsets, none of them missing, in ascending order."""
    cells = values_of(values)
    back = np.flatnonzero(np.diff(cells) < 0)
    if len(back):
        before, after = cells[back[0]], cells[back[0] + 1]
        raise ValueError(f"{after:g} comes behind {before:g}: give onsets in ascending order")
    return cells


def from_zero(name: str, number: int) -> int:
    """A whole number of 0 or more."""
    if number < 0:
        raise ValueError(f"{name} = {number}: give a whole number of 0 or more")
    return number


def coded(groups: Groups) -> tuple[NDArray[np.int64], pd.Index[Any]]:
    """The number of each value's group, from 0, and the groups' labels in the order in which they
    first come."""
    if isinstance(groups, pd.MultiIndex):
        groups = groups.to_frame(index=False)
    names = getattr(groups, "column_names", getattr(groups, "columns", None))
    if names is not None and not isinstance(groups, pd.DataFrame):
        given: Any = groups  # a frame of polars or arrow
        groups = pd.DataFrame({name: np.asarray(given[name]) for name in names})
    if isinstance(groups, pd.DataFrame):
        keys = [groups[name] for name in groups.columns]
        if not keys:
            raise ValueError("a frame of labels without a column: give at least one")
        codes, firsts = _native.groups_of(_numbered(keys))
        first = [key.iloc[firsts] for key in keys]
        return codes, pd.MultiIndex.from_arrays(first, names=list(groups.columns))
    name = getattr(groups, "name", None) or "group"
    whole = np.asarray(groups) if not isinstance(groups, pd.Series) else groups.to_numpy()
    if whole.ndim == 1 and whole.dtype.kind == "i":
        codes, firsts = _native.groups_of(np.ascontiguousarray(whole, dtype=np.int64))
        return codes, pd.Index(whole[firsts], name=name)
    foreign = whole.ndim == 1 and not isinstance(groups, (pd.Series, list, tuple))
    numbers, found = pd.factorize(pd.Series(whole if foreign else groups))
    return np.ascontiguousarray(numbers, dtype=np.int64), pd.Index(found, name=name)


def grouped(values: ArrayLike, groups: Groups) -> tuple[_native._Grouped, pd.Index[Any]]:
    """Values with the numbers of their groups, and the groups' labels."""
    codes, labels = coded(groups)
    return (cells_of(values), codes, len(labels)), labels


def paired(
    first: ArrayLike, second: ArrayLike, groups: Groups | Pair
) -> tuple[_native._Grouped, _native._Grouped, pd.Index[Any]]:
    """Two columns of values with the numbers of the same groups: labels for each of both, or one
    for each two that stand in the same place."""
    one, other = cells_of(first), cells_of(second)
    if isinstance(groups, tuple) and len(groups) == 2 and not np.isscalar(groups[0]):
        both: Any = groups
        codes, labels = coded(both[0] if both[0] is both[1] else _both(*both))
        count = len(codes) - len(both[1])
        of = (codes, codes) if both[0] is both[1] else (codes[:count], codes[count:])
    else:
        codes, labels = coded(groups)
        of = codes, codes
    return (one, of[0], len(labels)), (other, of[1], len(labels)), labels


def _both(first: Groups, second: Groups) -> Groups:
    """The labels of the one, then those of the other."""
    if isinstance(first, pd.DataFrame) and isinstance(second, pd.DataFrame):
        return pd.concat([first, second], ignore_index=True)
    parts = [pd.Series(part) for part in (first, second)]
    if all(part.dtype.kind == "i" for part in parts):
        return pd.Series(np.concatenate([part.to_numpy() for part in parts]), name=parts[0].name)
    both = pd.concat(parts, ignore_index=True)
    return both.rename(getattr(first, "name", None))


def rows_of(columns: Sequence[Column], labels: pd.Index[Any]) -> pd.DataFrame:
    """The same without ``why_not``, of what always gives something."""
    return table(columns[:-1], labels, None)


def table(
    columns: Sequence[Column], labels: pd.Index[Any], kind: type[Result] | None
) -> pd.DataFrame:
    """A frame with the labels as its index; ``why_not`` stands last."""
    (_, of, *_), *rest = columns
    single = len(of) == len(labels) and bool((of == np.arange(len(of))).all())
    index = labels if single else labels.take(of)
    # Made at once: each conversion of a column that stands in a frame costs more than a statistic.
    return pd.DataFrame({column[0]: _column(kind, column) for column in rest}, index)


def _column(kind: type[Result] | None, column: Column) -> Any:
    name, cells, _, words = column
    if words is not None:
        return pd.Categorical.from_codes(cells, categories=pd.Index(words, dtype=str))
    return typed(kind, name, cells)


WHOLE = {
    "lag",
    "n",
    "beat",
    "tap",
    "window",
    "trials",
    "too_short",
    "matched",
    "unmatched",
    "complete",
    "incomplete",
}
"""Columns of whole numbers of frames that no dataclass describes."""


def typed(kind: type[Result] | None, name: str, cells: NDArray[np.float64]) -> Any:
    """A column, of whole numbers or truth values where the dataclass says so."""
    whole = name in WHOLE if kind is None else is_whole(kind, name)
    if not whole and not is_truth(kind, name):
        return cells
    missing = np.isnan(cells)
    there = np.where(missing, 0, cells)
    if whole:
        return pd.arrays.IntegerArray(there.astype(np.int64), missing)
    return pd.arrays.BooleanArray(there.astype(np.bool_), missing)


def is_whole(kind: type[Result] | None, name: str) -> bool:
    """Whether a field holds whole numbers."""
    return str(getattr(kind, "__annotations__", {}).get(name)).startswith("int")


def is_truth(kind: type[Result] | None, name: str) -> bool:
    """Whether a field holds truth values."""
    return str(getattr(kind, "__annotations__", {}).get(name)).startswith("bool")


def _numbered(keys: Sequence[pd.Series[Any]]) -> NDArray[np.int64]:
    """One whole number for each row, alike where all labels are; a missing label is one, too."""
    whole = np.zeros(len(keys[0]) if keys else 0, dtype=np.int64)
    for key in keys:
        codes, found = pd.factorize(key, use_na_sentinel=False)
        # Numbered anew, so that the product stays far below what 64 bits hold.
        whole = _native.groups_of(whole * max(len(found), 1) + codes)[0]
    return whole
