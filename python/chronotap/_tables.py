"""Tables as frames of pandas: of datasets, whose cells are text, with the types that they mean; and
those that users give, of any library."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap import _native
from chronotap.frames import Column

def text_frame(columns: Sequence[tuple[str, list[str | None]]]) -> pd.DataFrame:
    """A frame of columns of text."""
    return pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns})


Levels: TypeAlias = "Sequence[tuple[str, list[str]]]"
"""Factors, each with its levels in the order of the study."""


def typed(columns: Sequence[tuple[str, list[str | None]]], levels: Levels = ()) -> pd.DataFrame:
    """The same with the types that exports have: a column is what its name means and all its cells say, and
    a factor what its levels are. Levels ``01`` and ``1`` are categories in the order of the study."""
    found, moments, factors = _native.typed_table(list(columns), list(levels))
    return _frame(found, moments, factors)


def with_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """The same with the factors that are numbers of one unit in columns of their own: beside ``delay`` with
    ``200 ms`` stands ``delay_ms`` with 200."""
    words = [name for name in table if isinstance(table[name].dtype, pd.CategoricalDtype)]
    asked = [(str(name), [str(level) for level in table[name].cat.categories]) for name in words]
    found = _native.levels_as_numbers(asked)
    more = {
        column: np.array([*numbers, np.nan], dtype=np.float64)[table[words[place]].cat.codes.to_numpy()]
        for place, column, numbers in found
        if column not in table
    }
    return table.assign(**more) if more else table


def typed_frame(found: tuple[list[Column], list[str]]) -> pd.DataFrame:
    """A frame of columns that have their types already; the names are those of moments."""
    return _frame(*found, ())


def read_tables(
    paths: Sequence[Path], columns: Sequence[str] | None = None
) -> tuple[pd.DataFrame, list[int]]:
    """Tables of a dataset under each other, or some of their columns, with the types that exports have;
    and how many rows each table has. Factors are categories in the order of the study, or numbers where all the
    levels that it states are."""
    found, rows, moments, factors = _native.read_tables(paths, columns)
    return _frame(found, moments, factors), rows


def _frame(columns: Sequence[Column], moments: Sequence[str], factors: Sequence[str]) -> pd.DataFrame:
    def series(name: str, values: NDArray[Any], missing: NDArray[Any] | None, words: list[str] | None) -> Any:
        if words is not None and name in factors:
            return pd.Categorical.from_codes(values.tolist(), categories=pd.Index(words, dtype="str"))
        return _series(values, missing, words, name in moments)

    return pd.DataFrame({column[0]: series(*column) for column in columns})


def _series(
    values: NDArray[Any], missing: NDArray[Any] | None, words: list[str] | None, moment: bool
) -> pd.Series[Any]:
    if words is not None:
        # The place -1 is that of the last, which is missing.
        return pd.Series(np.array([*words, None], dtype=object)[values], dtype="str")
    if missing is None:
        return pd.Series(values)
    if moment:
        times = pd.Series(values.astype("datetime64[us]")).dt.tz_localize("UTC")
        return times.mask(missing) if missing.any() else times
    if values.dtype.kind == "b":
        return pd.Series(pd.arrays.BooleanArray(values, missing))
    return pd.Series(pd.arrays.IntegerArray(values, missing) if missing.any() else values)


def frame_with(given: Any, columns: Sequence[str], what: str) -> pd.DataFrame:
    """A frame as one of pandas, with at least these columns."""
    given = collected(given)
    frame = given if isinstance(given, pd.DataFrame) or not hasattr(given, "to_pandas") else _pandas(given)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{reprlib.repr(given)}: give {what}")
    missing = [name for name in columns if name not in frame]
    if missing:
        raise ValueError(f"the frame has no column {missing[0]!r}: give {what}")
    return frame


_LATER = ("collect", "compute", "df")
"""By these methods a LazyFrame of polars, a frame of Dask and a relation of DuckDB give their rows."""


def collected(given: Any) -> Any:
    """A frame with its rows, of one that computes them when it is asked; everything else as it is."""
    if isinstance(given, pd.DataFrame) or not hasattr(type(given), "columns"):
        return given
    for name in _LATER:
        if callable(getattr(type(given), name, None)):
            return getattr(given, name)()
    return given


def _pandas(given: Any) -> pd.DataFrame:
    """From polars or arrow, column by column, so that polars does not need pyarrow."""
    names = getattr(given, "column_names", None) or given.columns
    columns = {name: given[name] for name in names}
    cells = {name: getattr(one, "to_pylist", getattr(one, "to_list", None)) for name, one in columns.items()}
    return pd.DataFrame({name: pd.Series(of()).convert_dtypes() for name, of in cells.items() if of})
