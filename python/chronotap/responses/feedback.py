"""What follows altered feedback: of whole trials, and of single tones."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded, rows_of
from chronotap._values import finite, values_of, whole
from chronotap.responses._shared import FARTHEST, alone


def effects(
    trials: Iterable[tuple[float, ArrayLike]] | Iterable[tuple[float, ArrayLike, str]],
    groups: Groups | None = None,
) -> pd.DataFrame:
    """What delayed or otherwise altered feedback does, against the trials without delay and
    with the expected pitch (Finney 1997; Pfordresher & Palmer 2002).

    Parameters
    ----------
    trials
        Of each the delay in ms, its intervals in ms, and the name of the pitch condition where
        there is one. Trials of one person, or one mean trial of each of several.
    groups
        One label for each trial (the participant, say), or a frame of labels: then the rows of each
        group, each against its own trials, with its label as their index.

    Returns
    -------
    A row for each condition: ``delay_ms``, ``pitch``, ``trials``, ``too_short``, and of
    ``interval_ms``, ``slowing_percent``, ``cv`` and ``cv_change`` the estimate, with ``_low``
    and ``_high``.

    Raises
    ------
    TypeError
        For what are no trials.
    ValueError
        For missing values and for labels that do not fit.
    """
    try:
        listed = [(delay, intervals, "".join(pitch)) for delay, intervals, *pitch in trials]
    except (TypeError, ValueError):
        raise TypeError("trials: give (delay_ms, intervals_ms) of each, or with its pitch") from None
    given = [(finite("delay", delay), pitch, values_of(cells)) for delay, cells, pitch in listed]
    codes, labels = coded(np.zeros(len(given), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(given):
        raise ValueError(
            f"{len(given)} trials and {len(codes)} groups: give one group for each trial"
        )
    told = rows_of(_native.effects_by_group(given, codes.tolist(), len(labels)), labels)
    told["pitch"] = told["pitch"].astype(object)
    return told if groups is not None else alone(told)


def isolated(
    intervals_ms: ArrayLike,
    altered: Iterable[int],
    groups: Groups | None = None,
    *,
    matches: Groups | None = None,
    last_lag: int = 2,
) -> pd.DataFrame:
    """What single altered tones do to the next intervals (Furuya & Soechting 2010).

    Parameters
    ----------
    intervals_ms
        Inter-tap intervals of one trial, in milliseconds.
    altered
        The places of the taps whose tone was altered, from 0, in the whole list of intervals.
    groups
        One label for each interval (the trial, say), or a frame of labels: then the rows of each group,
        with its label as their index.
    matches
        For each interval with which others it is compared (a place in the melody, a finger), by
        number or word; all with all by default.
    last_lag
        The last lag; 0 is the interval that begins with the altered tap.

    Returns
    -------
    A row for each lag: ``lag``, ``matched``, ``unmatched``, ``difference_ms`` (positive is
    slowing) with ``_low`` and ``_high``.

    Raises
    ------
    TypeError
        For values that are no numbers.
    ValueError
        For places that are none, for an interval that no match is told of, and for labels that do not fit.
    """
    cells = values_of(intervals_ms)
    of, _ = coded(np.zeros(len(cells), dtype=np.int64) if matches is None else matches)
    if (of < 0).any():
        raise ValueError(f"matches: number {(of < 0).argmax()} is missing; say of each interval which it is")
    if len(of) != len(cells):
        raise ValueError(
            f"matches are {len(of)}, but there must be {len(cells)}, one for each interval"
        )
    places = np.array([whole("altered", place) for place in altered], dtype=np.int64)
    codes, labels = coded(np.zeros(len(cells), dtype=np.int64) if groups is None else groups)
    if len(codes) != len(cells):
        raise ValueError(f"{len(cells)} intervals and {len(codes)} groups: give one for each")
    # An altered tone may be the last tap, with which no interval begins; in groups every place counts.
    last = len(cells) - (groups is not None)
    if len(places) and not (0 <= places.min() and places.max() <= last):
        raise ValueError(f"altered: places are from 0 to {last}, those of the taps")
    if groups is not None:
        order = np.argsort(codes, kind="stable")
        begins = np.searchsorted(codes[order], codes)
        within = np.argsort(order) - begins
        tones = (within[places].astype(np.float64), codes[places], len(labels))
    else:
        tones = (places.astype(np.float64), np.zeros(len(places), dtype=np.int64), 1)
    alike = of.astype(np.float64)
    given = ((cells, codes, len(labels)), (alike, codes, len(labels)), tones)
    told = rows_of(_native.isolated_by_group(*given, whole("last_lag", last_lag, most=FARTHEST)), labels)
    return told if groups is not None else alone(told)
