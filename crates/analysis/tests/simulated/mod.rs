//! Simulated participants whose parameters are known, and how well an estimator gives them
//! back.

#![allow(dead_code, reason = "each test file uses its part of them")]

pub mod people;

use chronotap_analysis::correction::TapRun;
use chronotap_analysis::estimate::Estimate;
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use std::f64::consts::PI;

/// A linear tapper: phase and period correction, SD of timekeeper and motor delays in ms.
#[derive(Clone, Copy)]
pub struct Tapper {
    pub alpha: f64,
    pub beta: f64,
    pub timekeeper: f64,
    pub motor: f64,
}

impl Tapper {
    /// Timekeeper 10 ms, motor delays 5 ms.
    pub fn with(alpha: f64, beta: f64) -> Tapper {
        Tapper { alpha, beta, timekeeper: 10.0, motor: 5.0 }
    }

    /// One tap for each interval of the pacing and one more.
    pub fn run(&self, random: &mut Random, pacing: &[f64]) -> TapRun {
        let (mut inner, mut onset, mut period) = (0.0, 0.0, pacing[0]);
        let mut run = TapRun { taps: Vec::new(), partners: vec![Vec::new()] };
        for interval in pacing.iter().chain([&0.0]) {
            let tap = inner + self.motor * random.normal();
            run.taps.push(ns(tap));
            run.partners[0].push(ns(onset));
            period -= self.beta * (tap - onset);
            inner += period - self.alpha * (tap - onset) + self.timekeeper * random.normal();
            onset += interval;
        }
        run
    }
}

pub fn ns(ms: f64) -> Nanos {
    Nanos::round_from_f64(ms * 1e6)
}

/// What an estimator made of many simulations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recovered {
    pub mean: f64,
    pub sd: f64,
    /// The share of intervals that held the truth.
    pub coverage: f64,
}

/// Estimates a known `truth` in so many simulations, and prints what came of it.
pub fn recover(
    what: &str,
    runs: usize,
    truth: f64,
    mut estimate: impl FnMut(&mut Random) -> Estimate,
) -> Recovered {
    let mut random = Random::named(14, what);
    let found: Vec<Estimate> = (0..runs).map(|_| estimate(&mut random)).collect();
    let n = runs as f64;
    let mean = found.iter().map(|e| e.value).sum::<f64>() / n;
    let variance = found.iter().map(|e| (e.value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let coverage = found.iter().filter(|e| e.holds(truth)).count() as f64 / n;
    let recovered = Recovered { mean, sd: variance.sqrt(), coverage };
    let held = if found.iter().any(|e| e.low < e.high) {
        format!(", coverage {coverage:.3}")
    } else {
        String::new()
    };
    println!("{what}: truth {truth}, mean {mean:.4}, SD {:.4}{held}", recovered.sd);
    recovered
}

/// An estimate of which only the value is looked at.
pub fn plain(value: f64) -> Estimate {
    Estimate { value, standard_error: 0.0, low: value, high: value }
}

/// Gaussian noise with the autocovariance of fractional Gaussian noise, by Hosking's
/// recursion (1984).
pub fn fractional(random: &mut Random, n: usize, hurst: f64) -> Vec<f64> {
    let power = |k: f64| k.abs().powf(2.0 * hurst);
    let covariance = |k: usize| {
        let k = k as f64;
        0.5 * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0))
    };
    let mut values: Vec<f64> = vec![random.normal()];
    let mut weights: Vec<f64> = Vec::new();
    let mut variance = 1.0;
    for k in 1..n {
        let explained: f64 = weights.iter().zip(1..).map(|(w, j)| w * covariance(k - j)).sum();
        let last = (covariance(k) - explained) / variance;
        let turned: Vec<f64> = weights.iter().rev().copied().collect();
        weights.iter_mut().zip(turned).for_each(|(w, other)| *w -= last * other);
        weights.push(last);
        variance *= 1.0 - last * last;
        let mean: f64 = weights.iter().zip(values.iter().rev()).map(|(w, x)| w * x).sum();
        values.push(mean + variance.sqrt() * random.normal());
    }
    values
}

/// A von Mises angle around 0, by rejection under a uniform bound.
pub fn von_mises(random: &mut Random, concentration: f64) -> f64 {
    loop {
        let angle = PI * (2.0 * random.uniform() - 1.0);
        if random.uniform() < (concentration * (angle.cos() - 1.0)).exp() {
            return angle;
        }
    }
}
