"""Trials on the clock of another recorder: in every format that is read, with a truth that is known beforehand."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import recordings
from recordings import FORMATS, Clock, recorded, right, simulated

import chronotap as ct
from chronotap import recorder

BEGINS_S = -20.1234  # the recorder was started 20 s late

mne = pytest.importorskip("mne")
for needed in ("pyxdf", "pybv", "pyedflib"):
    pytest.importorskip(needed)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = Path(sys.executable).with_name("chronotap")
    if not command.exists():
        pytest.skip("there is no command chronotap beside the interpreter")
    return simulated(command, tmp_path_factory.mktemp("trial"))[0]


@pytest.mark.parametrize("name", FORMATS)
def test_every_event_is_put_where_it_was_to_a_sample(name: str, trial: Path, tmp_path: Path) -> None:
    write, drift_ppm = FORMATS[name]
    clock = Clock(BEGINS_S, drift_ppm)
    events = recorded(trial, clock)
    recorder = ct.read_recorder(write(events, tmp_path))
    assert np.rint(recorder.events["onset_s"] * recordings.RATE_HZ).astype(int).tolist() == events["sample"].tolist()
    assert recorder.events["code"].tolist() == events["code"].tolist()
    assert recorder.length_s == pytest.approx(recordings.LENGTH_S, abs=0.002)
    found = ct.align(trial, recorder)
    assert right(found.events, trial, clock) >= 0.999
    assert found.begins_s.low <= BEGINS_S <= found.begins_s.high
    assert found.drift_ppm.low <= drift_ppm <= found.drift_ppm.high
    fates = found.events["fate"].value_counts()
    before = ct.read_trial(trial).events.query("trial_type == 'code' and onset_s < 20.1")
    assert fates["outside"] >= len(before) and fates["missing"] > 20 and len(found.spurious) > 20


@pytest.mark.parametrize("when", [None, 1_700_000_000])
def test_annotations_count_from_the_first_sample_wherever_a_recording_was_cut(when: int | None) -> None:
    info = mne.create_info(["Cz"], 500, ["eeg"], verbose="ERROR")
    raw = mne.io.RawArray(np.zeros((1, 5_000)), info, first_samp=12_345, verbose="ERROR")
    raw.set_meas_date(when)
    raw.set_annotations(mne.Annotations([1.0, 2.5, 4.0], 0.0, ["S 10", "BAD_move", "Stimulus/S  2"]))
    for cut_s in (0.0, 0.75):
        recorder = ct.read_recorder(raw.copy().crop(tmin=cut_s))
        assert recorder.events["onset_s"].tolist() == pytest.approx([1.0 - cut_s, 4.0 - cut_s])
        assert (recorder.events["code"].tolist(), recorder.left_out) == ([10, 2], 1)
        assert recorder.length_s == pytest.approx(10 - cut_s) and recorder.step_s == 0.002


def test_it_is_what_the_command_says_of_a_table(trial: Path, tmp_path: Path, command: Path) -> None:
    events = recorded(trial, Clock(41.3, 62.0))
    events.to_csv(tmp_path / "eeg.tsv", sep="\t", index=False)
    asked: list[str | Path] = [command, "align", trial, "--recorder", tmp_path / "eeg.tsv", "--rate", "1000"]
    subprocess.run([*asked, "--write", tmp_path / "on.tsv"], check=True, capture_output=True)
    found = ct.align(trial, ct.read_recorder(tmp_path / "eeg.tsv", rate_hz=1000))
    by_command = pd.read_csv(tmp_path / "on.tsv", sep="\t", na_values="n/a", keep_default_na=False)
    assert found.events["onset_s"].tolist() == by_command["onset"].tolist()
    assert found.events["event_id"].tolist() == by_command["event_id"].tolist()
    matched = by_command[~by_command["recorded"].isin(["missing", "outside"]) & by_command["recorded"].notna()]
    assert found.matched["recorded_s"].tolist() == matched["recorded"].astype(float).tolist()
    assert f"{len(found.matched)} matched" in str(found)


def test_a_frame_serves_for_a_recorder_and_several_trials_are_told_one_by_one(trial: Path) -> None:
    events = recorded(trial, Clock(41.3, 62.0))
    frame = pd.DataFrame({"onset_s": events["sample"] / 1000, "code": events["code"]})
    found = ct.align([ct.read_trial(trial), trial], frame, each=True)
    assert found.trials["trial"].tolist() == [trial.name, trial.name]
    assert found.trials["begins_s"].between(41.298, 41.302).all()
    by_times = ct.align(trial, frame.drop(columns="code"))
    assert by_times.begins_s == pytest.approx(41.3, abs=0.002)
    again = pickle.loads(pickle.dumps(found))
    pd.testing.assert_frame_equal(again.events, found.events)


TAPS_ALONE = recordings.TRIAL.replace("pacing.metronome = 10\n", "").replace("240", "40").replace("122 s", "22 s")


def test_of_1056_recordings_of_other_trials_none_is_accepted(tmp_path: Path, command: Path) -> None:
    """Each of 33 trials with what was recorded of the others, whose taps came at other times."""
    trials = simulated(command, tmp_path, text=TAPS_ALONE, repeat=33)
    assert len(trials) == 33
    tables = [recorded(path, Clock(5.0, 40.0 * (seed % 9 - 4)), seed=seed) for seed, path in enumerate(trials)]
    frames = [pd.DataFrame({"onset_s": one["sample"] / 1000, "code": one["code"]}) for one in tables]
    kinds, accepted = [], []
    for ours, path in enumerate(trials):
        for theirs, frame in enumerate(frames):
            try:
                ct.align(path, frame)
                accepted.append((ours, theirs))
            except ct.NotAligned as refused:
                kinds.append(refused.kind)
    assert accepted == [(own, own) for own in range(33)]
    assert len(kinds) == 1056 and set(kinds) <= {"unlike", "ambiguous"}


def test_the_trials_of_a_dataset_are_found_in_one_recording_of_all_of_them(tmp_path: Path, command: Path) -> None:
    (tmp_path / "trial.toml").write_text(TAPS_ALONE)
    study = 'task = "taps"\ntrial = "trial.toml"\nparticipants = 1\n[[step]]\nname = "main"\nrepetitions = 3\n'
    (tmp_path / "study.toml").write_text(study)
    asked: list[str | Path] = [command, "simulate", tmp_path / "study.toml", "--data", tmp_path / "data", "--quiet"]
    subprocess.run(asked, check=False, capture_output=True)
    dataset = ct.read_dataset(tmp_path / "data")
    begins_s = [4.0, 40.0, 76.0]
    tables = [recorded(path, Clock(begin, 80.0)) for path, begin in zip(dataset.events_files, begins_s)]
    events = pd.concat(tables, ignore_index=True)
    found = ct.align(dataset, pd.DataFrame({"onset_s": events["sample"] / 1000, "code": events["code"]}))
    assert found.trials["begins_s"].tolist() == pytest.approx(begins_s, abs=0.002)
    assert found.events["onset_ns"].is_monotonic_increasing
    assert found.trials["trial"].tolist() == [path.name for path in dataset.events_files]


def test_what_is_refused_says_its_kind_and_its_values(trial: Path, tmp_path: Path) -> None:
    def refused(onsets: list[float], codes: list[int]) -> ct.NotAligned:
        with pytest.raises(ct.NotAligned) as caught:
            ct.align(trial, pd.DataFrame({"onset_s": onsets, "code": codes}))
        assert caught.value.files == (trial,)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.values) == (str(caught.value), caught.value.values)
        return caught.value

    few = refused([1.0], [10])
    assert few.kind == "too few" and few.values["theirs"] == 1
    other = refused([1.0, 2.0, 3.0, 4.0], [7, 7, 7, 8])
    assert other.kind == "no common code"
    assert other.values == {"ours": [1, 2, 10, 20], "theirs": [7, 8]}
    beats = [0.5 * k for k in range(240)]
    alike = refused(beats, [10] * len(beats))
    assert alike.kind == "ambiguous" and abs(alike.values["apart_s"]) == pytest.approx(0.5, abs=0.01)
    random = np.random.default_rng(2)
    unlike = refused(np.sort(random.uniform(0, 100, 200)).tolist(), [10] * 200)
    assert unlike.kind == "unlike" and unlike.values["matched"] < unlike.values["within"]


def test_a_recording_without_codes_and_one_with_several_streams_say_what_to_name(trial: Path, tmp_path: Path) -> None:
    events = recorded(trial, Clock(BEGINS_S, 0.0))
    with pytest.raises(ValueError, match="neither annotations nor stim channels have a code"):
        ct.read_recorder(recordings.brain_vision(events.iloc[:0], tmp_path))
    path = recordings.fif(events, tmp_path)
    with pytest.raises(ValueError, match="channel = 'STI 1': the recording has Cz, Pz, STI 014"):
        ct.read_recorder(path, channel="STI 1")
    named = ct.read_recorder(path, channel="STI 014")
    pd.testing.assert_frame_equal(named.events, ct.read_recorder(mne.io.read_raw(path, verbose="ERROR")).events)
    assert len(named.events) == len(events)
    path = recordings.xdf(events, tmp_path)
    with pytest.raises(ValueError, match="streams with codes: 'Chronotap'; name one of them as markers"):
        ct.read_recorder(path, markers="Other")
    with pytest.raises(ValueError, match="streams with a rate: 'Amp'; name one of them as signal"):
        ct.read_recorder(path, signal="Other")
    with pytest.raises(TypeError, match="rate_hz = 5: it is for other kinds of recordings"):
        ct.read_recorder(path, rate_hz=5)


def test_a_stream_with_a_gap_has_no_length_and_says_so() -> None:
    def stream(stamps: np.ndarray) -> dict[str, Any]:
        return {"info": {"name": ["Amp"], "nominal_srate": ["250"]}, "time_stamps": stamps}

    whole = np.arange(1_000) / 250 + 7.0
    begin, length = recorder._span([stream(whole)])
    assert begin == 7.0 and length == pytest.approx(4.0)
    gap = np.where(np.arange(1_000) < 400, whole, whole + 1.5)
    with pytest.warns(UserWarning, match=r"Amp: samples are missing \(the first 1.596 s after its beginning\)"):
        assert recorder._span([stream(gap)]) == (7.0, None)
    smeared = np.linspace(7.0, 11.5, 1_000)
    with pytest.warns(UserWarning, match="nobody knows where"):
        assert recorder._span([stream(smeared)]) == (7.0, None)


def test_what_cannot_be_read_is_told_and_how_to_install_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("eeg.vhdr", "eeg.bdf", "eeg.edf", "eeg.fif", "eeg.xdf", "eeg.tsv"):
        with pytest.raises(FileNotFoundError, match=name):
            ct.read_recorder(tmp_path / name)
    monkeypatch.setitem(sys.modules, "mne", None)
    with pytest.raises(ImportError, match=r"eeg.bdf: reading it needs mne; install it with: pip install mne"):
        ct.read_recorder(tmp_path / "eeg.bdf")
    monkeypatch.setitem(sys.modules, "pyxdf", None)
    with pytest.raises(ImportError, match=r"eeg.xdf: reading it needs pyxdf; install it with: pip install pyxdf"):
        ct.read_recorder(tmp_path / "eeg.xdf")
    (tmp_path / "eeg.tsv").write_text("begin\tcode\n1\t10\n")
    with pytest.raises(ValueError, match="name the column of the onsets as onset"):
        ct.read_recorder(tmp_path / "eeg.tsv")
    assert ct.read_recorder(tmp_path / "eeg.tsv", onset="begin").events["onset_ns"].tolist() == [1_000_000_000]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda trial, frame: ct.align(trial, frame, events="beat"), "events = 'beat': there are 'code', 'pacing'"),
        (lambda trial, frame: ct.align(trial, frame, events="masking"), "it has no events of the kind masking"),
        (lambda trial, frame: ct.align(trial, frame, tolerance_ms=0), "tolerance_ms = 0: give a number from 0.001"),
        (lambda trial, frame: ct.align(trial, frame, most_drift_ppm=1e5), "most_drift_ppm = 100000"),
        (lambda trial, frame: ct.align(trial, frame.rename(columns={"onset_s": "at"})), "no column 'onset_s'"),
    ],
)
def test_arguments_that_cannot_be_meant_are_refused(
    wrong: Callable[[Path, pd.DataFrame], object], said: str, trial: Path
) -> None:
    frame = pd.DataFrame({"onset_s": [1.0, 2.0], "code": [10, 10]})
    with pytest.raises(ValueError, match=said):
        wrong(trial, frame)
