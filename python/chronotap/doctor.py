"""Ask what on this machine spoils timing, and what cures it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape

import pandas as pd

from chronotap.frames import json_of
from chronotap.linux import native


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    name: str
    """Stable from version to version."""
    topic: str
    """``rights``, ``kernel``, ``host``, ``processors``, ``noise``, ``memory``, ``sound``, ``quiet``."""
    status: str
    """``ok``, ``note``, ``bad`` (by itself it can cost a trial its timing), ``unknown``."""
    found: str
    why: str
    """Why it matters; empty where all is well."""
    advice: str | None
    """What to do where no command can do it."""
    cure: str | None
    """The command that cures it."""
    undo: str | None
    """The command that undoes the cure."""
    reboot: bool
    """Whether the cure needs a restart of the machine."""


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """All findings. ``print`` shows the report of ``chronotap doctor``; a notebook shows what is not well."""

    findings: tuple[Finding, ...]
    text: str

    @property
    def missing(self) -> tuple[Finding, ...]:
        """What by itself can cost a trial its timing, rights first."""
        bad = [finding for finding in self.findings if finding.status == "bad"]
        return tuple(sorted(bad, key=lambda finding: finding.topic != "rights"))

    def to_frame(self) -> pd.DataFrame:
        """One row for each finding."""
        return pd.DataFrame([asdict(finding) for finding in self.findings])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        statuses = [finding.status for finding in self.findings]
        told = ", ".join(f"{statuses.count(one)} {one}" for one in ("bad", "note", "unknown", "ok"))
        return f"<Diagnosis: {told}>"

    def _repr_html_(self) -> str:
        shown = [finding for finding in self.findings if finding.status != "ok"]
        columns = ["name", "status", "found", "cure"]
        rows = pd.DataFrame([asdict(finding) for finding in shown], columns=columns).fillna("")
        table: str = rows.to_html(index=False)
        return f"<p>{escape(repr(self))}</p>\n{table}"


def doctor() -> Diagnosis:
    """Examine this machine, as ``chronotap doctor`` does. Nothing is changed.

    The rights are those of this process: a trial that is run from Python has no others. They
    come from the limits of the group ``audio`` or from rtkit. Do not give them to the
    interpreter by ``setcap``: every script would have them.

    Returns
    -------
    What this machine grants, and what is missing and how to get it.

    Raises
    ------
    NeedsLinux
        On other systems.
    """
    told = json_of(native("doctor")())
    names = Finding.__dataclass_fields__
    findings = ({name: found[name] for name in names} for found in told["findings"])
    return Diagnosis(tuple(Finding(**finding) for finding in findings), told["text"])
