"""What is made of onsets: which tap answers which beat, two people and groups together, the
level of the metre, reproduced rhythms, and what rules of cleaning leave out.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native, models
from chronotap._results import Estimate, Result
from chronotap.frames import json_of
from chronotap.models import values_of


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


def match(beats_ms: ArrayLike, taps_ms: ArrayLike, *, window: float = 0.4) -> pd.DataFrame:
    """Which tap answers which beat: one-to-one, closest first, within a share of the local
    interval (Anglada-Tort, Harrison & Jacoby 2022).

    Parameters
    ----------
    beats_ms, taps_ms
        Ascending.
    window
        Share of the interval that the window reaches to each side.

    Returns
    -------
    A row for each matched beat: ``beat`` and ``tap``, both from 0, and ``asynchrony_ms``.
    """
    found = json_of(_native.matching_of(values_of(beats_ms), values_of(taps_ms), window))
    return pd.DataFrame(found["pairs"], columns=["beat", "tap", "asynchrony_ms"])


def tapping(beats_ms: ArrayLike, taps_ms: ArrayLike) -> Tapping:
    """The level of the metre at which somebody taps, and whether on the beat or against it."""
    return Tapping(**json_of(_native.tapping_of(values_of(beats_ms), values_of(taps_ms))))


def together(first_ms: ArrayLike, second_ms: ArrayLike) -> Together:
    """How far apart the taps of two people are."""
    return Together(**json_of(_native.together_of(values_of(first_ms), values_of(second_ms))))


def coupling(
    onsets_ms: Mapping[str, ArrayLike], *, least: int = 8
) -> pd.DataFrame:
    """How much each of a group corrects towards each other: bGLS with a partner each (Jacoby et
    al. 2015).

    Parameters
    ----------
    onsets_ms
        For each name the onsets, one for each beat, NaN where one is missing. A metronome may
        be among them; then the others correct towards it too.
    least
        Unbroken stretches shorter than this are left out.

    Returns
    -------
    A row for each pair: ``tapper``, ``partner``, ``alpha`` (the share of the asynchrony that
    the tapper corrects), ``low``, ``high``, ``intervals``.
    """
    names = list(onsets_ms)
    table = np.column_stack([np.asarray(onsets_ms[name], dtype=np.float64) for name in names])
    runs = [run for run in _unbroken(table) if len(run) >= least]
    rows = []
    for place, tapper in enumerate(names):
        partners = [other for other in range(len(names)) if other != place]
        given = [(run[:, place], [run[:, other] for other in partners]) for run in runs]
        if np.ptp(np.diff(np.concatenate([run[:, place] for run in runs]))) == 0:
            continue  # a metronome follows nobody
        found = models.phase_correction(given)
        for other, alpha in zip(partners, found.alpha):
            rows.append((tapper, names[other], alpha.value, alpha.low, alpha.high, found.intervals))
    return pd.DataFrame(rows, columns=["tapper", "partner", "alpha", "low", "high", "intervals"])


def reproduction(asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike]) -> Reproduction:
    """Reproductions of a rhythm, each as intervals: errors, shares, and the drift of ratios
    towards simple ones."""
    produced = [values_of(one) for one in produced_ms]
    told = json_of(_native.reproduction_of(values_of(asked_ms), produced))
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
) -> pd.DataFrame:
    """What the rules of cleaning leave out of one run of taps. The rules act in the order of
    the parameters, each on what those before it left, as in ``chronotap analyze``.

    Parameters
    ----------
    onsets_ms
        Ascending.
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

    Returns
    -------
    A row for each tap: ``onset_ms``, ``asynchrony_ms``, and ``tap_left_out``,
    ``interval_left_out`` (of the interval that ends with it) and ``asynchrony_left_out`` with
    the rule, missing where nothing is left out.

    Examples
    --------
    >>> clean([0, 500, 510, 1000])["tap_left_out"].tolist()
    [None, None, 'debounce 40 ms', None]
    """
    rules: list[tuple[str, float]] = []
    given = {"debounce_ms": debounce_ms, "first_taps": first_taps or None, "slips": slips or None}
    given |= {"interval_outliers": interval_outliers, "asynchrony_outliers": asynchrony_outliers}
    rules = [(name, float(number)) for name, number in given.items() if number is not None]
    onsets = values_of(onsets_ms)
    answers = np.full(len(onsets), np.nan) if asynchronies_ms is None else asynchronies_ms
    cells = np.asarray(answers, dtype=np.float64)
    marks = json.loads(_native.cleaned_of(onsets, cells.tolist(), rules))
    names = ["tap_left_out", "interval_left_out", "asynchrony_left_out"]
    table = pd.DataFrame({"onset_ms": onsets, "asynchrony_ms": cells})
    for place, name in enumerate(names):
        table[name] = pd.Series([mark[place] for mark in marks], dtype=object)
    return table


def _unbroken(table: np.ndarray) -> list[np.ndarray]:
    """The stretches of rows without a missing cell."""
    whole = ~np.isnan(table).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], whole, [False]]).astype(int)))
    return [table[begin:end] for begin, end in edges.reshape(-1, 2)]
