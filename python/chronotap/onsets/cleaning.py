"""What the rules of cleaning leave out."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import _native
from chronotap._groups import Groups, coded
from chronotap._values import cells_of, finite, values_of, whole


def clean(
    onsets_ms: ArrayLike,
    asynchronies_ms: ArrayLike | None = None,
    *,
    debounce_ms: float | None = 40,
    first_taps: int = 0,
    slips: bool = False,
    interval_outliers: float | None = None,
    asynchrony_outliers: float | None = None,
    groups: Groups | None = None,
) -> pd.DataFrame:
    """What the rules of cleaning leave out of one run of taps. The rules act in the order of
    the parameters, each on what those before it left, as in ``chronotap analyze``.

    Parameters
    ----------
    onsets_ms
        Ascending, within each group.
    asynchronies_ms
        For each tap; NaN where there is none.
    debounce_ms
        Leaves out taps sooner than this after the last one that counts.
    first_taps
        Leaves out the first taps, so many.
    slips
        Leaves out intervals over missed taps and the parts of doubled ones.
    interval_outliers
        Leaves out intervals more than so many interquartile ranges outside of the quartiles.
    asynchrony_outliers
        Leaves out asynchronies more than so many SD from their mean.
    groups
        One label for each tap, or a frame of labels: then each group is cleaned by itself.

    Returns
    -------
    A row for each tap, in the order in which they are given: ``onset_ms``, ``asynchrony_ms``, and ``tap_left_out``,
    ``interval_left_out`` (of the interval that ends with it) and ``asynchrony_left_out`` with
    the rule, missing where nothing is left out.

    Raises
    ------
    TypeError
        For onsets that are no numbers.
    ValueError
        For onsets that do not ascend within a group, for labels that do not fit, and for asynchronies of
        another number than onsets.

    Examples
    --------
    >>> clean([0, 500, 510, 1000])["tap_left_out"].tolist()
    [None, None, 'debounce 40 ms', None]
    """
    first = whole("first_taps", first_taps) or None
    given = {"debounce_ms": debounce_ms, "first_taps": first, "slips": slips or None}
    given |= {"interval_outliers": interval_outliers, "asynchrony_outliers": asynchrony_outliers}
    rules = [(name, finite(name, number, 0)) for name, number in given.items() if number is not None]
    onsets = values_of(onsets_ms)
    cells = np.full(len(onsets), np.nan) if asynchronies_ms is None else cells_of(asynchronies_ms)
    if len(cells) != len(onsets):
        raise ValueError(f"{len(onsets)} onsets and {len(cells)} asynchronies: give one for each")
    codes, labels = (
        (np.zeros(len(onsets), dtype=np.int64), [0]) if groups is None else coded(groups)
    )
    taps, answers = (onsets, codes, len(labels)), (cells, codes, len(labels))
    _, *marks, _ = _native.cleaned_by_group(taps, answers, rules)
    texts = np.array([*(marks[0][3] or []), None], dtype=object)  # -1 is the last: none
    places = np.column_stack([places for _, places, *_ in marks])
    if (np.diff(codes) < 0).any():  # the rows come by group: back to where they were given
        places = places[np.argsort(np.argsort(codes, kind="stable"))]
    cleaned = pd.DataFrame(texts[places], columns=[name for name, *_ in marks], dtype=object)
    cleaned.insert(0, "onset_ms", onsets)
    cleaned.insert(1, "asynchrony_ms", cells)
    return cleaned
