"""The figures of the population `adults`, from the data of Bååth and Madison (2012).

The data are tapping_data_baath_madison_2012.csv of github.com/rasmusab/bayes_timing (MIT licence):

    python3 benchmarks/baath_madison.py tapping_data_baath_madison_2012.csv

For each interval: the mean over people of their mean asynchronies and its SD between people; of the SD within trials the
mean logarithm and its SD between people; the SD between the trials of one person, less what the noise within trials makes
of it; and the correlation of neighbouring asynchronies, corrected for the length of the trials, with its SD between people, less
what the spread over their trials makes of it. Below them the values that the parameters of `adults` come to.
"""

import csv
import math
import sys
from collections import defaultdict
from statistics import fmean, stdev, variance

# Of crates/config/src/trial_files/performers/populations.rs.
ALPHA, ALPHA_GROWS, ALPHA_SD = 0.45, 0.2, 0.12
MEAN, MEAN_SD, MEAN_TRIALS = -36.0, 21.0, 2.3
MEAN_GROWS, MEAN_GROWS_SD, MEAN_GROWS_TRIALS = -8.2, 5.0, 3.3
WEBER, WEBER_GROWS, WEBER_FACTOR = 0.035, 0.0135, 1.38
MOTOR = 8.2
DRIFT, DRIFTS_IN = 6.0, 6.0
TAPS = 30


def read(path):
    """The asynchronies in ms by interval, person and trial."""
    data = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            data[int(row["isi"])][row["subject"]][row["trial"]].append(float(row["asynch"]))
    return data


def lag_one(trial):
    """The autocorrelation at lag 1, without the bias of short series (Kendall 1954)."""
    mean = fmean(trial)
    own = [value - mean for value in trial]
    r = sum(a * b for a, b in zip(own, own[1:])) / sum(a * a for a in own)
    return r + (1 + 3 * r) / len(trial)


def figures(people):
    """What the people of one interval come to."""
    means = [fmean(sum(trials.values(), [])) for trials in people.values()]
    logs = [math.log(fmean(map(stdev, trials.values()))) for trials in people.values()]
    lags = [[lag_one(trial) for trial in trials.values()] for trials in people.values()]
    lag = fmean(map(fmean, lags))
    lag_sd = math.sqrt(max(0.0, variance(map(fmean, lags)) - fmean(variance(of) / len(of) for of in lags)))
    noise = fmean(variance(trial) / len(trial) for trials in people.values() for trial in trials.values())
    noise *= (1 + lag) / (1 - lag)
    between = fmean(variance(map(fmean, trials.values())) for trials in people.values())
    return fmean(means), stdev(means), fmean(logs), stdev(logs), math.sqrt(max(0.0, between - noise)), lag, lag_sd


def drifted(alpha, seconds):
    """Of the drift as asynchronies follow it: its variance, that of its means over a trial, and its covariance at lag 1."""
    left = DRIFTS_IN / (DRIFTS_IN + seconds)
    both = DRIFT**2 * alpha / (1 - left * (1 - alpha))
    at = [both * (1 + left * (1 - alpha)) / (2 - alpha)]
    for k in range(1, TAPS):
        at.append((1 - alpha) * at[-1] + alpha * both * left**k)
    pairs = sum((TAPS - k) * covariance for k, covariance in enumerate(at))
    return at[0], (2 * pairs - TAPS * at[0]) / TAPS**2, at[1]


def model(interval):
    """The same of the parameters, by the equations of docs/participants.md; means of one trial each."""
    seconds = interval / 1e3
    grown, squares = seconds - 0.6, seconds**2 - 0.36
    alpha = ALPHA + ALPHA_GROWS * grown
    share = WEBER + WEBER_GROWS * grown
    variance_of = ((share * interval) ** 2 + 2 * alpha * MOTOR**2) / (alpha * (2 - alpha))
    lag = (1 - alpha) - MOTOR**2 / variance_of
    drift, of_means, next_to = drifted(alpha, seconds)
    noise = variance_of / TAPS * (1 + lag) / (1 - lag)
    lag = (lag * variance_of + next_to - of_means) / (variance_of + drift - of_means)
    variance_of += drift - of_means
    trials = math.sqrt(MEAN_TRIALS**2 + (MEAN_GROWS_TRIALS * squares) ** 2 + of_means)
    noise = (noise + trials**2) / 4
    people = math.sqrt(MEAN_SD**2 + (MEAN_GROWS_SD * squares) ** 2 + noise)
    log_sd = math.log(WEBER_FACTOR) * WEBER / share
    return MEAN + MEAN_GROWS * squares, people, math.log(variance_of) / 2, log_sd, trials, lag, ALPHA_SD


def main():
    columns = "mean, SD between people, log SD within trials, its SD, SD between trials, lag 1, its SD".split(", ")
    print("interval          " + "".join(f"{column:>24}" for column in columns))
    for interval, people in sorted(read(sys.argv[1]).items()):
        for name, values in (("data", figures(people)), ("model", model(interval))):
            print(f"{interval:>5} ms  {name:<8}" + "".join(f"{value:>24.3f}" for value in values))


if __name__ == "__main__":
    main()
