//! [`pooled`]: phase correction of one person over several trials, each with a mean asynchrony
//! and a line of its own, about which it drifts.
//!
//! Background: the mean asynchrony differs between trials by 5 to 20 ms. A mean taken over all
//! trials leaves that difference in the asynchronies, where it looks like somebody who hardly
//! corrects: α of .5 becomes .39, .21 and .09 at an SD between trials of 5, 10 and 20 ms. A mean
//! taken off each trial beforehand drives α up instead, by 0.14 at 30 taps (docs/statistics.md).
//!
//! Nor does the mean hold still within a trial: it drifts in seconds. Drifting asynchronies look like
//! those of somebody who hardly corrects, too: with a drift of 15 ms and 5 s, .42 came as .29, and the
//! interval held it in 40 % at ten trials of 80 taps.
//!
//! Solution: the restricted likelihood (Patterson & Thompson 1971, Biometrika 58, 545-554), in
//! which the line μ = a + b k of each trial is unknown and integrated out, and beside it a drift D is a
//! part of the model. In that of [`super`], with pacing S, its intervals s and their median s̃, the
//! asynchronies y = A − μ are those of a state that the Kalman filter follows (Harvey 1989, 3.2):
//!
//! ```text
//! y[k]   = x[k] + M[k]                                       M: motor delays, variance −ρ
//! t[k+1] = q t[k] − β (y[k] − D[k]) + C[k]                   the period, less the pacing's
//! x[k+1] = x[k] + t[k+1] − α (y[k] − D[k]) − (s[k] − s̃) + T[k]    T: timekeeper, variance 1 + 2ρ
//! D[k+1] = p D[k] + δ √(1 − p²) z[k]                         p = 6 s / (6 s + s̃), z standard normal
//! L(α, ρ, δ, β) = −½ (N − 2m) ln RSS − ½ Σ ln |V| − ½ Σ ln |X'V⁻¹X|
//! ```
//!
//! all in units of g0, with ρ = g1/g0, V the covariances of the N asynchronies of m trials, X what a and b
//! are multiplied by, and RSS the generalized sum of squares. Each point is weighted by exp L and by what
//! is thought beforehand: (α (2 − α))^−½ over 0 < α < 2 (Berger & Yang 1994's reference, as φ = 1 − α);
//! ρ flat where sT ≥ sM ≥ 0, which is −1/3 ≤ ρ ≤ 0, and falling to nothing at −4/9, which is sM = 2 sT;
//! ln δ normal about ln 0.28 with an SD of 1, which is how much people of published data drift, and how
//! differently (docs/participants.md). Nobody can tell under an even pacing whether
//! somebody corrects the period, too. So all is done without (β = 0), with 0.03, which is that of the data, and with
//! 0.06; the estimate is the median of the first, and its ends are the outer ones of
//! the 2.5 % points of all three. So are
//! those of the SDs of timekeeper and motor delays, with g0 as RSS over χ² of N − 2m.
//!
//! A timekeeper with a long memory (1/f) in a single trial looks like a drift, or like somebody who hardly corrects: α of
//! 120 taps was held in 51 %. For one trial the β of 0 is therefore looked at with two timekeepers: one whose
//! intervals are independent (q = 1, C = 0), and one about like fractional Gaussian noise, of which a part C lasts
//! (q = 0.85). Which of them it is, weighs the likelihood.
//!
//! Assumes that an unbroken run begins after many taps to the same pacing. Limits: docs/statistics.md
//! says how often the intervals hold the truth, of simulated tappers and of the populations that studies are
//! rehearsed with; below [`FEWEST_TAPS`] taps there is no estimate. Without phase correction (α = 0) there is no
//! steady state, so α is found above 0: whether there is any is another question ([`super::coupling`]).

mod filter;

use super::TapRun;
use crate::estimate::Estimate;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use filter::{Asynchronies, Memory, Trials, Values};
use serde::Serialize;

