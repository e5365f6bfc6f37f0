"""What `chronotap export` and `chronotap gather` write is read back by other programs."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

REPOSITORY = Path(__file__).parents[2]
STUDY = REPOSITORY / "examples" / "delay-study" / "study.toml"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a simulated and analyzed `study`, and `all` of it gathered."""
    import sys

    command = Path(sys.executable).with_name("chronotap")
    if not command.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    place = tmp_path_factory.mktemp("exchange")

    def run(*asked: str) -> None:
        done = subprocess.run([command, *asked], cwd=place, capture_output=True, text=True)
        assert done.returncode in (0, 1) and not done.stderr, done.stderr

    run("simulate", str(STUDY), "--participants", "2", "--data", "study", "--quiet")
    run("analyze", "study")
    run("gather", "study", "all", "--quiet")
    run("gather", str(STUDY), "rehearsed", "--participants", "2", "--quiet")
    run("export", "study", "--to", "csv", "--quiet")
    run("export", "study", "--as", "parquet", "--to", "parquet", "--quiet")
    return place


def tables(place: Path) -> list[Path]:
    found = sorted((place / "study").glob("**/*.tsv"))
    found = [path.relative_to(place / "study") for path in found if "sourcedata" not in path.parts]
    assert len(found) > 5
    return found


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Cells as text and numbers, missing ones as None, whatever a program's types are."""

    def cell(value: Any) -> Any:
        if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
            return None
        if isinstance(value, (bool, np.bool_)):
            return str(bool(value)).lower()
        return float(value) if isinstance(value, (int, float, np.number)) else str(value)

    cells = {name: [cell(value) for value in frame[name].tolist()] for name in frame.columns}
    return pd.DataFrame(cells, dtype=object)


def written(place: Path, table: Path) -> pd.DataFrame:
    """As it stands in the dataset, every cell as text."""
    return pd.read_csv(place / "study" / table, sep="\t", dtype=str, na_values="n/a", keep_default_na=False)


LABELS = {"participant_id", "session", "step", "events_file"}


def assert_same(found: pd.DataFrame, text: pd.DataFrame) -> None:
    """The same cells: labels letter by letter, numbers by their value."""
    assert list(found.columns) == list(text.columns)
    assert len(found) == len(text)
    cells = plain(found)
    for name in text.columns:
        for value, cell in zip(cells[name], text[name].tolist(), strict=True):
            if name.endswith("_utc") or name == "acq_time":
                assert value is None or pd.Timestamp(value) == pd.Timestamp(cell), (name, value, cell)
            elif isinstance(cell, float) or value is None:
                assert isinstance(cell, float) and value is None, (name, value, cell)
            elif value != cell:
                assert name not in LABELS and float(value) == float(cell), (name, value, cell)


def test_exported_parquet_comes_back_from_pandas_polars_and_duckdb(place: Path) -> None:
    for table in tables(place):
        path, text = place / "parquet" / table.with_suffix(".parquet"), written(place, table)
        assert_same(pd.read_parquet(path), text)
        assert_same(pl.read_parquet(path).to_pandas(), text)
        with duckdb.connect() as database:
            assert_same(database.read_parquet(str(path)).df(), text)


