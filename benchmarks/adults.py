"""The population `adults` as simulated beside the people it is made from, and the fit of its numbers.

    python3 benchmarks/adults.py FOLDER                 what the numbers of the table give, beside the data
    python3 benchmarks/adults.py FOLDER --fit           the numbers that come nearest, and what those give
    python3 benchmarks/adults.py FOLDER --program FILE  the same of trials that this `chronotap` simulates

FOLDER has Context2024, IllusoryMotor and bayes_timing, the repositories that silva_laje.py, pazdera_trainor.py and
baath_madison.py name. A figure of simulated people is computed by the functions of those scripts, as that of the data: people
differ, correct their period, follow what they notice, and drift. Formulas of one average person leave all that out.

The fit is one of Gauss and Newton: each figure counts by how far it is from the data in standard errors of the data, which
their people give. It sees these three studies alone: no ready-made study is among them. Simulated people are the same ones at
each step (one seed), so that a figure moves with the numbers only. A round takes about a minute of a processor. The table has
its numbers rounded, with a `beta` between that of the fit without steps (0.008) and with them (0.06).
"""

import csv
import math
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median, stdev

import baath_madison
import pazdera_trainor
import silva_laje

# Of crates/config/src/trial_files/performers/populations.rs: as is and what the fit may change.
FIXED = {
    "alpha_sd": 0.12, "mean": -36.0, "mean_sd": 21.0, "mean_grows": -8.2, "mean_grows_sd": 5.0,
    "notice": 0.06, "notice_sd": 0.015, "anticipate": 0.6, "anticipate_sd": 0.25,
}  # fmt: skip
NUMBERS = {
    "alpha": 0.45, "alpha_grows": 0.2, "beta": 0.03, "weber": 0.035, "weber_grows": 0.0135, "weber_factor": 1.38, "motor": 8.2,
    "motor_factor": 1.5, "mean_trials": 2.3, "mean_grows_trials": 3.3, "drift": 6.0, "drift_factor": 2.6, "drifts_in": 6.0,
    "wanders": 0.008, "wanders_factor": 1.8, "follow": 0.2, "follow_slower": 0.045,
}  # fmt: skip
LAGS = (1, 2, 3, 5, 8, 10, 15, 20, 25)
SHIFTS = (-50, -20, 20, 50)
STEPS = (-20, 20)  # below what is noticed: the period alone comes after them
AFTER = slice(8, 13)  # beats after a step
TEMPI = (600, 1200, 1800, 2400, 3000)
PEOPLE = 120  # simulated in each study


def of_levels():
    return defaultdict(lambda: defaultdict(list))


class Person:
    """One adult of these numbers, with the equations of docs/participants.md. Times are in ms, intervals too."""

    def __init__(self, of, chance):
        near = lambda name: chance.gauss(of[name], of[name + "_sd"])
        times = lambda name: of[name] * math.exp(math.log(of[name + "_factor"]) * chance.gauss(0, 1))
        self.chance, self.of = chance, of
        self.alpha, self.beta, self.notice = near("alpha"), max(0, near("beta")), min(1, max(0, near("notice")))
        self.follow, self.anticipate = min(1, max(0, near("follow"))), min(1, max(0, near("anticipate")))
        self.weber, self.motor, self.drift, self.wanders = map(times, ("weber", "motor", "drift", "wanders"))
        self.mean, self.mean_grows = near("mean"), near("mean_grows")

    def trial(self, beats, alone=0):
        """The asynchronies with the beats, from the fourth, and then so many intervals between taps alone."""
        normal = self.chance.gauss
        of, interval = self.of, beats[1] - beats[0]
        mean = self.mean + of["mean_trials"] * normal(0, 1)
        grows = self.mean_grows + of["mean_grows_trials"] * normal(0, 1)
        period, drift = interval, self.drift * normal(0, 1)
        clock, found, before, changes = None, [], interval, (0, 0)
        for k in range(3, len(beats)):
            seconds = period / 1e3
            left = of["drifts_in"] / (of["drifts_in"] + seconds)
            aim = mean + grows * (seconds**2 - 0.36)
            share = max(0, self.weber + of["weber_grows"] * (seconds - 0.6))
            noise, motor, drifts = share * period * normal(0, 1), self.motor * normal(0, 1), normal(0, 1)
            clock = beats[k - 1] + period + aim + drift + noise if clock is None else clock + period + noise
            drift = left * drift + self.drift * math.sqrt(1 - left**2) * drifts
            found.append(clock + motor - beats[k])
            error = found[-1] - aim - drift
            alpha = min(2, max(0, self.alpha + of["alpha_grows"] * (seconds - 0.6)))
            last = beats[k] - beats[k - 1]
            changes, before = (last - before, changes[0]), last
            clock -= alpha * error
            period = self.expected(period - self.beta * error, last, changes)
        between, last = [], None
        for _ in range(alone + 2 if alone else 0):
            period *= 1 + self.wanders * normal(0, 1)
            clock += period + max(0, self.weber + of["weber_grows"] * (period / 1e3 - 0.6)) * period * normal(0, 1)
            tap = clock + self.motor * normal(0, 1)
            between += [tap - last] if last is not None else []
            last = tap
        return found, between[-alone:] if alone else []

    def expected(self, period, last, changes):
        """The period goes on with a trend, or follows an interval that is noticed to differ from it."""
        if changes[0] * changes[1] > 0:
            least = math.copysign(min(map(abs, changes)), changes[0])
            return period + self.anticipate * (last + least - period)
        if abs(last - period) > self.notice * period:
            share = self.follow + math.copysign(self.of["follow_slower"], last - period)
            return period + min(1, max(0, share)) * (last - period)
        return period