/// What several trials say together. Intervals are for 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pooled {
    /// Phase correction.
    pub alpha: Estimate,
    /// SD of the timekeeper, in ms.
    pub timekeeper: Estimate,
    /// SD of the motor delays, in ms.
    pub motor: Estimate,
    /// Taps that were fitted.
    pub taps: usize,
    pub trials: usize,
}

/// Fewest taps in all that are fitted.
pub const FEWEST_TAPS: usize = 60;

/// From so many taps on one trial says as much as several.
const LONG: usize = 150;

/// What a trial needs so that a line leaves anything of it.
const FEWEST_OF_TRIAL: usize = 5;

/// Which values are looked at.
struct Looks {
    /// So many α and ρ together to find where there is weight, and then so many there.
    first: (usize, usize),
    then: (usize, usize),
    /// How often the first are put closer, at most.
    closer: usize,
    /// Period correction: nobody's, which the estimate is of, and what others may have.
    betas: &'static [f64],
    /// The SD of the drift in SDs of g0, and what is thought of each: a normal distribution of its logarithm in
    /// so many parts.
    drifts: &'static [(f64, f64)],
    /// Those of them that are enough to find where there is weight.
    few: &'static [(f64, f64)],
    /// Memories that the timekeeper may have where nobody corrects the period, and what is thought of each.
    memories: &'static [(Memory, f64)],
}

/// Each interval is independent of the last.
const NONE: Memory = Memory { own: 1.0, lasting: 0.0, left: 1.0 };
/// About fractional Gaussian noise with an exponent of 0.9, within 120 intervals.
const LONG_MEMORY: Memory = Memory { own: 0.32, lasting: 0.38, left: 0.85 };

/// Of a person's trials: period correction as in published data, and twice as much.
const OF_TRIALS: Looks = Looks {
    first: (16, 4),
    then: (16, 5),
    closer: 6,
    betas: &[0.0, 0.03, 0.06],
    drifts: &[
        (0.042, 0.06),
        (0.093, 0.2),
        (0.197, 0.24),
        (0.397, 0.24),
        (0.841, 0.2),
        (1.872, 0.06),
    ],
    few: &[(0.093, 0.2), (0.397, 0.24), (0.841, 0.2)],
    memories: &[(NONE, 1.0)],
};
/// Of one long trial: its timekeeper may have a memory.
const OF_LONG: Looks = Looks { memories: OF_ONE.memories, ..OF_TRIALS };
/// Of one trial, of which there are many and none says much: a tenth of the work.
const OF_ONE: Looks = Looks {
    first: (12, 3),
    then: (10, 4),
    closer: 2,
    betas: &[0.0, 0.06],
    drifts: &[(0.093, 0.26), (0.28, 0.48), (0.841, 0.26)],
    few: &[(0.28, 1.0)],
    memories: &[(NONE, 0.4), (LONG_MEMORY, 0.6)],
};
/// ρ below this falls to nothing at the least.
const RATIO_EDGE: f64 = -1.0 / 3.0;
const LEAST_RATIO: f64 = -4.0 / 9.0;
/// What is less likely than e to the minus this, beside the likeliest, is nothing.
const NOTHING: f64 = 10.0;
/// So many values of α that are worth something are enough.
const ENOUGH: usize = 6;

/// Phase correction of trials, each with its unbroken runs of taps to one partner.
///
/// # Errors
/// [`NoEstimate`].
pub fn pooled(trials: &[impl AsRef<[TapRun]>]) -> Result<Pooled, NoEstimate> {
    looked(trials, FEWEST_TAPS, &OF_TRIALS)
}

/// The same of one trial, coarser, from [`super::FEWEST`] intervals on: for the intervals of its estimates.
pub(super) fn of_one(runs: &[TapRun]) -> Result<Pooled, NoEstimate> {
    let taps: usize = runs.iter().map(|run| run.taps.len()).sum();
    let looks = if taps < LONG { &OF_ONE } else { &OF_LONG };
    looked(&[runs], super::FEWEST + 1, looks)
}

