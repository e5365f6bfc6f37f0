"""Estimates with intervals, and models of synchronization. docs/statistics.md has the formulas,
their sources and limits; the numbers are those of the library.

Where data give no estimate a ``ValueError`` says why (too few values, nothing that varies).
Times are in milliseconds. Intervals are for 95 %.

With ``groups`` each gives a frame with one row for each group, in the order in which the groups first
come, with the columns of ``to_frame()`` of each result: NAME, NAME_standard_error, NAME_low, NAME_high
and NAME_held of an estimate. A group that gives none has missing cells, and ``why_not`` says why. The
work is done outside the interpreter on all processors; the numbers are those of a call for each group.
"""

from chronotap._results import Estimate
from chronotap.models.circle import (
    DirectionEstimates,
    Mixture,
    MixtureEstimates,
    VTest,
    direction_estimates,
    mixture,
    mixture_estimates,
    v_test,
)
from chronotap.models.clock import (
    ClockAndMotorEstimates,
    ClockAndMotorLevels,
    clock_and_motor_estimates,
    clock_and_motor_levels,
)
from chronotap.models.correction import (
    Adam,
    Correction,
    CorrectionOverTrials,
    adaptation_and_anticipation,
    correction_over_trials,
    phase_and_period_correction,
    phase_correction,
)
from chronotap.models.means import (
    Share,
    difference,
    mean,
    share,
)
from chronotap.models.one_run import (
    AsynchronyEstimates,
    IntervalEstimates,
    ReproductionEstimates,
    asynchrony_estimates,
    interval_estimates,
    reproduction_estimates,
)
from chronotap.models.runs import Run, runs
from chronotap.models.scaling import (
    ExponentEstimate,
    FluctuationLine,
    exponent_estimate,
    fluctuation_line,
)
from chronotap.models.two_people import (
    Following,
    FollowingEstimates,
    TrackingEstimates,
    following,
    following_estimates,
    tracking_estimates,
)

__all__ = [
    "Adam",
    "AsynchronyEstimates",
    "ClockAndMotorEstimates",
    "ClockAndMotorLevels",
    "Correction",
    "CorrectionOverTrials",
    "DirectionEstimates",
    "Estimate",
    "ExponentEstimate",
    "FluctuationLine",
    "Following",
    "FollowingEstimates",
    "IntervalEstimates",
    "Mixture",
    "MixtureEstimates",
    "ReproductionEstimates",
    "Run",
    "Share",
    "TrackingEstimates",
    "VTest",
    "adaptation_and_anticipation",
    "asynchrony_estimates",
    "clock_and_motor_estimates",
    "clock_and_motor_levels",
    "correction_over_trials",
    "difference",
    "direction_estimates",
    "exponent_estimate",
    "fluctuation_line",
    "following",
    "following_estimates",
    "interval_estimates",
    "mean",
    "mixture",
    "mixture_estimates",
    "phase_and_period_correction",
    "phase_correction",
    "reproduction_estimates",
    "runs",
    "share",
    "tracking_estimates",
    "v_test",
]
