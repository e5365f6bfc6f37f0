"""Makes golden.json: every statistic of chronotap-analysis, as other programs compute it.

Run by scripts/oracles.sh, in an environment of its own; the tests of the crate read only the
golden.json beside this file and need no Python. Each case holds its data in whole
nanoseconds or as plain numbers, and what numpy, scipy, statsmodels, astropy or pingouin
found. Programs of other licences than ours are asked here and linked nowhere.
"""

import json
import math
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pingouin as pg
import statsmodels.api as sm
from astropy.stats import circstats
from scipy import optimize, special, stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.tsa import stattools

warnings.simplefilter("ignore")
MS = 1_000_000
RANDOM = np.random.default_rng(14)


def nanoseconds(ms):
    return [int(round(value * MS)) for value in ms]


def series():
    """Runs of intervals or asynchronies in ns: usual ones and extreme ones."""
    usual = {f"random {n}": nanoseconds(RANDOM.normal(0, 25, n)) for n in (2, 5, 30, 200)}
    drift = nanoseconds(RANDOM.normal(0, 20, 300) + np.linspace(-400, 400, 300))
    return usual | {
        "worked": nanoseconds([-30, -20, -45, 10, -5, -25, -60, 0, -15, -35]),
        "one": [17 * MS],
        "ties": [MS, MS, MS, -MS, -MS, 0, 0, 0],
        "equal": [5 * MS] * 12,
        "nanosecond noise": [int(x) for x in RANDOM.integers(-2, 3, 100)],
        "minutes of drift": drift,
        "an hour off": [int(3.6e12) + int(x) for x in RANDOM.integers(-20 * MS, 20 * MS, 50)],
    }


def or_none(value):
    value = float(value)
    return value if math.isfinite(value) else None


def asynchrony_of(ns):
    x = np.array(ns, float) / MS
    sd = np.std(x, ddof=1) if len(x) > 1 else math.nan
    return {
        "mean_ms": np.mean(x), "sd_ms": or_none(sd), "mean_absolute_ms": np.mean(np.abs(x)),
        "rms_ms": math.sqrt(np.mean(x**2)),
    }


def intervals_of(ns):
    """Intervals around 600 ms made of the series."""
    x = 600.0 + (np.array(ns, float) - np.mean(ns)) / MS
    ns = nanoseconds(x)
    x = np.array(ns, float) / MS
    several = len(x) > 1
    slope = stats.linregress(np.arange(len(x)), x).slope if several else math.nan
    steps = np.diff(x)
    npvi = np.mean(np.abs(steps) / ((x[1:] + x[:-1]) / 2)) * 100 if several else math.nan
    sd = np.std(x, ddof=1) if several else math.nan
    return ns, {
        "mean_ms": np.mean(x), "median_ms": np.median(x), "sd_ms": or_none(sd),
        "cv": or_none(stats.variation(x, ddof=1)) if several else None,
        "rmssd_ms": or_none(np.sqrt(np.mean(steps**2))) if several else None,
        "drift": or_none(slope), "npvi": or_none(npvi),
    }


def autocorrelation_of(ns):
    x = np.array(ns, float) / MS
    if np.ptp(x) == 0 or len(x) < 7:
        return None
    return [float(r) for r in stattools.acf(x, nlags=5, fft=False)]


def circular_of(angles):
    n = len(angles)
    r = float(pg.circ_r(angles))
    found = {
        "resultant": r,
        "scipy_variance": float(stats.circvar(angles)),
        "astropy_resultant": float(np.sqrt(np.sum(np.cos(angles)) ** 2 + np.sum(np.sin(angles)) ** 2) / n),
        "direction": float(pg.circ_mean(angles)),
        "sd": float(stats.circstd(angles)),
    }
    if n > 1:
        z, p = pg.circ_rayleigh(angles)
        found |= {"z": float(z), "p": float(p), "astropy_p": float(circstats.rayleightest(np.array(angles)))}
    if n >= 5:
        v, pv = pg.circ_vtest(angles, 0.0)
        found |= {"v": float(v), "v_p": float(pv)}
    return found


