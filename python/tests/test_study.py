"""A study that is simulated in memory gives the tables of one that leaves a dataset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    taps = expected.taps()
    assert found.taps["trial"].tolist() == taps["trial"].tolist()
    assert found.taps["asynchrony_ns"].tolist() == taps["asynchrony_ns"].tolist()


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
    assert said.stdout.strip() == f"chronotap {ct.__version__}"
