"""Read the dataset of an experiment: its participants, its trials, and their events.

A dataset is a folder in the BIDS form. ``participants.tsv`` has one row for each participant;
each session has a table ``sub-07[_ses-1]_task-TASK_beh.tsv`` with one row for each trial that
was done, which names the trial's table of events.
"""

from __future__ import annotations

import difflib
import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap import _native
from chronotap._tables import read_tables, text_frame, with_numbers
from chronotap.frames import Column, FrameKind, InNotebook, Levels, counts_of, frame_kind, frame_of, frame_of_pandas

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
    of the table of trials, and those of participants.tsv. Only rows with ``counts`` count. Factors are
    categories in the order of the study; one whose levels are numbers of a unit (``delay``) stands there once
    more as numbers (``delay_ms``), last."""
    events_files: tuple[Path, ...]
    """The table of events of each row of ``trials``."""
    frame: FrameKind
    withdrawn: tuple[str, ...] = ()
    """Who withdrew and whose data are there (``sub-01``): they are in no frame."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Whom the study leaves out by their answers (``[exclude]``), each (``sub-01``) with the reason: they are in
    no frame, unless they were asked for."""
    _labels: pd.DataFrame = field(default_factory=pd.DataFrame)
    """What each tap is told of its trial."""

    _first_rows_of = "trials"

    def __repr__(self) -> str:
        told = counts_of(participants=self.participants, trials=self.trials)
        withdrew = f"; left out: {len(self.withdrawn)} who withdrew" if self.withdrawn else ""
        excluded = f"; left out by an answer: {len(self.excluded)}" if self.excluded else ""
        return f"<Dataset {str(self.folder)!r}: {told}{withdrew}{excluded}>"

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
        frame; ``trial`` is the row of ``trials``, from 0. Participant, session, step, whether the trial
        ``counts``, and its factors stand behind it, of the types that they have in ``trials``, so that
        ``by=["participant_id", "delay"]`` groups the taps that count; a factor with the name of another column is
        called ``factor_NAME``."""
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
    with_excluded: bool = False,
    without_empty: bool = False,
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
    with_excluded: bool = False,
    without_empty: bool = False,
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
    with_excluded: bool = False,
    without_empty: bool = False,
    frame: Literal["arrow"],
) -> Dataset[Any]: ...
def read_dataset(
    folder: str | os.PathLike[str],
    *,
    participants: Iterable[str] | None = None,
    sessions: Iterable[str] | None = None,
    conditions: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    with_excluded: bool = False,
    without_empty: bool = False,
    frame: FrameKind = "pandas",
) -> Dataset[Any]:
    """Read the tables of a dataset; events are read when they are asked for. Who withdrew is left out,
    also where their data were kept (``chronotap withdraw --keep``): see :attr:`Dataset.withdrawn`. So is whom
    the study leaves out by their answers (``[exclude]``): see :attr:`Dataset.excluded`.

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
        ``{"delay": ["0 ms", "200 ms"], "hand": "left"}``; all by default. ``1`` and ``"1"`` mean the same level.
    columns
        The columns that are wanted, besides those that say which trial it is; all by default.
    with_excluded
        Whether those whom the study leaves out by their answers are there all the same.
    without_empty
        Whether columns of participants and trials in which no cell holds anything are left out.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Returns
    -------
    The participants and the trials; events and taps are read when they are asked for. The type of a factor follows
    from the levels that the study states, whatever was recorded: categories in its order, or numbers where all of
    them are.

    Raises
    ------
    FileNotFoundError
        Where the folder has no table of trials.
    ValueError
        For a participant, a session, a column or a level that the dataset does not have, and for tables that are
        not as the program writes them, or in which an earlier version wrote levels under the names of other factors
        (``chronotap repair``).
    """
    place = Path(folder)
    frame_kind(frame)
    refuse_wrong_kinds(columns, conditions)
    people = _people(place / "participants.tsv")
    wanted = None if columns is None else [*_PLACE, *columns, *(conditions or {})]
    tables, aside = _tables(place, participants, sessions)
    _native.refuse_exchanged(tables)
    read = None if wanted is None else [*wanted, *_factors_behind(wanted)]
    trials = _trials(tables, read)
    trials, same = _once(place, trials)
    for sentence in aside + same:
        warnings.warn(sentence, stacklevel=2)
    withdrawn = _withdrawn(place, trials)
    excluded = {} if with_excluded else _excluded(place, trials, withdrawn)
    out = [*withdrawn, *excluded]
    trials = trials[~trials["participant_id"].isin(out)]
    if not people.empty:
        people = people[~people["participant_id"].isin(out)].reset_index(drop=True)
    if not people.empty:
        # Factors between participants stand in both tables.
        more = [name for name in people.columns if name not in trials.columns]
        more = more if read is None else [name for name in more if name in read]
        trials = trials.merge(people[["participant_id", *more]], on="participant_id", how="left")
    trials = with_numbers(trials)
    if wanted is not None:
        trials = trials[[name for name in trials if name in wanted or name in _WHOSE]]
    for column in [*(columns or ()), *(conditions or {})]:
        if column not in trials:
            raise unknown_column(column, _all_columns(tables, people), "in the trials")
    if participants is not None:
        trials = _with_levels(trials, "participant_id", participant_ids(participants))
    if sessions is not None:
        trials = _with_levels(trials, "session", levels_of(sessions))
    for column, levels in (conditions or {}).items():
        trials = _with_levels(trials, column, levels)
    trials = trials.reset_index(drop=True)
    if without_empty:
        people, trials = people.dropna(axis="columns", how="all"), trials.dropna(axis="columns", how="all")
    files = tuple(place / name for name in _named_files(place, trials))
    of_people, of_trials = (frame_of_pandas(table, frame) for table in (people, trials))
    return Dataset(place, of_people, of_trials, files, frame, withdrawn, excluded, labels_of(trials, people))


