//! Intervals of the statistics of one run of taps, whose neighbours depend on each other: analytic,
//! so that they cost little and need no seed.
//!
//! Background: to first order an estimate is the truth plus the mean of influence values ψ\[k\],
//! one for each value of the run (Hampel 1974); of a mean they are the deviations themselves. The
//! variance of a mean of dependent values is Ω/n, where the long-run variance Ω is the sum of all
//! autocovariances. Taking them for independent makes intervals far too narrow where asynchronies
//! follow from each other, and too wide for intervals between taps, whose neighbours oppose.
//!
//! Solution: the equal-weighted cosine estimator (Müller 2007; Lazarus, Lewis, Stock & Watson
//! 2018, Journal of Business & Economic Statistics 36, 541-559),
//!
//! ```text
//! Λ[j] = √(2/n) Σ ψ[k] cos(π j (k + ½)/n)      Ω = (1/B) Σ Λ[j]²,  j = 1 … B
//! B    = 0.3 n^⅔, rounded, at least 2, at most 30
//! ```
//!
//! The slow waves Λ are nearly independent and normal with variance Ω, so that estimate / error
//! follows Student's t of B degrees of freedom. What is above 0 (SD, CV, ...) has its interval on
//! the logarithm, R on its logit, an autocorrelation on Fisher's z; a median's is found where its
//! share below is no longer ½ (Woodruff 1952). A drift is judged by waves from the second on: the
//! first one is nearly a line.
//!
//! A run that wanders as slowly as it is long shows too little of its own variance: the waves
//! alone make the intervals of asynchronies that are hardly corrected (α = 0.2), and of their
//! directions, too narrow. Those reach as far as a first-order autoregression may, too
//! (`autoregression`).
//!
//! Assumes a stationary run, taken without gaps. Limits: how often each interval holds the truth
//! is in [`coverage`]; runs of fewer than [`FEWEST`] values have none.

mod asynchronies;
pub(crate) mod autoregression;
mod correlations;
pub mod coverage;
pub(crate) mod mixture;
mod spread;
mod wandering;

use crate::estimate::Estimate;
use crate::moments::square;
use crate::student;
pub use asynchronies::{AsynchronyBounds, AsynchronySpread};
pub use correlations::{FollowingIntervals, TrackingIntervals, of_following, of_tracking};
pub use spread::SpectralSpread;
use std::f64::consts::PI;

/// Fewest values whose statistics have an interval.
pub const FEWEST: usize = 10;

/// Student's t that 97.5 % lie below, at 2 degrees of freedom and on: few runs need more.
const T: [f64; 11] = [
    4.302_652_729_911_275,
    3.182_446_305_284_263,
    2.776_445_105_198_054,
    2.570_581_835_636_314,
    2.446_911_851_144_969,
    2.364_624_251_592_784,
    2.306_004_135_204_166,
    2.262_157_162_740_992,
    2.228_138_851_964_939,
    2.200_985_160_082_949,
    2.178_812_829_663_418,
];

/// Most waves: more would hardly make an interval narrower.
const MOST: usize = 30;

/// The waves that a run of so many values is looked at with.
pub(crate) struct Waves {
    /// The first one, from which all others follow.
    first: Vec<f64>,
    count: usize,
    t: f64,
}

impl Waves {
    /// Of `n` values.
    pub fn of(n: usize) -> Waves {
        let root = libm::cbrt(n as f64);
        let count = (libm::round(0.3 * root * root) as usize).clamp(2, MOST);
        let first = |place: usize| libm::cos(PI * (place as f64 + 0.5) / n as f64);
        Waves { first: (0..n).map(first).collect(), count, t: quantile(count) }
    }

    /// Of a mean of values with these influences, for which any constant may be taken off.
    fn error(&self, influences: &[f64]) -> f64 {
        self.error_from(1, influences)
    }

    /// The same where a line has been taken off.
    fn error_beyond_line(&self, residuals: &[f64]) -> f64 {
        self.error_from(2, residuals)
    }

    fn error_from(&self, from: usize, influences: &[f64]) -> f64 {
        let n = self.first.len() as f64;
        let squares: f64 = self.sums(from, influences).map(square).sum();
        (2.0 / n * squares / self.count as f64 / n).sqrt()
    }

    /// The sums over so many waves from the `from`th on, without their factor.
    fn sums(&self, from: usize, influences: &[f64]) -> impl Iterator<Item = f64> {
        let mut sums = vec![0.0; from + self.count];
        for (first, influence) in self.first.iter().zip(influences) {
            let (mut before, mut wave) = (1.0, *first);
            for sum in &mut sums[1..] {
                *sum += wave * influence;
                // cos (j + 1)x = 2 cos x cos jx − cos (j − 1)x
                (before, wave) = (wave, 2.0 * first * wave - before);
            }
        }
        sums.into_iter().skip(from)
    }

    pub(crate) fn linear(&self, value: f64, influences: &[f64]) -> Estimate {
        self.about(value, self.error(influences))
    }

    fn about(&self, value: f64, standard_error: f64) -> Estimate {
        let reach = self.t * standard_error;
        Estimate { value, standard_error, low: value - reach, high: value + reach }
    }