def circular_cases():
    worked = [2 * math.pi * a / 600 for a in (-30, -20, -45, 10, -5, -25, -60, 0, -15, -35)]
    spread = [2 * math.pi * a / 600 for a in (-200, -90, -20, 40, 110, 170, 240, -280)]
    cases = {"worked": worked, "spread": spread, "one": [1.0], "two": [0.1, -0.2]}
    cases["tight few"] = [0.001 * k for k in range(8)]
    for kappa in (0.0, 0.5, 4.0, 200.0):
        for n in (5, 12, 100):
            cases[f"kappa {kappa} n {n}"] = [float(a) for a in RANDOM.vonmises(0.3, kappa, n)]
    return [{"name": name, "angles": a, "found": circular_of(a)} for name, a in cases.items()]


def mixture_of(angles):
    """The mixture by a general optimizer, from many starts."""
    x = np.array(angles)

    def loss(parameters):
        logit, mu, log_kappa = parameters
        w, kappa = special.expit(logit), math.exp(log_kappa)
        c = kappa * np.cos(x - mu)
        front = -math.log(2 * math.pi) - math.log(special.ive(0, kappa)) - kappa
        return -np.sum(front + np.logaddexp(math.log(w + 1e-300) + c, math.log(1 - w + 1e-300) - c))

    starts = [(l, m, k) for l in (-1, 1) for m in (-0.7, 0, 0.7) for k in (0, 2)]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 20000, "maxfev": 20000}
    best = min((optimize.minimize(loss, s, method="Nelder-Mead", options=options) for s in starts), key=lambda r: r.fun)
    w, mu, kappa = special.expit(best.x[0]), best.x[1], math.exp(best.x[2])
    mu = (mu + math.pi) % (2 * math.pi) - math.pi
    if abs(mu) > math.pi / 2:
        w, mu = 1 - w, mu - math.copysign(math.pi, mu)
    return {"in_phase": float(w), "direction": float(mu), "concentration": float(kappa), "log_likelihood": float(-best.fun)}


def mixtures():
    cases = []
    for w, kappa, n in ((0.8, 6.0, 60), (0.5, 3.0, 200), (0.35, 12.0, 40)):
        near = RANDOM.random(n) < w
        angles = np.where(near, -0.3, math.pi - 0.3) + RANDOM.vonmises(0, kappa, n)
        angles = [float(a) for a in angles]
        cases.append({"name": f"w {w} kappa {kappa} n {n}", "angles": angles, "found": mixture_of(angles)})
    return cases


