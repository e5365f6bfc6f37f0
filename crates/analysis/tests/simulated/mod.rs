//! Simulated participants whose parameters are known, and how well an estimator gives them
//! back.

#![allow(dead_code, reason = "each test file uses its part of them")]

use chronotap_analysis::correction::Run;
use chronotap_analysis::estimate::Estimate;
use chronotap_engine::random::Random;
use chronotap_time::Nanos;

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
    pub fn run(&self, random: &mut Random, pacing: &[f64]) -> Run {
        let (mut inner, mut onset, mut period) = (0.0, 0.0, pacing[0]);
        let mut run = Run { taps: Vec::new(), partners: vec![Vec::new()] };
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
