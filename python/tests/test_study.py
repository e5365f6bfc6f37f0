"""A study that is simulated in memory gives the tables of one that leaves a dataset."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import chronotap as ct

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="studies need Linux")
MODEL = "tapper, mean = -30 +- 10 ms"


def test_the_tables_are_those_of_the_command(examples: Path, command: Path, tmp_path: Path) -> None:
    file, folder = examples / "delay-study" / "study.toml", tmp_path / "dataset"
    simulate: list[str | Path] = [command, "simulate", file, "--participants", "3", "--data", folder]
    subprocess.run([*simulate, "--simulate", MODEL, "--quiet"], check=False, capture_output=True)
    expected = ct.read_dataset(folder)
    found = ct.Experiment.read(file).simulate(3, participant=MODEL)
    same = [name for name in expected.trials.columns if name in found.trials.columns]
    assert {"delay", "tempo", "seed", "mean_asynchrony_ms", "effort", "counts"} <= set(same)
    pd.testing.assert_frame_equal(found.trials[same], expected.trials[same])
    people = [name for name in expected.participants.columns if name != "withdrawn"]
    pd.testing.assert_frame_equal(found.participants[people], expected.participants[people])
    taps = expected.taps
    assert found.taps["trial"].tolist() == taps["trial"].tolist()
    assert found.taps["asynchrony_ns"].tolist() == taps["asynchrony_ns"].tolist()


def test_ctrl_c_ends_a_long_rehearsal_at_once(examples: Path) -> None:
    """It would take more than a minute; a tenth of that is enough to end it."""
    file = examples / "delay-study" / "study.toml"
    code = f"import chronotap as ct; print(1, flush=True); ct.Experiment.read({str(file)!r}).simulate(3000)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout and run.stdout.readline() == "1\n"
        time.sleep(1)  # until it is in the extension, which alone has to look for the signal
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=6)
    assert run.returncode and "KeyboardInterrupt" in said


def test_polars_and_arrow_hold_the_same(examples: Path) -> None:
    study = ct.Experiment.read(examples / "delay-study" / "study.toml")
    expected = study.simulate(1)
    assert study.simulate(1, frame="polars").trials["seed"].to_list() == expected.trials["seed"].tolist()
    assert study.simulate(1, frame="arrow").events.num_rows == len(expected.events)


def test_who_cannot_tap_is_refused(examples: Path) -> None:
    study = ct.Experiment.read(examples / "delay-study" / "study.toml")
    with pytest.raises(ValueError, match="did you mean 'tapper'"):
        study.simulate(1, participant="taper")
    with pytest.raises(ValueError, match="n = 0"):
        study.simulate(0)


def test_the_command_of_the_wheel_is_this_library(command: Path) -> None:
    said = subprocess.run([command, "--version"], check=True, capture_output=True, text=True)
    commit = "(commit [0-9a-f]{7,}, )?"  # of a wheel that is released, or built of a source package
    assert re.match(rf"chronotap {re.escape(ct.__version__)} \({commit}with parquet,", said.stdout)


def test_a_study_that_was_read_is_saved_with_all_its_files(examples: Path, tmp_path: Path) -> None:
    study = ct.Experiment.read(examples / "delay-study" / "study.toml")
    again = ct.Experiment.read(study.save(tmp_path / "copy"))
    assert {"sync.toml", "welcome.md"} <= {path.name for path in (tmp_path / "copy").iterdir()}
    assert again.text == study.text
    assert again.check().trials == study.check().trials


def test_where_a_file_is_there_nothing_is_saved(tmp_path: Path) -> None:
    study = ct.Experiment({"a/trial.toml": "[pacing.m]\ninterval = '1 s'\n"}, trial="a/trial.toml")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "trial.toml").touch()
    with pytest.raises(FileExistsError, match=r"trial\.toml"):
        study.save(tmp_path)
    assert not (tmp_path / "study.toml").exists()
    assert study.save(tmp_path / "other").parent.joinpath("a", "trial.toml").exists()
    with pytest.raises(ValueError, match="outside of the folder"):
        ct.Experiment({"../trial.toml": "a = 1\n"}).save(tmp_path / "third")


def test_what_is_asked_of_a_study_by_mistake_is_named(examples: Path) -> None:
    study: Any = ct.Experiment.read(examples / "delay-study" / "study.toml")
    with pytest.raises(ValueError, match="participant = -1: give a whole number of 1 or more"):
        study.plan(-1)
    with pytest.raises(ValueError, match="session 5: the study has one session; give 1"):
        study.plan(1, session=5)
    with pytest.raises(TypeError, match="n = 2.5: give a whole number"):
        study.simulate(2.5)
    with pytest.raises(ValueError, match="^participant: there is no participant 'taper'"):
        study.simulate(1, participant="taper")
    any_ct: Any = ct
    with pytest.raises(TypeError, match=r"files: trial\.toml = 3: give a Trial"):
        any_ct.Experiment({"trial.toml": 3})


def test_a_column_without_a_cell_keeps_its_type_in_every_frame(examples: Path) -> None:
    study = ct.Experiment.read(examples / "delay-study" / "study.toml")
    trials = study.simulate(1, frame="polars").trials
    assert str(trials.schema["session"]) == "String"
    assert study.simulate(1, frame="arrow").trials.schema.field("session").type == "string"
    assert repr(study.simulate(1)).startswith("<SimulatedStudy: 1 participant, ")
