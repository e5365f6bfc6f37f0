"""Each plot takes an Axes, returns it, and says what it shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.projections.polar import PolarAxes
from matplotlib.testing.compare import compare_images

import chronotap as ct
from chronotap import plot, responses, statistics


@pytest.fixture
def simulated(examples: Path) -> ct.Simulation[pd.DataFrame]:
    return ct.simulate(examples / "synchronization_continuation.toml", seed=1)


def test_the_raster_has_a_line_for_each_stream_and_input(simulated: ct.Simulation[pd.DataFrame]) -> None:
    figure, ax = plt.subplots()
    assert plot.raster(simulated.events, ax) is ax
    labels = [text.get_text() for text in ax.get_yticklabels()]
    taps = (simulated.events["trial_type"] == "tap").sum()
    assert labels[0].startswith("pacing metronome (n = ")
    assert labels[1] == f"tap input (n = {taps})"
    plt.close(figure)


def test_asynchronies_say_how_many_taps_are_shown(simulated: ct.Simulation[pd.DataFrame]) -> None:
    ax = plot.asynchronies(simulated.taps)
    matched = (simulated.taps["fate"] == "matched").sum()
    assert ax.get_title() == f"{matched} of {len(simulated.taps)} taps answer a beat"
    assert np.size(ax.lines[0].get_xdata()) == matched
    plt.close("all")


def test_intervals_of_two_runs_differ_in_colour_and_marker() -> None:
    ax = plot.intervals([500, 510, 490], label="first")
    plot.intervals([400, 410, 390], ax, "second")
    first, second = ax.lines
    assert (first.get_color(), first.get_marker()) != (second.get_color(), second.get_marker())
    assert "SD 10.0 ms, n = 3" in str(first.get_label())
    plt.close("all")


def test_frames_are_drawn_by_their_columns_and_styled(simulated: ct.Simulation[pd.DataFrame]) -> None:
    taps = simulated.taps
    ax = plot.intervals(taps, by="stretch", color="red", linewidth=2.5)
    stretches = taps[taps["interval_ms"].notna()]["stretch"].nunique()
    assert len(ax.lines) == stretches > 1
    assert all(line.get_color() == "red" and line.get_linewidth() == 2.5 for line in ax.lines)
    first = taps["stretch"].iloc[0]
    assert str(ax.lines[0].get_label()).startswith(f"{first}, mean ")
    own = plot.asynchronies(taps, by=["input", "stretch"], color="black", markersize=9)
    assert own.lines[0].get_color() == "black" and own.lines[0].get_markersize() == 9
    points = plot.clock_and_motor(taps, by=["input", "stretch"], alpha=0.5)
    assert points.get_title().startswith(f"{stretches} runs")
    angles = taps.assign(angle_rad=2 * np.pi * taps["asynchrony_ms"] / 500)
    circle = plot.directions(angles, color="green")
    assert circle.get_title().endswith(f"n = {taps['asynchrony_ms'].notna().sum()}")
    with pytest.raises(ValueError, match="the frame has no column 'angle_rad'"):
        plot.directions(taps)
    shifts = responses.by_beat(taps[taps["trial"] == 0])
    assert plot.responses(responses.responses(shifts, {5: 20.0}), label="one").get_legend() is not None
    plt.close("all")


def test_directions_have_a_vector_of_length_r() -> None:
    ax = plot.directions([0.1, -0.1, 0.2])
    assert isinstance(ax, PolarAxes)
    found = ct.statistics.directions([0.1, -0.1, 0.2])
    assert np.asarray(ax.lines[0].get_ydata())[1] == found.resultant
    assert ax.get_title() == f"R = {found.resultant:.3f}, n = 3"
    plt.close("all")


def test_runs_outside_the_model_are_hollow_and_counted() -> None:
    random = np.random.default_rng(3)
    inside = random.normal(500, 20, 60) + np.diff(random.normal(0, 12, 61))
    ax = plot.clock_and_motor([inside, [500, 510, 520, 530, 540]], ["inside", "drifting"])
    assert ax.get_title() == "2 runs, 1 outside the model"
    with pytest.raises(ValueError, match="too few"):
        plot.clock_and_motor([[500, 501]])
    with pytest.raises(ValueError, match="2 runs and 1 labels"):
        plot.clock_and_motor([inside, inside], ["one"])
    plt.close("all")


def test_the_band_of_responses_holds_their_mean() -> None:
    found = [
        ct.responses.Response("phase shift", size, 0.0, (-size, -size / 2), (0.0, size / 2 + noise))
        for size, noise in ((50, 1.0), (-50, 2.0), (40, -1.0))
    ]
    ax = plot.responses(found, label="shifts")
    assert ax.lines[0].get_label() == "shifts, n = 3 perturbations"
    plot.responses(found, ax)
    assert ax.lines[0].get_marker() == "o" and ax.lines[3].get_marker() == "s"


def test_the_delay_curve_says_how_many_trials() -> None:
    trials = [(delay, [500 + delay / 10 + k, 501, 499, 502, 498, 500]) for delay in (0, 100) for k in (0, 3)]
    ax = plot.delay_curve(ct.responses.effects(trials))
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["delay alone (n = 4 trials)"]


def test_coupling_names_each_direction() -> None:
    table = pd.DataFrame(
        [("a", "b", 0.3, 0.1, 0.5, 99), ("b", "a", 0.1, -0.1, 0.3, 99)],
        columns=["tapper", "partner", "alpha", "low", "high", "intervals"],
    )
    ax = plot.coupling(table)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["b to a", "a to b"]
    assert ax.get_title() == "Group coupling, 2 tappers, 99 intervals each, 95 %"


def test_lateness_counts_every_sound() -> None:
    events = pd.DataFrame(
        {"trial_type": ["pacing"] * 3 + ["tap", "feedback"], "lateness_ns": [900, -100, 2_000_000, 5, 40_000]}
    )
    ax = plot.lateness(events, limit_us=1000)
    assert ax.get_title().startswith("4 sounds, median 20.4 µs, greatest 2000 µs")
    heights = [float(patch.get_height()) for patch in ax.patches if isinstance(patch, Rectangle)]
    assert sum(heights) == 4


RESPONSES = [
    ct.responses.Response(
        "phase shift", size, 0.0, (), tuple(size * (1 - 0.6**lag) + k for lag in range(9))
    )
    for k, size in enumerate((50.0, -50.0, 30.0, -30.0))
]
DELAYED = [
    (delay, 500 * (1 + delay / 2000) + np.array([0, 4, -3, 2, -5, 1]) + k)
    for delay in (0, 50, 100, 200)
    for k in range(4)
]
COUPLED = pd.DataFrame(
    [("left", "right", 0.42, 0.3, 0.54, 118), ("right", "left", 0.05, -0.06, 0.16, 118)],
    columns=["tapper", "partner", "alpha", "low", "high", "intervals"],
)
PICTURES: dict[str, Callable[[ct.Simulation[pd.DataFrame]], Axes]] = {
    "raster": lambda of: plot.raster(of.events),
    "asynchronies": lambda of: plot.asynchronies(of.taps),
    "intervals": lambda of: plot.intervals(np.diff(of.taps["onset_ns"]) / 1e6, label="all taps"),
    "directions": lambda of: plot.directions(
        statistics.angles(of.taps["asynchrony_ms"].dropna(), 500.0)
    ),
    "clock_and_motor": lambda of: plot.clock_and_motor([np.diff(of.taps["onset_ns"])[-30:] / 1e6]),
    "lateness": lambda of: plot.lateness(
        of.events.assign(lateness_ns=of.events["event_id"] ** 3), limit_us=1000
    ),
    "responses": lambda of: plot.responses(RESPONSES, label="made up"),
    "delay_curve": lambda of: plot.delay_curve(ct.responses.effects(DELAYED)),
    "coupling": lambda of: plot.coupling(COUPLED),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_the_one_that_was_looked_at(
    name: str, simulated: ct.Simulation[pd.DataFrame], tmp_path: Path
) -> None:
    """Against python/tests/pictures; `PICTURES=new` in the environment makes them again, to be
    looked at. What fonts and versions of matplotlib change lies within the tolerance."""
    expected = Path(__file__).with_name("pictures") / f"{name}.png"
    made = expected if os.environ.get("PICTURES") == "new" else tmp_path / expected.name
    with plt.style.context("default"):
        figure = PICTURES[name](simulated).get_figure(root=True)
        assert figure is not None
        figure.set_size_inches(6, 4)
        figure.savefig(made, dpi=60, metadata={"Software": None})
        plt.close(figure)
    differ = compare_images(str(expected), str(made), tol=12)
    assert differ is None


def test_frames_of_polars_and_arrow_are_drawn_as_those_of_pandas(examples: Path) -> None:
    trial = examples / "demo.toml"
    expected = ct.simulate(trial, seed=1)
    for kind in ("polars", "arrow"):
        found: Any = ct.simulate(trial, seed=1, frame=kind)
        for draw, name in ((plot.raster, "events"), (plot.asynchronies, "taps"), (plot.lateness, "events")):
            one, other = draw(getattr(found, name)), draw(getattr(expected, name))
            assert one.get_title() == other.get_title()
            assert [text.get_text() for text in one.get_yticklabels()] == [
                text.get_text() for text in other.get_yticklabels()
            ]
    plt.close("all")


def test_what_cannot_be_drawn_is_named(examples: Path) -> None:
    drawn: Any = plot
    simulated = ct.simulate(examples / "demo.toml", n=2, seed=1)
    mistakes: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: drawn.raster(simulated.events), ValueError, "events of 2 trials: give those of one"),
        (lambda: drawn.raster(simulated.taps), ValueError, "no column 'trial_type': give the events"),
        (lambda: drawn.asynchronies([1, 2]), TypeError, "give taps, as read_taps"),
        (lambda: drawn.lateness(simulated.events, 3), TypeError, "ax = 3: give an Axes"),
        (lambda: drawn.directions([0.1], plt.gca()), TypeError, "ax is not polar: make it by"),
        (lambda: drawn.directions([0.1], bins=0), ValueError, "bins = 0"),
        (lambda: drawn.intervals(["500"]), TypeError, "values are texts"),
        (lambda: drawn.delay_curve(simulated.taps, what="a"), ValueError, "what = 'a': there are"),
    ]
    for draw, error, said in mistakes:
        with pytest.raises(error, match=said):
            draw()
    plt.close("all")


def test_what_holds_nothing_is_drawn_without_a_warning(examples: Path) -> None:
    nothing = ct.simulate(examples / "demo.toml", n=0)
    assert "0 sounds" in plot.lateness(nothing.events).get_title()
    assert "0 of 0" in plot.asynchronies(nothing.taps).get_title()
    plot.raster(nothing.events)
    plot.clock_and_motor([])
    plt.close("all")
