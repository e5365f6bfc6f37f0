"""Every recipe of the manual that reads tables gives, on the data of two laboratories, the numbers that
are known beforehand: with participants `01` and `1`, levels `None` and `NA`, datasets `01` and `1`."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from pathlib import Path
from typing import Any

import duckdb
import laboratories
import pandas as pd
import pytest
from laboratories import LABORATORIES, Means

import chronotap as ct

DOCS = Path(__file__).parents[2] / "docs"
FENCED = re.compile(r"^```(?:python|sql)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?:    .*\n)+", re.MULTILINE)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = Path(sys.executable).with_name("chronotap")
    if not command.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    place = tmp_path_factory.mktemp("laboratories")
    laboratories.record(command, place)
    return place


def recipe(page: str, having: str) -> str:
    """The one block of a page that has these words."""
    text = (DOCS / page).read_text()
    blocks = FENCED.findall(text) + [textwrap.dedent(block) for block in INDENTED.findall(text)]
    [found] = [block for block in blocks if having in block]
    return str(found)


def run(page: str, having: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(recipe(page, having), f"docs/{page}", "exec"), names)
    return names


def by_condition(found: pd.DataFrame, value: str) -> Means:
    """The rows of a query over gathered datasets."""
    means = {}
    for row in found.to_dict("records"):
        levels = dict(part.split("=") for part in row["condition"].split("; "))
        key = row["dataset"], row["participant_id"], levels["tempo"], levels["delay"]
        assert key not in means and row["step"] == "main", row
        means[key] = row[value]
    return means


def of_one(known: Means, name: str) -> dict[tuple[str, str, str], float]:
    return {key[1:]: mean for key, mean in known.items() if key[0] == name}


def test_the_laboratories_have_what_is_taken_for_something_else(place: Path) -> None:
    known = laboratories.means_of_trials(place)
    names, people, tempi, delays = (set(part) for part in zip(*known, strict=True))
    assert (names, people) == ({"01", "1"}, {"sub-01", "sub-1"})
    assert (tempi, delays) == ({"None", "01", "1"}, {"NA", "0 ms"})
    assert len(set(known.values())) == len(known) == 24


def test_pandas_reads_one_dataset(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LABORATORIES:
        shutil.copytree(place / name, tmp_path / name / "study")
        monkeypatch.chdir(tmp_path / name)
        means = run("analysis.md", "import pandas")["means"]
        keys = means[["participant_id", "tempo", "delay"]].itertuples(index=False, name=None)
        found = dict(zip(keys, means["mean_asynchrony_ms"], strict=True))
        assert found == pytest.approx(of_one(laboratories.means_of_trials(place), name))
        hands = dict(zip(means["participant_id"], means["hand"], strict=True))
        assert hands == laboratories.hands(place, name)


def test_pandas_reads_the_trials_of_one_participant(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = place / "1" / "sub-01" / "beh" / "sub-01_task-delay_beh.tsv"
    shutil.copy(table, tmp_path / "sub-07_task-delay_beh.tsv")
    monkeypatch.chdir(tmp_path)
    trials = run("datasets.md", "read_csv")["trials"]
    known = [row for row in laboratories.rows(table) if row["counts"] == "true"]
    for name in ("tempo", "delay"):
        assert trials[name].tolist() == [row[name] for row in known]
    assert trials["mean_asynchrony_ms"].tolist() == [float(row["mean_asynchrony_ms"]) for row in known]


def test_polars_reads_both_together(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    means = run("scripts-and-clusters.md", "import polars")["means"]
    found = by_condition(pd.DataFrame(means.to_dicts()), "mean_asynchrony_ms")
    assert found == pytest.approx(laboratories.means_of_trials(place))


@pytest.mark.filterwarnings("default")  # those of dask's own dependencies
def test_dask_reads_both_together(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.chdir(place)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster):
        means = run("scripts-and-clusters.md", "import dask")["means"]
    found = by_condition(means.reset_index(), "mean_asynchrony_ms")
    assert found == pytest.approx(laboratories.means_of_trials(place))


@pytest.mark.filterwarnings("default")  # those of dask's own dependencies, and of a fit of four people
def test_the_page_of_analyses_runs_from_top_to_bottom(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(place / "1", tmp_path / "study")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", (DOCS / "analysis.md").read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block, "docs/analysis.md", "exec"), names)
    assert {"means", "model"} <= set(names)
    assert set(names["rows"]["participant_id"]) == {key[0] for key in of_one(laboratories.means_of_trials(place), "1")}


def test_duckdb_reads_the_taps_of_both_together(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    with duckdb.connect() as database:
        found = database.sql(recipe("scripts-and-clusters.md", "SELECT dataset")).df()
    assert by_condition(found, "mean_ms") == pytest.approx(laboratories.means_of_taps(place))
    taps = laboratories.asynchronies(place).values()
    assert found["taps"].sum() == sum(len(trial) for trials in taps for trial in trials)


def test_the_package_reads_one_dataset(place: Path) -> None:
    for name in LABORATORIES:
        trials = ct.read_dataset(place / name).trials
        trials = trials[trials["counts"]]
        means = trials.groupby(["participant_id", "tempo", "delay"])["mean_asynchrony_ms"].mean()
        assert means.to_dict() == pytest.approx(of_one(laboratories.means_of_trials(place), name))
        hands = dict(zip(trials["participant_id"], trials["hand"], strict=True))
        assert hands == laboratories.hands(place, name)


def test_gathered_taps_are_chosen_by_participant_and_level(place: Path, tmp_path: Path) -> None:
    known = laboratories.means_of_taps(place)
    for name in LABORATORIES:
        path = ct.gather(ct.read_dataset(place / name), tmp_path / f"{name}.parquet")
        for label, tempo in (("01", "None"), ("1", "01"), ("sub-1", "1")):
            taps = ct.read_gathered(
                path, participants=[label], conditions={"tempo": tempo, "delay": "NA", "counts": True}
            )
            who = f"sub-{label.removeprefix('sub-')}"
            assert taps["asynchrony_ms"].mean() == pytest.approx(known[name, who, tempo, "NA"])
