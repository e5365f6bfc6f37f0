"""The scripts in examples/python run from a simulated study to the figure."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest


def test_the_delayed_feedback_study_finds_that_delays_slow(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(examples / "python", tmp_path / "python")
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(tmp_path / "python" / "delayed_feedback.py"))
    curve = names["curve"]
    assert curve["interval_ms"].is_monotonic_increasing
    figure = tmp_path / "delayed_feedback.png"
    assert figure.stat().st_size > 10_000
