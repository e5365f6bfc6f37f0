"""What follows a change: of the pacing, of the feedback, of the tempo.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %. Where data give no estimate, a ``ValueError`` says why, or the cell of a
frame is missing. With ``groups`` one call does many trials, on all processors and outside of the
interpreter, and gives a frame.
"""

from chronotap._results import Estimate
from chronotap.responses.feedback import effects, isolated
from chronotap.responses.perturbations import (
    Gain,
    Kind,
    Relaxation,
    Response,
    Responses,
    by_beat,
    curve,
    gain,
    relaxation,
    responses,
)
from chronotap.responses.tempo import Tracking, tracking

__all__ = [
    "Estimate",
    "Gain",
    "Kind",
    "Relaxation",
    "Response",
    "Responses",
    "Tracking",
    "by_beat",
    "curve",
    "effects",
    "gain",
    "isolated",
    "relaxation",
    "responses",
    "tracking",
]
