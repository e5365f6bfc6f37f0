"""The outcome and the contrasts of a study, as ``chronotap analyze`` computes them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pandas as pd

from chronotap import _native
from chronotap._tables import typed_frame

_NUMBERS = ["estimate", "low", "high", "df", "t", "p", "p_holm", "effect_size"]


def contrasts(folder: str | os.PathLike[str], *, asked: Sequence[str] = ()) -> pd.DataFrame:
    """The tests of a study, one a row, as ``desc-contrasts_beh.tsv`` has them: its outcome first, then the
    contrasts that it plans, with their probabilities after Holm.

    Parameters
    ----------
    folder
        A dataset.
    asked
        Further contrasts in the words of ``chronotap analyze --contrast``, such as
        ``["alpha: delay 200 ms - 0 ms"]``. They are marked ``not planned`` and corrected for nothing.

    Returns
    -------
    A frame with a row for each test.

    Raises
    ------
    ValueError
        For a folder without trials, for a contrast of names that the dataset does not have, and for tables that are
        not as the program writes them.
    """
    if isinstance(asked, str):
        raise TypeError(f"asked = {asked!r}: give a list of contrasts")
    frame = typed_frame(_native.contrasts(folder, list(asked)))
    return frame.astype(dict.fromkeys(_NUMBERS, "float64"))
