"""What is made of onsets: which tap answers which beat, two people and groups together, the
level of the metre, reproduced rhythms, and what rules of cleaning leave out.

Definitions, sources and limits stand in docs/statistics.md. Times are in milliseconds,
intervals for 95 %. With ``groups`` one call does many trials, on all processors and outside of the
interpreter, and gives a frame.
"""

from chronotap._results import Estimate
from chronotap.onsets.cleaning import clean
from chronotap.onsets.matching import BeatTracking, Hits, Tapping, beat_tracking, hits, match, positions, tapping
from chronotap.onsets.people import Ensemble, Together, coupling, ensemble, pairs, together
from chronotap.onsets.rhythm import Reproduction, reproduction

__all__ = [
    "BeatTracking",
    "Ensemble",
    "Estimate",
    "Hits",
    "Reproduction",
    "Tapping",
    "Together",
    "beat_tracking",
    "clean",
    "coupling",
    "ensemble",
    "hits",
    "match",
    "pairs",
    "positions",
    "reproduction",
    "tapping",
    "together",
]