def labels_of(trials: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """Of trials the columns that say whose they are, and their factors."""
    factors = [name for name in dict.fromkeys(factors_of(trials, people)) if name in trials]
    numbers = with_numbers(trials[factors]).columns.tolist()
    names = ["participant_id", "session", "step", "counts", *factors, *numbers]
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
    missing = cells.isna().to_numpy()
    if isinstance(cells.dtype, pd.CategoricalDtype):
        levels = Levels(str(level) for level in cells.cat.categories)
        return name, cells.cat.codes.to_numpy(dtype=np.int32)[rows], None, levels
    if pd.api.types.is_float_dtype(cells):
        return name, cells.to_numpy(dtype=np.float64, na_value=np.nan)[rows], None, None
    if pd.api.types.is_numeric_dtype(cells):
        kind, none = (np.bool_, False) if pd.api.types.is_bool_dtype(cells) else (np.int64, 0)
        values = cells.to_numpy(dtype=kind, na_value=none) if missing.any() else cells.to_numpy(dtype=kind)
        return name, values[rows], missing[rows] if missing.any() else None, None
    codes, words = pd.factorize(cells)
    return name, codes.astype(np.int32)[rows], None, [str(word) for word in words]


_WHOSE = ("participant_id", "session", "task")


def _factors_behind(wanted: Sequence[str]) -> list[str]:
    """The factors that may stand as numbers in these columns: ``delay`` of ``delay_ms``."""
    return [name.rsplit("_", 1)[0] for name in wanted if "_" in name]


_PLACE = ("trial", "step", "block", "repetition", "attempt", "counts", "events_file")
"""What says which trial it is, besides participant, session and task."""


def _tables(folder: Path, participants: Any, sessions: Any) -> tuple[list[Path], list[str]]:
    """The tables of trials of these people and sessions, in order; all where nobody is there, so that
    the error says who is. And what lies in the dataset and is left out, a sentence each."""
    placed, aside = _native.tables_of_trials(folder)
    everybody = [path for path in map(Path, placed) if _NAME.fullmatch(path.name)]
    people = {_named(path)["participant_id"] for path in everybody}
    asked = None if participants is None else set(participant_ids(participants))
    chosen = asked if asked and asked <= people else people
    found = [path for path in everybody if _named(path)["participant_id"] in chosen]
    if sessions is not None:
        labels = set(levels_of(sessions))
        found = [path for path in found if _named(path)["session"] in labels] or found
    if not found:
        raise FileNotFoundError(
            f"{folder}: there is no table of trials (sub-*/beh/sub-*_task-*_beh.tsv); "
            "give the folder of the dataset"
        )
    return found, aside


def _once(folder: Path, trials: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The trials without those that are byte for byte an earlier one, and a sentence about these."""
    files = [str(name) for name in trials["events_file"].fillna("")]
    same = _native.same_trials([folder / name for name in files])
    if not same:
        return trials, []
    (first, of), count = same[0], "1 trial" if len(same) == 1 else f"{len(same)} trials"
    told = f"{files[first]}: {count} left out, byte for byte the same as {files[of]}"
    return trials.drop(index=[trials.index[place] for place, _ in same]), [told]


def _named(path: Path) -> dict[str, str | None]:
    named = _NAME.fullmatch(path.name)
    assert named, path
    return named.groupdict()


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


def refuse_withdrawn(study: Dataset[Any]) -> None:
    """An error where somebody in the frames withdrew since these were read."""
    if gone := _withdrawn(study.folder, study.trials):
        told = f"{study.folder}: {' and '.join(gone)} withdrew since it was read"
        raise ValueError(f"{told}; read it again with read_dataset")


def _excluded(folder: Path, trials: pd.DataFrame, withdrawn: Iterable[str]) -> dict[str, str]:
    """Whom the study leaves out by their answers, of those who have trials."""
    reasons = {participant_id(label): why for label, why in _native.excluded(folder).items()}
    there = trials["participant_id"].unique().tolist()
    return {one: reasons[one] for one in there if one in reasons and one not in withdrawn}


def _named_files(folder: Path, trials: pd.DataFrame) -> list[str]:
    without = trials.index[trials["events_file"].isna()]
    if len(without):
        row = trials.loc[without[0]]
        told = f"{folder}: trial {row.get('trial')} of {row['participant_id']!r} names no events_file"
        raise ValueError(f"{told}; restore the table as it was written")
    return [str(name) for name in trials["events_file"]]


def refuse_wrong_kinds(columns: object, conditions: object) -> None:
    """Columns that are one text, and conditions that are no dictionary."""
    if conditions is not None and not isinstance(conditions, Mapping):
        raise TypeError("conditions: give a dictionary, such as {'delay': ['0 ms', '70 ms']}")
    if isinstance(columns, str):
        raise TypeError(f"columns = {columns!r}: give a list of names")


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
    wanted = levels_of(levels)
    there = trials[column].dropna().unique().tolist()
    return trials[trials[column].isin([level_in(there, column, level) for level in wanted])]


def level_in(there: Sequence[Any], column: str, level: Any) -> Any:
    """The level that is meant, of those that are there: ``1`` and ``"1"`` mean the same.

    Raises
    ------
    ValueError
        Where no trial has it.
    """
    found = [one for one in there if one == level] or [one for one in there if str(one) == str(level)]
    if not found:
        known = ", ".join(repr(one) for one in there)
        raise ValueError(f"{column} = {level!r}: no trial has it; there are {known}")
    return found[0]


def _all_columns(paths: list[Path], people: pd.DataFrame) -> list[str]:
    """Every column that the trials of these tables can have."""
    table, _ = read_tables(paths)
    return list(dict.fromkeys([*_WHOSE, *with_numbers(table).columns, *people.columns]))


def unknown_column(column: object, known: Sequence[str], where: str) -> ValueError:
    """What is said of a column that is not there: the nearest name, and all."""
    near = difflib.get_close_matches(str(column), known, 1, 0.5)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return ValueError(f"no column {column!r} {where}: {meant}there are {', '.join(known)}")
