"""Makes quest.json: what SweetSpot (CC0) finds of the same answers as our Bayesian staircase.

Run by scripts/oracles.sh, in an environment of its own; the tests of the crate read only the
quest.json beside this file. SweetSpot's grid is that of crates/design/src/judge/quest.rs.
"""

import json
import math
from pathlib import Path

import numpy as np
from SweetSpot import Gaussian, Logistic
from SweetSpot.Quest import QUEST

LEVELS = 401
RANDOM = np.random.default_rng(12)


def case(width, guess, lapse, start, least, greatest, prior_sd, threshold, trials=30):
    # Their beta is the logarithm of the curve's slope at its middle, which is 1 / (4 s).
    slope = width / (2 * math.log(19))
    quest = QUEST(
        beta=-math.log(4 * slope), gamma=guess, lambda_=lapse, shape=Logistic,
        alphaGrid=(least, greatest, LEVELS),
        alphaPrior=None if prior_sd is None else Gaussian(start, prior_sd),
    )
    level, rows = start, []
    for _ in range(trials):
        right = guess + (1 - guess - lapse) / (1 + math.exp(-(level - threshold) / slope))
        correct = bool(RANDOM.random() < right)
        quest.Observe(correct, x=level)
        following = float(quest.ComputeNextValue())
        _, alphas = quest.pf.FindParameter("alpha")
        alphas = np.asarray(alphas, float).ravel()
        p = np.asarray(quest.pf.Distribution(quest.pf.LogPosterior(), params="alpha"), float).ravel()
        p = p / p.sum()
        mean = float((alphas * p).sum())
        sd = float(np.sqrt((((alphas - mean) ** 2) * p).sum()))
        rows.append({"level": level, "correct": correct, "next": following, "mean": mean, "sd": sd})
        level = following
    return {
        "width": width, "guess": guess, "lapse": lapse, "start": start, "least": least,
        "greatest": greatest, "prior_sd": prior_sd, "trials": rows,
    }


cases = [
    case(40, 0.5, 0.02, 60, 1, 200, 40, 45),
    case(40, 0.5, 0.02, 60, 1, 200, None, 130),
    case(10, 0.25, 0.0, 0, -50, 50, 20, -7),
    case(3, 0.01, 0.01, 5, 0, 10, None, 4),
]
path = Path(__file__).with_name("quest.json")
path.write_text("[\n" + ",\n".join(json.dumps(one) for one in cases) + "\n]\n")