def beats_of(count, interval, shift=0, step=0, at=17):
    return [k * interval + (shift + step * (k - at + 1) if k >= at else 0) for k in range(count)]


def left(own, changed, step):
    """The distance of asynchronies from those before a step, eight to twelve beats after it, in steps."""
    before, after = own[:changed], own[changed:][AFTER]
    present = lambda some: [one for one in some if one is not None]
    if len(present(before)) < 5 or len(present(after)) < 3:
        return None
    return (fmean(present(before)) - fmean(present(after))) / step


def simulated(of):
    """The trials of these numbers, in the form that the data are read into. How much people differ in what no data told
    apart is a share of it, as in the table."""
    of = of | {"beta_sd": of["beta"] * 0.4, "follow_sd": of["follow"] / 3}
    chance = random.Random(1)
    regular, shares, steps, slow, alone = defaultdict(list), of_levels(), of_levels(), {}, {}
    for who in range(PEOPLE):
        person = Person(of, random.Random(chance.random()))
        for _ in range(12):
            regular[who].append(person.trial(beats_of(35, 500))[0][1:31])
        for shift in SHIFTS:
            for _ in range(6):
                beats = beats_of(19, 500, shift)
                own = person.trial(beats)[0]
                shares[shift][who].append((beats[18] + own[15] - beats[17] - own[14] - 500) / shift)
        for step in STEPS:
            for _ in range(6):
                own = person.trial(beats_of(30, 500, step=step))[0]
                steps[step][who].append(left(own[1:], 13, step))
        for tempo in TEMPI:
            trials = {n: person.trial(beats_of(34, tempo))[0] for n in range(4)}
            slow.setdefault(tempo, {})[who] = trials
        for tempo in (400, 600):
            trials = [person.trial(beats_of(8, tempo), 15)[1] for _ in range(12)]
            usable = lambda trial: all(0.6 < one / tempo < 1.4 for one in trial)
            alone.setdefault(tempo, {})[who] = list(filter(usable, trials))
    return regular, shares, steps, slow, alone


def measured(folder):
    """The same of the data."""
    regular, shares, steps = defaultdict(list), of_levels(), of_levels()
    for who, beats, taps, kept, (name, kind, size) in silva_laje.read(folder / "Context2024/data"):
        own = silva_laje.asynchronies(beats, taps)[4:34]
        if kept and size == 0 and None not in own:
            regular[who].append(own)
        elif kept and name == "Experiment_PS" and size:
            share = silva_laje.response(beats, taps, size)
            shares[size][who] += [] if share is None else [share]
        elif kept and kind == silva_laje.STEP and size in STEPS:
            changed = next(k for k, (a, b) in enumerate(zip(beats, beats[1:]), 1) if abs(b - a - 500) > 10)
            share = left(silva_laje.asynchronies(beats, taps)[4:], changed - 4, size)
            steps[size][who] += [] if share is None else [share]
    slow = baath_madison.read(folder / "bayes_timing/tapping_data_baath_madison_2012.csv")
    alone = pazdera_trainor.read(folder / "IllusoryMotor")
    enough = lambda people: {who: trials for who, trials in people.items() if len(trials) >= pazdera_trainor.TRIALS}
    return regular, shares, steps, slow, {tempo: enough(people) for tempo, people in alone.items()}


