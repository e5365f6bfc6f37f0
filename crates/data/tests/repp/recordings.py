"""Recordings as REPP makes them, with taps whose first contact is known, and what REPP says of them.

`compare PROGRAM COUNT SEED` makes so many recordings with REPP's own stimuli, lets REPP and
`chronotap import-taps --reading repp` judge each, and prints how often both judge alike and how
far both are from the taps that were made. `keep` writes kept.json again: a few recordings that
a test makes anew by the same formulas, with REPP's answers. scripts/repp.sh calls both.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from repp.analysis import REPPAnalysis
from repp.config import sms_tapping
from repp.stimulus import REPPStimulus
from scipy.io import wavfile

KEPT = Path(__file__).with_name("kept.json")
RATE = 44_100
REASONS = {
    "All good": "would keep it",
    "Not all markers detected": "markers are not heard",
    "Markers error too large": "a marker is",
    "Too few detected taps": "too few taps",
    "Too many detected taps": "too many taps",
    "Error in asynchrony": ("fewer than two taps", "asynchronies vary"),
}


@dataclass
class Recording:
    """A sound, what was played in it, and when each tap first touched, in ms."""

    samples: np.ndarray
    info: dict
    contacts: list[float]
    #: When its first marker sounds, in ms.
    marker: float
    kind: str = ""
    repp: dict = field(default_factory=dict)


def thump(rate: int, at: float, peak: float, hz: float, tau: float, length: int) -> tuple[int, np.ndarray]:
    """A tap in air: a sine that dies away, from its first contact on; and its first sample."""
    first = math.ceil(at * rate)
    t = (np.arange(first, min(first + int(8 * tau * rate), length)) - at * rate) / rate
    return first, peak * np.exp(-t / tau) * np.sin(2 * np.pi * hz * t)


def quietly(run):
    with contextlib.redirect_stdout(io.StringIO()):
        return run()


def drawn(seed: int) -> Recording:
    """A recording in which all may differ that differs between rooms, machines and people."""
    draw = random.Random(seed)
    interval = draw.choice([350.0, 500.0, 650.0, 800.0])
    stimuli = [nth * interval for nth in range(draw.randint(12, 20))]
    stimulus, info, _ = quietly(lambda: REPPStimulus("s", sms_tapping).prepare_stim_from_onsets(stimuli))
    late = draw.uniform(0.0, 0.25)
    length = len(stimulus) + int((late + 0.3) * RATE)
    samples = np.zeros(length)
    at = int(round(late * RATE))
    samples[at : at + len(stimulus)] += draw.uniform(0.08, 0.6) * stimulus
    kind = draw.choice(["good"] * 6 + ["few", "many", "robot", "no markers", "soft"])
    if kind == "no markers":
        nth = draw.randrange(6)
        gone = at + int(info["markers_onsets"][nth] / 1e3 * RATE)
        samples[gone : gone + int(0.02 * RATE)] *= draw.uniform(0.0, 0.3)
    contacts = tapped(draw, kind, [at * 1e3 / RATE + ms for ms in info["stim_shifted_onsets"]])
    hz, tau = draw.uniform(110, 330), draw.uniform(0.006, 0.025)
    loud = draw.uniform(0.1, 0.6) * (0.25 if kind == "soft" else 1.0)
    noise = np.random.default_rng(seed)
    for contact in contacts:
        peak = loud * draw.uniform(0.6, 1.3)
        first, wave = thump(RATE, contact / 1e3, peak, hz * draw.uniform(0.95, 1.05), tau, length)
        samples[first : first + len(wave)] += wave
        first, wave = thump(RATE, contact / 1e3, peak * 0.3, draw.uniform(700, 2_000), 0.002, length)
        samples[first : first + len(wave)] += wave
    samples += noise.normal(0.0, loud * 10 ** (-draw.uniform(20, 45) / 20), length)
    samples = np.clip(samples, -0.999, 0.999)
    marker = at * 1e3 / RATE + info["markers_onsets"][0]
    return Recording(np.round(samples * 32_767).astype(np.int16), info, contacts, marker, kind)


def tapped(draw: random.Random, kind: str, stimuli: list[float]) -> list[float]:
    mean, sd = draw.uniform(-60, 20), 3.0 if kind == "robot" else draw.uniform(14, 40)
    taps = [ms + draw.gauss(mean, sd) for ms in stimuli]
    if kind == "few":
        taps = draw.sample(taps, draw.randint(1, len(taps) // 3))
    elif kind == "many":
        half = (stimuli[1] - stimuli[0]) / 2
        taps += [ms + half for ms in draw.sample(taps, draw.randint(len(taps) // 2, len(taps)))]
    return sorted(taps)


def answered(recording: Recording, path: Path, rate: int = RATE) -> Recording:
    """REPP's judgement, its taps and its markers in ms."""
    wavfile.write(path, rate, recording.samples)
    path.with_suffix(".json").write_text(json.dumps(plain(recording.info)))
    try:
        # Without taps that answer, REPP warns of means of nothing.
        with np.errstate(all="ignore"):
            found, _, failed = quietly(
                lambda: REPPAnalysis(sms_tapping).do_only_stats(recording.info, str(path))
            )
    except IndexError:  # it has heard no marker
        recording.repp = {"reason": "no marker", "taps": [], "markers": []}
        return recording
    recording.repp = {
        "reason": failed["reason"],
        "taps": found["resp_onsets_detected"],
        "markers": found["markers_onsets_detected"],
    }
    return recording


