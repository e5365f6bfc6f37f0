"""Clock, motor delay and drift of the interval of people who tap on alone, from the data of Pazdera and Trainor (2025).

The data are the folders `E1` and `E2` of github.com/jpazdera/IllusoryMotor (CC BY 4.0): 8 tones 400 or 600 ms apart, then 15
intervals between taps that each sound.

    python3 benchmarks/pazdera_trainor.py IllusoryMotor

Half the mean square of the difference between intervals so many taps apart, G, tells three things apart. Wing and
Kristofferson's (1973) two levels give it the value V = clock² + 2 motor² from 2 taps on, and motor² more at 1. If the period
changes with each tap by a step of the SD d, G rises by d² / 2 with each tap. So d² is twice the slope of G, motor² = G(1) - G(2)
+ d² / 2, and clock² = G(2) - d² - 2 motor². Trials with an interval beyond 0.6 to 1.4 of that of the tones are left out.

Below that clock and motor variance as usual, from variance and lag-1 autocovariance without the bias of short runs: means over
people, of the intervals as they are and with a straight line taken off.
"""

import ast
import csv
import math
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import fmean, median

INTERVALS, TRIALS = 15, 15


def read(folder):
    """The intervals of each trial, by person and interval of the tones."""
    people = defaultdict(lambda: defaultdict(list))
    for path in sorted(folder.glob("E[12]/data/ITM*_*.csv")):
        with open(path, encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                if row["event"] != "trial" or not row["tap_times"]:
                    continue
                taps = zip(ast.literal_eval(row["tap_types"]), ast.literal_eval(row["tap_times"]))
                alone = [at for kind, at in taps if kind == "C"]
                between = [b - a for a, b in zip(alone, alone[1:])][:INTERVALS]
                target = int(float(row["ioi"]))
                if len(between) >= INTERVALS - 1 and all(0.6 < one / target < 1.4 for one in between):
                    people[target][path.stem].append(between)
    return people


def half_mean_square(trials, lag):
    return fmean(fmean((b - a) ** 2 / 2 for a, b in zip(trial, trial[lag:])) for trial in trials)


def variances(trials):
    at = {lag: half_mean_square(trials, lag) for lag in range(1, 13)}
    step = 2 * (fmean(at[lag] for lag in (10, 11, 12)) - fmean(at[lag] for lag in (2, 3, 4))) / 8
    motor = at[1] - at[2] + step / 2
    return at[2] - step - 2 * motor, motor, step


def usual(trial):
    """Clock and motor variance from the variance and the lag-1 autocovariance, by what both are expected to be in so short a run."""
    count, mean = len(trial), fmean(trial)
    own = [value - mean for value in trial]
    found = (fmean(a * a for a in own), sum(a * b for a, b in zip(own, own[1:])) / count)
    (a, b), (c, d) = expected(count, 1, 0), expected(count, 2, -1)
    return (found[0] * d - found[1] * c) / (a * d - b * c), (a * found[1] - b * found[0]) / (a * d - b * c)


@cache
def expected(count, variance, next_to):
    """Of a run with these covariances of an interval with itself and with the next, about the mean of the run."""
    of = {0: variance, 1: next_to}
    rows = [sum(of.get(abs(i - j), 0) for j in range(count)) for i in range(count)]
    about = lambda i, j: of.get(abs(i - j), 0) - (rows[i] + rows[j]) / count + sum(rows) / count**2
    return fmean(about(i, i) for i in range(count)), sum(about(i, i + 1) for i in range(count - 1)) / count


def without_line(trial):
    middle = (len(trial) - 1) / 2
    slope = sum((k - middle) * value for k, value in enumerate(trial)) / sum((k - middle) ** 2 for k in range(len(trial)))
    return [value - slope * (k - middle) for k, value in enumerate(trial)]


def main():
    for target, people in sorted(read(Path(sys.argv[1])).items()):
        of = [variances(trials) for trials in people.values() if len(trials) >= TRIALS]
        print(f"{target} ms, {len(of)} people: SDs from variances")
        for name, values in zip(("clock", "motor delay", "step of the period"), zip(*of)):
            mean, half = (math.sqrt(max(0, value)) for value in (fmean(values), median(values)))
            logs = sorted(math.log(value) / 2 for value in values if value > 0)
            spread = math.exp((logs[3 * len(logs) // 4] - logs[len(logs) // 4]) / 1.349)
            share = f"{half / target:.4f} of the interval"
            print(f"  {name:<20}mean {mean:5.1f} ms, median {half:5.1f} ms ({share}), factor {spread:.2f}")

        for name, change in (("as they are", list), ("without a line", without_line)):
            enough = [trials for trials in people.values() if len(trials) >= TRIALS]
            means = [map(fmean, zip(*(usual(change(trial)) for trial in trials))) for trials in enough]
            clock, motor = map(fmean, zip(*means))
            print(f"  {name:<20}clock variance {clock:.0f} ms², motor variance {motor:.0f} ms²")


if __name__ == "__main__":
    main()
