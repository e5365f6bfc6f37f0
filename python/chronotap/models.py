"""Estimates with intervals, and models of synchronization. docs/statistics.md has the formulas,
their sources and limits; the numbers are those of the library.

Where data give no estimate a ``ValueError`` says why (too few values, nothing that varies).
Times are in milliseconds. Intervals are for 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._results import Estimate, Result
from chronotap.frames import json_of

Run: TypeAlias = tuple[ArrayLike, Sequence[ArrayLike]]
"""An unbroken run: onsets of the taps, and for each partner one onset for each tap."""


@dataclass(frozen=True)
class ClockAndMotorLevels(Result):
    """Clock and motor variance without the bias of short runs."""

    clock_ms2: Estimate
    motor_ms2: Estimate
    seed: int
    """What the simulated runs behind the intervals were drawn from."""
    runs: int


@dataclass(frozen=True)
class Correction(Result):
    """How much of an asynchrony is corrected (bGLS; Jacoby et al. 2015)."""

    alpha: tuple[Estimate, ...]
    """Phase correction towards each partner."""
    beta: Estimate | None
    """Period correction; None in the model of phase alone."""
    timekeeper_sd_ms: float
    motor_sd_ms: float
    intervals: int
    """How many were fitted."""
    at_bound: bool
    """Whether a bound of the method decides the two SDs."""
    converged: bool


@dataclass(frozen=True)
class Adam(Result):
    """Adaptation and anticipation, each with its interval."""

    alpha: Estimate
    """Phase correction alone."""
    beta: Estimate
    """Period correction."""
    gamma: Estimate
    """Anticipatory correction: 0 is adaptation alone, 1 anticipation alone."""
    prediction: Estimate
    """The weight of prediction: 0 tracks the last interval, 1 goes on with its change."""
    timekeeper_sd_ms: float
    motor_sd_ms: float
    intervals: int
    """Intervals that were fitted."""
    runs: int


@dataclass(frozen=True)
class Share(Result):
    """So many of so many."""

    count: int
    of: int
    share: float
    low: float
    """Lower end of the interval of Wilson for 95 %."""
    high: float


@dataclass(frozen=True)
class FluctuationLine(Result):
    """Detrended fluctuation analysis with the points of its line."""

    exponent: float
    points: tuple[tuple[int, float], ...]
    """Each window, in values, and the fluctuation in the unit of the values."""


@dataclass(frozen=True)
class VTest(Result):
    """The V test of directions against an expected one."""

    v: float
    u: float
    p: float
    """One-sided."""


@dataclass(frozen=True)
class Mixture(Result):
    """A mode in phase and one in anti-phase, of equal concentration."""

    n: int
    in_phase: float
    """The share in phase."""
    direction_rad: float
    concentration: float
    log_likelihood: float
    gain: float
    """Twice the log of the likelihood ratio of the mixture to one mode."""
    converged: bool


@dataclass(frozen=True)
class Following(Result):
    """The intervals of two people against each other."""

    n: int
    first_follows: float
    """Cross-correlation at lag −1."""
    together: float
    """At lag 0."""
    second_follows: float
    """At lag 1."""
    band: float
    """Half the width of the band of no correlation."""
    coupling: Literal["FirstLeads", "SecondLeads", "Mutual", "None"]


def mean(values: ArrayLike) -> Estimate:
    """The mean of independent values (one a trial, not one a tap) with Student's interval.

    >>> print(mean([1, 2, 3, 4]))
    2.5 (95 % 0.44574 to 4.55426)
    """
    return Estimate(**json_of(_native.mean_of(values_of(values))))


def difference(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The difference of two means of independent values, first less second, with Welch's
    interval."""
    return Estimate(**json_of(_native.difference_of(values_of(first), values_of(second))))


def clock_and_motor_levels(intervals_ms: ArrayLike, *, seed: int = 1) -> ClockAndMotorLevels:
    """Clock and motor variance of self-paced intervals, each with an interval by simulation
    from the model. Intervals over missed and doubled taps are left out."""
    told = json_of(_native.clock_and_motor_levels(values_of(intervals_ms), seed))
    clock, motor = (Estimate(**told[name]) for name in ("clock_ms2", "motor_ms2"))
    return ClockAndMotorLevels(clock, motor, told["seed"], told["runs"])


