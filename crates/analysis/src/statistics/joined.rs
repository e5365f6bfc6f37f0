//! What trials or people come to together: the mean of their values with an interval that stays
//! where the measure can be, the mean of their directions, and differences within people.
//!
//! Each trial (or person) is one value and counts once, however many taps it has. What trials
//! of one person differ by is mostly no error of too few taps, so that weights by the number of
//! taps would give the long trials nearly everything; and Student's t needs values of one
//! variance. Directions alone are weighted, by how clear they are: by their R.
//!
//! Fewer than [`FEWEST`] values have no interval.

use crate::estimate::{Estimate, LEVEL};
use crate::moments::{mean, square};
use crate::student;
use serde::Serialize;

/// Fewest values whose mean has an interval, as within one run.
pub use crate::uncertainty::FEWEST;

/// On which scale the interval of a mean is taken. It is carried over to it and back by the
/// delta method: mean ± t · SE becomes g⁻¹(g(mean) ± t · SE · g′(mean)). So it holds the
/// mean, is symmetrical on the scale, and never leaves the range of the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Any number: as it is.
    Plain,
    /// Above 0 (SD, CV): the logarithm.
    Positive,
    /// From 0 to 1 (R, a rate): the logit.
    Share,
    /// From −1 to 1: Fisher's z.
    Correlation,
}

impl Scale {
    /// The interval of a mean; `None` below [`FEWEST`] values, where all values are the same, and where the mean
    /// stands at the end of the scale, so that the values tell nothing of how far it may be from there.
    pub fn interval(self, n: usize, mean: f64, sd: f64) -> Option<Estimate> {
        let standard_error = sd / (n as f64).sqrt();
        let plain =
            (n >= FEWEST).then(|| Estimate::student(mean, standard_error, n as f64 - 1.0))?;
        plain.ends()?;
        let reach = plain.high - mean;
        let (scaled, slope, back): (f64, f64, fn(f64) -> f64) = match self {
            Scale::Plain => return Some(plain),
            Scale::Positive => (libm::log(mean), 1.0 / mean, libm::exp),
            Scale::Share => (libm::log(mean / (1.0 - mean)), 1.0 / (mean * (1.0 - mean)), expit),
            Scale::Correlation => (libm::atanh(mean), 1.0 / (1.0 - mean * mean), libm::tanh),
        };
        let [low, high] = [scaled - reach * slope, scaled + reach * slope].map(back);
        let inside = scaled.is_finite() && slope.is_finite() && slope > 0.0;
        inside.then_some(Estimate { value: mean, standard_error, low, high })
    }

    /// The mean of these values with its interval, where it has one.
    pub fn mean(self, values: &[f64]) -> Option<(f64, Option<Estimate>)> {
        let centre = mean(values)?;
        let squares: f64 = values.iter().map(|value| square(value - centre)).sum();
        let sd = (squares / (values.len() as f64 - 1.0)).sqrt();
        Some((centre, self.interval(values.len(), centre, sd)))
    }
}

fn expit(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The mean of the differences of two values of each person, second less first: with Student's
/// interval from [`FEWEST`] people on. What people differ by altogether is not in it, as it is not
/// in the effect of a factor within people.
pub fn paired(pairs: &[(f64, f64)]) -> Option<(f64, Option<Estimate>)> {
    let differences: Vec<f64> = pairs.iter().map(|(first, second)| second - first).collect();
    Scale::Plain.mean(&differences)
}

/// The mean direction of several samples of directions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SecondOrder {
    /// Samples.
    pub n: usize,
    /// The direction of the mean of their mean vectors; `None` where that is no vector.
    pub direction_rad: Option<f64>,
    /// The length of that mean.
    pub resultant: f64,
    /// Circular SD of the samples' mean directions, each counted once.
    pub sd_rad: Option<f64>,
    /// The ends of its interval, on the turn of the direction; `None` below [`FEWEST`] samples, and
    /// where it would reach a quarter turn to either side: the mean point is then too close to none.
    pub bounds: Option<[f64; 2]>,
    /// Hotelling's test that there is no direction.
    pub test: Option<Hotelling>,
}

/// Hotelling's one-sample test of second order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hotelling {
    /// F with 2 and n − 2 degrees of freedom.
    pub f: f64,
    /// Its probability where the mean vectors have no common direction.
    pub p: f64,
}