def plain(info: dict) -> dict:
    names = ("stim_onsets", "stim_shifted_onsets", "markers_onsets")
    return {name: [float(ms) for ms in info[name]] for name in names}


# --- compare ----------------------------------------------------------------------------------------


def batch(arguments: tuple[str, int, int]) -> list[tuple]:
    """Some recordings, judged by both: whether alike, and the errors of both in ms."""
    program, first, count = arguments
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        made = [answered(drawn(first + nth), place / f"r{nth}.wav") for nth in range(count)]
        # Of these REPP has nothing to say, and chronotap refuses them: no marker, or no tap.
        heard = [nth for nth in range(count) if made[nth].repp["markers"] and answers(made[nth])]
        line = [program, "import-taps", *(f"r{nth}.wav" for nth in heard), "--reading", "repp"]
        line += [word for nth in heard for word in ("--stimuli-file", f"r{nth}.json")]
        line += ["--participant", "1", "--data", "d"]
        said = subprocess.run(line, cwd=place, capture_output=True, text=True, check=False)
        if said.returncode:
            raise SystemExit(said.stderr)
        words = " ".join(said.stdout.split())
        return [judged(made[nth], place, run, words, f"r{nth}.wav: ") for run, nth in enumerate(heard, 1)]


def answers(recording: Recording) -> list[float]:
    """REPP's taps that do not come where a marker was played."""
    played, first = recording.info["markers_onsets"], recording.repp["markers"][0]
    markers = [ms - played[0] + first for ms in played]
    return [ms for ms in recording.repp["taps"] if min(abs(ms - marker) for marker in markers) >= 35]


def judged(recording: Recording, place: Path, run: int, words: str, begins: str) -> tuple:
    said = words.split(begins)[1].split(".wav: ")[0]
    meant = REASONS[recording.repp["reason"]]
    alike = any(part in said for part in ([meant] if isinstance(meant, str) else meant))
    path = place / "d" / "sub-1" / "beh" / f"sub-1_task-tapping_run-{run:02}_events.tsv"
    ours = from_marker(path, recording)
    markers = recording.repp["markers"]
    theirs = [ms - markers[0] for ms in answers(recording)]
    true = [ms - recording.marker for ms in recording.contacts]
    return recording.kind, recording.repp["reason"], said, alike, errors(ours, true), errors(theirs, true)


