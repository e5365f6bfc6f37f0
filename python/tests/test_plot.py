"""Each plot takes an Axes, returns it, and says what it shows."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.projections.polar import PolarAxes

import chronotap as ct
from chronotap import plot


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
