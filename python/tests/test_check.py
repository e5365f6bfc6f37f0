"""A trial file is explained, or all its problems are told at once."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import chronotap as ct


@pytest.mark.parametrize("name", ["synchronization_continuation", "delayed_feedback", "polyrhythm"])
def test_examples_are_explained(examples: Path, name: str) -> None:
    plan = ct.check(examples / f"{name}.toml")
    assert plan.title
    assert plan.timeline
    assert any(parameter.line is not None for parameter in plan.parameters)


def test_problems_have_line_and_cure() -> None:
    text = "title = 'x'\n[pacing.metronome]\nintervall = '500 ms'\n"
    with pytest.raises(ct.TrialFileError) as caught:
        ct.check(text)
    problem = next(one for one in caught.value.problems if one.nearest)
    assert (problem.line, problem.nearest) == (3, "interval")
    assert "trial:3:" in str(caught.value)


def test_a_file_with_problems_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[pacing]\nmetronome = 3\n")
    with pytest.raises(ct.TrialFileError, match="wrong.toml:"):
        ct.check(path)
    with pytest.raises(ct.TrialFileError, match="wrong.toml:"):
        ct.simulate(path)


def test_the_error_survives_the_way_between_processes() -> None:
    with pytest.raises(ct.TrialFileError) as caught:
        ct.check("[pacing\n")
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ct.check(tmp_path / "none.toml")
