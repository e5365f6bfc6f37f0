"""Recorded trials on the clock of another recorder, afterwards; and their events beside its recording, in BIDS.

The alignment is that of ``chronotap align``. docs/recorders.md says what it needs, forgives and refuses.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from chronotap import _native
from chronotap._results import Estimate
from chronotap.dataset import Dataset
from chronotap.frames import InNotebook, counts_of, frame_of, json_of
from chronotap.read import Recording
from chronotap.recorder import Recorder, marks_of, recorder_of

Refusal: TypeAlias = Literal["too few", "no common code", "unlike", "ambiguous"]
"""Why two recordings were not put on one clock."""

_KINDS = ("code", "pacing", "feedback", "masking", "tap")
_LABEL = "[A-Za-z0-9]+"
_BIDS = re.compile(
    rf"(?P<stem>(?P<person>sub-{_LABEL})_(?:ses-{_LABEL}_)?task-{_LABEL}_(?:[a-z]+-{_LABEL}_)*)eeg\.\w+"
)


class NotAligned(ValueError):
    """Two recordings were not put on one clock, because they are not alike, or because that cannot be told. The
    message says what to do."""

    kind: Refusal
    """``too few`` events, ``no common code``, ``unlike`` (chance can do as much), ``ambiguous`` (nearly as good
    elsewhere)."""
    values: dict[str, Any]
    """``too few``: how many events ``ours`` and ``theirs`` are. ``no common code``: the codes of ``ours`` and
    ``theirs``. ``unlike``: how many events ``matched`` of those ``within`` the recording. ``ambiguous``: how many
    ``matched``, how many ``also`` do where the recording is moved by ``apart_s`` seconds."""
    files: tuple[Path, ...]
    """The trials that were not aligned."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(f"{', '.join(told['files'])}: {told['said']}")
        self.kind, self.values = told["kind"], dict(told["values"])
        self.files = tuple(Path(file) for file in told["files"])
        self._told = dict(told)

    def __reduce__(self) -> tuple[type[NotAligned], tuple[dict[str, Any]]]:
        return NotAligned, (self._told,)


