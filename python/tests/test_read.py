"""Recorded trials come back with the types and units that their columns name."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import chronotap as ct
from chronotap import _native


def test_every_cell_of_the_table_comes_back(golden: Path) -> None:
    events = ct.read_trial(golden).events
    for column, cells in _native.read_table(golden):
        if column == "onset":
            assert events["onset_s"].tolist() == [float(cell or "") for cell in cells]
        elif column != "duration":
            found = [None if pd.isna(cell) else str(cell) for cell in events[column]]
            assert found == cells, column
    assert (events["onset_ns"] / 1e9 == events["onset_s"]).all()


def test_types_are_whole_numbers_fractions_and_categories(golden: Path) -> None:
    events = ct.read_trial(golden).events
    assert events["lateness_ns"].dtype == pd.Int64Dtype()
    assert events["onset_s"].dtype == "float64"
    assert isinstance(events["trial_type"].dtype, pd.CategoricalDtype)


def test_header_and_footer_are_dataclasses(golden: Path) -> None:
    recording = ct.read_trial(golden)
    assert isinstance(recording.header, ct.Header)
    assert isinstance(recording.footer, ct.Footer)
    assert recording.header.names.pacing == ("metronome",)
    assert recording.checksum in {"agrees", "absent"}


def test_polars_and_arrow_hold_the_same(golden: Path) -> None:
    expected = ct.read_trial(golden).events
    polars = ct.read_trial(golden, frame="polars").events
    arrow = ct.read_trial(golden, frame="arrow").events
    for column in expected.columns:
        cells = [None if pd.isna(cell) else cell for cell in expected[column]]
        assert polars[column].to_list() == cells, column
        assert arrow[column].to_pylist() == cells, column


def test_a_missing_file_is_an_os_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing_events"):
        ct.read_trial(tmp_path / "nothing_events.tsv")


def test_a_broken_cell_is_named_with_file_line_and_column(golden: Path, tmp_path: Path) -> None:
    for kind in (".tsv", ".json"):
        (tmp_path / golden.with_suffix(kind).name).write_text(golden.with_suffix(kind).read_text())
    table = tmp_path / golden.name
    table.write_text(table.read_text().replace("1020000000", "soon"))
    with pytest.raises(ValueError, match=rf"{table.name}:3"):
        ct.read_trial(table)


def test_what_is_no_text_is_named_with_line_and_place(golden: Path, tmp_path: Path) -> None:
    first, rest = golden.read_bytes().split(b"\n", 1)
    broken = tmp_path / golden.name
    broken.write_bytes(first + b"\n\xb5" + rest)
    beside = golden.with_suffix(".json")
    (tmp_path / beside.name).write_bytes(beside.read_bytes())
    for read in (ct.read_trial, _native.read_table):
        with pytest.raises(ValueError, match=rf":2: .*0xb5 at offset {len(first) + 1}; restore .* UTF-8"):
            read(broken)


def test_another_frame_is_refused_with_those_that_there_are(golden: Path) -> None:
    with pytest.raises(ValueError, match="'pandas', 'polars', 'arrow'"):
        ct.read_trial(golden, frame="spark")  # type: ignore[call-overload]
