"""Whole studies as values: built in Python, or read from an experiment file."""

from __future__ import annotations

import errno
import json
import os
import reprlib
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import pandas as pd

from chronotap import _native
from chronotap._bound import tell_cut
from chronotap._keys import file_text, plain, text_of
from chronotap._tables import typed, with_numbers
from chronotap._values import priority_of, whole
from chronotap.dataset import labelled, labels_of
from chronotap.errors import Problem, TrialFileError
from chronotap.frames import FrameKind, InNotebook, counts_of, frame_kind, frame_of, frame_of_pandas
from chronotap.linux import native
from chronotap.rig import Ports, named_ports
from chronotap.sessions import Frontend, SessionEnded, answers_of, run_session
from chronotap.trial import Trial, Value

if TYPE_CHECKING:
    import polars as pl

F = TypeVar("F")


@dataclass(frozen=True)
class StudyPlan:
    """What a study comes to before anyone takes part, as ``chronotap check`` tells it.
    ``print`` shows the whole page."""

    title: str
    task: str
    seed: int
    participants: int
    sessions: int
    factors: dict[str, list[str]]
    """Within participants: the levels of each."""
    trials: int
    """Of a first participant in all sessions; at most, where the number is open."""
    session_s: tuple[float, ...]
    """The length of each session in seconds, as far as it can be known."""
    unbalanced: tuple[str, ...]
    """What is not balanced, and why."""
    groups: tuple[str, ...]
    """Where levels between participants are from that are no draw, in words."""
    warnings: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedStudy(InNotebook, Generic[F]):
    """A study with simulated participants. ``trial`` in the frames of events, taps and
    statistics is the row of ``trials``; taps have participant, session, step and factors beside it, as
    those of a :class:`chronotap.Dataset`."""

    participants: F
    """One row for each participant, as in participants.tsv."""
    trials: F
    """One row for each trial that was done, in the columns of the dataset's tables, as
    :func:`chronotap.read_dataset` gives them. Only rows with ``counts`` count."""
    events: F
    taps: F
    statistics: F

    _first_rows_of = "trials"

    def __repr__(self) -> str:
        told = counts_of(participants=self.participants, trials=self.trials, events=self.events)
        return f"<SimulatedStudy: {told}, {counts_of(taps=self.taps)}>"