def phase_correction(
    runs: Iterable[Run], *, means: Literal["of each run", "pooled"] = "pooled"
) -> Correction:
    """Phase correction of one person, in one run or several.

    Parameters
    ----------
    runs
        Each the onsets of the taps in ms, and for each partner (the pacing, another tapper)
        one onset for each tap: ``[(taps_ms, [beats_ms])]``.
    means
        What is taken off intervals and asynchronies: the means over all runs of one person
        and condition, or those of each run, which biases short runs.
    """
    if means not in ("of each run", "pooled"):
        raise ValueError(f"means = {means!r}: there are 'of each run' and 'pooled'")
    return _correction(_native.phase_correction(_runs(runs), means == "pooled"))


def phase_and_period_correction(
    runs: Iterable[Run], *, baseline_ms: float | None = None
) -> Correction:
    """Phase and period correction towards one partner. It needs a tempo that changes.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    baseline_ms
        The asynchrony that is not corrected; None estimates it with the rest.
    """
    return _correction(_native.phase_and_period_correction(_runs(runs), baseline_ms))


def adaptation_and_anticipation(runs: Iterable[Run]) -> Adam:
    """Adaptation and anticipation towards one partner, from at least five runs (ADAM; van der
    Steen & Keller 2013). It needs pacing whose tempo goes up and down.

    In simulations the intervals of β and of the prediction hold the truth in 90 % of cases, not in
    95 %; where the γ that is found is above 0.4, α and β are not to be trusted.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    """
    told: dict[str, Any] = json_of(_native.adaptation_and_anticipation(_runs(runs)))
    named = ("alpha", "beta", "gamma", "prediction")
    estimates: dict[str, Any] = {name: Estimate(**told.pop(name)) for name in named}
    return Adam(**estimates, **told)


def share(count: int, of: int) -> Share:
    """A share, such as that of trials with an error, with the interval of Wilson (1927).

    Examples
    --------
    >>> print(share(3, 20).low < 0.15 < share(3, 20).high)
    True
    """
    return Share(**json_of(_native.share_of(count, of)))


def fluctuation_line(values: ArrayLike) -> FluctuationLine:
    """Detrended fluctuation analysis of at least 64 values, better 512, without gaps."""
    told = json_of(_native.fluctuation_of(values_of(values)))
    points = tuple((int(window), float(size)) for window, size in told["points"])
    return FluctuationLine(told["exponent"], points)


def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0) -> VTest:
    """Test directions against an even spread, where one direction is expected."""
    return VTest(**json_of(_native.v_test_of(values_of(angles_rad), expected_rad)))


def mixture(angles_rad: ArrayLike) -> Mixture:
    """Fit a mode in phase and one in anti-phase to at least 20 directions."""
    return Mixture(**json_of(_native.mixture_of(values_of(angles_rad))))


def following(first_ms: ArrayLike, second_ms: ArrayLike) -> Following:
    """Who follows whom, from at least 15 intervals of each of two people, of the same
    places."""
    return Following(**json_of(_native.following_of(values_of(first_ms), values_of(second_ms))))


def _correction(text: str) -> Correction:
    told: dict[str, Any] = json_of(text)
    alpha = tuple(Estimate(**one) for one in told.pop("alpha"))
    beta = told.pop("beta")
    return Correction(alpha=alpha, beta=beta and Estimate(**beta), **told)


def _runs(runs: Iterable[Run]) -> list[tuple[list[float], list[list[float]]]]:
    return [(values_of(taps), [values_of(onsets) for onsets in partners]) for taps, partners in runs]


def values_of(values: ArrayLike) -> list[float]:
    """One run of values, none of them missing."""
    cells = np.asarray(values, dtype=np.float64)
    if cells.ndim != 1:
        raise ValueError(f"values of {cells.ndim} dimensions: give one run of values")
    if not np.isfinite(cells).all():
        raise ValueError("some values are missing or not finite: leave them out first")
    found: list[float] = cells.tolist()
    return found
