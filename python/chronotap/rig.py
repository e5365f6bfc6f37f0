"""Run trials in real time.

A :class:`Rig` opens the devices once; trial after trial runs on them. A trial is run by
threads of the library that never wait for the interpreter. Between two trials Python decides;
while one runs, :class:`Running` tells its events as they happen.
"""

from __future__ import annotations

import os
import reprlib
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TypeVar

from chronotap._signals import asked_to_end
from chronotap._source import TrialSource, bytes_and_name, explained, seed_of, who
from chronotap._values import priority_of, whole
from chronotap.events import Event, event_of
from chronotap.finished import DataNotSaved, Finished, TrialInterrupted, finished_of
from chronotap.frames import json_of
from chronotap.linux import native

T = TypeVar("T")

_TURN_MS = 50  # so long Python's signals may wait


@dataclass(frozen=True)
class Ports:
    """Which port each input and output of the trials is bound to, by its name in the trial
    file. A trial that declares none has ``input`` and ``output``, for which a plain ``str`` is
    enough. ``chronotap ports`` lists the ports of this machine; ``"wire"`` is a virtual one."""

    inputs: str | Mapping[str, str] = "wire"
    outputs: str | Mapping[str, str] = "wire"

    @staticmethod
    def of(*trials: TrialSource, port: str = "wire") -> Ports:
        """The same port for every input and output of these trials."""
        inputs: dict[str, str] = {}
        outputs: dict[str, str] = {}
        for trial in trials:
            told, _ = explained(*bytes_and_name(trial))
            inputs |= dict.fromkeys(told["inputs"], port)
            outputs |= dict.fromkeys(told["outputs"], port)
        return Ports(inputs, outputs)


@dataclass(frozen=True)
class Right:
    """A right that was asked of the system."""

    what: str
    asked: str
    granted: bool
    got: str
    why_not: str | None = None
    cure: str | None = None


class Running:
    """A trial that runs. Iterate over it for its events, or :meth:`wait` for its end.

    With ``with``, leaving the block waits for the end; an error or Ctrl-C in it asks the trial
    to end first. Its data are kept in every case. A trial whose ``Running`` nobody holds goes on
    to its own end, so that no data are cut short; :attr:`Rig.running` has it.
    """

    def __init__(self, running: Any) -> None:
        self._running = running
        self._finished: Finished | None = None
        self._process = os.getpid()
        self._signals = ExitStack()
        self.missed = 0
        """Events that were left out so far because this iterator was late."""

    def __iter__(self) -> Iterator[Event]:
        """Its events as they happen. Ctrl-C and the signals that end a program end the trial first."""
        with asked_to_end():
            yield from self._events()

    def _events(self) -> Iterator[Event]:
        missed = 0
        while not self._native.is_over():
            line = self._interruptible(lambda: self._native.next_line(_TURN_MS))
            if line is None:
                continue
            told = json_of(line)
            if told["event"] == "missed":
                missed += told["count"]
                self.missed += told["count"]
            elif told["event"] == "finished":
                return
            elif told["event"] != "begin":
                yield event_of(told, missed)
                missed = 0

    def stop(self) -> None:
        """Ask the trial to end at once, as Ctrl-C does. Its data are kept."""
        if not self._over():
            self._native.stop()

    def close(self) -> Finished:
        """Ask the trial to end at once, as Ctrl-C does, and wait for that. Its data are kept.

        Returns
        -------
        What came of the trial.

        Raises
        ------
        DataNotSaved
            Where the disk refused the data; the journal is left.
        """
        return self._end()

    def wait(self) -> Finished:
        """Wait for the end of the trial.

        Returns
        -------
        What came of the trial.

        Raises
        ------
        TrialInterrupted
            After Ctrl-C, when the trial has ended and its data are kept: ``finished`` has it.
            A second Ctrl-C does not wait for that.
        DataNotSaved
            Where the disk refused the data; the journal is left.
        """
        with asked_to_end():
            self._interruptible(self._until_ended)
        return self._result()

    @property
    def _native(self) -> Any:
        if os.getpid() != self._process:
            told = f"this trial runs in the process {self._process}, and this one is a copy of it"
            raise RuntimeError(f"{told}; wait for it there")
        return self._running

    def _interruptible(self, waiting: Callable[[], T]) -> T:
        """Waits; whatever interrupts it ends the trial."""
        try:
            return waiting()
        except KeyboardInterrupt as interruption:
            raise TrialInterrupted(self._end()) from interruption
        except BaseException:
            self._end()
            raise

    def _over(self, patience_ms: int = 0) -> bool:
        return self._finished is not None or bool(self._native.wait(patience_ms))

    def _until_ended(self) -> None:
        while not self._over(_TURN_MS):
            pass  # between two turns Python looks for signals

    def _end(self) -> Finished:
        self.stop()
        self._until_ended()
        return self._result()

    def _result(self) -> Finished:
        if self._finished is None:
            self._finished = finished_of(*self._native.result())
            if self._finished.not_saved:
                raise DataNotSaved(self._finished)
        return self._finished

    def __repr__(self) -> str:
        if self._finished is not None:
            return f"<Running {self._finished.title!r}, ended by {self._finished.ending}>"
        return "<Running, until its end or stop()>"

    def __enter__(self) -> Running:
        self._signals.enter_context(asked_to_end())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._signals:
            if kind is None:
                self.wait()
            elif issubclass(kind, KeyboardInterrupt) and not isinstance(error, TrialInterrupted):
                raise TrialInterrupted(self._end()) from error
            else:
                self._end()


