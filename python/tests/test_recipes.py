"""The recipes of docs/python.md for many processors and for large data."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import chronotap as ct

TRIAL = ct.Trial(
    pacing={"metronome": {"interval": "500 ms", "beats": 20}},
    input={"pad": {}},
    when=[{"time": "11 s", "end": True}],
)


def share_found(asked: tuple[float, int]) -> tuple[float, float]:
    """One cell of a power analysis: a mean asynchrony in, how often it is found out."""
    mean_ms, seed = asked
    taps = ct.simulate(TRIAL, n=10, seed=seed, participant=f"tapper, mean = {mean_ms} ms").taps
    each = taps.groupby("trial")["asynchrony_ms"].mean()
    found = ct.models.mean(each)
    return mean_ms, float(found.high < 0)


CELLS = [(mean, 100 * seed) for mean in (0.0, -40.0) for seed in range(1, 3)]


def powers(rows: list[tuple[float, float]]) -> dict[float, float]:
    return {float(str(k)): v for k, v in pd.DataFrame(rows).groupby(0)[1].mean().items()}


def test_processes_share_a_power_analysis() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        together = powers(list(pool.map(share_found, CELLS)))
    assert together == powers([share_found(cell) for cell in CELLS])
    assert together[-40.0] == 1


@pytest.mark.filterwarnings("default")  # those of dask's own dependencies
def test_dask_gives_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        rows = client.gather(client.map(share_found, CELLS))
    assert powers(rows) == powers([share_found(cell) for cell in CELLS])


def test_a_study_is_gathered_once_and_read_by_participant_and_condition(
    dataset: Path, tmp_path: Path
) -> None:
    study = ct.read_dataset(dataset)
    path = ct.gather(study, tmp_path / "taps.parquet")
    expected = study.taps
    found = ct.read_gathered(path)
    assert found["asynchrony_ns"].tolist() == expected["asynchrony_ns"].tolist()
    assert found["trial"].tolist() == expected["trial"].tolist()
    assert {"participant_id", "delay", "hand", "counts", "step"} <= set(found.columns)
    some = ct.read_gathered(
        path, columns=["trial", "asynchrony_ms"], participants=["02"], conditions={"delay": "70 ms"}
    )
    assert some["trial"].unique().tolist() == [4, 5]
    assert list(some.columns) == ["trial", "asynchrony_ms"]
    assert ct.read_gathered(path, frame="polars").height == len(expected)
    with pytest.raises(ValueError, match="no column 'dealy'"):
        ct.read_gathered(path, conditions={"dealy": "0 ms"})


def test_polars_reads_what_was_gathered(dataset: Path, tmp_path: Path) -> None:
    study = ct.read_dataset(dataset)
    lazy = pl.scan_parquet(ct.gather(study, tmp_path / "taps.parquet"))
    means = lazy.group_by("delay").agg(pl.col("asynchrony_ms").mean()).sort("delay").collect()
    taps = study.taps
    expected = taps.groupby("delay")["asynchrony_ms"].mean()
    assert means["asynchrony_ms"].to_list() == pytest.approx(expected.tolist())
