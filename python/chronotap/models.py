"""Estimates with intervals, and models of synchronization. docs/statistics.md has the formulas,
their sources and limits; the numbers are those of the library.

Where data give no estimate a ``ValueError`` says why (too few values, nothing that varies).
Times are in milliseconds. Intervals are for 95 %.

With ``groups`` each gives a frame with one row for each group, in the order in which the groups first
come, with the columns of ``to_frame()`` of each result: NAME, NAME_standard_error, NAME_low, NAME_high
and NAME_held of an estimate. A group that gives none has missing cells, and ``why_not`` says why. The
work is done outside the interpreter on all processors; the numbers are those of a call for each group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import (
    Groups,
    Pair,
    cells_of,
    coded,
    from_zero,
    grouped,
    paired,
    table,
    values_of,
)
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
class ReproductionEstimates(Result):
    """The errors of reproduced rhythms, from one round to the next, each with its interval."""

    rounds: int
    """Rounds in which something was reproduced."""
    error_ms: Estimate
    """The constant error: the mean of reproduced - heard."""
    sd_ms: Estimate | None
    """The variable error, about the mean of each interval; None where nothing varies."""
    absolute_error_ms: Estimate | None
    """None where there is no error."""


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


@overload
def mean(values: ArrayLike) -> Estimate: ...
@overload
def mean(values: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def mean(values: ArrayLike, groups: Groups | None = None) -> Estimate | pd.DataFrame:
    """The mean of independent values (one a trial, not one a tap) with Student's interval.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels: then a row for each group.

    Examples
    --------
    >>> print(mean([1, 2, 3, 4]))
    2.5 (95 % 0.44574 to 4.55426)
    >>> mean([1, 2, 3, 4], ["a", "a", "b", "b"])["mean"].tolist()
    [1.5, 3.5]
    """
    if groups is not None:
        given, labels = grouped(values, groups)
        return table(_native.mean_by_group(given), labels, None)
    return Estimate(**json_of(_native.mean_of(values_of(values))))


@overload
def difference(first: ArrayLike, second: ArrayLike) -> Estimate: ...
@overload
def difference(first: ArrayLike, second: ArrayLike, groups: Pair) -> pd.DataFrame: ...
def difference(
    first: ArrayLike, second: ArrayLike, groups: Pair | None = None
) -> Estimate | pd.DataFrame:
    """The difference of two means of independent values, first less second, with Welch's (1947)
    interval.

    Parameters
    ----------
    first, second
        In one unit.
    groups
        The labels of the first and those of the second: then a row for each group.
    """
    if groups is not None:
        *given, labels = paired(first, second, groups)
        return table(_native.difference_by_group(*given), labels, None)
    return Estimate(**json_of(_native.difference_of(values_of(first), values_of(second))))


@overload
def clock_and_motor_levels(intervals_ms: ArrayLike, *, seed: int = 1) -> ClockAndMotorLevels: ...
@overload
def clock_and_motor_levels(
    intervals_ms: ArrayLike, groups: Groups, *, seed: int = 1
) -> pd.DataFrame: ...
def clock_and_motor_levels(
    intervals_ms: ArrayLike, groups: Groups | None = None, *, seed: int = 1
) -> ClockAndMotorLevels | pd.DataFrame:
    """Clock and motor variance of self-paced intervals, each with an interval by simulation
    from the model. Intervals over missed and doubled taps are left out.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    seed
        What the simulated runs are drawn from, 1,000 for each group.
    """
    if groups is not None:
        given, labels = grouped(intervals_ms, groups)
        return table(
            _native.clock_and_motor_levels_by_group(given, from_zero("seed", seed)),
            labels,
            ClockAndMotorLevels,
        )
    told = json_of(_native.clock_and_motor_levels(values_of(intervals_ms), from_zero("seed", seed)))
    clock, motor = (Estimate(**told[name]) for name in ("clock_ms2", "motor_ms2"))
    return ClockAndMotorLevels(clock, motor, told["seed"], told["runs"])


@overload
def phase_correction(
    runs: Iterable[Run], *, means: Literal["of each run", "pooled"] = "pooled"
) -> Correction: ...
@overload
def phase_correction(
    runs: Iterable[Run], groups: Groups, *, means: Literal["of each run", "pooled"] = "pooled"
) -> pd.DataFrame: ...
def phase_correction(
    runs: Iterable[Run],
    groups: Groups | None = None,
    *,
    means: Literal["of each run", "pooled"] = "pooled",
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
        What is taken off intervals and asynchronies: the means over all runs of one person
        and condition, or those of each run, which biases short runs.
    """
    if means not in ("of each run", "pooled"):
        raise ValueError(f"means = {means!r}: there are 'of each run' and 'pooled'")
    given, labels = _runs(runs, groups)
    pooled = means == "pooled"
    if labels is not None:
        return table(_native.phase_correction_by_group(given, pooled), labels, Correction)
    own = not pooled and len(given[2]) > 1
    held = _native.held_share("alpha of runs less their own means", 0) if own else None
    return _correction(_native.phase_correction(given, pooled), held)


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
    """
    given, labels = _runs(runs, groups)
    if labels is not None:
        columns = _native.phase_and_period_correction_by_group(given, baseline_ms)
        return table(columns, labels, Correction)
    return _correction(_native.phase_and_period_correction(given, baseline_ms))


@overload
def adaptation_and_anticipation(runs: Iterable[Run]) -> Adam: ...
@overload
def adaptation_and_anticipation(runs: Iterable[Run], groups: Groups) -> pd.DataFrame: ...
def adaptation_and_anticipation(
    runs: Iterable[Run], groups: Groups | None = None
) -> Adam | pd.DataFrame:
    """Adaptation and anticipation towards one partner, from at least five runs (ADAM; van der
    Steen & Keller 2013). It needs pacing whose tempo goes up and down.

    In simulations the intervals of β and of the prediction hold the truth in 90 % of cases, not in
    95 %; where the γ that is found is above 0.4, α and β are not to be trusted.

    Parameters
    ----------
    runs
        As for :func:`phase_correction`, with one partner.
    groups
        One label for each run, or a frame of labels: then a row for each group, from its runs.
    """
    given, labels = _runs(runs, groups)
    if labels is not None:
        return table(_native.adaptation_and_anticipation_by_group(given), labels, Adam)
    told: dict[str, Any] = json_of(_native.adaptation_and_anticipation(given))
    for name in ("alpha", "beta", "gamma", "prediction"):
        told[name]["held"] = _native.held_share(f"adam {name}", told["intervals"])
    return Adam(**{name: _estimate(cell) for name, cell in told.items()})


@overload
def share(count: int, of: int) -> Share: ...
@overload
def share(count: ArrayLike, of: ArrayLike) -> Share | pd.DataFrame: ...
def share(count: ArrayLike, of: ArrayLike) -> Share | pd.DataFrame:
    """A share, such as that of trials with an error, with the interval of Wilson (1927).

    Parameters
    ----------
    count, of
        So many of so many; or columns of such numbers, which give a row for each two.

    Examples
    --------
    >>> print(share(3, 20).low < 0.15 < share(3, 20).high)
    True
    >>> share([3, 5], 20)["share"].tolist()
    [0.15, 0.25]
    """
    counts, ofs = np.broadcast_arrays(np.asarray(count), np.asarray(of))
    for name, cells in (("count", counts), ("of", ofs)):
        if cells.dtype.kind not in "iu":
            raise TypeError(f"{name} = {cells.dtype}: give whole numbers")
    if (counts > ofs).any() or (counts < 0).any():
        raise ValueError("a share is so many of at least as many, and none below 0")
    if counts.ndim == 0:
        return Share(**json_of(_native.share_of(int(counts), int(ofs))))
    given = (np.ascontiguousarray(cells, dtype=np.int64) for cells in (counts, ofs))
    return table(_native.shares_of(*given), pd.RangeIndex(len(counts)), Share)


@overload
def fluctuation_line(
    values: ArrayLike, *, windows: Sequence[int] | None = None
) -> FluctuationLine: ...
@overload
def fluctuation_line(
    values: ArrayLike, groups: Groups, *, windows: Sequence[int] | None = None
) -> pd.DataFrame: ...
def fluctuation_line(
    values: ArrayLike, groups: Groups | None = None, *, windows: Sequence[int] | None = None
) -> FluctuationLine | pd.DataFrame:
    """Detrended fluctuation analysis, DFA-1 (Peng et al. 1994), of at least 64 values, better 512,
    without gaps.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels: then a row for each window of each group,
        with ``window`` (in values), ``fluctuation`` and the ``exponent`` of the group.
    windows
        Each of 4 values or more; by default about twelve from 10 to a quarter of the values.
    """
    wanted = None if windows is None else [from_zero("windows", window) for window in windows]
    if groups is not None:
        given, labels = grouped(values, groups)
        return table(_native.fluctuation_by_group(given, wanted), labels, None)
    told = json_of(_native.fluctuation_of(values_of(values), wanted))
    points = tuple((int(window), float(size)) for window, size in told["points"])
    return FluctuationLine(told["exponent"], points)


@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0) -> VTest: ...
@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0, *, groups: Groups) -> pd.DataFrame: ...
def v_test(
    angles_rad: ArrayLike, expected_rad: float = 0.0, *, groups: Groups | None = None
) -> VTest | pd.DataFrame:
    """Test directions against an even spread, where one direction is expected (V test, Greenwood &
    Durand 1955).

    Parameters
    ----------
    angles_rad
        In radians.
    expected_rad
        The direction that is expected, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    if groups is not None:
        given, labels = grouped(angles_rad, groups)
        return table(_native.v_test_by_group(given, expected_rad), labels, VTest)
    return VTest(**json_of(_native.v_test_of(values_of(angles_rad), expected_rad)))


