"""Models of how asynchronies are corrected, from unbroken runs of taps."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, overload

import pandas as pd

from chronotap import _native
from chronotap._groups import Groups, coded, one_of, table
from chronotap._results import Estimate, Result
from chronotap._values import finite
from chronotap.frames import Column
from chronotap.models.runs import Run, packed

Means: TypeAlias = "Literal['of each run', 'pooled'] | tuple[float, Sequence[float]]"
"""What is taken off intervals and asynchronies."""

Towards: TypeAlias = "Literal['pacing', 'a person']"
"""Whose onsets a person taps to."""


@dataclass(frozen=True)
class Correction(Result):
    """How much of an asynchrony is corrected (bGLS; Jacoby et al. 2015)."""

    alpha: tuple[Estimate, ...]
    """Phase correction towards each partner."""
    beta: Estimate | None
    """Period correction; None in the model of phase alone."""
    timekeeper_sd_ms: float
    motor_sd_ms: float
    timekeeper: Estimate | None
    """The SD of the timekeeper with its interval, in ms; None where nothing varies."""
    motor: Estimate | None
    """The SD of the motor delays with its interval, in ms; None where nothing varies."""
    intervals: int
    """How many were fitted."""
    at_bound: bool
    """Whether a bound of the method decides the two SDs."""
    converged: bool


@dataclass(frozen=True)
class CorrectionOverTrials(Result):
    """Phase correction over trials, with the SDs of the noise, in ms."""

    alpha: Estimate
    """Phase correction."""
    timekeeper: Estimate | None
    """The SD of the timekeeper, in ms; None towards a person."""
    motor: Estimate | None
    """The SD of the motor delays, in ms; None towards a person."""
    taps: int
    """How many were fitted."""
    trials: int


@dataclass(frozen=True)
class Adam(Result):
    """Adaptation and anticipation, each with its interval."""

    alpha: Estimate
    """Phase correction alone."""
    beta: Estimate
    """Period correction."""
    gamma: Estimate
    """Anticipatory correction: 0 is adaptation alone, 1 anticipation alone."""
    prediction: Estimate | None
    """The weight of prediction: 0 tracks the last interval, 1 goes on with its change."""
    no_prediction: Literal["gamma cannot be told from 0", "the pacing is too smooth"] | None
    """Why there is no ``prediction``. A pacing whose tempo changes irregularly is not too smooth."""
    timekeeper_sd_ms: float
    motor_sd_ms: float
    timekeeper: Estimate
    """The SD of the timekeeper with its interval, in ms."""
    motor: Estimate
    """The SD of the motor delays with its interval, in ms."""
    intervals: int
    """Intervals that were fitted."""
    runs: int


@overload
def phase_correction(
    runs: Iterable[Run], *, means: Means = "pooled"
) -> Correction: ...
@overload
def phase_correction(
    runs: Iterable[Run], groups: Groups, *, means: Means = "pooled"
) -> pd.DataFrame: ...
def phase_correction(
    runs: Iterable[Run],
    groups: Groups | None = None,
    *,
    means: Means = "pooled",
) -> Correction | pd.DataFrame:
    """Phase correction of one person, in one run or several (bGLS; Jacoby et al. 2015).

    Parameters
    ----------
    runs
        Each the onsets of the taps in ms, and for each partner (the pacing, another tapper)
        one onset for each tap: ``[(taps_ms, [beats_ms])]``. :func:`runs` makes them of columns.
    groups
        One label for each run, or a frame of labels: then a row for each group, from its runs.
    means
        What is taken off intervals and asynchronies: the means over all runs, which drives α towards 0
        where the means of trials differ, as they do in people; or those of each run, which drives α
        up in short runs (:func:`correction_over_trials` does neither); or means that are known
        beforehand, such as those of a longer recording: ``(interval_ms, [asynchrony_ms, …])``, with
        one asynchrony for each partner.

    Returns
    -------
    A :class:`Correction` of all runs together; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For what are no runs.
    ValueError
        For means that are none, for labels that do not fit, and where the runs give no estimate: why. Of groups
        ``why_not`` says it.
    """
    given, labels = packed(runs, groups)
    columns = _native.phase_correction_by_group(given, _taken_off(means))
    return _correction(columns) if labels is None else table(columns, labels, Correction)


@overload
def correction_over_trials(
    runs: Iterable[Run], trials: Groups, *, towards: Towards = "pacing"
) -> CorrectionOverTrials: ...
@overload
def correction_over_trials(
    runs: Iterable[Run], trials: Groups, groups: Groups, *, towards: Towards = "pacing"
) -> pd.DataFrame: ...
def correction_over_trials(
    runs: Iterable[Run],
    trials: Groups,
    groups: Groups | None = None,
    *,
    towards: Towards = "pacing",
) -> CorrectionOverTrials | pd.DataFrame:
    """Phase correction of one person towards one partner over several trials, each with a mean
    asynchrony and a drift of its own (restricted likelihood; docs/statistics.md). This is
    ``pooled_alpha`` of the tables of an analysis. It needs 60 taps in all.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    trials
        One label for each run: the trial that it belongs to. ``correction_over_trials(*runs(…))``.
    groups
        One label for each run, or a frame of labels: then a row for each group, from its trials.
    towards
        "a person" where the partner's onsets are the taps of somebody whom nothing paces: then the tempo
        wanders in the model, and the correction may be 0 (``timekeeper`` and ``motor`` are None, in a frame NaN). This is
        ``pooled_alpha`` of rows against ``taps of …``.

    Returns
    -------
    A :class:`CorrectionOverTrials` of all runs together; of groups a frame with a row for each, its label as
    the index.

    Raises
    ------
    TypeError
        For what are no runs.
    ValueError
        For labels that do not fit, and where the runs give no estimate: why. Of groups ``why_not`` says it.
    """
    if towards not in ("pacing", "a person"):
        raise ValueError(f"towards = {towards!r}: there are 'pacing' and 'a person'")
    given, labels = packed(runs, groups)
    of_partners = towards == "a person"
    columns = _native.correction_over_trials_by_group(given, coded(trials)[0], of_partners)
    if labels is None:
        return CorrectionOverTrials(**one_of(CorrectionOverTrials, columns))
    return table(columns, labels, CorrectionOverTrials)


def _taken_off(means: Means) -> bool | tuple[float, list[float]]:
    if isinstance(means, str):
        if means not in ("of each run", "pooled"):
            raise ValueError(f"means = {means!r}: there are 'of each run' and 'pooled'")
        return means == "pooled"
    try:
        interval, asynchronies = means
        known = [finite("means", one) for one in asynchronies]
    except (TypeError, ValueError):
        told = f"means = {reprlib.repr(means)}: give (interval_ms, [asynchrony_ms, …])"
        raise ValueError(f"{told}, with one asynchrony for each partner") from None
    return finite("means", interval), known


@overload
def phase_and_period_correction(
    runs: Iterable[Run], *, baseline_ms: float | None = None
) -> Correction: ...
@overload
def phase_and_period_correction(
    runs: Iterable[Run], groups: Groups, *, baseline_ms: float | None = None
) -> pd.DataFrame: ...
def phase_and_period_correction(
    runs: Iterable[Run], groups: Groups | None = None, *, baseline_ms: float | None = None
) -> Correction | pd.DataFrame:
    """Phase and period correction towards one partner (bGLS; Jacoby et al. 2015). It needs a tempo
    that changes.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    groups
        One label for each run, or a frame of labels: then a row for each group, from its runs.
    baseline_ms
        The asynchrony that is not corrected; None estimates it with the rest.

    Returns
    -------
    A :class:`Correction` of all runs together; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For what are no runs.
    ValueError
        For means that are none, for labels that do not fit, and where the runs give no estimate: why. Of groups
        ``why_not`` says it.
    """
    given, labels = packed(runs, groups)
    baseline = None if baseline_ms is None else finite("baseline_ms", baseline_ms)
    columns = _native.phase_and_period_correction_by_group(given, baseline)
    return _correction(columns) if labels is None else table(columns, labels, Correction)


def _correction(columns: Sequence[Column]) -> Correction:
    """Of one group: α towards each partner stands in a column of its own."""
    cells = one_of(Correction, columns)
    names = [name for name in cells if name == "alpha" or name.startswith("alpha_")]
    alpha = tuple(cells.pop(name) for name in names)
    return Correction(**{"beta": None, **cells, "alpha": alpha})


@overload
def adaptation_and_anticipation(runs: Iterable[Run]) -> Adam: ...
@overload
def adaptation_and_anticipation(runs: Iterable[Run], groups: Groups) -> pd.DataFrame: ...
def adaptation_and_anticipation(
    runs: Iterable[Run], groups: Groups | None = None
) -> Adam | pd.DataFrame:
    """Adaptation and anticipation towards one partner, from at least five runs (ADAM; van der
    Steen & Keller 2013). It needs pacing whose tempo goes up and down irregularly.

    No pacing gives all four without bias. Each has in ``held`` how often it contained the true value at worst,
    over people and pacings that were simulated; the manual has the figures for each pacing.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    groups
        One label for each run, or a frame of labels: then a row for each group, from its runs.

    Returns
    -------
    A :class:`Adam` of all runs together; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For what are no runs.
    ValueError
        For labels that do not fit, and where the runs give no estimate: why. Of groups ``why_not`` says it.
    """
    given, labels = packed(runs, groups)
    columns = _native.adaptation_and_anticipation_by_group(given)
    return Adam(**one_of(Adam, columns)) if labels is None else table(columns, labels, Adam)
