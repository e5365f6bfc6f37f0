"""Two people and groups who tap together: how far apart, who is ahead, who follows whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native, models
from chronotap._groups import (
    Groups,
    Pair,
    coded,
    columns_of,
    named,
    one_of,
    rows_of,
    said_of_two,
    table,
)
from chronotap._results import Estimate, Result
from chronotap._values import cells_of, whole


@dataclass(frozen=True)
class Ensemble(Result):
    """How a group taps together."""

    moments: int
    """Moments for which everybody has a tap."""
    incomplete: int
    """Moments for which somebody has none."""
    spread_ms: Estimate
    """Mean over moments of the SD over members, with n − 1."""
    asynchrony_ms: Estimate
    """Mean over moments of the group's mean asynchrony."""
    asynchrony_sd_ms: float
    """SD over moments of the same."""
    lead_ms: dict[str, Estimate]
    """Of each member the mean of its tap less the group's mean; negative is ahead."""


@dataclass(frozen=True)
class Together(Result):
    """How far apart the taps of two people are."""

    n: int
    """Taps of the second that answer one of the first."""
    missed: int
    """Taps of the first that none answers."""
    mean_ms: float | None
    """Second less first; negative where the second is early."""
    sd_ms: float | None
    mean_absolute_ms: float | None
    relative_distance: float | None
    """The mean distance divided by the first's mean interval."""
    resultant: float | None


@overload
def together(first_ms: ArrayLike, second_ms: ArrayLike) -> Together: ...
@overload
def together(first_ms: ArrayLike, second_ms: ArrayLike, groups: Pair) -> pd.DataFrame: ...
def together(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Pair | None = None
) -> Together | pd.DataFrame:
    """How far apart the taps of two people are, the second against the first.

    Parameters
    ----------
    first_ms, second_ms
        Onsets, ascending within each group.
    groups
        The labels of the first and those of the second: then a row for each group.

    Returns
    -------
    A :class:`Together` of one pair; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, and for labels that do not fit.
    """
    return said_of_two(Together, _native.together_by_group, first_ms, second_ms, groups)


def pairs(
    onsets_ms: Mapping[str, ArrayLike], groups: Groups | Mapping[str, Groups] | None = None
) -> pd.DataFrame:
    """The mutual asynchronies of a group: :func:`together` of each two.

    Parameters
    ----------
    onsets_ms
        For each name the onsets in milliseconds, ascending within each group; NaN is left out.
    groups
        For each name one label for each of its onsets; or one label for each row, where all have one
        row for each beat: then the rows of each group, with its label as their index.

    Returns
    -------
    A row for each pair: ``first``, ``second``, and the numbers of :class:`Together`.

    Raises
    ------
    TypeError
        For what is neither a dictionary nor a frame.
    ValueError
        For onsets of fewer than two, and for labels that do not fit.

    Examples
    --------
    >>> apart = pairs({"a": [0, 500, 1000], "b": [10, 510, 1010], "c": [5, 495, 985]})
    >>> apart["mean_ms"].tolist()
    [10.0, -5.0, -15.0]
    """
    given, labels = named(onsets_ms, groups)
    count = 1 if labels is None else len(labels)
    parts = []
    for first, second in combinations(given, 2):
        columns = _native.together_by_group(given[first], given[second])
        part = rows_of(columns, pd.RangeIndex(count), Together)
        part.insert(0, "first", first)
        part.insert(1, "second", second)
        parts.append(part)
    if not parts:
        raise ValueError(f"onsets of {len(given)}: give those of two or more")
    whole = pd.concat(parts).sort_index(kind="stable")
    if labels is None:
        return whole.reset_index(drop=True)
    return whole.set_axis(labels.take(whole.index.to_numpy(dtype=np.int64)))


@overload
def ensemble(
    onsets_ms: Mapping[str, ArrayLike],
    reference: str,
    *,
    members: Sequence[str] | None = None,
    seed: int = 1,
) -> Ensemble: ...
@overload
def ensemble(
    onsets_ms: Mapping[str, ArrayLike],
    reference: str,
    groups: Groups | Mapping[str, Groups],
    *,
    members: Sequence[str] | None = None,
    seed: int = 1,
) -> pd.DataFrame: ...
def ensemble(
    onsets_ms: Mapping[str, ArrayLike],
    reference: str,
    groups: Groups | Mapping[str, Groups] | None = None,
    *,
    members: Sequence[str] | None = None,
    seed: int = 1,
) -> Ensemble | pd.DataFrame:
    """How closely a group taps together at each moment, and who is ahead (Wing, Endo, Bradbury &
    Vorberg 2014; Fink et al. 2022).

    Parameters
    ----------
    onsets_ms
        For each name the onsets in milliseconds, ascending within each group; NaN is left out.
    reference
        The name whose onsets are the moments: the pacing, or one of those who tap.
    groups
        For each name one label for each of its onsets; or one label for each row, where all have one
        row for each beat: then a row for each group.
    members
        Who belongs to the group: by default all but the reference. Name it, too, where it taps.
    seed
        What the runs behind the intervals are drawn from: moving blocks, 2,000 for each estimate.

    Returns
    -------
    A :class:`Ensemble` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For what is neither a dictionary nor a frame.
    ValueError
        For members without onsets or named twice, for labels that do not fit, and where one run gives none:
        why. Of groups ``why_not`` says it.

    Examples
    --------
    >>> beats = [500.0 * k for k in range(20)]
    >>> early = {"a": 30, "b": 20, "c": -20}
    >>> taps = {name: [beat - by for beat in beats] for name, by in early.items()}
    >>> found = ensemble({"metronome": beats, **taps}, "metronome")
    >>> round(found.asynchrony_ms.value, 9), round(found.lead_ms["c"].value, 9)
    (-10.0, 30.0)
    """
    given, labels = named(onsets_ms, groups)
    of = [name for name in given if name != reference]
    if members is not None:
        of = [members] if isinstance(members, str) else list(members)
    if len(set(of)) < len(of):
        raise ValueError(f"members = {of}: name each once")
    for name in (reference, *of):
        if name not in given:
            raise ValueError(f"{name!r} has no onsets: there are {', '.join(map(repr, given))}")
    taps = [(name, given[name]) for name in of]
    columns = _native.ensemble_by_group(given[reference], taps, whole("seed", seed, most=2**53))
    if labels is not None:
        return table(columns, labels, Ensemble)
    cells = one_of(Ensemble, columns)
    leads = {name: cells.pop(f"lead_ms_{name}") for name in of}
    return Ensemble(**cells, lead_ms=leads)


