"""Build, run, read, simulate and analyse tapping experiments.

The package wraps the library under the command ``chronotap`` and computes nothing of its own:
the definitions, the numbers and the files are the same. Times bear their unit in their name
(``onset_s``, ``lateness_ns``, ``mean_asynchrony_ms``); an asynchrony is tap onset less pacing
onset, negative when early. ``chronotap.plot`` draws, and needs matplotlib. Running trials in real
time (:class:`Rig`) needs Linux.
"""

from chronotap import models, music, onsets, responses, statistics
from chronotap._native import VERSION as __version__
from chronotap.alignment import Alignment, NotAligned, align
from chronotap.check import Moment, Parameter, TrialPlan, check
from chronotap.contrasts import contrasts
from chronotap.dataset import Dataset, read_dataset
from chronotap.doctor import Diagnosis, Finding, doctor
from chronotap.errors import Problem, TrialFileError
from chronotap.events import Event
from chronotap.experiment import Experiment, SimulatedStudy, StudyPlan
from chronotap.finished import DataNotSaved, Files, Finished, TrialInterrupted
from chronotap.gathered import gather, read_gathered
from chronotap.linux import NeedsLinux
from chronotap._results import Estimate
from chronotap.read import Recording, read_taps, read_trial
from chronotap.recorder import Recorder, read_recorder
from chronotap.rig import Ports, Rig, Right, Running, Session
from chronotap.sessions import Frontend, Question, SessionEnded
from chronotap.sidecar import Binding, ClockUsed, Footer, Header, Names, Recovered, TrialText
from chronotap.simulate import Simulation, simulate
from chronotap.trial import Trial

__all__ = [
    "Alignment",
    "Binding",
    "ClockUsed",
    "DataNotSaved",
    "Dataset",
    "Diagnosis",
    "Estimate",
    "Event",
    "Experiment",
    "Files",
    "Finding",
    "Finished",
    "Footer",
    "Frontend",
    "Header",
    "Moment",
    "Names",
    "NeedsLinux",
    "NotAligned",
    "Parameter",
    "Ports",
    "Problem",
    "Question",
    "Recorder",
    "Recording",
    "Recovered",
    "Rig",
    "Right",
    "Running",
    "Session",
    "SessionEnded",
    "SimulatedStudy",
    "Simulation",
    "StudyPlan",
    "Trial",
    "TrialFileError",
    "TrialInterrupted",
    "TrialPlan",
    "TrialText",
    "__version__",
    "align",
    "check",
    "contrasts",
    "doctor",
    "gather",
    "models",
    "music",
    "onsets",
    "read_dataset",
    "read_gathered",
    "read_recorder",
    "read_taps",
    "read_trial",
    "responses",
    "simulate",
    "statistics",
]
