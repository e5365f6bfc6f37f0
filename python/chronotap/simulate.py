"""Rehearse a trial with simulated participants, in virtual time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import pandas as pd

from chronotap import _native
from chronotap._bound import tell_cut
from chronotap._source import TrialSource, bytes_and_name, explained, seed_of, who
from chronotap._values import whole
from chronotap.frames import FrameKind, InNotebook, counts_of, frame_kind, frame_of

if TYPE_CHECKING:
    import polars as pl

F = TypeVar("F")


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(InNotebook, Generic[F]):
    """Simulated trials. ``trial`` counts them from 0 in all four frames."""

    events: F
    """Every event, as :func:`chronotap.read_trial` gives them, with ``trial``."""
    taps: F
    """One row for each tap, as :func:`chronotap.read_taps` gives them, with ``trial``."""
    trials: F
    """One row for each trial: ``trial``, ``seed``, ``length_s``, ``ending``,
    ``timing_passed``, ``data_usable``."""
    statistics: F
    """One row for each statistic of each trial: ``trial``, ``statistic``, ``column`` (its name
    with the unit), ``input``, ``against`` (the pacing stream), ``stretch`` (missing for the
    whole trial), ``value`` (missing where the data give none)."""

    _first_rows_of = "trials"

    def __repr__(self) -> str:
        return f"<Simulation: {counts_of(trials=self.trials, events=self.events, taps=self.taps)}>"


@overload
def simulate(
    trial: TrialSource,
    n: int = 1,
    *,
    seed: int | None = None,
    participant: str | os.PathLike[str] = "tapper",
    longest_s: int = 3600,
    frame: Literal["pandas"] = "pandas",
) -> Simulation[pd.DataFrame]: ...
@overload
def simulate(
    trial: TrialSource,
    n: int = 1,
    *,
    seed: int | None = None,
    participant: str | os.PathLike[str] = "tapper",
    longest_s: int = 3600,
    frame: Literal["polars"],
) -> Simulation[pl.DataFrame]: ...
@overload
def simulate(
    trial: TrialSource,
    n: int = 1,
    *,
    seed: int | None = None,
    participant: str | os.PathLike[str] = "tapper",
    longest_s: int = 3600,
    frame: Literal["arrow"],
) -> Simulation[Any]: ...
def simulate(
    trial: TrialSource,
    n: int = 1,
    *,
    seed: int | None = None,
    participant: str | os.PathLike[str] = "tapper",
    longest_s: int = 3600,
    frame: FrameKind = "pandas",
) -> Simulation[Any]:
    """Run a trial ``n`` times in virtual time, on all processors, and keep nothing on the disk.

    The same seed gives the same events as ``chronotap simulate``, to the nanosecond.

    Parameters
    ----------
    trial
        The path of a trial file, or its text (a ``str`` with a line break).
    n
        How many trials.
    seed
        Of the first trial; each further one has the next. By default that of the trial file,
        else one that is drawn; ``trials`` says which.
    participant
        A description (docs/participants.md) such as ``"tapper, mean = -30 ms"``, or a path
        (not a ``str``) to a table of key presses. The name of a preset alone taps with a hand
        at each input, to the first stream that this input answers.
    longest_s
        The longest virtual time of a trial, in seconds; it ends there, and a warning says so.
    frame
        ``"pandas"``, ``"polars"`` or ``"arrow"``.

    Returns
    -------
    The trials: their events, taps and statistics.

    Raises
    ------
    TrialFileError
        All the problems of the trial file, each with line and cure.
    ValueError
        Where the participant was not understood, with the nearest valid word.

    Examples
    --------
    >>> metronome = '''
    ... [pacing.metronome]
    ... interval = "500 ms"
    ... beats = 20
    ... [[when]]
    ... time = "11 s"
    ... end = true
    ... '''
    >>> simulated = simulate(metronome, n=3, seed=1)
    >>> simulated.trials["seed"].tolist()
    [1, 2, 3]
    """
    count, longest = whole("n", n, most=2**40), whole("longest_s", longest_s, most=2**32 - 1)
    spec, script = who(participant)
    if spec is None and script is None:
        raise TypeError("participant = None: give a description, or the Path of a table")
    frame_kind(frame)
    contents, name = bytes_and_name(trial)
    told, _ = explained(contents, name)
    first = seed_of(seed, told["seed"])
    parts = _native.simulate(contents, name, count, first, spec or "", script, longest)
    tell_cut(parts[2], longest)
    return Simulation(*(frame_of(part, frame) for part in parts))
