"""The extension module: functions of arrays and texts, for this package alone."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, TypeAlias

from numpy.typing import NDArray

# name, values, which cells hold nothing (None: none does), words that the values are places of
_Column: TypeAlias = tuple[str, NDArray[Any], NDArray[Any] | None, list[str] | None]
# file, line, column, message, cure, nearest valid name
_Problem: TypeAlias = tuple[str, int, int, str, str | None, str | None]

__all__ = ["VERSION", "check", "read_events", "read_table", "simulate"]

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
) -> tuple[list[_Column], list[_Column], list[_Column]]: ...
