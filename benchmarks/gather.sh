#!/usr/bin/env bash
# A hundred million taps, gathered: 3,200 simulated participants of 500 trials each, rehearsed
# straight into Parquet (no files of trials, no rows of text), and the queries of
# docs/analysis.md over them. Needs 2 GB of disk; what it makes is removed.
#
# Usage: benchmarks/gather.sh [PARTICIPANTS]      with polars and duckdb in PYTHON=python3
source "$(dirname "$0")/common.sh"

machine
/usr/bin/time -f "gathered in %e s (%U s + %S s of the processors), at most %M kB of memory" \
    "$chronotap" gather benchmarks/gather.toml "$work/all" --participants "${1:-3200}"
du -sh "$work"/all/*/ | sed "s|$work/||"
cd "$work"
"${PYTHON:-python3}" - <<'PYTHON'
import time

def timed(name, query):
    began = time.perf_counter()
    rows = query()
    print(f"{name}: {rows} rows in {time.perf_counter() - began:.1f} s")

try:
    import polars as pl
    trials = pl.scan_parquet("all/trials/**/*.parquet", hive_partitioning=True)
    means = (trials.filter(pl.col("used") & (pl.col("stretch") == "all"))
        .group_by("participant_id", "condition").agg(pl.col("mean_asynchrony_ms").mean(), pl.len()))
    timed("polars, a mean for each participant and condition, of trials",
          lambda: means.collect(engine="streaming").height)
except ImportError:
    print("polars is not installed")
try:
    import duckdb
    query = """SELECT participant_id, condition, count(*), avg(asynchrony_ns) / 1e6, stddev_samp(asynchrony_ns) / 1e6
        FROM read_parquet('all/taps/**/*.parquet', hive_partitioning = true)
        WHERE asynchrony_left_out IS NULL AND tap_left_out IS NULL AND asynchrony_ns IS NOT NULL GROUP BY ALL"""
    timed("DuckDB, the same, of taps", lambda: len(duckdb.sql(query).fetchall()))
except ImportError:
    print("duckdb is not installed")
PYTHON
