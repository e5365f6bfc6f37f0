"""A dataset is read as tables, and its events when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import chronotap as ct


def test_trials_bear_participant_condition_and_what_is_known_of_the_person(dataset: Path) -> None:
    trials = ct.read_dataset(dataset).trials
    assert trials["participant"].tolist() == ["01"] * 3 + ["02"] * 3
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


def test_events_name_the_row_of_their_trial(dataset: Path, golden: Path) -> None:
    chosen = ct.read_dataset(dataset, conditions={"hand": ["left"]})
    events = chosen.events()
    one = ct.read_trial(golden).events
    assert events["trial"].unique().tolist() == [0, 1, 2]
    assert events["onset_ns"].tolist() == one["onset_ns"].tolist() * 3
    joined = events.join(chosen.trials["delay"], on="trial")
    assert joined.groupby("delay").size()["70 ms"] == 2 * len(one)


def test_polars_and_arrow_hold_the_same(dataset: Path) -> None:
    expected = ct.read_dataset(dataset)
    polars = ct.read_dataset(dataset, frame="polars")
    arrow = ct.read_dataset(dataset, frame="arrow")
    for column in ("participant", "delay", "counts", "seed"):
        cells = expected.trials[column].tolist()
        assert polars.trials[column].to_list() == cells
        assert arrow.trials[column].to_pylist() == cells
    assert polars.events()["trial"].n_unique() == 6
    assert arrow.events().num_rows == len(expected.events())


def test_what_the_dataset_does_not_have_is_refused_by_name(dataset: Path) -> None:
    with pytest.raises(ValueError, match="'01', '02'"):
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
