"""Tables of datasets, whose cells are text, with the types that they mean."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

# Columns that hold words even where they look like numbers.
TEXT = {"participant", "session", "task", "step", "events_file", "onset_utc", "flags"}


def text_frame(columns: Sequence[tuple[str, list[str | None]]]) -> pd.DataFrame:
    """A frame of columns of text."""
    return pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns})


def typed(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers and truth values where all the cells of a column are such; a column in which
    every cell is missing has numbers."""
    for name in table.columns:
        cells = table[name].dropna()
        if name in TEXT:
            continue
        if len(cells) and cells.isin(["true", "false"]).all():
            table[name] = table[name].map({"true": True, "false": False}).astype("boolean")
            continue
        try:
            table[name] = pd.to_numeric(table[name])
        except ValueError:
            continue
    return table
