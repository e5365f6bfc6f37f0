"""Estimates with intervals find what simulated participants were made with."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import chronotap as ct
from chronotap import models, responses, statistics

PACED = """
[pacing.metronome]
interval = "500 ms"
beats = 120
[input.pad]
[[when]]
time = "62 s"
end = true
"""


def runs(taps: pd.DataFrame) -> list[tuple[pd.Series, list[pd.Series]]]:
    """Of each trial the longest way on which every beat is answered."""
    matched = taps[taps["fate"] == "matched"]
    found = []
    for _, trial in matched.groupby("trial"):
        unbroken = (trial["beat"].diff().fillna(1) != 1).cumsum()
        run = trial[unbroken == unbroken.mode()[0]]
        found.append((run["onset_ns"] / 1e6, [run["beat_onset_ns"].astype(float) / 1e6]))
    return found


def test_phase_correction_is_found_again() -> None:
    who = "steady, alpha = 0.4, clock = 15 ms, motor = 4 ms"
    taps = ct.simulate(PACED, n=20, seed=1, participant=who).taps
    found = models.phase_correction(runs(taps))
    (alpha,) = found.alpha
    assert alpha.low < 0.4 < alpha.high
    assert found.beta is None and found.converged
    assert found.timekeeper_sd_ms == pytest.approx(15, abs=2)
    frame = found.to_frame()
    assert {"alpha", "alpha_low", "alpha_high", "beta"} <= set(frame.columns)


def test_correction_is_found_again_though_the_means_of_trials_differ() -> None:
    """A mean over all trials takes their differences for somebody who hardly corrects."""
    given = []
    for trial in range(10):
        who = f"steady, alpha = 0.4, clock = 15 ms, motor = 4 ms, mean = {-100 + 15 * trial} ms"
        given += runs(ct.simulate(PACED, n=1, seed=trial, participant=who).taps)
    found = models.correction_over_trials(given, range(10))
    assert found.alpha.low < 0.4 < found.alpha.high and found.alpha.value == pytest.approx(0.4, abs=0.15)
    assert found.timekeeper is not None and found.timekeeper.low < 15 < found.timekeeper.high
    assert found.trials == 10 and found.taps == sum(np.size(taps) for taps, _ in given)
    assert models.phase_correction(given).alpha[0].high < 0.3
    with pytest.raises(ValueError, match="10 runs and 9 trials: give one trial for each run"):
        models.correction_over_trials(given, range(9))


def test_two_who_do_not_hear_each_other_do_not_correct() -> None:
    """Their tempi wander, which the model of a pacing takes for correction: it cannot say 0."""
    random = np.random.default_rng(3)

    def alone() -> np.ndarray:
        return np.cumsum(500 + np.cumsum(3 * random.normal(size=30)) + 12 * random.normal(size=30))

    given = [(alone(), [alone()]) for _ in range(10)]
    towards_a_person = models.correction_over_trials(given, range(10), towards="a person")
    assert towards_a_person.alpha.low <= 0 <= towards_a_person.alpha.high
    assert towards_a_person.timekeeper is None and towards_a_person.motor is None
    assert towards_a_person.trials == 10
    assert towards_a_person.taps == 300
    assert models.correction_over_trials(given, range(10)).alpha.low > 0
    with pytest.raises(ValueError, match="there are 'pacing' and 'a person'"):
        models.correction_over_trials(given, range(10), towards="somebody")  # type: ignore[call-overload]


def test_every_statistic_of_a_run_has_an_interval_and_says_where_it_is_too_narrow() -> None:
    random = np.random.default_rng(5)
    values = -25 + 15 * random.normal(size=30)
    found = statistics.asynchrony(values)
    expected = {"mean_ms": np.mean(values), "median_ms": np.median(values), "sd_ms": np.std(values, ddof=1)}
    expected["mean_absolute_ms"], expected["rms_ms"] = np.mean(np.abs(values)), np.sqrt(np.mean(values**2))
    for name, value in expected.items():
        estimate = getattr(found, name)
        assert estimate == estimate.value == pytest.approx(value, abs=1e-6)
        assert estimate.low < estimate < estimate.high
    assert found.mean_ms is not None and found.mean_ms.held is None and "held in" not in str(found.mean_ms)
    twelve = models.reproduction_estimates([[error, -error / 2] for error in 10 * random.normal(size=12)])
    doubtful = twelve.absolute_error_ms
    assert doubtful is not None and doubtful.held == pytest.approx(0.928) and "held in 92.8 %" in str(doubtful)
    circle = statistics.directions(statistics.angles(values, 500))
    assert circle.resultant is not None and circle.resultant.high < 1
    tapped = statistics.intervals(500 + values)
    assert tapped.mean_ms is not None and tapped.mean_ms.held is None and tapped.lag_one is not None
    assert {"sd_ms_low", "sd_ms_held"} <= set(found.to_frame().columns)
    few = statistics.asynchrony(values[:9])
    assert few.mean_ms == pytest.approx(np.mean(values[:9])) and few.mean_ms is not None
    assert np.isnan(few.mean_ms.low) and np.isnan(few.mean_ms.standard_error)
    told = statistics.asynchrony(values[:9], ["a"] * 9, intervals=True)["why_not"].tolist()
    assert told == ["9 asynchronies are too few: at least 10 are needed"]


def test_an_estimate_is_a_number_that_is_copied_and_cannot_be_changed() -> None:
    found = models.mean([1, 2, 3, 4])
    assert found + 1 == 3.5 and f"{found:.1f}" == "2.5" and np.asarray([found]).dtype == np.float64
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert again == found and again.low == found.low and repr(again) == repr(found)
    with pytest.raises(AttributeError, match="cannot be changed"):
        found.low = 1.0
    assert ct.Estimate(2.0, 1.0, 1.0, 3.0).held is None and str(ct.Estimate(2.0)) == "2"
    assert str(pd.Series([found]).dtype) == "float64"


def test_the_catalogue_says_what_each_statistic_is_taken_from() -> None:
    every = statistics.catalogue()
    assert every.index.is_unique and every["about"].str.endswith(".").all()
    of_asynchronies = statistics.catalogue(of="asynchronies")
    names = {field.name for field in dataclasses.fields(statistics.Asynchrony)} - {"n"}
    assert len(of_asynchronies) == len(names) + 1 and of_asynchronies["has_interval"].sum() == len(names)
    with pytest.raises(ValueError, match="of = 'taps of mine': there are .*'asynchronies'"):
        statistics.catalogue(of="taps of mine")


def test_errors_of_reproduction_have_intervals_from_round_to_round() -> None:
    found = models.reproduction_estimates([[10, -6], [4, 2], [12, 0], [-3, -1], []])
    over_rounds = models.mean([2, 3, 6, -2])
    assert found.rounds == 4
    assert found.error_ms.value == pytest.approx(over_rounds.value)
    assert found.error_ms.low == pytest.approx(over_rounds.low)
    assert found.sd_ms is not None and found.sd_ms.low < found.sd_ms.value < found.sd_ms.high
    assert {"sd_ms_low", "absolute_error_ms_high"} <= set(found.to_frame().columns)
    with pytest.raises(ValueError, match="1 rounds are too few: at least 2 are needed"):
        models.reproduction_estimates([[10, -6]])


def test_models_have_intervals_by_formula() -> None:
    random = np.random.default_rng(3)
    run = random.normal(500, 20, 120) + np.diff(random.normal(0, 10, 121))
    levels = statistics.clock_and_motor(run)
    for found in (levels.clock_unbiased_ms2, levels.detrended_clock_unbiased_ms2):
        assert found is not None and found.low < 400 < found.high
    rising = statistics.clock_and_motor([500.0 + 10 * k for k in range(20)])
    assert rising.clock_unbiased_ms2 is not None and rising.clock_unbiased_ms2.low > 0
    # The line is taken for a tempo that wanders, so that nothing of it is the hand's. The estimate of the model
    # without wandering is far below 0, and the interval reaches it.
    hand = rising.motor_unbiased_ms2
    assert hand is not None and hand.value < -3000 and hand.low == hand.value and 0 < hand.high < 100
    mode = np.where(random.random(80) < 0.7, 0.0, np.pi)
    parts = models.mixture(mode + 0.3 * random.normal(size=80))
    assert parts.in_phase.low < 0.7 < parts.in_phase.high
    pacing = 500 + 80 * np.sin(np.arange(60) / 2)
    tracked = responses.tracking(pacing + 20 * random.normal(size=60), pacing)
    assert tracked.index is not None and tracked.index.low > 0
    apart = models.following(run[:60], run[60:])
    assert apart.together is not None and apart.together.low < apart.together.value
    white = statistics.fluctuation(random.normal(size=512), intervals=True, seed=7)
    assert white.exponent is not None and white.exponent.low < 0.5 < white.exponent.high


def test_means_and_differences_have_intervals() -> None:
    found = models.mean([1, 2, 3, 4])
    assert (found.value, found.low < 2.5 < found.high) == (2.5, True)
    assert models.difference([3, 4, 5], [1, 2, 3]).value == 2


def test_clock_and_motor_have_intervals_and_the_same_seed_gives_the_same() -> None:
    random = np.random.default_rng(3)
    motor = random.normal(0, 10, 121)
    run = random.normal(500, 20, 120) + np.diff(motor)
    found = models.clock_and_motor_levels(run, seed=4)
    assert found.clock_ms2.low < 400 < found.clock_ms2.high
    assert found == models.clock_and_motor_levels(run, seed=4)


def test_white_noise_has_the_exponent_of_white_noise() -> None:
    values = np.random.default_rng(1).normal(size=1024)
    found = models.fluctuation_line(values)
    assert found.exponent == pytest.approx(0.5, abs=0.2)
    assert found.exponent == ct.statistics.fluctuation(values).exponent
    assert len(found.points) >= 3


def test_directions_are_tested_and_parted() -> None:
    random = np.random.default_rng(2)
    angles = np.concatenate([random.normal(0, 0.3, 60), random.normal(np.pi, 0.3, 20)])
    assert models.v_test(angles).p < 0.001
    assert models.mixture(angles).in_phase == pytest.approx(0.75, abs=0.06)


def test_who_follows_is_told() -> None:
    first = np.random.default_rng(5).normal(500, 20, 80)
    second = np.concatenate([[500.0], first[:-1]])
    assert models.following(first, second).coupling == "FirstLeads"


def test_too_little_data_are_an_error_with_the_reason() -> None:
    with pytest.raises(ValueError, match="too few"):
        models.mean([1])
    with pytest.raises(ValueError, match="value 1 is NaN: leave missing values out"):
        models.mean([1, float("nan")])
    with pytest.raises(ValueError, match="'pooled'"):
        models.phase_correction([], means="none")  # type: ignore[call-overload]


def test_taps_of_a_recording_answer_its_beats(golden: Path) -> None:
    taps = ct.read_taps(golden)
    events = ct.read_trial(golden).events.set_index("event_id")
    assert len(taps) == (events["trial_type"] == "tap").sum()
    matched = taps[taps["fate"] == "matched"]
    beats = events.loc[matched["beat_event_id"].tolist(), "achieved_ns"].tolist()
    late = [tap - beat for tap, beat in zip(matched["onset_ns"].tolist(), beats, strict=True)]
    assert late and matched["asynchrony_ns"].tolist() == late
    assert matched["asynchrony_ms"].tolist() == [ns / 1e6 for ns in late]


def test_the_taps_have_the_mean_asynchrony_of_the_summary(examples: Path) -> None:
    simulated = ct.simulate(examples / "synchronization_continuation.toml", n=5, seed=1)
    taps = simulated.taps.dropna(subset=["asynchrony_ms"])
    means = ct.statistics.asynchrony(taps["asynchrony_ms"], taps["trial"])["mean_ms"]
    chosen = simulated.statistics.query("column == 'mean_asynchrony_ms' and stretch.isna()")
    assert means.tolist() == chosen["value"].tolist()


def test_adaptation_and_anticipation_are_those_of_the_oracle() -> None:
    oracles = Path(__file__).parents[2] / "crates" / "analysis" / "tests" / "oracles" / "golden.json"
    case = json.loads(oracles.read_text())["adam"][0]
    both = zip(case["taps"], case["onsets"], strict=True)
    found = models.adaptation_and_anticipation(
        [(np.array(taps) / 1e6, [np.array(onsets) / 1e6]) for taps, onsets in both]
    )
    for name in ("alpha", "beta", "gamma", "prediction"):
        assert getattr(found, name).value == pytest.approx(case[name], abs=1e-9)
    assert found.alpha.low < found.alpha.value < found.alpha.high and found.runs == 6
    assert "alpha_low" in found.to_frame()
    assert found.prediction is not None and found.no_prediction is None
    assert found.alpha.held is not None and found.motor.held is not None
    with pytest.raises(ValueError, match="runs"):
        models.adaptation_and_anticipation([])


def test_a_prediction_that_cannot_be_told_says_why() -> None:
    random = np.random.default_rng(3)
    onsets = [np.cumsum(500 + 60 * random.normal(size=60)) for _ in range(6)]
    taps = [onset + 10 * random.normal(size=60) for onset in onsets]
    found = models.adaptation_and_anticipation([(t, [o]) for t, o in zip(taps, onsets)])
    assert (found.prediction is None) == (found.no_prediction is not None)
    smooth = [np.cumsum(500 + 80 * np.sin(0.3 * np.arange(60))) for _ in range(6)]
    late = [np.r_[onset[0], onset[:-1] + 500] + 10 * random.normal(size=60) for onset in smooth]
    found = models.adaptation_and_anticipation([(t, [o]) for t, o in zip(late, smooth)])
    assert found.prediction is None and found.no_prediction is not None


def test_a_share_has_its_interval_and_none_of_none_says_so() -> None:
    found = models.share(5, 20)
    assert (found.share, found.count) == (0.25, 5)
    assert (found.low, found.high) == pytest.approx((0.1119, 0.4687), abs=1e-3)
    with pytest.raises(ValueError):
        models.share(0, 0)


def test_a_psychometric_function_is_found_again_alone_and_in_groups() -> None:
    random = np.random.default_rng(4)
    levels = np.tile([10.0, 30.0, 50.0, 70.0, 90.0, 110.0], 100)
    p = 0.5 + 0.48 / (1 + np.exp(-(levels - 60) / 12))
    correct = random.random(levels.size) < p
    found = models.psychometric(levels, correct, lapse=0.02, shape="logistic", share=0.75)
    assert found.pse.low < 60 < found.pse.high and found.n == 600
    assert found.jnd.low < 12 * np.log(3) < found.jnd.high
    assert found.threshold == pytest.approx(found.pse + 12 * np.log(3), abs=5)
    assert found.lapse == 0.02 and found.lapse.standard_error == 0
    halves = np.repeat(["a", "b"], levels.size // 2)
    together = models.psychometric(levels, correct, halves, lapse=0.02, shape="logistic")
    alone = models.psychometric(levels[:300], correct[:300], lapse=0.02, shape="logistic")
    assert together.loc["a", "pse"] == alone.pse and together.loc["a", "jnd_high"] == alone.jnd.high
    yes = random.random(levels.size) < 1 / (1 + np.exp(-(levels - 60) / 12))
    free = models.psychometric(levels, yes, guess=0.0)
    assert free.pse.low < 60 < free.pse.high and 0 <= free.lapse < 0.1
    with pytest.raises(ValueError, match="10 are too few|10 answers are too few"):
        models.psychometric(levels[:10], correct[:10])
    with pytest.raises(ValueError, match="an answer is 3: give True or False"):
        models.psychometric([1.0], [3])
    with pytest.raises(ValueError, match="guess = 2: give a share from 0 to 0.9"):
        models.psychometric(levels, correct, guess=2)
    with pytest.raises(ValueError, match="shape = 'weibull': there are 'normal', 'logistic'"):
        models.psychometric(levels, correct, shape="weibull")  # type: ignore[call-overload]
