//! [`coupling`]: by how much somebody whom nothing paces corrects towards another's taps, where it may well be not at
//! all.
//!
//! Background: [`super::pooled`] takes asynchronies as steady about a mean. Of two people who do not listen to each
//! other they are not: each goes on in a tempo of his own, and they drift apart. Taken as steady, they tell of
//! some correction in every pair. And a tempo wanders while nothing paces, which in bGLS looks like less
//! correction: .3 as .18.
//!
//! Solution: intervals between taps R as they are, with the distance A from the other's taps as what acts on them:
//!
//! ```text
//! R[k] = x[k] + M[k]                           M: motor delays, variance −ρ
//! x[k+1] = x[k] + t[k] − α A[k] + T[k]         T: timekeeper, variance 1 + 2ρ
//! t[k+1] = t[k] + ω z[k]                       the tempo wanders
//! ```
//!
//! in units of g0. The first x and t of each run are unknown, and α acts by the sum of A: for given ρ and ω
//! all three are
//! generalized least squares by the innovations of a Kalman filter (Harvey 1989), at α = 0 as anywhere else.
//! Over a grid of ρ and ω
//! each is weighted by its restricted likelihood; ρ as in [`super::pooled`], ω over what people do alone
//! (docs/participants.md). The error of the estimate counts that spread.
//!
//! A is what the same person's noise has led to, so that α comes out too high in short runs, as autoregressions do
//! (Nickell 1981): by 0.06 in one of 30 taps. So much is taken off as the same estimate is off in
//! [`SIMULATED`] simulated runs against the same taps of the other (parametric bootstrap, seeded), with α as
//! it was found.
//!
//! Assumes unbroken runs, each tap with the closest of the other. Limits: docs/statistics.md says how often
//! the interval held the
//! truth; below [`super::FEWEST`] intervals there is no estimate.

use super::{FEWEST, TapRun};
use crate::estimate::Estimate;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;

/// Simulations by which the bias is found.
pub const SIMULATED: usize = 60;
/// Taps of a run, at least: both unknowns leave something of it.
const FEWEST_TAPS: usize = 4;
/// Values of ρ, down to where the motor delays' SD is twice the timekeeper's; below −1/3 they are thought less of.
const RATIOS: usize = 9;
const LEAST_RATIO: f64 = -4.0 / 9.0;
const RATIO_EDGE: f64 = -1.0 / 3.0;
/// Values of ω, and what is thought of each.
const WANDERS: [(f64, f64); 6] =
    [(0.0, 0.1), (0.06, 0.2), (0.12, 0.2), (0.25, 0.2), (0.5, 0.2), (1.0, 0.1)];

/// The share of the distance from the other's taps that is corrected at the next tap, from trials, each with its
/// unbroken runs. Runs of fewer than four taps are passed over.
///
/// # Errors
/// [`NoEstimate`] with too few intervals, and where nothing varies.
pub fn coupling(trials: &[impl AsRef<[TapRun]>]) -> Result<Estimate, NoEstimate> {
    let runs = trials.iter().flat_map(|trial| trial.as_ref());
    let runs = runs.filter(|run| run.taps.len() >= FEWEST_TAPS);
    let pairs: Vec<Pair> = runs.map(Pair::of).collect::<Result<_, _>>()?;
    let taps: usize = pairs.iter().map(|pair| pair.own.len()).sum();
    NoEstimate::unless("intervals between taps", taps.saturating_sub(pairs.len()), FEWEST)?;
    let freedom = taps as f64 - 2.0 * pairs.len() as f64 - 1.0;
    NoEstimate::unless("taps", freedom.max(0.0) as usize, FEWEST_TAPS)?;
    let longest = pairs.iter().map(|pair| pair.own.len()).max().unwrap_or(0);
    let filters: Vec<Filter> = noises().map(|noise| Filter::of(noise, longest)).collect();
    let fits: Vec<Fit> = filters.iter().map(|filter| filter.fit(&pairs, freedom)).collect();
    let weights = weights(&fits)?;
    let (mean, variance) = mixed(&fits, &weights, freedom);
    let bias = bias(&pairs, &filters, (&fits, &weights), mean);
    Ok(Estimate::student(mean - bias, variance.sqrt(), freedom))
}

