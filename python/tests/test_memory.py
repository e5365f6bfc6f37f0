"""Many calls leave memory as it was."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Callable

import numpy as np
import pytest

import chronotap as ct
from chronotap import _native, models, statistics

TRIAL = ct.Trial(pacing={"m": {"interval": "100 ms", "beats": 3}}, when=[{"time": "1 s", "end": True}])
VALUES = [float(place % 7) for place in range(40)]
CELLS, GROUPS = np.array(VALUES), np.repeat([0, 1], 20)


def greatest_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ru_maxrss is in kB on Linux")
@pytest.mark.parametrize(
    ("call", "times"),
    [
        (lambda: _native.asynchronies((CELLS, GROUPS, 2)), 100_000),
        (lambda: models.mean(VALUES), 5_000),
        (lambda: statistics.asynchrony(VALUES), 10_000),
        (lambda: _native.check(TRIAL.text.encode(), "trial"), 3_000),
        (lambda: ct.simulate(TRIAL, seed=1), 300),
    ],
    ids=["native", "model", "statistic", "check", "simulate"],
)
def test_memory_is_flat(call: Callable[[], object], times: int) -> None:
    for _ in range(times // 10):
        call()
    gc.collect()
    before = greatest_kb()
    for _ in range(times):
        call()
    assert greatest_kb() - before < 6_000
