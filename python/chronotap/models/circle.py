"""Directions on a circle: tests, mixtures, and estimates with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import By, Groups, of_frame, said
from chronotap._results import Estimate, Result
from chronotap._values import finite
from chronotap.frames import Column


@dataclass(frozen=True)
class VTest(Result):
    """The V test of directions against an expected one."""

    v: float
    u: float
    p: float
    """One-sided."""


@dataclass(frozen=True)
class Mixture(Result):
    """A mode in phase and one in anti-phase, of equal concentration."""

    n: int
    in_phase: Estimate
    """The share in phase."""
    direction_rad: Estimate
    concentration: Estimate
    log_likelihood: float
    gain: float
    """Twice the log of the likelihood ratio of the mixture to one mode."""
    converged: bool


@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0) -> VTest: ...
@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0, *, groups: Groups) -> pd.DataFrame: ...
@overload
def v_test(
    angles_rad: Any, expected_rad: float = 0.0, *, by: By, column: str | None = None
) -> pd.DataFrame: ...
def v_test(
    angles_rad: Any,
    expected_rad: float = 0.0,
    *,
    groups: Groups | None = None,
    by: By | None = None,
    column: str | None = None,
) -> VTest | pd.DataFrame:
    """Test directions against an even spread, where one direction is expected (V test, Greenwood &
    Durand 1955).

    Parameters
    ----------
    angles_rad
        In radians. Or a frame, with ``by``.
    expected_rad
        The direction that is expected, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values, ``angle_rad`` by default. Rows
        without a value are left out, and those of trials that do not count (``counts``). A missing label is
        a label of its own.

    Returns
    -------
    A :class:`VTest` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    expected = finite("expected_rad", expected_rad)
    values, groups = of_frame(angles_rad, groups, by, column, "angle_rad")

    def of(given: _native._Grouped) -> list[Column]:
        return _native.v_test_by_group(given, expected)

    return said(VTest, of, values, groups)


@overload
def mixture(angles_rad: ArrayLike) -> Mixture: ...
@overload
def mixture(angles_rad: ArrayLike, groups: Groups, *, intervals: bool = False) -> pd.DataFrame: ...
@overload
def mixture(
    angles_rad: Any, *, by: By, column: str | None = None, intervals: bool = False
) -> pd.DataFrame: ...
def mixture(
    angles_rad: Any,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    column: str | None = None,
    intervals: bool = False,
) -> Mixture | pd.DataFrame:
    """Fit a mode in phase and one in anti-phase, of von Mises, to at least 20 directions. In the
    intervals of its parts taps may stay in a mode for a while.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians. Or a frame, with ``by``.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    by, column
        Of a frame instead of values: the columns of its groups, and the column of its values, ``angle_rad`` by default. Rows
        without a value are left out, and those of trials that do not count (``counts``). A missing label is
        a label of its own.
    intervals
        Whether a frame has standard error and interval of the parts as well. One run always has them.

    Returns
    -------
    A :class:`Mixture` of one run; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For values that are no numbers, and for a frame without ``by``.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.
    """
    values, groups = of_frame(angles_rad, groups, by, column, "angle_rad")
    ends = _native.mixture_estimates_by_group
    return said(Mixture, _native.mixture_by_group, values, groups, ends, intervals)