/// A run: own taps and those of the other from the first own one, in ms.
struct Pair {
    own: Vec<f64>,
    other: Vec<f64>,
}

impl Pair {
    fn of(run: &TapRun) -> Result<Pair, NoEstimate> {
        NoEstimate::unless_equal("partners", run.partners.len(), 1)?;
        NoEstimate::unless_equal("onsets of a partner", run.partners[0].len(), run.taps.len())?;
        let from = run.taps.first().copied().unwrap_or_default();
        let ms = |onsets: &[Nanos]| onsets.iter().map(|at| (*at - from).as_millis_f64()).collect();
        Ok(Pair { own: ms(&run.taps), other: ms(&run.partners[0]) })
    }

    /// What one unit of α has done to each tap.
    fn corrected(&self) -> impl Iterator<Item = f64> {
        self.own.iter().zip(&self.other).scan(0.0, |sum, (own, other)| {
            let before = *sum;
            *sum -= own - other;
            Some(before)
        })
    }

    /// Taps of the same person against the same taps of the other, at the mean tempo of the run.
    fn simulated(&self, alpha: f64, noise: &Noise, g0: f64, random: &mut Random) -> Pair {
        let count = self.own.len();
        let last = self.own[count - 1];
        let corrected = self.corrected().last().unwrap_or(0.0);
        let (mut x, mut period) = (0.0, (last - alpha * corrected) / (count - 1) as f64);
        let sd = g0.sqrt();
        let own = self.other.iter().map(|other| {
            let tap = x + noise.motor().sqrt() * sd * random.normal();
            x += period - alpha * (tap - other) + noise.clock().sqrt() * sd * random.normal();
            period += noise.wanders * sd * random.normal();
            tap
        });
        Pair { own: own.collect(), other: self.other.clone() }
    }
}

/// ρ, ω, and the logarithm of what is thought of them.
#[derive(Clone, Copy)]
struct Noise {
    ratio: f64,
    wanders: f64,
    thought: f64,
}

impl Noise {
    fn motor(&self) -> f64 {
        -self.ratio
    }

    fn clock(&self) -> f64 {
        1.0 + 2.0 * self.ratio
    }
}

fn noises() -> impl Iterator<Item = Noise> {
    (0..RATIOS).flat_map(|cell| {
        let ratio = LEAST_RATIO * (cell as f64 + 0.5) / RATIOS as f64;
        let falling = ((ratio - LEAST_RATIO) / (RATIO_EDGE - LEAST_RATIO)).min(1.0);
        let of = move |(wanders, thought): (f64, f64)| {
            let thought = libm::log(thought) + libm::log(falling);
            Noise { ratio, wanders, thought }
        };
        WANDERS.into_iter().map(of)
    })
}

/// The Kalman filter of x and t for one noise.
struct Filter {
    noise: Noise,
    /// By how much x and t follow an innovation, and one over its SD.
    gains: Vec<([f64; 2], f64)>,
    /// Innovations of what the first x and the first t do.
    places: Vec<f64>,
    numbers: Vec<f64>,
}

/// What the least squares of one noise come to.
#[derive(Clone, Copy)]
struct Fit {
    alpha: f64,
    /// The variance of `alpha`, and g0.
    variance: f64,
    g0: f64,
    /// The restricted likelihood, with what is thought beforehand.
    likelihood: f64,
}

impl Filter {
    fn of(noise: Noise, longest: usize) -> Filter {
        let mut filter = Filter {
            noise,
            gains: gains(&noise, longest),
            places: Vec::new(),
            numbers: Vec::new(),
        };
        filter.places = filter.innovations((0..longest).map(|_| 1.0));
        filter.numbers = filter.innovations((0..longest).map(|k| k as f64));
        filter
    }

    fn innovations(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let (mut x, mut t) = (0.0, 0.0);
        let of = |(value, ([of_x, of_t], inverse)): (f64, &([f64; 2], f64))| {
            let innovation = value - x;
            t += of_t * innovation;
            // The period after the tap, and where the next one is expected.
            x += of_x * innovation + t;
            innovation * inverse
        };
        values.zip(&self.gains).map(of).collect()
    }

