"""Plots of the machine's timing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from chronotap._tables import frame_with
from chronotap.plot._style import COLOURS, axes, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HATCHES = ("", "///", "...", "xxx")
KINDS = ("pacing", "feedback", "masking")


def lateness(
    events: pd.DataFrame, ax: Axes | None = None, limit_us: float | None = None, **style: Any
) -> Axes:
    """How late each sound was, achieved less deadline, as a histogram over powers of ten.

    Parameters
    ----------
    events
        Of one trial or several, as :func:`chronotap.read_trial` gives them.
    limit_us
        Where the timing verdict fails, in microseconds.
    style
        What matplotlib shall know of the marks: ``color``, ``alpha``, ``linewidth`` and the like.

    Returns
    -------
    The axes that were drawn in.

    Raises
    ------
    TypeError
        For values that are no numbers, for what is no frame, and for axes that are none.
    ValueError
        For a frame without the columns that are needed.
    """
    ax = axes(ax)
    events = frame_with(events, ("trial_type", "lateness_ns"), "events, as read_trial gives them")
    sounds = events[events["trial_type"].isin(KINDS)].dropna(subset=["lateness_ns"])
    late = sounds["lateness_ns"].to_numpy(dtype=np.float64) / 1e3
    of = sounds["trial_type"].to_numpy(dtype=str)
    # 1, 2 and 5 of every power of ten; what is early or below 0.1 µs stands in the first.
    edges = np.array([step * 10.0**power for power in range(-1, 7) for step in (1, 2, 5)])
    used = edges[: int(np.searchsorted(edges, late.max(initial=1.0))) + 2]
    kinds = [kind for kind in KINDS if (of == kind).any()]
    bottom = np.zeros(len(used) - 1)
    for place, kind in enumerate(kinds):
        counts, _ = np.histogram(np.clip(late[of == kind], used[0], used[-1]), used)
        usual: dict[str, Any] = {"color": COLOURS[place], "hatch": HATCHES[place], "edgecolor": "white", "align": "edge"}
        label = f"{kind} (n = {counts.sum()})"
        ax.bar(used[:-1], counts, np.diff(used), bottom, label=label, **usual | style)
        bottom = bottom + counts
    ax.set_xscale("log")
    ax.set_xlabel("lateness (µs; early sounds stand at the left edge)")
    ax.set_ylabel("sounds")
    if limit_us is not None:
        ax.axvline(limit_us, color="black", linestyle="--", linewidth=1, label=f"limit {limit_us:g} µs")
    worst = f", median {_us(np.median(late))}, greatest {_us(late.max())}" if len(late) else ""
    ax.set_title(f"{len(late)} sounds{worst}")
    legend(ax)
    return ax


def _us(late: float) -> str:
    return f"{late:.0f} µs" if late >= 100 else f"{late:.3g} µs"
