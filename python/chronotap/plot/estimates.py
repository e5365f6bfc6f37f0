"""Plots of models and estimates, each with its intervals for 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
from numpy.typing import ArrayLike

from chronotap import models, statistics
from chronotap._groups import By
from chronotap._tables import frame_with
from chronotap.plot._style import COLOURS, LINES, MARKERS, axes, legend, runs_of
from chronotap.responses import Response, curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def clock_and_motor(
    intervals_ms: Sequence[ArrayLike] | pd.DataFrame,
    labels: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    by: By | None = None,
    **style: Any,
) -> Axes:
    """Clock against motor variance (Wing & Kristofferson 1973), a point for each run of
    self-paced intervals, with its intervals for 95 % where the model holds. Hollow points lie
    outside the model and must still enter averages.

    Parameters
    ----------
    intervals_ms
        Runs of intervals, in milliseconds; or a frame of taps with ``interval_ms``, and ``by``.
    labels
        A name for each run.
    by
        Of a frame the columns of its groups: a point for each.
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
    if by is not None or hasattr(intervals_ms, "columns"):
        named = list(runs_of(intervals_ms, by, "interval_ms"))
        labels, intervals_ms = labels or [name for name, _ in named], [cells for _, cells in named]
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
        usual: dict[str, Any] = {"color": colour, "markerfacecolor": fill, "capsize": 2, "fmt": MARKERS[place % len(MARKERS)]}
        bars = _bars(run) if found.admissible else (None, None)
        ax.errorbar(*at, bars[1], bars[0], label=f"{name} (n = {found.n})", **usual | style)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel("clock variance (ms²)")
    ax.set_ylabel("motor variance (ms²)")
    ax.set_title(f"{len(intervals_ms)} runs, {outside} outside the model")
    if len(names) <= 10:
        legend(ax)
    return ax


def responses(
    found: Sequence[Response] | pd.DataFrame,
    ax: Axes | None = None,
    label: str | None = None,
    **style: Any,
) -> Axes:
    """The mean response to perturbations at each lag, as a share of the perturbation, with the
    band of its interval. 0 is no response, 1 is all of it.

    Parameters
    ----------
    found
        As :func:`chronotap.responses.responses` gives them, also as a frame.
    label
        What they are called in the legend.
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
    table = curve(found).dropna()
    place = len([line for line in ax.lines if line.get_marker() != "None"])
    colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
    name = ", ".join(part for part in (label, f"n = {len(found)} perturbations") if part)
    usual: dict[str, Any] = {"marker": marker, "linestyle": LINES[place % len(LINES)], "color": colour, "label": name}
    drawn = ax.plot(table["lag"], table["share"], **usual | style)
    band: dict[str, Any] = {"color": drawn[0].get_color(), "alpha": 0.2, "linewidth": 0}
    ax.fill_between(table["lag"], table["low"], table["high"], **band)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.axhline(1, color="black", linewidth=0.8, linestyle=":")
    ax.set_xlabel("lag (taps since the perturbed beat)")
    ax.set_ylabel("shift of the tap / perturbation")
    ax.set_title("Response, with the band for 95 % of the mean")
    legend(ax)
    return ax


def delay_curve(
    effects: pd.DataFrame,
    ax: Axes | None = None,
    what: Literal["interval_ms", "slowing_percent", "cv", "cv_change"] = "slowing_percent",
    **style: Any,
) -> Axes:
    """What delayed feedback does, by delay, with its intervals; a line for each pitch condition.

    Parameters
    ----------
    effects
        As :func:`chronotap.responses.effects` gives them.
    what
        The column that is drawn.
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
    labels = {
        "interval_ms": "mean inter-tap interval (ms)",
        "slowing_percent": "slowing (%)",
        "cv": "coefficient of variation",
        "cv_change": "change of the coefficient of variation",
    }
    if what not in labels:
        raise ValueError(f"what = {what!r}: there are {', '.join(labels)}")
    ax = axes(ax)
    needed = ("pitch", "delay_ms", "trials", what)
    effects = frame_with(effects, needed, "effects, as responses.effects gives them")
    for place, pitch in enumerate(effects["pitch"].astype(str).unique()):
        part = effects[effects["pitch"] == pitch]
        shown = part.dropna(subset=[what])
        bars = [shown[what] - shown[f"{what}_low"], shown[f"{what}_high"] - shown[what]]
        usual: dict[str, Any] = {
            "fmt": f"{MARKERS[place % len(MARKERS)]}{LINES[place % len(LINES)]}",
            "color": COLOURS[place % len(COLOURS)],
            "capsize": 3,
            "label": f"{pitch or 'delay alone'} (n = {part['trials'].sum()} trials)",
        }
        ax.errorbar(shown["delay_ms"], shown[what], bars, **usual | style)
    if what in ("slowing_percent", "cv_change"):
        ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xlabel("feedback delay (ms)")
    ax.set_ylabel(labels[what])
    ax.set_title("Delayed feedback, with intervals for 95 %")
    legend(ax)
    return ax


def coupling(found: pd.DataFrame, ax: Axes | None = None, **style: Any) -> Axes:
    """Who corrects towards whom in a group: the share of the asynchrony, with its interval. A
    hollow point's interval holds 0.

    Parameters
    ----------
    found
        As :func:`chronotap.onsets.coupling` gives them.
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
    needed = ("tapper", "partner", "alpha", "low", "high", "intervals")
    found = frame_with(found, needed, "what onsets.coupling gives")
    rows = found.iloc[::-1].reset_index(drop=True)
    tappers = list(dict.fromkeys(found["tapper"]))
    for place, row in enumerate(rows.to_dict("records")):
        which = tappers.index(row["tapper"])
        colour = COLOURS[which % len(COLOURS)]
        fill = "none" if row["low"] <= 0 <= row["high"] else colour
        bars = [[row["alpha"] - row["low"]], [row["high"] - row["alpha"]]]
        usual: dict[str, Any] = {"color": colour, "markerfacecolor": fill, "capsize": 3, "fmt": MARKERS[which % len(MARKERS)]}
        ax.errorbar(row["alpha"], place, xerr=bars, **usual | style)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_yticks(range(len(rows)))
    ax.set_yticklabels([f"{tapper} to {partner}" for tapper, partner in zip(rows["tapper"], rows["partner"])])
    ax.set_xlabel("correction α towards the partner")
    n = int(found["intervals"].max()) if len(found) else 0
    ax.set_title(f"Group coupling, {len(tappers)} tappers, {n} intervals each, 95 %")
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
