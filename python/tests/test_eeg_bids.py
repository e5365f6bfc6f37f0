"""Events beside a recording of EEG: the BIDS validator takes them, mne-bids reads them, and their HED tags are those
of the schema that hedtools brings."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import recordings
from recordings import Clock, recorded, simulated

import chronotap as ct

REPOSITORY = Path(__file__).parents[2]

mne = pytest.importorskip("mne")
mne_bids = pytest.importorskip("mne_bids")
hed = pytest.importorskip("hed")

CLOCKS = {"01": Clock(-20.1234, 200.0), "02": Clock(3.75, -150.0)}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trial in ``data`` and a dataset ``eeg``, in which two participants have recordings of it."""
    command = Path(sys.executable).with_name("chronotap")
    if not command.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    place = tmp_path_factory.mktemp("eeg_bids")
    trial = simulated(command, place)[0]
    for subject, write in (("01", recordings.brain_vision), ("02", recordings.edf)):
        made = write(recorded(trial, CLOCKS[subject]), place)
        found = ct.align(trial, made)
        recording = _in_dataset(place / "eeg", subject, made)
        assert found.write_bids(recording, overwrite=True).name == f"sub-{subject}_task-sync_events.tsv"
    return place


def _in_dataset(root: Path, subject: str, made: Path) -> Path:
    raw = mne.io.read_raw(made, preload=False, verbose="ERROR")
    raw.set_channel_types({"Cz": "eeg", "Pz": "eeg"})
    raw.info["line_freq"] = 50
    there = mne_bids.BIDSPath(subject=subject, task="sync", datatype="eeg", root=root)
    mne_bids.write_raw_bids(raw, there, overwrite=True, verbose="ERROR")
    found: Path = there.copy().update(suffix="eeg", extension=made.suffix).fpath
    return found


def test_the_page_on_recorders_does_what_it_shows(
    tmp_path: Path, command: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = REPOSITORY / "examples" / "eeg_codes.toml"
    asked: list[str | Path] = ["simulate", example, "--data", "aligned", "--seed", "7", "--quiet"]
    subprocess.run([command, *asked], cwd=tmp_path, check=True)
    trial = tmp_path / "aligned" / "eeg_codes_run-01_events.tsv"
    clock = Clock(41.3172, 62.0)
    made = recordings.brain_vision(recorded(trial, clock), tmp_path)
    _in_dataset(tmp_path / "eeg", "01", made)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    page = (REPOSITORY / "docs" / "recorders.md").read_text()
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL), 1):
        exec(compile(block, f"docs/recorders.md, block {number}", "exec"), names)
    assert number == 3
    assert names["found"].begins_s.low <= 41.3172 <= names["found"].begins_s.high
    assert recordings.right(names["found"].events, trial, clock) == 1
    table = pd.read_csv("eeg/sub-01/eeg/sub-01_task-sync_events.tsv", sep="\t")
    assert len(table) == len(ct.read_trial(trial).events)


def truth(place: Path, subject: str) -> pd.DataFrame:
    """The events that the recording has, at the times at which its clock truly showed them."""
    events = ct.read_trial(next((place / "data").glob("*_events.tsv"))).events
    events = events.assign(reading_s=CLOCKS[subject].reading_s(events["onset_ns"]))
    return events[events["reading_s"] > 0].sort_values("reading_s")


@pytest.mark.parametrize("subject", CLOCKS)
def test_mne_bids_reads_every_event_where_it_was_to_a_sample(subject: str, place: Path) -> None:
    there = mne_bids.BIDSPath(subject=subject, task="sync", datatype="eeg", root=place / "eeg")
    raw = mne_bids.read_raw_bids(there, verbose="ERROR")
    expected = truth(place, subject)
    assert len(raw.annotations) == len(expected) > 800
    near = np.abs(np.sort(raw.annotations.onset) - expected["reading_s"].to_numpy()) <= 1 / recordings.RATE_HZ
    assert near.mean() >= 0.999
    kinds = zip(expected["trial_type"], expected["number"])
    assert sorted(raw.annotations.description) == sorted(f"code/{n}" if kind == "code" else kind for kind, n in kinds)


