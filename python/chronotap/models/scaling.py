"""Detrended fluctuation analysis: the points of its line, and the interval of its exponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, grouped, one_of, said, table, ungrouped
from chronotap._results import Estimate, Result
from chronotap._values import whole
from chronotap.frames import Column


@dataclass(frozen=True)
class FluctuationLine(Result):
    """Detrended fluctuation analysis with the points of its line."""

    exponent: float
    points: tuple[tuple[int, float], ...]
    """Each window, in values, and the fluctuation in the unit of the values."""

    def to_frame(self) -> pd.DataFrame:
        """A row for each window: ``window``, ``fluctuation``, and the ``exponent`` of all."""
        found = pd.DataFrame(list(self.points), columns=["window", "fluctuation"])
        return found.assign(exponent=self.exponent)


@dataclass(frozen=True)
class ExponentEstimate(Result):
    """The scaling exponent of detrended fluctuation analysis with its interval."""

    exponent: Estimate
    seed: int
    """What the simulated noise behind the interval was drawn from."""
    runs: int


@overload
def fluctuation_line(
    values: ArrayLike, *, windows: Sequence[int] | None = None
) -> FluctuationLine: ...
@overload
def fluctuation_line(
    values: ArrayLike, groups: Groups, *, windows: Sequence[int] | None = None
) -> pd.DataFrame: ...
def fluctuation_line(
    values: ArrayLike, groups: Groups | None = None, *, windows: Sequence[int] | None = None
) -> FluctuationLine | pd.DataFrame:
    """Detrended fluctuation analysis, DFA-1 (Peng et al. 1994), of at least 64 values, better 512,
    without gaps.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels: then a row for each window of each group,
        with ``window`` (in values), ``fluctuation`` and the ``exponent`` of the group.
    windows
        Each of 4 values or more; by default about twelve from 10 to a quarter of the values.
    """
    wanted = None if windows is None else [whole("windows", window) for window in windows]
    given, labels = (ungrouped(values), None) if groups is None else grouped(values, groups)
    columns = _native.fluctuation_by_group(given, wanted)
    if labels is not None:
        return table(columns, labels, None)
    exponent = one_of(None, columns)["exponent"]
    _, (_, sizes, *_), (_, fluctuations, *_), *_ = columns
    points = zip(sizes.tolist(), fluctuations.tolist())
    return FluctuationLine(exponent, tuple((int(window), size) for window, size in points))


@overload
def exponent_estimate(values: ArrayLike, *, seed: int = 1) -> ExponentEstimate: ...
@overload
def exponent_estimate(values: ArrayLike, groups: Groups, *, seed: int = 1) -> pd.DataFrame: ...
def exponent_estimate(
    values: ArrayLike, groups: Groups | None = None, *, seed: int = 1
) -> ExponentEstimate | pd.DataFrame:
    """The exponent of :func:`fluctuation_line` with an interval, by simulation from fractional
    noise of that exponent.

    Parameters
    ----------
    values
        In any unit.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    seed
        What the noise is drawn from, 400 runs for each group.
    """
    drawn = whole("seed", seed, most=2**53)

    def of(given: _native._Grouped) -> list[Column]:
        return _native.exponent_estimate_by_group(given, drawn)

    return said(ExponentEstimate, of, values, groups)
