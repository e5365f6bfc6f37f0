"""Plots of taps: when, how early, how regular."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from chronotap import statistics
from chronotap._groups import By, counting
from chronotap._tables import frame_with
from chronotap._values import whole
from chronotap.plot._style import COLOURS, MARKERS, axes, legend, runs_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.projections.polar import PolarAxes


def raster(events: pd.DataFrame, ax: Axes | None = None, **style: Any) -> Axes:
    """When everything happened: a line of strokes for each stream, input and channel.

    Parameters
    ----------
    events
        Of one trial, as :func:`chronotap.read_trial` gives them.
    ax
        Where to draw.
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
    needed = ("trial_type", "name", "flag", "onset_s")
    events = frame_with(events, needed, "the events of a trial, as read_trial gives them")
    if "trial" in events and events["trial"].nunique() > 1:
        told = f"events of {events['trial'].nunique()} trials: give those of one"
        raise ValueError(f"{told}, such as events[events['trial'] == 0]")
    kinds = ("pacing", "tap", "feedback", "masking")
    shown = events[events["trial_type"].isin(kinds) & ~events["flag"].isin(["debounced"])]
    rows = [
        (kind, name, part["onset_s"].to_numpy())
        for kind in kinds
        for name, part in shown[shown["trial_type"] == kind].groupby("name", observed=True)
    ]
    for place, (kind, _, onsets) in enumerate(rows):
        colour = COLOURS[kinds.index(kind)]
        usual: dict[str, Any] = {"lineoffsets": -place, "linelengths": 0.7, "color": colour}
        ax.eventplot(onsets, **usual | style)
    ax.set_yticks([-place for place in range(len(rows))])
    ax.set_yticklabels([f"{kind} {name} (n = {len(at)})" for kind, name, at in rows])
    ax.set_xlabel("time from the start of the trial (s)")
    return ax


def asynchronies(
    taps: pd.DataFrame, ax: Axes | None = None, *, by: By = "against", **style: Any
) -> Axes:
    """Asynchrony over time: each matched tap, below 0 when early, with the mean.

    Parameters
    ----------
    taps
        As ``taps`` of :func:`chronotap.simulate` or :func:`chronotap.read_taps` gives them.
    by
        The columns whose values are told apart; the stream by default.
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
    keys = [by] if isinstance(by, str) else [*by]
    needed = ("fate", "asynchrony_ms", "onset_ns", *keys)
    taps = frame_with(taps, needed, "taps, as read_taps gives them, and by= with columns that they have")
    taps = counting(taps, keys)
    matched = taps[taps["fate"].isin(["matched"])]
    styles = zip(cycle(COLOURS), cycle(MARKERS))
    for (colour, marker), (name, part) in zip(styles, matched.groupby(keys, observed=True, dropna=False)):
        mean = part["asynchrony_ms"].mean()
        label = f"{', '.join(map(str, name))}: mean {mean:.1f} ms"
        usual: dict[str, Any] = {"marker": marker, "linestyle": "", "color": colour, "markersize": 4, "label": label}
        seconds = part["onset_ns"] / 1e9
        drawn = ax.plot(seconds, part["asynchrony_ms"], **usual | style)
        ax.axhline(mean, color=drawn[0].get_color(), linewidth=1, linestyle="--")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xlabel("time from the start of the trial (s)")
    ax.set_ylabel("asynchrony (ms; negative is early)")
    ax.set_title(f"{len(matched)} of {len(taps)} taps answer a beat")
    if len(matched):
        legend(ax)
    return ax


def intervals(
    intervals_ms: ArrayLike | pd.DataFrame,
    ax: Axes | None = None,
    label: str | None = None,
    *,
    by: By | None = None,
    **style: Any,
) -> Axes:
    """Inter-tap intervals one after the other, with their mean and SD in the legend.

    Parameters
    ----------
    intervals_ms
        In milliseconds; or a frame of taps, whose column ``interval_ms`` is drawn.
    label
        What they are called in the legend.
    by
        Of a frame the columns of its groups: a line for each.
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
    for name, cells in runs_of(intervals_ms, by, "interval_ms"):
        _line(ax, cells, ", ".join(part for part in (label, name) if part), style)
    ax.set_xlabel("interval")
    ax.set_ylabel("inter-tap interval (ms)")
    legend(ax)
    return ax


def _line(ax: Axes, cells: NDArray[np.float64], label: str, style: dict[str, Any]) -> None:
    place = len(ax.lines)
    found = statistics.intervals(cells)
    said = "" if found.mean_ms is None else f"mean {found.mean_ms:.1f} ms"
    said += "" if found.sd_ms is None else f", SD {found.sd_ms:.1f} ms"
    name = ", ".join(part for part in (label, said, f"n = {found.n}") if part)
    usual: dict[str, Any] = {
        "marker": MARKERS[place % len(MARKERS)],
        "color": COLOURS[place % len(COLOURS)],
        "markersize": 3.5,
        "linewidth": 0.8,
        "label": name,
    }
    ax.plot(np.arange(1, len(cells) + 1), cells, **usual | style)


def directions(
    angles_rad: ArrayLike | pd.DataFrame, ax: PolarAxes | None = None, bins: int = 24, **style: Any
) -> PolarAxes:
    """Taps as directions on the circle of one interval: a histogram, and the mean vector,
    whose length is R. 0 is on the beat; early taps lie clockwise of it.

    Parameters
    ----------
    angles_rad
        In radians; or a frame, whose column ``angle_rad`` is drawn.
    bins
        How many bars there are.
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
    ((_, cells),) = runs_of(angles_rad, None, "angle_rad")
    ax = axes(ax, projection="polar")
    edges = np.linspace(-np.pi, np.pi, whole("bins", bins, 1, 10_000) + 1)
    counts, _ = np.histogram(np.angle(np.exp(1j * cells)), edges)
    share = counts / max(counts.max(initial=0), 1)
    width = 2 * np.pi / bins
    usual: dict[str, Any] = {"align": "edge", "color": "#56B4E9", "edgecolor": "white"}
    ax.bar(edges[:-1], share, width, **usual | style)
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