    /// Of a value above 0, with the influences on its logarithm.
    fn logarithmic(&self, value: f64, influences: &[f64]) -> Option<Estimate> {
        let error = self.error(influences);
        let reach = libm::exp(self.t * error);
        let (low, high) = (value / reach, value * reach);
        let there = value > 0.0 && high.is_finite();
        there.then_some(Estimate { value, standard_error: value * error, low, high })
    }

    /// On a scale of its own: the value, the influences on it there, and the way back.
    pub(crate) fn scaled(
        &self,
        value: f64,
        (scaled, slope): (f64, f64),
        influences: &[f64],
        back: impl Fn(f64) -> f64,
    ) -> Estimate {
        let standard_error = self.error(influences);
        let reach = self.t * standard_error * slope;
        let [low, high] = [scaled - reach, scaled + reach].map(back);
        Estimate { value, standard_error, low, high }
    }
}

fn quantile(freedom: usize) -> f64 {
    let tabulated = freedom.checked_sub(2).and_then(|place| T.get(place));
    tabulated.copied().unwrap_or_else(|| student::quantile(0.975, freedom as f64))
}

/// The interval of a standard deviation, from values less their mean.
fn of_sd(waves: &Waves, sd: f64, deviations: &[f64]) -> Option<Estimate> {
    let influences: Vec<f64> = deviations.iter().map(|d| square(*d) / (2.0 * square(sd))).collect();
    waves.logarithmic(sd, &influences).filter(|_| sd > 0.0)
}

/// The lag-1 autocorrelation of deviations, of each whether its neighbour follows: the mean product
/// of neighbours times (n - 1)/n, which is the estimator with 1/n where nothing was left out.
fn lag_one(
    waves: &Waves,
    deviations: &[f64],
    followed: impl Iterator<Item = bool>,
) -> Option<Estimate> {
    let squares: f64 = deviations.iter().map(|d| square(*d)).sum();
    let c0 = squares / deviations.len() as f64;
    if c0 <= 0.0 {
        return None;
    }
    let next = |place: usize| deviations.get(place + 1).copied();
    let of_neighbours = |(place, follows): (usize, bool)| {
        next(place).filter(|_| follows).map(|next| deviations[place] * next)
    };
    let products: Vec<Option<f64>> = followed.enumerate().map(of_neighbours).collect();
    let pairs = products.iter().flatten().count() as f64;
    let scale = (deviations.len() as f64 - 1.0) / pairs;
    let products = || products.iter().map(|product| scale * product.unwrap_or(0.0));
    let r = products().sum::<f64>() / squares;
    let influence = |(product, d): (f64, &f64)| (product - r * d * d) / c0;
    let influences: Vec<f64> = products().zip(deviations).map(influence).collect();
    let inside = r.abs() < 1.0;
    inside.then(|| waves.scaled(r, (libm::atanh(r), 1.0 / (1.0 - r * r)), &influences, libm::tanh))
}

/// The median of values in ascending order, by inverting the test that half lie below it.
fn median(waves: &Waves, values: &[f64], sorted: &[f64], median: f64) -> Estimate {
    let below = |value: &f64| match value.total_cmp(&median) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    let reach = waves.t * waves.error(&values.iter().map(below).collect::<Vec<f64>>());
    let at = |share: f64| {
        let last = (sorted.len() - 1) as f64;
        let place = (share * sorted.len() as f64 - 0.5).clamp(0.0, last);
        crate::bootstrap::percentile(sorted, place / last)
    };
    let (low, high) = (at(0.5 - reach).min(median), at(0.5 + reach).max(median));
    Estimate { value: median, standard_error: (high - low) / (2.0 * waves.t), low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use chronotap_engine::random::Random;

    #[test]
    fn the_tabulated_quantiles_are_students() {
        for (t, freedom) in T.iter().zip(2..) {
            near(*t, student::quantile(0.975, f64::from(freedom)), 1e-9);
        }
        near(quantile(40), 2.021_075_390, 1e-8);
    }

    #[test]
    fn each_wave_finds_itself_and_no_other() {
        let waves = Waves::of(200);
        for j in 1..=waves.count {
            let cosine = |k: i32| (PI * j as f64 * (f64::from(k) + 0.5) / 200.0).cos();
            let wave: Vec<f64> = (0..200).map(cosine).collect();
            for (found, other) in waves.sums(1, &wave).zip(1..) {
                near(found, if other == j { 100.0 } else { 0.0 }, 1e-9);
            }
        }
        assert!(waves.sums(1, &[7.0; 200]).all(|sum| sum.abs() < 1e-9));
    }

    #[test]
    fn independent_values_have_the_usual_standard_error() {
        let mut random = Random::named(1, "waves");
        let values: Vec<f64> = (0..8_000).map(|_| random.normal()).collect();
        let error = Waves::of(8_000).error(&values);
        near(error, 1.0 / 8_000f64.sqrt(), 0.002);
    }

    #[test]
    fn an_interval_lies_around_its_value_on_every_scale() {
        let values: Vec<f64> = (0..40).map(|k| f64::from(k * 7 % 11) - 5.0).collect();
        let waves = Waves::of(40);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = median(&waves, &values, &sorted, 0.0);
        let lag = lag_one(&waves, &values, std::iter::repeat_n(true, values.len())).unwrap();
        let root = waves.logarithmic(3.0, &values).unwrap();
        for found in [middle, lag, root, waves.linear(0.0, &values)] {
            assert!(found.low < found.value && found.value < found.high, "{found:?}");
        }
    }
}
