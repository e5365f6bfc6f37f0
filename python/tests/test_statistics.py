"""Statistics of arrays and groups are those of the library, and agree with numpy where it has
them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chronotap import statistics
from chronotap._results import result_of

# Worked numbers of docs/statistics.md: ten asynchronies at an interval of 600 ms.
ASYNCHRONIES = [-30, -20, -45, 10, -5, -25, -60, 0, -15, -35]
INTERVALS = np.diff(600 * np.arange(10) + np.array(ASYNCHRONIES))

times = st.lists(st.integers(-10**9, 10**9).map(lambda ns: ns / 1e6), min_size=2, max_size=40)


def test_the_worked_example_comes_out() -> None:
    found = statistics.asynchrony(ASYNCHRONIES)
    assert (found.n, found.mean_ms, found.mean_absolute_ms) == (10, -22.5, 24.5)
    assert found.sd_ms == pytest.approx(21.245915, abs=1e-6)
    intervals = statistics.intervals(INTERVALS)
    assert (intervals.median_ms, intervals.n) == (585.0, 9)
    assert intervals.npvi == pytest.approx(7.762606006)
    levels = statistics.clock_and_motor(INTERVALS)
    assert levels.clock_unbiased_ms2 == pytest.approx(105.102041, abs=1e-6)
    assert levels.admissible is True
    circle = statistics.directions(statistics.angles(ASYNCHRONIES, 600))
    assert circle.resultant == pytest.approx(0.977911036)
    assert circle.rayleigh_p == pytest.approx(1.587993e-6)
    assert statistics.autocorrelation(ASYNCHRONIES).r == pytest.approx(-0.235384615)


def test_a_statistic_that_no_class_names_is_there_too() -> None:
    cells = {"n": 9, "range_ms": 33.0}
    known = dict.fromkeys(field.name for field in dataclasses.fields(statistics.Intervals))
    found = result_of(statistics.Intervals, {**known, **cells})
    assert isinstance(found, statistics.Intervals) and type(found).__name__ == "Intervals"
    assert str(found).splitlines()[-1].split() == ["range_ms", "33"]
    assert list(found.to_frame().columns) == [*known, "range_ms"]


@settings(deadline=None)
@given(times)
def test_mean_and_sd_agree_with_numpy(cells: list[float]) -> None:
    found = statistics.asynchrony(cells)
    assert found.mean_ms == pytest.approx(np.mean(cells), abs=1e-6)
    assert found.sd_ms == pytest.approx(np.std(cells, ddof=1), abs=1e-6)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-500, 500)), min_size=1))
def test_groups_give_what_each_gives_alone(rows: list[tuple[str, int]]) -> None:
    labels, cells = [row[0] for row in rows], [row[1] for row in rows]
    together = statistics.intervals(cells, labels)
    for label in dict.fromkeys(labels):
        alone = statistics.intervals([cell for of, cell in rows if of == label])
        for name in together.columns:
            (cell,) = together.loc[[label], name].tolist()
            assert (None if pd.isna(cell) else cell) == getattr(alone, name), (label, name)


def test_a_frame_of_labels_gives_an_index_of_several_levels() -> None:
    labels = pd.DataFrame({"participant": ["01", "01", "02"], "delay": [0, 0, 70]})
    found = statistics.asynchrony([1.0, 3.0, 5.0], labels)
    assert found.index.names == ["participant", "delay"]
    assert found.index.tolist() == [("01", 0), ("02", 70)]
    assert found["mean_ms"].tolist() == [2.0, 5.0]
    assert found["n"].dtype == pd.Int64Dtype()
    assert found["sd_ms"].isna().tolist() == [False, True]


def test_missing_values_and_missing_groups_are_refused_by_place() -> None:
    with pytest.raises(ValueError, match="value 1 is NaN"):
        statistics.directions([1.0, float("nan")])
    with pytest.raises(ValueError, match="value 1 has no group"):
        statistics.asynchrony([1.0, 2.0], ["a", None])
    with pytest.raises(ValueError, match="2 values and 1 groups"):
        statistics.asynchrony([1.0, 2.0], ["a"])
    with pytest.raises(ValueError, match="2 dimensions"):
        statistics.asynchrony([[1.0]])
    with pytest.raises(ValueError, match="interval_ms = 0"):
        statistics.angles([1.0], 0)


def test_no_statistic_with_a_lag_reaches_across_a_missed_tap() -> None:
    gap = [490.0, 510.0, np.nan, 490.0, 510.0]
    # About their mean of 500 two pairs of -100 each; their mean times 3 over the squares, 400.
    assert statistics.intervals(gap).lag_one == pytest.approx(-0.75)
    assert statistics.autocorrelation(gap).r == pytest.approx(-0.75)
    assert statistics.clock_and_motor(gap).pairs == 2
    assert statistics.clock_and_motor(gap, leave_out_slips=False).pairs == 2
    crossed = statistics.intervals([490.0, 510.0, 490.0, 510.0])
    assert statistics.intervals(gap).rmssd_ms == pytest.approx(20) == crossed.rmssd_ms
    apart = statistics.intervals([490.0, 510.0, np.nan, 610.0, 590.0])
    assert apart.rmssd_ms == pytest.approx(20)


def test_rows_of_a_frame_without_an_interval_part_their_neighbours_and_beats_that_were_missed_do() -> None:
    taps = pd.DataFrame(
        {
            "who": ["a"] * 5 + ["b"] * 2 + ["c"] * 2,
            "interval_ms": [490.0, 510.0, None, 610.0, 590.0, None, None, 500.0, 520.0],
            "asynchrony_ms": [-10.0, 10.0, -10.0, 10.0, None, 0.0, 0.0, -10.0, 10.0],
            "beat": pd.array([1, 2, 4, 5, None, 1, 2, 1, 2], dtype="Int64"),
        }
    )
    found = statistics.intervals(taps, by="who")
    assert found.index.tolist() == ["a", "c"]
    assert found["n"].tolist() == [4, 2]
    assert found.loc["a", "rmssd_ms"] == pytest.approx(20)
    of = statistics.asynchrony(taps, by=["who"])
    assert of["n"].tolist() == [4, 2, 2]
    assert of.loc["a", "lag_one"] == pytest.approx(-0.75)
    without = statistics.asynchrony(taps.drop(columns="beat"), by="who")
    assert without.loc["a", "lag_one"] == statistics.asynchrony([-10, 10, -10, 10]).lag_one


def test_nothing_and_one_value_are_described_as_far_as_they_go() -> None:
    assert statistics.asynchrony([]).mean_ms is None
    assert statistics.asynchrony([3]).sd_ms is None
    assert statistics.clock_and_motor([500, 501]).admissible is None
    assert statistics.fluctuation(np.arange(10)).exponent is None
    assert len(statistics.asynchrony([], [])) == 0


def test_results_print_and_turn_into_frames() -> None:
    found = statistics.asynchrony(ASYNCHRONIES)
    assert "mean_ms           -22.5" in str(found)
    assert found.to_frame()["mean_ms"].tolist() == [-22.5]


def test_groups_of_numbers_of_words_and_of_frames_are_the_same_groups() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    numbers = [7, 7, -3, 7, -3, 5]
    by_number = statistics.asynchrony(values, numbers)
    assert by_number.index.tolist() == [7, -3, 5] and by_number["n"].tolist() == [3, 2, 1]
    by_word = statistics.asynchrony(values, [f"trial {n}" for n in numbers])
    frame = pd.DataFrame({"a": numbers, "b": ["x", "x", None, "x", None, "x"]})
    by_frame = statistics.asynchrony(values, frame)
    assert by_frame.index.get_level_values("a").tolist() == [7, -3, 5]
    assert by_number["mean_ms"].tolist() == by_word["mean_ms"].tolist() == by_frame["mean_ms"].tolist()