def from_marker(path: Path, recording: Recording) -> list[float]:
    """Taps of the dataset in ms from the first marker."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    beat = next(row for row in rows if row["trial_type"] == "pacing")
    zero = recording.info["stim_shifted_onsets"][0] - recording.info["markers_onsets"][0]
    taps = [float(row["onset"]) for row in rows if row["trial_type"] == "tap"]
    return [(at - float(beat["onset"])) * 1e3 + zero for at in taps]


def errors(found: list[float], true: list[float]) -> list[float]:
    """Of each contact that was heard, within 40 ms."""
    near = [min(found, key=lambda at: abs(at - ms), default=math.inf) - ms for ms in true]
    return [ms for ms in near if abs(ms) < 40]


def compare(program: str, count: int, seed: int) -> int:
    parts = [(program, seed + at, min(20, count - at)) for at in range(0, count, 20)]
    with ProcessPoolExecutor() as pool:
        all_of = [one for part in pool.map(batch, parts) for one in part]
    alike = sum(one[3] for one in all_of)
    for kind, reason, said, same, *_ in all_of:
        if not same:
            print(f"not alike ({kind}): REPP: {reason}; chronotap: {said}")
    print(f"judged alike: {alike} of {len(all_of)} ({count} made, seeds from {seed})")
    for reason in REASONS:
        print(f"  {sum(one[1] == reason for one in all_of):4} {reason}")
    for name, place in (("chronotap --reading repp", 4), ("REPP", 5)):
        ms = np.array([error for one in all_of for error in one[place]])
        print(f"{name}: {len(ms)} taps, error {ms.mean():+.2f} ms, SD {ms.std(ddof=1):.2f} ms")
    apart = [a - b for one in all_of if len(one[4]) == len(one[5]) for a, b in zip(one[4], one[5])]
    near = sum(abs(ms) < 0.01 for ms in apart)
    print(f"of {len(apart)} taps that both heard, {near} are told within 0.01 ms of each other")
    return 0 if alike >= 0.99 * len(all_of) else 1


# --- keep -------------------------------------------------------------------------------------------

#: How a person misses each stimulus, in ms.
HAND = [-31, 12, -44, 5, -20, 31, -8, -27, 14, -3, -37, 21, -12, -40]
#: Rate, how each stimulus is missed, markers that are missing, the noise's peak, the taps' peak.
CASES = {
    "good": (44_100, HAND, [], 0.002, 0.5),
    "at another rate": (16_000, HAND, [], 0.001, 0.3),
    "a marker is missing": (16_000, HAND, [4], 0.001, 0.3),
    "too few": (16_000, [-31, *[None] * 13, *[None] * 10], [], 0.001, 0.4),
    "too many": (16_000, HAND[:8], [], 0.001, 0.4),
    "a machine": (16_000, [-5, -4, -5, -6] * 4, [], 0.001, 0.4),
}
INTERVAL, FIRST, MARKER_HZ, TAP_HZ, TAU = 300.0, 3_500.0, 260.768, 180.0, 0.012


def noise(length: int, peak: float) -> np.ndarray:
    """Of a linear congruential generator, so that a test has the same."""
    state, out = 1, np.empty(length)
    for at in range(length):
        state = (1_664_525 * state + 1_013_904_223) % 2**32
        out[at] = (state / 2**31 - 1.0) * peak
    return out


def kept_case(rate: int, lacks: list, missing: list[int], peak: float, gain: float) -> Recording:
    stimuli = [FIRST + nth * INTERVAL for nth in range(len(lacks))]
    end = stimuli[-1] + 1_500.0
    markers = [1_000.0 + ms for ms in (0.0, 280.0, 510.0)] + [end + ms for ms in (0.0, 280.0, 510.0)]
    length = int((end + 1_500.0) * rate / 1e3)
    samples = noise(length, peak)
    for nth, ms in enumerate(markers):
        if nth not in missing:
            first = math.ceil(ms / 1e3 * rate)
            t = np.arange(int(0.015 * rate)) / rate
            samples[first : first + len(t)] += 0.6 * np.sin(2 * np.pi * MARKER_HZ * t)
    contacts = [ms + lack for ms, lack in zip(stimuli, lacks) if lack is not None]
    for contact in contacts:
        first, wave = thump(rate, contact / 1e3, gain, TAP_HZ, TAU, length)
        samples[first : first + len(wave)] += wave
    info = {"markers_onsets": np.array(markers), "stim_shifted_onsets": stimuli, "stim_onsets": stimuli}
    info["onset_is_played"] = np.ones(len(lacks), dtype=bool)
    quantized = np.round(samples * 32_767).astype(np.int16)
    return Recording(quantized, info, contacts, markers[0])


def keep() -> int:
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            recording = answered(kept_case(*case), Path(folder) / "r.wav", case[0])
            kept.append({
                "name": name, "rate_hz": case[0], "length": len(recording.samples),
                "sum": int(np.abs(recording.samples.astype(int)).sum()), "noise": case[3], "gain": case[4],
                "contacts_ms": recording.contacts, "missing": case[2], **plain(recording.info),
                "repp": recording.repp,
            })  # fmt: skip
    about = "by scripts/repp.sh: what repp-tapping 1.4.0 says of recordings that taps_of_repp.rs makes anew"
    lines = ",\n".join(json.dumps(case) for case in kept)
    KEPT.write_text(f'{{"about": {json.dumps(about)}, "cases": [\n{lines}\n]}}\n')
    for case in kept:
        print(f"{case['name']}: {case['repp']['reason']}, {len(case['repp']['taps'])} taps")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["keep"]:
        raise SystemExit(keep())
    raise SystemExit(compare(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
