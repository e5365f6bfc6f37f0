"""Responses, effects and couplings find what the data were made with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chronotap as ct
from chronotap import onsets, responses

SHIFTS = {20: -50.0, 35: 50.0, 50: -50.0, 65: 50.0}
TRIAL = ct.Trial(
    pacing={
        "metronome": {
            "interval": "500 ms",
            "beats": 80,
            "change": [{"at": beat, "phase_shift": f"{size:g} ms"} for beat, size in SHIFTS.items()],
        }
    },
    input={"pad": {}},
    when=[{"time": "42 s", "end": True}],
)


def found(alpha: float, n: int = 10) -> list[responses.Response]:
    who = f"steady, alpha = {alpha}, clock = 6 ms, motor = 2 ms"
    taps = ct.simulate(TRIAL, n=n, seed=1, participant=who).taps
    trials = [part for _, part in taps.groupby("trial")]
    return [one for trial in trials for one in responses.responses(responses.by_beat(trial), SHIFTS)]


def test_the_response_at_lag_one_is_phase_correction() -> None:
    all_of_them = found(0.4)
    assert len(all_of_them) == 40
    table: Any = responses.curve(all_of_them).set_index("lag")
    assert table.loc[0, "share"] == pytest.approx(0, abs=0.1)
    assert table.loc[1, "low"] < 0.4 < table.loc[1, "high"]
    assert table.loc[8, "share"] == pytest.approx(1, abs=0.15)
    assert responses.gain(all_of_them).overall.value == pytest.approx(0.4, abs=0.1)
    assert 1 - responses.relaxation(all_of_them).factor.value == pytest.approx(0.4, abs=0.1)


def test_a_response_is_the_shift_against_the_baseline() -> None:
    cells = [-20.0] * 10 + [-70.0, -50.0, -30.0, np.nan]
    (one,) = responses.responses(cells, {11: 50.0}, after=3)
    assert (one.baseline_ms, one.size_ms) == (-20, 50)
    assert one.asynchronies_ms == (-50, -30, -10, None)
    assert one.shifts_ms == (0, 20, 40, None)
    assert responses.responses(cells, {1: 50.0}) == []
    with pytest.raises(ValueError, match="'onset shift'"):
        responses.responses(cells, {11: 50.0}, kind="jump")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="too few"):
        responses.gain([one])


def test_beats_of_several_trials_are_refused() -> None:
    taps = ct.simulate(TRIAL, n=2, seed=1).taps
    with pytest.raises(ValueError, match="choose one trial"):
        responses.by_beat(taps)
    assert len(responses.by_beat(taps[taps["trial"] == 0])) <= 80


def test_delays_that_slow_are_found_against_none() -> None:
    random = np.random.default_rng(1)
    trials = [
        (delay, random.normal(500 * slower, 10, 30))
        for delay, slower in [(0, 1.0), (100, 1.05), (200, 1.1)]
        for _ in range(8)
    ]
    table: Any = responses.effects(trials).set_index("delay_ms")
    assert table.loc[0, "slowing_percent"] == 0
    assert table.loc[100, "slowing_percent_low"] < 5 < table.loc[100, "slowing_percent_high"]
    assert table.loc[200, "interval_ms"] == pytest.approx(550, abs=3)
    assert table["trials"].tolist() == [8, 8, 8]


def test_altered_tones_slow_the_interval_that_begins_with_them() -> None:
    intervals = np.random.default_rng(2).normal(400, 3, 120)
    altered = list(range(10, 110, 10))
    intervals[altered] += 12
    table: Any = responses.isolated(intervals, altered).set_index("lag")
    assert table.loc[0, "difference_ms"] == pytest.approx(12, abs=3)
    assert table.loc[1, "difference_ms_low"] < 0 < table.loc[1, "difference_ms_high"]
    assert table["matched"].tolist() == [10, 10, 10]


def test_who_predicts_is_told_from_who_follows() -> None:
    pacing = 500 + 30 * np.sin(np.arange(60) / 4)
    predicts = responses.tracking(pacing, pacing)
    follows = responses.tracking(np.concatenate([[500.0], pacing[:-1]]), pacing)
    assert predicts.r0_less_own == pytest.approx(1)
    assert follows.r1_less_own == pytest.approx(1, abs=0.05)


def test_who_misses_taps_tracks_the_interval_before_and_none_across_a_miss() -> None:
    pacing = 500 + 50 * np.random.default_rng(4).normal(size=60)
    taps = np.concatenate([[500.0], pacing[:-1]])
    taps[[3, 4, 20, 33, 34, 50]] = np.nan
    whole, found = responses.tracking(pacing, pacing), responses.tracking(taps, pacing)
    assert found.n == 54
    assert found.own == pytest.approx(whole.own)
    assert found.r1 == pytest.approx(1, abs=1e-3)
    table = responses.tracking(taps, pacing, ["a"] * 60, intervals=True)
    assert table.loc["a", "own"] == pytest.approx(whole.own)
    with pytest.raises(ValueError, match="missing"):
        responses.tracking(pacing, taps)
    with pytest.raises(ValueError, match="pacing"):
        responses.tracking(taps[:50], pacing)


def pair(first_to_second: float, second_to_first: float) -> Any:
    random, at, all_of_them = np.random.default_rng(3), np.zeros(2), []
    for _ in range(200):
        all_of_them.append(at + random.normal(0, 4, 2))
        apart = all_of_them[-1] - all_of_them[-1][::-1]
        at = at + 500 + random.normal(0, 10, 2) - np.array([first_to_second, second_to_first]) * apart
    first, second = np.array(all_of_them).T
    return first, second


def test_coupling_goes_the_way_it_was_made() -> None:
    first, second = pair(0.0, 0.5)
    first[50] = np.nan
    table: Any = onsets.coupling({"a": first, "b": second}).set_index(["tapper", "partner"])
    assert table.loc[("b", "a"), "low"] > 0.2
    assert abs(table.loc[("a", "b"), "alpha"]) < 0.25


def test_trials_whose_mean_offsets_differ_are_each_less_their_own_mean_where_that_is_asked_for() -> None:
    """Each corrects .4 of the asynchrony to the other; in each trial the offset of the second differs."""
    random = np.random.default_rng(3)
    firsts, seconds, trials = [], [], []
    for trial in range(12):
        first, second = pair(0.4, 0.4)
        firsts += first.tolist()
        seconds += (second + random.normal(0, 20)).tolist()
        trials += [trial] * len(first)
    columns = {"a": np.array(firsts), "b": np.array(seconds)}
    runs = np.array(trials)
    gap = np.flatnonzero(np.diff(runs)) + 1  # a missing onset ends a stretch
    for column in columns.values():
        column[gap] = np.nan
    of: Any = {means: onsets.coupling(columns, means=means) for means in ("pooled", "of each run")}
    assert (of["pooled"]["alpha"] < 0.25).all(), "towards 0"
    assert ((of["of each run"]["alpha"] - 0.4).abs() < 0.1).all()


def test_a_metronome_follows_nobody() -> None:
    taps = ct.simulate(TRIAL.changed({"pacing.metronome.change": None}), seed=1).taps
    matched = taps[taps["fate"] == "matched"]
    onset, beat = matched["onset_ns"] / 1e6, matched["beat_onset_ns"].astype(float) / 1e6
    table: Any = onsets.coupling({"tapper": onset, "metronome": beat})
    assert table["tapper"].tolist() == ["tapper"]


def test_taps_are_matched_to_the_closest_beat_once() -> None:
    table: Any = onsets.match([1000, 1500, 2000, 2500], [980, 1020, 1530, 2700])
    assert table["beat"].tolist() == [0, 1, 3]
    assert table["asynchrony_ms"].tolist() == [-20, 30, 200]
    apart = onsets.together([1000, 1500, 2000, 2500], [980, 1480, 1980, 2480])
    assert (apart.n, apart.mean_ms, apart.relative_distance) == (4, -20, 0.04)


def test_the_level_of_the_metre_is_told() -> None:
    beats = np.arange(20) * 500.0
    assert onsets.tapping(beats, beats + 250).mode == "anti-phase"
    half = onsets.tapping(beats, np.arange(40) * 250.0)
    assert (half.taps, half.beats, half.mode) == (2, 1, "in phase")


def test_rhythms_drift_towards_simple_ratios() -> None:
    found = onsets.reproduction([240, 460], [[236, 464], [235, 470], [238, 462], [700]])
    assert (found.complete, found.incomplete) == (3, 1)
    assert found.intervals["drift"].iloc[0] > 0
    assert found.tempo is not None and found.tempo.value == pytest.approx(1.0, abs=0.01)


def test_rules_of_cleaning_mark_and_leave_the_data() -> None:
    taps = [0.0, 500, 515, 1000, 1500, 2900, 3400]
    table: Any = onsets.clean(taps, slips=True)
    assert table["tap_left_out"].notna().tolist() == [False, False, True, False, False, False, False]
    assert table["interval_left_out"].notna().sum() == 1
    assert onsets.clean(taps, debounce_ms=None)["tap_left_out"].isna().all()
