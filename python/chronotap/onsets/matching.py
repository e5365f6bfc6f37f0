"""Which tap answers which beat, where taps lie among the beats, and at which level of the metre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Pair, one_of, paired, rows_of, said_of_two, ungrouped
from chronotap._results import Result
from chronotap._values import finite, whole


@dataclass(frozen=True)
class Hits(Result):
    """What became of every beat and every tap."""

    beats: int
    taps: int
    matched: int
    """Beats that a tap answers."""
    missed: int
    """Beats without a tap."""
    listened: int
    """Beats that were over before the first tap, which are not missed."""
    extra: int
    """Taps without a beat while the beats go on."""
    unpaced: int
    """Taps before the beats and behind them."""
    doubled: int
    """Of the extra and unpaced those within the window of a beat that another tap answers."""
    hit_rate: float | None
    """Matched beats divided by matched and missed ones; its interval is
    ``models.share(matched, matched + missed)``."""


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
class BeatTracking(Result):
    """How well taps track the beats of music (Davies, Degara & Plumbley 2009), each from 0 to 1."""

    f: float
    """Of beats and taps within 70 ms."""
    precision: float
    """The share of taps that are matched."""
    recall: float
    """The share of beats that are matched."""
    p: float
    """P-score: within a fifth of the median interval."""
    cml_c: float
    """The longest run of right taps at the correct metrical level, as a share of all."""
    cml_t: float
    """All right taps at the correct level."""
    aml_c: float
    """The longest run at any allowed level: the beat, half and double its tempo, the offbeat."""
    aml_t: float


def match(
    beats_ms: ArrayLike,
    taps_ms: ArrayLike,
    groups: Pair | None = None,
    *,
    window: float = 0.4,
    optimal: bool = False,
) -> pd.DataFrame:
    """Which tap answers which beat: the first tap within a share of the local
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
        of distances is taken: for dense patterns and music, where each tap to the closest beat can leave
        a beat without one.

    Returns
    -------
    A row for each matched beat: ``beat`` and ``tap``, both from 0 (in each group), and
    ``asynchrony_ms``.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, for labels that do not fit, and for a window that is no
        share.
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

    Returns
    -------
    A :class:`Hits` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, for labels that do not fit, and for a window that is no
        share.

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

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, and for labels that do not fit.

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

    Returns
    -------
    A :class:`Tapping` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, for labels that do not fit, and where one run has too few:
        why. Of groups ``why_not`` says it.
    """
    return said_of_two(Tapping, _native.tapping_by_group, beats_ms, taps_ms, groups)


@overload
def beat_tracking(beats_ms: ArrayLike, taps_ms: ArrayLike) -> BeatTracking: ...
@overload
def beat_tracking(beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair) -> pd.DataFrame: ...
def beat_tracking(
    beats_ms: ArrayLike, taps_ms: ArrayLike, groups: Pair | None = None
) -> BeatTracking | pd.DataFrame:
    """How well taps track the beats of music, by the measures of the literature on beat tracking: F, P,
    CML and AML (Davies, Degara & Plumbley 2009). That literature leaves out the first 5 s, in which
    somebody finds the beat: leave them out of both columns first.

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending, within each group; at least two of each.
    groups
        The labels of the beats and those of the taps: then a row for each group.

    Returns
    -------
    A :class:`BeatTracking` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, for labels that do not fit, and where one run has too few:
        why. Of groups ``why_not`` says it.

    Examples
    --------
    >>> beats = [0, 500, 1000, 1500, 2000, 2500, 3000, 3500]
    >>> offbeat = beat_tracking(beats, [250, 750, 1250, 1750, 2250, 2750])
    >>> offbeat.cml_t, offbeat.aml_t, offbeat.f
    (0.0, 0.8571428571428571, 0.0)
    """
    return said_of_two(BeatTracking, _native.beat_tracking_by_group, beats_ms, taps_ms, groups)
