"""Ask what a trial will do, before anybody taps."""

from __future__ import annotations

from dataclasses import dataclass, field

from chronotap._source import TrialSource, bytes_and_name, explained


@dataclass(frozen=True)
class Parameter:
    """One parameter of a trial as it holds at its start."""

    path: str
    """Where it stands, such as ``pacing.metronome.tone.note``."""
    value: str
    """Its value; times carry their unit."""
    unit: str
    """What kind of quantity it is; empty for words and flags."""
    line: int | None
    """The line that gives it; None for a default."""


@dataclass(frozen=True)
class Moment:
    """Something that will happen in a trial."""

    at_ns: int | None
    """When, from the start of the trial; None where the participant decides."""
    about: bool
    """Whether the time is only roughly known."""
    when: str
    """The condition, in words."""
    then: tuple[str, ...]
    """What happens, in words."""


@dataclass(frozen=True)
class TrialPlan:
    """What a trial will do, as ``chronotap check`` explains it. ``print`` shows the whole page."""

    file: str
    title: str
    description: str | None
    reference: str | None
    """The publication that the trial follows."""
    seed: int | None
    """None has one drawn when the trial runs."""
    limit_ns: int
    """Lateness of output above which the timing verdict fails."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    measured: str
    """Which input is measured against which pacing stream, in words."""
    taps: tuple[str, ...]
    """What a tap does, in words."""
    timeline: tuple[Moment, ...]
    end: str
    """How the trial ends, in words."""
    parameters: tuple[Parameter, ...]
    warnings: tuple[str, ...]
    """Doubts that do not keep the trial from running."""
    text: str = field(repr=False)
    """The page for people."""

    def __str__(self) -> str:
        return self.text


def check(trial: TrialSource) -> TrialPlan:
    """Check a trial file and explain what the trial will do.

    Parameters
    ----------
    trial
        The path of a trial file, or its text (a ``str`` with a line break).

    Returns
    -------
    What the trial comes to: its length, its events, and what to look out for.

    Raises
    ------
    TrialFileError
        All the problems of the file, each with line and cure.

    Examples
    --------
    >>> plan = check('''
    ... title = "Ten beats"
    ... [pacing.metronome]
    ... interval = "500 ms"
    ... beats = 10
    ... [[when]]
    ... time = "7 s"
    ... end = true
    ... ''')
    >>> plan.title, plan.timeline[-1].at_ns
    ('Ten beats', 7000000000)
    """
    told, text = explained(*bytes_and_name(trial))
    return TrialPlan(
        file=told["file"],
        title=told["title"],
        description=told["description"],
        reference=told["reference"],
        seed=told["seed"],
        limit_ns=told["limit_ns"],
        inputs=tuple(told["inputs"]),
        outputs=tuple(told["outputs"]),
        measured=told["measured"],
        taps=tuple(told["taps"]),
        timeline=tuple(_moment(moment) for moment in told["timeline"]),
        end=told["end"],
        parameters=tuple(Parameter(**parameter) for parameter in told["parameters"]),
        warnings=tuple(told["warnings"]),
        text=text,
    )


def _moment(told: dict[str, object]) -> Moment:
    at_ns, then = told["at_ns"], told["then"]
    assert at_ns is None or isinstance(at_ns, int)
    assert isinstance(then, list)
    return Moment(at_ns, bool(told["about"]), str(told["when"]), tuple(map(str, then)))
