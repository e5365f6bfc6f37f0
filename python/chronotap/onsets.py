"""What is made of onsets: which tap answers which beat, two people and groups together, the
level of the metre, reproduced rhythms, and what rules of cleaning leave out.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %. With ``groups`` one call does many trials, on all processors and outside of the
interpreter, and gives a frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native, models
from chronotap._groups import (
    Groups,
    Pair,
    cells_of,
    coded,
    from_zero,
    onsets_of,
    paired,
    rows_of,
    table,
    values_of,
)
from chronotap._results import Estimate, Result
from chronotap.frames import json_of


@dataclass(frozen=True)
class Tapping(Result):
    """At which level of the metre somebody taps."""

    taps: int
    beats: int
    """So many taps in so many beats."""
    ratio: float
    """Median interval of the taps divided by that of the level."""
    mode: Literal["in phase", "anti-phase", "between"]
    resultant: float
    direction_rad: float | None


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


@dataclass(frozen=True)
class Reproduction(Result):
    """Reproductions of a rhythm (Povel 1981; Jacoby & McDermott 2017)."""

    complete: int
    incomplete: int
    """Those with another number of intervals, which do not count."""
    tempo: Estimate | None
    """Total length produced / asked."""
    intervals: pd.DataFrame
    """A row for each interval: ``asked_ms``, ``asked_share``, and ``error_ms``,
    ``share_error`` and ``drift`` with ``_low`` and ``_high``."""


@overload
def match(beats_ms: ArrayLike, taps_ms: ArrayLike, *, window: float = 0.4) -> pd.DataFrame: ...
@overload
def match(
    beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair, *, window: float = 0.4
) -> pd.DataFrame: ...
def match(
    beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair | None = None, *, window: float = 0.4
) -> pd.DataFrame:
    """Which tap answers which beat: one-to-one, closest first, within a share of the local
    interval (Anglada-Tort, Harrison & Jacoby 2022).

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending, within each group.
    groups
        The labels of the beats and those of the taps: then the rows of each group, with its label as
        their index.
    window
        Share of the interval that the window reaches to each side.

    Returns
    -------
    A row for each matched beat: ``beat`` and ``tap``, both from 0 (in each group), and
    ``asynchrony_ms``.
    """
    if groups is not None:
        beats, taps, labels = paired(beats_ms, taps_ms, groups)
        return rows_of(_native.matching_by_group(beats, taps, window), labels)
    told = json_of(_native.matching_of(onsets_of(beats_ms), onsets_of(taps_ms), window))
    beat, tap, apart = np.array(told["pairs"], dtype=np.float64).reshape(-1, 3).T
    places = {"beat": beat.astype(np.int64), "tap": tap.astype(np.int64)}
    return pd.DataFrame({**places, "asynchrony_ms": apart})


@overload
def tapping(beats_ms: ArrayLike, taps_ms: ArrayLike) -> Tapping: ...
@overload
def tapping(beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair) -> pd.DataFrame: ...
def tapping(
    beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair | None = None
) -> Tapping | pd.DataFrame:
    """The level of the metre at which somebody taps, and whether on the beat or against it.

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending, within each group; at least 3 beats and 8 taps.
    groups
        The labels of the beats and those of the taps: then a row for each group.
    """
    if groups is not None:
        *given, labels = paired(beats_ms, taps_ms, groups)
        return table(_native.tapping_by_group(*given), labels, Tapping)
    return Tapping(**json_of(_native.tapping_of(onsets_of(beats_ms), onsets_of(taps_ms))))


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
    """
    if groups is not None:
        *given, labels = paired(first_ms, second_ms, groups)
        return table(_native.together_by_group(*given), labels, Together)
    return Together(**json_of(_native.together_of(onsets_of(first_ms), onsets_of(second_ms))))


def coupling(
    onsets_ms: Mapping[str, ArrayLike], groups: Groups | None = None, *, least: int = 8
) -> pd.DataFrame:
    """How much each of a group corrects towards each other: bGLS with a partner each (Jacoby et
    al. 2015).

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

    Returns
    -------
    A row for each pair: ``tapper``, ``partner``, ``alpha`` (the share of the asynchrony that
    the tapper corrects), ``low``, ``high``, ``intervals``. With ``groups``, ``why_not`` says why
    where there is no estimate.
    """
    names = list(onsets_ms)
    lists = [cells_of(onsets_ms[name]) for name in names]
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
        given = np.zeros(columns.shape[1], dtype=np.int64) if codes is None else codes
        found, of = models.runs(columns[place], columns[others], given, least=least)
        steady = {int(code) for code, run in zip(of, found)} - {
            int(code) for code, (taps, _) in zip(of, found) if np.ptp(np.diff(taps)) > 1e-6
        }  # a metronome, to the nanosecond, follows nobody
        kept = [at for at, code in enumerate(of) if int(code) not in steady]
        if labels is None and (kept or not steady):
            fitted = models.phase_correction([found[at] for at in kept])
            for other, alpha in zip(others, fitted.alpha):
                alone.append(_pair(tapper, names[other], alpha, fitted.intervals))
        if labels is not None and kept:
            frame = models.phase_correction([found[at] for at in kept], of[kept])
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


