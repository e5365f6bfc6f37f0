"""Every block of Python in docs/python.md runs, one after the other, and the lines of
docs/events-files.md read a table with the right types."""

from __future__ import annotations

import re
import shutil
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
    names: dict[str, object] = {}
    for number, block in enumerate(shown, 1):
        exec(compile(block, f"docs/python.md, block {number}", "exec"), names)


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
