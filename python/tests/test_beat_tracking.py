"""The measures of beat tracking are those of mir_eval, for performances of all kinds."""

from __future__ import annotations

import warnings

import mir_eval
import numpy as np

from chronotap import onsets

CASES = 600


def performance(random: np.random.Generator, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Beats and taps in ms: with the beats, on the offbeat, at half and double the tempo, at random, and with
    one tap left out."""
    steps = random.normal(random.uniform(250, 1200), random.uniform(0, 60), random.integers(4, 60))
    beats = np.sort(np.cumsum(steps))
    between = beats[:-1] + np.diff(beats) / 2
    taps = [
        beats + random.normal(-20, random.uniform(1, 80), beats.size),
        between + random.normal(0, 15, between.size),
        beats[::2] + random.normal(0, 20, beats[::2].size),
        np.r_[beats, between] + random.normal(0, 10, beats.size + between.size),
        random.uniform(beats[0], beats[-1], random.integers(3, 60)),
        np.delete(beats + random.normal(0, 25, beats.size), random.integers(0, beats.size)),
    ][kind]
    taps = np.sort(taps)
    later = max(0.0, -float(taps[0]))  # mir_eval refuses times below 0
    return np.round(beats + later, 3), np.round(taps + later, 3)


def test_the_measures_are_those_of_mir_eval_to_the_last_digit() -> None:
    random = np.random.default_rng(3)
    for case in range(CASES):
        beats, taps = performance(random, case % 6)
        found = onsets.beat_tracking(beats, taps)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = (
                mir_eval.beat.f_measure(beats / 1e3, taps / 1e3),
                mir_eval.beat.p_score(beats / 1e3, taps / 1e3),
                *mir_eval.beat.continuity(beats / 1e3, taps / 1e3),
            )
        ours = (found.f, found.p, found.cml_c, found.cml_t, found.aml_c, found.aml_t)
        assert ours == theirs, case
