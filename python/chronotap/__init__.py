"""Read, simulate and analyse tapping experiments made with Chronotap.

The package wraps the library under the command ``chronotap`` and computes nothing of its own:
the definitions, the numbers and the files are the same. Times bear their unit in their name
(``onset_s``, ``lateness_ns``, ``mean_asynchrony_ms``); an asynchrony is tap onset less pacing
onset, negative when early. ``chronotap.plot`` draws, and needs matplotlib. Running trials in real time is the command's work, not this
package's.
"""

from chronotap import models, statistics
from chronotap._native import VERSION as __version__
from chronotap.check import Moment, Parameter, TrialPlan, check
from chronotap.dataset import Dataset, read_dataset
from chronotap.errors import Problem, TrialFileError
from chronotap._results import Estimate
from chronotap.read import Recording, read_taps, read_trial
from chronotap.sidecar import Binding, ClockUsed, Footer, Header, Names, Recovered, TrialText
from chronotap.simulate import Simulation, simulate

__all__ = [
    "Binding",
    "ClockUsed",
    "Dataset",
    "Estimate",
    "Footer",
    "Header",
    "Moment",
    "Names",
    "Parameter",
    "Problem",
    "Recording",
    "Recovered",
    "Simulation",
    "TrialFileError",
    "TrialPlan",
    "TrialText",
    "__version__",
    "check",
    "models",
    "read_dataset",
    "read_taps",
    "read_trial",
    "simulate",
    "statistics",
]
