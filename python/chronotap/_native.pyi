"""The extension module: functions of arrays and texts, for this package alone."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import NDArray

# name, values, which cells hold nothing (None: none does), words that the values are places of
_Column: TypeAlias = tuple[str, NDArray[Any], NDArray[Any] | None, list[str] | None]
# file, line, column, message, cure, nearest valid name
_Problem: TypeAlias = tuple[str, int, int, str, str | None, str | None]

__all__ = [
    "HED_VERSION",
    "Running",
    "Rig",
    "VERSION",
    "adaptation_and_anticipation_by_group",
    "align",
    "asynchronies",
    "asynchrony_estimates_by_group",
    "autocorrelations",
    "beat_tracking_by_group",
    "check",
    "check_experiment",
    "cleaned_by_group",
    "clock_and_motor",
    "clock_and_motor_estimates_by_group",
    "clock_and_motor_levels_by_group",
    "cross_correlations",
    "difference_by_group",
    "direction_estimates_by_group",
    "directions",
    "doctor",
    "effects_by_group",
    "ensemble_by_group",
    "excluded",
    "exponent_estimate_by_group",
    "files_of",
    "fluctuation_by_group",
    "fluctuations",
    "following_by_group",
    "following_estimates_by_group",
    "gain_by_group",
    "groups_of",
    "hits_by_group",
    "in_step_by_group",
    "interval_estimates_by_group",
    "intervals_of",
    "isolated_by_group",
    "json_of_toml",
    "lateness_histogram",
    "lateness_of",
    "levels_as_numbers",
    "matching_by_group",
    "mean_by_group",
    "mixture_by_group",
    "mixture_estimates_by_group",
    "phase_and_period_correction_by_group",
    "phase_correction_by_group",
    "codes_of",
    "contrasts",
    "correction_over_trials_by_group",
    "plan_of",
    "positions_by_group",
    "psychometric_by_group",
    "read_events",
    "read_recorder_table",
    "read_table",
    "read_tables",
    "read_taps",
    "refuse_exchanged",
    "relaxation_by_group",
    "reproduction_by_group",
    "reproduction_estimates_by_group",
    "response_curve_by_group",
    "responses_by_group",
    "same_trials",
    "shares_of",
    "simulate",
    "SessionRunning",
    "simulate_experiment",
    "start_session",
    "statistics_known",
    "tables_of_trials",
    "tapping_by_group",
    "together_by_group",
    "toml_of_json",
    "tracking_by_group",
    "tracking_estimates_by_group",
    "typed_table",
    "v_test_by_group",
    "windowed_cross_correlations",
]

# values, for each the number of its group, how many groups there are
_Grouped: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], int]
# the times of all lists, how many each has, how many lists each run has (the taps, and one for each
# partner), for each run the number of its group, how many groups there are
_Runs: TypeAlias = tuple[
    NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int
]
# one run of values
_Values: TypeAlias = NDArray[np.float64]
# the sizes, by lag the asynchronies less the baseline and the shifts, for each the number of its
# group, how many groups there are
_Responses: TypeAlias = tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], int
]

# files, each a name and its text
_Files: TypeAlias = list[tuple[str, str]]
# columns of text: each a name and its cells
_Texts: TypeAlias = list[tuple[str, list[str | None]]]
# factors, each with its levels
_Levels: TypeAlias = list[tuple[str, list[str]]]

class _Given(TypedDict):
    text: str
    name: str
    files: _Files
    folder: str | PathLike[str] | None  # where they are, if they are not given

class _How(TypedDict):
    seed: int
    participant: str | None
    script: str | PathLike[str] | None
    data: str | PathLike[str] | None
    stem: str
    limit_us: int | None
    room: int

VERSION: str
HED_VERSION: str

@final
class Rig:
    def __new__(
        cls,
        inputs: list[tuple[str, str]],
        outputs: list[tuple[str, str]],
        priority: int | None,
        cpu: int | None,
        spin: bool,
    ) -> Rig: ...
    def told(self) -> str: ...
    def start(self, bytes: bytes, name: str, how: _How) -> Running: ...
    def close(self) -> None: ...

@final
class Running:
    def next_line(self, patience_ms: int) -> str | None: ...
    def is_over(self) -> bool: ...
    def wait(self, patience_ms: int) -> bool: ...
    def result(self) -> tuple[str, list[list[_Column]]]: ...
    def stop(self) -> None: ...

class _Session(TypedDict):
    study: str | PathLike[str]
    data: str | PathLike[str]
    participant: str
    session: int
    inputs: list[tuple[str, str]]
    outputs: list[tuple[str, str]]
    port: str | None
    answers: dict[str, str]
    between: dict[str, str]
    simulate: str | None
    by: str
    changed: bool
    language: str | None
    priority: int | None

@final
class SessionRunning:
    def next_line(self, patience_ms: int) -> str | None: ...
    def reply(self, answer: str) -> None: ...
    def stop(self) -> None: ...

def start_session(how: _Session) -> SessionRunning: ...
def doctor() -> str: ...
def toml_of_json(json: str) -> str: ...
def json_of_toml(text: str) -> str: ...
def check_experiment(given: _Given) -> tuple[tuple[str, str] | None, list[_Problem]]: ...
def files_of(text: str, name: str, folder: str | PathLike[str]) -> _Files: ...
def plan_of(given: _Given, participant: int, session: int) -> tuple[_Texts, _Levels]: ...
def simulate_experiment(
    given: _Given, count: int, model: str, longest_s: int
) -> tuple[_Texts, _Texts, list[list[_Column]], _Levels]: ...
def read_events(paths: Sequence[str | PathLike[str]]) -> tuple[list[_Column], list[str]]: ...
def read_table(path: str | PathLike[str]) -> list[tuple[str, list[str | None]]]: ...
def read_tables(
    paths: Sequence[str | PathLike[str]], columns: Sequence[str] | None = None
) -> tuple[list[_Column], list[int], list[str], list[str]]: ...
def same_trials(paths: Sequence[str | PathLike[str]]) -> list[tuple[int, int]]: ...
def tables_of_trials(folder: str | PathLike[str]) -> tuple[list[str | PathLike[str]], list[str]]: ...
def refuse_exchanged(tables: Sequence[str | PathLike[str]]) -> None: ...
def contrasts(folder: str | PathLike[str], asked: Sequence[str]) -> tuple[list[_Column], list[str]]: ...
def excluded(folder: str | PathLike[str]) -> dict[str, str]: ...
def typed_table(columns: _Texts, levels: _Levels) -> tuple[list[_Column], list[str], list[str]]: ...
def levels_as_numbers(factors: _Levels) -> list[tuple[int, str, list[float | None]]]: ...
class _RecorderTable(TypedDict):
    onset: str | None
    code: str | None
    unit: str | None
    rate_hz: float | None
    codes: bool

class _Recorder(TypedDict):
    onset_ns: NDArray[np.int64]
    code: NDArray[np.int64]
    step_s: float
    length_ns: int | None

class _Compared(TypedDict):
    events: list[str]
    each: bool
    tolerance_ns: int
    most_drift_ppm: float

# onsets in ns, codes (-1: none), the step of the clock in s, how many lines were left out
def read_recorder_table(
    path: str | PathLike[str], table: _RecorderTable
) -> tuple[NDArray[np.int64], NDArray[np.int64], float, int]: ...
def codes_of(texts: Sequence[str]) -> list[int | None]: ...
# what is told, events, places of theirs that are none of ours, the table of BIDS and its description
def align(
    paths: Sequence[str | PathLike[str]], recorder: _Recorder, how: _Compared
) -> tuple[str, list[_Column], list[int], tuple[str, str]]: ...
def check(bytes: bytes, name: str) -> tuple[tuple[str, str] | None, list[_Problem]]: ...
def simulate(
    bytes: bytes,
    name: str,
    count: int,
    seed: int,
    participant: str,
    script: str | PathLike[str] | None,
    longest_s: int,
) -> list[list[_Column]]: ...
def read_taps(paths: Sequence[str | PathLike[str]]) -> list[_Column]: ...
def groups_of(
    labels: NDArray[np.int64],
) -> list[NDArray[np.int64]]: ...
# name, column, what it is of, whether it has an interval, its range, what it is, who defined it
def statistics_known() -> list[tuple[str, str, str, bool, list[float], str, str]]: ...
def asynchronies(values: _Grouped) -> list[_Column]: ...
def intervals_of(values: _Grouped) -> list[_Column]: ...
def clock_and_motor(values: _Grouped, leave_out_slips: bool) -> list[_Column]: ...
def directions(values: _Grouped) -> list[_Column]: ...
def autocorrelations(values: _Grouped, lag: int) -> list[_Column]: ...
def fluctuations(values: _Grouped) -> list[_Column]: ...
def lateness_of(values: _Grouped, limit_us: float) -> list[_Column]: ...
def lateness_histogram(values: _Grouped) -> list[_Column]: ...
def windowed_cross_correlations(
    first: _Grouped, second: _Grouped, window: int, step: int, lags: int
) -> list[_Column]: ...
def cross_correlations(first: _Grouped, second: _Grouped, lag: int) -> list[_Column]: ...


# of groups of values, one or many
def mean_by_group(values: _Grouped) -> list[_Column]: ...
def difference_by_group(first: _Grouped, second: _Grouped) -> list[_Column]: ...
def clock_and_motor_levels_by_group(intervals: _Grouped, seed: int) -> list[_Column]: ...
def phase_correction_by_group(
    runs: _Runs, means: bool | tuple[float, list[float]]
) -> list[_Column]: ...
def correction_over_trials_by_group(
    runs: _Runs, trials: NDArray[np.int64], of_partners: bool
) -> list[_Column]: ...
def phase_and_period_correction_by_group(runs: _Runs, baseline: float | None) -> list[_Column]: ...
def adaptation_and_anticipation_by_group(runs: _Runs) -> list[_Column]: ...
def shares_of(counts: NDArray[np.int64], of: NDArray[np.int64]) -> list[_Column]: ...
def fluctuation_by_group(values: _Grouped, windows: list[int] | None) -> list[_Column]: ...
def v_test_by_group(angles: _Grouped, expected: float) -> list[_Column]: ...
def mixture_by_group(angles: _Grouped) -> list[_Column]: ...
def psychometric_by_group(
    levels: _Grouped, answers: _Grouped, normal: bool, known: tuple[float, float | None, float]
) -> list[_Column]: ...
def following_by_group(first: _Grouped, second: _Grouped) -> list[_Column]: ...
def asynchrony_estimates_by_group(values: _Grouped) -> list[_Column]: ...
def interval_estimates_by_group(values: _Grouped) -> list[_Column]: ...
def direction_estimates_by_group(angles: _Grouped) -> list[_Column]: ...
def clock_and_motor_estimates_by_group(values: _Grouped) -> list[_Column]: ...
def mixture_estimates_by_group(angles: _Grouped) -> list[_Column]: ...
def exponent_estimate_by_group(values: _Grouped, seed: int) -> list[_Column]: ...
def tracking_estimates_by_group(taps: _Grouped, pacing: _Grouped) -> list[_Column]: ...
def reproduction_estimates_by_group(
    rounds: list[_Values], codes: list[int], groups: int
) -> list[_Column]: ...
def following_estimates_by_group(first: _Grouped, second: _Grouped) -> list[_Column]: ...
def responses_by_group(
    asynchronies: _Grouped,
    perturbations: list[tuple[int, float]],
    kind: str,
    course: tuple[int, int],
) -> list[_Column]: ...
def response_curve_by_group(kind: str, given: _Responses) -> list[_Column]: ...
def gain_by_group(kind: str, given: _Responses) -> list[_Column]: ...
def relaxation_by_group(kind: str, given: _Responses, seed: int) -> list[_Column]: ...
def effects_by_group(
    trials: list[tuple[float, str, _Values]], codes: list[int], groups: int
) -> list[_Column]: ...
def isolated_by_group(
    intervals: _Grouped, matches: _Grouped, altered: _Grouped, last_lag: int
) -> list[_Column]: ...
def tracking_by_group(taps: _Grouped, pacing: _Grouped) -> list[_Column]: ...
def matching_by_group(
    beats: _Grouped, taps: _Grouped, window: float, optimal: bool
) -> list[_Column]: ...
def hits_by_group(
    beats: _Grouped, taps: _Grouped, window: float, optimal: bool
) -> list[_Column]: ...
def positions_by_group(beats: _Grouped, taps: _Grouped, taps_per_beat: int) -> list[_Column]: ...
def ensemble_by_group(
    reference: _Grouped, members: list[tuple[str, _Grouped]], seed: int
) -> list[_Column]: ...
def beat_tracking_by_group(beats: _Grouped, taps: _Grouped) -> list[_Column]: ...
def tapping_by_group(beats: _Grouped, taps: _Grouped) -> list[_Column]: ...
def together_by_group(first: _Grouped, second: _Grouped) -> list[_Column]: ...
def in_step_by_group(first: _Grouped, second: _Grouped) -> list[_Column]: ...
def reproduction_by_group(
    asked: list[float], produced: list[list[float]], codes: list[int], groups: int
) -> list[_Column]: ...
def cleaned_by_group(
    onsets: _Grouped, asynchronies: _Grouped, rules: list[tuple[str, float]]
) -> list[_Column]: ...
