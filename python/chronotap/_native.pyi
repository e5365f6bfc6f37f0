"""The extension module: functions of arrays and texts, for this package alone."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# name, values, which cells hold nothing (None: none does), words that the values are places of
_Column: TypeAlias = tuple[str, NDArray[Any], NDArray[Any] | None, list[str] | None]
# file, line, column, message, cure, nearest valid name
_Problem: TypeAlias = tuple[str, int, int, str, str | None, str | None]

__all__ = [
    "VERSION",
    "asynchronies",
    "autocorrelations",
    "check",
    "clock_and_motor",
    "clock_and_motor_levels",
    "difference_of",
    "directions",
    "fluctuation_of",
    "fluctuations",
    "following_of",
    "intervals_of",
    "mean_of",
    "mixture_of",
    "phase_and_period_correction",
    "phase_correction",
    "read_events",
    "read_table",
    "read_taps",
    "simulate",
    "v_test_of",
]

# values, for each the number of its group, how many groups there are
_Grouped: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], int]
# taps, and for each partner one onset for each tap
_Run: TypeAlias = tuple[list[float], list[list[float]]]

VERSION: str

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
def fluctuation_of(values: list[float]) -> str: ...
def v_test_of(angles: list[float], expected: float) -> str: ...
def mixture_of(angles: list[float]) -> str: ...
def following_of(first: list[float], second: list[float]) -> str: ...