    fn fit(&self, pairs: &[Pair], freedom: f64) -> Fit {
        let (mut squares, mut products, mut taps, mut logarithm) = (0.0, 0.0, 0.0, 0.0);
        for pair in pairs {
            let count = pair.own.len();
            let own = self.innovations(pair.own.iter().copied());
            let column = self.innovations(pair.corrected());
            let rest = Rest::of(&self.places[..count], &self.numbers[..count]);
            squares += rest.product(&column, &column);
            products += rest.product(&column, &own);
            taps += rest.product(&own, &own);
            logarithm -= 0.5 * libm::log(rest.determinant);
            logarithm +=
                self.gains[..count].iter().map(|(_, inverse)| libm::log(*inverse)).sum::<f64>();
        }
        let rss = taps - square(products) / squares;
        let g0 = rss / freedom;
        let likelihood = logarithm - 0.5 * libm::log(squares) - 0.5 * freedom * libm::log(rss);
        Fit {
            alpha: products / squares,
            variance: g0 / squares,
            g0,
            likelihood: likelihood + self.noise.thought,
        }
    }
}

/// Gains where nothing is known of the first x and t but what their columns say.
fn gains(noise: &Noise, longest: usize) -> Vec<([f64; 2], f64)> {
    let (motor, clock, wanders) = (noise.motor(), noise.clock(), square(noise.wanders));
    let (mut xx, mut xt, mut tt) = (0.0, 0.0, 0.0);
    let next = |_| {
        let variance = xx + motor;
        let gain = [xx / variance, xt / variance];
        let (x, both, t) = (xx - gain[0] * xx, xt - gain[0] * xt, tt - gain[1] * xt);
        (xx, xt, tt) = (x + 2.0 * both + t + clock, both + t, t + wanders);
        (gain, 1.0 / variance.sqrt())
    };
    (0..longest).map(next).collect()
}

/// What columns leave of others.
struct Rest<'a> {
    columns: [&'a [f64]; 2],
    /// Their products.
    aa: f64,
    ab: f64,
    bb: f64,
    determinant: f64,
}

impl<'a> Rest<'a> {
    fn of(a: &'a [f64], b: &'a [f64]) -> Rest<'a> {
        let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
        Rest { columns: [a, b], aa, ab, bb, determinant: aa * bb - ab * ab }
    }

    /// The product of what is left of both.
    fn product(&self, one: &[f64], other: &[f64]) -> f64 {
        let [a, b] = self.columns;
        let (one_a, one_b, other_a, other_b) =
            (dot(one, a), dot(one, b), dot(other, a), dot(other, b));
        let both = one_a * other_b + one_b * other_a;
        let explained = self.bb * one_a * other_a - self.ab * both + self.aa * one_b * other_b;
        dot(one, other) - explained / self.determinant
    }
}

/// The weights of all, which come to 1.
fn weights(fits: &[Fit]) -> Result<Vec<f64>, NoEstimate> {
    let most = fits.iter().map(|fit| fit.likelihood).fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() || fits.iter().any(|fit| !fit.alpha.is_finite()) {
        return Err(NoEstimate::NothingVaries("intervals"));
    }
    let weights: Vec<f64> = fits.iter().map(|fit| libm::exp(fit.likelihood - most)).collect();
    let all: f64 = weights.iter().sum();
    Ok(weights.into_iter().map(|weight| weight / all).collect())
}

/// The mean of α over all noises, and its variance with that between them.
fn mixed(fits: &[Fit], weights: &[f64], freedom: f64) -> (f64, f64) {
    let sum = |of: &dyn Fn(&Fit) -> f64| fits.iter().zip(weights).map(|(fit, w)| of(fit) * w).sum();
    let mean: f64 = sum(&|fit| fit.alpha);
    let wider = if freedom > 2.0 { freedom / (freedom - 2.0) } else { 1.0 };
    (mean, sum(&|fit| wider * fit.variance + square(fit.alpha - mean)))
}

