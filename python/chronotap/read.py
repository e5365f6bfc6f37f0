"""Read a recorded trial."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

import pandas as pd

from chronotap import _native
from chronotap.frames import FrameKind, InNotebook, counts_of, frame_kind, frame_of, json_of
from chronotap.sidecar import Footer, Header, footer_of, header_of

if TYPE_CHECKING:
    import polars as pl

F = TypeVar("F")


@dataclass(frozen=True, eq=False, repr=False)
class Recording(InNotebook, Generic[F]):
    """A recorded trial: its events, and what its description says."""

    events: F
    """One row for each event, in the order of their onsets."""
    header: Header
    footer: Footer
    checksum: str
    """Whether the table is the one that was written: ``agrees``, ``differs``, or ``absent``
    where none was written with it."""
    path: Path
    frame: FrameKind

    _first_rows_of = "events"

    @cached_property
    def taps(self) -> F:
        """One row for each tap, as :func:`read_taps` gives them."""
        found: Any = read_taps(self.path, frame=self.frame)
        return cast("F", found)

    def __repr__(self) -> str:
        told = f"{counts_of(events=self.events)}, seed {self.header.seed}, checksum {self.checksum}"
        return f"<Recording {self.header.title!r}: {told}>"


@overload
def read_trial(
    path: str | os.PathLike[str], *, frame: Literal["pandas"] = "pandas"
) -> Recording[pd.DataFrame]: ...
@overload
def read_trial(
    path: str | os.PathLike[str], *, frame: Literal["polars"]
) -> Recording[pl.DataFrame]: ...
@overload
def read_trial(path: str | os.PathLike[str], *, frame: Literal["arrow"]) -> Recording[Any]: ...
def read_trial(path: str | os.PathLike[str], *, frame: FrameKind = "pandas") -> Recording[Any]:
    """Read ``NAME_events.tsv`` and the ``.json`` beside it.

    The columns are those of docs/events-files.md. ``onset`` and ``duration`` stand in seconds
    (``onset_s``, ``duration_s``) and exactly in nanoseconds (``onset_ns``, ``duration_ns``).
    Whole numbers may be missing (``Int64`` in pandas); words are categories. ``onset_source``,
    ``refined_ns`` and ``sound_peak_ppm`` are there only where an input kept the sound in which it
    heard taps, ``peak_force``, ``rise_ns`` and ``dwell_ns`` only where a sensor of force felt them.

    Parameters
    ----------
    path
        The table of events.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Returns
    -------
    The events of the trial, and what its description says.

    Raises
    ------
    FileNotFoundError, PermissionError, OSError
        Where a file cannot be read.
    ValueError
        Where it is not what the program writes, with file, line and column.
    """
    frame_kind(frame)
    columns, (description,) = _native.read_events([path])
    told = json_of(description)
    events = frame_of([column for column in columns if column[0] != "trial"], frame)
    described = header_of(told["header"]), footer_of(told["footer"]), told["checksum"]
    return Recording(events, *described, Path(path), frame)


@overload
def read_taps(
    path: str | os.PathLike[str], *, frame: Literal["pandas"] = "pandas"
) -> pd.DataFrame: ...
@overload
def read_taps(path: str | os.PathLike[str], *, frame: Literal["polars"]) -> pl.DataFrame: ...
@overload
def read_taps(path: str | os.PathLike[str], *, frame: Literal["arrow"]) -> Any: ...
def read_taps(path: str | os.PathLike[str], *, frame: FrameKind = "pandas") -> Any:
    """Read the taps of a recorded trial, each with the beat that it answers.

    Columns: ``event_id``, ``onset_ns``, ``interval_ms`` (since the tap before at this input that
    counts; missing across rounds of a reproduction), ``asynchrony_ms`` (tap less beat, negative when early)
    and the same exactly as ``asynchrony_ns``; ``beat``, ``beat_event_id`` and ``beat_onset_ns``
    of the beat, ``against`` its stream; ``input``; ``fate``, which is ``matched``,
    ``debounced``, ``doubled``, ``response``, ``extra``, ``unpaced`` or ``unmeasured``; and the ``stretch`` of
    the trial. Where an input kept the sound in which it heard taps, also ``onset_source``: whence
    ``onset_ns`` is (docs/sound-card-taps.md); where a sensor felt their force, ``peak_force``,
    ``rise_ns`` and ``dwell_ns`` (docs/force-sensor.md). Matching is that of the summary (docs/statistics.md).

    Returns
    -------
    A frame with a row for each tap.

    Raises
    ------
    OSError, ValueError
        As :func:`read_trial`.
    """
    frame_kind(frame)
    columns = _native.read_taps([path])
    return frame_of([column for column in columns if column[0] != "trial"], frame)
