//! The interval of a scaling exponent, by simulation: as many values of fractional Gaussian noise
//! with the exponent that was found (above 1, sums of such noise) are drawn and analysed again;
//! the found one may lie as far from the truth as these exponents lie from each other (parametric
//! bootstrap, Efron & Tibshirani 1993; normal interval). The noise is exact, by
//! circulant embedding (Davies & Harte 1987).
//!
//! Assumes that one exponent describes all windows.

use super::{Fluctuation, fluctuation_of};
use crate::estimate::Estimate;
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use chronotap_engine::random::Random;
use serde::Serialize;
use std::f64::consts::TAU;

/// An exponent with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Exponent {
    /// The scaling exponent.
    pub exponent: Estimate,
    /// What the noise was drawn from.
    pub seed: u64,
    /// How many runs of noise were drawn.
    pub runs: usize,
}

/// How many runs are drawn.
const RUNS: usize = 400;
/// Noise is drawn with exponents up to so near 0, 1 and 2.
const EDGE: f64 = 0.01;

/// The interval of an exponent that was found in `n` values.
pub fn with_interval(found: &Fluctuation, n: usize, seed: u64) -> Result<Exponent, NoEstimate> {
    if !(0.0..2.0).contains(&found.exponent) {
        return Err(NoEstimate::Outside("fractional noise and its sums (exponents of 0 to 2)"));
    }
    let windows: Vec<usize> = found.points.iter().map(|(window, _)| *window).collect();
    let mut random = Random::named(seed, "fractional noise");
    let summed = found.exponent >= 1.0;
    let hurst = (found.exponent - f64::from(u8::from(summed))).clamp(EDGE, 1.0 - EDGE);
    let noise = Noise::of(n, hurst);
    let mut drawn = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let mut values = noise.draw(&mut random);
        if summed {
            sum_up(&mut values);
        }
        drawn.extend(fluctuation_of(&values, &windows).map(|again| again.exponent));
    }
    NoEstimate::unless("simulated runs", drawn.len(), RUNS - RUNS / 20)?;
    Ok(Exponent { exponent: about(found.exponent, &drawn), seed, runs: RUNS })
}

fn sum_up(values: &mut [f64]) {
    let mut sum = 0.0;
    for value in values {
        sum += *value;
        *value = sum;
    }
}

fn about(value: f64, drawn: &[f64]) -> Estimate {
    let centre = mean(drawn).unwrap_or(value);
    let squares: f64 = drawn.iter().map(|x| square(x - centre)).sum();
    let standard_error = (squares / (drawn.len() as f64 - 1.0)).sqrt();
    let reach = 1.959_963_984_540_054 * standard_error;
    Estimate { value, standard_error, low: value - reach, high: value + reach }
}

/// Fractional Gaussian noise of one length and exponent.
struct Noise {
    n: usize,
    /// Roots of the eigenvalues of the circulant covariance matrix, over its size.
    roots: Vec<f64>,
    turns: Vec<(f64, f64)>,
}

impl Noise {
    fn of(n: usize, hurst: f64) -> Noise {
        let size = 2 * n.next_power_of_two();
        let power = |k: f64| libm::pow(k.abs(), 2.0 * hurst);
        let covariance = |k: usize| {
            let k = k.min(size - k) as f64;
            0.5 * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0))
        };
        let mut row: Vec<(f64, f64)> = (0..size).map(|k| (covariance(k), 0.0)).collect();
        let turns = turns(size);
        transform(&mut row, &turns);
        // Rounding may leave an eigenvalue of 0 a little below it.
        let root = |(value, _): &(f64, f64)| (value.max(0.0) / size as f64).sqrt();
        Noise { n, roots: row.iter().map(root).collect(), turns }
    }

    fn draw(&self, random: &mut Random) -> Vec<f64> {
        let drawn = self.roots.iter().map(|root| (root * random.normal(), root * random.normal()));
        let mut values: Vec<(f64, f64)> = drawn.collect();
        transform(&mut values, &self.turns);
        values.iter().take(self.n).map(|(value, _)| *value).collect()
    }
}

/// The discrete Fourier transform of 2^k complex values, in place (Cooley & Tukey 1965);
/// `turns` are the roots of unity of half a circle.
fn transform(values: &mut [(f64, f64)], turns: &[(f64, f64)]) {
    let n = values.len();
    let bits = n.trailing_zeros();
    for place in 0..n {
        let turned = place.reverse_bits() >> (usize::BITS - bits);
        if turned > place {
            values.swap(place, turned);
        }
    }
    let mut half = 1;
    while half < n {
        for piece in values.chunks_exact_mut(2 * half) {
            let (lower, upper) = piece.split_at_mut(half);
            let turns = turns.iter().step_by(n / (2 * half));
            for ((low, high), (c, s)) in lower.iter_mut().zip(upper).zip(turns) {
                let turned = (high.0 * c - high.1 * s, high.0 * s + high.1 * c);
                *high = (low.0 - turned.0, low.1 - turned.1);
                *low = (low.0 + turned.0, low.1 + turned.1);
            }
        }
        half *= 2;
    }
}

/// exp(−2πi k/n) for the first half of all k.
fn turns(n: usize) -> Vec<(f64, f64)> {
    let angle = |k: usize| -TAU * k as f64 / n as f64;
    (0..n / 2).map(|k| (libm::cos(angle(k)), libm::sin(angle(k)))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fluctuation;
    use super::*;

    #[test]
    fn the_transform_is_that_of_the_definition() {
        let values: Vec<(f64, f64)> =
            (0..8).map(|k| (f64::from(k * k % 5), f64::from(k))).collect();
        let mut fast = values.clone();
        transform(&mut fast, &turns(8));
        for (k, (re, im)) in fast.iter().enumerate() {
            let (mut x, mut y) = (0.0, 0.0);
            for (j, (a, b)) in values.iter().enumerate() {
                let angle = -TAU * (j * k) as f64 / 8.0;
                x += a * angle.cos() - b * angle.sin();
                y += a * angle.sin() + b * angle.cos();
            }
            assert!((re - x).abs() < 1e-12 && (im - y).abs() < 1e-12, "{k}");
        }
    }

    #[test]
    fn the_noise_has_its_covariances() {
        let noise = Noise::of(500, 0.8);
        let mut random = Random::named(1, "noise");
        let (mut c0, mut c1) = (0.0, 0.0);
        for _ in 0..200 {
            let values = noise.draw(&mut random);
            c0 += values.iter().map(|x| x * x).sum::<f64>() / 100_000.0;
            c1 += values.windows(2).map(|x| x[0] * x[1]).sum::<f64>() / (499.0 * 200.0);
        }
        // γ(1) = 2^(2H−1) − 1
        assert!((c0 - 1.0).abs() < 0.05 && (c1 - 0.516).abs() < 0.05, "{c0} {c1}");
    }

    #[test]
    fn the_interval_narrows_with_the_length_and_bears_its_seed() {
        let mut random = Random::named(2, "noise");
        let [short, long] = [128, 1_024].map(|n| {
            let found = fluctuation(&Noise::of(n, 0.7).draw(&mut random)).unwrap();
            with_interval(&found, n, 3).unwrap()
        });
        let width = |of: &Exponent| of.exponent.high - of.exponent.low;
        assert!(width(&long) < 0.7 * width(&short), "{short:?} {long:?}");
        assert_eq!((short.seed, short.runs), (3, RUNS));
    }
}