class Experiment:
    """A study, by the keys of an experiment file (docs/experiment-reference.md).

    Parameters
    ----------
    files
        The files that it names, such as ``{"sync.toml": Trial(...), "welcome.md": "…"}``.
    sections
        The keys at the top of the file: ``title``, ``task``, ``factor``, ``step`` and the
        others. ``set`` maps paths of the trial file to what they are set to.

    Examples
    --------
    >>> trial = Trial(
    ...     pacing={"metronome": {"interval": "500 ms", "beats": 10}},
    ...     feedback={"tone": {"delay": "0 ms"}},
    ...     when=[{"time": "6 s", "end": True}],
    ... )
    >>> study = Experiment(
    ...     {"trial.toml": trial},
    ...     task="delay",
    ...     trial="trial.toml",
    ...     participants=4,
    ...     factor={"delay": ["0 ms", "100 ms"]},
    ...     set={"feedback": {"tone": {"delay": {"factor": "delay"}}}},
    ...     step=[{"name": "main", "repetitions": 2, "shuffle": "all"}],
    ... )
    >>> study.check().trials
    4
    >>> sorted(study.simulate(n=3).trials["delay"])[5:7]
    ['0 ms', '100 ms']
    """

    def __init__(self, files: Mapping[str, Trial | str] | None = None, **sections: Value) -> None:
        self._text: str = text_of(plain(sections))
        self._files = {name: _text_of(name, file) for name, file in (files or {}).items()}
        self._folder: Path | None = None
        self.name = "study.toml"
        """By which mistakes are told."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Experiment:
        """The study of an experiment file and all that it names.

        Returns
        -------
        The study. It is not checked yet: :meth:`check` tells what is wrong with it.

        Raises
        ------
        OSError
            Where the file cannot be read.
        ValueError
            Where it is no text.
        """
        study = cls.__new__(cls)
        study._text = file_text(os.fspath(path))
        study._files, study._folder, study.name = {}, Path(path).parent, str(path)
        return study

    @property
    def text(self) -> str:
        """The experiment file."""
        return self._text

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the experiment file and those that it names into a folder, for ``chronotap
        run``; gives its path. Where one of the files is there, nothing is written.

        Returns
        -------
        The path of the experiment file.

        Raises
        ------
        FileExistsError
            Where one of the files is there.
        ValueError
            Where a file would lie outside of the folder.
        """
        place, name = Path(folder), Path(self.name).name
        files = {name: self._text, **self._all_files()}
        for one in files:
            if Path(one).is_absolute() or ".." in Path(one).parts:
                raise ValueError(f"{one!r} lies outside of the folder: give files names within it")
            if (place / one).exists():
                raise FileExistsError(errno.EEXIST, "it is there, and is not overwritten", str(place / one))
        for one, text in files.items():
            (place / one).parent.mkdir(parents=True, exist_ok=True)
            with (place / one).open("x", encoding="utf-8") as file:
                file.write(text)
        return place / name

    def _all_files(self) -> dict[str, str]:
        """The files that it names."""
        if self._folder is None:
            return self._files
        return dict(_native.files_of(self._text, self.name, self._folder))

    def check(self) -> StudyPlan:
        """Check the study and all its files, and tell what it comes to.

        Returns
        -------
        What the study comes to.

        Raises
        ------
        TrialFileError
            All the problems of all files, each with line and cure.
        """
        found, problems = _native.check_experiment(self._given())
        if found is None:
            raise TrialFileError(tuple(Problem(*problem) for problem in problems))
        told = json.loads(found[0])
        return StudyPlan(
            title=told["title"],
            task=told["task"],
            seed=told["seed"],
            participants=told["participants"],
            sessions=told["sessions"],
            factors={name: list(levels) for name, levels in told["factors"]},
            trials=sum(step["trials"] for step in told["steps"]),
            session_s=tuple(length / 1e9 for length, _ in told["session_ns"]),
            unbalanced=tuple(told["unbalanced"]),
            groups=tuple(told["groups"]),
            warnings=tuple(told["warnings"]),
            text=found[1],
        )

    def plan(self, participant: int = 1, session: int = 1) -> pd.DataFrame:
        """Every trial of a planned participant's session, in order.

        Parameters
        ----------
        participant
            Which of those who are planned, from 1.
        session
            Which session, from 1.

        Returns
        -------
        A row for each trial: ``trial``, ``step``, ``block``, ``repetition``, each factor, ``seed``. Factors
        are categories in the order of the file, or numbers where all their levels are.

        Raises
        ------
        TrialFileError
            All the problems of all files.
        ValueError
            For a participant or a session that the study does not have.
        """
        number = whole("participant", participant, 1, 10**6)
        of = whole("session", session, 1, 10**6)
        self.check()
        return typed(*_native.plan_of(self._given(), number, of))

    @overload
    def simulate(
        self,
        n: int | None = None,
        *,
        participant: str = "adults",
        longest_s: int = 3600,
        frame: Literal["pandas"] = "pandas",
    ) -> SimulatedStudy[pd.DataFrame]: ...
    @overload
    def simulate(
        self,
        n: int | None = None,
        *,
        participant: str = "adults",
        longest_s: int = 3600,
        frame: Literal["polars"],
    ) -> SimulatedStudy[pl.DataFrame]: ...
    @overload
    def simulate(
        self,
        n: int | None = None,
        *,
        participant: str = "adults",
        longest_s: int = 3600,
        frame: Literal["arrow"],
    ) -> SimulatedStudy[Any]: ...
    def simulate(
        self,
        n: int | None = None,
        *,
        participant: str = "adults",
        longest_s: int = 3600,
        frame: FrameKind = "pandas",
    ) -> SimulatedStudy[Any]:
        """Simulate the whole study in virtual time, on all processors, in memory alone. The
        numbers are those of ``chronotap simulate``.

        Parameters
        ----------
        n
            How many participants; as many as are planned by default.
        participant
            What they are like (docs/participants.md): a population, or a description in which
            ``mean = -30 +- 10 ms`` is drawn for each of them.
        longest_s
            The longest virtual time of a trial, in seconds; it ends there, and a warning says so.
        frame
            ``"pandas"``, ``"polars"`` or ``"arrow"``.

        Returns
        -------
        The tables of all participants.

        Raises
        ------
        TrialFileError
            All the problems of all files.
        ValueError
            Where the participant is not understood.
        NeedsLinux
            On other systems; :func:`chronotap.simulate` of a trial works there.
        """
        longest = whole("longest_s", longest_s, most=2**32 - 1)
        frame_kind(frame)
        planned = self.check().participants
        count = planned if n is None else whole("n", n, 1, 2**32 - 1)
        if not isinstance(participant, str):
            raise TypeError(f"participant = {participant!r}: give a description")
        simulate = native("simulate_experiment")
        people, trials, parts, levels = simulate(self._given(), count, participant, longest)
        tell_cut(parts[2], longest)
        table = typed(trials, levels)
        described = typed(people, levels)
        table = with_numbers(table.drop(columns=["events_file", "onset_utc"]))
        about = frame_of(parts[2], "pandas")
        for name in ("length_s", "ending"):
            table[name] = about[name]
        taps = labelled(parts[1], labels_of(table, described))
        frames = (frame_of_pandas(one, frame) for one in (described, table))
        return SimulatedStudy(*frames, *(frame_of(part, frame) for part in (parts[0], taps, parts[3])))

    def run(
        self,
        data: str | os.PathLike[str],
        participant: str | int,
        *,
        session: int = 1,
        ports: Ports | str = "wire",
        answers: Mapping[str, object] | None = None,
        between: Mapping[str, str] | None = None,
        simulate: str | None = None,
        frontend: Frontend | None = None,
        by: str = "",
        changed: bool = False,
        language: str | None = None,
        priority: int | None = 80,
    ) -> SessionEnded:
        """Run a session of one participant in real time, as ``chronotap run`` does: texts, questions,
        practice, trials in the planned order, into a dataset. A session that was stopped goes on
        where it was.

        Parameters
        ----------
        data
            The folder of the dataset; made where it is missing.
        participant
            The label, such as ``"01"``.
        session
            Which session, from 1.
        ports
            The devices, as for :class:`Rig`; a ``str`` is the port of all inputs and outputs.
        answers
            Answers by their names, given beforehand, such as ``{"age": 30}``; a practice's name may be
            answered there, too. Everything else is asked of the frontend.
        between
            The level of a factor between participants, where the experimenter names it.
        simulate
            Who taps at the far end of a virtual wire, such as ``"tapper"``; then all questions are
            answered by chance and nobody is waited for.
        frontend
            Where the session shows and asks; the terminal by default.
        by
            The experimenter's name, which is recorded.
        changed
            Whether a study whose files have changed since it began goes on all the same; it is recorded.
        language
            In which of the study's languages the participant reads, such as ``"de"``; by default the one
            of the session as far as it got, else of the one before, else the study's own.
        priority
            SCHED_FIFO priority to ask for, 1 to 98; None asks for no rights of real time.

        Returns
        -------
        How the session ended, and where its data are.

        Raises
        ------
        TrialFileError
            All the problems of all files; nothing is begun then.
        RuntimeError
            Where the session cannot begin or go on; what was recorded is kept.
        NeedsLinux
            On other systems.

        Notes
        -----
        Ctrl-C ends the trial that runs, keeps its data, stops the session and then raises
        ``KeyboardInterrupt``; running it again goes on.
        """
        self.check()
        priority_of(priority)
        if not isinstance(ports, (str, Ports)):
            raise TypeError(f"ports = {reprlib.repr(ports)}: give a name such as 'wire', or Ports(…)")
        if not isinstance(participant, (str, int)) or isinstance(participant, bool):
            raise TypeError(f"participant = {participant!r}: give a label, such as '01'")
        named = isinstance(ports, Ports)
        with self._on_disk() as path:
            how: _native._Session = {
                "study": path,
                "data": os.fspath(data),
                "participant": str(participant),
                "session": whole("session", session, 1, 10**6),
                "inputs": named_ports(ports.inputs, "input") if isinstance(ports, Ports) else [],
                "outputs": named_ports(ports.outputs, "output") if isinstance(ports, Ports) else [],
                "port": None if named else str(ports),
                "answers": answers_of(answers),
                "between": dict(between or {}),
                "simulate": simulate,
                "by": by,
                "changed": changed,
                "language": language,
                "priority": priority,
            }
            return run_session(how, Frontend() if frontend is None else frontend)

    @contextmanager
    def _on_disk(self) -> Iterator[str]:
        """The path of the experiment file: the one that was read, or one that is written for as long as
        it is needed."""
        if self._folder is not None:
            yield self.name
            return
        with tempfile.TemporaryDirectory() as folder:
            yield os.fspath(self.save(folder))

    def _given(self) -> _native._Given:
        files = list(self._files.items())
        return {"text": self._text, "name": self.name, "files": files, "folder": self._folder}

    def __repr__(self) -> str:
        return f"<Experiment {self.name!r}>"


def _text_of(name: str, file: Trial | str) -> str:
    if not isinstance(file, (str, Trial)):
        raise TypeError(f"files: {name} = {reprlib.repr(file)}: give a Trial, or the text of the file")
    return file.text if isinstance(file, Trial) else file