def test_the_validator_of_bids_has_nothing_to_say_of_the_events(place: Path) -> None:
    assert [issue for issue in issues(place / "eeg") if of_events(issue)] == []


def issues(dataset: Path) -> list[dict[str, Any]]:
    """What the validator says; the test is passed over where it cannot be had."""
    found = subprocess.run([REPOSITORY / "scripts" / "bids-validator.sh"], capture_output=True, text=True)
    if found.returncode:
        pytest.skip(found.stderr.strip())
    said = subprocess.run([found.stdout.strip(), "--format", "json", dataset], capture_output=True, text=True)
    told: list[dict[str, Any]] = json.loads(said.stdout)["issues"]["issues"]
    return told


def of_events(issue: dict[str, Any]) -> bool:
    """An error, or anything about tables of events and HED. What else BIDS recommends, the laboratory fills in."""
    return issue["severity"] == "error" or "_events." in issue.get("location", "") or "HED" in str(issue)


def complaints(table: Path) -> list[str]:
    """What hedtools says of a table with the tags of its description, of which it takes the columns alone."""
    from hed.models import Sidecar, TabularInput

    schema = hed.load_schema_version("8.3.0")
    told = json.loads(table.with_suffix(".json").read_text())
    columns = {name: about for name, about in told.items() if isinstance(about, dict)}
    sidecar = Sidecar(io.StringIO(json.dumps(columns)))
    found = sidecar.validate(schema) + TabularInput(str(table), sidecar=sidecar).validate(schema)
    return [one["message"] for one in found]


def tags(table: Path) -> dict[str, str]:
    told: dict[str, str] = json.loads(table.with_suffix(".json").read_text())["trial_type"]["HED"]
    return told


def test_hedtools_takes_the_tags_of_trials_with_codes_and_of_their_events_beside_a_recording(place: Path) -> None:
    trial = next((place / "data").glob("*_events.tsv"))
    beside = place / "eeg" / "sub-01" / "eeg" / "sub-01_task-sync_events.tsv"
    for table in (trial, beside):
        assert complaints(table) == []
        assert tags(table)["pacing"].startswith("(Sensory-event, ")
        assert tags(table)["tap"].startswith("(Agent-action, Participant-response, ")
        kinds = set(pd.read_csv(table, sep="\t")["trial_type"])
        assert {"pacing", "tap", "code", "end"} <= kinds <= set(tags(table))
    assert json.loads((place / "eeg" / "dataset_description.json").read_text())["HEDVersion"] == "8.3.0"


def test_the_page_on_recorders_has_the_tags_of_every_kind_of_event(place: Path) -> None:
    page = (REPOSITORY / "docs" / "recorders.md").read_text()
    shown = dict(re.findall(r"^\| `(\w+)` \| ((?:[A-Z][\w-]+|\().*) \|$", page, re.MULTILINE))
    told = tags(next((place / "data").glob("*_events.tsv")))
    assert {kind: f"({tags}, {{event_id}})" for kind, tags in shown.items()} == told


