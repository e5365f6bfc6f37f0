"""Trials are simulated as the command simulates them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import chronotap as ct
from chronotap import _native

SCRIPTED = sorted(path.stem for path in (Path(__file__).parents[2] / "examples/performers").iterdir())


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_events_are_those_of_the_command(examples: Path, name: str) -> None:
    trial, script = examples / f"{name}.toml", examples / "performers" / f"{name}.tsv"
    seed = 1 if ct.check(trial).seed is None else None
    events = ct.simulate(trial, seed=seed, participant=script).events
    for column, cells in _native.read_table(examples / "expected" / f"{name}_events.tsv"):
        if column not in {"onset", "duration"}:
            found = [None if pd.isna(cell) else str(cell) for cell in events[column]]
            assert found == cells, column


def test_the_same_seed_gives_the_same_trials_whatever_their_number(examples: Path) -> None:
    trial = examples / "synchronization_continuation.toml"
    many = ct.simulate(trial, n=40, seed=5)
    again = ct.simulate(trial, n=40, seed=5)
    pd.testing.assert_frame_equal(many.events, again.events)
    alone = ct.simulate(trial, seed=44).events
    last = many.events[many.events["trial"] == 39]
    assert last["onset_ns"].tolist() == alone["onset_ns"].tolist()
    assert many.trials["seed"].tolist() == list(range(5, 45))


def test_the_participant_is_the_one_that_was_described(examples: Path) -> None:
    trial = examples / "synchronization_continuation.toml"
    simulated = ct.simulate(trial, n=50, seed=1, participant="tapper, mean = -80 ms")
    chosen = simulated.statistics.query("column == 'mean_asynchrony_ms' and stretch.isna()")
    assert len(chosen) == 50
    assert chosen["value"].mean() == pytest.approx(-80, abs=10)


TWO_HANDS = """
[input.left]
[input.right]
[feedback.tone]
[pacing.three]
interval = "400 ms"
beats = 30
answered_by = "right"
[pacing.two]
interval = "600 ms"
beats = 20
answered_by = "left"
[[when]]
time = "12 s"
end = true
"""


@pytest.mark.parametrize("preset", ["tapper", "musician"])
def test_a_participant_without_parameters_taps_with_each_hand_to_its_stream(preset: str) -> None:
    taps = ct.simulate(TWO_HANDS, seed=1, participant=preset).events.query("trial_type == 'tap'")
    for hand, stream in (("left", "two"), ("right", "three")):
        own = taps[taps["name"] == hand]
        assert len(own) > 10
        assert set(own["against"].dropna()) == {stream}
        assert abs(own["asynchrony_ns"].astype(float).mean()) < 50e6


def test_polars_and_arrow_hold_the_same(examples: Path) -> None:
    trial = examples / "delayed_feedback.toml"
    expected = ct.simulate(trial, n=3, seed=1)
    polars = ct.simulate(trial, n=3, seed=1, frame="polars")
    arrow = ct.simulate(trial, n=3, seed=1, frame="arrow")
    for part in ("events", "trials", "statistics"):
        frame = getattr(expected, part)
        for column in frame.columns:
            cells = [None if pd.isna(cell) else cell for cell in frame[column]]
            assert getattr(polars, part)[column].to_list() == cells, column
            assert getattr(arrow, part)[column].to_pylist() == cells, column


def test_without_a_seed_one_is_drawn_and_told(examples: Path) -> None:
    text = (examples / "demo.toml").read_text()
    seeds = {ct.simulate(text).trials["seed"][0] for _ in range(3)}
    assert len(seeds) > 1


def test_trials_that_the_bound_ends_are_told_of() -> None:
    endless = "[input.pad]\n[pacing.m]\ninterval = '500 ms'\n[feedback.tone]\n"
    with pytest.warns(UserWarning, match="^2 of 2 trials were still running after 5 s .* longest_s"):
        cut = ct.simulate(endless, n=2, participant="tapper", longest_s=5)
    assert set(cut.trials["ending"]) == {"the time limit"}
    trial = ct.Trial(
        pacing={"m": {"interval": "500 ms"}},
        feedback={"tone": {"delay": "0 ms"}},
        when=[{"time": "9 s", "end": True}],
    )
    study = ct.Experiment(
        {"t.toml": trial},
        task="one",
        trial="t.toml",
        participants=2,
        step=[{"name": "main", "repetitions": 1}],
    )
    with pytest.warns(UserWarning, match="^2 of 2 trials were still running after 5 s"):
        study.simulate(longest_s=5)
    study.simulate(longest_s=10)


def test_mistakes_name_the_nearest_word(examples: Path) -> None:
    trial = examples / "demo.toml"
    with pytest.raises(ValueError, match="did you mean 'tapper'"):
        ct.simulate(trial, participant="taper")
    with pytest.raises(ValueError, match="n = -1"):
        ct.simulate(trial, n=-1)
    assert len(ct.simulate(trial, n=0, seed=1).events) == 0


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"n": "3"}, TypeError, "n = '3': give a whole number"),
        ({"seed": -1}, ValueError, "seed = -1: give a whole number of 0 or more"),
        ({"seed": 1.5}, TypeError, "seed = 1.5: give a whole number"),
        ({"longest_s": 10**12}, ValueError, "longest_s = 1000000000000: .* at most"),
        ({"participant": None}, TypeError, "participant = None: give a description"),
        ({"participant": 3}, TypeError, "participant = 3: give a description"),
        ({"frame": "dask"}, ValueError, "frame = 'dask': there are 'pandas'"),
    ],
)
def test_what_is_asked_by_mistake_is_named(
    examples: Path, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        ct.simulate(examples / "demo.toml", **given)


def test_what_holds_frames_says_how_much_it_holds(examples: Path) -> None:
    simulated = ct.simulate(examples / "demo.toml", n=2, seed=1)
    events, taps = len(simulated.events), len(simulated.taps)
    assert repr(simulated) == f"<Simulation: 2 trials, {events} events, {taps} taps>"
    assert simulated == simulated and simulated != ct.simulate(examples / "demo.toml", n=2, seed=1)
    assert len({simulated}) == 1


@pytest.mark.parametrize("frame", ["pandas", "polars", "arrow"])
def test_a_notebook_shows_counts_and_the_first_trials(examples: Path, frame: Any) -> None:
    some = ct.simulate(examples / "synchronization_continuation.toml", n=7, seed=5, frame=frame)
    page = some._repr_html_()
    assert page.startswith("<p>&lt;Simulation: 7 trials, ")
    assert all(f"<td>{seed}</td>" in page for seed in range(5, 10)) and "<td>11</td>" not in page
