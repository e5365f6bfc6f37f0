"""Events of a trial that is running, as they are told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Event:
    """Something that happened in a running trial. Times are in nanoseconds since the start of
    the trial; what is not known, or has no meaning for this kind of event, is None.
    docs/events-files.md describes the columns."""

    event: str
    """``pacing``, ``tap``, ``release``, ``feedback``, ``masking``, ``copy``, ``trigger``, ``marker``,
    ``control``, ``cancelled``, ``end``, or ``release of tone``."""
    event_id: int
    onset: float | None = None
    """In seconds."""
    name: str | None = None
    """Of the stream, input, channel or trigger."""
    number: int | None = None
    """Which beat or tap of that name, from 1."""
    midi_channel: int | None = None
    note: int | None = None
    velocity: int | None = None
    port: str | None = None
    cause: int | None = None
    """The event that caused it."""
    deadline_ns: int | None = None
    achieved_ns: int | None = None
    lateness_ns: int | None = None
    engine_ns: int | None = None
    stamp: str | None = None
    flag: str | None = None
    detail: str | None = None
    frame: int | None = None
    release_deadline_ns: int | None = None
    release_achieved_ns: int | None = None
    correction: bool = False
    """Whether it says again what became of an earlier event with the same ``event_id``."""
    missed_before: int = 0
    """So many events just before this one found no room, because this iterator was late. The
    data have them."""


_NAMES = {field.name for field in fields(Event)}


def event_of(told: dict[str, Any], missed_before: int) -> Event:
    """The event of a line of docs/following.md."""
    known = {name: value for name, value in told.items() if name in _NAMES}
    return Event(**known, missed_before=missed_before)
