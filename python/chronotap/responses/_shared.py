"""What responses to perturbations and to altered feedback share."""

from __future__ import annotations

import numpy as np
import pandas as pd

FARTHEST = 10_000
"""So many taps no trial has."""


def alone(told: pd.DataFrame) -> pd.DataFrame:
    """Of one group, whose label says nothing; whole numbers of which none is missing."""
    whole = {name: np.int64 for name in told.columns if told[name].dtype == pd.Int64Dtype()}
    return told.reset_index(drop=True).astype(whole)
