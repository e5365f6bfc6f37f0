"""What is said of beats, of more than two people, and of lateness is what the worked numbers of the
library and a plain computation in numpy say; of groups, what each says alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from chronotap import models, onsets, statistics

RANDOM = np.random.default_rng(7)
# The example of docs/statistics.md: two taps at the third beat, none at the fifth, one behind the last.
BEATS = 600.0 * np.arange(10)
TAPS = np.array([-20, 570, 1190, 1195, 1795, 2990, 3610, 4150, 4810, 5400, 5720.0])


def section(labels: list[str], count: int) -> Any:
    return np.repeat(labels, count)


def test_hits_are_the_worked_example() -> None:
    found = onsets.hits(BEATS, TAPS, window=0.5)
    assert (found.beats, found.taps, found.matched, found.missed) == (10, 11, 9, 1)
    assert (found.extra + found.unpaced, found.hit_rate) == (2, 0.9)
    pairs = onsets.match(BEATS, TAPS, window=0.5)
    assert pairs["asynchrony_ms"].iloc[2] == -10  # the first of the two
    assert set(range(10)) - set(pairs["beat"]) == {4}
    assert models.share(found.matched, found.beats).share == found.hit_rate
    assert onsets.hits([], []).hit_rate is None


def test_hits_by_group_are_those_of_each() -> None:
    taps = {"all": BEATS + RANDOM.normal(0, 20, 10), "few": BEATS[::2], "none": np.zeros(0), "odd": TAPS}
    of_beats = section(list(taps), 10)
    of_taps = np.concatenate([section([name], len(cells)) for name, cells in taps.items()])
    given = np.tile(BEATS, 4), np.concatenate(list(taps.values())), (of_beats, of_taps)
    for optimal in (False, True):
        together = onsets.hits(*given, optimal=optimal)
        for name, cells in taps.items():
            alone = onsets.hits(BEATS, cells, optimal=optimal).to_frame().to_dict("records")
            assert together.loc[[name]].to_dict("records") == alone
    assert together["hit_rate"].tolist() == pytest.approx([1, 0.5, 0, 0.9])
    assert together["matched"].dtype == pd.Int64Dtype()


def best(beats: Any, taps: Any, reach: float) -> tuple[int, float]:
    """Of all ways to give each beat at most one tap in order: the most pairs, the least distance."""
    found = (0, 0.0)
    for count in range(1, min(len(beats), len(taps)) + 1):
        for of_beats in combinations(beats, count):
            for of_taps in combinations(taps, count):
                apart = np.abs(np.array(of_beats) - np.array(of_taps))
                if (apart <= reach).all():
                    found = max(found, (count, -float(apart.sum())))
    return found


def test_optimal_matching_is_the_best_of_all_ways() -> None:
    # Both taps are closest to the second beat, so that the first has none.
    assert onsets.match([0, 100], [60, 170], window=0.8)["beat"].tolist() == [1]
    assert onsets.match([0, 100], [60, 170], window=0.8, optimal=True)["beat"].tolist() == [0, 1]
    many_beats: list[float] = []
    many_taps: list[float] = []
    of_beats: list[int] = []
    of_taps: list[int] = []
    for trial in range(12):
        beats = list(100.0 * np.arange(6))
        taps = sorted(RANDOM.uniform(-60, 560, 5).round(3).tolist())
        found = onsets.match(beats, taps, window=0.8, optimal=True)
        score = best(beats, taps, 80)
        assert (len(found), -found["asynchrony_ms"].abs().sum()) == pytest.approx(score)
        many_beats += beats
        many_taps += taps
        of_beats += [trial] * 6
        of_taps += [trial] * 5
    together = onsets.match(many_beats, many_taps, (of_beats, of_taps), window=0.8, optimal=True)
    rows = together.loc[[11]].reset_index(drop=True)
    assert rows["asynchrony_ms"].tolist() == found["asynchrony_ms"].tolist()
    with pytest.raises(ValueError, match="window = 40"):
        onsets.match([0, 500], [3], window=40)


def test_positions_are_those_of_interpolation() -> None:
    beats = np.cumsum(RANDOM.normal(500, 30, 20))
    taps = np.sort(RANDOM.uniform(beats[0], beats[-1], 50))
    found = onsets.positions(beats, taps, taps_per_beat=2)
    places = np.interp(taps, beats, np.arange(20))
    assert found["position_beats"].to_numpy() == pytest.approx(places, abs=1e-6)
    assert np.exp(1j * found["angle_rad"].to_numpy()) == pytest.approx(np.exp(4j * np.pi * places), abs=1e-5)
    groups = np.repeat(["a", "b"], 20), np.repeat(["a", "b"], 50)
    both = onsets.positions(np.tile(beats, 2), np.tile(taps, 2), groups, taps_per_beat=2)
    assert both.loc[["b"], "angle_rad"].tolist() == found["angle_rad"].tolist()
    with pytest.raises(ValueError, match="taps_per_beat = 0"):
        onsets.positions([0, 1], [0], taps_per_beat=0)


def four(moments: int = 30) -> dict[str, Any]:
    beats = 500.0 * np.arange(moments) + 1000
    early = {"a": 30, "b": 20, "c": -20}
    taps = {name: beats - by + RANDOM.normal(0, 8, moments) for name, by in early.items()}
    return {"metronome": beats, **taps}


def test_an_ensemble_is_what_numpy_says_of_its_columns() -> None:
    given = four()
    found = onsets.ensemble(given, "metronome")
    apart = np.array([given[name] - given["metronome"] for name in "abc"])
    assert found.spread_ms.value == pytest.approx(apart.std(axis=0, ddof=1).mean(), abs=1e-5)
    assert found.asynchrony_ms.value == pytest.approx(apart.mean(), abs=1e-5)
    assert found.asynchrony_sd_ms == pytest.approx(apart.mean(axis=0).std(ddof=1), abs=1e-5)
    for name, mean in zip("abc", (apart - apart.mean(axis=0)).mean(axis=1)):
        assert found.lead_ms[name].value == pytest.approx(mean, abs=1e-5)
        assert found.lead_ms[name].low < mean < found.lead_ms[name].high
    assert (found.moments, found.incomplete) == (30, 0)
    assert "a -" in str(found) and "lead_ms_c_low" in found.to_frame()


def test_a_moment_without_a_tap_of_somebody_is_left_out() -> None:
    given = four()
    gaps = {**given, "b": np.where(np.arange(30) == 4, np.nan, given["b"])}
    found = onsets.ensemble(gaps, "metronome")
    assert (found.moments, found.incomplete) == (29, 1)
    tapped = onsets.ensemble({name: given[name] for name in "abc"}, "a", members=["a", "b", "c"])
    assert tapped.asynchrony_ms.value == pytest.approx(
        np.mean([given[name] - given["a"] for name in "abc"]), abs=1e-5
    )
    with pytest.raises(ValueError, match="too few"):
        onsets.ensemble({"metronome": given["metronome"], "a": given["a"]}, "metronome")
    with pytest.raises(ValueError, match="'d' has no onsets: there are 'metronome', 'a'"):
        onsets.ensemble({"metronome": [0], "a": [0]}, "d")


def test_ensembles_of_groups_are_those_of_each() -> None:
    each = {"x": four(), "y": four(), "short": four(4)}
    each["y"]["b"][3] = np.nan
    names = list(each["x"])
    columns = {name: np.concatenate([one[name] for one in each.values()]) for name in names}
    of = np.repeat(list(each), [30, 30, 4])
    together: Any = onsets.ensemble(columns, "metronome", of, seed=3)
    # Lists of different lengths have labels each.
    there = {name: ~np.isnan(cells) for name, cells in columns.items()}
    lists = {name: cells[there[name]] for name, cells in columns.items()}
    labels = {name: of[there[name]] for name in names}
    assert onsets.ensemble(lists, "metronome", labels, seed=3).equals(together)
    for label in ("x", "y"):
        alone = onsets.ensemble(each[label], "metronome", seed=3).to_frame().dropna(axis=1)
        for name in alone.columns:
            assert together.loc[label, name] == alone.loc[0, name]
    assert "too few" in together.loc["short", "why_not"]
    with pytest.raises(ValueError, match="no labels of 'b'"):
        onsets.pairs({"a": [1], "b": [2]}, {"a": ["x"]})
    with pytest.raises(ValueError, match="'b' has 2 onsets and 1 labels"):
        onsets.pairs({"a": [1], "b": [2, 3]}, ["x"])


def test_mutual_asynchronies_are_those_of_each_two() -> None:
    given, other = four(), four()
    found = onsets.pairs(given)
    assert list(zip(found["first"], found["second"])) == list(combinations(given, 2))
    for row in found.to_dict("records"):
        alone = onsets.together(given[row["first"]], given[row["second"]])
        assert (row["mean_ms"], row["sd_ms"], row["n"]) == (alone.mean_ms, alone.sd_ms, alone.n)
    both = {name: np.concatenate([given[name], other[name]]) for name in given}
    together = onsets.pairs(both, pd.Series(np.repeat([1, 2], 30), name="trial"))
    assert together.index.name == "trial" and together.index.tolist() == [1] * 6 + [2] * 6
    assert together.loc[[2], "mean_ms"].tolist() == onsets.pairs(other)["mean_ms"].tolist()
    with pytest.raises(ValueError, match="two or more"):
        onsets.pairs({"a": [1.0]})


def test_lateness_is_described_as_in_a_summary() -> None:
    found = statistics.lateness([-1500, 3, 1000, 1000.001])
    assert (found.over_limit, found.max_us, found.min_us) == (2, 1000.001, -1500)
    late = RANDOM.exponential(30, 997).round(3) - 1
    found = statistics.lateness(late, limit_us=100)
    assert found.mean_us == pytest.approx(late.mean())
    for name, share in (("median_us", 0.5), ("p99_us", 0.99)):
        assert getattr(found, name) == np.quantile(late, share, method="inverted_cdf")
    assert found.over_limit == (np.abs(late) > 100).sum()
    assert statistics.lateness([]).mean_us is None and statistics.lateness([]).over_limit == 0


def test_lateness_by_group_and_its_buckets() -> None:
    late = RANDOM.exponential(30, 900).round(3) - 1
    of = RANDOM.permutation(np.repeat(["a", "b", "c"], 300))
    together = statistics.lateness(late, of, limit_us=50)
    buckets = statistics.lateness_histogram(late, of)
    for label in "abc":
        alone = statistics.lateness(late[of == label], limit_us=50).to_frame().to_dict("records")
        assert together.loc[[label]].to_dict("records") == alone
        rows = buckets.loc[[label]].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, statistics.lateness_histogram(late[of == label]))
        edges = [-np.inf, *rows["below_us"].iloc[:-1], np.inf]
        counts, _ = np.histogram(late[of == label], edges)
        assert rows["count"].tolist() == counts.tolist()
    assert rows["from_us"].isna().tolist() == [True] + [False] * 20


def test_the_cross_correlation_is_that_of_numpy_about_the_means_of_all() -> None:
    first = RANDOM.normal(500, 20, 60).round(6)
    second = (np.roll(first, 1) + RANDOM.normal(0, 5, 60)).round(6)
    x, y = first - first.mean(), second - second.mean()
    scale = np.sqrt((x**2).sum() * (y**2).sum())
    for lag, product in ((0, (x * y).sum()), (1, (x[:-1] * y[1:]).sum()), (-2, (x[2:] * y[:-2]).sum())):
        assert statistics.cross_correlation(first, second, lag=lag).r == pytest.approx(product / scale)
    follows = models.following(first, second)
    assert statistics.cross_correlation(first, second, lag=1).r == pytest.approx(follows.second_follows)
    together = statistics.cross_correlation(first, second, np.repeat([1, 2], 30), lag=1)
    assert together.loc[2, "r"] == statistics.cross_correlation(first[30:], second[30:], lag=1).r
    assert statistics.cross_correlation([1, 1, 1], [1, 2, 3]).r is None


def test_the_logit_and_chosen_windows_are_the_worked_numbers() -> None:
    early = [-30, -20, -45, 10, -5, -25, -60, 0, -15, -35]
    circle = statistics.directions(statistics.angles(early, 600))
    assert circle.logit == pytest.approx(3.790340588)
    noise = np.random.default_rng(0).standard_normal(1024)
    windows = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
    line = models.fluctuation_line(noise, windows=windows)
    assert line.exponent == pytest.approx(0.5247935262988298, abs=1e-12)
    together = models.fluctuation_line(noise, ["a"] * 1024, windows=windows)
    assert together["window"].tolist() == windows
    assert together["exponent"].tolist() == [line.exponent] * len(windows)
