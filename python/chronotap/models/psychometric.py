"""Psychometric functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, said_of_two
from chronotap._results import Estimate, Result
from chronotap._values import cells_of, finite
from chronotap.frames import Column


@dataclass(frozen=True)
class Psychometric(Result):
    """A psychometric function, in the unit of its levels."""

    n: int
    """Answers."""
    pse: Estimate
    """The level halfway between guess and lapses: of two choices the point of subjective equality."""
    threshold: Estimate
    """The level at the share that was asked for."""
    jnd: Estimate
    """Half the distance between the levels at a quarter and three quarters of the way."""
    lapse: Estimate
    """The lapse rate; without width where it was given."""


@overload
def psychometric(
    levels: ArrayLike,
    answers: ArrayLike,
    *,
    guess: float = 0.5,
    lapse: float | None = None,
    shape: Literal["normal", "logistic"] = "normal",
    share: float = 0.5,
) -> Psychometric: ...
@overload
def psychometric(
    levels: ArrayLike,
    answers: ArrayLike,
    groups: Groups,
    *,
    guess: float = 0.5,
    lapse: float | None = None,
    shape: Literal["normal", "logistic"] = "normal",
    share: float = 0.5,
) -> pd.DataFrame: ...
def psychometric(
    levels: ArrayLike,
    answers: ArrayLike,
    groups: Groups | None = None,
    *,
    guess: float = 0.5,
    lapse: float | None = None,
    shape: Literal["normal", "logistic"] = "normal",
    share: float = 0.5,
) -> Psychometric | pd.DataFrame:
    """Fit a psychometric function to at least 20 answers: guess + (1 − guess − lapse) · F((level − pse) /
    scale), with intervals from the posterior distribution (Schütt et al. 2016). Answers of several
    staircases are joined by giving them together.

    Parameters
    ----------
    levels
        Of each answer the level of the stimulus.
    answers
        Of each answer whether it was of the kind that grows with the level: correct, or "longer".
    groups
        One label for each answer, or a frame of labels: then a row for each group.
    guess
        The share of such answers by guessing: 0.5 of two choices, 0 where the answer says which of two is
        more.
    lapse
        The share of lapses; estimated by default, with a Beta(1, 10) before it.
    shape
        The function F: the cumulative normal or the logistic.
    share
        The share of F, between guess and lapses, whose level is the threshold: 0.5 is the pse. With a
        guess of 0.5 and no lapses 0.5 is where 75 % are correct.

    Returns
    -------
    A :class:`Psychometric` of one set of answers; of groups a frame with a row for each, its label as the
    index.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For missing values, for labels that do not fit, and where one run gives no estimate: why. Of groups
        ``why_not`` says it.

    Examples
    --------
    >>> levels = [10, 20, 30, 40, 50, 60] * 20
    >>> answers = [level > 30 or k % 4 < 2 for k, level in enumerate(levels)]
    >>> found = psychometric(levels, answers, lapse=0.0)
    >>> 30 < found.pse < 40, found.n
    (True, 120)
    """
    if shape not in ("normal", "logistic"):
        raise ValueError(f"shape = {shape!r}: there are 'normal', 'logistic'")
    known = (_share("guess", guess, 0, 0.9), _lapse(lapse), _share("share", share, 0.001, 0.999))

    def of(first: _native._Grouped, second: _native._Grouped) -> list[Column]:
        return _native.psychometric_by_group(first, second, shape == "normal", known)

    return said_of_two(Psychometric, of, levels, _truths(answers), groups)


def _lapse(lapse: float | None) -> float | None:
    return None if lapse is None else _share("lapse", lapse, 0, 0.5)


def _share(name: str, number: float, least: float, most: float) -> float:
    share = finite(name, number)
    if not least <= share <= most:
        raise ValueError(f"{name} = {share:g}: give a share from {least:g} to {most:g}")
    return share


def _truths(answers: Any) -> Any:
    cells = cells_of(answers)
    wrong = cells[~np.isnan(cells) & ~np.isin(cells, (0, 1))]
    if len(wrong):
        raise ValueError(f"an answer is {wrong[0]:g}: give True or False, or 1 or 0")
    return cells