@dataclass(frozen=True, eq=False, repr=False)
class Alignment(InNotebook):
    """Recorded trials on the clock of another recorder."""

    trials: pd.DataFrame
    """One row for each trial: ``trial`` (its events file), ``begins_s``, when it began by the recorder's clock, and
    ``drift_ppm``, by how many parts per million that clock is faster than the trial's, each with
    ``_standard_error`` and the ends ``_low`` and ``_high`` of its interval for 95 %; ``residual_sd_ms`` and
    ``residual_max_ms``, how far matched events lie from the line; and ``aligned_with``: trials with the same
    number were aligned together."""
    events: pd.DataFrame
    """One row for each event of the trials, in the order of time: ``onset_s``, and exactly ``onset_ns``, by the
    recorder's clock; ``duration_s``, ``trial_type``, ``name``, ``number``, ``event_id``, ``trial`` and
    ``onset_in_trial_s`` as in the events file; ``fate``: ``matched``, ``missing``, ``outside`` (before or after
    the recording), or missing where events of this kind were not looked for; ``recorded_s``: the onset that the
    recorder itself has."""
    spurious: pd.DataFrame
    """Events of the recorder that are none of ours: ``onset_s``, ``onset_ns``, ``code``."""
    recorder: Recorder
    _table: str = field(repr=False)
    _description: str = field(repr=False)

    _first_rows_of = "events"

    @property
    def begins_s(self) -> Estimate:
        """When the first of the trials began by the recorder's clock, in seconds."""
        return _estimate(self.trials, "begins_s")

    @property
    def drift_ppm(self) -> Estimate:
        """By how many parts per million the recorder's clock is faster than that of the first of the trials."""
        return _estimate(self.trials, "drift_ppm")

    @property
    def matched(self) -> pd.DataFrame:
        """The rows of ``events`` that the recorder has."""
        return self.events[self.events["fate"] == "matched"]

    def __repr__(self) -> str:
        return f"<Alignment with {self.recorder.source!r}: {counts_of(trials=self.trials, matched=self.matched)}>"

    def __str__(self) -> str:
        counts = self.events["fate"].value_counts()
        fates = ", ".join(f"{counts.get(fate, 0)} {fate}" for fate in ("matched", "missing", "outside"))
        told = f"{counts_of(trials=self.trials)}: {fates}, {len(self.spurious)} none of ours"
        return f"{told}\nbegins_s   {self.begins_s}\ndrift_ppm  {self.drift_ppm}"

    def write_bids(self, recording: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the events beside a recording in an EEG-BIDS dataset, as its ``_events.tsv`` and ``_events.json``.

        Onsets are in seconds from the first sample of the recording. Events before it and after the last sample
        are left out, as the recording does not have them. The descriptions have HED tags; where
        ``dataset_description.json`` names no ``HEDVersion``, it is added there.

        Parameters
        ----------
        recording
            The recording that the trials were aligned with, where it is in the dataset, such as
            ``sub-01/eeg/sub-01_task-sync_eeg.vhdr``.
        overwrite
            Whether files that are there are replaced, such as those that mne-bids has written from the annotations.

        Returns
        -------
        The path of the table.

        Raises
        ------
        ValueError
            Where the recording has no name of EEG-BIDS.
        FileExistsError
            Where one of both files is there.
        FileNotFoundError, PermissionError, OSError
            Where the recording is not there, or the files cannot be written.
        """
        place = Path(recording)
        table, person = _beside(place)
        texts = {table: self._table, table.with_suffix(".json"): self._description}
        there = [path for path in texts if path.exists()]
        if there and not overwrite:
            raise FileExistsError(f"{there[0]}: already there; replace it with overwrite=True")
        for path, text in texts.items():
            _put(path, text)
        _say_version(place, person)
        return table


def align(
    trials: Any,
    recorder: Any,
    *,
    events: str | Iterable[str] = "code",
    codes: bool = True,
    each: bool = False,
    tolerance_ms: float = 5.0,
    most_drift_ppm: float = 500.0,
) -> Alignment:
    """Put recorded trials on the clock of another recorder, by the events that both have.

    Parameters
    ----------
    trials
        The path of an events file, what :func:`chronotap.read_trial` or :func:`chronotap.read_dataset` gave, or
        several of them. Trials of one session are aligned together, by the clock of their computer.
    recorder
        What :func:`chronotap.read_recorder` gave, or what it reads as it is: the path of a recording; or a frame
        with the columns ``onset_s`` (seconds) and ``code`` (whole numbers, may be missing).
    events
        The kinds of events that the recorder has: ``code``, ``pacing``, ``feedback``, ``masking``, ``tap``. Those
        other than ``code`` are aligned by their times alone.
    codes
        Whether codes must agree; without them times alone are compared.
    each
        Whether each trial is aligned by itself, as if the others were recorded on another day.
    tolerance_ms
        Two events are one where they are at most so far apart on one clock; 0.001 to 1000.
    most_drift_ppm
        By how much the clocks may drift apart, in parts per million; 0 to 10000.

    Returns
    -------
    How both clocks lie to each other, with 95 % intervals, and which marks belong together.

    Raises
    ------
    NotAligned
        Where the two are not alike, or fit nearly as well elsewhere: its ``kind`` and ``values`` say which.
    OSError, ValueError, ImportError
        As :func:`chronotap.read_trial` and :func:`chronotap.read_recorder`; for trials without events of these
        kinds, and for limits outside of their range.
    """
    kinds = [events] if isinstance(events, str) else list(events)
    tolerance_ns = round(_within("tolerance_ms", tolerance_ms, 0.001, 1000.0) * 1e6)
    drift = _within("most_drift_ppm", most_drift_ppm, 0.0, 10_000.0)
    limits = {"each": each, "tolerance_ns": tolerance_ns, "most_drift_ppm": drift}
    theirs = recorder_of(recorder)
    how: Any = {"events": [_known(kind) for kind in kinds], **limits}
    text, columns, spurious, bids = _native.align(_files(trials), _marks(theirs, codes), how)
    told = json_of(text)
    if "refused" in told:
        raise NotAligned(told["refused"])
    rows = pd.DataFrame([_row(trial) for trial in told["trials"]])
    others = theirs.events.iloc[spurious].reset_index(drop=True)
    return Alignment(rows, frame_of(columns, "pandas"), others, theirs, *bids)


def _marks(recorder: Recorder, with_codes: bool) -> Any:
    """What a recorder has, as the extension takes it."""
    onsets, codes = marks_of(recorder)
    length_ns = None if recorder.length_s is None else round(recorder.length_s * 1e9)
    marks = {"onset_ns": onsets, "code": codes if with_codes else np.full_like(codes, -1)}
    return {**marks, "step_s": recorder.step_s, "length_ns": length_ns}


def _files(trials: Any) -> list[Path]:
    if isinstance(trials, (str, os.PathLike)):
        return [Path(trials)]
    if isinstance(trials, Recording):
        return [trials.path]
    if isinstance(trials, Dataset):
        return list(trials.events_files)
    if isinstance(trials, Iterable):
        return [path for one in trials for path in _files(one)]
    what = "the path of an events file, a recorded trial, a dataset, or a list of them"
    raise TypeError(f"trials = {trials!r}: give {what}")


def _known(kind: str) -> str:
    if kind not in _KINDS:
        raise ValueError(f"events = {kind!r}: there are {', '.join(map(repr, _KINDS))}")
    return kind


def _within(name: str, value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise ValueError(f"{name} = {value!r}: give a number from {least:g} to {most:g}")
    return float(value)


_PARTS = ("standard_error", "low", "high")


def _row(trial: dict[str, Any]) -> dict[str, Any]:
    """An estimate takes several columns."""
    row: dict[str, Any] = {}
    for name, cell in trial.items():
        row[name] = cell["value"] if isinstance(cell, dict) else cell
        if isinstance(cell, dict):
            row |= {f"{name}_{part}": cell[part] for part in _PARTS}
    return row


def _estimate(trials: pd.DataFrame, name: str) -> Estimate:
    first = trials.iloc[0]
    return Estimate(float(first[name]), *(float(first[f"{name}_{part}"]) for part in _PARTS))


def _beside(recording: Path) -> tuple[Path, str]:
    """The table of events of a recording, and whose it is."""
    named = _BIDS.fullmatch(recording.name)
    if named is None:
        raise ValueError(
            f"{recording}: it has no name of EEG-BIDS, such as sub-01_task-sync_eeg.vhdr; name one that has"
        )
    if not recording.exists():
        raise FileNotFoundError(f"{recording}: there is no such recording; put it there first")
    return recording.with_name(f"{named['stem']}events.tsv"), named["person"]


def _put(path: Path, text: str) -> None:
    """The whole text or what was there, whatever happens in between."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    os.replace(part, path)


def _say_version(recording: Path, person: str) -> None:
    """Names the version of the tags in the description of the dataset that the recording is in."""
    above = next((folder for folder in recording.resolve().parents if folder.name == person), None)
    path = above and above.with_name("dataset_description.json")
    if path is None or not path.exists():
        return
    about = json.loads(path.read_text(encoding="utf-8"))
    if "HEDVersion" not in about:
        _put(path, json.dumps({**about, "HEDVersion": _native.HED_VERSION}, indent=2, ensure_ascii=False) + "\n")
