"""What users give as values: numbers, one run of them at a time. Everything else is refused here, with
what to give instead, before it reaches the library."""

from __future__ import annotations

import math
import operator
import reprlib
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

LONGEST_MS = 9e9
"""The longest time that is taken: about 104 days, exact to the nanosecond."""


def values_of(values: ArrayLike) -> NDArray[np.float64]:
    """One run of times, none of them missing."""
    cells = cells_of(values)
    wrong = np.flatnonzero(~(np.abs(cells) <= LONGEST_MS))
    if len(wrong):
        place, value = wrong[0], cells[wrong[0]]
        cure = f"give values of at most {LONGEST_MS:g}"
        if not math.isfinite(value):
            cure = "leave missing values out first"
        said = "NaN" if math.isnan(value) else f"{value:g}"
        raise ValueError(f"value {place} is {said}: {cure}")
    return cells


def cells_of(values: ArrayLike) -> NDArray[np.float64]:
    """One run of values, of which some may be missing (NaN)."""
    kind = getattr(getattr(values, "dtype", None), "kind", "O")
    if isinstance(values, np.ma.MaskedArray) and kind in "biuf":
        values = np.ma.filled(values.astype(np.float64), np.nan)
    given = values
    if kind == "O":
        values = _checked(values)
        kind = values.dtype.kind
    if kind not in "biuf":
        # numpy would take a timedelta for its nanoseconds, and a text for the number that it spells.
        raise TypeError(f"values are {_KINDS.get(kind, 'no numbers')}: {_CURE}")
    cells = np.asarray(values, dtype=np.float64)
    if cells.ndim == 0:
        raise TypeError(f"values = {reprlib.repr(given)}: give a list, an array or a column of numbers")
    if cells.ndim != 1:
        raise ValueError(f"values of {cells.ndim} dimensions: give one run of values")
    return np.ascontiguousarray(cells)


_CURE = "give numbers, times in milliseconds"
_KINDS = {
    "m": "durations",
    "M": "dates",
    "U": "texts",
    "S": "texts",
    "T": "texts",
    "c": "complex numbers",
    "V": "records",
}


def _checked(values: ArrayLike) -> NDArray[Any]:
    """An array of what numpy knows no type of before it looks at each value."""
    try:
        given = np.asarray(values)
    except ValueError:
        raise ValueError("values are lists of several lengths: give one run of values") from None
    if given.dtype.kind != "O":
        return given
    if given.ndim == 0:
        raise TypeError(f"values = {reprlib.repr(values)}: give a list, an array or a column of numbers")
    for kind in {type(cell) for cell in given.flat}:
        if not issubclass(kind, _NUMBERS):
            raise TypeError(f"values are {_called(kind)}: {_CURE}")
    return np.where(pd.isna(given), np.nan, given).astype(np.float64)


_NUMBERS = (Real, Decimal, np.number, np.bool_, type(None), type(pd.NA))


def _called(kind: type) -> str:
    if issubclass(kind, (str, bytes)):
        return "texts"
    if issubclass(kind, (timedelta, np.timedelta64)):
        return "durations"
    if issubclass(kind, (date, time, np.datetime64, pd.Period)):
        return "dates"
    return f"of the type {kind.__name__}"


def whole(name: str, number: object, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number from `least` to `most`."""
    try:
        found = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} = {reprlib.repr(number)}: give a whole number") from None
    if found < least:
        raise ValueError(f"{name} = {found}: give a whole number of {least} or more")
    if found > most:
        raise ValueError(f"{name} = {found}: give a whole number of at most {most}")
    return found


def priority_of(priority: int | None) -> int | None:
    """A priority of SCHED_FIFO, or None for an ordinary thread."""
    if priority is not None and not 1 <= whole("priority", priority, -(2**31)) <= 98:
        raise ValueError(f"priority = {priority}: give 1 to 98, or None for an ordinary thread")
    return priority


def finite(name: str, number: float, least: float = -LONGEST_MS) -> float:
    """A number of `least` or more."""
    try:
        found = float(number)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {reprlib.repr(number)}: give a number") from None
    if not least <= found <= LONGEST_MS:
        raise ValueError(f"{name} = {found:g}: give a number from {least:g} to {LONGEST_MS:g}")
    return found