fn looked(
    trials: &[impl AsRef<[TapRun]>],
    fewest: usize,
    looks: &Looks,
) -> Result<Pooled, NoEstimate> {
    let mut all = Vec::new();
    for trial in trials {
        let runs = trial.as_ref();
        let zero = runs.iter().find_map(|run| run.taps.first()).copied().unwrap_or_default();
        let tapped = runs.iter().filter(|run| !run.taps.is_empty());
        let mut runs: Vec<Asynchronies> =
            tapped.map(|run| Asynchronies::of(run, zero)).collect::<Result<_, _>>()?;
        from_the_first(&mut runs);
        let taps: usize = runs.iter().map(|run| run.values.len()).sum();
        all.extend((taps >= FEWEST_OF_TRIAL).then_some(runs));
    }
    let taps = all.iter().flatten().map(|run| run.values.len()).sum();
    NoEstimate::unless("taps", taps, fewest)?;
    let points = Points::of(&Trials::of(all), taps, looks)?;
    Ok(Pooled {
        alpha: points.estimate(|point| (point.of.alpha, 0.0)),
        timekeeper: points.estimate(|point| point.sd(1.0 + 2.0 * point.of.ratio)),
        motor: points.estimate(|point| point.sd(-point.of.ratio)),
        taps,
        trials: points.trials,
    })
}

/// Takes a trial's first asynchrony off all of them. The mean is unknown anyway, and what would be
/// left of a constant one by rounding could be taken for a tapper's noise.
fn from_the_first(runs: &mut [Asynchronies]) {
    let first = runs.first().map_or(0.0, |run| run.values[0]);
    for run in runs {
        run.values.iter_mut().for_each(|value| *value -= first);
    }
}

/// Values that may be.
#[derive(Clone, Copy)]
struct Point {
    of: Values,
    /// L and what is thought beforehand, then the weight.
    weight: f64,
    /// g0 as RSS over its degrees of freedom, and these.
    variance: f64,
    freedom: f64,
}

impl Point {
    /// The SD of such a share of g0, and its relative error, which is that of g0.
    fn sd(&self, share: f64) -> (f64, f64) {
        ((share * self.variance).max(0.0).sqrt(), (0.5 / self.freedom).sqrt())
    }
}

/// What is thought of an α and a ρ beforehand, as a logarithm.
fn beforehand(alpha: f64, ratio: f64) -> f64 {
    let falling = ((ratio - LEAST_RATIO) / (RATIO_EDGE - LEAST_RATIO)).min(1.0);
    libm::log(falling) - 0.5 * libm::log(alpha * (2.0 - alpha))
}

/// All that may be, with their weights, for each β.
struct Points {
    of_betas: Vec<Vec<Point>>,
    trials: usize,
}

/// What is looked at, and in which trials.
struct Look<'a> {
    trials: &'a Trials,
    looks: &'a Looks,
    freedom: f64,
}

impl Look<'_> {
    /// The points in the cells of both ranges that are worth something.
    fn points(
        &self,
        (alphas, ratios): ((f64, f64), (f64, f64)),
        cells: (usize, usize),
        drifts: &[(f64, f64)],
        beta: f64,
    ) -> Result<Vec<Point>, NoEstimate> {
        let memories = if beta == 0.0 { self.looks.memories } else { &[(NONE, 1.0)] };
        let (mut values, mut thought) = (Vec::new(), Vec::new());
        for (alpha, ratio) in grid(alphas, ratios, cells) {
            for (drift, likely) in drifts {
                for (memory, more) in memories {
                    values.push(Values { alpha, ratio, drift: *drift, beta, memory: *memory });
                    thought.push(likely * more);
                }
            }
        }
        let fits = self.trials.fits(&values).into_iter().zip(&values).zip(thought);
        weighed(fits.map(|((fit, of), thought)| self.point(fit, of, thought)).collect())
    }

    fn point(&self, (rss, rest): (f64, f64), of: &Values, thought: f64) -> Point {
        let freedom = self.freedom;
        let known = libm::log(thought) + beforehand(of.alpha, of.ratio);
        let weight = rest - 0.5 * freedom * libm::log(rss) + known;
        Point { of: *of, weight, variance: rss / freedom, freedom }
    }
}

