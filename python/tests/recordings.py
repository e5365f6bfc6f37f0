"""Recordings of other devices whose truth is known: a trial that was simulated, a clock that starts at another moment
and drifts, codes that are lost, codes that nobody sent, and a beginning that is cut off; in the formats of EEG."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import chronotap as ct

RATE_HZ = 1000
LENGTH_S = 135

TRIAL = """
title = "Beats and taps with codes"
[output.sound]
[output.eeg]
[pacing.metronome]
interval = "500 ms"
beats = 240
output = "sound"
[feedback.tone]
duration = "60 ms"
output = "sound"
[codes]
output = "eeg"
width = "5 ms"
start = 1
end = 2
pacing.metronome = 10
tap.input = 20
[[when]]
time = "122 s"
end = true
"""


def simulated(command: Path, folder: Path, *, text: str = TRIAL, seed: int = 1, repeat: int = 1) -> list[Path]:
    """The events files of trials that were simulated."""
    trial = folder / "trial.toml"
    trial.write_text(text)
    asked: list[str | Path] = ["simulate", trial, "--data", folder / "data", "--seed", str(seed), "--quiet"]
    subprocess.run([command, *asked, "--repeat", str(repeat)], check=True, capture_output=True)
    return sorted((folder / "data").glob("*_events.tsv"))


@dataclass(frozen=True)
class Clock:
    """The clock of a recorder: what it reads when the trial begins, and how much faster it is."""

    begins_s: float
    drift_ppm: float

    def reading_s(self, onset_ns: pd.Series[Any]) -> NDArray[np.float64]:
        return self.begins_s + onset_ns.to_numpy(dtype=float) / 1e9 * (1 + self.drift_ppm * 1e-6)


def recorded(path: Path, clock: Clock, *, seed: int = 1) -> pd.DataFrame:
    """``sample`` and ``code`` of what a recorder has of a trial: each code at the sample before it or the one
    after; 10 % are lost, 10 % are none of ours, and what was before its first sample is not there."""
    random = np.random.default_rng(seed)
    codes = ct.read_trial(path).events.query("trial_type == 'code'")
    exact = clock.reading_s(codes["achieved_ns"]) * RATE_HZ
    samples = np.floor(exact).astype(int) + random.integers(0, 2, len(codes))
    kept = (random.random(len(codes)) >= 0.1) & (samples >= 0)
    spurious = random.integers(0, int(exact.max()), len(codes) // 10)
    like = random.choice(codes["number"].to_numpy(dtype=int), len(spurious))
    frame = pd.DataFrame(
        {
            "sample": [*samples[kept], *spurious],
            "code": [*codes["number"].to_numpy(dtype=int)[kept], *like],
        }
    )
    frame = frame.sort_values("sample", kind="stable")
    alone = frame["sample"].diff().fillna(10) >= 10  # a line shows codes one after the other
    return frame[alone].reset_index(drop=True)


def right(events: pd.DataFrame, path: Path, clock: Clock) -> float:
    """The share of the events that were put where they truly were, to a sample."""
    truth = ct.read_trial(path).events.set_index("event_id")["onset_ns"]
    exact = clock.reading_s(truth.loc[events["event_id"].to_numpy(dtype=int)])
    return float(np.mean(np.abs(events["onset_s"].to_numpy() - exact) <= 1 / RATE_HZ))


def pairs(events: pd.DataFrame) -> list[tuple[int, int]]:
    """Sample and code of each."""
    return list(zip(events["sample"].tolist(), events["code"].tolist()))


def noise() -> NDArray[np.float64]:
    """What the amplifier has of the brain, in volts."""
    return np.random.default_rng(3).normal(0, 1e-5, (2, LENGTH_S * RATE_HZ))


def brain_vision(events: pd.DataFrame, folder: Path) -> Path:
    import pybv

    told = [{"onset": sample, "description": code} for sample, code in pairs(events)]
    where = {"fname_base": "amplifier", "folder_out": str(folder)}
    pybv.write_brainvision(data=noise(), events=told, sfreq=RATE_HZ, ch_names=["Cz", "Pz"], **where)
    return folder / "amplifier.vhdr"


def line(events: pd.DataFrame) -> NDArray[np.int64]:
    """The state of the trigger lines in each sample; a code stands for five."""
    state = np.zeros(LENGTH_S * RATE_HZ, dtype=np.int64)
    for sample, code in pairs(events):
        state[sample : sample + 5] = code
    return state


def bdf(events: pd.DataFrame, folder: Path) -> Path:
    """With a channel Status, in whose upper bits the amplifier tells of itself."""
    import pyedflib

    status = line(events) | 0x100000
    bits = {"digital_min": -(2**23), "digital_max": 2**23 - 1}
    return _edf(folder / "eeg.bdf", pyedflib.FILETYPE_BDF, bits, status, None)


def edf(events: pd.DataFrame, folder: Path) -> Path:
    """With annotations."""
    import pyedflib

    bits = {"digital_min": -(2**15), "digital_max": 2**15 - 1}
    return _edf(folder / "eeg.edf", pyedflib.FILETYPE_EDFPLUS, bits, None, events)


def _edf(path: Path, kind: int, bits: dict[str, int], status: Any, events: pd.DataFrame | None) -> Path:
    import pyedflib

    signals = [(one * 1e6).round().astype(np.int32) for one in noise()]
    signals += [] if status is None else [status.astype(np.int32)]
    common: dict[str, Any] = {"sample_frequency": RATE_HZ, "dimension": "uV", **bits}
    common |= {"physical_min": bits["digital_min"], "physical_max": bits["digital_max"]}
    headers = [{"label": label, **common} for label in ("Cz", "Pz", "Status")[: len(signals)]]
    with pyedflib.EdfWriter(str(path), len(signals), file_type=kind) as writer:
        if events is not None:
            writer.set_number_of_annotation_signals(16)
        writer.setSignalHeaders(headers)
        writer.writeSamples(signals, digital=True)
        for sample, code in pairs(events) if events is not None else ():
            writer.writeAnnotation(sample / RATE_HZ, -1, f"S {code}")
    return path


def fif(events: pd.DataFrame, folder: Path) -> Path:
    """With a stim channel, and a first sample that is not 0."""
    import mne

    info = mne.create_info(["Cz", "Pz", "STI 014"], RATE_HZ, ["eeg", "eeg", "stim"], verbose="ERROR")
    raw = mne.io.RawArray(np.vstack([noise(), line(events)]), info, first_samp=12_345, verbose="ERROR")
    raw.save(folder / "eeg_raw.fif", verbose="ERROR")
    return folder / "eeg_raw.fif"


def xdf(events: pd.DataFrame, folder: Path) -> Path:
    """With a stream of samples and one of markers from another computer, whose clock is 777.5 s ahead."""
    first, ahead, texts = 5_000.25, 777.5, [f"code {code}".encode() for code in events["code"]]
    samples = [(first + at / RATE_HZ, struct.pack("<ff", *pair)) for at, pair in enumerate(noise().T)]
    stamps = first + ahead + events["sample"].to_numpy() / RATE_HZ
    marks = [(stamp, b"\x01" + bytes([len(text)]) + text) for stamp, text in zip(stamps, texts)]
    path = folder / "eeg.xdf"
    with path.open("wb") as file:
        file.write(b"XDF:" + _chunk(1, b"<?xml version='1.0'?><info><version>1.0</version></info>"))
        about = {"name": "Amp", "type": "EEG", "channel_count": 2, "nominal_srate": RATE_HZ}
        file.write(_stream(1, {**about, "channel_format": "float32"}, samples, 0.0))
        about = {"name": "Chronotap", "type": "Markers", "channel_count": 1, "nominal_srate": 0}
        file.write(_stream(2, {**about, "channel_format": "string"}, marks, -ahead))
    return path


def _stream(number: int, about: dict[str, Any], stream: list[tuple[float, bytes]], offset: float) -> bytes:
    """A stream, and every 5 s what is to be added to its stamps."""
    tags = "".join(f"<{key}>{value}</{key}>" for key, value in about.items())
    of = struct.pack("<I", number)
    begin = stream[0][0] if stream else 0.0
    offsets = [struct.pack("<dd", begin + at, offset) for at in range(0, LENGTH_S, 5)]
    values = b"".join(b"\x08" + struct.pack("<d", stamp) + value for stamp, value in stream)
    chunks = [_chunk(2, of + f"<?xml version='1.0'?><info>{tags}</info>".encode())]
    chunks += [_chunk(4, of + pair) for pair in offsets]
    chunks += [_chunk(3, of + struct.pack("<BI", 4, len(stream)) + values)]
    return b"".join([*chunks, _chunk(6, of + b"<?xml version='1.0'?><info></info>")])


def _chunk(tag: int, content: bytes) -> bytes:
    """A part of an XDF file: how long it is, what it is, what it has."""
    return b"\x04" + struct.pack("<IH", len(content) + 2, tag) + content


FORMATS: dict[str, tuple[Callable[[pd.DataFrame, Path], Path], float]] = {
    "brain_vision": (brain_vision, 200.0),
    "bdf": (bdf, -200.0),
    "edf": (edf, 131.0),
    "fif": (fif, -64.0),
    "xdf": (xdf, 187.0),
}
"""How each format is written, and by how much the clock of its recorder drifts, in parts per million."""
