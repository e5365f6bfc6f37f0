"""What kind a factor is follows from the study, and is the same in every table."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import chronotap as ct
from chronotap import models, statistics

LEVELS: dict[str, Any] = {"dose": ["1", "1b"], "n": [1, 2], "delay": ["200 ms", "0 ms"], "code": ["01", "1"]}


def study() -> ct.Experiment:
    trial = ct.Trial(
        pacing={"metronome": {"interval": "400 ms", "beats": 12}},
        feedback={"tone": {"delay": "0 ms"}},
        when=[{"time": "5 s", "end": True}],
    )
    return ct.Experiment(
        {"trial.toml": trial},
        task="kinds",
        trial="trial.toml",
        participants=2,
        factor={name: LEVELS[name] for name in ("n", "delay", "code")},
        between={"dose": LEVELS["dose"]},
        set={"feedback": {"tone": {"delay": {"factor": "delay"}}}},
        step=[{"name": "main", "repetitions": 1, "shuffle": "all"}],
    )


@pytest.fixture
def recorded(command: Path, tmp_path: Path) -> Path:
    """A dataset of one session of each of two people."""
    path = study().save(tmp_path / "study")
    data = tmp_path / "data"
    subprocess.run([command, "simulate", path, "--data", data], check=True, capture_output=True)
    return data


def kinds(frame: pd.DataFrame) -> dict[str, str]:
    return {name: str(frame[name].dtype) for name in [*LEVELS, "delay_ms"] if name in frame}


EXPECTED = {"dose": "category", "n": "int64", "delay": "category", "code": "category", "delay_ms": "float64"}


def test_a_factor_has_one_kind_in_plan_trials_taps_and_of_one_person(tmp_path: Path) -> None:
    simulated = study().simulate(2)
    assert kinds(simulated.trials) == kinds(simulated.taps) == EXPECTED
    planned = study().plan(1)
    assert kinds(planned) == {name: kind for name, kind in EXPECTED.items() if name != "delay_ms"}
    assert sorted(planned["code"].astype(str).unique()) == ["01", "1"]
    one = simulated.trials
    assert one["delay"].cat.categories.tolist() == ["200 ms", "0 ms"]
    assert set(one["delay_ms"]) == {0.0, 200.0} and not one["delay_ms"].isna().any()
    assert (one["delay"].eq("200 ms") == one["delay_ms"].eq(200)).all()
    assert set(one["dose"]) == {"1", "1b"}


def test_a_person_who_has_one_level_alone_has_the_kinds_of_all(recorded: Path) -> None:
    for label in ("01", "02"):
        one = ct.read_dataset(recorded, participants=[label])
        assert kinds(one.trials) == kinds(one.taps) == EXPECTED, label
        assert one.trials["dose"].cat.categories.tolist() == ["1", "1b"]
        polars = ct.read_dataset(recorded, participants=[label], frame="polars")
        assert polars.trials["dose"].dtype == polars.taps["dose"].dtype
        arrow = ct.read_dataset(recorded, participants=[label], frame="arrow").trials
        assert "dictionary" in str(arrow.schema.field("dose").type)


def test_a_level_is_found_as_number_and_as_text(recorded: Path) -> None:
    whole = ct.read_dataset(recorded).trials
    for level in (1, "1"):
        assert len(ct.read_dataset(recorded, conditions={"n": level}).trials) == (whole["n"] == 1).sum()
        found = ct.read_dataset(recorded, conditions={"dose": level}).trials
        assert len(found) == (whole["dose"] == "1").sum() > 0
    assert len(ct.read_dataset(recorded, conditions={"delay_ms": 200}).trials) == len(whole) / 2
    with pytest.raises(ValueError, match="no trial has it; there are"):
        ct.read_dataset(recorded, conditions={"dose": 3})


def test_the_numbers_of_a_factor_can_be_asked_for_alone(recorded: Path) -> None:
    trials = ct.read_dataset(recorded, columns=["delay_ms"]).trials
    assert "delay_ms" in trials and "delay" not in trials
    trials = ct.read_dataset(recorded, columns=["delay"]).trials
    assert "delay" in trials and "delay_ms" not in trials


def test_gathered_taps_have_the_same_kinds(recorded: Path, tmp_path: Path) -> None:
    path = ct.gather(ct.read_dataset(recorded), tmp_path / "taps.parquet")
    frame = ct.read_gathered(path)
    assert str(frame["dose"].dtype) == "category" and str(frame["n"].dtype).lower() == "int64"
    assert len(ct.read_gathered(path, conditions={"dose": 1})) == (frame["dose"] == "1").sum() > 0
    with pytest.raises(ValueError, match="did you mean 'dose'"):
        ct.read_gathered(path, columns=["dosis"])


def test_a_column_that_is_not_there_is_told_with_the_nearest(recorded: Path) -> None:
    with pytest.raises(ValueError, match="no column 'mean_asynchrony' in the trials: did you mean 'mean_asynchrony_ms'"):
        ct.read_dataset(recorded, columns=["mean_asynchrony"])


def test_columns_without_any_cell_can_be_left_out(recorded: Path) -> None:
    all_of_them = ct.read_dataset(recorded).trials
    kept = ct.read_dataset(recorded, without_empty=True)
    empty = [name for name in all_of_them if all_of_them[name].isna().all()]
    assert "session" in empty and set(kept.trials) == set(all_of_them) - set(empty)
    assert len(kept.taps) == len(ct.read_dataset(recorded).taps)


def test_taps_of_trials_that_do_not_count_are_in_no_group(dataset: Path) -> None:
    taps = ct.read_dataset(dataset).taps
    assert taps["counts"].dtype == bool and not taps["counts"].all()
    matched = taps[taps["counts"]].dropna(subset=["asynchrony_ms"])
    by = ["participant_id", "delay"]
    found = statistics.asynchrony(taps, by=by)
    assert found["n"].sum() == len(matched) < len(taps.dropna(subset=["asynchrony_ms"]))
    asked = statistics.asynchrony(taps, by="counts")
    assert sorted(asked.index) == [False, True], "who asks for both gets both"
    runs, _ = models.runs(taps, by="trial", least=1)
    assert sum(np.size(run[0]) for run in runs) == len(matched)


def test_a_missing_label_is_a_group_of_its_own_with_one_column_and_with_several() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "who": ["a", None, "a", None], "of": "b"})
    one = models.mean(frame, by="who", column="x")
    several = models.mean(frame, by=["who", "of"], column="x")
    assert np.allclose(one["mean"], several["mean"]) and np.allclose(one["mean"], [2, 3])
    assert one.index[0] == "a" and pd.isna(one.index[1])


def test_frames_that_compute_later_are_taken(dataset: Path) -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    dask = pytest.importorskip("dask.dataframe")
    taps = ct.read_dataset(dataset).taps
    taps = taps.astype({"delay": str, "participant_id": str, "fate": str, "against": str, "input": str})
    taps = taps[["trial", "input", "against", "delay", "counts", "onset_ns", "beat", "beat_onset_ns", "asynchrony_ms"]]
    expected = statistics.asynchrony(taps, by="delay")
    runs, labels = models.runs(taps, by="delay", least=1)
    lazy: list[Any] = [polars.from_pandas(taps).lazy(), dask.from_pandas(taps, npartitions=2), duckdb.from_df(taps)]
    for one in lazy:
        found = statistics.asynchrony(one, by="delay")
        assert found["n"].to_dict() == expected["n"].to_dict(), type(one)
        assert np.allclose(found["mean_ms"], expected["mean_ms"])
        again, of = models.runs(one, by="delay", least=1)
        assert len(again) == len(runs) and of.tolist() == labels.tolist()


def test_what_a_trial_raised_comes_whole_out_of_another_process() -> None:
    trial = ct.Trial(pacing={"metronome": {"interval": "100 ms", "beats": 3}}, when=[{"time": "500 ms", "end": True}])
    with ct.Rig("wire", priority=None) as rig:
        finished = rig.run(trial, data=None, participant="tapper")
    errors: list[Any] = [ct.TrialInterrupted(finished), ct.DataNotSaved(finished)]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)
        assert again.finished.summary == finished.summary
        assert again.finished.taps.equals(finished.taps)
