"""One call for many groups gives what a call for each gives, to the last bit; a group that gives no
estimate says why."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import chronotap as ct
from chronotap import models, onsets, responses, statistics

EXAMPLES = Path(__file__).parents[2] / "examples"
RANDOM = np.random.default_rng(11)
LABELS = ["b", "a", "short", "c"]
COUNTS = [80, 100, 4, 64]
# Rows of one trial do not stand together.
TRIAL = RANDOM.permutation(np.repeat(LABELS, COUNTS))
EARLY = RANDOM.normal(-30, 20, len(TRIAL))
TAPPED = RANDOM.normal(500, 20, len(TRIAL)) + np.diff(RANDOM.normal(0, 8, len(TRIAL) + 1))
PACED = 500 + 60 * np.sin(np.arange(len(TRIAL)) / 3)
ANGLES = np.where(RANDOM.random(len(TRIAL)) < 0.6, 0.0, np.pi) + RANDOM.normal(0, 0.4, len(TRIAL))

INTERVALS = {"intervals": True}
ONE: list[tuple[str, Callable[..., Any], Any]] = [
    ("asynchrony", statistics.asynchrony, EARLY),
    ("intervals", statistics.intervals, TAPPED),
    ("directions", statistics.directions, EARLY / 80),
    ("clock_and_motor", statistics.clock_and_motor, TAPPED),
    ("fluctuation", lambda *given, **how: statistics.fluctuation(*given, seed=5, **INTERVALS | how), EARLY),
    ("clock_and_motor_levels", lambda *given, **_: models.clock_and_motor_levels(*given, seed=3), TAPPED),
    ("mixture", models.mixture, ANGLES),
    ("v_test", lambda values, groups=None, **_: models.v_test(values, 0.3, groups=groups), ANGLES),
]
TWO: list[tuple[str, Callable[..., Any]]] = [
    ("tracking", responses.tracking),
    ("following", models.following),
]


def same(together: pd.DataFrame, label: Any, alone: Callable[[], Any]) -> None:
    """The row of a group is what the group gives alone, or the reason why it gives nothing."""
    row = together.loc[label]
    try:
        told = alone()
    except ValueError as error:
        assert row["why_not"] == str(error)
        assert row.drop("why_not").isna().all()
        return
    if pd.notna(row["why_not"]):  # of an interval
        assert row.filter(like="_low").isna().all() and row.filter(like="_low").size
    (cells,) = told.to_frame().to_dict("records")
    for name, cell in cells.items():
        found = row.get(name)  # None of what a model does not have at all
        assert (pd.isna(found) and pd.isna(cell)) or found == cell, (label, name)


@pytest.mark.parametrize(("call", "values"), [of[1:] for of in ONE], ids=[of[0] for of in ONE])
def test_models_of_one_run(call: Callable[..., Any], values: Any) -> None:
    together = call(values, TRIAL, **INTERVALS)
    assert together.index.tolist() == list(dict.fromkeys(TRIAL.tolist()))
    for label in LABELS:
        same(together, label, lambda: call(values[TRIAL == label]))
    assert together["why_not"].notna().any()


@pytest.mark.parametrize("call", [of[1] for of in TWO], ids=[of[0] for of in TWO])
def test_models_of_two_runs(call: Callable[..., Any]) -> None:
    together = call(TAPPED, PACED, TRIAL, **INTERVALS)
    for label in LABELS:
        of = TRIAL == label
        same(together, label, lambda: call(TAPPED[of], PACED[of]))
    apart = call(TAPPED, PACED[::-1], (TRIAL, TRIAL[::-1]), **INTERVALS)
    of = TRIAL == "a"
    same(apart, "a", lambda: call(TAPPED[of], PACED[::-1][TRIAL[::-1] == "a"]))


def test_every_statistic_and_model_takes_groups() -> None:
    without = set()
    for module in (statistics, models, responses, onsets):
        for name, call in inspect.getmembers(module, inspect.isfunction):
            own = call.__module__.startswith(module.__name__) and not name.startswith("_")
            if own and "groups" not in inspect.signature(call).parameters:
                without.add(name)
    assert without == {"angles", "catalogue", "share"}  # which take columns as they are, or none


def test_the_columns_of_a_frame_make_the_same_groups() -> None:
    """Each function of one column of values: a frame and ``by`` instead of values and labels."""
    frame = pd.DataFrame({"trial": TRIAL, "half": np.arange(len(TRIAL)) % 2, "asynchrony_ms": EARLY})
    frame["interval_ms"], frame["angle_rad"] = TAPPED, ANGLES
    frame.loc[::7, ["asynchrony_ms", "interval_ms", "angle_rad"]] = np.nan
    usual: dict[Any, str | None] = {
        statistics.asynchrony: "asynchrony_ms",
        statistics.intervals: "interval_ms",
        statistics.clock_and_motor: "interval_ms",
        statistics.directions: "angle_rad",
        models.clock_and_motor_levels: "interval_ms",
        models.mixture: "angle_rad",
        models.v_test: "angle_rad",
        statistics.autocorrelation: None,
        statistics.fluctuation: None,
        models.mean: None,
        models.fluctuation_line: None,
    }
    by = ["trial", "half"]
    known = frame["interval_ms"].notna()
    begun = known.groupby([frame["trial"], frame["half"]]).transform(lambda cells: cells.cummax())
    parted = {statistics.intervals, statistics.clock_and_motor, models.clock_and_motor_levels, statistics.autocorrelation}
    for call, column in usual.items():
        more = {} if column else {"column": "asynchrony_ms"}
        given = frame[begun] if call in parted else frame[known]
        found = call(frame, by=by, **more)
        expected = call(given[column or "asynchrony_ms"], groups=given[by])
        pd.testing.assert_frame_equal(found, expected)
        assert call(frame, by="trial", **more).index.name == "trial"
        assert call(frame, by=by, column="asynchrony_ms").index.names == by
        with pytest.raises(TypeError, match="give the columns of its groups, such as by="):
            call(frame)
        with pytest.raises(ValueError, match="the frame has no column 'who'"):
            call(frame, by="who", **more)
        with pytest.raises(TypeError, match="is no frame"):
            call([1.0, 2.0], by="trial")
        if column is None:
            with pytest.raises(TypeError, match="say which column, such as column='trial'"):
                call(frame, by="trial")
    everywhere: set[Any] = {
        call
        for module in (statistics, models)
        for _, call in inspect.getmembers(module, inspect.isfunction)
        if "by" in inspect.signature(call).parameters
    }
    assert everywhere == {*usual, models.runs}
    polars = pytest.importorskip("polars").DataFrame(frame.to_dict("list"))
    assert statistics.asynchrony(polars, by="trial").equals(statistics.asynchrony(frame, by="trial"))


def test_a_frame_of_taps_becomes_the_runs_of_its_trials_inputs_and_streams() -> None:
    taps = ct.simulate(ct.Trial.read(EXAMPLES / "synchronization_continuation.toml"), n=3, seed=2).taps
    matched = taps[taps["beat"].notna()]
    of = matched[["trial", "input", "against"]]
    found, labels = models.runs(taps, by="trial")
    beats = matched["beat_onset_ns"].astype(float) / 1e6
    expected, index = models.runs(matched["onset_ns"] / 1e6, beats, of, beats=matched["beat"])
    assert len(found) == len(expected) > 2 and labels.tolist() == index.get_level_values("trial").tolist()
    for one, other in zip(found, expected):
        assert np.array_equal(one[0], other[0]) and np.array_equal(one[1][0], other[1][0])
    with pytest.raises(TypeError, match="a frame: give nothing else"):
        models.runs(taps, beats, by="trial")  # type: ignore[call-overload]


def test_means_and_differences() -> None:
    together = models.mean(EARLY, TRIAL)
    for label in LABELS:
        alone = models.mean(EARLY[TRIAL == label])
        assert together.loc[label, "mean"] == alone.value
        assert together.loc[label, "mean_high"] == alone.high
        assert together.loc[label, "n"] == (TRIAL == label).sum()
    apart: Any = models.difference(EARLY, TAPPED[:100], (TRIAL, TRIAL[:100]))
    alone = models.difference(EARLY[TRIAL == "a"], TAPPED[:100][TRIAL[:100] == "a"])
    assert apart.loc["a", "difference_low"] == alone.low
    assert models.mean([1.0], ["a"])["why_not"].tolist() == ["1 values are too few: at least 2 are needed"]


def test_shares_of_columns() -> None:
    together = models.share([3, 0, 5], [20, 0, 20])
    assert isinstance(together, pd.DataFrame)
    assert together.loc[2, "low"] == models.share(5, 20).low
    assert together["why_not"].isna().tolist() == [True, False, True]
    with pytest.raises(ValueError, match="none below 0"):
        models.share([-1], [2])
    with pytest.raises(TypeError, match="whole numbers"):
        models.share([0.5], [2])


def test_lines_of_fluctuation() -> None:
    together = models.fluctuation_line(EARLY, TRIAL)
    alone = models.fluctuation_line(EARLY[TRIAL == "a"])
    rows = together.loc[["a"]]
    assert list(zip(rows["window"], rows["fluctuation"])) == list(alone.points)
    assert set(rows["exponent"]) == {alone.exponent}
    assert together.loc[["short"], "why_not"].notna().all()


def paired_runs(count: int, taps: int = 40) -> list[models.Run]:
    """Of a tapper to a tempo that swings."""
    made: list[models.Run] = []
    for run in range(count):
        beats = np.cumsum(500 + 50 * np.sin(np.arange(taps) / 4 + run))
        made.append((beats + np.cumsum(RANDOM.normal(0, 5, taps)) * 0.5, [beats]))
    return made


@pytest.mark.parametrize(
    "call",
    [
        models.phase_correction,
        lambda *given: models.phase_correction(*given, means="of each run"),
        models.phase_and_period_correction,
        lambda *given: models.phase_and_period_correction(*given, baseline_ms=-10),
        models.adaptation_and_anticipation,
        lambda given, *of: models.correction_over_trials(given, range(len(given)), *of),
    ],
)
def test_models_of_correction(call: Callable[..., Any]) -> None:
    runs = [*paired_runs(13), *paired_runs(1, 5)]
    of = np.array(["b", "a"] * 6 + ["one", "short"])
    together = call(runs, of)
    assert together.index.tolist() == ["b", "a", "one", "short"]
    for label in together.index:
        same(together, label, lambda: call([run for run, at in zip(runs, of) if at == label]))


def test_several_partners_have_an_alpha_each() -> None:
    first, second = (np.cumsum(500 + RANDOM.normal(0, 20, 60)) for _ in range(2))
    runs: list[models.Run] = [(first, [second, np.arange(60) * 500.0])]
    together = models.phase_correction(runs, ["a"])
    alone = models.phase_correction(runs)
    assert together.loc["a", "alpha_2"] == alone.alpha[1].value
    assert together.loc["a", "alpha_1_low"] == alone.alpha[0].low


def test_columns_of_taps_become_unbroken_runs() -> None:
    taps = np.arange(10) * 500.0
    beats = taps + 20
    beats[4] = np.nan
    number = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11]
    found, labels = models.runs(taps, beats, [7] * 10, beats=number, least=2)
    assert [np.size(run[0]) for run in found] == [4, 2, 3] and labels.tolist() == [7, 7, 7]
    # Rows of two trials turn about, as those of two inputs do.
    found, labels = models.runs(np.repeat(taps, 2), np.repeat(taps, 2), ["a", "b"] * 10)
    assert [np.size(run[0]) for run in found] == [10, 10] and labels.tolist() == ["a", "b"]
    assert models.runs([], [], [])[0] == []
    with pytest.raises(ValueError, match="2 taps and 1 groups"):
        models.runs([1, 2], [1, 2], ["a"])


def test_an_additional_tap_ends_no_run_and_a_missed_beat_does() -> None:
    """Fifteen beats: an additional tap behind the fourth, and the tenth is missed; as `analyze` parts them."""
    number = np.array([1, 2, 3, 4, np.nan, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15])
    beats = number * 500.0
    taps = np.where(np.isnan(beats), 2_150.0, beats - 20)
    found, _ = models.runs(taps, beats, [7] * 15, beats=number)
    assert [np.size(run[0]) for run in found] == [9, 5]
    assert np.array_equal(found[0][0], 500.0 * np.arange(1, 10) - 20)
    frame = pd.DataFrame({"trial": 7, "beat": number, "beat_onset_ns": beats * 1e6, "onset_ns": taps * 1e6})
    of_frame, _ = models.runs(frame, by="trial")
    assert all(np.array_equal(one[0], other[0]) for one, other in zip(found, of_frame, strict=True))
    apart, _ = models.runs(taps, beats, [7] * 15)
    assert [np.size(run[0]) for run in apart] == [4, 10], "without numbers nothing tells of the tenth"


def test_two_whom_nothing_paces_stand_beside_each_other_until_one_misses_or_doubles_a_tap() -> None:
    fast, slow = 500.0 * np.arange(20), 540.0 * np.arange(20)
    found, labels = models.runs_of_two(slow, fast)
    assert len(found) == 1 and labels.tolist() == [0]
    assert np.array_equal(found[0][0], slow) and np.array_equal(found[0][1][0], fast)
    uneven = np.insert(np.delete(fast, 8), 15, fast[15] + 40)  # one missed, and the sixteenth doubled
    trials = ["a"] * 20 + ["b"] * 20
    found, labels = models.runs_of_two(np.r_[slow, uneven], np.r_[fast, fast], (trials, trials))
    assert [np.size(run[0]) for run in found] == [20, 8, 7, 4] and labels.tolist() == ["a", "b", "b", "b"]
    assert np.array_equal(found[2][1][0], fast[9:16]) and np.array_equal(found[2][0], fast[9:16])
    assert models.runs_of_two(fast[::2], fast)[0] == [], "half as fast is another rate"
    assert models.runs_of_two([], [])[0] == []


def test_runs_of_a_simulated_study_go_straight_into_a_model() -> None:
    trial = ct.Trial(
        pacing={"metronome": {"interval": "500 ms", "beats": 60}},
        input={"pad": {}},
        when=[{"time": "31 s", "end": True}],
    )
    taps = ct.simulate(trial, n=6, seed=1, participant="steady, alpha = 0.4, clock = 15 ms").taps
    taps = taps[taps["fate"] == "matched"]
    to = taps["beat_onset_ns"].astype(float) / 1e6
    columns = models.runs(taps["onset_ns"] / 1e6, to, taps["trial"], beats=taps["beat"])
    found = models.phase_correction(*columns)
    assert found.index.tolist() == list(range(6)) and found.index.name == "trial"
    assert found["alpha"].between(-0.2, 1.2).all() and found["converged"].all()
    assert found["intervals"].dtype == pd.Int64Dtype() and found["at_bound"].dtype == "boolean"


def test_onsets() -> None:
    beats = np.arange(12) * 500.0
    both = {"a": beats - 30 + RANDOM.normal(0, 15, 12), "b": np.arange(20) * 250.0 + 5, "few": beats[:3]}
    taps = np.concatenate(list(both.values()))
    of_taps = np.repeat(list(both), [len(cells) for cells in both.values()])
    of_beats, all_beats = np.repeat(list(both), 12), np.tile(beats, 3)
    groups = (of_beats, of_taps)
    matched = onsets.match(all_beats, taps, groups)
    tapped = onsets.tapping(all_beats, taps, groups)
    near = onsets.together(all_beats, taps, groups)
    tracked = onsets.beat_tracking(all_beats, taps, groups)
    for label, cells in both.items():
        alone = onsets.match(beats, cells)
        for name in alone.columns:
            assert matched.loc[[label], name].tolist() == alone[name].tolist()
        same(tapped, label, lambda: onsets.tapping(beats, cells))
        same(near, label, lambda: onsets.together(beats, cells))
        same(tracked, label, lambda: onsets.beat_tracking(beats, cells))
    assert tapped["mode"].tolist()[:2] == ["in phase", "in phase"]


def test_windows_of_two_columns_are_correlated_as_numpy_does() -> None:
    together = statistics.windowed_cross_correlation(TAPPED, PACED, TRIAL, window=8, step=3, lags=2)
    short = together.loc[["short"]]
    assert short["r"].isna().all() and short["why_not"].notna().all()
    assert together["start"].dtype == pd.Int64Dtype()
    one, other = TAPPED[TRIAL == "a"], PACED[TRIAL == "a"]
    rows = together.loc["a"]
    expected = {
        (start, lag): np.corrcoef(one[start : start + 8], other[start + lag : start + lag + 8])[0, 1]
        for start in range(0, len(one) - 7, 3)
        for lag in range(-2, 3)
        if 0 <= start + lag <= len(other) - 8
    }
    found = {(int(s), int(lag)): r for s, lag, r in zip(rows["start"], rows["lag"], rows["r"])}
    assert found.keys() == expected.keys()
    assert all(found[key] == pytest.approx(r, abs=1e-9) for key, r in expected.items())
    alone = statistics.windowed_cross_correlation(one, other, window=8, step=3, lags=2)
    assert alone["r"].tolist() == rows["r"].tolist()
    with pytest.raises(ValueError, match="3 values are too few|values are too few"):
        statistics.windowed_cross_correlation([1, 2, 3], [1, 2, 3], window=4)


def test_rules_of_cleaning_in_the_order_of_the_rows() -> None:
    times = np.concatenate([np.arange(10) * 500.0, np.arange(10) * 400.0])
    times[3] = times[2] + 10
    of = np.repeat(["a", "b"], 10)
    mixed = np.argsort(np.tile(np.arange(10), 2), kind="stable")
    early = np.where(np.arange(20) == 15, 300.0, RANDOM.normal(0, 5, 20))
    rules: dict[str, Any] = {"slips": True, "first_taps": 1, "asynchrony_outliers": 2}
    together = onsets.clean(times[mixed], early[mixed], groups=of[mixed], **rules)
    assert together["onset_ms"].tolist() == times[mixed].tolist()
    for label in ("a", "b"):
        alone = onsets.clean(times[of == label], early[of == label], **rules)
        rows = together[of[mixed] == label].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, alone)


def test_reproductions() -> None:
    produced = [RANDOM.normal([240, 460], 10) for _ in range(9)] + [np.array([700.0])]
    of = ["a"] * 4 + ["b"] * 5 + ["a"]
    together = onsets.reproduction([240, 460], produced, of)
    alone = onsets.reproduction([240, 460], [one for one, at in zip(produced, of) if at == "a"])
    rows = together.loc[["a"]]
    assert rows["complete"].tolist() == [4, 4] and rows["incomplete"].tolist() == [1, 1]
    assert alone.tempo is not None and rows["tempo_low"].iloc[0] == alone.tempo.low
    for name in alone.intervals.columns:
        assert rows[name].tolist() == alone.intervals[name].tolist()


def test_couplings() -> None:
    def pair(seed: int) -> dict[str, Any]:
        random, at, kept = np.random.default_rng(seed), np.zeros(2), []
        for _ in range(60):
            kept.append(at + random.normal(0, 4, 2))
            at = at + 500 + random.normal(0, 10, 2) - 0.3 * (kept[-1] - kept[-1][::-1])
        first, second = np.array(kept).T
        return {"x": first, "y": second, "metronome": np.arange(60) * 500.0}

    pairs = [pair(1), pair(2)]
    pairs[0]["x"][20] = np.nan
    columns = {name: np.concatenate([one[name] for one in pairs]) for name in pairs[0]}
    together = onsets.coupling(columns, np.repeat(["p", "q"], 60))
    for label, given in zip("pq", pairs):
        alone = onsets.coupling(given)
        rows = together.loc[[label]]
        for name in alone.columns:
            assert rows[name].tolist() == alone[name].tolist(), name


def test_responses_curves_gains_and_relaxations() -> None:
    shifts = {12: -50.0, 25: 50.0, 38: -40.0, 51: 40.0, 60: 45.0}
    trial = ct.Trial(
        pacing={
            "metronome": {
                "interval": "500 ms",
                "beats": 70,
                "change": [{"at": beat, "phase_shift": f"{size:g} ms"} for beat, size in shifts.items()],
            }
        },
        input={"pad": {}},
        when=[{"time": "36 s", "end": True}],
    )
    taps = ct.simulate(trial, n=6, seed=1, participant="steady, alpha = 0.4, clock = 6 ms").taps
    cells = responses.by_beat(taps, taps["trial"])
    together = responses.responses(cells, shifts, groups=cells.index)
    assert together.index.name == "trial" and len(together) == 30
    parts = {n: responses.responses(responses.by_beat(of), shifts) for n, of in taps.groupby("trial")}
    for number, alone in parts.items():
        rows = together.loc[[number]]
        assert rows["baseline_ms"].tolist() == [one.baseline_ms for one in alone]
        assert rows["shift_ms_1"].tolist() == [one.shifts_ms[1] for one in alone]
    half = together.index.to_numpy() // 3
    halves = [[one for n in range(k, k + 3) for one in parts[n]] for k in (0, 3)]
    flat, of = halves[0] + halves[1], np.repeat([0, 1], 15)
    both: list[tuple[Any, Any]] = [(together, half), (flat, of)]
    for given, groups in both:
        curves, gains = responses.curve(given, groups), responses.gain(given, groups)
        relaxed = responses.relaxation(given, groups, seed=2)
        for at, alone in enumerate(halves):
            for name in ("lag", "n", "share", "low", "high"):
                assert curves.loc[[at], name].tolist() == responses.curve(alone)[name].tolist()
            same(gains, at, lambda: responses.gain(alone))
            same(relaxed, at, lambda: responses.relaxation(alone, seed=2))
    assert responses.gain(together) == responses.gain(flat)


def test_effects_and_isolated_alterations() -> None:
    trials = [
        (delay, RANDOM.normal(500 + delay / 5, 10, 20), pitch)
        for delay in (0.0, 100.0)
        for pitch in ("", "random")
        for _ in range(6)
    ]
    of = ["a", "b"] * 12
    together = responses.effects(trials, of)
    for label in "ab":
        alone = responses.effects([trial for trial, at in zip(trials, of) if at == label])
        rows = together.loc[[label]].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows.astype(alone.dtypes.to_dict()), alone)
    intervals, number = RANDOM.normal(400, 3, 120), np.repeat([1, 2], 60)
    places = [10, 20, 30, 75, 90]
    lags = responses.isolated(intervals, places, number, matches=np.arange(120) % 3)
    alone = responses.isolated(intervals[60:], [15, 30], matches=np.arange(60) % 3)
    for name in alone.columns:
        assert lags.loc[[2], name].tolist() == alone[name].tolist()
    with pytest.raises(ValueError, match="places are from 0 to 119"):
        responses.isolated(intervals, [120], number)


def test_frames_of_labels_and_other_libraries_are_groups_too() -> None:
    labels = pd.DataFrame({"participant": ["01", "01", "02", "02"] * 10, "delay": [0, 70] * 20})
    found = statistics.asynchrony(EARLY[:40], labels, intervals=True)
    assert found.index.names == ["participant", "delay"] and len(found) == 4
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    names = labels["participant"].tolist()
    frames = pl.DataFrame(labels.to_dict("list")), pa.table(labels.to_dict("list"))
    for frame in frames:
        assert statistics.asynchrony(EARLY[:40], frame, intervals=True).equals(found)
    for column in (pl.Series("who", names), pa.array(names), pd.Categorical(names)):
        again = statistics.asynchrony(EARLY[:40], column)
        assert again.index.tolist() == ["01", "02"]


def test_what_is_no_number_is_refused() -> None:
    for values in (["1", "2"], pd.to_timedelta([1, 2], unit="s"), pd.to_datetime(["2026-01-01"])):
        with pytest.raises(TypeError, match="give numbers, times in milliseconds"):
            statistics.intervals(values)
    with pytest.raises(ValueError, match="value 0 is 1e300: give values of at most 9e9"):
        statistics.intervals([1e300])
    with pytest.raises(ValueError, match="ascending order"):
        onsets.match([1000, 500], [480])
    with pytest.raises(ValueError, match="ascending order"):
        onsets.clean([0, 500, 400], groups=["a", "a", "a"])
    assert len(onsets.clean([0, 500, 400], groups=["a", "a", "b"])) == 3
    with pytest.raises(ValueError, match="lag = -1"):
        statistics.autocorrelation([1.0, 2.0], lag=-1)
    with pytest.raises(ValueError, match="at least as many"):
        models.share(5, 3)
    with pytest.raises(ValueError, match="'a' has 2, 'b' has 1"):
        onsets.coupling({"a": [0, 500], "b": [0]})


def test_nothing_and_labels_that_do_not_fit() -> None:
    assert len(statistics.asynchrony([], [])) == 0
    assert "mean_ms_held" in statistics.asynchrony([], [], intervals=True).columns
    with pytest.raises(ValueError, match="2 values and 1 groups"):
        statistics.asynchrony([1.0, 2.0], ["a"])
    with pytest.raises(ValueError, match="value 1 is NaN"):
        statistics.lateness([1.0, np.nan], ["a", "a"])
    with pytest.raises(ValueError, match="2 runs and 1 groups"):
        models.phase_correction(paired_runs(2), ["a"])


def test_errors_of_reproduced_rounds() -> None:
    rounds = [[12, -8], [20, 3], [4], [15, -1], [7, 7]]
    labels = ["a", "a", "b", "a", "b"]
    together = models.reproduction_estimates(rounds, labels)
    alone = models.reproduction_estimates([rounds[0], rounds[1], rounds[3]])
    assert together.loc["a", "rounds"] == alone.rounds
    assert together.loc["a", "error_ms"] == alone.error_ms.value
    assert together.loc["a", "error_ms_high"] == alone.error_ms.high
    assert models.reproduction_estimates([[1.0]], ["a"])["why_not"].notna().all()
    with pytest.raises(ValueError, match="give one for each"):
        models.reproduction_estimates(rounds, ["a"])