@overload
def reproduction(asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike]) -> Reproduction: ...
@overload
def reproduction(
    asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike], groups: Groups
) -> pd.DataFrame: ...
def reproduction(
    asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike], groups: Groups | None = None
) -> Reproduction | pd.DataFrame:
    """Reproductions of a rhythm, each as intervals: errors, shares, and the drift of ratios
    towards simple ones (Povel 1981; Jacoby & McDermott 2017).

    Parameters
    ----------
    asked_ms
        The intervals asked for, in milliseconds.
    produced_ms
        Of each reproduction its intervals.
    groups
        One label for each reproduction, or a frame of labels: then the rows of ``intervals`` of each
        group, with its ``complete``, ``incomplete`` and ``tempo`` beside them.
    """
    asked, produced = values_of(asked_ms).tolist(), [values_of(one).tolist() for one in produced_ms]
    if groups is not None:
        codes, labels = coded(groups)
        if len(codes) != len(produced):
            raise ValueError(
                f"{len(produced)} reproductions and {len(codes)} groups: give one for each"
            )
        given = _native.reproduction_by_group(asked, produced, codes.tolist(), len(labels))
        return table(given, labels, None)
    told = json_of(_native.reproduction_of(asked, produced))
    rows = []
    for one in told["intervals"]:
        row = {"asked_ms": one["asked_ms"], "asked_share": one["asked_share"]}
        for name in ("error_ms", "share_error", "drift"):
            at = one[name] or {"value": None, "low": None, "high": None}
            row |= {name: at["value"], f"{name}_low": at["low"], f"{name}_high": at["high"]}
        rows.append(row)
    tempo = told["tempo"] and Estimate(**told["tempo"])
    return Reproduction(told["complete"], told["incomplete"], tempo, pd.DataFrame(rows))


def clean(
    onsets_ms: ArrayLike,
    asynchronies_ms: ArrayLike | None = None,
    *,
    debounce_ms: float | None = 40,
    first_taps: int = 0,
    slips: bool = False,
    interval_outliers: float | None = None,
    asynchrony_outliers: float | None = None,
    groups: Groups | None = None,
) -> pd.DataFrame:
    """What the rules of cleaning leave out of one run of taps. The rules act in the order of
    the parameters, each on what those before it left, as in ``chronotap analyze``.

    Parameters
    ----------
    onsets_ms
        Ascending, within each group.
    asynchronies_ms
        For each tap; NaN where there is none.
    debounce_ms
        Leaves out taps sooner than this after the last one that counts.
    first_taps
        Leaves out the first taps, so many.
    slips
        Leaves out intervals over missed taps and the parts of doubled ones.
    interval_outliers
        Leaves out intervals more than so many interquartile ranges outside of the quartiles.
    asynchrony_outliers
        Leaves out asynchronies more than so many SD from their mean.
    groups
        One label for each tap, or a frame of labels: then each group is cleaned by itself.

    Returns
    -------
    A row for each tap, in the order in which they are given: ``onset_ms``, ``asynchrony_ms``, and ``tap_left_out``,
    ``interval_left_out`` (of the interval that ends with it) and ``asynchrony_left_out`` with
    the rule, missing where nothing is left out.

    Examples
    --------
    >>> clean([0, 500, 510, 1000])["tap_left_out"].tolist()
    [None, None, 'debounce 40 ms', None]
    """
    rules: list[tuple[str, float]] = []
    first = from_zero("first_taps", first_taps) or None
    given = {"debounce_ms": debounce_ms, "first_taps": first, "slips": slips or None}
    given |= {"interval_outliers": interval_outliers, "asynchrony_outliers": asynchrony_outliers}
    rules = [(name, float(number)) for name, number in given.items() if number is not None]
    onsets = values_of(onsets_ms)
    cells = np.full(len(onsets), np.nan) if asynchronies_ms is None else cells_of(asynchronies_ms)
    codes, labels = (
        (np.zeros(len(onsets), dtype=np.int64), [0]) if groups is None else coded(groups)
    )
    taps, answers = (onsets, codes, len(labels)), (cells, codes, len(labels))
    _, *marks, _ = _native.cleaned_by_group(taps, answers, rules)
    texts = np.array([*(marks[0][3] or []), None], dtype=object)  # -1 is the last: none
    places = np.column_stack([places for _, places, *_ in marks])
    if (np.diff(codes) < 0).any():  # the rows come by group: back to where they were given
        places = places[np.argsort(np.argsort(codes, kind="stable"))]
    cleaned = pd.DataFrame(texts[places], columns=[name for name, *_ in marks], dtype=object)
    cleaned.insert(0, "onset_ms", onsets)
    cleaned.insert(1, "asynchrony_ms", cells)
    return cleaned
