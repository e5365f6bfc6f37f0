"""What the results of statistics share: they print one number a line, and turn into frames."""

from __future__ import annotations

import math
from dataclasses import fields, make_dataclass
from typing import Any, TypeVar

import pandas as pd


class Estimate(float):
    """A number and how sure one can be of it, in the unit of the value. It is a ``float``, and can be
    used as one."""

    __slots__ = ("held", "high", "low", "standard_error")

    standard_error: float
    """NaN where the data give the value and no interval, as are both ends."""
    low: float
    """Lower end of the interval that should hold the truth in 95 % of repetitions."""
    high: float
    """Upper end of that interval."""
    held: float | None
    """How often such an interval contained the true value in simulations of runs of this length, where that
    is in less than 93 %; None where it is in more."""

    def __new__(
        cls,
        value: float,
        standard_error: float = math.nan,
        low: float = math.nan,
        high: float = math.nan,
        held: float | None = None,
    ) -> Estimate:
        estimate = super().__new__(cls, value)
        for name, part in zip(_PARTS, (standard_error, low, high, held)):
            object.__setattr__(estimate, name, part)
        return estimate

    @property
    def value(self) -> float:
        """The number alone."""
        return float(self)

    def __setattr__(self, name: str, part: object) -> None:
        raise AttributeError(f"{name}: an estimate is a number, and cannot be changed")

    def __getnewargs__(self) -> tuple[float, float, float, float, float | None]:  # type: ignore[override]
        return self.value, self.standard_error, self.low, self.high, self.held

    def __getstate__(self) -> None:
        return None  # all of it is given to __new__

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in ("value", *_PARTS))
        return f"Estimate({parts})"

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{self.value:.6g}"
        doubt = "" if self.held is None else f", held in {100 * self.held:.1f} %"
        return f"{self.value:.6g} (95 % {self.low:.6g} to {self.high:.6g}{doubt})"


_PARTS = ("standard_error", "low", "high", "held")


class Result:
    """A result with several numbers: ``print`` shows one a line, :meth:`to_frame` gives a row."""

    def __str__(self) -> str:
        cells = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        width = max(map(len, cells))
        lines = [f"{name:<{width}}  {_text(cell)}" for name, cell in cells.items()]
        return "\n".join([type(self).__name__, *lines])

    def to_frame(self) -> pd.DataFrame:
        """One row; an estimate takes the columns NAME, NAME_standard_error, NAME_low, NAME_high
        and NAME_held."""
        row: dict[str, Any] = {}
        for field in fields(self):  # type: ignore[arg-type]
            put(row, field.name, getattr(self, field.name))
        return pd.DataFrame([row])


R = TypeVar("R", bound=Result)


def result_of(kind: type[R], cells: dict[str, Any]) -> R:
    """A result with these cells. A statistic that the library has and the class does not name has a
    field behind the others."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    more = tuple(name for name in cells if name not in known)
    return (_extended(kind, more) if more else kind)(**cells)


EXTENDED: dict[tuple[type[Any], tuple[str, ...]], type[Any]] = {}
"""Classes made for further statistics, so that two results of one kind have one class."""


def _extended(kind: type[R], more: tuple[str, ...]) -> type[R]:
    named = [(name, Any) for name in more]
    wanted = (kind, more)
    if wanted not in EXTENDED:
        EXTENDED[wanted] = make_dataclass(kind.__name__, named, bases=(kind,), frozen=True)
    return EXTENDED[wanted]


def _text(cell: object) -> str:
    if isinstance(cell, Estimate):
        return str(cell)
    if isinstance(cell, float):
        return f"{cell:.6g}"
    if isinstance(cell, tuple):
        return "; ".join(map(_text, cell))
    if isinstance(cell, dict):
        return "; ".join(f"{name} {_text(one)}" for name, one in cell.items())
    if isinstance(cell, pd.DataFrame):
        return "\n" + cell.to_string(index=False)
    return "none" if cell is None else str(cell)


def put(row: dict[str, Any], name: str, cell: object) -> None:
    """Adds a cell to a row; an estimate takes several columns."""
    if isinstance(cell, Estimate):
        row[name] = cell.value
        for part in _PARTS:
            row[f"{name}_{part}"] = getattr(cell, part)
    elif isinstance(cell, tuple):
        for number, one in enumerate(cell, 1):
            put(row, name if len(cell) == 1 else f"{name}_{number}", one)
    elif isinstance(cell, dict):
        for key, one in cell.items():
            put(row, f"{name}_{key}", one)
    else:
        row[name] = cell