def test_a_workbook_has_the_tables_as_they_are_and_what_their_columns_hold(
    place: Path, command: Path, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        export: list[str | Path] = [command, "export", place / "study", "--as", "xlsx", "--to", tmp_path / folder]
        subprocess.run(export, check=True, capture_output=True)
    path = tmp_path / "one" / "study.xlsx"
    assert path.read_bytes() == (tmp_path / "two" / "study.xlsx").read_bytes()
    with zipfile.ZipFile(path) as book:
        assert b"2000-01-01T00:00:00Z" in book.read("docProps/core.xml"), "no moment of its making"
    sheets = pd.read_excel(path, sheet_name=None, na_values=[], keep_default_na=False)
    assert list(sheets) == ["trials", "conditions", "participants", "descriptions"]
    text = written(place, Path("derivatives/chronotap/desc-wide_beh.tsv"))
    trials = sheets["trials"]
    assert list(trials.columns) == list(text.columns) and len(trials) == len(text)
    for name in ("participant_id", "delay", "events_file"):
        assert trials[name].replace("", None).tolist() == text[name].where(text[name].notna(), None).tolist()
    for name in ("taps", "mean_asynchrony_ms", "delay_ms"):
        numbers = pd.to_numeric(trials[name], errors="coerce").tolist()
        assert np.allclose(numbers, text[name].astype(float).tolist(), equal_nan=True)
    assert trials["onset_utc"].dtype.kind == "M"
    told = sheets["descriptions"].set_index(["sheet", "column"])
    assert told.loc[("trials", "mean_asynchrony_ms"), "units"] == "ms"


def test_exported_csv_comes_back_from_pandas_polars_and_duckdb(place: Path) -> None:
    for table in tables(place):
        path, text = place / "csv" / table.with_suffix(".csv"), written(place, table)
        assert_same(pd.read_csv(path, dtype=str), text)
        assert_same(pl.read_csv(path, infer_schema_length=0).to_pandas(), text)
        with duckdb.connect() as database:
            assert_same(database.read_csv(str(path), all_varchar=True).df(), text)


def test_the_parquet_of_an_analysis_holds_its_tables(place: Path) -> None:
    folder = place / "study" / "derivatives" / "chronotap"
    for table in sorted(folder.glob("*_beh.tsv")):
        text = pd.read_csv(table, sep="\t", dtype=str, na_values="n/a", keep_default_na=False)
        assert_same(pd.read_parquet(table.with_suffix(".parquet")), text)


def test_a_rehearsed_study_is_gathered_as_its_dataset_is(place: Path) -> None:
    for table in ("taps", "trials", "participants"):
        [first] = (place / "all" / table).glob("**/*.parquet")
        [second] = (place / "rehearsed" / table).glob("**/*.parquet")
        there, rehearsed = pd.read_parquet(first), pd.read_parquet(second)
        pd.testing.assert_frame_equal(plain(there), plain(rehearsed))
        assert len(there) > 0


def test_datasets_with_other_factors_have_the_same_columns_of_the_same_types(place: Path, command: Path) -> None:
    """One has `delay` in ms, the other `tempo` and a step of its own; everything else is alike."""
    paradigm = REPOSITORY / "crates" / "design" / "paradigms" / "synchronization"
    other = shutil.copytree(paradigm, place / "other") / "metronome.toml"
    (place / "other" / "study.toml").rename(other)
    run: list[str | Path] = [command, "gather", place / "study", other, place / "both", "--participants", "2"]
    subprocess.run([*run, "--quiet"], check=True, capture_output=True)
    whole = {"trial": "int64", "block": "int64", "repetition": "int64", "attempt": "int64"}
    text = dict.fromkeys(["participant_id", "session", "task", "step", "condition", "delay", "tempo", "hand"], "string")
    wanted = {
        "taps": {**whole, **text, "delay_ms": "double", "tempo_ms": "double", "onset_ns": "int64", "tap": "int64"},
        "trials": {**whole, **text, "delay_ms": "double", "taps": "int64", "beats": "int64", "alpha": "double"},
        "participants": {"participant_id": "string", "hand": "string", "k": "int64", "age": "int64"},
    }
    for table, types in wanted.items():
        schemas = [pq.read_schema(path) for path in sorted((place / "both" / table).glob("*/*.parquet"))]
        assert len(schemas) == 2 and schemas[0].equals(schemas[1]), table
        found = {field.name: str(field.type) for field in schemas[0]}
        assert {name: found.get(name) for name in types} == types
    trials = pl.read_parquet(place / "both" / "trials" / "**" / "*.parquet", hive_partitioning=True)
    levels = trials.filter(pl.col("dataset") == "study").select("delay", "delay_ms").unique().drop_nulls()
    assert {(row[0], row[1]) for row in levels.rows()} == {("0 ms", 0.0), ("70 ms", 70.0), ("200 ms", 200.0)}
    others = trials.filter(pl.col("dataset") != "study")
    assert others.height > 0 and others["delay"].null_count() == others.height
    people = pl.read_parquet(place / "both" / "participants" / "**" / "*.parquet", hive_partitioning=True)
    assert people.height == 4 and people["participant_id"].n_unique() == 2


def test_every_group_of_rows_says_its_least_and_greatest(place: Path) -> None:
    for path in [*(place / "all").glob("t*/*/*.parquet"), *(place / "study").glob("derivatives/*/*.parquet")]:
        file = pq.ParquetFile(path)
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            for place_of, name in enumerate(file.schema_arrow.names):
                of = group.column(place_of).statistics
                empty = of.null_count == group.num_rows
                assert empty or of.has_min_max, (path.name, name)
