"""What users give by mistake is refused with what is wrong and what to give instead, alike by every
function, for one run of values and for groups."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import chronotap

# As by users without a type checker: what is tested here are mistakes in types, too.
ct: Any = chronotap
models, onsets, responses, statistics = ct.models, ct.onsets, ct.responses, ct.statistics

ONE: list[Callable[..., Any]] = [
    statistics.asynchrony,
    statistics.autocorrelation,
    statistics.directions,
    statistics.fluctuation,
    statistics.intervals,
    statistics.lateness,
    models.mean,
    models.mixture,
    models.v_test,
]
PARTED: list[Callable[..., Any]] = [statistics.asynchrony, statistics.autocorrelation, statistics.intervals]
"""Those in which a missing value parts its neighbours."""
TWO: list[Callable[..., Any]] = [
    models.difference,
    models.following,
    onsets.hits,
    onsets.match,
    onsets.together,
    responses.tracking,
    statistics.cross_correlation,
]
NO_NUMBERS = {
    "texts": ["1", "2"] * 20,
    "texts of pandas": pd.Series(["1", "2"] * 20),
    "texts of arrow": pa.array(["1", "2"] * 20),
    "durations": [timedelta(seconds=1)] * 40,
    "durations of polars": pl.Series([timedelta(seconds=1)] * 40),
    "dates": [date(2020, 1, 1)] * 40,
    "dates of pandas": pd.date_range("2020", periods=40),
    "complex numbers": np.ones(40, dtype=complex),
    "records": np.zeros(40, dtype=[("a", "f8")]),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_are_no_numbers_is_a_type_error_that_says_so(name: str) -> None:
    values, kind = NO_NUMBERS[name], name.split(" of ")[0]
    for call in ONE:
        for groups in ((), ([0] * 40,)) if call is not models.v_test else ((),):
            with pytest.raises(TypeError, match=f"values are {kind}: give numbers"):
                call(values, *groups)
    for call in TWO:
        with pytest.raises(TypeError, match=f"values are {kind}: give numbers"):
            call(values, values)


@pytest.mark.parametrize("values", [5.0, None, {1.0, 2.0}, {"a": 1.0}, (cell for cell in [1.0])])
def test_what_is_no_run_of_values_is_a_type_error(values: Any) -> None:
    for call in ONE:
        with pytest.raises(TypeError, match=r"^values = .*: give a list, an array or a column"):
            call(values)


def test_missing_values_are_refused_with_their_place_masked_ones_too() -> None:
    masked = np.ma.array(np.ones(40), mask=[False, True] + [False] * 38)
    nothing = [[1.0, None] * 20, [1.0, pd.NA] * 20, pd.Series([1, None] * 20, dtype="Int64"), pl.Series([1.0, None] * 20)]
    for values in (masked, *nothing):
        for call in (of for of in ONE if of not in PARTED):
            with pytest.raises(ValueError, match="value 1 is NaN: leave missing values out first"):
                call(values)
        for call in PARTED:
            assert call(values).n == (39 if values is masked else 20), call


def test_shapes_other_than_one_run_are_refused() -> None:
    for call in ONE:
        with pytest.raises(ValueError, match="values of 2 dimensions"):
            call(np.ones((20, 2)))
        with pytest.raises(ValueError, match="several lengths"):
            call([[1.0, 2.0], [3.0]])


def test_times_that_are_no_times_are_refused_alike_alone_and_in_groups() -> None:
    for call in (statistics.asynchrony, models.clock_and_motor_levels):
        for groups in ((), ([0] * 50,)):
            with pytest.raises(ValueError, match="value 0 is 1e300: give values of at most 9e9"):
                call([1e300] * 50, *groups)


def test_values_in_any_unit_may_be_great_and_their_estimates_print() -> None:
    nanoseconds = [1.5e10, 2.5e10, 3.5e10]
    assert models.mean(nanoseconds).value == 2.5e10
    assert models.mean(nanoseconds, ["a"] * 3)["mean"].tolist() == [2.5e10]
    assert str(models.mean([1e74, 2e74, 3e74])).startswith("2e+74")
    with pytest.raises(ValueError, match="at most 1e75"):
        models.mean([1e300, 1e300])


def test_numbers_of_every_kind_are_taken() -> None:
    whole = list(range(1, 41))
    alike: list[Any] = [np.array(whole, dtype=kind) for kind in ("i1", "u8", "f2", "f4", ">f8")]
    alike += [pd.Series(whole, dtype="Float64"), pl.Series(whole), pa.array(whole), range(1, 41)]
    alike += [[Decimal(n) for n in whole], np.repeat(np.array(whole, dtype=float), 2)[::2]]
    fixed = np.array(whole, dtype=float)
    fixed.setflags(write=False)
    for values in (*alike, fixed):
        assert statistics.asynchrony(values).mean_ms == 20.5
        assert models.mean(values).value == 20.5


@pytest.mark.parametrize("groups", ["a", {"a"}, {"a": 1}, 1, np.array("a")])
def test_what_are_no_labels_is_a_type_error(groups: Any) -> None:
    with pytest.raises(TypeError, match=r"^groups = .*: give one label for each value"):
        models.mean([1.0, 2.0], groups)


def test_labels_are_refused_where_they_do_not_fit() -> None:
    with pytest.raises(ValueError, match="2 dimensions: give a frame"):
        models.mean([1.0, 2.0], np.zeros((2, 2)))
    with pytest.raises(TypeError, match="unhashable.*give texts or numbers"):
        models.mean([1.0, 2.0], [["a"], ["a"]])
    with pytest.raises(ValueError, match="4 intervals and 2 groups"):
        responses.isolated([1.0] * 4, [1], ["a", "b"])


def test_a_missing_label_is_named_by_all_that_take_groups() -> None:
    labels = ["a", None]
    trial = (0.0, [500.0, 510.0, 490.0])
    calls: list[Callable[[], Any]] = [
        lambda: models.mean([1.0, 2.0], labels),
        lambda: models.reproduction_estimates([[1.0], [2.0]], labels),
        lambda: onsets.reproduction([500.0], [[500.0], [510.0]], labels),
        lambda: responses.effects([trial, trial], labels),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"(value|round|reproduction|trial) 1 has no group"):
            call()


def test_labels_of_any_kind_keep_their_name_and_order() -> None:
    named = pd.Series([7, 7, 5], name=0)
    assert models.mean([1.0, 2.0, 3.0], named).index.name == 0
    twice = pd.DataFrame([["x", "y"]] * 2, columns=["c", "c"])
    assert models.mean([1.0, 2.0], twice).index.tolist() == [("x", "y")]
    assert models.mean([1.0, 2.0], iter("bb")).index.tolist() == ["b"]
    beats, labels = [0.0, 1.0], ["a", "b"]
    assert len(onsets.match(beats, beats, (iter(labels), iter(labels)))) == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: statistics.autocorrelation([1, 2], lag=-1), "lag = -1: give a whole number of 0"),
        (lambda: statistics.lateness([1], limit_us=np.nan), "limit_us = nan: give a number from 0"),
        (lambda: statistics.angles([1, 2, 3], [500, 500]), "3 asynchronies and 2 intervals"),
        (lambda: statistics.fluctuation([1.0], seed=2**64), "seed = 18446744073709551616: "),
        (lambda: models.v_test([1.0], np.inf), "expected_rad = inf: give a number"),
        (lambda: models.runs([1, 2], [1, 2], [0, 0], beats=[1]), "2 taps and 1 beats"),
        (lambda: onsets.clean([1, 2], [1]), "2 onsets and 1 asynchronies"),
        (lambda: onsets.clean([1, 2], debounce_ms=-1), "debounce_ms = -1: give a number from 0"),
        (lambda: onsets.match([0], [0], window=np.nan), "window = nan: "),
        (lambda: responses.effects([(np.nan, [500.0])]), "delay = nan: give a number"),
        (lambda: responses.responses([1.0] * 9, {0: 5}), "beat = 0: give a whole number of 1"),
        (lambda: responses.responses([1.0] * 9, {5: np.nan}), "size = nan: give a number"),
        (lambda: responses.gain(pd.DataFrame({"a": [1]})), "these are no responses"),
    ],
)
def test_parameters_that_mean_nothing_are_value_errors(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: statistics.autocorrelation([1, 2], lag=1.5), "lag = 1.5: give a whole number"),
        (lambda: models.phase_correction([1, 2]), r"give \[\(taps_ms, \[beats_ms\]\)"),
        (lambda: responses.effects([1, 2]), r"give \(delay_ms, intervals_ms\)"),
        (lambda: responses.gain(["a"]), "give responses"),
        (lambda: onsets.match([0], [0], window="a"), "window = 'a': give a number"),
    ],
)
def test_parameters_of_another_kind_are_type_errors(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        call()


def test_means_that_are_known_beforehand_are_taken_off() -> None:
    random = np.random.default_rng(3)
    beats, asynchronies = 500.0 * np.arange(200), np.zeros(200)
    for tap in range(1, 200):
        asynchronies[tap] = 0.6 * asynchronies[tap - 1] + random.normal(0, 10)
    run = (beats + asynchronies - 25, [beats])
    known = models.phase_correction([run], means=(500.0, [-25.0]))
    assert known.alpha[0].low < 0.4 < known.alpha[0].high
    assert known != models.phase_correction([run])
    by_group = models.phase_correction([run, run], ["a", "b"], means=(500.0, [-25.0]))
    assert by_group["alpha"].tolist() == [known.alpha[0].value] * 2
    with pytest.raises(ValueError, match="known means"):
        models.phase_correction([run], means=(500.0, [-25.0, 0.0]))
    with pytest.raises(ValueError, match=r"give \(interval_ms, \[asynchrony_ms"):
        models.phase_correction([run], means=500.0)
    with pytest.raises(ValueError, match="there are 'of each run' and 'pooled'"):
        models.phase_correction([run], means="each")


def test_columns_of_onsets_may_be_a_frame_of_any_library() -> None:
    beats = 500.0 * np.arange(20)
    columns = {"a": beats, "b": beats + 10, "c": beats - 10}
    expected = onsets.pairs(columns)
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        pd.testing.assert_frame_equal(onsets.pairs(frame), expected)
    with pytest.raises(TypeError, match="give a dictionary, such as"):
        onsets.pairs([beats, beats])
    with pytest.raises(ValueError, match="name each once"):
        onsets.ensemble(columns, "a", members=["b", "b"])


def test_partners_may_be_a_frame() -> None:
    beats = 500.0 * np.arange(20)
    taps = beats + np.random.default_rng(1).normal(0, 10, 20)
    frame = pd.DataFrame({"one": beats, "other": beats + 100})
    found, _ = models.runs(taps, frame, [0] * 20)
    assert [column.tolist() for column in found[0][1]] == [beats.tolist(), (beats + 100).tolist()]


def test_what_an_interval_is_compared_with_may_be_words() -> None:
    intervals = np.random.default_rng(2).normal(500, 10, 40)
    words, numbers = list("abcd") * 10, list(range(4)) * 10
    by_word = responses.isolated(intervals, [5, 22], matches=words)
    pd.testing.assert_frame_equal(by_word, responses.isolated(intervals, [5, 22], matches=numbers))
    with pytest.raises(ValueError, match="matches: number 1 is missing"):
        responses.isolated(intervals[:2], [0], matches=["a", None])


def test_taps_by_beat_come_from_frames_of_any_library() -> None:
    metronome = "[pacing.m]\ninterval = '500 ms'\nbeats = 9\n[[when]]\ntime = '5 s'\nend = true\n"
    expected = responses.by_beat(ct.simulate(metronome, seed=1).taps)
    for kind in ("polars", "arrow"):
        found = responses.by_beat(ct.simulate(metronome, seed=1, frame=kind).taps)
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="no column 'asynchrony_ms': give taps"):
        responses.by_beat(ct.simulate(metronome, seed=1).events)


def test_shares_are_of_whole_numbers_one_for_each() -> None:
    assert models.share([], []).empty
    with pytest.raises(TypeError, match="count = 1.5: give whole numbers"):
        models.share(1.5, 3)
    with pytest.raises(ValueError, match="count has 2 and of has 3 numbers: give one for each"):
        models.share([1, 2], [3, 4, 5])


def test_results_with_rows_turn_into_all_of_them() -> None:
    rhythm = onsets.reproduction([500, 250], [[500, 250], [510, 240]])
    frame = rhythm.to_frame()
    assert frame["complete"].tolist() == [2, 2] and frame["asked_ms"].tolist() == [500.0, 250.0]
    grouped = onsets.reproduction([500, 250], [[500, 250], [510, 240]], ["a", "a"])
    assert set(frame.columns) <= set(grouped.columns)
    assert "asked_share" in str(rhythm)
    line = models.fluctuation_line(np.random.default_rng(0).normal(size=100))
    assert line.to_frame().columns.tolist() == ["window", "fluctuation", "exponent"]
    assert len(line.to_frame()) == len(line.points)


def test_notes_of_another_form_are_named() -> None:
    score = pd.DataFrame({"onset_beats": [0.0, 1.0], "note": [60, None]})
    played = pd.DataFrame({"onset_ns": [0, 5], "note": [60, 62]})
    with pytest.raises(ValueError, match="note is missing in row 1"):
        ct.music.align(score, played)
    with pytest.raises(ValueError, match="no column 'onset_ns': give played notes"):
        ct.music.align(score.fillna(62), score)
    with pytest.raises(ValueError, match="no column 'fate': give what align"):
        ct.music.tempo(score)
