"""What is said of simulated trials that no rule ended: the bound did."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from chronotap.frames import Column

_CUT = "the time limit"  # the word for it in ``ending``


def tell_cut(trials: Sequence[Column], longest_s: int) -> None:
    """Warns whoever called the function that calls this, where trials were cut off."""
    endings, words = next((values, words) for name, values, _, words in trials if name == "ending")
    cut = np.count_nonzero(endings == words.index(_CUT)) if words and _CUT in words else 0
    if cut:
        n = len(endings)
        told = "trial was" if n == 1 else "trials were"
        warnings.warn(
            f"{cut} of {n} {told} still running after {longest_s} s and ended there, by no rule "
            "of the file; longest_s sets this bound",
            stacklevel=3,
        )
