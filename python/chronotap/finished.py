"""What came of a trial that was run in real time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from chronotap.frames import Column, frame_of, json_of


@dataclass(frozen=True)
class Files:
    """The files of a trial."""

    events: Path
    """The table of events; :func:`chronotap.read_trial` reads it."""
    description: Path
    """The .json beside it."""
    callbacks: Path | None
    """Of trials that sounded on a sound card: what the card asked for, and when."""


@dataclass(frozen=True)
class Finished:
    """A trial that is over. ``print`` shows its summary."""

    title: str
    seed: int
    ending: str
    """Why it ended, in words: ``its trigger``, ``interruption`` and others."""
    length_s: float
    timing_passed: bool
    data_usable: bool
    summary: dict[str, Any]
    """The trial in numbers, as in its data."""
    files: Files | None
    """None where none were to be kept."""
    not_saved: str | None
    """Why the disk refused the data; then the journal is left."""
    problem: str | None
    """What the disk last said, where it refused for a while."""
    dropped: int
    """Events that are not in the data; 0 in a sound trial."""
    text: str = field(repr=False)
    """The summary for people."""
    _columns: tuple[Sequence[Column], ...] = field(repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """Whether the timing passed and the data can be used."""
        return self.timing_passed and self.data_usable

    @cached_property
    def events(self) -> pd.DataFrame:
        """Every event, as :func:`chronotap.read_trial` gives them."""
        return _without_trial(self._columns[0])

    @cached_property
    def taps(self) -> pd.DataFrame:
        """One row for each tap, as :func:`chronotap.read_taps` gives them."""
        return _without_trial(self._columns[1])

    @cached_property
    def statistics(self) -> pd.DataFrame:
        """One row for each statistic, as in ``statistics`` of :func:`chronotap.simulate`."""
        return _without_trial(self._columns[3])

    def value(self, column: str, *, stretch: str | None = None) -> float | None:
        """One statistic, by its name with the unit: ``mean_asynchrony_ms``.

        Parameters
        ----------
        column
            As in ``statistics["column"]``. Of several inputs or streams the first counts.
        stretch
            Of this stretch; of the whole trial by default.

        Returns
        -------
        The number; None where the trial gives none.

        Raises
        ------
        KeyError
            Where the trial has no such statistic; the message names those that it has.
        """
        table = self.statistics
        here = table["stretch"].isna() if stretch is None else table["stretch"] == stretch
        found = table[(table["column"] == column) & here]
        if found.empty:
            known = ", ".join(table["column"][here].astype(str).unique())
            raise KeyError(f"{column}: there are {known}")
        value = found["value"].iloc[0]
        return None if pd.isna(value) else float(value)

    def __str__(self) -> str:
        return self.text


class TrialInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a trial. Its data are kept; ``finished`` has them."""

    def __init__(self, finished: Finished) -> None:
        where = finished.files.events if finished.files else "not kept in files, as was asked"
        super().__init__(f"the trial was ended by hand; its data: {where}")
        self.finished = finished

    def __reduce__(self) -> tuple[type[TrialInterrupted], tuple[Finished]]:
        return type(self), (self.finished,)


class DataNotSaved(OSError):
    """The disk refused the data of a trial. The message says where the journal is;
    ``finished`` has the data in memory."""

    def __init__(self, finished: Finished) -> None:
        super().__init__(finished.not_saved)
        self.finished = finished

    def __reduce__(self) -> tuple[type[DataNotSaved], tuple[Finished]]:
        return type(self), (self.finished,)


def finished_of(text: str, columns: Sequence[Sequence[Column]]) -> Finished:
    """From what the extension tells."""
    told = json_of(text)
    summary, files = told["summary"], told["files"]
    return Finished(
        title=told["title"],
        seed=told["seed"],
        ending=summary["ending"],
        length_s=summary["length_s"],
        timing_passed=summary["verdict"]["passed"],
        data_usable=summary["data"]["usable"],
        summary=summary,
        files=files and Files(*(path and Path(path) for path in files.values())),
        not_saved=told["not_saved"],
        problem=told["problem"],
        dropped=told["dropped"],
        text=told["text"],
        _columns=tuple(columns),
    )


def _without_trial(columns: Sequence[Column]) -> pd.DataFrame:
    frame: pd.DataFrame = frame_of([column for column in columns if column[0] != "trial"], "pandas")
    return frame
