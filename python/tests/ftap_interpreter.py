"""FTAP's configuration files interpreted a second time, without the engine and without trial files.

It reads what FTAP's public documents say of a file and of its triggers, and takes a trial's taps to
the tones that must sound. It knows nothing of how Chronotap imports such a file; where those
documents are silent, the readings of docs/ftap.md decide, which are given as arguments. Times are
whole nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MS = 1_000_000
#: Values of a file that does not give them, as docs/ftap.md states them.
ASSUMED = {
    "FEED_ON": 0, "FEED_CHAN": 1, "FEED_LEN": 0, "FEED_PMODE": 0, "FEED_VMODE": 0, "FEED_DMODE": 0,
    "METRON_ON": 0, "MET_CHAN": 1, "MET_NOTE": 76, "MET_VEL": 100, "MET_LEN": 30, "MASK_ON": 0,
    "MASK_CHAN": 1,
}  # fmt: skip


@dataclass
class Tap:
    onset: int
    release: int
    note: int
    velocity: int


@dataclass(order=True)
class Tone:
    """What must sound; of a drawn value, the set of those that it may be."""

    onset: int | range | frozenset[int]
    kind: str
    channel: int
    note: int | frozenset[int]
    velocity: int
    lasts: int = 0
    #: The tap behind it, and how long after it.
    tap: int | None = None


@dataclass
class Trigger:
    id: str
    kind: str
    count: int
    name: str
    value: int


@dataclass
class File:
    values: dict[str, int] = field(default_factory=dict)
    arrays: dict[str, list[int]] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)


def read(text: str, readings: dict[str, str]) -> File:
    """The lines of a file; `#` begins a comment."""
    file = File()
    first = readings.get("repeated") == "first"
    for line in text.lstrip("\ufeff").splitlines():
        words = line.split("#")[0].split()
        if not words or words[0] in readings.get("strings", "").split(","):
            continue
        name = words[0]
        if name == "TRIGGER":
            file.triggers.append(Trigger(words[1], words[2], int(words[3]), words[4], int(words[5])))
        elif name.endswith("_ARRAY") or name.startswith("RNG"):
            numbers = [int(word) for word in words[2:]]
            assert int(words[1]) == len(numbers)
            if not (first and name in file.arrays):
                file.arrays[name] = numbers
        elif not (first and name in file.values):
            file.values[name] = int(words[1])
    return file


class Trial:
    """One run of a file: a clock that goes from moment to moment, and what sounds."""

    def __init__(self, file: File, readings: dict[str, str], taps: list[Tap]) -> None:
        self.file, self.readings = file, readings
        self.values = {**ASSUMED, **{k.replace("FEED_", "FEED2_"): v for k, v in ASSUMED.items()}}
        self.values.update(file.values)
        self.tones: list[Tone] = []
        self.acted: list[tuple[int, str]] = []
        self.ended: int | None = None
        self.draws: dict[tuple[str, str], int] = {}
        self.masked = [(-MS, self.of_masking())]
        self.run(sorted(taps, key=lambda tap: tap.onset))
        self.mask()

    def reading(self, name: str, usual: str) -> str:
        return self.readings.get(name, usual)

    def run(self, taps: list[Tap]) -> None:
        times = sorted((t for t in self.file.triggers if t.kind == "T"), key=lambda t: t.count)
        position, beat_at = 0, int(self.reading("first-beat", "0")) * MS
        pressed = 0
        metronome = "MSPB" in self.values
        while self.ended is None:
            moments = [(times[0].count * MS, 0)] if times else []
            moments += [(beat_at, 1)] if metronome else []
            moments += [(taps[pressed].onset, 2)] if pressed < len(taps) else []
            if not moments:
                break
            now, what = min(moments)
            if [moment[0] for moment in moments].count(now) > 1:
                raise Tie
            if what == 0:
                self.act(times.pop(0), now)
            elif what == 1:
                self.beat(position, now)
                position, beat_at = position + 1, beat_at + self.values["MSPB"] * MS
            else:
                self.tap(pressed, taps[pressed])
                pressed += 1

    # The metronome.

    def counted(self, position: int) -> int | None:
        """The count of a position; none of a rest where tones alone are counted."""
        first = int(self.reading("first-count", "1"))
        if self.reading("count", "positions") == "positions":
            return position + first
        pattern = self.file.arrays.get("MET_PATTERN_ARRAY", [1])
        if not pattern[position % len(pattern)]:
            return None
        before = sum(pattern[at % len(pattern)] for at in range(position))
        return before + first

    def beat(self, position: int, now: int) -> None:
        due = [t for t in self.file.triggers if t.kind == "M" and t.count == self.counted(position)]
        after = self.reading("metronome-trigger", "before-tone") == "after-tone"
        if after:
            self.sound_beat(position, now)
        for trigger in due:
            if self.ended is None:
                self.act(trigger, now)
        if not after and self.ended is None:
            self.sound_beat(position, now)

    def sound_beat(self, position: int, now: int) -> None:
        pattern = self.file.arrays.get("MET_PATTERN_ARRAY", [1])
        if not (self.values["METRON_ON"] and pattern[position % len(pattern)]):
            return
        channels = self.file.arrays.get("MET_CHAN_ARRAY")
        channel = channels[position % len(channels)] if channels else self.values["MET_CHAN"]
        note, velocity = self.values["MET_NOTE"], self.values["MET_VEL"]
        lasts = self.values["MET_LEN"] * MS
        self.tones.append(Tone(now, "pacing", channel, note, velocity, lasts))

    # Triggers.

    def act(self, trigger: Trigger, now: int) -> None:
        self.acted.append((now, trigger.id))
        tone = self.readings.get("trigger-tone", ":").split(":")
        if trigger.name == "END_EXP":
            self.ended = now
        elif trigger.name == tone[0]:
            channel, velocity, ms = map(int, tone[1].split("/"))
            self.tones.append(Tone(now, "trigger", channel, trigger.value, velocity, ms * MS))
        else:
            self.values[trigger.name] = trigger.value
            self.masked.append((now, self.of_masking()))

    # Masking, as its reading says.

    def of_masking(self) -> dict[str, int]:
        return {name: value for name, value in self.values.items() if name.startswith("MASK_")}

    def mask(self) -> None:
        if "masking" not in self.readings or self.ended is None:
            return
        rate, notes = self.readings["masking"].split("@")
        least, most = map(int, notes.split(".."))
        for nth in range(self.ended * int(rate) // 10**9 + 1):
            at = round(nth * 10**9 / int(rate))
            if any(abs(at - when) < 2_000 for when, _ in self.masked):
                raise Tie
            values = [values for when, values in self.masked if when < at][-1]
            if values["MASK_ON"] and at < self.ended:
                note, lasts = frozenset(range(least, most + 1)), values["MASK_LEN"] * MS
                channel, velocity = values["MASK_CHAN"], values["MASK_VEL"]
                self.tones.append(Tone(at, "masking", channel, note, velocity, lasts))

    # Feedback.

    def tap(self, index: int, tap: Tap) -> None:
        due = [t for t in self.file.triggers if t.kind == "K" and t.count == index + 1]
        feedback = [t for t in due if t.name.startswith("FEED") or t.name == "SPLIT_POINT"]
        later = feedback if self.reading("keystroke-trigger", "this") == "next" else []
        for trigger in due:
            if trigger not in later and self.ended is None:
                self.act(trigger, tap.onset)
        if self.ended is None:
            for channel in ("FEED_", "FEED2_"):
                self.answer(channel, index, tap)
        for trigger in later:
            if self.ended is None:
                self.act(trigger, tap.onset)

    def hears(self, on: int, note: int) -> bool:
        if on < 2:
            return on == 1
        split = self.values.get("SPLIT_POINT")
        if split is None:
            split = int(self.reading("split", "60"))
        elif self.reading("split-key", "high") == "low":
            split += 1
        low = on == int(self.reading("low-side", "3"))
        return note < split if low else note >= split

    def answer(self, of: str, index: int, tap: Tap) -> None:
        if not self.hears(self.values.get(of + "ON", 0), tap.note):
            return
        note, delay = self.pitch(of, tap.note), self.delay(of)
        velocity = self.values[of + "VEL"] if self.values[of + "VMODE"] else tap.velocity
        lasts = self.values[of + "LEN"] * MS or tap.release - tap.onset
        channel = self.values[of + "CHAN"]
        self.tones.append(Tone(delay, "feedback " + of, channel, note, velocity, lasts, index))

    def nth(self, of: str, what: str, values: list[int]) -> int | frozenset[int]:
        """The next of a list; any of it where no document says which: where a trigger may have begun
        the list again, or keys were pressed that the channel did not answer."""
        names = {"pitch": ("ON", "PMODE", "NOTE"), "delay": ("ON", "DMODE", "DVAL")}[what]
        is_set = any(t.name in {of + name for name in names} for t in self.file.triggers)
        if is_set or self.values[of + "ON"] != 1:
            return frozenset(values)
        at = self.draws.get((of, what), 0)
        self.draws[of, what] = at + 1
        return values[at % len(values)]

    def pitch(self, of: str, note: int) -> int | frozenset[int]:
        mode = self.values[of + "PMODE"]
        if mode == 0:
            return note
        if mode == 1:
            return self.values[of + "NOTE"]
        maps = dict(one.split(":", 1) for one in self.readings["pitch-map"].split(";"))
        form, value = maps[str(mode)].split(":")
        if form == "transpose":
            return note + int(value)
        if form == "mirror":
            return 2 * int(value) - note
        if form == "sequence":
            return self.nth(of, "pitch", [int(n) for n in value.split(",")])
        least, most = map(int, value.split(".."))
        return frozenset(range(least, most + 1))

    def delay(self, of: str) -> int | range | frozenset[int]:
        mode = self.values[of + "DMODE"]
        if mode < 2:
            return mode * self.values.get(of + "DVAL", 0) * MS
        drawn = self.readings["random-delay"]
        if ".." in drawn:
            least, most = map(int, drawn.split(".."))
            return range(least * MS, most * MS + 1)
        table = [ms * MS for ms in self.file.arrays[drawn.split(":")[0]]]
        if drawn.endswith("in-order"):
            return self.nth(of, "delay", table)
        return frozenset(table)


class Tie(Exception):
    """Two things come at one instant, and no document says which is first."""