def rehearsed(program):
    """The same of what the program simulates: two studies of tones of 500 ms and of slow ones, and one alone."""
    regular, shares, steps, slow, alone = defaultdict(list), of_levels(), of_levels(), {}, {}
    for who, level, beats, taps in trials_of(program, SHIFTED, "shift", 8):
        own, shift = silva_laje.asynchronies(beats, taps), int(level.split()[0])
        if shift == 0 and None not in own[4:34]:
            regular[who].append(own[4:34])
        elif shift and (share := silva_laje.response(beats, taps, shift)) is not None:
            shares[shift][who].append(share)
    for who, level, beats, taps in trials_of(program, STEPPED, "interval", 6):
        step = int(level.split()[0]) - 500
        share = left(silva_laje.asynchronies(beats, taps)[4:], 13, step)
        steps[step][who] += [] if share is None else [share]
    for who, level, beats, taps in trials_of(program, SLOW, "interval", 4):
        tempo = int(level.split()[0])
        near = [min(taps, key=lambda tap: abs(tap - beat)) - beat for beat in beats[3:]]
        trials = slow.setdefault(tempo, {}).setdefault(who, {})
        trials[len(trials)] = [one for one in near if abs(one) < tempo / 2]
    for who, level, beats, taps in trials_of(program, ALONE, "interval", 18):
        tempo, after = int(level.split()[0]), [tap for tap in taps if tap > beats[-1] + 0.5 * (beats[1] - beats[0])]
        between = [b - a for a, b in zip(after, after[1:])][:15]
        if len(between) == 15 and all(0.6 < one / tempo < 1.4 for one in between):
            alone.setdefault(tempo, {}).setdefault(who, []).append(between)
    return regular, shares, steps, slow, alone


METRONOME = '[pacing.metronome]\ninterval = "500 ms"\n'
SHIFTED = (
    METRONOME + '[[pacing.metronome.change]]\nname = "shift"\nat = 18\nphase_shift = "0 ms"\n[[when]]\nbeat = 35\nend = true\n',
    '[factor]\nshift = ["0 ms", "-50 ms", "-20 ms", "20 ms", "50 ms"]\n'
    '[set]\npacing.metronome.change.shift.phase_shift = { factor = "shift" }\n',
)
STEPPED = (
    METRONOME + '[[pacing.metronome.change]]\nname = "step"\nat = 17\ninterval = "500 ms"\n[[when]]\nbeat = 31\nend = true\n',
    '[factor]\ninterval = ["480 ms", "520 ms"]\n[set]\npacing.metronome.change.step.interval = { factor = "interval" }\n',
)
SLOW = (
    METRONOME + "[[when]]\nbeat = 34\nend = true\n",
    '[factor]\ninterval = ["600 ms", "1200 ms", "1800 ms", "2400 ms", "3000 ms"]\n'
    '[set]\npacing.metronome.interval = { factor = "interval" }\n',
)
ALONE = (
    METRONOME + '[feedback.tone]\n[[when]]\nbeat = 9\nset.pacing.metronome.audible = false\n[[when]]\nbeat = 27\nend = true\n',
    '[factor]\ninterval = ["400 ms", "600 ms"]\n[set]\npacing.metronome.interval = { factor = "interval" }\n',
)


def trials_of(program, study, factor, repetitions):
    """Of each trial the person, the level, the beats that sounded, and the taps, in ms."""
    trial, levels = study
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "trial.toml").write_text('title = "beats"\n' + trial)
        head = f'title = "beats"\ntask = "beats"\nparticipants = {PEOPLE}\nseed = 1\ntrial = "trial.toml"\n'
        steps = f'[[step]]\nname = "main"\nrepetitions = {repetitions}\nshuffle = "all"\ngap = "0 ms"\n'
        (folder / "study.toml").write_text(head + levels + steps)
        data = folder / "data"
        subprocess.run([program, "simulate", folder / "study.toml", "--data", data], check=True, stdout=subprocess.DEVNULL)
        for table in sorted(data.glob("sub-*/beh/*_beh.tsv")):
            with open(table, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file, delimiter="\t"):
                    yield table.name.split("_")[0], row[factor], *events(data / row["events_file"])


def events(path):
    beats, taps = [], []
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            of = {"pacing": beats, "tap": taps}.get(row["trial_type"])
            if of is not None:
                of.append(int(row["achieved_ns"]) / 1e6)
    return beats, taps