/// Describes the mean vectors of samples, each by its length R and its direction.
///
/// Background: directions cannot be averaged on the line (3.1 and −3.1 have a mean of π, not
/// of 0), nor can the probabilities of tests. Solution: second-order statistics (Batschelet 1981;
/// Zar 1999). Each sample is the end of its mean vector, x = R cos θ
/// and y = R sin θ; the mean of these points has the direction. The test is Hotelling's (1931),
/// F = (n − 2)/(2 (n − 1)) · n m′S⁻¹m with S the covariance of the points. The interval is
/// Fieller's (1954), exact for normal points: all directions of which the mean point has no
/// significant part across. Batschelet's, by the ellipse for both coordinates together, is
/// wider than 95 % for the direction alone.
pub fn second_order(vectors: &[(f64, f64)]) -> Option<SecondOrder> {
    let n = vectors.len();
    let points: Vec<(f64, f64)> =
        vectors.iter().map(|(r, angle)| (r * libm::cos(*angle), r * libm::sin(*angle))).collect();
    let over = |of: &dyn Fn(&(f64, f64)) -> f64| mean(&points.iter().map(of).collect::<Vec<f64>>());
    let (x, y) = (over(&|point| point.0)?, over(&|point| point.1)?);
    let angles: Vec<f64> = vectors.iter().map(|(_, angle)| *angle).collect();
    let resultant = libm::hypot(x, y);
    let direction = (resultant > 1e-12).then(|| libm::atan2(y, x));
    let spread = |of: &dyn Fn(f64, f64) -> f64| {
        points.iter().map(|(a, b)| of(a - x, b - y)).sum::<f64>() / (n as f64 - 1.0) / n as f64
    };
    // The covariance of the mean point.
    let covariance =
        (n > 2).then(|| [spread(&|a, _| a * a), spread(&|a, b| a * b), spread(&|_, b| b * b)]);
    Some(SecondOrder {
        n,
        direction_rad: direction,
        resultant,
        sd_rad: crate::circular::describe(&angles).and_then(|found| found.sd_rad),
        bounds: direction.zip(covariance).filter(|_| n >= FEWEST).and_then(|(direction, all)| {
            fieller(direction, resultant, all, student::quantile(0.5 + LEVEL / 2.0, n as f64 - 1.0))
        }),
        test: covariance.and_then(|all| hotelling(n as f64, (x, y), all)),
    })
}

fn hotelling(n: f64, (x, y): (f64, f64), [xx, xy, yy]: [f64; 3]) -> Option<Hotelling> {
    let determinant = xx * yy - xy * xy;
    let t2 = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant;
    let freedom = n - 2.0;
    let f = freedom / (2.0 * (n - 1.0)) * t2;
    // Of F with 2 degrees of freedom above the line the tail is a power.
    let p = libm::pow(1.0 + 2.0 * f / freedom, -freedom / 2.0);
    (determinant > 0.0 && f.is_finite()).then_some(Hotelling { f, p })
}

