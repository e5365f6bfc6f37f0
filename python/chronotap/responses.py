"""What follows a change: of the pacing, of the feedback, of the tempo.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %. Where data give no estimate, a ``ValueError`` says why, or the cell of a
frame is missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._results import Estimate, Result
from chronotap.frames import json_of
from chronotap.models import values_of

Kind: TypeAlias = Literal["phase shift", "onset shift", "step"]
"""One interval changed, so that every later onset is shifted; one onset; every interval from
there on."""


@dataclass(frozen=True)
class Response(Result):
    """The response to one perturbation (Repp 2001, 2002), by lag: 0 is the first beat that was
    moved."""

    kind: Kind
    size_ms: float
    """By how much; positive is later or longer."""
    baseline_ms: float
    """Mean asynchrony of the taps before."""
    asynchronies_ms: tuple[float | None, ...]
    """Less the baseline; None where the tap is missing."""
    shifts_ms: tuple[float | None, ...]
    """How far each tap was shifted against where it would have come."""


@dataclass(frozen=True)
class Gain(Result):
    """How much of a perturbation the next tap takes up: slopes of the phase correction response
    on the size."""

    n: int
    overall: Estimate
    """With an intercept."""
    later: Estimate | None
    """Of perturbations to later, through the origin; None below three."""
    earlier: Estimate | None
    asymmetry: Estimate | None
    """Later less earlier."""


@dataclass(frozen=True)
class Relaxation(Result):
    """By what factor what is left of a perturbation becomes smaller with each tap."""

    factor: Estimate
    half_life_taps: float | None
    seed: int
    """What the interval was drawn with."""


@dataclass(frozen=True)
class Tracking(Result):
    """Whether somebody predicts a changing tempo or follows it (Pecenka & Keller 2009)."""

    n: int
    r0: float
    """Correlation with the pacing's interval of the same place: prediction."""
    r1: float
    """With the one before: tracking."""
    ratio: float | None
    index: float
    """r0 − r1."""
    own: float
    """The pacing's own correlation of neighbouring intervals."""
    r0_less_own: float | None
    r1_less_own: float | None


def by_beat(taps: pd.DataFrame) -> NDArray[np.float64]:
    """The asynchrony of each beat of one trial, in ms, from its first beat on; NaN where no tap
    answers.

    Parameters
    ----------
    taps
        Of one trial, one input and one stream, as :func:`chronotap.read_taps` gives them.
    """
    matched = taps[taps["fate"] == "matched"]
    beats = matched["beat"].to_numpy(dtype=np.int64)
    if len(set(beats)) != len(beats):
        raise ValueError("several taps answer one beat: choose one trial, input and stream")
    found = np.full(beats.max(initial=0), np.nan)
    found[beats - 1] = matched["asynchrony_ms"].to_numpy(dtype=np.float64)
    return found


def responses(
    asynchronies_ms: ArrayLike,
    perturbations: Mapping[int, float],
    *,
    kind: Kind = "phase shift",
    before: int = 4,
    after: int = 8,
) -> list[Response]:
    """The responses to perturbations of the pacing in one trial.

    Parameters
    ----------
    asynchronies_ms
        By beat, as :func:`by_beat` gives them.
    perturbations
        For the number of the first beat that each moved, from 1, by how many ms.
    kind
        What was changed.
    before
        Taps before, for the baseline; a perturbation with fewer than two has no response.
    after
        The last lag.
    """
    places = [(beat - 1, float(size)) for beat, size in perturbations.items()]
    cells = np.asarray(asynchronies_ms, dtype=np.float64).tolist()
    found = json.loads(_native.responses_of(cells, places, kind, (before, after)))
    return [
        Response(
            kind,
            one["size_ms"],
            one["baseline_ms"],
            tuple(one["asynchronies_ms"]),
            tuple(one["shifts_ms"]),
        )
        for one in found
        if "why_not" not in one
    ]


