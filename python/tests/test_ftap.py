"""FTAP's files, drawn at random, run by the program and by an interpreter that knows nothing of it.

Each file has random readings and random taps. Every tone that the program says it sounded is
compared with what `ftap_interpreter` says must sound, to the nanosecond.
`CHRONOTAP_FTAP=1000..3000` draws other files than those of every day.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
from pathlib import Path

import pytest
from ftap_interpreter import MS, File, Tap, Tie, Tone, Trial, read

FIRST, BEHIND = map(int, os.environ.get("CHRONOTAP_FTAP", "0..24").split(".."))
RANDOM_DELAYS = ("20..180", "RNG_A", "RNG_A:shuffled", "RNG_A:in-order")
MAPS = (
    "2:transpose:-5;3:mirror:66",
    "2:sequence:60,64,67;3:random:50..60",
    "2:shuffled:60..63;3:once:60..90",
)
CHANGES = {
    "FEED_ON": (0, 3), "FEED_CHAN": (1, 16), "FEED_NOTE": (40, 90), "FEED_VMODE": (0, 1),
    "FEED_VEL": (1, 127), "FEED_LEN": (0, 90), "FEED_PMODE": (0, 3), "FEED_DMODE": (0, 2),
    "FEED_DVAL": (0, 300), "METRON_ON": (0, 1), "MSPB": (150, 600), "MET_CHAN": (1, 16),
    "MET_NOTE": (20, 39), "MET_VEL": (1, 127), "MET_LEN": (5, 90), "SPLIT_POINT": (50, 75),
    "PLAY_NOTE": (100, 127), "MASK_ON": (0, 1), "MASK_CHAN": (1, 16), "MASK_VEL": (1, 127),
    "MASK_LEN": (5, 60),
}  # fmt: skip
WITH_A_USUAL_ANSWER = {
    "count", "first-count", "first-beat", "metronome-trigger", "keystroke-trigger", "low-side", "split",
    "split-key", "repeated",
}  # fmt: skip
PAIRS = (("PMODE", "NOTE"), ("VMODE", "VEL"), ("DMODE", "DVAL"), ("ON", "SPLIT_POINT"))


def drawn_readings(draw: random.Random) -> dict[str, str]:
    readings = {
        "count": draw.choice(["positions", "tones"]),
        "first-count": draw.choice(["1", "0"]),
        "first-beat": draw.choice(["0", "137", "1003"]),
        "metronome-trigger": draw.choice(["before-tone", "after-tone"]),
        "keystroke-trigger": draw.choice(["this", "next"]),
        "low-side": draw.choice(["3", "2"]),
        "split": str(draw.randint(50, 75)),
        "split-key": draw.choice(["high", "low"]),
        "repeated": draw.choice(["last", "first"]),
        "random-delay": draw.choice(RANDOM_DELAYS),
        "pitch-map": draw.choice(MAPS),
        "trigger-tone": f"PLAY_NOTE:{draw.randint(1, 16)}/{draw.randint(1, 127)}/{draw.randint(1, 90)}",
        "strings": "FACTORS,SUBJECT",
    }
    if draw.random() < 0.4:
        readings["masking"] = f"{draw.choice([7, 13])}@{draw.randint(0, 40)}..{draw.randint(40, 90)}"
    return {k: v for k, v in readings.items() if k not in WITH_A_USUAL_ANSWER or draw.random() < 0.8}


def feedback(draw: random.Random, of: str) -> list[str]:
    values = {"ON": draw.randint(0, 3), "CHAN": draw.randint(1, 16), "NOTE": draw.randint(40, 90)}
    values |= {"VMODE": draw.randint(0, 1), "VEL": draw.randint(1, 127)}
    values |= {"LEN": draw.choice([0, 0, 35, 80]), "PMODE": draw.randint(0, 3)}
    values |= {"DMODE": draw.randint(0, 2), "DVAL": draw.choice([0, 40, 275])}
    needed = ("NOTE", "VEL", "DVAL")
    return [f"{of}{k} {v}" for k, v in values.items() if k in needed or draw.random() < 0.8]


def metronome(draw: random.Random) -> list[str]:
    lines = [f"METRON_ON {draw.randint(0, 1)}", f"MSPB {draw.randint(180, 500)}"]
    for name in ("MET_CHAN", "MET_NOTE", "MET_VEL", "MET_LEN"):
        if draw.random() < 0.7:
            lines.append(f"{name} {draw.randint(*CHANGES[name])}")
    length = draw.randint(1, 8)
    if draw.random() < 0.6:
        pattern = [1, *(draw.randint(0, 1) for _ in range(length - 1))]
        lines.append(f"MET_PATTERN_ARRAY {length} {' '.join(map(str, pattern))}")
    if draw.random() < 0.4:
        channels = " ".join(str(draw.randint(1, 16)) for _ in range(length))
        lines.append(f"MET_CHAN_ARRAY {length} {channels}")
    return lines


def triggers(draw: random.Random, second: bool, masked: bool, first: int) -> list[str]:
    ordered = draw.random() < 0.9
    kinds = {name: draw.choice("KTM") for name in CHANGES}
    kinds |= {"FEED2_" + name[5:]: draw.choice("KTM") for name in CHANGES if name.startswith("FEED_")}
    lines = []
    for number in range(draw.randint(1, 12)):
        name = draw.choice([name for name in CHANGES if masked or "MASK" not in name])
        value = draw.randint(*CHANGES[name])
        if second and name.startswith("FEED_") and draw.random() < 0.5:
            name = "FEED2_" + name[5:]
        part = name.split("_", 1)[1] if name.startswith("FEED") else name
        paired = ordered and any(part in pair for pair in PAIRS)
        kind = kinds[name] if paired else draw.choice("KTM")
        lines.append(f"TRIGGER t{number} {kind} {counted(draw, kind, first)} {name} {value}")
    kind = draw.choice("TTMK")
    last = {"T": 8_500, "M": draw.randint(12, 24), "K": draw.randint(6, 14)}[kind]
    return [*lines, f"TRIGGER end {kind} {last} END_EXP 0", "TRIGGER stop T 9501 END_EXP 1"]


def counted(draw: random.Random, kind: str, first: int) -> int:
    if kind == "T":
        return draw.randint(100, 8_000)
    return draw.randint(first if kind == "M" else 1, 14)


def drawn_file(draw: random.Random, readings: dict[str, str]) -> str:
    second, masked = draw.random() < 0.5, "masking" in readings
    lines = feedback(draw, "FEED_") + (feedback(draw, "FEED2_") if second else [])
    lines += metronome(draw)
    lines += triggers(draw, second, masked, int(readings.get("first-count", "1")))
    if masked:
        lines += [f"{name} {draw.randint(*CHANGES[name])}" for name in CHANGES if "MASK" in name]
    lines += ["FACTORS 2 left loud", "SUBJECT s07"]
    if readings["random-delay"].startswith("RNG_A"):
        lines.append("RNG_A 4 35 70 105 140")
    if draw.random() < 0.5:
        lines.append(f"SPLIT_POINT {draw.randint(50, 75)}")
    draw.shuffle(lines)
    if draw.random() < 0.5:
        again = draw.choice([line for line in lines if line.startswith(("FEED", "MET", "MSPB"))])
        if "ARRAY" not in again:
            lines.insert(draw.randrange(len(lines)), again.split()[0] + " 1")
    lines = [line + ("  # a remark" if draw.random() < 0.1 else "") for line in lines]
    lines = [line.replace(" ", "\t", 1) if draw.random() < 0.2 else line for line in lines]
    ends = draw.choice(["\n", "\r\n"])
    return draw.choice(["", "\ufeff"]) + ends.join(["# drawn", "", *lines, ""])


def drawn_taps(draw: random.Random) -> list[Tap]:
    taps, now = [], 321_370
    for _ in range(draw.randint(2, 24)):
        now += draw.randrange(110_000, 700_000, 10) + 70
        onset = now * 1_000 + 7
        held = draw.randrange(20_000, 105_000) * 1_000
        taps.append(Tap(onset, onset + held, draw.randint(45, 80), draw.randint(1, 127)))
    return taps


def performed(taps: list[Tap]) -> str:
    lines = ["onset\tduration\tnote\tvelocity"]
    for tap in taps:
        onset, held = (f"{ns // 10**9}.{ns % 10**9:09}" for ns in (tap.onset, tap.release - tap.onset))
        lines.append(f"{onset}\t{held}\t{tap.note}\t{tap.velocity}")
    return "\n".join(lines) + "\n"


def simulated(
    command: Path, place: Path, text: str, readings: dict[str, str], taps: list[Tap]
) -> subprocess.CompletedProcess[str]:
    (place / "trial").write_text(text, newline="")
    (place / "taps.tsv").write_text(performed(taps))
    line = [str(command), "simulate", "trial", "--seed", "1", "--performer", "taps.tsv", "--data", "data", "-q"]
    line += [word for k, v in readings.items() for word in ("--reading", f"{k}={v}")]
    return subprocess.run(line, cwd=place, capture_output=True, text=True, check=False)


def rows_of(place: Path) -> list[dict[str, str]]:
    with open(place / "data" / "trial_run-01_events.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def kind_of(row: dict[str, str]) -> str:
    if row["trial_type"] == "feedback":
        return "feedback " + {"feed": "FEED_", "feed2": "FEED2_"}[row["name"]]
    return row["trial_type"]


def fits(tone: Tone, row: dict[str, str], taps: list[Tap], end: int, again: set[tuple[int, str, str]]) -> bool:
    """Whether the program's row is the tone. A tone may end sooner with the trial, or where the same
    note begins again on its channel: which of the two then ends, no document says."""
    onset, until = int(row["deadline_ns"]), int(row["release_deadline_ns"])
    base = 0 if tone.tap is None else taps[tone.tap].onset
    shift = onset - base
    holds = shift in tone.onset if not isinstance(tone.onset, int) else shift == tone.onset
    note = int(row["note"])
    holds &= note in tone.note if not isinstance(tone.note, int) else note == tone.note
    holds &= (tone.channel, tone.velocity) == (int(row["midi_channel"]), int(row["velocity"]))
    begun_again = (until, row["midi_channel"], row["note"]) in again and until - onset < tone.lasts
    return holds and (until - onset == tone.lasts or until >= end or begun_again)


@pytest.mark.parametrize("seed", range(FIRST, BEHIND))
def test_every_tone_of_a_drawn_file_is_that_of_the_interpreter(
    command: Path, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    readings, taps = drawn_readings(draw), drawn_taps(draw)
    text = drawn_file(draw, readings)
    said = simulated(command, tmp_path, text, readings, taps)
    file = read(text, readings)
    if is_unordered(file):
        assert said.returncode == 2 and "unordered-triggers" in said.stderr, said
        return
    try:
        trial = Trial(file, readings, taps)
    except Tie:
        pytest.skip("two things at one instant, whose order no document says")
    assert said.returncode in {0, 1}, said.stderr  # 1 where the trial ends before a tap
    rows = rows_of(tmp_path)
    assert trial.ended is not None
    end = next(int(row["achieved_ns"]) for row in rows if row["trial_type"] == "end")
    after = readings.get("metronome-trigger") == "after-tone" and ends_by_a_beat(file, trial)
    assert end == trial.ended + after * MS
    compare(trial, rows, taps, trial.ended)


def compare(trial: Trial, rows: list[dict[str, str]], taps: list[Tap], end: int) -> None:
    begins = {(int(row["deadline_ns"]), row["midi_channel"], row["note"]) for row in rows if sounds(row)}
    kinds = ("pacing", "trigger", "masking", "feedback FEED_", "feedback FEED2_")
    for kind in kinds:
        found = [row for row in rows if kind_of(row) == kind and row["note"] != "n/a"]
        found = [row for row in found if int(row["deadline_ns"]) <= end]
        tones = [tone for tone in trial.tones if tone.kind == kind]
        rows_of_tones = matched([[fits(tone, row, taps, end, begins) for row in found] for tone in tones])
        for tone, row in zip(tones, rows_of_tones, strict=True):
            assert row is not None or begins_after(tone, taps, end), (tone, found)
        left = [row for at, row in enumerate(found) if at not in rows_of_tones]
        assert not left, (kind, left)
    acted = {(int(t["achieved_ns"]), t["name"]) for t in rows if t["trial_type"] == "trigger"}
    assert acted >= {one for one in trial.acted if one[1] not in put_off(trial)}


def matched(may_be: list[list[bool]]) -> list[int | None]:
    """Which column each row gets, so that as many as possible get one, each another: delays that are
    drawn may exchange two tones, and either could be that of a tap (Kuhn's augmenting paths)."""
    owner: dict[int, int] = {}

    def give(row: int, tried: set[int]) -> bool:
        for column in (c for c, fit in enumerate(may_be[row]) if fit and c not in tried):
            tried.add(column)
            if column not in owner or give(owner[column], tried):
                owner[column] = row
                return True
        return False

    for row in range(len(may_be)):
        give(row, set())
    columns = {row: column for column, row in owner.items()}
    return [columns.get(row) for row in range(len(may_be))]


def sounds(row: dict[str, str]) -> bool:
    return row["release_deadline_ns"] != "n/a" and row["deadline_ns"] != "n/a"


def put_off(trial: Trial) -> set[str]:
    """Triggers that a trial file says of the next tap or beat."""
    next_tap = trial.readings.get("keystroke-trigger") == "next"
    next_beat = trial.readings.get("metronome-trigger") == "after-tone"
    of = {"K": next_tap, "M": next_beat, "T": False}
    return {t.id for t in trial.file.triggers if of[t.kind]}


def is_unordered(file: File) -> bool:
    """Whether only the participant decides which of a mode and its number is set last."""
    return any(
        are_unordered(file, of, mode, number) for of in ("FEED_", "FEED2_") for mode, number in PAIRS
    )


def are_unordered(file: File, of: str, mode: str, number: str) -> bool:
    if number != "SPLIT_POINT":
        number = of + number
    modes, numbers = ({t.kind for t in file.triggers if t.name == one} for one in (of + mode, number))
    if number == "SPLIT_POINT":
        sides = [file.values.get(of + "ON", 0)]
        sides += [t.value for t in file.triggers if t.name == of + "ON"]
        if max(sides) < 2:
            return False
    return bool(modes and numbers) and len(modes | numbers) > 1 and max(len(modes), len(numbers)) > 1


def ends_by_a_beat(file: File, trial: Trial) -> bool:
    ended = next(name for at, name in trial.acted if at == trial.ended)
    return any(t.id == ended and t.kind == "M" for t in file.triggers)


def begins_after(tone: Tone, taps: list[Tap], end: int) -> bool:
    base = 0 if tone.tap is None else taps[tone.tap].onset
    latest = tone.onset if isinstance(tone.onset, int) else max(tone.onset)
    return base + latest >= end
