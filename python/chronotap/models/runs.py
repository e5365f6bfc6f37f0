"""Unbroken runs of taps with the onsets of their partners, which the models of correction take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import _native
from chronotap._groups import By, Groups, Pair, by_columns, coded, counting, paired
from chronotap._tables import collected, frame_with
from chronotap._values import cells_of, values_of, whole

Run: TypeAlias = tuple[ArrayLike, Sequence[ArrayLike]]
"""An unbroken run: onsets of the taps, and for each partner one onset for each tap."""


@overload
def runs(
    taps_ms: ArrayLike,
    partners_ms: ArrayLike | Sequence[ArrayLike],
    groups: Groups,
    *,
    beats: ArrayLike | None = None,
    least: int = 3,
) -> tuple[list[Run], pd.Index[Any]]: ...
@overload
def runs(taps_ms: Any, *, by: By, least: int = 3) -> tuple[list[Run], pd.Index[Any]]: ...
def runs(
    taps_ms: Any,
    partners_ms: ArrayLike | Sequence[ArrayLike] | None = None,
    groups: Groups | None = None,
    *,
    by: By | None = None,
    beats: ArrayLike | None = None,
    least: int = 3,
) -> tuple[list[Run], pd.Index[Any]]:
    """Columns of taps as the unbroken runs that the models of correction take, with the label of
    each: ``phase_correction(*runs(taps, by="trial"))``.

    Parameters
    ----------
    taps_ms
        Onsets of the taps, in milliseconds, each trial's in order. Or a frame of taps, with ``by``.
    partners_ms
        For each tap the onset that it answers, or several such columns; NaN where there is none, as for
        an additional tap. For two people whom nothing paces there is :func:`runs_of_two`.
    groups
        One label for each tap (the trial, say), or a frame of labels. A run ends with its group.
    by
        Of a frame of taps instead of columns, as :func:`chronotap.simulate` and the others give it: the
        columns of its groups. A run ends with its trial, its input and its stream as well.
    beats
        For each tap the number of the beat that it answers, NaN where it answers none: a run ends where
        a beat is left out, and goes on behind an additional tap. Without it each tap that answers nothing
        ends a run, because nothing says whether a beat was missed.
    least
        Shorter runs are left out.

    Returns
    -------
    The runs, each with its taps and the onsets of its partners, and the label of each run's group.

    Raises
    ------
    TypeError
        For taps without partners or labels, and for a frame without ``by``.
    ValueError
        For columns of several lengths, and a frame without the columns that are needed.

    Examples
    --------
    >>> found, labels = runs([0, 500, 1000, 0, 510, 990], [0, 500, 1000] * 2, list("aaabbb"))
    >>> len(found), labels.tolist()
    (2, ['a', 'b'])
    """
    taps_ms = collected(taps_ms)
    if by is not None or hasattr(taps_ms, "columns"):
        return _of_frame(taps_ms, by, partners_ms is not None or groups is not None, least)
    if partners_ms is None or groups is None:
        raise TypeError("give the onsets that the taps answer and one label for each tap, or a frame with by=")
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
    numbers = None if beats is None else cells_of(beats)
    if numbers is not None and len(numbers) != len(taps):
        raise ValueError(f"{len(taps)} taps and {len(numbers)} beats: give one for each tap")
    found, firsts = _unbroken([taps, *partners], codes, numbers, least)
    return found, labels.take(codes[firsts])


@overload
def runs_of_two(
    taps_ms: ArrayLike, partner_ms: ArrayLike, *, least: int = 3
) -> tuple[list[Run], pd.Index[Any]]: ...
@overload
def runs_of_two(
    taps_ms: ArrayLike, partner_ms: ArrayLike, groups: Groups | Pair, *, least: int = 3
) -> tuple[list[Run], pd.Index[Any]]: ...
def runs_of_two(
    taps_ms: ArrayLike,
    partner_ms: ArrayLike,
    groups: Groups | Pair | None = None,
    *,
    least: int = 3,
) -> tuple[list[Run], pd.Index[Any]]:
    """The taps of two people whom nothing paces, one beside the other, for
    :func:`correction_over_trials` with ``towards="a person"``.

    A run begins with a tap that answers one of the partner's and goes on until one of both misses or
    doubles a tap, however far they drift apart. A window would keep the part in which they are together,
    which looks like correction where there is none. Where both tap at different rates (half as fast
    again), there is no run.

    Parameters
    ----------
    taps_ms, partner_ms
        All onsets of both, ascending within each group.
    groups
        The labels of the taps and those of the partner's, as two columns or frames.
    least
        Shorter runs are left out.

    Returns
    -------
    The runs, each with its taps and the partner's, and the label of each run's group (0 without labels).

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, and for labels that do not fit.

    Examples
    --------
    >>> slow, fast = [540 * k for k in range(20)], [500 * k for k in range(20)]
    >>> found, _ = runs_of_two(slow, fast)
    >>> [len(taps) for taps, _ in found]
    [20]
    """
    shortest = max(whole("least", least), 1)
    taps, partner = cells_of(taps_ms), cells_of(partner_ms)
    each = ([0] * len(taps), [0] * len(partner)) if groups is None else groups
    one, other, labels = paired(taps, partner, each)
    (_, of, *_), *columns, _ = _native.in_step_by_group(other, one)
    firsts, starts, counts = (np.asarray(places, dtype=np.int64) for _, places, *_ in columns)
    mine, others = (_rows_by_group(column[1], column[2]) for column in (one, other))
    found: list[Run] = []
    kept = np.flatnonzero(counts >= shortest)
    for at in kept.tolist():
        group, first, start, count = int(of[at]), firsts[at], starts[at], counts[at]
        rows, beside = mine[group][start : start + count], others[group][first : first + count]
        found.append((taps[rows], [partner[beside]]))
    return found, labels.take(np.asarray(of, dtype=np.int64)[kept])


def _rows_by_group(codes: NDArray[np.int64], groups: int) -> list[NDArray[np.int64]]:
    """The rows of each group, in the order in which they came."""
    ends = np.cumsum(np.bincount(codes, minlength=groups))[:-1]
    return np.split(np.argsort(codes, kind="stable"), ends)


def _unbroken(
    columns: Sequence[NDArray[np.float64]],
    codes: NDArray[np.int64],
    beats: NDArray[np.float64] | None,
    least: int,
) -> tuple[list[Run], NDArray[np.int64]]:
    """The runs of taps (the first column) and partners within each group, and the row of each one's
    first tap."""
    shortest = max(whole("least", least), 1)
    there = ~np.isnan(np.column_stack(columns)).any(axis=1) & (codes >= 0)
    order = np.argsort(codes, kind="stable")
    places = np.flatnonzero(there[order])
    order = order[places]
    next_to = np.diff(places) if beats is None else np.diff(beats[order])
    steps = (np.diff(codes[order]) != 0) | (next_to != 1)
    edges = np.concatenate([[0], np.flatnonzero(steps) + 1, [len(order)]])
    long = np.flatnonzero(np.diff(edges) >= shortest)
    taps, *partners = (column[order] for column in columns)
    ends = list(zip(edges[long].tolist(), edges[long + 1].tolist()))
    found: list[Run] = [(taps[at:end], [column[at:end] for column in partners]) for at, end in ends]
    return found, order[edges[long]]


def _of_frame(
    given: Any, by: By | None, has_more: bool, least: int
) -> tuple[list[Run], pd.Index[Any]]:
    """The runs of a frame of taps, with the labels of their groups."""
    if by is None or has_more:
        raise TypeError('a frame: give nothing else but the columns of its groups, such as by="trial"')
    keys = [by] if isinstance(by, str) else [*by]
    needed = ["onset_ns", "beat_onset_ns", "beat", *keys]
    taps = frame_with(given, needed, "taps, as read_taps gives them, and by= with columns that they have")
    taps = counting(taps[taps["beat"].notna()], keys).reset_index(drop=True)
    parts = [name for name in _OF_ONE_RUN if name in taps and name not in keys]
    codes, labels = coded(by_columns(taps, keys))
    apart, _ = coded(taps[[*parts, *keys]])
    beats = taps["beat"].to_numpy(dtype=np.float64)
    onsets = [taps[name].to_numpy(dtype=np.float64) / 1e6 for name in ("onset_ns", "beat_onset_ns")]
    found, firsts = _unbroken(onsets, apart, beats, least)
    return found, labels.take(codes[firsts])


_OF_ONE_RUN = ("trial", "input", "against")
"""Columns of taps whose cells are alike in a run."""


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
