#![forbid(unsafe_code)]
//! What a trial's numbers mean: asynchronies, inter-tap intervals, lateness, and
//! the models behind them. Pure functions of onsets in nanoseconds.
//!
//! A statistic that its data cannot give (a standard deviation of one tap) is
//! `None`, never NaN. Sums run in the order of the data and integers are summed as
//! integers, so that the same data give the same digits on every machine. Each
//! formula stands beside its definition, and the printed summary repeats it. If the
//! data cannot give a model's estimate, it says why ([`no_estimate::NoEstimate`]); an estimate
//! has an interval ([`estimate::Estimate`]). docs/statistics.md lists them all, with their
//! sources and what each was compared with.

pub mod account;
pub mod alignment;
pub mod autocorrelation;
pub mod beat_tracking;
pub mod bootstrap;
pub mod chi_squared;
pub mod circular;
pub mod cleaning;
pub mod correction;
pub mod crosstalk;
pub mod curve;
pub mod delayed_feedback;
pub mod described;
pub mod detection;
pub mod ensemble;
pub mod estimate;
pub mod estimates;
pub mod fluctuation;
pub mod following;
pub mod intervals;
pub mod isolated;
pub mod joined;
pub mod lateness;
pub mod matching;
pub mod metre;
pub mod no_estimate;
pub mod observed;
pub mod pairs;
pub mod perturbation;
pub mod proportion;
pub mod psychometric;
pub mod reproduction;
pub mod rhythm;
pub mod runs;
pub mod sensitivity;
pub mod sequence;
pub mod series;
pub mod services;
pub mod several;
pub mod slips;
pub mod sound;
pub mod statistics;
pub mod stretches;
pub mod student;
pub mod summary;
pub mod tracking;
pub mod uncertainty;
pub mod usable;
pub mod verdict;
pub mod wing_kristofferson;
pub mod within;

mod continued_fraction;
mod moments;

#[cfg(test)]
use test_vectors::{in_ms, near, vector_1, vector_1_intervals};

/// Worked numbers that several tests share.
#[cfg(test)]
mod test_vectors {
    use chronotap_core::time::Nanos;

    /// Ten asynchronies at an interval of 600 ms.
    pub fn vector_1() -> Vec<Nanos> {
        [-30, -20, -45, 10, -5, -25, -60, 0, -15, -35].map(Nanos::from_millis).to_vec()
    }

    /// Their inter-tap intervals.
    pub fn vector_1_intervals() -> Vec<Nanos> {
        let onsets: Vec<Nanos> =
            (0..).zip(vector_1()).map(|(k, a)| Nanos::from_millis(600) * k + a).collect();
        crate::intervals::between(&onsets)
    }

    pub fn in_ms(values: &[Nanos]) -> Vec<f64> {
        values.iter().map(|value| value.as_millis_f64()).collect()
    }

    pub fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
    }
}
