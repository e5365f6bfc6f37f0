"""Estimates with intervals, and models of synchronization. docs/statistics.md has the formulas,
their sources and limits; the numbers are those of the library.

Where data give no estimate a ``ValueError`` says why (too few values, nothing that varies).
Times are in milliseconds. Intervals are for 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._results import Estimate, Result
from chronotap.frames import json_of

R = TypeVar("R", bound=Result)

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
    timekeeper: Estimate
    """The SD of the timekeeper with its interval, in ms."""
    motor: Estimate
    """The SD of the motor delays with its interval, in ms."""
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
class AsynchronyEstimates(Result):
    """What describes the asynchronies of one run, each with its interval."""

    n: int
    mean_ms: Estimate
    median_ms: Estimate
    sd_ms: Estimate | None
    """None where nothing varies, here and below."""
    mean_absolute_ms: Estimate | None
    rms_ms: Estimate | None
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class IntervalEstimates(Result):
    """What describes the inter-tap intervals of one run, each with its interval."""

    n: int
    mean_ms: Estimate
    median_ms: Estimate
    sd_ms: Estimate | None
    """None where nothing varies, here and below."""
    cv: Estimate | None
    rmssd_ms: Estimate | None
    drift_ms_per_interval: Estimate | None
    npvi: Estimate | None
    lag_one: Estimate | None
    """Lag-1 autocorrelation."""


@dataclass(frozen=True)
class DirectionEstimates(Result):
    """What describes directions on a circle, each with its interval; None where R is 0 or 1."""

    n: int
    resultant: Estimate | None
    """R, the length of the mean vector."""
    direction_rad: Estimate | None
    """The circular mean."""
    sd_rad: Estimate | None
    deviation_rad: Estimate | None


@dataclass(frozen=True)
class ClockAndMotorEstimates(Result):
    """Clock and motor variance, each with its interval by formula."""

    clock_ms2: Estimate
    motor_ms2: Estimate
    r1: Estimate
    """Lag-1 autocorrelation of the intervals."""


@dataclass(frozen=True)
class MixtureEstimates(Result):
    """The parts of a mixture of phase and anti-phase, each with its interval."""

    in_phase: Estimate
    """The share in phase."""
    direction_rad: Estimate
    concentration: Estimate


@dataclass(frozen=True)
class ExponentEstimate(Result):
    """The scaling exponent of detrended fluctuation analysis with its interval."""

    exponent: Estimate
    seed: int
    """What the simulated noise behind the interval was drawn from."""
    runs: int


@dataclass(frozen=True)
class TrackingEstimates(Result):
    """Prediction and tracking (:func:`chronotap.responses.tracking`), each with its interval."""

    n: int
    r0: Estimate | None
    r1: Estimate | None
    ratio: Estimate | None
    """None unless both are above 0."""
    index: Estimate | None
    r0_less_own: Estimate | None
    r1_less_own: Estimate | None


@dataclass(frozen=True)
class FollowingEstimates(Result):
    """The cross-correlations of :func:`following`, each with its interval."""

    n: int
    first_follows: Estimate | None
    together: Estimate | None
    second_follows: Estimate | None


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
    given = _runs(runs)
    own = means == "of each run" and len(given) > 1
    held = _native.held_share("alpha of runs less their own means", 0) if own else None
    return _correction(_native.phase_correction(given, means == "pooled"), held)


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
    for name in ("alpha", "beta", "gamma", "prediction"):
        told[name]["held"] = _native.held_share(f"adam {name}", told["intervals"])
    return Adam(**{name: _estimate(cell) for name, cell in told.items()})


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


def asynchrony_estimates(asynchronies_ms: ArrayLike) -> AsynchronyEstimates:
    """What describes at least ten asynchronies of one run, with intervals that count how each
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    asynchronies_ms
        Of one run in the order of its taps, in milliseconds.

    Examples
    --------
    >>> found = asynchrony_estimates([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35])
    >>> print(found.mean_ms.low < -22.5 < found.mean_ms.high)
    True
    """
    return _estimates(AsynchronyEstimates, _native.asynchrony_estimates(values_of(asynchronies_ms)))


def interval_estimates(intervals_ms: ArrayLike) -> IntervalEstimates:
    """What describes at least ten inter-tap intervals of one run, in milliseconds, with their
    intervals."""
    return _estimates(IntervalEstimates, _native.interval_estimates(values_of(intervals_ms)))


def direction_estimates(angles_rad: ArrayLike) -> DirectionEstimates:
    """R and the circular mean of at least ten directions of one run, with their intervals."""
    return _estimates(DirectionEstimates, _native.direction_estimates(values_of(angles_rad)))


def clock_and_motor_estimates(
    intervals_ms: ArrayLike, *, detrended: bool = False
) -> ClockAndMotorEstimates:
    """Clock and motor variance of self-paced intervals, with intervals by formula (Bartlett 1946);
    :func:`clock_and_motor_levels` has them by simulation.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    detrended
        Whether the linear drift of the intervals is taken off.
    """
    told = _native.clock_and_motor_estimates(values_of(intervals_ms), detrended)
    return _estimates(ClockAndMotorEstimates, told)


def mixture_estimates(angles_rad: ArrayLike) -> MixtureEstimates:
    """The parts of :func:`mixture` with their intervals; taps may stay in a mode for a while."""
    return _estimates(MixtureEstimates, _native.mixture_estimates(values_of(angles_rad)))


def exponent_estimate(values: ArrayLike, *, seed: int = 1) -> ExponentEstimate:
    """The exponent of :func:`fluctuation_line` with an interval, by simulation from fractional
    noise of that exponent."""
    return _estimates(ExponentEstimate, _native.exponent_estimate(values_of(values), seed))


def tracking_estimates(taps_ms: ArrayLike, pacing_ms: ArrayLike) -> TrackingEstimates:
    """Prediction and tracking from intervals of taps and pacing of the same places, with their
    intervals."""
    told = _native.tracking_estimates(values_of(taps_ms), values_of(pacing_ms))
    return _estimates(TrackingEstimates, told)


def following_estimates(first_ms: ArrayLike, second_ms: ArrayLike) -> FollowingEstimates:
    """Who follows whom, from at least 15 intervals of each of two people, with the intervals of
    the three correlations."""
    told = _native.following_estimates(values_of(first_ms), values_of(second_ms))
    return _estimates(FollowingEstimates, told)


def following(first_ms: ArrayLike, second_ms: ArrayLike) -> Following:
    """Who follows whom, from at least 15 intervals of each of two people, of the same
    places."""
    return Following(**json_of(_native.following_of(values_of(first_ms), values_of(second_ms))))


def _estimates(kind: type[R], text: str) -> R:
    told: dict[str, Any] = json_of(text)
    return kind(**{name: _estimate(cell) for name, cell in told.items()})


def _estimate(cell: Any) -> Any:
    return Estimate(**cell) if isinstance(cell, dict) else cell


def _correction(text: str, held: float | None = None) -> Correction:
    told: dict[str, Any] = json_of(text)
    alpha = tuple(Estimate(**one, held=held) for one in told.pop("alpha"))
    return Correction(alpha=alpha, **{name: _estimate(cell) for name, cell in told.items()})


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
