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
    "Running",
    "Session",
    "VERSION",
    "adaptation_and_anticipation",
    "asynchronies",
    "autocorrelations",
    "check",
    "check_experiment",
    "cleaned_of",
    "clock_and_motor",
    "clock_and_motor_levels",
    "difference_of",
    "directions",
    "doctor",
    "effects_of",
    "fluctuation_of",
    "fluctuations",
    "following_of",
    "gain_of",
    "groups_of",
    "intervals_of",
    "isolated_of",
    "json_of_toml",
    "matching_of",
    "mean_of",
    "mixture_of",
    "phase_and_period_correction",
    "phase_correction",
    "plan_of",
    "read_events",
    "read_table",
    "read_taps",
    "relaxation_of",
    "reproduction_of",
    "response_curve_of",
    "responses_of",
    "share_of",
    "simulate",
    "simulate_experiment",
    "tapping_of",
    "together_of",
    "toml_of_json",
    "tracking_of",
    "v_test_of",
]

# values, for each the number of its group, how many groups there are
_Grouped: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], int]
# taps, and for each partner one onset for each tap
_Run: TypeAlias = tuple[list[float], list[list[float]]]

# columns of text: each a name and its cells
_Texts: TypeAlias = list[tuple[str, list[str | None]]]

class _Given(TypedDict):
    text: str
    name: str
    files: list[tuple[str, str]]  # each a name and its text
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

@final
class Session:
    def __new__(
        cls,
        inputs: list[tuple[str, str]],
        outputs: list[tuple[str, str]],
        priority: int | None,
        cpu: int | None,
        spin: bool,
    ) -> Session: ...
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

def doctor() -> str: ...
def toml_of_json(json: str) -> str: ...
def json_of_toml(text: str) -> str: ...
def check_experiment(given: _Given) -> tuple[tuple[str, str] | None, list[_Problem]]: ...
def plan_of(given: _Given, participant: int, session: int) -> str: ...
def simulate_experiment(
    given: _Given, count: int, model: str, longest_s: int
) -> tuple[_Texts, _Texts, list[list[_Column]]]: ...

def read_events(paths: Sequence[str | PathLike[str]]) -> tuple[list[_Column], list[str]]: ...
def read_table(path: str | PathLike[str]) -> list[tuple[str, list[str | None]]]: ...
def check(bytes: bytes, name: str) -> tuple[str | None, list[_Problem]]: ...
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
def asynchronies(values: _Grouped) -> list[_Column]: ...
def intervals_of(values: _Grouped) -> list[_Column]: ...
def clock_and_motor(values: _Grouped, leave_out_slips: bool) -> list[_Column]: ...
def directions(values: _Grouped) -> list[_Column]: ...
def autocorrelations(values: _Grouped, lag: int) -> list[_Column]: ...
def fluctuations(values: _Grouped) -> list[_Column]: ...
def mean_of(values: list[float]) -> str: ...
def difference_of(first: list[float], second: list[float]) -> str: ...
def clock_and_motor_levels(intervals: list[float], seed: int) -> str: ...
def phase_correction(runs: list[_Run], pooled: bool) -> str: ...
def phase_and_period_correction(runs: list[_Run], baseline: float | None) -> str: ...
def adaptation_and_anticipation(runs: list[_Run]) -> str: ...
def share_of(count: int, of: int) -> str: ...
def fluctuation_of(values: list[float]) -> str: ...
def v_test_of(angles: list[float], expected: float) -> str: ...
def mixture_of(angles: list[float]) -> str: ...
def following_of(first: list[float], second: list[float]) -> str: ...

# the size, and by lag the asynchronies less the baseline and the shifts
_Response: TypeAlias = tuple[float, list[float | None], list[float | None]]

def responses_of(
    asynchronies: list[float],
    perturbations: list[tuple[int, float]],
    kind: str,
    course: tuple[int, int],
) -> str: ...
def response_curve_of(kind: str, given: list[_Response]) -> str: ...
def gain_of(kind: str, given: list[_Response]) -> str: ...
def relaxation_of(kind: str, given: list[_Response], seed: int) -> str: ...
def effects_of(trials: list[tuple[float, str, list[float], int, int]]) -> str: ...
def isolated_of(
    intervals: list[float], matches: list[int], altered: list[int], last_lag: int
) -> str: ...
def tracking_of(taps: list[float], pacing: list[float]) -> str: ...
def matching_of(beats: list[float], taps: list[float], window: float) -> str: ...
def tapping_of(beats: list[float], taps: list[float]) -> str: ...
def together_of(first: list[float], second: list[float]) -> str: ...
def reproduction_of(asked: list[float], produced: list[list[float]]) -> str: ...
def cleaned_of(
    onsets: list[float], asynchronies: list[float], rules: list[tuple[str, float]]
) -> str: ...