def coupling(
    onsets_ms: Mapping[str, ArrayLike],
    groups: Groups | None = None,
    *,
    least: int = 8,
    means: Literal["pooled", "of each run"] = "pooled",
) -> pd.DataFrame:
    """How much each of a group corrects towards each other: bGLS with a partner each (Jacoby et
    al. 2015).

    Where a metronome sounds, give its onsets too: two people who both follow it seem to follow each
    other, in about 40 % of pairs.

    Parameters
    ----------
    onsets_ms
        For each name the onsets in milliseconds, one for each beat, NaN where one is missing. A
        metronome may be among them; then the others correct towards it too.
    groups
        One label for each beat (of the trial, say), or a frame of labels: then the rows of each, with
        its label as their index.
    least
        Unbroken stretches shorter than this are left out.
    means
        What is taken off intervals and asynchronies. ``"pooled"``: the means over all stretches of a
        group, which drives estimates towards 0 where the means of stretches differ (.4 becomes .28
        and .14 at an SD of 10 and 20 ms between them). ``"of each run"``: those of each stretch, which
        drives them up in short ones.

    Returns
    -------
    A row for each pair: ``tapper``, ``partner``, ``alpha`` (the share of the asynchrony that
    the tapper corrects), ``low``, ``high``, ``intervals``. With ``groups``, ``why_not`` says why
    where there is no estimate.

    Raises
    ------
    TypeError
        For what is neither a dictionary nor a frame.
    ValueError
        For onsets of fewer than two, for columns of several lengths, and for labels that do not fit.
    """
    given = columns_of(onsets_ms)
    names = list(given)
    lists = [cells_of(given[name]) for name in names]
    if len(lists) < 2 or len({len(cells) for cells in lists}) > 1:
        told = (
            ", ".join(f"{name!r} has {len(cells)}" for name, cells in zip(names, lists)) or "nobody"
        )
        raise ValueError(f"{told}: give the onsets of two or more, one for each beat")
    columns = np.array(lists)
    codes, labels = (None, None) if groups is None else coded(groups)
    alone: list[dict[str, object]] = []
    parts: list[pd.DataFrame] = []
    for place, tapper in enumerate(names):
        others = [other for other in range(len(names)) if other != place]
        each = np.zeros(columns.shape[1], dtype=np.int64) if codes is None else codes
        found, of = models.runs(columns[place], columns[others], each, least=least)
        steady = {int(code) for code, run in zip(of, found)} - {
            int(code) for code, (taps, _) in zip(of, found) if np.ptp(np.diff(taps)) > 1e-6
        }  # a metronome, to the nanosecond, follows nobody
        kept = [at for at, code in enumerate(of) if int(code) not in steady]
        if labels is None and (kept or not steady):
            fitted = models.phase_correction([found[at] for at in kept], means=means)
            for other, alpha in zip(others, fitted.alpha):
                alone.append(_pair(tapper, names[other], alpha, fitted.intervals))
        if labels is not None and kept:
            frame = models.phase_correction([found[at] for at in kept], of[kept], means=means)
            parts += _pairs(frame, tapper, [names[other] for other in others])
    order = ["tapper", "partner", "alpha", "low", "high", "intervals"]
    if labels is None:
        return pd.DataFrame(alone, columns=order)
    whole = pd.concat(parts) if parts else pd.DataFrame(columns=[*order, "why_not"])
    whole = whole.sort_index(kind="stable")
    return whole.set_axis(labels.take(whole.index.to_numpy(dtype=np.int64)))


def _pair(tapper: str, partner: str, alpha: Estimate, intervals: int) -> dict[str, object]:
    cells = {"alpha": alpha.value, "low": alpha.low, "high": alpha.high}
    return {"tapper": tapper, "partner": partner, **cells, "intervals": intervals}


def _pairs(found: pd.DataFrame, tapper: str, partners: Sequence[str]) -> list[pd.DataFrame]:
    """The rows of a tapper towards each partner, the number of their group as their index."""
    made = []
    for number, partner in enumerate(partners, 1):
        name = "alpha" if len(partners) == 1 else f"alpha_{number}"
        cells = {"alpha": found[name], "low": found[f"{name}_low"], "high": found[f"{name}_high"]}
        ends = {"intervals": found["intervals"], "why_not": found["why_not"].astype(object)}
        made.append(
            pd.DataFrame({"tapper": tapper, "partner": partner, **cells, **ends}, found.index)
        )
    return made
