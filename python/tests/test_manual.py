"""Every block of Python in docs/python.md runs, one after the other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


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
    blocks = BLOCK.findall((REPOSITORY / "docs" / "python.md").read_text())
    assert len(blocks) >= 5
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)
