"""Reproduced rhythms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded, one_of, table
from chronotap._results import Estimate, Result, put
from chronotap._values import values_of, whole


@dataclass(frozen=True, eq=False)
class Reproduction(Result):
    """Reproductions of a rhythm (Povel 1981; Jacoby & McDermott 2017)."""

    complete: int
    incomplete: int
    """Those with another number of intervals, which do not count."""
    tempo: Estimate | None
    """Total length produced / asked."""
    intervals: pd.DataFrame
    """A row for each interval: ``asked_ms``, ``asked_share``, and ``error_ms``,
    ``share_error`` and ``drift`` with ``_low`` and ``_high``."""

    def to_frame(self) -> pd.DataFrame:
        """The rows of ``intervals``, with the numbers of all beside them."""
        row: dict[str, object] = {"complete": self.complete, "incomplete": self.incomplete}
        put(row, "tempo", self.tempo)
        whole = pd.DataFrame([row] * len(self.intervals), self.intervals.index)
        return pd.concat([whole, self.intervals], axis=1)


@overload
def reproduction(asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike]) -> Reproduction: ...
@overload
def reproduction(
    asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike], groups: Groups
) -> pd.DataFrame: ...
def reproduction(
    asked_ms: ArrayLike, produced_ms: Sequence[ArrayLike], groups: Groups | None = None
) -> Reproduction | pd.DataFrame:
    """Reproductions of a rhythm, each as intervals: errors, shares, and the drift of ratios
    towards simple ones (Povel 1981; Jacoby & McDermott 2017).

    Parameters
    ----------
    asked_ms
        The intervals asked for, in milliseconds.
    produced_ms
        Of each reproduction its intervals.
    groups
        One label for each reproduction, or a frame of labels: then the rows of ``intervals`` of each
        group, with its ``complete``, ``incomplete`` and ``tempo`` beside them.

    Returns
    -------
    A :class:`Reproduction` of one rhythm; of groups a frame with a row for each, its label as the index.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For labels that do not fit, and for a rhythm of fewer than two intervals: why. Of groups ``why_not`` says
        it.
    """
    asked, produced = values_of(asked_ms).tolist(), [values_of(one).tolist() for one in produced_ms]
    codes, labels = coded(np.zeros(len(produced), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(produced):
        raise ValueError(f"{len(produced)} reproductions and {len(codes)} groups: give one for each")
    count = max(len(labels), 1) if groups is None else len(labels)
    columns = _native.reproduction_by_group(asked, produced, codes.tolist(), count)
    if groups is not None:
        return table(columns, labels, None)
    cells = one_of(Reproduction, columns)
    of_all = ("group", "complete", "incomplete", "tempo", "why_not")
    intervals = {name: column for name, column, *_ in columns if not name.startswith(of_all)}
    counts = cells["complete"], cells["incomplete"]
    return Reproduction(*counts, cells["tempo"], pd.DataFrame(intervals))
