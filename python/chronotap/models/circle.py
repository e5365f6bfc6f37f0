"""Directions on a circle: tests, mixtures, and estimates with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, said
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
    in_phase: float
    """The share in phase."""
    direction_rad: float
    concentration: float
    log_likelihood: float
    gain: float
    """Twice the log of the likelihood ratio of the mixture to one mode."""
    converged: bool


@dataclass(frozen=True)
class DirectionEstimates(Result):
    """What describes directions on a circle, each with its interval; None where R is 0 or 1."""

    n: int
    resultant: Estimate | None
    """R, the length of the mean vector."""
    direction_rad: Estimate | None
    """The circular mean."""
    sd_rad: Estimate | None
    deviation_rad: Estimate | None


@dataclass(frozen=True)
class MixtureEstimates(Result):
    """The parts of a mixture of phase and anti-phase, each with its interval."""

    in_phase: Estimate
    """The share in phase."""
    direction_rad: Estimate
    concentration: Estimate


@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0) -> VTest: ...
@overload
def v_test(angles_rad: ArrayLike, expected_rad: float = 0.0, *, groups: Groups) -> pd.DataFrame: ...
def v_test(
    angles_rad: ArrayLike, expected_rad: float = 0.0, *, groups: Groups | None = None
) -> VTest | pd.DataFrame:
    """Test directions against an even spread, where one direction is expected (V test, Greenwood &
    Durand 1955).

    Parameters
    ----------
    angles_rad
        In radians.
    expected_rad
        The direction that is expected, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    expected = finite("expected_rad", expected_rad)

    def of(given: _native._Grouped) -> list[Column]:
        return _native.v_test_by_group(given, expected)

    return said(VTest, of, angles_rad, groups)


@overload
def mixture(angles_rad: ArrayLike) -> Mixture: ...
@overload
def mixture(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def mixture(angles_rad: ArrayLike, groups: Groups | None = None) -> Mixture | pd.DataFrame:
    """Fit a mode in phase and one in anti-phase, of von Mises, to at least 20 directions.

    Parameters
    ----------
    angles_rad
        In radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    return said(Mixture, _native.mixture_by_group, angles_rad, groups)


@overload
def direction_estimates(angles_rad: ArrayLike) -> DirectionEstimates: ...
@overload
def direction_estimates(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def direction_estimates(
    angles_rad: ArrayLike, groups: Groups | None = None
) -> DirectionEstimates | pd.DataFrame:
    """R and the circular mean of at least ten directions of one run, with their intervals.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    return said(DirectionEstimates, _native.direction_estimates_by_group, angles_rad, groups)


@overload
def mixture_estimates(angles_rad: ArrayLike) -> MixtureEstimates: ...
@overload
def mixture_estimates(angles_rad: ArrayLike, groups: Groups) -> pd.DataFrame: ...
def mixture_estimates(
    angles_rad: ArrayLike, groups: Groups | None = None
) -> MixtureEstimates | pd.DataFrame:
    """The parts of :func:`mixture` with their intervals; taps may stay in a mode for a while.

    Parameters
    ----------
    angles_rad
        Of one run in the order of its taps, in radians.
    groups
        One label for each value, or a frame of labels: then a row for each group.
    """
    return said(MixtureEstimates, _native.mixture_estimates_by_group, angles_rad, groups)
