//! A run as a first-order autoregression: how far its mean, its standard deviation and its lag-1
//! autocorrelation reach, where neighbours are so alike that the waves see too little.
//!
//! Background: 30 asynchronies of somebody who corrects a fifth of each tell of their spread as
//! little as six independent ones. Their squares wander too slowly for the waves, and their
//! autocorrelation, from which a variance may be mended, is itself biased and unsure.
//!
//! Solution: no single autocorrelation is believed. Given φ, the values are a Gaussian
//! autoregression x\[k\] − μ = φ (x\[k−1\] − μ) + e\[k\], with
//!
//! ```text
//! w    = (1 − φ²) + (n − 1)(1 − φ)²                              (how well μ is known)
//! Q    = (1 − φ²)(x[1] − μ)² + Σ (x[k] − μ − φ(x[k−1] − μ))²      (least over μ)
//! p(φ) ∝ √((1 − φ²)/w) Q^(−(n−1)/2)                              (μ, ln SD flat; φ flat)
//! variance given φ:  Q/(1 − φ²) over χ² of n − 1
//! mean given φ:      m + √(Q/(n − 1)/w) t of n − 1,  where m is the μ of the least Q
//! ```
//!
//! (Zellner 1971, An introduction to Bayesian inference in econometrics, ch. 4 and 7). The
//! ends are the 2.5 % points of φ, and of the variance and the mean over all φ by their weights.
//! χ² is taken to the normal distribution by its cube root (Wilson & Hilferty 1931), which errs by
//! less than 0.001 in a probability from 9 degrees of freedom on, t as in `mixture`.
//!
//! Limits: motor delays make the asynchronies no pure autoregression, and other values are not
//! normal. So nothing is made narrower by this: the interval reaches as far as that of the
//! waves and as this one.

use crate::estimate::Estimate;
use crate::moments::square;
use crate::uncertainty::FEWEST as FEWEST_VALUES;
use crate::uncertainty::mixture::{Student, Z, beyond, normal_tail, quantile};

/// Fewest values: ten have nine differences.
const FEWEST: usize = FEWEST_VALUES - 1;
/// φ is looked at between ± tanh of this, 0.997.
const FARTHEST: f64 = 3.2;
/// At so many points at a time, evenly on Fisher's z.
const POINTS: usize = 24;
/// What is less likely than e to the minus this, beside the likeliest, is nothing.
const NOTHING: f64 = 10.0;
/// How often the points are put closer: 8 to 1 each time.
const CLOSER: usize = 8;

/// What the values say of φ, their mean and the variance.
pub(crate) struct Autoregression {
    points: Vec<Point>,
    /// Half the distance of two points, on z.
    half: f64,
    /// n − 1.
    freedom: f64,
}

/// A φ that may be.
#[derive(Clone, Copy)]
struct Point {
    /// Fisher's z of φ.
    z: f64,
    /// The logarithm of its weight, then the weight.
    weight: f64,
    /// Q/(1 − φ²)/(n − 1), then its cube root.
    root: f64,
    /// m, from the mean of the values.
    centre: f64,
    /// Q/(n − 1)/w, then its root.
    scale: f64,
}

/// All that is needed of the values, less their mean.
struct Sums {
    n: f64,
    first: f64,
    last: f64,
    squares: f64,
    products: f64,
}

impl Autoregression {
    /// Of values less their mean, in order; `None` where they are too few or do not vary.
    pub fn of(deviations: &[f64]) -> Option<Autoregression> {
        let sums = Sums::of(deviations)?;
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        let mut points = sums.points(low, high);
        for _ in 0..CLOSER {
            let step = (high - low) / POINTS as f64;
            let (from, to) = (points.first()?.z - 1.5 * step, points.last()?.z + 1.5 * step);
            if to - from > 0.6 * (high - low) {
                break;
            }
            (low, high) = (from.max(-FARTHEST), to.min(FARTHEST));
            points = sums.points(low, high);
        }
        let all: f64 = points.iter().map(|point| point.weight).sum();
        for point in &mut points {
            point.weight /= all;
            point.root = libm::cbrt(point.root);
            point.scale = point.scale.sqrt();
        }
        let half = (high - low) / (2 * POINTS) as f64;
        Some(Autoregression { points, half, freedom: sums.n - 1.0 })
    }

