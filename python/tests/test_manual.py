"""Every block of Python in docs/python.md runs, one after the other, and the lines of
docs/events-files.md read a table with the right types."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[str]:
    return BLOCK.findall((REPOSITORY / "docs" / page).read_text())


def test_the_manual_does_what_it_shows(
    dataset: Path, examples: Path, golden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "manual"
    shutil.copytree(examples, place / "examples")
    shutil.copytree(dataset, place / "dataset", ignore=shutil.ignore_patterns("manual"))
    (place / "recorded").mkdir()
    for kind in (".tsv", ".json"):
        shutil.copy(golden.with_suffix(kind), place / "recorded" / f"demo_run-01_events{kind}")
    monkeypatch.chdir(place)
    shown = blocks("python.md")
    assert len(shown) >= 5
    names: dict[str, Any] = {}
    known = dict(KNOWN)
    for number, block in enumerate(shown, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
        for words in [words for words in known if words in block]:
            known.pop(words)(names)
    assert not known, "no block has these words"


def the_study_has_asynchronies(names: dict[str, Any]) -> None:
    trials = names["whole"].trials
    assert len(trials) == 24 and (trials["data"] == "usable").all()
    assert trials.groupby("delay")["mean_asynchrony_ms"].mean().between(-60, 0).all()


def the_first_trial_hears_its_metronome_to_the_end(names: dict[str, Any]) -> None:
    """In real time: how many taps are matched, and how exactly, depends on the machine."""
    finished = names["finished"]
    assert finished.ending == "its trigger" and finished.data_usable
    beats = finished.events.query("trial_type == 'pacing'")
    assert beats["number"].max() == 10 and (finished.taps["fate"] == "matched").any()
    assert -200 < finished.value("mean_asynchrony_ms") < 200


def the_loop_stops_at_the_fifth_tap(names: dict[str, Any]) -> None:
    finished = names["finished"]
    assert finished.ending != "its trigger" and len(finished.taps) == 5
    assert finished.length_s < 5.5


def the_session_has_every_trial_of_its_plan(names: dict[str, Any]) -> None:
    ended = names["ended"]
    assert ended.complete and ended.trials_done == 4
    assert sorted(ended.read().trials["delay"]) == ["0 ms", "0 ms", "70 ms", "70 ms"]


def the_tapper_is_as_early_as_was_asked(names: dict[str, Any]) -> None:
    assert len(names["wide"]) == 20
    assert names["wide"]["mean_asynchrony_ms"].mean() == pytest.approx(-40, abs=5)


def the_attempt_that_does_not_count_is_left_out(names: dict[str, Any]) -> None:
    means = names["counting"].groupby("delay")["mean_asynchrony_ms"].mean()
    assert means["0 ms"] == -12.5 and names["study"].participants["participant_id"].tolist() == ["sub-01", "sub-02"]


def the_means_are_those_of_pandas(names: dict[str, Any]) -> None:
    expected = names["matched"].groupby("trial")["asynchrony_ms"].mean()
    assert names["each"]["mean_ms"].tolist() == pytest.approx(expected.tolist())


def the_wrong_note_is_found(names: dict[str, Any]) -> None:
    errors = names["music"].errors(names["aligned"])
    assert (errors.substitutions, errors.deletions, errors.additions) == (1, 0, 0)
    assert names["music"].tempo(names["aligned"])["bpm"].median() == pytest.approx(120)


def one_person_at_one_delay_is_read(names: dict[str, Any]) -> None:
    early = names["early"]  # two people, two trials each at 70 ms, two taps in a trial
    assert len(early) == 2 * 2 * 2 and early["asynchrony_ms"].count() == 4


# What is known beforehand of what a block gives, by words that stand in that block alone.
KNOWN: dict[str, Callable[[dict[str, Any]], None]] = {
    "study.simulate(participant=": the_study_has_asynchronies,
    "rig.run(trial, data": the_first_trial_hears_its_metronome_to_the_end,
    "running.stop()": the_loop_stops_at_the_fifth_tap,
    "frontend=Window()": the_session_has_every_trial_of_its_plan,
    "whole.pivot": the_tapper_is_as_early_as_was_asked,
    "counting.groupby": the_attempt_that_does_not_count_is_left_out,
    "each = statistics.asynchrony": the_means_are_those_of_pandas,
    "music.align": the_wrong_note_is_found,
    "ct.read_gathered": one_person_at_one_delay_is_read,
}


def test_the_lines_for_pandas_and_polars_read_the_types_that_the_columns_have(
    golden: Path, tmp_path: Path
) -> None:
    """With a system exclusive message of two rows behind the golden table."""
    table = golden.read_text().splitlines()
    columns = table[0].split("\t")
    given = {"onset": "1.300000000", "duration": "0.000000000", "trial_type": "sysex"}
    given |= {"name": "input", "port": "input", "number": "1", "engine_ns": "1300000000"}
    for event, message in (("90", "f0 01 02"), ("91", "03 f7")):
        cells = {**given, "event_id": event, "message": message}
        table.append("\t".join(cells.get(column, "n/a") for column in columns))
    file = tmp_path / "t_events.tsv"
    file.write_text("\n".join(table) + "\n")
    with_pandas, with_polars, taps, sysex = blocks("events-files.md")
    names: dict[str, Any] = {"file": file}
    exec(compile(with_pandas, "docs/events-files.md, pandas", "exec"), names)
    events = names["events"]
    assert events["lateness_ns"].dtype == pd.Int64Dtype()
    assert events["number"].dtype == pd.Int64Dtype()
    assert events["onset"].dtype == pd.Float64Dtype()
    assert events["number"].isna().any() and events["name"].dtype == pd.StringDtype()
    exec(compile(taps, "docs/events-files.md, taps", "exec"), names)
    exec(compile(sysex, "docs/events-files.md, sysex", "exec"), names)
    assert names["whole"].to_dict() == {("input", 1): "f0 01 02 03 f7"}
    polars = pytest.importorskip("polars")
    exec(compile(with_polars, "docs/events-files.md, polars", "exec"), names)
    read = names["events"]
    assert read.schema["lateness_ns"] == polars.Int64 and read.schema["onset"] == polars.Float64
    assert read["lateness_ns"].to_list() == [
        None if pd.isna(cell) else cell for cell in events["lateness_ns"]
    ]
