"""What the .json beside an events file says of its trial, as dataclasses.

The key ``Chronotap`` of that file holds a header, written before the first event, and a footer,
written when the trial was over. docs/events-files.md describes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TrialText:
    """The trial file as it was read."""

    name: str
    text: str


@dataclass(frozen=True)
class ClockUsed:
    """The clock that every time was read from."""

    name: str
    resolution_ns: int


@dataclass(frozen=True)
class Binding:
    """A name of the trial and the port it was bound to."""

    name: str
    direction: str
    """``in`` or ``out``."""
    port: str
    audio: dict[str, Any] | None = None
    """The audio server behind it: ``period_frames``, ``rate_hz``, ``latency_ns`` and more."""


@dataclass(frozen=True)
class Names:
    """The names in the trial file, in its order."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    pacing: tuple[str, ...]
    feedback: tuple[str, ...]
    masking: tuple[str, ...]
    triggers: tuple[str, ...]
    markers: tuple[str, ...]
    codes: tuple[str, ...] = ()
    """The events that have codes, as in ``[codes]``."""


@dataclass(frozen=True)
class Header:
    """What was known before the trial started."""

    program: str
    """The program and its version."""
    trial_file: TrialText
    title: str
    seed: int
    """Everything random comes from it."""
    started: str
    """Wall clock at the start, ISO 8601 with the offset from UTC."""
    mode: str
    """``real time``, ``virtual time``, ``replay`` or ``imported`` (by another program)."""
    machine: Any
    """Processor, kernel and the like."""
    rights: Any
    """Real-time rights, asked for and granted."""
    clock: ClockUsed
    ports: tuple[Binding, ...]
    names: Names
    limit_ns: int
    """Lateness of output above which the timing verdict fails."""
    performer: Any
    """Who tapped: a person, a simulated participant, a script."""


@dataclass(frozen=True)
class Recovered:
    """What recovery from a journal found."""

    complete: bool
    unusable_bytes: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Footer:
    """What was known when the trial was over."""

    summary: dict[str, Any]
    """The summary of the trial, and what its runner counted."""
    dropped: int
    """Events that are not in the file; 0 in a sound trial."""
    recovered: Recovered | None
    """Where the files were made from a journal that was left behind."""


def header_of(told: dict[str, Any]) -> Header:
    """The header from its JSON."""
    names = told["names"]
    triggers = [trigger["name"] for trigger in names["triggers"]]
    return Header(
        program=told["program"],
        trial_file=TrialText(**told["trial_file"]),
        title=told["title"],
        seed=told["seed"],
        started=told["started"],
        mode=told["mode"],
        machine=told["machine"],
        rights=told["rights"],
        clock=ClockUsed(**told["clock"]),
        ports=tuple(Binding(**port) for port in told["ports"]),
        names=Names(**{key: tuple(names[key]) for key in names if key != "triggers"}, triggers=tuple(triggers)),
        limit_ns=told["limit_ns"],
        performer=told["performer"],
    )


def footer_of(told: dict[str, Any]) -> Footer:
    """The footer from its JSON."""
    found = told.get("recovered")
    recovered = found and Recovered(
        found["complete"], found["unusable_bytes"], tuple(found["missing"])
    )
    return Footer(told["summary"], told["dropped"], recovered)
