"""A whole study in one Parquet file: for millions of taps, and for programs that read Parquet.

Reading a dataset opens two files for each trial. :func:`gather` does that once and writes every
tap with its participant, step and conditions; :func:`read_gathered` then reads the columns and
the participants that are asked for, and polars, DuckDB, Dask and R read the same file. Both
need pyarrow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import pandas as pd

from chronotap import _native
from chronotap.dataset import (
    Dataset, factors_of, level_in, levels_of, participant_ids, refuse_withdrawn, refuse_wrong_kinds,
    unknown_column,
)
from chronotap.frames import FrameKind, frame_kind, frame_of

if TYPE_CHECKING:
    import polars as pl

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
    ``study.trials``; and of the trials ``participant_id``, ``session``, ``task``, ``step``,
    ``counts``, the factors, and every other column of words or truth values. All have the types
    that they have there, so that both are asked for by the same conditions.

    Raises
    ------
    ValueError
        Somebody in it withdrew since the study was read; no file is left then.
    """
    if not isinstance(study, Dataset) or study.frame != "pandas":
        raise TypeError(f"{study!r:.60}: give a dataset as read_dataset(folder) reads it, with pandas")
    known = study.trials.drop(columns=[name for name in _NOT_OF_A_TAP if name in study.trials])
    kept = {"block", "attempt", *factors_of(study.trials, study.participants)}
    known = known[[name for name in known if name in kept or not _is_number(known[name])]]
    place = Path(path)
    whole = place.with_name(f"{place.name}.part")
    try:
        _write(study, known, whole)
        refuse_withdrawn(study)
    except BaseException:
        whole.unlink(missing_ok=True)  # it has taps of everybody
        raise
    return whole.replace(place)


def _write(study: Dataset[pd.DataFrame], known: pd.DataFrame, whole: Path) -> None:
    """Writes the taps, and what is known of their trials."""
    import pyarrow as pa
    import pyarrow.parquet as pq

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
            if writer is None:
                levels = {name: _known(known[name]) for name in known.columns}
                schema = taps.schema.with_metadata({_LEVELS: json.dumps(levels)})
                writer = pq.ParquetWriter(whole, schema, compression="zstd")
            writer.write_table(taps)
    finally:
        if writer is not None:
            writer.close()


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
    frame: Literal["polars"],
) -> pl.DataFrame: ...
@overload
def read_gathered(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    participants: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    frame: Literal["arrow"],
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
        Labels, such as ``["01", "07"]``, or ``["sub-01", "sub-07"]``; all by default.
    conditions
        For columns the level, or a list of levels, that is wanted.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Returns
    -------
    A frame with a row for each tap.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a column that the file does not have, and a level that no trial of its study has.
    """
    import pyarrow.parquet as pq

    refuse_wrong_kinds(columns, conditions)
    frame_kind(frame)
    schema = pq.read_schema(path)
    wanted = {**_people(schema, participants), **(conditions or {})}
    for name in [*wanted, *(columns or ())]:
        if name not in schema.names:
            raise unknown_column(name, schema.names, f"in {path}")
    filter_of = None
    for name, levels in wanted.items():
        one = _filter(schema, name, levels_of(levels))
        filter_of = one if filter_of is None else filter_of & one
    table = pq.read_table(path, columns=None if columns is None else list(columns), filters=filter_of)
    table = table.replace_schema_metadata()
    if frame == "arrow":
        return table
    if frame == "polars":
        import polars as pl

        return pl.from_arrow(table)
    return table.to_pandas(types_mapper=_nullable(table))


def _people(schema: Any, participants: Iterable[str] | None) -> dict[str, list[Any]]:
    """Who is asked for. Files of earlier versions have their labels in a column ``participant``."""
    if participants is None:
        return {}
    asked = participant_ids(participants)
    if "participant_id" in schema.names or "participant" not in schema.names:
        return {"participant_id": asked}
    return {"participant": [str(one).removeprefix("sub-") for one in asked]}


_LEVELS = b"chronotap levels"
"""Under this key the file says which levels the study has, also those without a tap."""


def _known(column: pd.Series[Any]) -> list[Any]:
    return [level.item() if hasattr(level, "item") else level for level in column.dropna().unique().tolist()]


def _filter(schema: Any, name: str, wanted: list[Any]) -> Any:
    """The rows with one of these levels, all of which the study has."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = json.loads((schema.metadata or {}).get(_LEVELS, b"{}")).get(name)
    if known is not None:
        wanted = [level_in(known, name, level) for level in wanted]
    kind = schema.field(name).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    try:
        return pc.field(name).isin(pa.array(wanted, kind))
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise ValueError(f"{name} = {wanted!r}: the column holds values of the type {kind}") from None


def _is_number(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _nullable(table: Any) -> Any:
    """Whole numbers that may be missing stay whole; the others need no mask."""
    import pyarrow as pa

    has_gaps = any(column.null_count for column in table.columns if pa.types.is_integer(column.type))
    return {pa.int64(): pd.Int64Dtype()}.get if has_gaps else None
