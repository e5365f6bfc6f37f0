"""Statistics of tapping, for one run of values or for many groups of values at once.

Each function takes values (a list, an array, a column of a frame) and gives a small dataclass, whose
numbers are floats with an interval (:class:`chronotap.Estimate`). With ``groups``, one label for each
value or a frame with several columns of labels, it gives a frame of pandas with one row for each group,
in the order in which the groups first come; ``by=["participant_id", "delay"]`` does the same of a whole
frame, such as ``taps``. The work is done outside the interpreter on all processors. The formulas and
their sources stand in docs/statistics.md; the numbers are those of the library. :func:`catalogue` lists
every statistic with what it is taken from.

Values must not be missing: leave such rows out first. A statistic that the data cannot give
(a standard deviation of one tap) is None, or missing in a frame.
"""

from chronotap.statistics.catalogue import catalogue
from chronotap.statistics.outputs import Lateness, lateness, lateness_histogram
from chronotap.statistics.series import (
    Autocorrelation,
    CrossCorrelation,
    Fluctuation,
    autocorrelation,
    cross_correlation,
    fluctuation,
    windowed_cross_correlation,
)
from chronotap.statistics.taps import (
    Asynchrony,
    ClockAndMotor,
    Directions,
    Intervals,
    angles,
    asynchrony,
    clock_and_motor,
    directions,
    intervals,
)

__all__ = [
    "Asynchrony",
    "Autocorrelation",
    "ClockAndMotor",
    "CrossCorrelation",
    "Directions",
    "Fluctuation",
    "Intervals",
    "Lateness",
    "angles",
    "asynchrony",
    "autocorrelation",
    "catalogue",
    "clock_and_motor",
    "cross_correlation",
    "directions",
    "fluctuation",
    "intervals",
    "lateness",
    "lateness_histogram",
    "windowed_cross_correlation",
]
