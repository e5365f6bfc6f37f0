"""Unbroken runs of taps with the onsets of their partners, which the models of correction take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded
from chronotap._values import cells_of, values_of, whole

Run: TypeAlias = tuple[ArrayLike, Sequence[ArrayLike]]
"""An unbroken run: onsets of the taps, and for each partner one onset for each tap."""


def runs(
    taps_ms: ArrayLike,
    partners_ms: ArrayLike | Sequence[ArrayLike],
    groups: Groups,
    *,
    beats: ArrayLike | None = None,
    least: int = 3,
) -> tuple[list[Run], pd.Index[Any]]:
    """Columns of taps as the unbroken runs that the models of correction take, with the label of
    each: ``phase_correction(*runs(…))``.

    Parameters
    ----------
    taps_ms
        Onsets of the taps, in milliseconds, each trial's in order.
    partners_ms
        For each tap the onset that it answers, or several such columns; NaN where there is none.
    groups
        One label for each tap (the trial, say), or a frame of labels. A run ends with its group.
    beats
        For each tap the number of the beat that it answers: a run ends where one is left out.
    least
        Shorter runs are left out.

    Examples
    --------
    >>> found, labels = runs([0, 500, 1000, 0, 510, 990], [0, 500, 1000] * 2, list("aaabbb"))
    >>> len(found), labels.tolist()
    (2, ['a', 'b'])
    """
    taps = cells_of(taps_ms)
    given: Any = partners_ms
    if hasattr(given, "columns"):  # a frame
        given = [given[name] for name in getattr(given, "column_names", given.columns)]
    columns = given if np.ndim(given) == 2 else [given]
    partners = [cells_of(column) for column in columns]
    codes, labels = coded(groups)
    for what, cells in [("onsets of a partner", column) for column in partners] + [
        ("groups", codes)
    ]:
        if len(cells) != len(taps):
            raise ValueError(f"{len(taps)} taps and {len(cells)} {what}: give one for each tap")
    shortest = max(whole("least", least), 1)
    there = ~np.isnan(np.column_stack([taps, *partners])).any(axis=1) & (codes >= 0)
    order = np.argsort(codes, kind="stable")
    places = np.flatnonzero(there[order])
    order = order[places]
    steps = (np.diff(codes[order]) != 0) | (np.diff(places) != 1)
    if beats is not None:
        numbers = cells_of(beats)
        if len(numbers) != len(taps):
            raise ValueError(f"{len(taps)} taps and {len(numbers)} beats: give one for each tap")
        steps |= np.diff(numbers[order]) != 1
    edges = np.concatenate([[0], np.flatnonzero(steps) + 1, [len(order)]])
    ordered = [column[order] for column in (taps, *partners)]
    found: list[Run] = []
    of = []
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist()):
        if end - begin >= shortest:
            found.append((ordered[0][begin:end], [column[begin:end] for column in ordered[1:]]))
            of.append(codes[order[begin]])
    return found, labels.take(np.array(of, dtype=np.int64))


def packed(
    runs: Iterable[Run], groups: Groups | None
) -> tuple[_native._Runs, pd.Index[Any] | None]:
    """All times in one array: a list of numbers costs as much as a model."""
    try:
        given = [[taps, *partners] for taps, partners in runs]
    except (TypeError, ValueError):
        raise TypeError("runs: give [(taps_ms, [beats_ms]), …], as chronotap.models.runs does") from None
    lists = [cells_of(cells) for run in given for cells in run]
    times = values_of(np.concatenate(lists) if lists else np.zeros(0))
    lengths = np.array([len(cells) for cells in lists], dtype=np.int64)
    counts = np.array([len(run) for run in given], dtype=np.int64)
    if groups is None:
        return (times, lengths, counts, np.zeros(len(given), dtype=np.int64), 1), None
    codes, labels = coded(groups)
    return (times, lengths, counts, codes, len(labels)), labels
