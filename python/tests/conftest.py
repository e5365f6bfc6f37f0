"""What several tests share: the examples of the repository, and a small dataset."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples"
GOLDEN = REPOSITORY / "crates" / "data" / "tests" / "golden" / "tiny_events.tsv"


@pytest.fixture
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def command() -> Path:
    """The command beside the interpreter."""
    path = Path(sys.executable).with_name("chronotap")
    if not path.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    return path


@pytest.fixture
def golden() -> Path:
    """A table of events with its description, as the program wrote them."""
    return GOLDEN


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two participants, three trials each at two delays; the last trial does not count."""
    people = ["participant_id\thand\tk\tage", "sub-01\tleft\t0\t23", "sub-02\tright\t0\tn/a"]
    (tmp_path / "participants.tsv").write_text("\n".join(people) + "\n")
    for label in ("01", "02"):
        folder = tmp_path / f"sub-{label}" / "beh"
        folder.mkdir(parents=True)
        columns = "trial step attempt counts delay hand seed events_file mean_asynchrony_ms lag_one"
        lines = ["\t".join(columns.split())]
        hand = "left" if label == "01" else "right"
        for run, delay in ((1, "0 ms"), (2, "70 ms"), (3, "70 ms")):
            stem = f"sub-{label}_task-delay_run-0{run}_events"
            shutil.copy(GOLDEN, folder / f"{stem}.tsv")
            # Two trials that began at one moment would be one, and be counted once.
            about = GOLDEN.with_suffix(".json").read_text()
            about = about.replace("2026-01-02T03:04:05", f"2026-01-{label}T03:04:0{run}")
            (folder / f"{stem}.json").write_text(about)
            mean = "n/a" if run == 2 else f"-{run}2.5"
            counts = "true" if run < 3 else "false"
            name = f"sub-{label}/beh/{stem}.tsv"
            lines.append(f"{run}\tmain\t1\t{counts}\t{delay}\t{hand}\t{run * 7}\t{name}\t{mean}\tn/a")
        (folder / f"sub-{label}_task-delay_beh.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path
