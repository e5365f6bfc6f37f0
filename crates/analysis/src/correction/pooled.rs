//! [`pooled`]: phase correction of one person over several trials, each with a mean asynchrony
//! and a drift of its own.
//!
//! Background: the mean asynchrony differs between trials by 5 to 20 ms. A mean taken over all
//! trials leaves that difference in the asynchronies, where it looks like somebody who hardly
//! corrects: α of .5 becomes .39, .21 and .09 at an SD between trials of 5, 10 and 20 ms. A mean
//! taken off each trial beforehand drives α up instead, by 0.14 at 30 taps (docs/statistics.md).
//!
//! Solution: the restricted likelihood (Patterson & Thompson 1971, Biometrika 58, 545-554), in
//! which the line μ = a + b t of each trial is unknown and integrated out. In the model of
//! [`super`], with pacing S, its intervals s, φ = 1 − α and ρ = g1/g0, the asynchronies less what
//! shifts of the pacing did to them are a stationary ARMA(1,1) about the trial's line:
//!
//! ```text
//! W[0] = A[0] − μ[0]                                      variance (g0 + 2 φ g1)/(1 − φ²)
//! W[k] = (A[k] − μ[k]) − φ (A[k−1] − μ[k−1]) + s[k] − s̃   variance g0, with its neighbours g1
//! L(α, ρ) = −½ (N − 2m) ln RSS − ½ Σ ln |V| − ½ Σ ln |X'V⁻¹X|
//! ```
//!
//! with V the covariances of W over g0, X what a and b are multiplied by in W, RSS the generalized
//! sum of squares over all m trials of N taps, and s̃ the run's median interval. α and ρ are
//! weighted by exp L over 0 < α < 2 and, as bGLS has it, −1/3 ≤ ρ ≤ 0 (that is sT ≥ sM ≥ 0), both
//! flat. The estimate is the median of α, its ends the 2.5 % points; those of the SDs of timekeeper
//! and motor delays come from the same weights, with g0 as RSS over χ² of N − 2m.
//!
//! Assumes that a mean drifts evenly within a trial, and that an unbroken run begins in the steady
//! state. Limits: docs/statistics.md says how often the intervals hold the truth; below
//! [`FEWEST_TAPS`] taps there is no estimate. Without phase correction (α = 0) there is no steady
//! state, so α is found above 0.

use super::Run;
use crate::estimate::Estimate;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
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

/// What a trial needs so that a line leaves anything of it.
const FEWEST_OF_TRIAL: usize = 5;

/// Values of α and of ρ that are looked at together.
const ALPHAS: usize = 25;
const RATIOS: usize = 7;
/// What is less likely than e to the minus this, beside the likeliest, is nothing.
const NOTHING: f64 = 10.0;
/// How often the values are put closer, at most.
const CLOSER: usize = 6;
/// So many values of α that are worth something are enough.
const ENOUGH: usize = 12;