@overload
def mixture(angles_rad: ArrayLike) -> Mixture: ...
@overload
def mixture(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def mixture(angles_rad: ArrayLike, groups: Groups | None = None) -> Mixture | pd.DataFrame:
    """Fit a mode in phase and one in anti-phase, of von Mises, to at least 20 directions.

    Parameters
    ----------
    angles_rad
        In radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    if groups is not None:
        given, labels = grouped(angles_rad, groups)
        return table(_native.mixture_by_group(given), labels, Mixture)
    return Mixture(**json_of(_native.mixture_of(values_of(angles_rad))))


@overload
def asynchrony_estimates(asynchronies_ms: ArrayLike) -> AsynchronyEstimates: ...
@overload
def asynchrony_estimates(asynchronies_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def asynchrony_estimates(
    asynchronies_ms: ArrayLike, groups: Groups | None = None
) -> AsynchronyEstimates | pd.DataFrame:
    """What describes at least ten asynchronies of one run, with intervals that count how each
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    asynchronies_ms
        Of one run in the order of its taps, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.

    Examples
    --------
    >>> found = asynchrony_estimates([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35])
    >>> print(found.mean_ms.low < -22.5 < found.mean_ms.high)
    True
    """
    if groups is not None:
        given, labels = grouped(asynchronies_ms, groups)
        return table(_native.asynchrony_estimates_by_group(given), labels, AsynchronyEstimates)
    return _estimates(AsynchronyEstimates, _native.asynchrony_estimates(values_of(asynchronies_ms)))


@overload
def interval_estimates(intervals_ms: ArrayLike) -> IntervalEstimates: ...
@overload
def interval_estimates(intervals_ms: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def interval_estimates(
    intervals_ms: ArrayLike, groups: Groups | None = None
) -> IntervalEstimates | pd.DataFrame:
    """What describes at least ten inter-tap intervals of one run, with intervals that count how each
    depends on those before it (Lazarus et al. 2018).

    Parameters
    ----------
    intervals_ms
        Of one run in the order of its taps, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    if groups is not None:
        given, labels = grouped(intervals_ms, groups)
        return table(_native.interval_estimates_by_group(given), labels, IntervalEstimates)
    return _estimates(IntervalEstimates, _native.interval_estimates(values_of(intervals_ms)))


@overload
def direction_estimates(angles_rad: ArrayLike) -> DirectionEstimates: ...
@overload
def direction_estimates(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def direction_estimates(
    angles_rad: ArrayLike, groups: Groups | None = None
) -> DirectionEstimates | pd.DataFrame:
    """R and the circular mean of at least ten directions of one run, with their intervals.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    if groups is not None:
        given, labels = grouped(angles_rad, groups)
        return table(_native.direction_estimates_by_group(given), labels, DirectionEstimates)
    return _estimates(DirectionEstimates, _native.direction_estimates(values_of(angles_rad)))


@overload
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, *, detrended: bool = False
) -> ClockAndMotorEstimates: ...
@overload
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, groups: Groups, *, detrended: bool = False
) -> pd.DataFrame: ...
def clock_and_motor_estimates(
    intervals_ms: ArrayLike, groups: Groups | None = None, *, detrended: bool = False
) -> ClockAndMotorEstimates | pd.DataFrame:
    """Clock and motor variance of self-paced intervals, with intervals by formula (Bartlett 1946);
    :func:`clock_and_motor_levels` has them by simulation.

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of a continuation, in milliseconds.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    detrended
        Whether the linear drift of the intervals is taken off.
    """
    if groups is not None:
        given, labels = grouped(intervals_ms, groups)
        return table(
            _native.clock_and_motor_estimates_by_group(given, detrended),
            labels,
            ClockAndMotorEstimates,
        )
    told = _native.clock_and_motor_estimates(values_of(intervals_ms), detrended)
    return _estimates(ClockAndMotorEstimates, told)


@overload
def mixture_estimates(angles_rad: ArrayLike) -> MixtureEstimates: ...
@overload
def mixture_estimates(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def mixture_estimates(
    angles_rad: ArrayLike, groups: Groups | None = None
) -> MixtureEstimates | pd.DataFrame:
    """The parts of :func:`mixture` with their intervals; taps may stay in a mode for a while.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    if groups is not None:
        given, labels = grouped(angles_rad, groups)
        return table(_native.mixture_estimates_by_group(given), labels, MixtureEstimates)
    return _estimates(MixtureEstimates, _native.mixture_estimates(values_of(angles_rad)))


@overload
def reproduction_estimates(errors_ms: Iterable[ArrayLike]) -> ReproductionEstimates: ...
@overload
def reproduction_estimates(errors_ms: Iterable[ArrayLike], groups: Groups) -> pd.DataFrame: ...
def reproduction_estimates(
    errors_ms: Iterable[ArrayLike], groups: Groups | None = None
) -> ReproductionEstimates | pd.DataFrame:
    """The errors of at least two rounds, with their intervals (Student's t over rounds; chi squared
    for the variable error).

    Parameters
    ----------
    errors_ms
        Of each round its errors, reproduced - heard in the order of the rhythm, in milliseconds. A
        round that breaks off has fewer.
    groups
        One label for each round, or a frame of labels: then a row for each group.

    Examples
    --------
    >>> found = reproduction_estimates([[12, -8], [20, 3], [4], [15, -1]])
    >>> print(found.rounds, found.error_ms.low < found.error_ms.value < found.error_ms.high)
    4 True
    """
    rounds = [values_of(one) for one in errors_ms]
    if groups is not None:
        codes, labels = coded(groups)
        if len(codes) != len(rounds):
            raise ValueError(f"{len(rounds)} rounds and {len(codes)} groups: give one for each")
        given = _native.reproduction_estimates_by_group(rounds, codes.tolist(), len(labels))
        return table(given, labels, ReproductionEstimates)
    return _estimates(ReproductionEstimates, _native.reproduction_estimates(rounds))


@overload
def exponent_estimate(values: ArrayLike, *, seed: int = 1) -> ExponentEstimate: ...
@overload
def exponent_estimate(values: ArrayLike, groups: Groups, *, seed: int = 1) -> pd.DataFrame: ...
def exponent_estimate(
    values: ArrayLike, groups: Groups | None = None, *, seed: int = 1
) -> ExponentEstimate | pd.DataFrame:
    """The exponent of :func:`fluctuation_line` with an interval, by simulation from fractional
    noise of that exponent.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    seed
        What the noise is drawn from, 400 runs for each group.
    """
    if groups is not None:
        given, labels = grouped(values, groups)
        return table(
            _native.exponent_estimate_by_group(given, from_zero("seed", seed)),
            labels,
            ExponentEstimate,
        )
    return _estimates(
        ExponentEstimate, _native.exponent_estimate(values_of(values), from_zero("seed", seed))
    )


@overload
def tracking_estimates(taps_ms: ArrayLike, pacing_ms: ArrayLike) -> TrackingEstimates: ...
@overload
def tracking_estimates(
    taps_ms: ArrayLike, pacing_ms: ArrayLike, groups: Groups | Pair
) -> pd.DataFrame: ...
def tracking_estimates(
    taps_ms: ArrayLike, pacing_ms: ArrayLike, groups: Groups | Pair | None = None
) -> TrackingEstimates | pd.DataFrame:
    """Prediction and tracking (Pecenka & Keller 2009), with their intervals.

    Parameters
    ----------
    taps_ms, pacing_ms
        At least ten intervals of taps and pacing of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    if groups is not None:
        *given, labels = paired(taps_ms, pacing_ms, groups)
        return table(_native.tracking_estimates_by_group(*given), labels, TrackingEstimates)
    told = _native.tracking_estimates(values_of(taps_ms), values_of(pacing_ms))
    return _estimates(TrackingEstimates, told)


@overload
def following_estimates(first_ms: ArrayLike, second_ms: ArrayLike) -> FollowingEstimates: ...
@overload
def following_estimates(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair
) -> pd.DataFrame: ...
def following_estimates(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair | None = None
) -> FollowingEstimates | pd.DataFrame:
    """Who follows whom, with the intervals of the three correlations.

    Parameters
    ----------
    first_ms, second_ms
        At least 15 intervals of each of two people, of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    if groups is not None:
        *given, labels = paired(first_ms, second_ms, groups)
        return table(_native.following_estimates_by_group(*given), labels, FollowingEstimates)
    told = _native.following_estimates(values_of(first_ms), values_of(second_ms))
    return _estimates(FollowingEstimates, told)


@overload
def following(first_ms: ArrayLike, second_ms: ArrayLike) -> Following: ...
@overload
def following(first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair) -> pd.DataFrame: ...
def following(
    first_ms: ArrayLike, second_ms: ArrayLike, groups: Groups | Pair | None = None
) -> Following | pd.DataFrame:
    """Who follows whom, by cross-correlation at lags −1, 0 and 1 (Konvalinka et al. 2010).

    Parameters
    ----------
    first_ms, second_ms
        At least 15 intervals of each of two people, of the same places, in milliseconds.
    groups
        One label for each pair of values, or a frame of labels, or the labels of both: then a row for
        each group.
    """
    if groups is not None:
        *given, labels = paired(first_ms, second_ms, groups)
        return table(_native.following_by_group(*given), labels, Following)
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


def runs(
    taps_ms: ArrayLike,
    partners_ms: ArrayLike | Sequence[ArrayLike],
    groups: Groups,
    *,
    beats: ArrayLike | None = None,
    least: int = 3,
) -> tuple[list[Run], pd.Index[Any]]:
    """Columns of taps as the unbroken runs that the models of correction take, with the label of
    each: ``phase_correction(*runs(…))``.

    Parameters
    ----------
    taps_ms
        Onsets of the taps, in milliseconds, each trial's in order.
    partners_ms
        For each tap the onset that it answers, or several such columns; NaN where there is none.
    groups
        One label for each tap (the trial, say), or a frame of labels. A run ends with its group.
    beats
        For each tap the number of the beat that it answers: a run ends where one is left out.
    least
        Shorter runs are left out.

    Examples
    --------
    >>> found, labels = runs([0, 500, 1000, 0, 510, 990], [0, 500, 1000] * 2, list("aaabbb"))
    >>> len(found), labels.tolist()
    (2, ['a', 'b'])
    """
    taps = cells_of(taps_ms)
    given = np.asarray(partners_ms, dtype=np.float64)
    partners = [cells_of(column) for column in (given if given.ndim == 2 else [given])]
    codes, labels = coded(groups)
    for what, cells in [("onsets of a partner", column) for column in partners] + [
        ("groups", codes)
    ]:
        if len(cells) != len(taps):
            raise ValueError(f"{len(taps)} taps and {len(cells)} {what}: give one for each tap")
    whole = ~np.isnan(np.column_stack([taps, *partners])).any(axis=1) & (codes >= 0)
    order = np.argsort(codes, kind="stable")
    places = np.flatnonzero(whole[order])
    order = order[places]
    steps = (np.diff(codes[order]) != 0) | (np.diff(places) != 1)
    if beats is not None:
        steps |= np.diff(cells_of(beats)[order]) != 1
    edges = np.concatenate([[0], np.flatnonzero(steps) + 1, [len(order)]])
    columns = [column[order] for column in (taps, *partners)]
    found: list[Run] = []
    of = []
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist()):
        if end - begin >= max(least, 1):
            found.append((columns[0][begin:end], [column[begin:end] for column in columns[1:]]))
            of.append(codes[order[begin]])
    return found, labels.take(np.array(of, dtype=np.int64))


def _runs(runs: Iterable[Run], groups: Groups | None) -> tuple[_native._Runs, pd.Index[Any] | None]:
    """All times in one array: a list of numbers costs as much as a model."""
    given = [[taps, *partners] for taps, partners in runs]
    lists = [np.asarray(cells, dtype=np.float64) for run in given for cells in run]
    if any(cells.ndim != 1 for cells in lists):
        raise ValueError("onsets of several dimensions: give one run of values each")
    times = np.concatenate(lists) if lists else np.zeros(0)
    values_of(times)
    lengths = np.array([len(cells) for cells in lists], dtype=np.int64)
    counts = np.array([len(run) for run in given], dtype=np.int64)
    if groups is None:
        return (times, lengths, counts, np.zeros(len(given), dtype=np.int64), 1), None
    codes, labels = coded(groups)
    return (times, lengths, counts, codes, len(labels)), labels
