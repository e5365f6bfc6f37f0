"""What the plots share: colours, markers, legends, axes.

Colours are those of Okabe and Ito, which the colour-blind can tell apart; markers and lines
differ as well, so that a plot can be printed in grey.
"""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

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