def test_hedtools_takes_tags_of_ones_own_in_trials_and_beside_a_recording(tmp_path: Path, command: Path) -> None:
    own = (
        '\n[hed]\ntap = "Agent-action, Participant-response, ((Human-agent, Experiment-participant), (Press, Keyboard-key))"\n'
        'pacing.metronome = "Label/Standard"\n'
    )
    (tmp_path / "trial.toml").write_text(recordings.TRIAL + own)
    asked: list[str | Path] = [command, "simulate", tmp_path / "trial.toml", "--data", tmp_path / "data", "--quiet"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    trial = next((tmp_path / "data").glob("*_events.tsv"))
    person = tmp_path / "eeg" / "sub-01" / "eeg"
    person.mkdir(parents=True)
    (tmp_path / "eeg" / "dataset_description.json").write_text('{"Name": "own", "BIDSVersion": "1.10.0"}')
    (person / "sub-01_task-own_eeg.vhdr").touch()
    events = recorded(trial, CLOCKS["01"])
    found = ct.align(trial, pd.DataFrame({"onset_s": events["sample"] / 1000, "code": events["code"]}))
    beside = found.write_bids(person / "sub-01_task-own_eeg.vhdr")
    for table in (trial, beside):
        assert complaints(table) == []
        assert "Keyboard-key" in tags(table)["tap"]
        assert "{name}" in tags(table)["pacing"] and "{name}" not in tags(table)["feedback"]
        names = json.loads(table.with_suffix(".json").read_text())["name"]["HED"]
        assert names["metronome"] == "Label/Standard" and names["start"] == "Label/start"


def test_hedtools_would_say_of_a_tag_that_the_schema_does_not_have(place: Path, tmp_path: Path) -> None:
    for kind in (".tsv", ".json"):
        shutil.copy(place / "eeg" / "sub-01" / "eeg" / f"sub-01_task-sync_events{kind}", tmp_path / f"a_events{kind}")
    path = tmp_path / "a_events.json"
    path.write_text(path.read_text().replace("Sensory-event", "Heard-event"))
    assert any("Heard-event" in complaint for complaint in complaints(tmp_path / "a_events.tsv"))


def test_a_study_with_codes_says_the_version_of_its_tags_and_the_validator_takes_it(
    tmp_path: Path, command: Path
) -> None:
    """In its trials two streams beat at the same instants."""
    second = '[pacing.second]\ninterval = "1 s"\noutput = "sound"\n[feedback.tone]'
    text = recordings.TRIAL.replace("240", "20").replace("122 s", "12 s").replace("[feedback.tone]", second)
    (tmp_path / "trial.toml").write_text(text)
    study = 'task = "codes"\ntrial = "trial.toml"\nparticipants = 1\n[[step]]\nname = "main"\nrepetitions = 2\n'
    (tmp_path / "study.toml").write_text(study)
    asked: list[str | Path] = [command, "simulate", tmp_path / "study.toml", "--data", tmp_path / "data", "--quiet"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads((tmp_path / "data" / "dataset_description.json").read_text())["HEDVersion"] == "8.3.0"
    tables = sorted((tmp_path / "data").glob("sub-*/beh/*_events.tsv"))
    assert len(tables) == 2 and [complaints(table) for table in tables] == [[], []]
    wrong = [issue for issue in issues(tmp_path / "data") if issue["severity"] == "error" or "HED" in str(issue)]
    assert wrong == []


def test_nothing_is_replaced_unasked_and_a_name_that_is_none_of_bids_is_refused(place: Path, tmp_path: Path) -> None:
    trial = next((place / "data").glob("*_events.tsv"))
    events = recorded(trial, CLOCKS["01"])
    found = ct.align(trial, pd.DataFrame({"onset_s": events["sample"] / 1000, "code": events["code"]}))
    with pytest.raises(FileExistsError, match="replace it with overwrite=True"):
        found.write_bids(place / "eeg" / "sub-01" / "eeg" / "sub-01_task-sync_eeg.vhdr")
    with pytest.raises(FileNotFoundError, match="put it there first"):
        found.write_bids(tmp_path / "sub-01_task-sync_eeg.vhdr")
    for name in ("eeg.vhdr", "sub-01_eeg.vhdr", "sub-01_task-sync_beh.tsv"):
        with pytest.raises(ValueError, match="no name of EEG-BIDS"):
            found.write_bids(tmp_path / name)
    folder = tmp_path / "sub-01" / "ses-2" / "eeg"
    folder.mkdir(parents=True)
    (folder / "sub-01_ses-2_task-sync_run-1_eeg.edf").touch()
    written = found.write_bids(folder / "sub-01_ses-2_task-sync_run-1_eeg.edf")
    assert sorted(path.name for path in folder.iterdir()) == [
        "sub-01_ses-2_task-sync_run-1_eeg.edf",
        "sub-01_ses-2_task-sync_run-1_events.json",
        "sub-01_ses-2_task-sync_run-1_events.tsv",
    ]
    assert pd.read_csv(written, sep="\t")["onset"].is_monotonic_increasing