    /// The ends of the mean, from the mean of the values.
    pub fn mean(&self) -> (f64, f64) {
        (-self.mean_above(-1.0), self.mean_above(1.0))
    }

    /// The ends of the standard deviation.
    pub fn sd(&self) -> (f64, f64) {
        let end = |z: f64| {
            let x = self.inverse_root(z);
            1.0 / (x * x.sqrt())
        };
        (end(Z), end(-Z))
    }

    /// The ends of φ, the lag-1 autocorrelation.
    pub fn lag_one(&self) -> (f64, f64) {
        (libm::tanh(self.z(0.025)), libm::tanh(self.z(0.975)))
    }

    fn z(&self, share: f64) -> f64 {
        quantile(self.points.iter().map(|point| (point.z, point.weight)), self.half, share)
    }

    /// What the mean lies above in 2.5 %; with a sign of −1 of the values turned over.
    fn mean_above(&self, sign: f64) -> f64 {
        let t = Student { freedom: self.freedom };
        let far = t.at(Z);
        let own = |point: &Point| (point.weight, sign * point.centre + far * point.scale);
        beyond(&self.points, 0.025, own, |point, x| {
            let (above, density) = t.tail((x - sign * point.centre) / point.scale);
            (above, density / point.scale)
        })
    }

    /// The x = variance^(−⅓) that is above this z: the variance lies below as often as a normal
    /// value above z.
    fn inverse_root(&self, z: f64) -> f64 {
        let spread = 2.0 / (9.0 * self.freedom);
        let (centre, sd) = (1.0 - spread, spread.sqrt());
        let own = |point: &Point| (point.weight, (centre + z * sd) / point.root);
        beyond(&self.points, normal_tail(z).0, own, |point, x| {
            let (above, density) = normal_tail((point.root * x - centre) / sd);
            (above, density * point.root / sd)
        })
    }
}

impl Sums {
    fn of(deviations: &[f64]) -> Option<Sums> {
        let squares: f64 = deviations.iter().map(|d| square(*d)).sum();
        let there = deviations.len() >= FEWEST && squares > 0.0 && squares.is_finite();
        there.then_some(Sums {
            n: deviations.len() as f64,
            first: *deviations.first()?,
            last: *deviations.last()?,
            squares,
            products: deviations.windows(2).map(|pair| pair[0] * pair[1]).sum(),
        })
    }

    /// The points between two z that are not unlikely, in order.
    fn points(&self, low: f64, high: f64) -> Vec<Point> {
        let step = (high - low) / POINTS as f64;
        let (mut z, mut phi, farther) =
            (low + 0.5 * step, libm::tanh(low + 0.5 * step), libm::tanh(step));
        let mut points = Vec::with_capacity(POINTS);
        for _ in 0..POINTS {
            points.push(self.point(z, phi));
            // tanh (a + b) = (tanh a + tanh b)/(1 + tanh a tanh b)
            (z, phi) = (z + step, (phi + farther) / (1.0 + phi * farther));
        }
        let likeliest = points.iter().map(|point| point.weight).fold(f64::MIN, f64::max);
        points.retain(|point| likeliest - point.weight < NOTHING);
        for point in &mut points {
            point.weight = libm::exp(point.weight - likeliest);
        }
        points
    }