def curve(found: Sequence[Response]) -> pd.DataFrame:
    """The mean shift at each lag as a share of the perturbation: 0 no response, 1 all of it.
    Columns: ``lag``, ``n``, ``share``, ``low``, ``high``."""
    kind, given = _given(found)
    estimates = json.loads(_native.response_curve_of(kind, given))
    at = [one or dict.fromkeys(("value", "low", "high")) for one in estimates]
    counts = [sum(r.shifts_ms[lag] is not None for r in found if lag < len(r.shifts_ms)) for lag in range(len(at))]
    return pd.DataFrame(
        {
            "lag": range(len(at)),
            "n": counts,
            "share": [one["value"] for one in at],
            "low": [one["low"] for one in at],
            "high": [one["high"] for one in at],
        }
    )


def gain(found: Sequence[Response]) -> Gain:
    """The gain of the phase correction response, from at least three responses of different
    sizes."""
    told = json_of(_native.gain_of(*_given(found)))
    n = told.pop("n")
    return Gain(n, **{name: one and Estimate(**one) for name, one in told.items()})


def relaxation(found: Sequence[Response], *, seed: int = 1) -> Relaxation:
    """The relaxation after at least ten perturbations of one kind; not after steps."""
    told = json_of(_native.relaxation_of(*_given(found), seed))
    held = _native.held_share("relaxation", len(found))
    return Relaxation(Estimate(**told["factor"], held=held), told["half_life_taps"], seed)


def effects(
    trials: Iterable[tuple[float, ArrayLike]] | Iterable[tuple[float, ArrayLike, str]],
) -> pd.DataFrame:
    """What delayed or otherwise altered feedback does, against the trials without delay and
    with the expected pitch (Finney 1997; Pfordresher & Palmer 2002).

    Parameters
    ----------
    trials
        Of each the delay in ms, its intervals in ms, and the name of the pitch condition where
        there is one. Trials of one person, or one mean trial of each of several.

    Returns
    -------
    A row for each condition: ``delay_ms``, ``pitch``, ``trials``, ``too_short``, and of
    ``interval_ms``, ``slowing_percent``, ``cv`` and ``cv_change`` the estimate, with ``_low``
    and ``_high``.
    """
    given = [
        (float(delay), "".join(pitch), values_of(intervals), 0, 0)
        for delay, intervals, *pitch in trials
    ]
    rows = []
    for told in json.loads(_native.effects_of(given)):
        row = {name: told[name] for name in ("delay_ms", "pitch", "trials", "too_short")}
        for name in ("interval_ms", "slowing_percent", "cv", "cv_change"):
            row |= _spread(name, told[name])
        rows.append(row)
    return pd.DataFrame(rows)


def isolated(
    intervals_ms: ArrayLike,
    altered: Iterable[int],
    *,
    matches: ArrayLike | None = None,
    last_lag: int = 2,
) -> pd.DataFrame:
    """What single altered tones do to the next intervals (Furuya & Soechting 2010).

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of one trial.
    altered
        The places of the taps whose tone was altered, from 0.
    matches
        For each interval with which others it is compared (a place in the melody, a finger);
        all with all by default.
    last_lag
        The last lag; 0 is the interval that begins with the altered tap.

    Returns
    -------
    A row for each lag: ``lag``, ``matched``, ``unmatched``, ``difference_ms`` (positive is
    slowing) with ``_low`` and ``_high``.
    """
    cells = values_of(intervals_ms)
    of = [0] * len(cells) if matches is None else np.asarray(matches, dtype=np.int64).tolist()
    found = json.loads(_native.isolated_of(cells, of, list(altered), last_lag))
    return pd.DataFrame([{**one, **_spread("difference_ms", one["difference_ms"])} for one in found])


def tracking(intervals_ms: ArrayLike, pacing_ms: ArrayLike) -> Tracking:
    """Prediction and tracking, from at least ten inter-tap intervals and those of the pacing,
    of the same places."""
    return Tracking(**json_of(_native.tracking_of(values_of(intervals_ms), values_of(pacing_ms))))


def _given(found: Sequence[Response]) -> tuple[str, list[Any]]:
    kinds = {response.kind for response in found}
    if len(kinds) > 1:
        raise ValueError(f"responses to {' and '.join(sorted(kinds))}: give those of one kind")
    given = [(r.size_ms, list(r.asynchronies_ms), list(r.shifts_ms)) for r in found]
    return (kinds.pop() if kinds else "phase shift"), given


def _spread(name: str, told: dict[str, float] | None) -> dict[str, float | None]:
    if told is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: told["value"], f"{name}_low": told["low"], f"{name}_high": told["high"]}
