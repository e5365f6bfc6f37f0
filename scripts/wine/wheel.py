"""wheel.py EXAMPLES DATASET OUT: what the Python package says of trials and data, written as text.

scripts/check-wheel-wine.sh runs it on Linux and with a Python for Windows, and compares. Only for that."""

import sys
from pathlib import Path

import pandas

import chronotap as ct

EXAMPLES, DATASET, OUT = map(Path, sys.argv[1:])


def main() -> None:
    written = [*checked(), *simulated(), *one_trial(), *whole_study()]
    with OUT.open("w", encoding="utf-8", newline="\n") as out:
        out.write("\n".join(written) + "\n")
    only_on_linux()
    print(f"{len(written)} texts; Python {sys.version.split()[0]}, pandas {pandas.__version__}, {sys.platform}")


def table(frame: pandas.DataFrame) -> str:
    """As text in which no digit is lost."""
    return frame.to_csv(index=False, lineterminator="\n", float_format="%.17g")


def checked() -> list[str]:
    files = sorted(EXAMPLES.glob("*.toml"))
    try:
        ct.check("[pacing.metronome]\nintervall = '500 ms'\n")
    except ct.TrialFileError as error:
        refused = [f"{problem.line} {problem.message} {problem.nearest}" for problem in error.problems]
    pages = [str(ct.check(str(file))).replace("\\", "/") for file in files]  # a name has the separator of its system
    return [*pages, *refused]


def simulated() -> list[str]:
    trials = ct.simulate(
        str(EXAMPLES / "synchronization_continuation.toml"), n=20, seed=1, participant="tapper, mean = -40 ms"
    )
    return [table(trials.events), table(trials.trials), table(trials.statistics)]


def one_trial() -> list[str]:
    file = sorted(DATASET.rglob("*_events.tsv"))[0]
    recording = ct.read_trial(str(file))
    return [recording.checksum, str(recording.header.seed), table(recording.events)]


def whole_study() -> list[str]:
    study = ct.read_dataset(str(DATASET))
    return [table(study.participants), table(study.trials), table(study.taps)]


def only_on_linux() -> None:
    """What needs Linux says so elsewhere."""
    if sys.platform == "linux":
        return
    try:
        ct.Rig("wire", priority=None)
    except ct.NeedsLinux as error:
        print(error)
    else:
        sys.exit("a rig was opened where there can be none")


main()
