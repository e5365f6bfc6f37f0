"""What the results of statistics share: they print one number a line, and turn into frames."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any, TypeVar

import pandas as pd


@dataclass(frozen=True)
class Estimate:
    """A number and how sure one can be of it, in the unit of the value."""

    value: float
    standard_error: float
    low: float
    """Lower end of the interval that should hold the truth in 95 % of repetitions."""
    high: float
    """Upper end of that interval."""
    held: float | None = None
    """How often such an interval held the truth in simulations of runs of this length, where that
    is in less than 93 %; None where it is in more."""

    def __str__(self) -> str:
        doubt = "" if self.held is None else f", held in {100 * self.held:.1f} %"
        return f"{self.value:.6g} (95 % {self.low:.6g} to {self.high:.6g}{doubt})"


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
        for part in ("standard_error", "low", "high", "held"):
            row[f"{name}_{part}"] = getattr(cell, part)
    elif isinstance(cell, tuple):
        for number, one in enumerate(cell, 1):
            put(row, name if len(cell) == 1 else f"{name}_{number}", one)
    elif isinstance(cell, dict):
        for key, one in cell.items():
            put(row, f"{name}_{key}", one)
    else:
        row[name] = cell