def matchings():
    """Most pairs, then least sum of distances, by the Hungarian method."""
    cases = []
    for n in (3, 8, 20, 40):
        for tolerance in (80, 200):
            beats = np.cumsum(RANDOM.integers(60, 260, n))
            taps = beats + RANDOM.integers(-90, 91, n)
            taps = np.sort(np.concatenate([taps[RANDOM.random(n) < 0.85], RANDOM.integers(0, beats[-1], n // 4)]))
            distance = np.abs(beats[:, None] - taps[None, :]).astype(float)
            cost = np.where(distance <= tolerance, distance - 1e6, 0.0)
            rows, columns = optimize.linear_sum_assignment(cost)
            paired = [(r, c) for r, c in zip(rows, columns) if distance[r, c] <= tolerance]
            total = sum(int(distance[r, c]) for r, c in paired)
            cases.append({"tolerance_ms": tolerance, "beats_ms": beats.tolist(), "taps_ms": taps.tolist(),
                          "pairs": len(paired), "distance_ms": total})
    return cases


def gls(alpha, n, seed):
    """One step of bGLS with given covariances, and the whole by the published rules, with
    statsmodels' generalized least squares."""
    random = np.random.default_rng(seed)
    timekeeper, motor = random.normal(0, 10, n), random.normal(0, 5, n + 1)
    ioi = np.where(np.arange(n) % 9 == 4, 550.0, 500.0)
    stimuli = np.concatenate([[0], np.cumsum(ioi)])
    inner = [0.0]
    for k in range(n):
        asynchrony = inner[k] + motor[k] - stimuli[k]
        inner.append(inner[k] + 500 + timekeeper[k] - alpha * asynchrony)
    taps = np.array(inner) + motor
    taps_ns, stimuli_ns = nanoseconds(taps), nanoseconds(stimuli)
    taps, stimuli = np.array(taps_ns) / MS, np.array(stimuli_ns) / MS
    y = np.diff(taps)
    x = (taps - stimuli)[:-1]
    y, x = y - y.mean(), x - x.mean()
    g0, g1, previous = 1.0, 0.0, None
    for _ in range(20):
        sigma = g0 * np.eye(n) + g1 * (np.eye(n, k=1) + np.eye(n, k=-1))
        fit = sm.GLS(y, x, sigma=sigma).fit()
        coefficient = fit.params[0]
        d = y - x * coefficient
        c = np.cov(d[:-1], d[1:])
        g0, g1 = (c[0, 0] + c[1, 1]) / 2, min(c[0, 1], 0.0)
        g0 = max(g0, -3 * g1)
        if previous is not None and abs(coefficient - previous) < 1e-3:
            break
        previous = coefficient
    error = joint_error(y, x, coefficient, g1 / g0, g0)
    return {"taps": taps_ns, "onsets": stimuli_ns, "alpha": -float(coefficient), "error": error,
            "timekeeper_sd_ms": math.sqrt(g0 + 2 * g1), "motor_sd_ms": math.sqrt(-g1)}


def joint_error(y, x, coefficient, rho, g0):
    """The error of the coefficient where rho = g1/g0 is estimated with it: by the Jacobian of
    the innovations over both, from numerical derivatives."""
    n = len(y)

    def innovations(parameters):
        b, r = parameters
        sigma = np.eye(n) + r * (np.eye(n, k=1) + np.eye(n, k=-1))
        root = np.linalg.cholesky(sigma)
        return np.diag(root) * np.linalg.solve(root, y - x * b)

    root = np.linalg.cholesky(np.eye(n) + rho * (np.eye(n, k=1) + np.eye(n, k=-1)))
    jacobian = optimize.approx_fprime([coefficient, rho], innovations, [1e-6, 1e-6]) / np.diag(root)[:, None]
    return math.sqrt(np.linalg.inv(jacobian.T @ jacobian)[0, 0] * g0)


def fluctuation(values, windows):
    y = np.cumsum(np.array(values) - np.mean(values))
    f = []
    for n in windows:
        pieces = y[: len(y) // n * n].reshape(-1, n)
        k = np.arange(n)
        left = [piece - np.polyval(np.polyfit(k, piece, 1), k) for piece in pieces]
        f.append(math.sqrt(np.mean(np.square(left))))
    return float(np.polyfit(np.log(windows), np.log(f), 1)[0])


def fluctuations():
    white = np.random.default_rng(0).standard_normal(1024)
    windows = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
    cases = [{"name": "white", "values": white.tolist(), "windows": windows, "exponent": fluctuation(white, windows)}]
    walk = np.cumsum(RANDOM.normal(0, 1, 300))
    noise = RANDOM.normal(0, 1e-6, 200)
    for name, values, windows in (("walk", walk, [5, 10, 20, 40, 75]), ("tiny", noise, [10, 20, 30, 50])):
        cases.append({"name": name, "values": values.tolist(), "windows": windows, "exponent": fluctuation(values, windows)})
    return cases


def cross(x, y, lag):
    """statsmodels: ccf(x, y)[k] correlates x[t+k] with y[t]."""
    found = stattools.ccf(y, x, adjusted=False) if lag >= 0 else stattools.ccf(x, y, adjusted=False)
    return float(found[abs(lag)])


def pairs():
    x = RANDOM.normal(500, 20, 60)
    y = 250 + 0.5 * np.roll(x, 1) + RANDOM.normal(0, 10, 60)
    x_ns, y_ns = nanoseconds(x), nanoseconds(y)
    x, y = np.array(x_ns) / MS, np.array(y_ns) / MS
    return {"first": x_ns, "second": y_ns, "lags": {str(lag): cross(x, y, lag) for lag in (-1, 0, 1)}}


def tracking():
    pacing = 500 + 80 * np.sin(2 * math.pi * np.arange(24) / 12)
    taps = pacing + RANDOM.normal(0, 15, 24)
    taps_ns, pacing_ns = nanoseconds(taps), nanoseconds(pacing)
    i, c = np.array(taps_ns) / MS, np.array(pacing_ns) / MS
    r = lambda a, b: float(stats.pearsonr(a, b).statistic)
    return {"taps": taps_ns, "pacing": pacing_ns, "r0": r(i, c), "r1": r(i[1:], c[:-1]), "own": r(c[1:], c[:-1])}


def means():
    first, second = RANDOM.normal(0, 3, 9).tolist(), RANDOM.normal(1, 1, 14).tolist()
    one = stats.ttest_1samp(first, 0.0).confidence_interval(0.95)
    two = stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
    return {"first": first, "second": second, "mean": [float(np.mean(first)), one.low, one.high],
            "difference": [float(np.mean(first) - np.mean(second)), two.low, two.high]}


def gains():
    size = RANDOM.choice([-50, -30, -10, 10, 30, 50], 24).astype(float)
    correction = 3 + 0.6 * size + RANDOM.normal(0, 8, 24)
    fit = sm.OLS(correction, sm.add_constant(size)).fit()
    late = size > 0
    later = sm.OLS(correction[late], size[late]).fit()
    ends = fit.conf_int()[1]
    return {"size": size.tolist(), "correction": correction.tolist(),
            "overall": [float(fit.params[1]), float(fit.bse[1]), float(ends[0]), float(ends[1])],
            "later": [float(later.params[0]), float(later.bse[0])]}


def distributions():
    t = [{"freedom": f, "probability": p, "t": float(stats.t.ppf(p, f))}
         for f in (1, 2, 3, 7.5, 28, 500, 1e6) for p in (0.6, 0.9, 0.975, 0.999)]
    bessel = [{"kappa": k, "ratio": float(special.ive(1, k) / special.ive(0, k)),
               "log": float(np.log(special.ive(0, k)) + k)} for k in (1e-3, 0.7, 3.0, 14.9, 15.1, 80.0, 700.0, 1e5)]
    normal = [{"z": z, "above": float(stats.norm.sf(z))} for z in (-3.0, 0.0, 1.96, 8.0, 30.0)]
    return {"t": t, "bessel": bessel, "normal": normal}


def adam(parameters, runs, n, seed):
    """Adaptation and anticipation (ADAM), fitted to several runs by the same iteration as bGLS,
    with statsmodels' generalized least squares for each set of covariances."""
    random = np.random.default_rng(seed)
    alpha, beta, gamma, prediction = parameters
    all_taps, all_onsets, blocks = [], [], []
    for _ in range(runs):
        tap, onset, period, last, before = 0.0, 0.0, 500.0, 500.0, 500.0
        motor, taps, onsets = random.normal(0, 5, n), [], []
        for k in range(n):
            taps.append(tap + motor[k])
            onsets.append(onset)
            asynchrony = taps[-1] - onset
            period -= beta * asynchrony
            adapted = tap + period - alpha * asynchrony
            expected = onset + last + prediction * (last - before)
            tap = adapted - gamma * (adapted - expected) + random.normal(0, 10)
            step = 500 + 80 * math.sin(0.7 * k) + random.normal(0, 15)
            onset += step
            before, last = last, step
        taps, onsets = nanoseconds(taps), nanoseconds(onsets)
        all_taps.append(taps)
        all_onsets.append(onsets)
        r, s = np.array(taps) / MS, np.array(onsets) / MS
        a, k = r - s, np.arange(2, n - 1)
        columns = np.column_stack([a[k], np.cumsum(a)[k], np.diff(s)[k - 1],
                                   np.diff(s)[k - 1] - np.diff(s)[k - 2], k])
        blocks.append((np.diff(r)[k] - np.diff(r)[k].mean(), columns - columns.mean(axis=0)))
    y = np.concatenate([block[0] for block in blocks])
    x = np.vstack([block[1] for block in blocks])
    size = len(blocks[0][0])
    g0, g1, previous = 1.0, 0.0, None
    for _ in range(20):
        one = g0 * np.eye(size) + g1 * (np.eye(size, k=1) + np.eye(size, k=-1))
        b = sm.GLS(y, x, sigma=np.kron(np.eye(runs), one)).fit().params
        d = (y - x @ b).reshape(runs, size)
        c = np.cov(d[:, :-1].ravel(), d[:, 1:].ravel())
        g0, g1 = (c[0, 0] + c[1, 1]) / 2, min(c[0, 1], 0.0)
        g0 = max(g0, -3 * g1)
        if previous is not None and np.abs(b - previous).sum() < 1e-3:
            break
        previous = b
    found = {"alpha": (-b[0] - b[2]) / (1 - b[2]), "beta": -b[1] / (1 - b[2]), "gamma": b[2],
             "prediction": b[3] / b[2]}
    return {"taps": all_taps, "onsets": all_onsets} | {name: float(x) for name, x in found.items()}


def ensembles():
    """Spread and leads of three members around common beats, with numpy."""
    random = np.random.default_rng(21)
    beats = [600 * MS * k for k in range(40)]
    members = [nanoseconds(np.array(beats) / MS + random.normal(early, 15, 40)) for early in (-20, 0, 30)]
    a = (np.array(members) - np.array(beats)) / MS
    centres = a.mean(axis=0)
    return {"beats": beats, "members": members, "spread": float(a.std(axis=0, ddof=1).mean()),
            "asynchrony": float(centres.mean()), "asynchrony_sd": float(centres.std(ddof=1)),
            "leads": [float((one - centres).mean()) for one in a]}


def proportions():
    cases = [(k, n) for n in (1, 5, 20, 200, 100_000) for k in sorted({0, 1, n // 3, n - 1, n})]
    return [{"count": k, "of": n, "ends": [float(x) for x in proportion_confint(k, n, method="wilson")]}
            for k, n in cases]


def levels_of(intervals, kept, line):
    """Clock and motor variance by the two equations of expectation, with whole matrices."""
    places = np.flatnonzero(kept)
    x = np.array(intervals, float)[places] / MS
    n = len(x)
    design = np.column_stack([np.ones(n), places]) if line else np.ones((n, 1))
    r = np.eye(n) - design @ np.linalg.pinv(design)
    beside = (np.abs(places[:, None] - places[None, :]) == 1).astype(float)
    d = r @ x
    s0, s1 = d @ d, d @ beside @ d / 2
    pairs = beside.sum() / 2
    rn = r @ beside
    a = np.array([[np.trace(r), 2 * np.trace(r) - np.trace(rn)],
                  [np.trace(rn) / 2, np.trace(rn) - np.trace(rn @ rn) / 2]])
    clock, motor = np.linalg.solve(a, [s0, s1])
    c0, c1 = s0 / n, s1 / pairs * (n - 1) / n
    return {"n": n, "r1": c1 / c0, "clock": c0 + 2 * c1, "motor": -c1, "clock_unbiased": clock, "motor_unbiased": motor}


def wing_kristofferson():
    """Runs of clock and motor delays: short, long, drifting, with a missed tap, nearly even."""
    random = np.random.default_rng(31)
    cases = []
    for name, n, clock, motor, drift, missed in (
        ("short", 8, 20, 10, 0, None), ("usual", 30, 20, 10, 0, None), ("long", 2000, 10, 5, 0, None),
        ("drifting", 60, 10, 5, 0.8, None), ("a missed tap", 40, 15, 8, 0, 17), ("single nanoseconds", 50, 3e-6, 2e-6, 0, None),
    ):
        delays = random.normal(0, motor, n + 1)
        intervals = 500 + random.normal(0, clock, n) + np.diff(delays) + drift * np.arange(n)
        kept = np.ones(n, bool)
        if missed is not None:
            intervals[missed] *= 2
            kept[missed] = False
        ns = nanoseconds(intervals)
        cases.append({"name": name, "ns": ns, "raw": levels_of(ns, kept, False), "detrended": levels_of(ns, kept, True)})
    return cases


def periods(alpha, beta, runs, n, seed):
    """Phase and period correction at steps of tempo, by the same iteration as bGLS, with
    statsmodels' generalized least squares; the mean asynchrony is known to be 0."""
    random = np.random.default_rng(seed)
    all_taps, all_onsets, blocks = [], [], []
    for _ in range(runs):
        tap, onset, period = 0.0, 0.0, 500.0
        motor, taps, onsets = random.normal(0, 5, n), [], []
        for k in range(n):
            taps.append(tap + motor[k])
            onsets.append(onset)
            asynchrony = taps[-1] - onset
            period -= beta * asynchrony
            tap += period - alpha * asynchrony + random.normal(0, 10)
            onset += 500.0 if k // 15 % 2 == 0 else 550.0
        taps, onsets = nanoseconds(taps), nanoseconds(onsets)
        all_taps.append(taps)
        all_onsets.append(onsets)
        r, s = np.array(taps) / MS, np.array(onsets) / MS
        a = (r - s)[:-1]
        columns = np.column_stack([a, np.cumsum(a)])
        blocks.append((np.diff(r) - np.diff(r).mean(), columns - columns.mean(axis=0)))
    y = np.concatenate([block[0] for block in blocks])
    x = np.vstack([block[1] for block in blocks])
    size = len(blocks[0][0])
    g0, g1, previous = 1.0, 0.0, None
    for _ in range(20):
        one = g0 * np.eye(size) + g1 * (np.eye(size, k=1) + np.eye(size, k=-1))
        b = sm.GLS(y, x, sigma=np.kron(np.eye(runs), one)).fit().params
        d = (y - x @ b).reshape(runs, size)
        c = np.cov(d[:, :-1].ravel(), d[:, 1:].ravel())
        g0, g1 = (c[0, 0] + c[1, 1]) / 2, min(c[0, 1], 0.0)
        g0 = max(g0, -3 * g1)
        if previous is not None and np.abs(b - previous).sum() < 1e-3:
            break
        previous = b
    return {"taps": all_taps, "onsets": all_onsets, "alpha": -float(b[0]), "beta": -float(b[1])}


def relaxations():
    """c rho^j fitted to the mean curve by scipy, with the derivatives that it finds itself."""
    random = np.random.default_rng(41)
    cases = []
    for rho, size, noise in ((0.5, 50.0, 4.0), (0.7, -30.0, 2.0), (-0.4, 50.0, 2.0)):
        responses = [(size * -(rho ** np.arange(9)) + random.normal(0, noise, 9)).tolist() for _ in range(15)]
        curve, lags = np.mean(responses, axis=0) / size, np.arange(9)
        fit = optimize.least_squares(lambda p: p[0] * p[1] ** lags - curve, [-1.0, rho], xtol=1e-15, ftol=1e-15, gtol=1e-15)
        cases.append({"size": size, "responses": responses, "factor": float(fit.x[1])})
    return cases


def reproductions():
    """Errors of intervals and shares, and drift towards 1:2, each as a mean with scipy's interval."""
    random = np.random.default_rng(51)
    asked = np.array([290.0, 610.0])
    produced = [nanoseconds(asked * random.normal(1, 0.05, 2) + [6, -4]) for _ in range(14)]
    x = np.array(produced) / MS
    share, category = asked[0] / asked.sum(), 1 / 3
    shares = x[:, 0] / x.sum(axis=1)

    def mean(values):
        ends = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
        return [float(np.mean(values)), ends.low, ends.high]

    return {"asked": nanoseconds(asked), "produced": produced, "tempo": mean(x.sum(axis=1) / asked.sum()),
            "errors": [mean(x[:, k] - asked[k]) for k in (0, 1)], "share": mean(shares - share),
            "drift": mean((shares - share) / (category - share))}


def closest_first():
    """Matching by increasing distance within 0.4 of the local interval, in plain words: of all
    pairs the closest, again and again."""
    random = np.random.default_rng(61)
    cases = []
    for n, missing in ((2, 1), (3, 0), (12, 0), (30, 8), (60, 5)):
        beats = np.cumsum(np.concatenate([[0], random.integers(250, 700, n - 1)])).astype(int)
        taps = np.sort(np.concatenate([np.delete(beats + random.integers(-200, 201, n), range(missing)),
                                       random.integers(-300, beats[-1] + 300, n // 3)])).astype(int)
        taps = np.unique(taps)
        steps = np.diff(beats)
        early = np.concatenate([steps[:1], steps])
        late = np.concatenate([steps, steps[-1:]])
        free_beats, free_taps, pairs = set(range(n)), set(range(len(taps))), []
        while True:
            near = [(abs(int(taps[t] - beats[b])), b, t) for b in free_beats for t in free_taps
                    if -0.4 * early[b] <= taps[t] - beats[b] <= 0.4 * late[b]]
            if not near:
                break
            _, b, t = min(near)
            free_beats.remove(b)
            free_taps.remove(t)
            pairs.append([int(b), int(t)])
        cases.append({"beats_ms": beats.tolist(), "taps_ms": taps.tolist(), "pairs": sorted(pairs)})
    return cases


def second_orders():
    """Mean directions of several samples: the mean of their mean vectors by pycircstat2, Hotelling's
    test by scipy's F of a whole matrix, and the interval by looking for the directions across which
    the mean point's t is that of 95 %."""
    from pycircstat2.descriptive import circ_mean_and_r_of_means

    random = np.random.default_rng(83)
    cases = []
    for n, centre, spread in ((10, 3.1, 0.2), (12, -3.0, 0.5), (25, 0.4, 0.3), (40, 1.6, 1.0), (6, 2.0, 0.4)):
        lengths = random.uniform(0.3, 0.95, n)
        angles = np.angle(np.exp(1j * (centre + spread * random.standard_normal(n))))
        points = np.column_stack([lengths * np.cos(angles), lengths * np.sin(angles)])
        middle, covariance = points.mean(axis=0), np.cov(points.T) / n
        direction, resultant = circ_mean_and_r_of_means(ms=angles, rs=lengths)
        direction = float(np.angle(np.exp(1j * direction)))
        f = (n - 2) / (2 * (n - 1)) * float(middle @ np.linalg.solve(covariance, middle))
        limit = stats.t.ppf(0.975, n - 1)

        def across(angle):
            normal = np.array([-np.sin(angle), np.cos(angle)])
            return abs(normal @ middle) / np.sqrt(normal @ covariance @ normal) - limit

        ends = [direction + side * optimize.brentq(lambda off, side=side: across(direction + side * off), 0, np.pi / 2)
                for side in (-1, 1)]
        cases.append({"resultants": lengths.tolist(), "directions": angles.tolist(), "direction": direction,
                      "resultant": float(resultant), "f": f, "p": float(stats.f.sf(f, 2, n - 2)), "bounds": ends})
    return cases


def scaled_means():
    """Means of values with Student's interval on another scale, by the delta method, with scipy's t."""
    random = np.random.default_rng(89)
    log, logit, z = (np.log, np.exp), (special.logit, special.expit), (np.arctanh, np.tanh)
    slopes = {"positive": lambda m: 1 / m, "share": lambda m: 1 / (m * (1 - m)), "correlation": lambda m: 1 / (1 - m * m)}
    values = {"positive": np.exp(random.normal(3, 0.4, 12)), "share": random.beta(18, 1, 15),
              "correlation": np.tanh(random.normal(0.8, 0.5, 10))}
    cases = []
    for (name, (there, back)) in {"positive": log, "share": logit, "correlation": z}.items():
        x = values[name]
        m, error = x.mean(), stats.sem(x)
        reach = stats.t.ppf(0.975, len(x) - 1) * error * slopes[name](m)
        cases.append({"scale": name, "values": x.tolist(), "mean": float(m),
                      "bounds": [float(back(there(m) - reach)), float(back(there(m) + reach))]})
    return cases


def first_onset():
    """Matching by the first tap within 0.4 of the local interval, in plain words; and the beats whose
    windows are over before the first tap, which were listened to."""
    cases = []
    for case in closest_first():
        beats, taps = case["beats_ms"], case["taps_ms"]
        for start in (0, len(taps) // 3):
            later = taps[start:]
            pairs, listened = [], []
            for k, beat in enumerate(beats):
                early = 0.4 * (beat - beats[k - 1] if k > 0 else beats[1] - beats[0])
                late = 0.4 * (beats[k + 1] - beat if k + 1 < len(beats) else beat - beats[k - 1])
                within = [t for t, tap in enumerate(later) if -early <= tap - beat <= late]
                if within:
                    pairs.append([k, within[0]])
                elif later and beat + late < later[0]:
                    listened.append(k)
            cases.append({"beats_ms": beats, "taps_ms": later, "pairs": pairs, "listened": listened})
    return cases


def metres():
    """Directions of taps on the circle of their level, by numpy's interpolation of positions."""
    random = np.random.default_rng(71)
    cases = []
    for taps_in, beats_in, against in ((1, 1, 0.0), (2, 1, 0.0), (1, 2, 0.0), (1, 1, 0.5), (2, 3, 0.0)):
        beats = np.cumsum(np.concatenate([[0], 600 + 20 * np.sin(np.arange(47))]))
        positions = np.arange(1, 46, beats_in / taps_in) + against
        taps = np.interp(positions, np.arange(48), beats) + random.normal(0, 12, len(positions))
        beats_ns, taps_ns = nanoseconds(beats), nanoseconds(taps)
        places = np.interp(np.array(taps_ns), np.array(beats_ns), np.arange(48.0))
        vector = np.exp(2j * np.pi * places * taps_in).mean()
        cases.append({"beats": beats_ns, "taps": taps_ns, "level": [taps_in, beats_in],
                      "resultant": float(np.abs(vector)), "direction": float(np.angle(vector))})
    return cases


def main(path):
    packages = ("numpy", "scipy", "statsmodels", "astropy", "pingouin", "pycircstat2")
    rows = []
    for name, ns in series().items():
        intervals, described = intervals_of(ns)
        rows.append({"name": name, "ns": ns, "asynchrony": asynchrony_of(ns), "intervals_ns": intervals,
                     "intervals": described, "autocorrelation": autocorrelation_of(ns)})
    golden = {
        "made_with": {p: version(p) for p in packages} | {"python": sys.version.split()[0]},
        "series": rows, "circular": circular_cases(), "mixtures": mixtures(), "matchings": matchings(),
        "correction": [gls(a, n, s) for a, n, s in ((0.3, 30, 1), (0.5, 60, 2), (0.9, 120, 3), (0.1, 500, 4))],
        "fluctuations": fluctuations(), "pairs": pairs(), "tracking": tracking(), "means": means(),
        "gains": gains(), "distributions": distributions(),
        "adam": [adam((0.4, 0.1, 0.3, 0.7), 6, 60, 5), adam((0.2, 0.05, 0.5, 0.3), 8, 40, 6)],
        "ensembles": ensembles(), "proportions": proportions(),
        "wing_kristofferson": wing_kristofferson(),
        "periods": [periods(0.3, 0.1, 5, 60, 8), periods(0.7, 0.3, 8, 45, 9)],
        "relaxations": relaxations(), "reproductions": reproductions(),
        "closest_first": closest_first(), "first_onset": first_onset(), "second_orders": second_orders(),
        "scaled_means": scaled_means(), "metres": metres(),
    }
    Path(path).write_text(json.dumps(golden, indent=None, separators=(",", ":")).replace('},{', '},\n{') + "\n")


if __name__ == "__main__":
    main(Path(__file__).with_name("golden.json"))