def figures(regular, shares, steps, slow, alone):
    """Every figure by its name: its value, and the standard error that its people give it."""
    found = {}
    for lag in LAGS:
        of = [silva_laje.half_mean_square(trials, lag) for trials in regular.values()]
        found[f"500 ms, {lag} apart, median, ms²"] = of_median(of)
    for lag in (1, 5, 20):
        logs = [math.log(silva_laje.half_mean_square(trials, lag)) for trials in regular.values()]
        found[f"500 ms, {lag} apart, SD of log"] = of_sd(logs)
    for shift, people in shares.items():
        found[f"500 ms, response to a shift of {shift} ms"] = of_mean([fmean(values) for values in people.values() if values])
    for step, people in steps.items():
        found[f"500 ms, left of a step of {step} ms"] = of_mean([fmean(values) for values in people.values() if values])
    for tempo, people in sorted(slow.items()):
        logs = [math.log(fmean(map(stdev, trials.values()))) for trials in people.values()]
        lags = [fmean(map(baath_madison.lag_one, trials.values())) for trials in people.values()]
        found[f"{tempo} ms, log of the SD within trials"] = of_mean(logs)
        found[f"{tempo} ms, SD of that"] = of_sd(logs)
        found[f"{tempo} ms, correlation of neighbours"] = of_mean(lags)
        value = baath_madison.figures(people)[4]
        found[f"{tempo} ms, SD between trials, ms"] = value, 0.25 * value
    for tempo, people in sorted(alone.items()):
        levels = list(zip(*(pazdera_trainor.variances(trials) for trials in people.values() if trials)))
        for name, values in zip(("clock", "motor delay", "step of the period"), levels):
            found[f"alone at {tempo} ms, {name}, median, ms²"] = of_median(values)
    return found


def of_mean(values):
    return fmean(values), stdev(values) / math.sqrt(len(values))


def of_sd(values):
    return stdev(values), stdev(values) / math.sqrt(2 * len(values))


def of_median(values):
    """The error of a median by the two values between which it lies in 68 % of samples."""
    ordered, half = sorted(values), math.sqrt(len(values)) / 2
    at = lambda place: ordered[round((len(values) - 1) / 2 + place)]
    return median(values), (at(half) - at(-half)) / 2


def distances(own, data):
    return [(own[name][0] - value) / error for name, (value, error) in data.items()]


def fitted(data, rounds=6):
    """The numbers nearest to the data: steps of Gauss and Newton on their logarithms, each halved until it helps."""
    of = dict(NUMBERS)
    names = [name for name in NUMBERS if name not in KEPT]
    here = distances(figures(*simulated(FIXED | of)), data)
    for _ in range(rounds):
        slopes = []
        for name in names:
            beside = distances(figures(*simulated(FIXED | of | {name: of[name] * 1.08})), data)
            slopes.append([(b - a) / math.log(1.08) for a, b in zip(here, beside)])
        step = solved(slopes, here)
        for share in (1, 0.5, 0.25, 0.125):
            new = of | {name: of[name] * math.exp(share * min(0.7, max(-0.7, by))) for name, by in zip(names, step)}
            there = distances(figures(*simulated(FIXED | new)), data)
            if sum(d * d for d in there) < sum(d * d for d in here):
                of, here = new, there
                break
        else:
            break
        print(f"squared distance {sum(d * d for d in here):.1f}", {k: round(v, 4) for k, v in of.items()}, file=sys.stderr)
    return of


# What these data do not tell, or tell only beside another number.
KEPT = ("motor_factor", "wanders_factor")


def solved(slopes, here, damping=1.0):
    """The step that takes most of the distances off, by normal equations (Marquardt's damping)."""
    count = len(slopes)
    rows = [
        [sum(a * b for a, b in zip(slopes[i], slopes[j])) + (damping if i == j else 0) for j in range(count)]
        + [-sum(a * b for a, b in zip(slopes[i], here))]
        for i in range(count)
    ]
    for i in range(count):
        best = max(range(i, count), key=lambda row: abs(rows[row][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for row in range(count):
            if row != i:
                share = rows[row][i] / rows[i][i]
                rows[row] = [a - share * b for a, b in zip(rows[row], rows[i])]
    return [rows[i][-1] / rows[i][i] for i in range(count)]


def main():
    data = figures(*measured(Path(sys.argv[1])))
    numbers = fitted(data) if "--fit" in sys.argv else NUMBERS
    program = sys.argv[sys.argv.index("--program") + 1] if "--program" in sys.argv else None
    own = figures(*(rehearsed(program) if program else simulated(FIXED | numbers)))
    if "--fit" in sys.argv:
        print("  ".join(f"{name} {value:.4g}" for name, value in numbers.items()))
    print(f"{'':<52}{'data':>10}{'simulated':>11}{'in SE':>8}")
    for (name, (value, error)), far in zip(data.items(), distances(own, data)):
        print(f"{name:<52}{value:>10.3f}{own[name][0]:>11.3f}{far:>8.1f}")


if __name__ == "__main__":
    main()
