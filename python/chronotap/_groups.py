"""Many groups at once: the numbers of groups from their labels, and the columns of the extension as
a frame with the labels as its index."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._results import Estimate, Result, result_of
from chronotap._tables import collected, frame_with
from chronotap._values import cells_of
from chronotap.frames import Column

R = TypeVar("R", bound=Result)

By: TypeAlias = "str | Sequence[str]"
"""The columns of a frame whose values make its groups."""

Groups: TypeAlias = "ArrayLike | Sequence[object] | pd.Series[Any] | pd.Index[Any] | pd.DataFrame"
"""One label for each value, or a frame with several columns of labels."""

Pair: TypeAlias = tuple[Groups, Groups]
"""The labels of two columns of values."""


def coded(groups: Groups) -> tuple[NDArray[np.int64], pd.Index[Any]]:
    """The number of each value's group, from 0, and the groups' labels in the order in which they
    first come."""
    if isinstance(groups, ByColumn):
        numbers, found = _factorized(groups.cells, use_na_sentinel=False)
        return np.ascontiguousarray(numbers, dtype=np.int64), pd.Index(found, name=groups.cells.name)
    groups = _labels(groups)
    if isinstance(groups, pd.DataFrame):
        keys = [groups.iloc[:, place] for place in range(groups.shape[1])]
        if not keys:
            raise ValueError("a frame of labels without a column: give at least one")
        codes, firsts = _native.groups_of(_numbered(keys))
        first = [key.iloc[firsts] for key in keys]
        return codes, pd.MultiIndex.from_arrays(first, names=list(groups.columns))
    name = getattr(groups, "name", None)
    name = "group" if name is None else name
    whole = np.asarray(groups) if not isinstance(groups, pd.Series) else groups.to_numpy()
    if whole.ndim == 1 and whole.dtype.kind == "i":
        codes, firsts = _native.groups_of(np.ascontiguousarray(whole, dtype=np.int64))
        return codes, pd.Index(whole[firsts], name=name)
    foreign = whole.ndim == 1 and not isinstance(groups, (pd.Series, list, tuple))
    numbers, found = _factorized(pd.Series(whole if foreign else groups))
    return np.ascontiguousarray(numbers, dtype=np.int64), pd.Index(found, name=name)


def _labels(groups: Groups) -> Any:
    """Labels of which it is known how many there are; several columns as a frame of pandas."""
    if isinstance(groups, pd.MultiIndex):
        return groups.to_frame(index=False)
    groups = collected(groups)
    names = getattr(groups, "column_names", getattr(groups, "columns", None))
    if names is not None and not isinstance(groups, pd.DataFrame):
        given: Any = groups  # a frame of polars or arrow
        return pd.DataFrame({name: np.asarray(given[name]) for name in names})
    if isinstance(groups, Iterator):
        return list(groups)
    dimensions = len(getattr(groups, "shape", (0,)))
    one = isinstance(groups, (str, bytes, Mapping, Set)) or not hasattr(groups, "__len__")
    if one or dimensions == 0:
        told = f"groups = {reprlib.repr(groups)}"
        raise TypeError(f"{told}: give one label for each value, as a list, an array or a column")
    if dimensions > 1 and not isinstance(groups, pd.DataFrame):
        raise ValueError(f"groups of {dimensions} dimensions: give a frame with a column for each")
    return groups


def _factorized(labels: pd.Series[Any], **how: bool) -> tuple[NDArray[np.intp], Any]:
    try:
        return pd.factorize(labels, **how)
    except TypeError as error:
        raise TypeError(f"groups: {error}; give texts or numbers as labels") from None


@dataclass(frozen=True)
class ByColumn:
    """The labels of ``by`` with one column: a missing one is a label as any other, as with several columns."""

    cells: pd.Series[Any]


def by_columns(frame: pd.DataFrame, keys: Sequence[str]) -> Any:
    """The labels that these columns of a frame make; a missing one is a label as any other."""
    return ByColumn(frame[keys[0]]) if len(keys) == 1 else frame[list(keys)]


def counting(frame: pd.DataFrame, keys: Sequence[str] = ()) -> pd.DataFrame:
    """The rows of trials that count, of frames which say which do (column ``counts``); all where it is one
    of the columns that make the groups."""
    if "counts" not in frame or "counts" in keys or not pd.api.types.is_bool_dtype(frame["counts"]):
        return frame
    return frame[~frame["counts"].eq(False).fillna(False).to_numpy(dtype=bool)]


def of_frame(
    values: Any,
    groups: Groups | None,
    by: By | None,
    column: str | None,
    usual: str | None = None,
    *,
    gaps: Literal["rows", "beats"] | None = None,
) -> tuple[Any, Groups | None]:
    """Values and groups: as they are given, or the column of a frame and the columns ``by`` which it
    is grouped. Rows without a value are left out, and those of trials that do not count. Where
    ``gaps`` are rows, one without a value stays as NaN behind the first value of its group; where they are beats,
    NaN stands before a row whose ``beat`` does not follow that of the row before it. Without ``column`` it is the
    ``usual`` one. A missing label is a label as any other.

    Raises
    ------
    TypeError, ValueError
        Where ``by`` is given without a frame, a frame without ``by``, or a column is missing.
    """
    values = collected(values)
    frame = hasattr(values, "columns")
    if by is None and column is None and not frame:
        return values, groups
    if not frame:
        raise TypeError(f"{reprlib.repr(values)} is no frame: give by= and column= with a frame, groups= with a column")
    if groups is not None or by is None:
        raise TypeError('a frame: give the columns of its groups, such as by=["participant_id", "delay"]')
    keys = [by] if isinstance(by, str) else [*by]
    name = usual if column is None else column
    if name is None:
        raise TypeError(f"a frame: say which column, such as column={next(iter(values.columns), '')!r}")
    given = frame_with(values, [name, *keys], "a frame that has it, or column=, by= with columns that it has")
    there = given[name].notna()
    if gaps == "rows" and not there.all():
        of_group = there.astype("int8").groupby([given[key] for key in keys], dropna=False, observed=True)
        there = of_group.cummax().astype(bool)
    given = counting(given[there], keys)
    if gaps == "beats" and "beat" in given:
        return _apart(given, name, keys)
    return given[name], by_columns(given, keys)


def _apart(given: pd.DataFrame, name: str, keys: list[str]) -> tuple[pd.Series[Any], Any]:
    """The column, with a row without a value before each whose beat is not the next one of its group."""
    beats = given.groupby(keys, dropna=False, observed=True, sort=False)["beat"]
    step = beats.diff().to_numpy(dtype=np.float64, na_value=np.nan)
    broken = ~(np.isnan(step) | (step == 1))
    rows = np.repeat(np.arange(len(given)), 1 + broken)
    values = given[name].iloc[rows].astype(np.float64)
    values.iloc[np.flatnonzero(broken) + np.arange(broken.sum())] = np.nan
    return values, by_columns(given.iloc[rows], keys)


def ungrouped(values: ArrayLike) -> _native._Grouped:
    """Values of one group."""
    cells = cells_of(values)
    return cells, np.zeros(len(cells), dtype=np.int64), 1


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
    both: Any = groups
    if not isinstance(groups, tuple) or len(groups) != 2 or np.isscalar(groups[0]):
        both = groups, groups
    of, labels = _coded_alike(both)
    return (one, of[0], len(labels)), (other, of[1], len(labels)), labels


def named(
    onsets_ms: Mapping[str, ArrayLike], groups: Groups | Mapping[str, Groups] | None
) -> tuple[dict[str, _native._Grouped], pd.Index[Any] | None]:
    """Columns of onsets, each with its name, with the numbers of the same groups: labels for each
    column, or one for each row of all. Onsets that are missing (NaN) are left out."""
    cells = {name: cells_of(column) for name, column in columns_of(onsets_ms).items()}
    labels = None
    of: Sequence[NDArray[np.int64]] = [np.zeros(len(column), np.int64) for column in cells.values()]
    if isinstance(groups, Mapping):
        without = [name for name in cells if name not in groups]
        if without:
            raise ValueError(f"groups has no labels of {without[0]!r}: give them for each column")
        of, labels = _coded_alike([groups[name] for name in cells])
    elif groups is not None:
        of, labels = _coded_alike([groups] * len(cells))
    count = 1 if labels is None else len(labels)
    made: dict[str, _native._Grouped] = {}
    for (name, column), codes in zip(cells.items(), of):
        if len(column) != len(codes):
            told = f"{name!r} has {len(column)} onsets and {len(codes)} labels"
            raise ValueError(f"{told}: give one for each, or the labels of each column by its name")
        there = ~np.isnan(column)
        made[name] = (column[there], codes[there], count)
    return made, labels


def columns_of(onsets_ms: Mapping[str, ArrayLike]) -> Mapping[str, ArrayLike]:
    """Columns by their names, out of a dictionary or a frame."""
    if isinstance(onsets_ms, Mapping):
        return onsets_ms
    names = getattr(onsets_ms, "column_names", getattr(onsets_ms, "columns", None))
    if names is None:
        told = f"onsets_ms = {reprlib.repr(onsets_ms)}"
        raise TypeError(f"{told}: give a dictionary, such as {{'left': [0, 500], 'right': [10, 510]}}")
    return {name: onsets_ms[name] for name in names}


def _coded_alike(
    parts: Sequence[Groups],
) -> tuple[Sequence[NDArray[np.int64]], pd.Index[Any]]:
    """The numbers of the groups of several columns, and the labels of all."""
    alike = all(part is parts[0] for part in parts)
    parts = [_labels(parts[0])] * len(parts) if alike else [_labels(part) for part in parts]
    if alike:
        codes, labels = coded(parts[0] if len(parts) else [])
        return [codes] * len(parts), labels
    codes, labels = coded(_joined(parts))
    lengths = [len(part) for part in parts]  # type: ignore[arg-type]
    return np.split(codes, np.cumsum(lengths)[:-1]), labels


def _joined(parts: Sequence[Groups]) -> Groups:
    """The labels of the first, then those of the next, and so on."""
    frames = [part for part in parts if isinstance(part, pd.DataFrame)]
    if len(frames) == len(parts):
        return pd.concat(frames, ignore_index=True)
    columns = [pd.Series(part) for part in parts]
    if all(column.dtype.kind == "i" for column in columns):
        whole = np.concatenate([column.to_numpy() for column in columns])
        return pd.Series(whole, name=columns[0].name)
    joined = pd.concat(columns, ignore_index=True)
    return joined.rename(getattr(parts[0], "name", None))


def rows_of(
    columns: Sequence[Column], labels: pd.Index[Any] | None, kind: type[Result] | None = None
) -> pd.DataFrame:
    """The same without ``why_not``, of what always gives something; without labels of one group,
    whose rows are numbered."""
    if labels is None:
        return table(columns[:-1], pd.RangeIndex(1), kind).reset_index(drop=True)
    return table(columns[:-1], labels, kind)


def table(
    columns: Sequence[Column], labels: pd.Index[Any], kind: type[Result] | None
) -> pd.DataFrame:
    """A frame with the labels as its index; ``why_not`` stands last."""
    (_, of, *_), *rest = columns
    single = len(of) == len(labels) and bool((of == np.arange(len(of))).all())
    index = labels if single else labels.take(of)
    # Made at once: each conversion of a column that stands in a frame costs more than a statistic.
    return pd.DataFrame({column[0]: _column(kind, column) for column in rest}, index)


Of: TypeAlias = Callable[..., Sequence[Column]]
"""A function of the extension: of one column of values, or of two."""


def said(
    kind: type[R],
    of: Of,
    values: ArrayLike,
    groups: Groups | None,
    estimates: Of | None = None,
    intervals: bool = False,
) -> R | pd.DataFrame:
    """What a function of the extension says of values: a dataclass, or a frame of many groups.
    ``estimates`` gives the intervals: a dataclass always has them, a frame where they are wanted."""
    if groups is None:
        return _one(kind, of, estimates, ungrouped(values))
    given, labels = grouped(values, groups)
    return _many(kind, of, estimates if intervals else None, labels, given)


def said_of_two(
    kind: type[R],
    of: Of,
    first: ArrayLike,
    second: ArrayLike,
    groups: Groups | Pair | None,
    estimates: Of | None = None,
    intervals: bool = False,
) -> R | pd.DataFrame:
    """The same of two columns of values."""
    if groups is None:
        return _one(kind, of, estimates, ungrouped(first), ungrouped(second))
    one, other, labels = paired(first, second, groups)
    return _many(kind, of, estimates if intervals else None, labels, one, other)


def _one(kind: type[R], of: Of, estimates: Of | None, *given: _native._Grouped) -> R:
    columns = of(*given)
    _why_not(columns)
    if estimates is not None:
        columns = _with_ends(columns, estimates(*given))
    return result_of(kind, cells_of_one(kind, columns))


def _many(
    kind: type[R], of: Of, estimates: Of | None, labels: pd.Index[Any], *given: _native._Grouped
) -> pd.DataFrame:
    columns = of(*given)
    if estimates is not None:
        columns = _with_ends(columns, estimates(*given))
    if columns[0][0] != "group":  # a row for each group, and nothing is ever missing
        columns = [("group", np.arange(len(labels)), None, None), *columns]
    return table(columns, labels, kind)


def _with_ends(columns: Sequence[Column], estimates: Sequence[Column]) -> list[Column]:
    """The columns of values, each with those of its interval behind it; ``why_not`` says why there is
    no value, or no interval."""
    *ends, reasons = estimates
    of = {column[0]: column for column in ends}
    rest = columns
    if columns[-1][0] == "why_not":
        *rest, values = columns
        reasons = _first_of(values, reasons)
    beside: list[Column] = []
    for column in rest:
        names = (f"{column[0]}{part}" for part in _PARTS[1:])
        beside += [column, *(of[name] for name in names if name in of)]
    return [*beside, reasons]


def _first_of(one: Column, other: Column) -> Column:
    """Words of one column, and where it has none those of the other."""
    both = [*(one[3] or ()), *(other[3] or ())]
    words = list(dict.fromkeys(both))
    later = np.where(other[1] >= 0, other[1] + len(one[3] or ()), -1)
    places = np.array([*map(words.index, both), -1])  # the last is that of no word
    return one[0], places[np.where(one[1] >= 0, one[1], later)], None, words


def one_of(kind: type[Result] | None, columns: Sequence[Column]) -> dict[str, Any]:
    """The cells of the one row of one group, as the fields of a dataclass.

    Raises
    ------
    ValueError
        Where there is no estimate: why.
    """
    _why_not(columns)
    return cells_of_one(kind, columns)


def _why_not(columns: Sequence[Column]) -> None:
    name, codes, _, reasons = columns[-1]
    if name == "why_not" and reasons is not None and codes[0] >= 0:
        raise ValueError(reasons[codes[0]])


def cells_of_one(kind: type[Result] | None, columns: Sequence[Column]) -> dict[str, Any]:
    """The same of cells of which some may be missing."""
    columns = [column for column in columns if column[0] not in ("group", "why_not")]
    words = {
        name: words[places[0]] if places[0] >= 0 else None  # no word
        for name, places, _, words in columns
        if words is not None
    }
    cells = {name: float(values[0]) for name, values, _, word in columns if word is None}
    estimates = [name for name in cells if f"{name}_standard_error" in cells]
    found: dict[str, Any] = {}
    for name in estimates:
        value, error, low, high, held = (cells.pop(f"{name}{part}") for part in _PARTS)
        known = None if np.isnan(held) else held
        found[name] = None if np.isnan(value) else Estimate(value, error, low, high, known)
    rest = {name: cell_of(kind, name, cell) for name, cell in cells.items()}
    return {**found, **words, **rest}


_PARTS = ("", "_standard_error", "_low", "_high", "_held")


def cell_of(kind: type[Result] | None, name: str, cell: float) -> Any:
    """A cell of a dataclass."""
    if np.isnan(cell):
        return None
    if is_estimate(kind, name):
        return Estimate(cell)
    if is_whole(kind, name):
        return int(cell)
    return bool(cell) if is_truth(kind, name) else float(cell)


def _column(kind: type[Result] | None, column: Column) -> Any:
    name, cells, _, words = column
    if words is not None:
        return pd.Categorical.from_codes(cells, categories=pd.Index(words, dtype=str))
    return typed(kind, name, cells)


WHOLE = {
    "lag",
    "start",
    "n",
    "count",
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


def is_estimate(kind: type[Result] | None, name: str) -> bool:
    """Whether a field holds an estimate, with an interval where there is one."""
    return str(getattr(kind, "__annotations__", {}).get(name)).startswith("Estimate")


def is_truth(kind: type[Result] | None, name: str) -> bool:
    """Whether a field holds truth values."""
    return str(getattr(kind, "__annotations__", {}).get(name)).startswith("bool")


def _numbered(keys: Sequence[pd.Series[Any]]) -> NDArray[np.int64]:
    """One whole number for each row, alike where all labels are; a missing label is one, too."""
    whole = np.zeros(len(keys[0]) if keys else 0, dtype=np.int64)
    for key in keys:
        codes, found = _factorized(key, use_na_sentinel=False)
        # Numbered anew, so that the product stays far below what 64 bits hold.
        whole = _native.groups_of(whole * max(len(found), 1) + codes)[0]
    return whole