impl Points {
    /// Looks at the whole range first and then closer and closer at what is worth something.
    fn of(trials: &Trials, taps: usize, looks: &Looks) -> Result<Points, NoEstimate> {
        let look = Look { trials, looks, freedom: (taps - 2 * trials.all.len()) as f64 };
        let (mut alphas, mut ratios) = ((0.0, 2.0), (LEAST_RATIO, 0.0));
        for _ in 0..looks.closer {
            let points = look.points((alphas, ratios), looks.first, looks.few, 0.0)?;
            let of_alpha = points.len();
            alphas = around(&points, |point| point.of.alpha, alphas, looks.first.0);
            ratios = around(&points, |point| point.of.ratio, ratios, looks.first.1);
            if of_alpha >= ENOUGH * looks.first.1 * looks.memories.len() {
                break;
            }
        }
        let of_beta = |beta: &f64| look.points((alphas, ratios), looks.then, looks.drifts, *beta);
        let of_betas = looks.betas.iter().map(of_beta).collect::<Result<_, _>>()?;
        Ok(Points { of_betas, trials: trials.all.len() })
    }

    /// The median without period correction, and the outer ones of all 2.5 % points.
    fn estimate(&self, of: impl Fn(&Point) -> (f64, f64)) -> Estimate {
        let all: Vec<Estimate> = self.of_betas.iter().map(|points| estimate(points, &of)).collect();
        let greatest = |of: fn(&Estimate) -> f64| all.iter().map(of).fold(f64::MIN, f64::max);
        Estimate {
            value: all[0].value,
            standard_error: greatest(|one| one.standard_error),
            low: -greatest(|one| -one.low),
            high: greatest(|one| one.high),
        }
    }
}

/// Those that are worth something, with weights in place of their logarithms.
fn weighed(mut points: Vec<Point>) -> Result<Vec<Point>, NoEstimate> {
    let most = points.iter().map(|point| point.weight).fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return Err(NoEstimate::NothingVaries("asynchronies"));
    }
    points.retain(|point| point.weight > most - NOTHING);
    points.iter_mut().for_each(|point| point.weight = libm::exp(point.weight - most));
    Ok(points)
}

/// The median and the 2.5 % points of what each point says, with a relative error of its own.
fn estimate(points: &[Point], of: impl Fn(&Point) -> (f64, f64)) -> Estimate {
    // A value with an error stands for three: a normal distribution's at 3 points (Gauss and Hermite).
    let spread = |point: &Point| {
        let (value, error) = of(point);
        let reach = error * 3.0_f64.sqrt();
        [(-reach, 1.0 / 6.0), (0.0, 2.0 / 3.0), (reach, 1.0 / 6.0)]
            .map(|(by, share)| (value * libm::exp(by), point.weight * share))
    };
    let mut values: Vec<(f64, f64)> = points.iter().flat_map(spread).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mean = values.iter().map(|(value, weight)| value * weight).sum::<f64>() / all;
    let squares: f64 = values.iter().map(|(value, weight)| square(value - mean) * weight).sum();
    let at = |share: f64| quantile(&values, share * all);
    Estimate {
        value: at(0.5),
        standard_error: (squares / all).sqrt(),
        low: at(0.025),
        high: at(0.975),
    }
}

/// The middles of so many equal cells of both ranges.
fn grid(
    alphas: (f64, f64),
    ratios: (f64, f64),
    (rows, columns): (usize, usize),
) -> Vec<(f64, f64)> {
    let middles = |(low, high): (f64, f64), count: usize| {
        (0..count).map(move |cell| low + (high - low) * (cell as f64 + 0.5) / count as f64)
    };
    let of_alpha = |alpha| middles(ratios, columns).map(move |ratio| (alpha, ratio));
    middles(alphas, rows).flat_map(of_alpha).collect()
}

