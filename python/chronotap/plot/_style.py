"""What the plots share: colours, markers, legends, axes.

Colours are those of Okabe and Ito, which the colour-blind can tell apart; markers and lines
differ as well, so that a plot can be printed in grey.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chronotap._groups import By, counting
from chronotap._tables import frame_with
from chronotap._values import cells_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Of Okabe & Ito (2008), the strongest first."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":")


def legend(ax: Axes) -> None:
    """Below the axes, where it hides no data; none where nothing was drawn."""
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False, fontsize="small")


def axes(ax: Any, **how: Any) -> Any:
    """The axes that were given, or new ones."""
    wanted = how.get("projection")
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.subplots(subplot_kw=how, layout="constrained")[1]
    if not hasattr(ax, "errorbar"):
        raise TypeError(f"ax = {reprlib.repr(ax)}: give an Axes of matplotlib")
    if wanted is not None and getattr(ax, "name", None) != wanted:
        raise TypeError(f"ax is not {wanted}: make it by plt.subplots(subplot_kw={how!r})")
    return ax


def runs_of(
    values: Any, by: By | None, column: str
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Runs of values with their names: those of the groups of a frame, or one without a name."""
    if by is None and not hasattr(values, "columns"):
        yield "", cells_of(values)
        return
    keys = [] if by is None else [by] if isinstance(by, str) else [*by]
    frame = frame_with(values, [column, *keys], f"one with {column}, and by= with columns that it has")
    frame = counting(frame[frame[column].notna()], keys)
    groups: Any = frame.groupby(keys, observed=True, sort=False, dropna=False) if keys else [((), frame)]
    for name, part in groups:
        yield ", ".join(map(str, name)), cells_of(part[column])
