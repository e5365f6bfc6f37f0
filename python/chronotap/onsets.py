"""What is made of onsets: which tap answers which beat, two people and groups together, the
level of the metre, reproduced rhythms, and what rules of cleaning leave out.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %. With ``groups`` one call does many trials, on all processors and outside of the
interpreter, and gives a frame.
"""

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
    paired,
    rows_of,
    said_of_two,
    table,
    ungrouped,
)
from chronotap._results import Estimate, Result, put
from chronotap._values import cells_of, finite, values_of, whole


__all__ = [
    "Ensemble",
    "Estimate",
    "Hits",
    "Reproduction",
    "Tapping",
    "Together",
    "clean",
    "coupling",
    "ensemble",
    "hits",
    "match",
    "pairs",
    "positions",
    "reproduction",
    "tapping",
    "together",
]


@dataclass(frozen=True)
class Hits(Result):
    """What became of every beat and every tap."""

    beats: int
    taps: int
    matched: int
    """Beats that a tap answers."""
    missed: int
    """Beats without a tap."""
    extra: int
    """Taps without a beat while the beats go on."""
    unpaced: int
    """Taps before the beats and behind them."""
    doubled: int
    """Of the extra and unpaced those within the window of a beat that another tap answers."""
    hit_rate: float | None
    """Matched beats divided by all; its interval is ``models.share(matched, beats)``."""


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


@dataclass(frozen=True, eq=False)
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

    def to_frame(self) -> pd.DataFrame:
        """The rows of ``intervals``, with the numbers of all beside them."""
        row: dict[str, object] = {"complete": self.complete, "incomplete": self.incomplete}
        put(row, "tempo", self.tempo)
        whole = pd.DataFrame([row] * len(self.intervals), self.intervals.index)
        return pd.concat([whole, self.intervals], axis=1)


def match(
    beats_ms: ArrayLike,
    taps_ms: ArrayLike,
    groups: Pair | None = None,
    *,
    window: float = 0.4,
    optimal: bool = False,
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
    optimal
        Whether as many beats as possible are answered, and of all such ways the one with the least sum
        of distances is taken: for dense patterns and music, where the closest pair first can take a
        tap from the beat that has no other.

    Returns
    -------
    A row for each matched beat: ``beat`` and ``tap``, both from 0 (in each group), and
    ``asynchrony_ms``.
    """
    if groups is not None:
        beats, taps, labels = paired(beats_ms, taps_ms, groups)
        return rows_of(_native.matching_by_group(beats, taps, _share(window), optimal), labels)
    beats, taps = ungrouped(beats_ms), ungrouped(taps_ms)
    _, *columns, _ = _native.matching_by_group(beats, taps, _share(window), optimal)
    beat, tap, apart = (cells for _, cells, *_ in columns)
    places = {"beat": beat.astype(np.int64), "tap": tap.astype(np.int64)}
    return pd.DataFrame({**places, "asynchrony_ms": apart})


def _share(window: float) -> float:
    share = finite("window", window)
    if not 0 <= share <= 1:
        raise ValueError(f"window = {share:g}: give a share of the interval, 0 to 1")
    return share


@overload
def hits(
    beats_ms: ArrayLike, taps_ms: ArrayLike, *, window: float = 0.4, optimal: bool = False
) -> Hits: ...
@overload
def hits(
    beats_ms: ArrayLike,
    taps_ms: ArrayLike,
    groups: Pair,
    *,
    window: float = 0.4,
    optimal: bool = False,
) -> pd.DataFrame: ...
def hits(
    beats_ms: ArrayLike,
    taps_ms: ArrayLike,
    groups: Pair | None = None,
    *,
    window: float = 0.4,
    optimal: bool = False,
) -> Hits | pd.DataFrame:
    """How many of the beats a tap answers, by :func:`match`, and what became of the other taps.

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending, within each group.
    groups
        The labels of the beats and those of the taps: then a row for each group.
    window, optimal
        As for :func:`match`.

    Examples
    --------
    >>> found = hits([0, 600, 1200, 1800], [-20, 570, 595, 1790])
    >>> found.hit_rate, found.missed, found.extra
    (0.75, 1, 1)
    """
    if groups is not None:
        beats, taps, labels = paired(beats_ms, taps_ms, groups)
        columns = _native.hits_by_group(beats, taps, _share(window), optimal)
        return rows_of(columns, labels, Hits)
    beats, taps = ungrouped(beats_ms), ungrouped(taps_ms)
    return Hits(**one_of(Hits, _native.hits_by_group(beats, taps, _share(window), optimal)))


def positions(
    beats_ms: ArrayLike,
    taps_ms: ArrayLike,
    groups: Pair | None = None,
    *,
    taps_per_beat: int = 1,
) -> pd.DataFrame:
    """Where all taps lie among the beats, matched or not: what circular statistics are made of where
    somebody taps against the beat or at another level of the metre.

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending, within each group.
    groups
        The labels of the beats and those of the taps: then the rows of each group, with its label as
        their index.
    taps_per_beat
        Into how many circles a beat is parted.

    Returns
    -------
    A row for each tap that is less than half an interval before the first beat or behind the last:
    ``position_beats``, from 0, and ``angle_rad``, as :func:`chronotap.statistics.directions` takes it.

    Examples
    --------
    >>> positions([0, 500, 1000], [250, 875])["position_beats"].tolist()
    [0.5, 1.75]
    """
    whole("taps_per_beat", taps_per_beat, 1, 2**32 - 1)
    if groups is not None:
        beats, taps, labels = paired(beats_ms, taps_ms, groups)
        return rows_of(_native.positions_by_group(beats, taps, taps_per_beat), labels)
    beats, taps = ungrouped(beats_ms), ungrouped(taps_ms)
    return rows_of(_native.positions_by_group(beats, taps, taps_per_beat), None)


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
    return said_of_two(Tapping, _native.tapping_by_group, beats_ms, taps_ms, groups)


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
    codes, labels = coded(np.zeros(len(produced), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(produced):
        raise ValueError(f"{len(produced)} reproductions and {len(codes)} groups: give one for each")
    count = max(len(labels), 1) if groups is None else len(labels)
    columns = _native.reproduction_by_group(asked, produced, codes.tolist(), count)
    if groups is not None:
        return table(columns, labels, None)
    cells = one_of(Reproduction, columns)
    of_all = ("group", "complete", "incomplete", "tempo", "why_not")
    intervals = {name: column for name, column, *_ in columns if not name.startswith(of_all)}
    counts = cells["complete"], cells["incomplete"]
    return Reproduction(*counts, cells["tempo"], pd.DataFrame(intervals))


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
    first = whole("first_taps", first_taps) or None
    given = {"debounce_ms": debounce_ms, "first_taps": first, "slips": slips or None}
    given |= {"interval_outliers": interval_outliers, "asynchrony_outliers": asynchrony_outliers}
    rules = [(name, finite(name, number, 0)) for name, number in given.items() if number is not None]
    onsets = values_of(onsets_ms)
    cells = np.full(len(onsets), np.nan) if asynchronies_ms is None else cells_of(asynchronies_ms)
    if len(cells) != len(onsets):
        raise ValueError(f"{len(onsets)} onsets and {len(cells)} asynchronies: give one for each")
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
