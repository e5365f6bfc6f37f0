"""Columns of the extension module as frames: pandas, polars or arrow.

Types are the same in all three: whole numbers of 64 bits that may be missing, numbers with a
fraction in which NaN is missing, truth values, moments in UTC to the microsecond, and words (``category``
in pandas, ``Categorical`` in polars, a dictionary in arrow; in tables of datasets, text). Levels of factors are
words in the order of the study (``Enum`` in polars). polars and pyarrow are imported only where they are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

FrameKind: TypeAlias = Literal["pandas", "polars", "arrow"]
"""Which library's frames are wanted."""

Column: TypeAlias = tuple[str, NDArray[Any], "NDArray[Any] | None", "list[str] | None"]
"""A name, values, which of them are missing, and the words that they are places of."""


class Levels(list[str]):
    """The words of a factor: its levels in the order of the study."""


_Cells: TypeAlias = tuple[NDArray[Any], "NDArray[Any] | None", "list[str] | None"]


def frame_of(columns: Sequence[Column], kind: FrameKind) -> Any:
    """A frame of these columns."""
    return _maker(kind)(columns)


def frame_kind(kind: FrameKind) -> FrameKind:
    """The same, where there is such a kind.

    Raises
    ------
    ValueError
        Where there is none: which there are.
    """
    _maker(kind)
    return kind


def frame_of_pandas(frame: pd.DataFrame, kind: FrameKind) -> Any:
    """A frame of the kind that is asked for, from one of pandas with columns of text,
    numbers, truth values and moments; missing cells are null."""
    if frame_kind(kind) == "pandas":
        return frame
    # Kinds are said, because a column in which no cell holds anything does not show its type.
    columns = [(str(name), _kind(frame[name]), frame[name]) for name in frame.columns]
    if kind == "polars":
        import polars as pl

        return pl.DataFrame([_series_of_polars(*column) for column in columns])
    import pyarrow as pa

    words = pa.dictionary(pa.int32(), pa.string())
    types = {"category": words, "b": pa.bool_(), "i": pa.int64(), "u": pa.uint64(), "f": pa.float64(), "M": pa.timestamp("us", "UTC")}
    return pa.table(
        {name: pa.array(cells, types.get(of, pa.string()), from_pandas=True) for name, of, cells in columns}
    )


def _kind(column: pd.Series[Any]) -> str:
    """The letter of numpy for what a column holds; of categories ``category``."""
    categories = isinstance(column.dtype, pd.CategoricalDtype)
    return "category" if categories else getattr(column.dtype, "kind", "O")


def _series_of_polars(name: str, kind: str, cells: pd.Series[Any]) -> Any:
    import polars as pl

    missing = cells.isna().to_numpy()
    if kind == "category":
        levels = [str(level) for level in cells.cat.categories]
        return pl.Series(name, [None if none else str(cell) for cell, none in zip(cells, missing)], pl.Enum(levels))
    if kind == "M":
        return pl.Series(name, cells.to_numpy(dtype="datetime64[us]")).dt.replace_time_zone("UTC")
    if kind in "biu":
        filled = cells.to_numpy(dtype={"b": "bool", "i": "int64", "u": "uint64"}[kind], na_value=0)
        whole = pl.Series(name, filled)
        return whole.scatter(np.flatnonzero(missing), None) if missing.any() else whole
    if kind == "f":
        return pl.Series(name, cells.to_numpy(dtype="float64", na_value=np.nan)).fill_nan(None)
    texts = [None if nothing else cell for cell, nothing in zip(cells.tolist(), missing)]
    return pl.Series(name, texts, pl.String)


def counts_of(**frames: Any) -> str:
    """How many rows each frame has, in words."""
    named = ((len(frame), name) for name, frame in frames.items())
    return ", ".join(f"{n} {name.removesuffix('s') if n == 1 else name}" for n, name in named)


class InNotebook:
    """What a notebook shows of an object: its ``repr``, and the first rows of one of its frames."""

    _first_rows_of: ClassVar[str]

    def _repr_html_(self) -> str:
        frame = getattr(self, self._first_rows_of)
        rows = frame.head() if hasattr(frame, "head") else frame.slice(0, 5).to_pandas()
        shown: str = rows._repr_html_()
        return f"<p>{escape(repr(self))}</p>\n<p>{self._first_rows_of}:</p>\n{shown}"


def json_of(text: str) -> dict[str, Any]:
    """An object of JSON."""
    told = json.loads(text)
    assert isinstance(told, dict)
    return told


def _maker(kind: FrameKind) -> Any:
    makers: Mapping[str, Any] = {"pandas": _pandas, "polars": _polars, "arrow": _arrow}
    try:
        return makers[kind]
    except KeyError:
        known = ", ".join(repr(name) for name in makers)
        raise ValueError(f"frame = {kind!r}: there are {known}") from None


def _named(columns: Sequence[Column]) -> Iterator[tuple[str, _Cells]]:
    return ((name, (values, missing, words)) for name, values, missing, words in columns)


def _pandas(columns: Sequence[Column]) -> pd.DataFrame:
    def series(values: NDArray[Any], missing: NDArray[Any] | None, words: list[str] | None) -> Any:
        if words is not None:
            return pd.Categorical.from_codes(values.tolist(), categories=pd.Index(words, dtype=str))
        if missing is not None and values.dtype.kind == "b":
            return pd.arrays.BooleanArray(values, missing)
        if missing is not None:
            return pd.arrays.IntegerArray(values, missing)
        return values

    return pd.DataFrame({name: series(*rest) for name, rest in _named(columns)})


def _polars(columns: Sequence[Column]) -> Any:
    import polars as pl

    def series(name: str, values: NDArray[Any], missing: Any, words: list[str] | None) -> Any:
        if words is not None:
            # A place behind the last word stands for a missing one.
            places = np.where(values < 0, len(words), values)
            kind = pl.Enum(words) if isinstance(words, Levels) else pl.Categorical
            return pl.Series(name, [*words, None], dtype=kind).gather(places)
        whole = pl.Series(name, values)
        if missing is not None:
            return whole.scatter(np.flatnonzero(missing), None) if missing.any() else whole
        return whole.fill_nan(None) if whole.dtype.is_float() else whole

    return pl.DataFrame([series(*column) for column in columns])


def _arrow(columns: Sequence[Column]) -> Any:
    import pyarrow as pa

    def array(values: NDArray[Any], missing: NDArray[Any] | None, words: list[str] | None) -> Any:
        if words is not None:
            places = pa.array(values, mask=values < 0)
            return pa.DictionaryArray.from_arrays(places, pa.array(words, pa.string()))
        if values.dtype.kind == "f":
            missing = np.isnan(values)
        return pa.array(values, mask=missing)

    return pa.table({name: array(*rest) for name, rest in _named(columns)})
