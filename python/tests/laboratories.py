"""The data of two laboratories whose names, participants and levels a program that guesses takes for
something else, and what is known of them beforehand. It needs nothing but Python's own library."""

from __future__ import annotations

import csv
import math
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

TRIAL = """
[pacing.metronome]
interval = "400 ms"
beats = 12
[feedback.tone]
[[when]]
time = "7 s"
end = true
"""
STUDY = """
task = "delay"
participants = 4
seed = 1
trial = "sync.toml"
[factor]
tempo = ["None", "01", "1"]
delay = ["NA", "0 ms"]
[between]
hand = ["None", "01"]
[[step]]
name = "main"
repetitions = 2
shuffle = "all"
"""
LABORATORIES = {"01": "mean = -20 +- 8 ms", "1": "mean = -60 +- 8 ms"}
"""By the name of the folder: how people tap there."""

Means = dict[tuple[str, str, str, str], float]
"""Of a laboratory, participant, tempo and delay."""


def record(command: Path, place: Path) -> None:
    """Leaves two datasets, each with the participants `01` and `1`; the tables of their analyses; and
    both gathered into `all`. One attempt of each person does not count."""
    (place / "sync.toml").write_text(TRIAL)
    (place / "study.toml").write_text(STUDY)
    for name, model in LABORATORIES.items():
        run(command, place, "simulate", "study.toml", "--participants", "2", "--data", name, "--quiet",
            "--simulate", f"tapper, {model}")  # fmt: skip
        relabelled(place / name, "02", "1")
        for table in (place / name).glob("sub-*/beh/*_beh.tsv"):
            first = table.read_text().replace("\ttrue\t", "\tfalse\t", 1)
            table.write_text(first)
        run(command, place, "analyze", name)
    run(command, place, "gather", *LABORATORIES, "all", "--quiet")


def balanced(command: Path, place: Path, study: str = STUDY) -> None:
    """Leaves a dataset in which everybody has as many trials of each condition, and its analysis."""
    place.mkdir()
    (place / "sync.toml").write_text(TRIAL)
    (place / "study.toml").write_text(study)
    run(command, place, "simulate", "study.toml", "--participants", "6", "--data", "study", "--quiet",
        "--simulate", "tapper, mean = -40 +- 10 ms")  # fmt: skip
    run(command, place, "analyze", "study")


def effects(place: Path) -> None:
    """That the effects of a mixed model, which another program has fitted, are the differences of the
    conditions' means from the first level in the order of words."""
    found = {row["effect"]: float(row["ms"]) for row in rows(place / "effects.tsv")}
    means = [(key[1:], fmean(trial)) for key, trials in asynchronies(place, ["study"]).items() for trial in trials]

    def mean(at: int, level: str) -> float:
        return fmean(mean for key, mean in means if key[at] == level)

    known = {"tempo1": mean(1, "1") - mean(1, "01"), "tempoNone": mean(1, "None") - mean(1, "01"),
             "delayNA": mean(2, "NA") - mean(2, "0 ms")}  # fmt: skip
    assert len(means) == 72 and found.keys() == {"(Intercept)", *known}, (len(means), found)
    assert all(math.isclose(found[name], known[name], abs_tol=1e-6) for name in known), (found, known)
    print(f"{len(known)} effects of a mixed model are those that are known")


def run(command: Path, place: Path, *asked: str) -> None:
    done = subprocess.run([command, *asked], cwd=place, capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, (asked, done.stderr)


def relabelled(folder: Path, old: str, new: str) -> None:
    """Another label for a participant, in names of files and in tables."""
    shutil.rmtree(folder / "sourcedata")
    for path in sorted(folder.rglob(f"sub-{old}*"), reverse=True):
        path.rename(path.with_name(path.name.replace(f"sub-{old}", f"sub-{new}", 1)))
    for table in [*folder.rglob("*_beh.tsv"), *folder.rglob("*_scans.tsv"), folder / "participants.tsv"]:
        table.write_text(table.read_text().replace(f"sub-{old}", f"sub-{new}"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def asynchronies(place: Path, names: Iterable[str] = LABORATORIES) -> dict[tuple[str, str, str, str], list[list[float]]]:
    """The asynchronies in milliseconds of each trial that counts, from its events."""
    found = defaultdict(list)
    for name in names:
        for table in sorted((place / name).glob("sub-*/beh/*_beh.tsv")):
            who = table.name.split("_")[0]
            for trial in rows(table):
                if trial["counts"] == "true" and trial["data"] == "usable":
                    events = rows(place / name / trial["events_file"])
                    taps = [row["asynchrony_ns"] for row in events if row["trial_type"] == "tap"]
                    found[name, who, trial["tempo"], trial["delay"]].append(
                        [int(cell) / 1e6 for cell in taps if cell != "n/a"]
                    )
    return dict(found)


def means_of_trials(place: Path) -> Means:
    """Of each condition the mean over trials of their mean asynchronies."""
    return {key: fmean(fmean(trial) for trial in trials) for key, trials in asynchronies(place).items()}


def means_of_taps(place: Path) -> Means:
    """Of each condition the mean asynchrony over all taps."""
    return {key: fmean(sum(trials, [])) for key, trials in asynchronies(place).items()}


def hands(place: Path, name: str) -> dict[str, str]:
    return {row["participant_id"]: row["hand"] for row in rows(place / name / "participants.tsv")}


def compare(place: Path, name: str, found: Path) -> None:
    """That a table of means, which another program has made, has those of a laboratory, and the hands."""
    known = {key[1:]: mean for key, mean in means_of_trials(place).items() if key[0] == name}
    table = rows(found)
    means = {(r["participant_id"], r["tempo"], r["delay"]): float(r["mean_asynchrony_ms"]) for r in table}
    assert len(table) == len(means) and means.keys() == known.keys(), (found, means.keys(), known.keys())
    assert all(math.isclose(means[key], known[key], rel_tol=1e-9) for key in known), (means, known)
    assert {row["participant_id"]: row["hand"] for row in table} == hands(place, name), found
    print(f"{len(known)} means of laboratory {name} are those that are known")


if __name__ == "__main__":
    # For scripts/test-r.sh: record or balanced COMMAND FOLDER, effects FOLDER, or compare FOLDER LABORATORY TABLE.
    asked = sys.argv[2:]
    if sys.argv[1] in ("record", "balanced"):
        (record if sys.argv[1] == "record" else balanced)(Path(asked[0]), Path(asked[1]))
    elif sys.argv[1] == "effects":
        effects(Path(asked[0]))
    else:
        compare(Path(asked[0]), asked[1], Path(asked[2]))