/// The directions of which the mean point has no part across that is greater than `t` times its
/// error. Along the mean direction the point is (r, 0), and tan φ lies between the roots of
/// (r² − t² S_aa) τ² + 2 t² S_ab τ − t² S_bb.
fn fieller(direction: f64, r: f64, [xx, xy, yy]: [f64; 3], t: f64) -> Option<[f64; 2]> {
    let (c, s) = (libm::cos(direction), libm::sin(direction));
    let along = c * c * xx + 2.0 * c * s * xy + s * s * yy;
    let across = s * s * xx - 2.0 * c * s * xy + c * c * yy;
    let both = (c * c - s * s) * xy + c * s * (yy - xx);
    let t2 = t * t;
    let (a, b, d) = (r * r - t2 * along, t2 * both, t2 * across);
    let root = (b * b + a * d).sqrt();
    let end = |tangent: f64| direction + libm::atan(tangent);
    (a > 0.0).then(|| [end((-b - root) / a), end((-b + root) / a)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use chronotap_engine::random::Random;
    use std::f64::consts::PI;

    #[test]
    fn no_interval_leaves_the_range_of_its_measure_and_each_holds_its_mean() {
        let cases = [
            (Scale::Positive, 0.02, 0.2, 0.0..=f64::INFINITY),
            (Scale::Share, 0.98, 0.1, 0.0..=1.0),
            (Scale::Share, 0.03, 0.1, 0.0..=1.0),
            (Scale::Correlation, -0.9, 0.4, -1.0..=1.0),
        ];
        for (scale, mean, sd, range) in cases {
            let found = scale.interval(10, mean, sd).unwrap();
            assert!(found.low < mean && mean < found.high, "{scale:?} {found:?}");
            assert!(
                range.contains(&found.low) && range.contains(&found.high),
                "{scale:?} {found:?}"
            );
        }
        assert_eq!(Scale::Share.interval(10, 1.0, 0.0), None);
        assert_eq!(Scale::Positive.interval(10, 0.0, 0.0), None);
    }

    #[test]
    fn fewer_than_ten_values_have_a_mean_and_no_interval() {
        let nine = Scale::Plain.mean(&[1.0; 9]).unwrap();
        assert_eq!(nine, (1.0, None));
        let ten: Vec<f64> = (0..10).map(f64::from).collect();
        assert!(Scale::Plain.mean(&ten).unwrap().1.is_some());
        assert_eq!(Scale::Plain.mean(&[1.0; 10]), Some((1.0, None)), "all the same tell no spread");
        assert_eq!(Scale::Plain.mean(&[]), None);
        let vectors = [(0.9, 0.1); 9];
        assert_eq!(second_order(&vectors).unwrap().bounds, None);
    }

    #[test]
    fn within_people_their_own_level_is_no_error() {
        let pairs: Vec<(f64, f64)> =
            (0..12).map(|k| (f64::from(100 * k), f64::from(100 * k + 10 + k % 2))).collect();
        let (mean, interval) = paired(&pairs).unwrap();
        near(mean, 10.5, 1e-12);
        let interval = interval.unwrap();
        assert!(interval.low > 10.0 && interval.high < 11.0, "{interval:?}");
    }

    #[test]
    fn directions_about_half_a_turn_have_half_a_turn_as_their_mean() {
        let about: Vec<(f64, f64)> = (0..10)
            .map(|k| (0.9, PI + 0.1 * f64::from(k % 3 - 1)))
            .map(|(r, a)| (r, if a > PI { a - 2.0 * PI } else { a }))
            .collect();
        let found = second_order(&about).unwrap();
        near(found.direction_rad.unwrap().abs(), PI, 0.05);
        let [low, high] = found.bounds.unwrap();
        assert!(high - low < 0.2 && low < found.direction_rad.unwrap(), "{found:?}");
        assert!(found.test.unwrap().p < 1e-6);
    }

    /// How often each interval holds the mean that the values were drawn about.
    fn held(n: usize, runs: usize, mut once: impl FnMut(&mut Random, usize) -> bool) -> f64 {
        let mut random = Random::named(9, "joined");
        let held = (0..runs).filter(|_| once(&mut random, n)).count();
        held as f64 / runs as f64
    }

    #[test]
    #[allow(clippy::print_stdout, reason = "a test prints what it found")]
    fn intervals_of_means_hold_them_as_often_as_they_say() {
        for n in [10, 20, 40] {
            let positive = held(n, 2_000, |random, n| {
                let sd: Vec<f64> =
                    (0..n).map(|_| 20.0 * libm::exp(0.3 * random.normal())).collect();
                let truth = 20.0 * libm::exp(0.045);
                Scale::Positive.mean(&sd).unwrap().1.unwrap().holds(truth)
            });
            let directed = held(n, 2_000, |random, n| {
                let point = |_: usize| {
                    let (x, y) = (-0.6 + 0.2 * random.normal(), 0.1 + 0.3 * random.normal());
                    (libm::hypot(x, y), libm::atan2(y, x))
                };
                let found = second_order(&(0..n).map(point).collect::<Vec<_>>()).unwrap();
                let truth = libm::atan2(0.1, -0.6);
                let turns = [truth, truth + 2.0 * PI, truth - 2.0 * PI];
                found.bounds.is_none_or(|[low, high]| turns.iter().any(|t| low <= *t && *t <= high))
            });
            let tested = held(n, 2_000, |random, n| {
                let point = |_: usize| {
                    let (x, y) = (0.3 * random.normal(), 0.2 * random.normal());
                    (libm::hypot(x, y), libm::atan2(y, x))
                };
                let found = second_order(&(0..n).map(point).collect::<Vec<_>>()).unwrap();
                found.test.unwrap().p >= 0.05
            });
            for (what, share) in [("SD", positive), ("direction", directed), ("test", tested)] {
                println!("{what} of {n}: {share:.3}");
                assert!((0.93..=0.975).contains(&share), "{what} of {n}: {share}");
            }
        }
    }
}
