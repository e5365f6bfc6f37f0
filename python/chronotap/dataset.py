"""Read the dataset of an experiment: its participants, its trials, and their events.

A dataset is a folder in the BIDS form. ``participants.tsv`` has one row for each participant;
each session has a table ``sub-07[_ses-1]_task-TASK_beh.tsv`` with one row for each trial that
was done, which names the trial's table of events.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap import _native
from chronotap._tables import read_tables, text_frame
from chronotap.frames import Column, FrameKind, InNotebook, counts_of, frame_kind, frame_of, frame_of_pandas

if TYPE_CHECKING:
    import polars as pl

F = TypeVar("F")

_NAME = re.compile(r"(?P<participant_id>sub-[^_]+)(?:_ses-(?P<session>[^_]+))?_task-(?P<task>[^_]+)_beh\.tsv")


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(InNotebook, Generic[F]):
    """The trials of a dataset that were asked for. Their :attr:`events` and :attr:`taps` are read
    where they are first asked for, and then kept."""

    folder: Path
    participants: F
    """One row for each participant; empty where there is no participants.tsv."""
    trials: F
    """One row for each trial that was done: ``participant_id`` (``sub-01``), ``session``, ``task``, the columns
    of the table of trials, and those of participants.tsv. Only rows with ``counts`` count."""
    events_files: tuple[Path, ...]
    """The table of events of each row of ``trials``."""
    frame: FrameKind
    withdrawn: tuple[str, ...] = ()
    """Who withdrew and whose data are there (``sub-01``): they are in no frame."""
    _labels: pd.DataFrame = field(default_factory=pd.DataFrame)
    """What each tap is told of its trial."""

    _first_rows_of = "trials"

    def __repr__(self) -> str:
        told = counts_of(participants=self.participants, trials=self.trials)
        left_out = f"; left out: {len(self.withdrawn)} who withdrew" if self.withdrawn else ""
        return f"<Dataset {str(self.folder)!r}: {told}{left_out}>"

    @cached_property
    def events(self) -> F:
        """The events of all these trials, as :func:`chronotap.read_trial` gives them, in one
        frame; ``trial`` is the row of ``trials``, from 0."""
        columns, _ = _native.read_events(self.events_files)
        frame: F = frame_of(columns, self.frame)
        return frame

    @cached_property
    def taps(self) -> F:
        """The taps of all these trials, as :func:`chronotap.read_taps` gives them, in one
        frame; ``trial`` is the row of ``trials``, from 0. Participant, session, step and the factors
        of each tap's trial stand behind it, so that ``by=["participant_id", "delay"]`` groups them; a
        factor with the name of another column is called ``factor_NAME``."""
        frame: F = frame_of(labelled(_native.read_taps(self.events_files), self._labels), self.frame)
        return frame


@overload
def read_dataset(
    folder: str | os.PathLike[str],
    *,
    participants: Iterable[str] | None = None,
    sessions: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    frame: Literal["pandas"] = "pandas",
) -> Dataset[pd.DataFrame]: ...
@overload
def read_dataset(
    folder: str | os.PathLike[str],
    *,
    participants: Iterable[str] | None = None,
    sessions: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    frame: Literal["polars"],
) -> Dataset[pl.DataFrame]: ...
@overload
def read_dataset(
    folder: str | os.PathLike[str],
    *,
    participants: Iterable[str] | None = None,
    sessions: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    frame: Literal["arrow"],
) -> Dataset[Any]: ...
def read_dataset(
    folder: str | os.PathLike[str],
    *,
    participants: Iterable[str] | None = None,
    sessions: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    frame: FrameKind = "pandas",
) -> Dataset[Any]:
    """Read the tables of a dataset; events are read when they are asked for. Who withdrew is left out,
    also where their data were kept (``chronotap withdraw --keep``): see :attr:`Dataset.withdrawn`.

    Parameters
    ----------
    folder
        The dataset.
    participants
        Labels, such as ``["01", "07"]``, or ``["sub-01", "sub-07"]``; all by default.
    sessions
        Labels, such as ``["1"]``; all by default. What is not asked for is not read.
    conditions
        For columns of the trials the level, or a list of levels, that is wanted, such as
        ``{"delay": ["0 ms", "200 ms"], "hand": "left"}``; all by default.
    columns
        The columns that are wanted, besides those that say which trial it is; all by default.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Raises
    ------
    FileNotFoundError
        Where the folder has no table of trials.
    ValueError
        For a participant, a session, a column or a level that the dataset does not have, and for tables that are
        not as the program writes them.
    """
    place = Path(folder)
    frame_kind(frame)
    if conditions is not None and not isinstance(conditions, Mapping):
        raise TypeError("conditions: give a dictionary, such as {'delay': ['0 ms', '70 ms']}")
    if isinstance(columns, str):
        raise TypeError(f"columns = {columns!r}: give a list of names")
    people = _people(place / "participants.tsv")
    wanted = None if columns is None else [*_PLACE, *columns, *(conditions or {})]
    trials = _trials(_tables(place, participants, sessions), wanted)
    withdrawn = _withdrawn(place, trials)
    trials = trials[~trials["participant_id"].isin(withdrawn)]
    if not people.empty:
        people = people[~people["participant_id"].isin(withdrawn)].reset_index(drop=True)
    if not people.empty:
        # Factors between participants stand in both tables.
        more = [name for name in people.columns if name not in trials.columns]
        more = more if wanted is None else [name for name in more if name in wanted]
        trials = trials.merge(people[["participant_id", *more]], on="participant_id", how="left")
    for column in columns or ():
        _known(trials, column)
    if participants is not None:
        trials = _with_levels(trials, "participant_id", participant_ids(participants))
    if sessions is not None:
        trials = _with_levels(trials, "session", levels_of(sessions))
    for column, levels in (conditions or {}).items():
        trials = _with_levels(trials, column, levels)
    trials = trials.reset_index(drop=True)
    files = tuple(place / name for name in _named_files(place, trials))
    of_people, of_trials = (frame_of_pandas(table, frame) for table in (people, trials))
    return Dataset(place, of_people, of_trials, files, frame, withdrawn, labels_of(trials, people))


def labels_of(trials: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """Of trials the columns that say whose they are, and their factors."""
    names = ["participant_id", "session", "step", *factors_of(trials, people)]
    return trials[[name for name in dict.fromkeys(names) if name in trials]]


def factors_of(trials: pd.DataFrame, people: pd.DataFrame) -> list[str]:
    """Columns with levels, whatever these look like: of the trials those between ``counts`` and ``seed``,
    of the participants those up to ``k``."""
    within = _between(trials.columns.tolist(), "counts", "seed")
    return within + _between(people.columns.tolist(), "participant_id", "k")


def _between(names: list[str], first: str, last: str) -> list[str]:
    has_both = first in names and last in names
    return names[names.index(first) + 1 : names.index(last)] if has_both else []


def labelled(columns: Sequence[Column], labels: pd.DataFrame) -> list[Column]:
    """Columns of taps with these labels of their trials behind ``trial``."""
    trial, *rest = columns
    taken = {column[0] for column in columns}
    named = {f"factor_{name}" if name in taken else name: labels[name] for name in labels}
    return [trial, *(_label(str(name), cells, trial[1]) for name, cells in named.items()), *rest]


def _label(name: str, cells: pd.Series[Any], rows: NDArray[np.int64]) -> Column:
    if pd.api.types.is_numeric_dtype(cells) and not cells.isna().any():
        return name, cells.to_numpy()[rows], None, None
    codes, words = pd.factorize(cells)
    return name, codes.astype(np.int32)[rows], None, [str(word) for word in words]


_PLACE = ("trial", "step", "block", "repetition", "attempt", "counts", "events_file")
"""What says which trial it is, besides participant, session and task."""


def _tables(folder: Path, participants: Any, sessions: Any) -> list[Path]:
    """The tables of trials of these people and sessions, in order; all where nobody is there, so that
    the error says who is."""
    people = sorted(name for name in _names(folder) if name.startswith("sub-"))
    asked = None if participants is None else set(participant_ids(participants))
    chosen = [one for one in people if asked and one in asked] if asked and asked <= set(people) else people
    found = [path for one in chosen for path in _tables_of(folder / one)]
    if sessions is not None:
        labels = set(levels_of(sessions))
        found = [path for path in found if _named(path)["session"] in labels] or found
    if not found:
        raise FileNotFoundError(
            f"{folder}: there is no table of trials (sub-*/beh/sub-*_task-*_beh.tsv); "
            "give the folder of the dataset"
        )
    return found


def _named(path: Path) -> dict[str, str | None]:
    named = _NAME.fullmatch(path.name)
    assert named, path
    return named.groupdict()


def _tables_of(person: Path) -> list[Path]:
    visits = sorted(name for name in _names(person) if name.startswith("ses-"))
    places = [person / "beh", *(person / visit / "beh" for visit in visits)]
    names = ((place, name) for place in places for name in sorted(_names(place)))
    return [place / name for place, name in names if _NAME.fullmatch(name)]


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _trials(paths: list[Path], columns: list[str] | None) -> pd.DataFrame:
    table, rows = read_tables(paths, columns)
    if "events_file" not in table or table["events_file"].isna().any():
        _refuse_without_events(paths)
    for place, key in enumerate(("participant_id", "session", "task")):
        cells = np.repeat(np.array([_named(path)[key] for path in paths], dtype=object), rows)
        table.insert(place, key, pd.Series(cells, dtype="str"))
    return table


def _refuse_without_events(paths: list[Path]) -> None:
    """A table without the column is refused; a cell that is missing is told where it is needed."""
    for path in paths:
        if "events_file" not in read_tables([path])[0]:
            raise ValueError(f"{path}:1: there is no column events_file; restore the first line")


def _people(path: Path) -> pd.DataFrame:
    if not path.exists():
        return pd.DataFrame()
    table, _ = read_tables([path])
    if "participant_id" not in table:
        raise ValueError(f"{path}:1: there is no column participant_id; restore the first line")
    table["participant_id"] = [participant_id(cell) for cell in table["participant_id"]]
    twice = table["participant_id"][table["participant_id"].duplicated()]
    if len(twice):
        raise ValueError(f"{path}: {twice.iloc[0]!r} stands in it twice; leave one of both rows")
    return table


def _withdrawn(folder: Path, trials: pd.DataFrame) -> tuple[str, ...]:
    """Who withdrew, by the dataset's note, and has trials all the same."""
    note = folder / "sourcedata" / "withdrawals.tsv"
    if not note.exists():
        return ()
    noted = {participant_id(cell) for cell in text_frame(_native.read_table(note))["participant_id"]}
    return tuple(one for one in trials["participant_id"].unique().tolist() if one in noted)


