"""Plots of tapping data, with matplotlib.

Each function draws into an ``Axes`` (a new one by default) and returns it. Colours are those of
Okabe and Ito, which the colour-blind can tell apart, and lines and markers differ as well, so
that a plot can be printed in grey. Every title says how many values are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chronotap import models, statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.projections.polar import PolarAxes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Of Okabe & Ito (2008), the strongest first."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def raster(events: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """When everything happened: a line of strokes for each stream, input and channel.

    Parameters
    ----------
    events
        Of one trial, as :func:`chronotap.read_trial` gives them.
    ax
        Where to draw.
    """
    ax = _axes(ax)
    kinds = ("pacing", "tap", "feedback", "masking")
    shown = events[events["trial_type"].isin(kinds) & (events["flag"] != "debounced")]
    rows = [
        (kind, name, part["onset_s"].to_numpy())
        for kind in kinds
        for name, part in shown[shown["trial_type"] == kind].groupby("name", observed=True)
    ]
    for place, (kind, _, onsets) in enumerate(rows):
        colour = COLOURS[kinds.index(kind)]
        ax.eventplot(onsets, lineoffsets=-place, linelengths=0.7, colors=colour)
    ax.set_yticks([-place for place in range(len(rows))])
    ax.set_yticklabels([f"{kind} {name} (n = {len(at)})" for kind, name, at in rows])
    ax.set_xlabel("time from the start of the trial (s)")
    return ax


def asynchronies(taps: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Asynchrony over time: each matched tap, below 0 when early, with the mean.

    Parameters
    ----------
    taps
        As ``taps`` of :func:`chronotap.simulate` or :func:`chronotap.read_taps` gives them.
    """
    ax = _axes(ax)
    matched = taps[taps["fate"] == "matched"]
    styles = zip(cycle(COLOURS), cycle(MARKERS))
    for (colour, marker), (name, part) in zip(styles, matched.groupby("against", observed=True)):
        mean = part["asynchrony_ms"].mean()
        label = f"{name}: mean {mean:.1f} ms"
        seconds = part["onset_ns"] / 1e9
        ax.plot(seconds, part["asynchrony_ms"], marker, color=colour, markersize=4, label=label)
        ax.axhline(mean, color=colour, linewidth=1, linestyle="--")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xlabel("time from the start of the trial (s)")
    ax.set_ylabel("asynchrony (ms; negative is early)")
    ax.set_title(f"{len(matched)} of {len(taps)} taps answer a beat")
    if len(matched):
        _legend(ax)
    return ax


def intervals(intervals_ms: ArrayLike, ax: Axes | None = None, label: str | None = None) -> Axes:
    """Inter-tap intervals one after the other, with their mean and SD in the legend."""
    ax = _axes(ax)
    cells = np.asarray(intervals_ms, dtype=np.float64)
    place = len(ax.lines)
    found = statistics.intervals(cells)
    said = "" if found.mean_ms is None else f"mean {found.mean_ms:.1f} ms"
    said += "" if found.sd_ms is None else f", SD {found.sd_ms:.1f} ms"
    name = ", ".join(part for part in (label, said, f"n = {found.n}") if part)
    style = f"{MARKERS[place % len(MARKERS)]}-"
    colour = COLOURS[place % len(COLOURS)]
    numbers = np.arange(1, len(cells) + 1)
    ax.plot(numbers, cells, style, color=colour, markersize=3.5, linewidth=0.8, label=name)
    ax.set_xlabel("interval")
    ax.set_ylabel("inter-tap interval (ms)")
    _legend(ax)
    return ax


def directions(angles_rad: ArrayLike, ax: PolarAxes | None = None, bins: int = 24) -> PolarAxes:
    """Taps as directions on the circle of one interval: a histogram, and the mean vector,
    whose length is R. 0 is on the beat; early taps lie clockwise of it."""
    cells = np.asarray(angles_rad, dtype=np.float64)
    ax = _axes(ax, projection="polar")
    edges = np.linspace(-np.pi, np.pi, bins + 1)
    counts, _ = np.histogram(np.angle(np.exp(1j * cells)), edges)
    share = counts / max(counts.max(initial=0), 1)
    width = 2 * np.pi / bins
    ax.bar(edges[:-1], share, width, align="edge", color="#56B4E9", edgecolor="white")
    found = statistics.directions(cells)
    if found.direction_rad is not None and found.resultant is not None:
        ends = ([found.direction_rad] * 2, [0.0, found.resultant])
        ax.plot(*ends, color="#D55E00", linewidth=2.5)
        ax.plot(ends[0][1], ends[1][1], "o", color="#D55E00", markersize=6)
    ax.set_theta_zero_location("N")
    ax.set_ylim(0, 1)
    ax.set_yticks([0.5, 1.0])
    ax.set_title(f"R = {found.resultant or 0:.3f}, n = {found.n}")
    return ax


def clock_and_motor(
    intervals_ms: Sequence[ArrayLike], labels: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Clock against motor variance (Wing & Kristofferson 1973), a point for each run of
    self-paced intervals, with its intervals for 95 % where the model holds. Hollow points lie
    outside the model and must still enter averages."""
    ax = _axes(ax)
    names = labels or [f"run {number}" for number in range(1, len(intervals_ms) + 1)]
    if len(names) != len(intervals_ms):
        raise ValueError(f"{len(intervals_ms)} runs and {len(names)} labels: give one for each")
    outside = 0
    for place, (run, name) in enumerate(zip(intervals_ms, names)):
        found = statistics.clock_and_motor(run)
        if found.clock_unbiased_ms2 is None or found.motor_unbiased_ms2 is None:
            raise ValueError(f"{name}: too few intervals, or none that vary")
        outside += not found.admissible
        at = (found.clock_unbiased_ms2, found.motor_unbiased_ms2)
        colour = COLOURS[place % len(COLOURS)]
        fill = colour if found.admissible else "none"
        style: dict[str, Any] = {"color": colour, "markerfacecolor": fill, "capsize": 2}
        bars = _bars(run) if found.admissible else (None, None)
        marker = MARKERS[place % len(MARKERS)]
        ax.errorbar(*at, bars[1], bars[0], fmt=marker, label=f"{name} (n = {found.n})", **style)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel("clock variance (ms²)")
    ax.set_ylabel("motor variance (ms²)")
    ax.set_title(f"{len(intervals_ms)} runs, {outside} outside the model")
    if len(names) <= 10:
        _legend(ax)
    return ax


def _bars(run: ArrayLike) -> tuple[Any, Any]:
    """The intervals of clock and motor variance as distances below and above."""
    try:
        levels = models.clock_and_motor_levels(run)
    except ValueError:
        return None, None
    bars = [
        [[max(one.value - one.low, 0)], [max(one.high - one.value, 0)]]
        for one in (levels.clock_ms2, levels.motor_ms2)
    ]
    return bars[0], bars[1]


def _legend(ax: Axes) -> None:
    """Below the axes, where it hides no data."""
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False, fontsize="small")


def _axes(ax: Any, **how: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(subplot_kw=how, layout="constrained")[1]
