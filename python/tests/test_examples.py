"""The scripts in examples/python run from a simulated study to the figure."""

from __future__ import annotations

import runpy
import shutil
import sys
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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="real time needs Linux")
def test_the_adaptive_loop_goes_up_and_keeps_every_trial(
    examples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["adaptive_loop.py", "2"])
    runpy.run_path(str(examples / "python" / "adaptive_loop.py"), run_name="__main__")
    assert len(list((tmp_path / "data").glob("adaptive_run-*_events.tsv"))) == 3
    assert "delays tried: 40 " in capsys.readouterr().out