def _named_files(folder: Path, trials: pd.DataFrame) -> list[str]:
    without = trials.index[trials["events_file"].isna()]
    if len(without):
        row = trials.loc[without[0]]
        told = f"{folder}: trial {row.get('trial')} of {row['participant_id']!r} names no events_file"
        raise ValueError(f"{told}; restore the table as it was written")
    return [str(name) for name in trials["events_file"]]


def participant_ids(asked: Any) -> list[Any]:
    """Participants as the tables have them, of labels with and without ``sub-``."""
    return [participant_id(one) for one in levels_of(asked)]


def participant_id(label: Any) -> Any:
    """``sub-01`` of ``01`` and of ``sub-01``; what is no text stays, and is then found nowhere."""
    return f"sub-{label.removeprefix('sub-')}" if isinstance(label, str) else label


def levels_of(levels: Any) -> list[Any]:
    """One level, or several, as a list."""
    return [levels] if isinstance(levels, str) or not isinstance(levels, Iterable) else [*levels]


def _with_levels(trials: pd.DataFrame, column: str, levels: Any) -> pd.DataFrame:
    _known(trials, column)
    wanted = levels_of(levels)
    there = trials[column].dropna().unique().tolist()
    for level in wanted:
        if level not in there:
            known = ", ".join(repr(one) for one in there)
            raise ValueError(f"{column} = {level!r}: no trial has it; there are {known}")
    return trials[trials[column].isin(wanted)]


def _known(trials: pd.DataFrame, column: str) -> None:
    if column not in trials.columns:
        raise ValueError(f"no column {column!r} in the trials: there are {', '.join(trials.columns)}")