/// By how much estimates are off where α is known.
fn bias(pairs: &[Pair], filters: &[Filter], of: (&[Fit], &[f64]), alpha: f64) -> f64 {
    let (fits, weights) = of;
    let mut random = Random::named(1, "coupling");
    let found = (0..SIMULATED).map(|_| {
        let mut left = random.uniform();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left <= 0.0
        });
        let place = drawn.unwrap_or(weights.len() - 1);
        let (filter, g0) = (&filters[place], fits[place].g0);
        let simulated: Vec<Pair> = pairs
            .iter()
            .map(|pair| pair.simulated(alpha, &filter.noise, g0, &mut random))
            .collect();
        filter.fit(&simulated, 1.0).alpha - alpha
    });
    found.sum::<f64>() / SIMULATED as f64
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    const NOISE: Noise = Noise { ratio: -0.2, wanders: 0.3, thought: 0.0 };

    /// Least squares with V of x, t and M from what each noise does, by whole matrices.
    #[test]
    fn the_filter_is_generalized_least_squares_by_the_whole_matrices() {
        let own = vec![0.0, 510.0, 990.0, 1_530.0, 2_010.0, 2_490.0, 3_020.0];
        let other = vec![20.0, 480.0, 1_010.0, 1_500.0, 2_040.0, 2_520.0, 2_980.0];
        let (n, pair) = (own.len(), Pair { own, other });
        let covariance = |i: usize, j: usize| {
            let (low, high) = (i.min(j), i.max(j));
            // x[i] = Σ T + Σ (i − 1 − m) wander[m]
            let wander = |m: usize| (low - 1 - m) as f64 * (high - 1 - m) as f64;
            let wanders: f64 = (0..low.saturating_sub(1)).map(wander).sum();
            let same = if i == j { NOISE.motor() } else { 0.0 };
            NOISE.clock() * low as f64 + square(NOISE.wanders) * wanders + same
        };
        let columns = [
            pair.corrected().collect::<Vec<f64>>(),
            vec![1.0; n],
            (0..n).map(|k| k as f64).collect(),
            pair.own.clone(),
        ];
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| covariance(i, j)).chain(columns.iter().map(|c| c[i])).collect())
            .collect();
        for i in 0..n {
            let top = rows[i].clone();
            for row in rows.iter_mut().skip(i + 1) {
                let factor = row[i] / top[i];
                row.iter_mut().zip(&top).for_each(|(x, p)| *x -= factor * p);
            }
        }
        let product =
            |a: usize, b: usize| (0..n).map(|i| rows[i][n + a] * rows[i][n + b] / rows[i][i]).sum();
        let of: Vec<Vec<f64>> = (0..4).map(|a| (0..4).map(|b| product(a, b)).collect()).collect();
        let determinant = of[1][1] * of[2][2] - square(of[1][2]);
        let rest = |a: usize, b: usize| {
            of[a][b]
                - (of[2][2] * of[a][1] * of[b][1]
                    - of[1][2] * (of[a][1] * of[b][2] + of[a][2] * of[b][1])
                    + of[1][1] * of[a][2] * of[b][2])
                    / determinant
        };
        let alpha = rest(0, 3) / rest(0, 0);
        let freedom = n as f64 - 3.0;
        let g0 = (rest(3, 3) - square(rest(0, 3)) / rest(0, 0)) / freedom;
        let found = Filter::of(NOISE, n).fit(&[pair], freedom);
        near(found.alpha, alpha, 1e-9);
        near(found.g0, g0, 1e-7 * g0);
        near(found.variance, g0 / rest(0, 0), 1e-9);
    }

    #[test]
    fn without_noise_nothing_varies_and_short_runs_are_refused() {
        let at = |ms: f64| Nanos::round_from_f64(ms * 1e6);
        let run = |taps: usize| {
            let onsets: Vec<Nanos> = (0..taps).map(|k| at(500.0 * k as f64)).collect();
            TapRun { taps: onsets.clone(), partners: vec![onsets] }
        };
        assert!(matches!(coupling(&[vec![run(30)]]), Err(NoEstimate::NothingVaries(_))));
        let few = coupling(&[vec![run(15), run(3)]]).unwrap_err();
        assert_eq!(
            few,
            NoEstimate::TooFew { what: "intervals between taps", needed: 15, found: 14 }
        );
    }
}
