"""Drift, missed taps and corrections of the population `adults`, from the data of Silva and Laje (2024).

The data are the folder `data` of github.com/SMDynamicsLab/Context2024 (GPL; read, not copied): taps to 35 beats 500 ms
apart, some with a phase shift or a tempo step of 20 or 50 ms.

    python3 benchmarks/silva_laje.py Context2024/data

Printed are: mean asynchronies; half the mean square of differences between asynchronies so many taps apart, in regular
trials (mean and median over people), and the same of an average adult of the model; by how much the share of an asynchrony
that is left in the next differs between late and early taps; the share of a change by which the next interval between taps
changes; and the shares of intervals longer than one and a half beats, which is that of missed taps, and shorter than half one.
"""

import csv
import math
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median, stdev

# Of crates/config/src/trial_files/performers/populations.rs, at 500 ms.
ALPHA, CLOCK, MOTOR = 0.45 - 0.2 * 0.1, (0.035 - 0.0135 * 0.1) * 500, 8.2
DRIFT, DRIFTS_IN = 6.0, 6.0
BEAT = 500
EXPERIMENTS = ("Experiment_PS", "Experiment_SC", "Experiment_PS_SC", "Experiment2_PS_SC")
SHIFT, STEP = "1", "0"


def read(folder):
    """Every trial: the person, the beats, the taps in ms, whether it was kept, and the change."""
    for name in EXPERIMENTS:
        with open(folder / name / "ExpMetaData.csv", encoding="utf-8") as file:
            about = {(row["Subject"], row["Block"], row["Trial"]): row for row in csv.DictReader(file)}
        for path in sorted((folder / name).glob("S*-trial*-raw.dat")):
            who, block, trial = re.search(r"S(\d+)-.*-block(\d+)-trial(\d+)-raw", path.name).groups()
            events = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
            beats = [int(at) for kind, _, at in events if kind == "S"]
            taps = [int(at) for kind, _, at in events if kind == "R"]
            row = about[str(int(who)), block, trial]
            change = (name, row["Perturb_type"], int(float(row["Perturb_size"])))
            yield (name, who), beats, taps, row["Valid_trial"] == "1", change


def asynchronies(beats, taps):
    """Of each beat the one of the nearest tap, or none."""
    of = {}
    for tap in taps:
        beat = min(range(len(beats)), key=lambda k: abs(beats[k] - tap))
        of[beat] = min(of.get(beat, BEAT), tap - beats[beat], key=abs)
    return [of.get(beat) for beat in range(len(beats))]


def half_mean_square(trials, lag):
    return fmean(fmean((b - a) ** 2 / 2 for a, b in zip(trial, trial[lag:])) for trial in trials)


def of_the_model(lag):
    """The same of an average adult: that of linear correction, and that of a drift which correction follows."""
    variance = (CLOCK**2 + 2 * ALPHA * MOTOR**2) / (ALPHA * (2 - ALPHA))
    fast = ((1 - ALPHA) * variance - MOTOR**2) * (1 - ALPHA) ** (lag - 1)
    left = DRIFTS_IN / (DRIFTS_IN + BEAT / 1e3)
    both = DRIFT**2 * ALPHA / (1 - left * (1 - ALPHA))
    slow = own = both * (1 + left * (1 - ALPHA)) / (2 - ALPHA)
    for k in range(1, lag + 1):
        slow = (1 - ALPHA) * slow + ALPHA * both * left**k
    return variance - fast + own - slow


def left_in_the_next(trials, sign):
    pairs = [(a - fmean(trial), b - fmean(trial)) for trial in trials for a, b in zip(trial, trial[1:])]
    pairs = [(a, b) for a, b in pairs if a * sign > 0]
    return sum(a * b for a, b in pairs) / sum(a * a for a, _ in pairs)


def response(beats, taps, size):
    """The share of a change by which the interval after the first changed beat differs from 500 ms."""
    changed = next(k for k, (a, b) in enumerate(zip(beats, beats[1:]), 1) if abs(b - a - BEAT) > 10)
    own = asynchronies(beats, taps)
    if own[changed] is None or own[changed + 1] is None:
        return None
    return (beats[changed + 1] + own[changed + 1] - beats[changed] - own[changed] - BEAT) / size


def with_error(values):
    return f"{fmean(values):6.3f} (SE {stdev(values) / math.sqrt(len(values)):.3f}, {len(values)} people)"


def main():
    regular, changed, between = defaultdict(list), defaultdict(lambda: defaultdict(list)), defaultdict(list)
    for who, beats, taps, kept, (name, kind, size) in read(Path(sys.argv[1])):
        if len(beats) == 35 and len(taps) >= 10:
            between[who] += [(b - a) / BEAT for a, b in zip(taps, taps[1:]) if a >= beats[4]]
        own = asynchronies(beats, taps)[4:34]
        if kept and size == 0 and None not in own:
            regular[who].append(own)
        elif kept and size != 0 and (share := response(beats, taps, size)) is not None:
            changed[name, kind, size][who].append(share)
    means = [fmean(map(fmean, trials)) for trials in regular.values()]
    print(f"mean asynchrony {fmean(means):.1f} ms, SD between {len(means)} people {stdev(means):.1f} ms")
    print(f"{'taps apart':>10}{'mean':>8}{'median':>8}{'model':>8}")
    for lag in (1, 2, 3, 5, 8, 10, 15, 20, 25):
        people = [half_mean_square(trials, lag) for trials in regular.values()]
        print(f"{lag:>10}{fmean(people):>8.0f}{median(people):>8.0f}{of_the_model(lag):>8.0f}")
    late_less_early = [left_in_the_next(trials, 1) - left_in_the_next(trials, -1) for trials in regular.values()]
    print(f"left in the next, late less early taps: {with_error(late_less_early)}")
    for (name, kind, size), people in sorted(changed.items()):
        shares = [fmean(values) for values in people.values()]
        print(f"{name:<18} {'step' if kind == STEP else 'shift'} {size:>3} ms: response {with_error(shares)}")
        if size > 0:
            other = changed[name, kind, -size]
            differences = [fmean(values) - fmean(other[who]) for who, values in people.items() if who in other]
            print(f"{'':26} longer less shorter {with_error(differences)}")
    rates = [fmean(one > 1.5 for one in of) for of in between.values()]
    logs = [math.log(rate) for rate in rates if rate > 0]
    short = fmean(one < 0.5 for of in between.values() for one in of)
    print(f"missed: median {median(rates):.4f}, factor between people {math.exp(stdev(logs)):.2f}")
    print(f"shorter than half a beat: {short:.5f}")


if __name__ == "__main__":
    main()
