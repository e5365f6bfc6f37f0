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

pub mod measure;
pub mod models;
pub mod statistics;
pub mod summary;

pub use measure::{
    autocorrelation, bootstrap, chi_squared, cleaning, crosstalk, estimate, force, intervals,
    lateness, matching, no_estimate, observed, runs, sequence, series, services, several, slips,
    sound, stretches, student, usable, verdict, within,
};
pub(crate) use measure::{continued_fraction, lanes, moments};
pub use models::{
    alignment, beat_tracking, circular, correction, curve, detection, ensemble, fluctuation,
    following, isolated, metre, perturbation, proportion, psychometric, reproduction, rhythm,
    sensitivity, tracking, uncertainty, wing_kristofferson,
};
pub use statistics::{delayed_feedback, described, joined, pairs};
pub use summary::{account, estimates};

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