/// Phase correction of trials, each with its unbroken runs of taps to one partner.
///
/// # Errors
/// [`NoEstimate`].
pub fn pooled(trials: &[impl AsRef<[Run]>]) -> Result<Pooled, NoEstimate> {
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
    NoEstimate::unless("taps", taps, FEWEST_TAPS)?;
    let points = Points::of(&all, taps)?;
    Ok(Pooled {
        alpha: points.estimate(|point| (point.alpha, 0.0)),
        timekeeper: points.estimate(|point| point.sd(1.0 + 2.0 * point.ratio)),
        motor: points.estimate(|point| point.sd(-point.ratio)),
        taps,
        trials: all.len(),
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

/// Asynchronies of a run, when their beats came in the trial, and how far each interval of the
/// pacing is from their median; times in ms, those of beats in s.
struct Asynchronies {
    values: Vec<f64>,
    times: Vec<f64>,
    shifts: Vec<f64>,
}

impl Asynchronies {
    fn of(run: &Run, zero: Nanos) -> Result<Asynchronies, NoEstimate> {
        NoEstimate::unless_equal("partners", run.partners.len(), 1)?;
        let onsets = &run.partners[0];
        NoEstimate::unless_equal("onsets of a partner", onsets.len(), run.taps.len())?;
        let values = run.taps.iter().zip(onsets).map(|(tap, at)| (*tap - *at).as_millis_f64());
        let intervals: Vec<f64> =
            onsets.windows(2).map(|pair| (pair[1] - pair[0]).as_millis_f64()).collect();
        let mut sorted = intervals.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let shifts = intervals.iter().map(|interval| interval - median).collect();
        let times = onsets.iter().map(|onset| (*onset - zero).as_secs_f64()).collect();
        Ok(Asynchronies { values: values.collect(), times, shifts })
    }
}

/// The root L of V = L L' for one α and ρ, as far as the longest run needs it.
struct Whitener {
    phi: f64,
    /// One over the diagonal of L, and what stands beside it.
    inverse: Vec<f64>,
    beside: Vec<f64>,
    /// L⁻¹ of what a is multiplied by, and ln |L| up to each place.
    constant: Vec<f64>,
    logarithm: Vec<f64>,
}

/// Products of L⁻¹ W and of both columns of L⁻¹ X, over runs.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Of W with itself, with a's column and with b's.
    ww: f64,
    wa: f64,
    wb: f64,
    /// Of the columns with themselves and each other.
    aa: f64,
    ab: f64,
    bb: f64,
}

impl Whitener {
    fn of(alpha: f64, ratio: f64, longest: usize) -> Whitener {
        let phi = 1.0 - alpha;
        let room = || Vec::with_capacity(longest);
        let mut of =
            Whitener { phi, inverse: room(), beside: room(), constant: room(), logarithm: room() };
        let (mut constant, mut logarithm) = (0.0, 0.0);
        for _ in 0..longest {
            let (beside, variance, column) = match of.inverse.last() {
                None => (0.0, (1.0 + 2.0 * phi * ratio) / (1.0 - phi * phi), 1.0),
                Some(inverse) => (ratio * inverse, 1.0 - square(ratio * inverse), 1.0 - phi),
            };
            let diagonal: f64 = variance.sqrt();
            constant = (column - beside * constant) / diagonal;
            logarithm += diagonal.ln();
            of.inverse.push(1.0 / diagonal);
            of.beside.push(beside);
            of.constant.push(constant);
            of.logarithm.push(logarithm);
        }
        of
    }

    /// Adds those of a run.
    fn add(&self, run: &Asynchronies, sums: &mut Sums) {
        let (mut w, mut b) = (0.0, 0.0);
        for (place, (value, time)) in run.values.iter().zip(&run.times).enumerate() {
            let (expected, before) = match place.checked_sub(1) {
                Some(last) => {
                    (self.phi * run.values[last] - run.shifts[last], self.phi * run.times[last])
                }
                None => (0.0, 0.0),
            };
            let (beside, inverse, a) =
                (self.beside[place], self.inverse[place], self.constant[place]);
            w = (value - expected - beside * w) * inverse;
            b = (time - before - beside * b) * inverse;
            sums.ww += w * w;
            sums.wa += w * a;
            sums.wb += w * b;
            sums.aa += a * a;
            sums.ab += a * b;
            sums.bb += b * b;
        }
    }

    /// RSS of all trials, and L but for the part of RSS.
    fn fit(&self, trials: &[Vec<Asynchronies>]) -> (f64, f64) {
        let (mut rss, mut rest) = (0.0, 0.0);
        for trial in trials {
            let mut sums = Sums::default();
            for run in trial {
                self.add(run, &mut sums);
                rest -= self.logarithm[run.values.len() - 1];
            }
            let Sums { ww, wa, wb, aa, ab, bb } = sums;
            let determinant = aa * bb - ab * ab;
            rss += ww - (bb * wa * wa - 2.0 * ab * wa * wb + aa * wb * wb) / determinant;
            rest -= 0.5 * determinant.ln();
        }
        (rss, rest)
    }
}

/// An α and a ρ that may be.
#[derive(Clone, Copy)]
struct Point {
    alpha: f64,
    ratio: f64,
    /// L, then the weight.
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

/// All that may be, with their weights.
struct Points(Vec<Point>);

impl Points {
    /// Looks at the whole range first and then closer and closer at what is worth something.
    fn of(trials: &[Vec<Asynchronies>], taps: usize) -> Result<Points, NoEstimate> {
        let longest = trials.iter().flatten().map(|run| run.values.len()).max().unwrap_or(0);
        let freedom = (taps - 2 * trials.len()) as f64;
        let point = |alpha: f64, ratio: f64| {
            let (rss, rest) = Whitener::of(alpha, ratio, longest).fit(trials);
            let weight = rest - 0.5 * freedom * rss.ln();
            Point { alpha, ratio, weight, variance: rss / freedom, freedom }
        };
        let (mut alphas, mut ratios) = ((0.0, 2.0), (-1.0 / 3.0, 0.0));
        let mut points = Vec::new();
        for _ in 0..CLOSER {
            points = grid(alphas, ratios, &point);
            let most = points.iter().map(|point| point.weight).fold(f64::NEG_INFINITY, f64::max);
            if !most.is_finite() {
                return Err(NoEstimate::NothingVaries("asynchronies"));
            }
            points.retain(|point| point.weight > most - NOTHING);
            points.iter_mut().for_each(|point| point.weight = (point.weight - most).exp());
            if points.len() >= ENOUGH * RATIOS.div_ceil(2) {
                break;
            }
            alphas = around(&points, |point| point.alpha, alphas, ALPHAS);
            ratios = around(&points, |point| point.ratio, ratios, RATIOS);
        }
        Ok(Points(points))
    }

    /// The median and the 2.5 % points of what each point says, with a relative error of its own.
    fn estimate(&self, of: impl Fn(&Point) -> (f64, f64)) -> Estimate {
        // A value with an error stands for three: a normal distribution's at 3 points (Gauss and Hermite).
        let spread = |point: &Point| {
            let (value, error) = of(point);
            let reach = error * 3.0_f64.sqrt();
            [(-reach, 1.0 / 6.0), (0.0, 2.0 / 3.0), (reach, 1.0 / 6.0)]
                .map(|(by, share)| (value * (1.0 + by), point.weight * share))
        };
        let mut values: Vec<(f64, f64)> = self.0.iter().flat_map(spread).collect();
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
}

/// Points in the middle of equal cells of both ranges.
fn grid(alphas: (f64, f64), ratios: (f64, f64), point: &impl Fn(f64, f64) -> Point) -> Vec<Point> {
    let middles = |(low, high): (f64, f64), count: usize| {
        (0..count).map(move |cell| low + (high - low) * (cell as f64 + 0.5) / count as f64)
    };
    let of_alpha = |alpha| middles(ratios, RATIOS).map(move |ratio| point(alpha, ratio));
    middles(alphas, ALPHAS).flat_map(of_alpha).collect()
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
    use super::*;
    use crate::near;

    fn run(asynchronies: &[f64], onsets: &[f64]) -> Run {
        let at = |ms: f64| Nanos::round_from_f64(ms * 1e6);
        let taps = asynchronies.iter().zip(onsets).map(|(a, s)| at(a + s)).collect();
        Run { taps, partners: vec![onsets.iter().map(|s| at(*s)).collect()] }
    }

    /// L by the whole matrices: V of a stationary ARMA(1,1) from its autocovariances, its inverse
    /// and determinants by elimination.
    fn dense(values: &[f64], times: &[f64], alpha: f64, ratio: f64) -> (f64, f64) {
        let (phi, n) = (1.0 - alpha, values.len());
        let g0 = (1.0 + 2.0 * phi * ratio) / (1.0 - phi * phi);
        let g1 = phi * g0 + ratio;
        let covariance = |lag: usize| match lag {
            0 => g0,
            lag => g1 * phi.powi(lag as i32 - 1),
        };
        let columns = [values.to_vec(), vec![1.0; n], times.to_vec()];
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let matrix = (0..n).map(|j| covariance(i.abs_diff(j)));
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
        let onsets: Vec<f64> = (0..7).map(|k| f64::from(k) * 500.0).collect();
        let times: Vec<f64> = onsets.iter().map(|s| s / 1e3).collect();
        let trial = vec![Asynchronies::of(&run(&values, &onsets), Nanos::ZERO).unwrap()];
        for (alpha, ratio) in [(0.3, 0.0), (0.9, -0.2), (1.6, -0.3)] {
            let found = Whitener::of(alpha, ratio, 7).fit(std::slice::from_ref(&trial));
            let (rss, rest) = dense(&values, &times, alpha, ratio);
            near(found.0, rss, 1e-9 * rss);
            near(found.1, rest, 1e-9);
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
            let refused = pooled(&[vec![run(&vec![early; 80], &onsets), Run::default()]]);
            assert!(matches!(refused, Err(NoEstimate::NothingVaries(_))), "{early} {refused:?}");
        }
    }
}
