"""A whole study in one Parquet file: for millions of taps, and for programs that read Parquet.

Reading a dataset opens two files for each trial. :func:`gather` does that once and writes every
tap with its participant, step and conditions; :func:`read_gathered` then reads the columns and
the participants that are asked for, and polars, DuckDB, Dask and R read the same file. Both
need pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

import pandas as pd

from chronotap import _native
from chronotap.dataset import Dataset
from chronotap.frames import FrameKind, frame_of

_AT_A_TIME = 2_000  # trials; about as many megabytes
_NOT_OF_A_TAP = {"events_file", "onset_utc", "flags", "timing", "data", "trial", "seed"}


def gather(study: Dataset[pd.DataFrame], path: str | os.PathLike[str]) -> Path:
    """Write all taps of a study into one Parquet file, in the order of its trials.

    Parameters
    ----------
    study
        As :func:`chronotap.read_dataset` gives it, with pandas.
    path
        The file; one that is there is replaced once the new one is whole.

    Returns
    -------
    The path. The columns are those of :func:`chronotap.read_taps`; ``trial``, the row of
    ``study.trials``; and of the trials ``participant``, ``session``, ``task``, ``step``,
    ``counts`` and every column of words or truth values, which the conditions are.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = study.trials.drop(columns=[name for name in _NOT_OF_A_TAP if name in study.trials])
    known = known[[name for name in known if name in ("block", "attempt") or not _is_number(known[name])]]
    place = Path(path)
    whole = place.with_name(f"{place.name}.part")
    writer: Any = None
    try:
        for first in range(0, max(len(study.events_files), 1), _AT_A_TIME):
            files = study.events_files[first : first + _AT_A_TIME]
            taps = frame_of(_native.read_taps(files), "arrow")
            rows = pa.compute.add(taps["trial"], first)
            taps = taps.set_column(taps.schema.get_field_index("trial"), "trial", rows)
            for name in known.columns:
                cells = pa.array(known[name], from_pandas=True)
                if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
                    cells = cells.cast(pa.string()).dictionary_encode()
                taps = taps.append_column(name, cells.take(rows))
            writer = writer or pq.ParquetWriter(whole, taps.schema, compression="zstd")
            writer.write_table(taps)
    finally:
        if writer is not None:
            writer.close()
    return whole.replace(place)


@overload
def read_gathered(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    participants: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    frame: Literal["pandas"] = "pandas",
) -> pd.DataFrame: ...
@overload
def read_gathered(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    participants: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    frame: Literal["polars", "arrow"],
) -> Any: ...
def read_gathered(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    participants: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    frame: FrameKind = "pandas",
) -> Any:
    """Read taps that :func:`gather` has written.

    Parameters
    ----------
    path
        The file.
    columns
        Those that are wanted; all by default. What is not read costs nothing.
    participants
        Labels, such as ``["01", "07"]``; all by default.
    conditions
        For columns the level, or a list of levels, that is wanted.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a column that the file does not have.
    """
    import pyarrow.parquet as pq

    wanted = {**({} if participants is None else {"participant": participants}), **(conditions or {})}
    schema = pq.read_schema(path)
    for name in [*wanted, *(columns or ())]:
        if name not in schema.names:
            raise ValueError(f"no column {name!r} in {path}: there are {', '.join(schema.names)}")
    filters = [(name, "in", _levels(levels)) for name, levels in wanted.items()]
    table = pq.read_table(path, columns=columns and list(columns), filters=filters or None)
    if frame == "arrow":
        return table
    if frame == "polars":
        import polars as pl

        return pl.from_arrow(table)
    return table.to_pandas(types_mapper=_nullable(table))


def _levels(levels: Any) -> list[Any]:
    return [levels] if isinstance(levels, str) or not isinstance(levels, Iterable) else [*levels]


def _is_number(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _nullable(table: Any) -> Any:
    """Whole numbers that may be missing stay whole; the others need no mask."""
    import pyarrow as pa

    has_gaps = any(column.null_count for column in table.columns if pa.types.is_integer(column.type))
    return {pa.int64(): pd.Int64Dtype()}.get if has_gaps else None