class Rig:
    """Devices that are open, for trial after trial.

    Parameters
    ----------
    ports
        The ports of all trials; a ``str`` is the port of both ``input`` and ``output``.
    priority
        SCHED_FIFO priority to ask for, 1 to 98; None asks for no rights of real time. What is
        refused is in :attr:`rights` and in the data; :func:`chronotap.doctor` says how to get
        it.
    cpu
        Run on this processor only, from 0.
    spin
        Whether the last stretch before a deadline may be spent spinning.

    Raises
    ------
    NeedsLinux
        On other systems.
    ValueError
        For a port whose name is not understood.
    RuntimeError
        Where a port cannot be opened.

    Examples
    --------
    >>> from chronotap import Rig, Trial
    >>> trial = Trial(
    ...     pacing={"metronome": {"interval": "20 ms", "beats": 3}},
    ...     when=[{"time": "80 ms", "end": True}],
    ... )
    >>> with Rig("wire", priority=None) as rig:
    ...     finished = rig.run(trial, data=None, seed=1)
    >>> finished.ending, finished.seed
    ('its trigger', 1)
    """

    def __init__(
        self,
        ports: Ports | str = "wire",
        *,
        priority: int | None = 80,
        cpu: int | None = None,
        spin: bool = True,
    ) -> None:
        priority_of(priority)
        if not isinstance(ports, (str, Ports)):
            told = f"ports = {reprlib.repr(ports)}"
            raise TypeError(f"{told}: give a name such as 'wire', or Ports(inputs=…, outputs=…)")
        given = Ports(ports, ports) if isinstance(ports, str) else ports
        inputs, outputs = named_ports(given.inputs, "input"), named_ports(given.outputs, "output")
        processor = None if cpu is None else whole("cpu", cpu, most=2**20)
        self._rig = native("Rig")(inputs, outputs, priority, processor, spin)
        self._ports = given
        told = json_of(self._rig.told())
        self.rights: tuple[Right, ...] = tuple(Right(**item) for item in told["rights"]["items"])
        """What was asked of the system, and what was granted."""
        self.warnings: tuple[str, ...] = tuple(told["warnings"])
        """What whoever uses the data must know of the ports."""
        self._closing = weakref.finalize(self, self._rig.close)
        self._last: Running | None = None

    @property
    def running(self) -> Running | None:
        """The trial that runs, also where nobody kept what :meth:`start` gave; None where none
        does."""
        last = self._last
        return None if last is None or last._over() else last

    def start(
        self,
        trial: TrialSource,
        *,
        data: str | os.PathLike[str] | None = "data",
        name: str | None = None,
        seed: int | None = None,
        participant: str | os.PathLike[str] | None = None,
        limit_us: int | None = None,
        room: int = 8192,
    ) -> Running:
        """Begin a trial; it runs by itself.

        Parameters
        ----------
        trial
            A trial, the path of a trial file, or its text. Its inputs and outputs must be among
            those of the rig.
        data
            Folder of the data files, made where it is missing; None keeps none.
        name
            First part of their names; by default that of the trial file.
        seed
            Of everything random; by default that of the trial file, else one that is drawn.
        participant
            Who taps at the far end of a virtual wire: a description (docs/participants.md), or
            a path (not a ``str``) to a table of key presses. None is whoever is at the devices.
        limit_us
            Lateness in microseconds above which the timing verdict fails; by default that of
            the trial file.
        room
            So many events may wait for the iterator; more are left out of it, and counted.

        Returns
        -------
        The trial that runs.

        Raises
        ------
        TrialFileError
            All the problems of the trial file.
        ValueError
            Where the participant is not understood.
        RuntimeError
            Where another trial runs in this program (wait for it, or end it with
            ``rig.running.close()``), and in a copy of the process that opened the rig.
        """
        contents, file = bytes_and_name(trial)
        told, _ = explained(contents, file)
        spec, script = who(participant)
        how = {
            "seed": seed_of(seed, told["seed"]),
            "participant": spec,
            "script": script,
            "data": _folder(data),
            "stem": _stem(name, file),
            "limit_us": None if limit_us is None else whole("limit_us", limit_us, most=10**9),
            "room": whole("room", room, most=2**24),
        }
        self._last = Running(self._rig.start(contents, file, how))
        return self._last

    def run(
        self,
        trial: TrialSource,
        *,
        data: str | os.PathLike[str] | None = "data",
        name: str | None = None,
        seed: int | None = None,
        participant: str | os.PathLike[str] | None = None,
        limit_us: int | None = None,
    ) -> Finished:
        """Run a trial to its end. The parameters are those of :meth:`start`.

        Returns
        -------
        What came of the trial.

        Raises
        ------
        TrialInterrupted
            After Ctrl-C: the trial has ended, its data are kept, ``finished`` has them.
        DataNotSaved
            Where the disk refused the data; the journal is left.
        """
        try:
            finished = self.start(
                trial, data=data, name=name, seed=seed, participant=participant, limit_us=limit_us
            ).wait()
        except TrialInterrupted:
            raise
        except KeyboardInterrupt as interruption:
            if self.running is None:
                raise
            # It came after the trial began and before it was waited for.
            raise TrialInterrupted(self.running.close()) from interruption
        self._last = None  # what it gave is not kept here
        return finished

    def close(self) -> None:
        """Close the devices. A trial that runs is asked to end, and its data are kept."""
        self._closing()

    def __repr__(self) -> str:
        state = "open" if self._closing.alive else "closed"
        return f"<Rig {self._ports.inputs!r} to {self._ports.outputs!r}, {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a rig holds open devices, which cannot be copied; open one in each process")

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session(Rig):
    """The former name of :class:`Rig`. It goes with the next release."""

    def __init__(self, *ports: Any, **options: Any) -> None:
        told = "chronotap.Session is now called chronotap.Rig"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        super().__init__(*ports, **options)


def named_ports(ports: str | Mapping[str, str], name: str) -> list[tuple[str, str]]:
    """Ports by the names of inputs or outputs; one alone has this name."""
    found = [(name, ports)] if not isinstance(ports, Mapping) else list(ports.items())
    if not all(isinstance(word, str) for pair in found for word in pair):
        raise TypeError(f"{name}s = {reprlib.repr(ports)}: give a port, or one for each name, as texts")
    return found


def _folder(data: str | os.PathLike[str] | None) -> str | None:
    if data is None:
        return None
    folder = os.fspath(data) if isinstance(data, (str, os.PathLike)) else ""
    if not folder:
        raise ValueError(f"data = {reprlib.repr(data)}: name a folder, or None to keep no files")
    return folder


def _stem(name: str | None, file: str) -> str:
    if name is None:
        return Path(file).stem
    if not isinstance(name, str):
        raise TypeError(f"name = {reprlib.repr(name)}: give a text")
    if not name or name in (".", "..") or "/" in name or not name.isprintable():
        raise ValueError(f"name = {name!r}: a name has letters and no '/'; data names the folder")
    return name
