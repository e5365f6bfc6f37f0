"""Plots of tapping data, with matplotlib.

Each function draws into an ``Axes`` (a new one by default) and returns it. Colours are those of
Okabe and Ito, which the colour-blind can tell apart, and lines and markers differ as well, so
that a plot can be printed in grey. Titles and legends say how many values are shown, and of
what.
"""

from chronotap.plot._style import COLOURS, MARKERS
from chronotap.plot.estimates import clock_and_motor, coupling, delay_curve, responses
from chronotap.plot.taps import asynchronies, directions, intervals, raster
from chronotap.plot.timing import lateness

__all__ = [
    "COLOURS",
    "MARKERS",
    "asynchronies",
    "clock_and_motor",
    "coupling",
    "delay_curve",
    "directions",
    "intervals",
    "lateness",
    "raster",
    "responses",
]
