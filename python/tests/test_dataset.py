"""A dataset is read as tables, and its events when they are asked for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import chronotap as ct


def test_trials_bear_participant_condition_and_what_is_known_of_the_person(dataset: Path) -> None:
    trials = ct.read_dataset(dataset).trials
    assert trials["participant_id"].tolist() == ["sub-01"] * 3 + ["sub-02"] * 3
    assert trials["task"].unique().tolist() == ["delay"]
    assert trials["delay"].tolist() == ["0 ms", "70 ms", "70 ms"] * 2
    assert trials["hand"].tolist() == ["left"] * 3 + ["right"] * 3
    assert trials["counts"].tolist() == [True, True, False] * 2
    assert trials["mean_asynchrony_ms"].isna().sum() == 2
    assert trials["seed"].dtype == "int64"
    assert trials["age"].tolist()[:3] == [23, 23, 23]


def test_what_stands_in_both_tables_is_one_column_and_what_is_always_missing_a_number(
    dataset: Path,
) -> None:
    trials = ct.read_dataset(dataset).trials
    assert [name for name in trials.columns if name.startswith("hand")] == ["hand"]
    assert trials["lag_one"].dtype == "float64"
    assert trials["session"].isna().all() and trials["session"].dtype == trials["task"].dtype


def test_participants_and_conditions_are_chosen(dataset: Path) -> None:
    chosen = ct.read_dataset(dataset, participants=["02"], conditions={"delay": "70 ms"})
    assert chosen.trials["trial"].tolist() == [2, 3]
    assert [path.name for path in chosen.events_files] == [
        "sub-02_task-delay_run-02_events.tsv",
        "sub-02_task-delay_run-03_events.tsv",
    ]


def test_who_withdrew_is_left_out_and_named(dataset: Path) -> None:
    note = dataset / "sourcedata" / "withdrawals.tsv"
    note.parent.mkdir()
    noted = ["participant_id\tday\tdata", "sub-01\t2026-11-01\tkept and marked", "sub-09\t2026-11-02\tremoved"]
    note.write_text("\n".join(noted) + "\n")
    read = ct.read_dataset(dataset)
    assert read.withdrawn == ("sub-01",) and "left out: 1 who withdrew" in repr(read)
    assert read.trials["participant_id"].unique().tolist() == ["sub-02"]
    assert read.participants["participant_id"].tolist() == ["sub-02"]
    assert len(read.events_files) == 3 and all("sub-02" in path.name for path in read.events_files)
    with pytest.raises(ValueError, match="'sub-01': no trial has it"):
        ct.read_dataset(dataset, participants=["01"])


def test_who_withdraws_while_a_study_is_gathered_is_not_gathered(dataset: Path, tmp_path: Path) -> None:
    study = ct.read_dataset(dataset)
    note = dataset / "sourcedata" / "withdrawals.tsv"
    note.parent.mkdir()
    note.write_text("participant_id\tday\tdata\nsub-01\t2026-11-01\tremoved\n")
    place = tmp_path / "gathered"
    place.mkdir()
    with pytest.raises(ValueError, match="sub-01 withdrew since it was read; read it again"):
        ct.gather(study, place / "taps.parquet")
    assert not list(place.iterdir())


def test_a_copy_in_a_dataset_is_left_out_and_told(dataset: Path) -> None:
    shutil.copytree(dataset / "sub-01", dataset / "sub-01 (1)")
    (dataset / "sub-02" / "beh" / "._sub-02_task-delay_beh.tsv").write_bytes(b"\x00\x05\x16\x07")
    with pytest.warns(UserWarning, match=r"sub-01 \(1\): left out, because it is a copy"):
        assert len(ct.read_dataset(dataset).trials) == 6
    shutil.rmtree(dataset / "sub-01 (1)")
    stem = "beh/sub-{0}_task-delay_run-01_events"
    for kind in ("tsv", "json"):
        first, other = (dataset / f"sub-{label}" / f"{stem.format(label)}.{kind}" for label in ("01", "02"))
        shutil.copy(first, other)
    with pytest.warns(UserWarning, match="1 trial left out, byte for byte the same as sub-01/beh"):
        assert len(ct.read_dataset(dataset).events_files) == 5


def test_whom_the_study_leaves_out_by_an_answer_is_named_with_the_reason(dataset: Path) -> None:
    study = dataset / "sourcedata" / "study-01" / "study.toml"
    study.parent.mkdir(parents=True)
    ages = ct.read_dataset(dataset).participants.set_index("participant_id")["age"]
    study.write_text(f'[exclude]\n"too old" = "age = {ages["sub-01"]}"\n[[step]]\n')
    read = ct.read_dataset(dataset)
    assert read.excluded == {"sub-01": "too old"} and "left out by an answer: 1" in repr(read)
    assert read.trials["participant_id"].unique().tolist() == ["sub-02"]
    whole = ct.read_dataset(dataset, with_excluded=True)
    assert whole.excluded == {} and len(whole.trials) == 6


def test_events_name_the_row_of_their_trial(dataset: Path, golden: Path) -> None:
    chosen = ct.read_dataset(dataset, conditions={"hand": ["left"]})
    events = chosen.events
    one = ct.read_trial(golden).events
    assert events["trial"].unique().tolist() == [0, 1, 2]
    assert events["onset_ns"].tolist() == one["onset_ns"].tolist() * 3
    joined = events.join(chosen.trials["delay"], on="trial")
    assert joined.groupby("delay").size()["70 ms"] == 2 * len(one)


def test_polars_and_arrow_hold_the_same(dataset: Path) -> None:
    expected = ct.read_dataset(dataset)
    polars = ct.read_dataset(dataset, frame="polars")
    arrow = ct.read_dataset(dataset, frame="arrow")
    for column in ("participant_id", "delay", "counts", "seed"):
        cells = expected.trials[column].tolist()
        assert polars.trials[column].to_list() == cells
        assert arrow.trials[column].to_pylist() == cells
    assert polars.events["trial"].n_unique() == 6
    assert arrow.events.num_rows == len(expected.events)


def test_what_the_dataset_does_not_have_is_refused_by_name(dataset: Path) -> None:
    with pytest.raises(ValueError, match="'sub-01', 'sub-02'"):
        ct.read_dataset(dataset, participants=["3"])
    with pytest.raises(ValueError, match="no column 'dealy'"):
        ct.read_dataset(dataset, conditions={"dealy": "0 ms"})
    with pytest.raises(ValueError, match="'0 ms', '70 ms'"):
        ct.read_dataset(dataset, conditions={"delay": "7 ms"})
    with pytest.raises(FileNotFoundError, match="folder of the dataset"):
        ct.read_dataset(dataset / "sub-01")


def test_a_line_of_another_length_is_named(dataset: Path) -> None:
    table = dataset / "participants.tsv"
    table.write_text(table.read_text() + "sub-03\n")
    with pytest.raises(ValueError, match="participants.tsv:4: 1 cells"):
        ct.read_dataset(dataset)


def test_tables_that_are_not_as_they_were_written_are_named(dataset: Path) -> None:
    table = dataset / "sub-01" / "beh" / "sub-01_task-delay_beh.tsv"
    whole = table.read_text()
    table.write_text(whole.replace("events_file", "file"))
    with pytest.raises(ValueError, match="beh.tsv:1: there is no column events_file"):
        ct.read_dataset(dataset)
    table.write_text(re.sub(r"\S+_run-02_events\.tsv", "n/a", whole))
    with pytest.raises(ValueError, match="trial 2 of 'sub-01' names no events_file"):
        ct.read_dataset(dataset)
    table.write_text(whole)
    people = dataset / "participants.tsv"
    people.write_text("participant_id\nsub-01\nsub-01\n")
    with pytest.raises(ValueError, match="'sub-01' stands in it twice"):
        ct.read_dataset(dataset)
    people.write_text("name\nsub-01\n")
    with pytest.raises(ValueError, match="there is no column participant_id"):
        ct.read_dataset(dataset)


def test_conditions_of_another_kind_are_a_type_error(dataset: Path) -> None:
    wrong: Any = ["delay"]
    with pytest.raises(TypeError, match="conditions: give a dictionary"):
        ct.read_dataset(dataset, conditions=wrong)


def test_only_the_columns_that_are_asked_for_are_read(dataset: Path) -> None:
    whole = ct.read_dataset(dataset).trials
    some = ct.read_dataset(dataset, columns=["mean_asynchrony_ms"], conditions={"delay": "0 ms"}).trials
    assert list(some.columns) == [name for name in whole.columns if name in some.columns]
    assert {"participant_id", "events_file", "delay", "mean_asynchrony_ms"} <= set(some.columns)
    assert not {"taps", "lag_one", "seed"} & set(some.columns)
    expected = whole[whole["delay"] == "0 ms"]["mean_asynchrony_ms"]
    assert some["mean_asynchrony_ms"].tolist() == expected.tolist()
    with pytest.raises(ValueError, match="no column 'mean_asynchrony' in the trials"):
        ct.read_dataset(dataset, columns=["mean_asynchrony"])
    wrong: Any = "mean_asynchrony_ms"
    with pytest.raises(TypeError, match="give a list of names"):
        ct.read_dataset(dataset, columns=wrong)


def test_sessions_are_asked_for_by_their_labels(dataset: Path) -> None:
    with pytest.raises(ValueError, match="session = '9': no trial has it"):
        ct.read_dataset(dataset, sessions=["9"])


def test_moments_are_time_stamps(examples: Path, command: Path, tmp_path: Path) -> None:
    study = examples / "delay-study" / "study.toml"
    simulate: list[str | Path] = [command, "simulate", study, "--participants", "1", "--data", tmp_path / "d"]
    subprocess.run([*simulate, "--quiet"], check=False, capture_output=True)
    onset = ct.read_dataset(tmp_path / "d").trials["onset_utc"]
    assert str(onset.dtype) == "datetime64[us, UTC]" and onset.notna().all()


def test_what_is_selected_to_nothing_keeps_its_types(dataset: Path) -> None:
    nobody = ct.read_dataset(dataset, participants=[], frame="polars")
    everybody = ct.read_dataset(dataset, frame="polars")
    assert nobody.trials.schema == everybody.trials.schema
    assert nobody.taps.schema == everybody.taps.schema
    assert repr(nobody).endswith("2 participants, 0 trials>")


def test_gathered_taps_are_asked_for_by_what_the_study_has(dataset: Path, tmp_path: Path) -> None:
    whole = ct.gather(ct.read_dataset(dataset), tmp_path / "taps.parquet")
    taps = ct.read_gathered(whole)
    assert len(ct.read_gathered(whole, participants=["01"])) == len(taps) / 2
    assert ct.read_gathered(whole, participants=[]).empty
    both = {"delay": ["0 ms", "70 ms"], "counts": True}
    assert len(ct.read_gathered(whole, conditions=both)) == len(taps) * 2 / 3
    wrong: Any = ct
    for asked, error, said in (
        ({"participants": ["99"]}, ValueError, "participant_id = 'sub-99': no trial has it; there are 'sub-01'"),
        ({"participants": [1]}, ValueError, "participant_id = 1: no trial has it"),
        ({"conditions": {"delay": ["0 ms", "7 ms"]}}, ValueError, "delay = '7 ms': no trial has it"),
        ({"conditions": {"note": "a"}}, ValueError, "no column 'note'"),
        ({"conditions": {"beat": "a"}}, ValueError, "beat = .* values of the type int64"),
        ({"columns": "beat"}, TypeError, "columns = 'beat': give a list"),
        ({"frame": "dask"}, ValueError, "frame = 'dask'"),
    ):
        with pytest.raises(error, match=said):
            wrong.read_gathered(whole, **asked)
    with pytest.raises(TypeError, match="give a dataset as read_dataset"):
        wrong.gather(ct.read_dataset(dataset, frame="polars"), tmp_path / "other.parquet")


def described(**levels: list[str]) -> str:
    """The description beside a table, which states the levels of factors."""
    return json.dumps({name: {"Levels": {level: level for level in all}} for name, all in levels.items()})


def test_gathered_taps_keep_factors_whose_levels_are_numbers(dataset: Path, tmp_path: Path) -> None:
    for table in dataset.glob("sub-*/beh/*_beh.tsv"):
        text = table.read_text().replace(" ms", "").replace("left", "1").replace("right", "2")
        table.write_text(text)
        table.with_suffix(".json").write_text(described(delay=["0", "70"], hand=["1", "2"]))
    people = dataset / "participants.tsv"
    people.write_text(people.read_text().replace("left", "1").replace("right", "2"))
    people.with_suffix(".json").write_text(described(hand=["1", "2"]))
    study = ct.read_dataset(dataset)
    whole = ct.gather(study, tmp_path / "taps.parquet")
    taps = ct.read_gathered(whole)
    assert {"delay", "hand"} <= set(taps) and not {"age", "k", "lag_one"} & set(taps)
    assert taps["delay"].tolist() == study.trials["delay"].iloc[taps["trial"]].tolist()
    assert taps["hand"].isin([1, 2]).all()
    for conditions in ({"delay": 70}, {"delay": [0, 70], "hand": 2}):
        chosen = ct.read_dataset(dataset, conditions=conditions)
        assert len(ct.read_gathered(whole, conditions=conditions)) == len(chosen.taps) > 0
    with pytest.raises(ValueError, match="delay = 7: no trial has it; there are 0, 70"):
        ct.read_gathered(whole, conditions={"delay": 7})


def test_levels_stand_under_their_factors_wherever_the_factor_of_the_sessions_stands(
    command: Path, tmp_path: Path
) -> None:
    end = "[[when]]\nbeat = 5\nend = true\n"
    trial = f'[pacing.metronome]\ninterval = "100 ms"\nbeats = 5\n[input.pad]\n{end}'
    (tmp_path / "trial.toml").write_text(trial)
    study = (
        'task = "t"\nparticipants = 2\nsessions = 2\ntrial = "trial.toml"\n[factor]\n'
        'drug = ["placebo", "caffeine"]\ndelay = ["0 ms", "200 ms"]\n'
        '[session]\nby = "drug"\norder = "latin"\n[[step]]\nname = "main"\nshuffle = "all"\n'
    )
    (tmp_path / "study.toml").write_text(study)
    folder = tmp_path / "d"
    simulate: list[str | Path] = [command, "simulate", tmp_path / "study.toml", "--data", folder, "--quiet"]
    subprocess.run(simulate, check=False, capture_output=True)
    read, simulated = ct.read_dataset(folder), ct.Experiment.read(tmp_path / "study.toml").simulate()
    for trials in (read.trials, simulated.trials):
        assert set(trials["drug"]) == {"placebo", "caffeine"}
        assert set(trials["delay"]) == {"0 ms", "200 ms"}
    # As versions before wrote it.
    for table in folder.glob("sub-*/ses-*/beh/*_beh.tsv"):
        table.write_text(table.read_text().replace("\tdrug\tdelay\t", "\tdelay\tdrug\t", 1))
    with pytest.raises(ValueError, match=r"stand under delay, drug; .*`chronotap repair`"):
        ct.read_dataset(folder)
    subprocess.run([command, "repair", folder], check=False, capture_output=True)
    pd.testing.assert_frame_equal(ct.read_dataset(folder).trials, read.trials)