    fn point(&self, z: f64, phi: f64) -> Point {
        let Sums { n, first, last, squares, products } = *self;
        let (own, step) = (1.0 - phi * phi, 1.0 - phi);
        let known = own + (n - 1.0) * step * step;
        // The deviations add up to 0.
        let mean = own * first + step * (phi * last - first);
        let about_zero = squares - first * first - 2.0 * phi * products
            + phi * phi * (squares - last * last)
            + own * first * first;
        // A run that is an autoregression without errors is held to a little of one.
        let q = (about_zero - mean * mean / known).max(1e-12 * squares);
        // Flat in φ is 1 − φ² in z.
        let weight = 0.5 * (libm::log(own * own * own / known) - (n - 1.0) * libm::log(q));
        let variance = q / (n - 1.0);
        Point { z, weight, root: variance / own, centre: mean / known, scale: variance / known }
    }
}

/// An interval that reaches to these ends as well.
pub(crate) fn reaching(found: Estimate, (low, high): (f64, f64)) -> Estimate {
    Estimate { low: found.low.min(low), high: found.high.max(high), ..found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use chronotap_engine::random::Random;

    /// A run of an autoregression of mean 0 and variance 1: its mean, and it less its mean.
    fn run(random: &mut Random, phi: f64, n: usize) -> (f64, Vec<f64>) {
        let mut value = random.normal();
        let mut next = |_| {
            value = phi * value + (1.0 - phi * phi).sqrt() * random.normal();
            value
        };
        let all: Vec<f64> = (0..n).map(&mut next).collect();
        let mean = all.iter().sum::<f64>() / n as f64;
        (mean, all.iter().map(|value| value - mean).collect())
    }

    #[test]
    fn autoregressions_have_their_mean_sd_and_lag_in_the_interval() {
        let mut random = Random::named(14, "autoregression");
        for (phi, n) in [(0.0, 12), (0.8, 30), (0.5, 60), (-0.3, 60), (0.9, 120), (0.6, 1_000)] {
            let (mut mean, mut sd, mut lag) = (0, 0, 0);
            for _ in 0..1_000 {
                let (centre, deviations) = run(&mut random, phi, n);
                let found = Autoregression::of(&deviations).unwrap();
                let holds = |(low, high): (f64, f64), truth: f64| low <= truth && truth <= high;
                mean += usize::from(holds(found.mean(), -centre));
                sd += usize::from(holds(found.sd(), 1.0));
                lag += usize::from(holds(found.lag_one(), phi));
            }
            let all = [mean, sd, lag];
            assert!(all.iter().all(|held| *held >= 925), "{phi} {n}: {all:?}");
        }
    }

    #[test]
    fn long_independent_runs_have_the_ends_of_chi_squared_and_of_t() {
        let mut random = Random::named(14, "independent");
        let (_, values) = run(&mut random, 0.0, 100_000);
        let found = Autoregression::of(&values).unwrap();
        let ((low, high), (below, above)) = (found.sd(), found.lag_one());
        let reach = 1.96 / (2.0 * 100_000f64).sqrt();
        // φ is looked at in points three quarters of its error apart.
        near((high - low) / 2.0, reach, 0.03 * reach);
        let error = 1.96 / 100_000f64.sqrt();
        near((above - below) / 2.0, error, 0.03 * error);
        let (low, high) = found.mean();
        near((high - low) / 2.0, error, 0.03 * error);
        near(high, -low, 0.03 * error);
    }

    #[test]
    fn runs_that_are_no_autoregression_have_ends_that_are_numbers() {
        let falling: Vec<f64> = (0..20).map(|k| 9.5 - f64::from(k)).collect();
        let turning: Vec<f64> = (0..20).map(|k| f64::from(k % 2) - 0.5).collect();
        let single: Vec<f64> = (0..20).map(|k| if k == 0 { 19e-9 } else { -1e-9 }).collect();
        for values in [falling, turning, single] {
            let found = Autoregression::of(&values).unwrap();
            for (low, high) in [found.mean(), found.sd(), found.lag_one()] {
                assert!(low < high && high.is_finite(), "{low} {high}");
            }
            assert!(found.sd().0 > 0.0);
        }
        assert!(Autoregression::of(&[0.0; 20]).is_none());
        assert!(Autoregression::of(&[1.0, -1.0]).is_none());
    }
}