/// The range of the cells of these points.
fn around(
    points: &[Point],
    of: impl Fn(&Point) -> f64,
    (low, high): (f64, f64),
    count: usize,
) -> (f64, f64) {
    let half = (high - low) / count as f64 / 2.0;
    let least = points.iter().map(&of).fold(f64::MAX, f64::min);
    let most = points.iter().map(&of).fold(f64::MIN, f64::max);
    ((least - half).max(low), (most + half).min(high))
}

/// The value below which so much weight lies, between the middles of neighbours.
fn quantile(values: &[(f64, f64)], wanted: f64) -> f64 {
    let mut before: Option<(f64, f64)> = None; // weight up to the middle of a value, and the value
    let mut sum = 0.0;
    for (value, weight) in values {
        let middle = sum + weight / 2.0;
        if middle >= wanted {
            let Some((last, under)) = before else { return *value };
            return under + (value - under) * (wanted - last) / (middle - last);
        }
        before = Some((middle, *value));
        sum += weight;
    }
    values.last().map_or(f64::NAN, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::filter::{BEFORE, LASTS_S};
    use super::*;
    use crate::near;
    use chronotap_core::time::Nanos;

    fn run(asynchronies: &[f64], onsets: &[f64]) -> TapRun {
        let at = |ms: f64| Nanos::round_from_f64(ms * 1e6);
        let taps = asynchronies.iter().zip(onsets).map(|(a, s)| at(a + s)).collect();
        TapRun { taps, partners: vec![onsets.iter().map(|s| at(*s)).collect()] }
    }

    /// What each noise of its own, one at a time, does to asynchronies; so that V is the sum of their products.
    fn impulses(of: &Values, left: f64, n: usize) -> Vec<Vec<f64>> {
        let Memory { own, lasting, left: lasts } = of.memory;
        let motor = (-of.ratio).sqrt();
        let [clock, lasting] = [own, lasting].map(|share| (share * (1.0 + 2.0 * of.ratio)).sqrt());
        let all = BEFORE + n;
        let one = |kind: usize, at: usize| {
            let noise = |this: usize, k: usize| f64::from(u8::from(this == kind && k == at));
            let mut drift = of.drift * noise(2, 0);
            let mut t = lasting * noise(3, 0);
            let mut x = drift + clock * noise(1, 0) + t;
            let step = |k: usize| {
                let y = x + motor * noise(0, k);
                t = lasts * t - of.beta * (y - drift);
                t += lasting * (1.0 - lasts * lasts).sqrt() * noise(3, k + 1);
                x += t - of.alpha * (y - drift) + clock * noise(1, k + 1);
                let new = of.drift * (1.0 - left * left).sqrt() * noise(2, k + 1);
                drift = left * drift + new;
                y
            };
            (0..all).map(step).skip(BEFORE).collect::<Vec<f64>>()
        };
        (0..4)
            .flat_map(|kind| (0..all).map(move |at| (kind, at)))
            .map(|(k, at)| one(k, at))
            .collect()
    }

    /// L by the whole matrices: V from what each noise does, its inverse and determinants by elimination.
    fn dense(values: &[f64], first: f64, of: &Values, left: f64) -> (f64, f64) {
        let n = values.len();
        let impulses = impulses(of, left, n);
        let covariance = |i: usize, j: usize| impulses.iter().map(|of| of[i] * of[j]).sum::<f64>();
        let numbers = (0..n).map(|k| first + k as f64).collect();
        let columns = [values.to_vec(), vec![1.0; n], numbers];
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let matrix = (0..n).map(|j| covariance(i, j));
                matrix.chain(columns.iter().map(|column| column[i])).collect()
            })
            .collect();
        let mut logarithm = 0.0;
        for i in 0..n {
            let pivot = rows[i][i];
            logarithm += pivot.ln();
            let top = rows[i].clone();
            for row in rows.iter_mut().skip(i + 1) {
                let factor = row[i] / pivot;
                row.iter_mut().zip(&top).for_each(|(x, p)| *x -= factor * p);
            }
        }
        // After elimination: products of columns in V⁻¹ are Σ of eliminated entries over pivots.
        let product = |a: usize, b: usize| {
            (0..n).map(|i| rows[i][n + a] * rows[i][n + b] / rows[i][i]).sum::<f64>()
        };
        let determinant = product(1, 1) * product(2, 2) - product(1, 2).powi(2);
        let explained = product(2, 2) * product(0, 1).powi(2)
            - 2.0 * product(1, 2) * product(0, 1) * product(0, 2)
            + product(1, 1) * product(0, 2).powi(2);
        let rss = product(0, 0) - explained / determinant;
        (rss, -0.5 * logarithm - 0.5 * determinant.ln())
    }

    #[test]
    fn the_recursion_gives_the_likelihood_of_the_whole_matrices() {
        let values = [-30.0, -12.0, -41.0, 3.0, -25.0, -33.0, -8.0];
        let onsets: Vec<f64> = (3..10).map(|k| f64::from(k) * 500.0).collect();
        let trial = vec![Asynchronies::of(&run(&values, &onsets), Nanos::ZERO).unwrap()];
        let trials = Trials::of(vec![trial]);
        let cases = [(0.3, 0.0, 0.2, 0.0), (0.9, -0.2, 1.0, 0.03), (1.6, -0.4, 0.05, 0.1)];
        let memories = [NONE, LONG_MEMORY];
        let both = cases.iter().flat_map(|of| memories.map(|memory| (of, memory)));
        for (&(alpha, ratio, drift, beta), memory) in both {
            let of = Values { alpha, ratio, drift, beta, memory };
            let (found, expected) =
                (trials.fits(&[of])[0], dense(&values, 3.0, &of, LASTS_S / (LASTS_S + 0.5)));
            near(found.0, expected.0, 1e-9 * expected.0);
            near(found.1, expected.1, 1e-9);
        }
    }

    #[test]
    fn another_mean_and_drift_of_each_trial_change_nothing() {
        let noise = [3.0, -9.0, 14.0, -2.0, 8.0, -17.0, 5.0, 1.0, -6.0, 11.0, -4.0, 9.0];
        let onsets: Vec<f64> = (0..48).map(|k| f64::from(k) * 500.0).collect();
        let trial = |mean: f64, drift: f64, from: usize| {
            let value = |k: usize| mean + drift * k as f64 + noise[(k * 7 + from) % 12];
            vec![run(&(0..48).map(value).collect::<Vec<_>>(), &onsets)]
        };
        let of = |means: [f64; 3], drift: f64| {
            let trials: Vec<_> = (0..3).map(|k| trial(means[k], drift, 5 * k)).collect();
            pooled(&trials).unwrap().alpha
        };
        let (same, other) = (of([0.0; 3], 0.0), of([-80.0, 10.0, -25.0], 0.7));
        near(same.value, other.value, 1e-5);
        near(same.low, other.low, 1e-5);
    }

    #[test]
    fn too_few_taps_and_several_partners_are_refused() {
        let onsets: Vec<f64> = (0..59).map(|k| f64::from(k) * 500.0).collect();
        let mut short = run(&vec![1.0; 59], &onsets);
        let refused = pooled(&[vec![short.clone()]]).unwrap_err();
        assert_eq!(refused, NoEstimate::TooFew { what: "taps", needed: 60, found: 59 });
        short.partners.push(short.partners[0].clone());
        assert!(matches!(pooled(&[vec![short]]), Err(NoEstimate::Unequal { .. })));
    }

    #[test]
    fn a_tapper_without_any_noise_has_no_estimate() {
        let onsets: Vec<f64> = (0..80).map(|k| f64::from(k) * 500.0).collect();
        for early in [0.0, -30.0, -30.123457] {
            let refused = pooled(&[vec![run(&vec![early; 80], &onsets), TapRun::default()]]);
            assert!(matches!(refused, Err(NoEstimate::NothingVaries(_))), "{early} {refused:?}");
        }
    }
}
