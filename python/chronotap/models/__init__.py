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

from chronotap._results import Estimate
from chronotap.models.circle import (
    Mixture,
    VTest,
    mixture,
    v_test,
)
from chronotap.models.clock import (
    ClockAndMotorLevels,
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
from chronotap.models.psychometric import Psychometric, psychometric
from chronotap.models.rounds import (
    ReproductionEstimates,
    reproduction_estimates,
)
from chronotap.models.runs import Run, runs, runs_of_two
from chronotap.models.scaling import (
    FluctuationLine,
    fluctuation_line,
)
from chronotap.models.two_people import (
    Following,
    following,
)

__all__ = [
    "Adam",
    "ClockAndMotorLevels",
    "Correction",
    "CorrectionOverTrials",
    "Estimate",
    "FluctuationLine",
    "Following",
    "Mixture",
    "Psychometric",
    "ReproductionEstimates",
    "Run",
    "Share",
    "VTest",
    "adaptation_and_anticipation",
    "clock_and_motor_levels",
    "correction_over_trials",
    "difference",
    "fluctuation_line",
    "following",
    "mean",
    "mixture",
    "phase_and_period_correction",
    "phase_correction",
    "psychometric",
    "reproduction_estimates",
    "runs",
    "runs_of_two",
    "share",
    "v_test",
]
