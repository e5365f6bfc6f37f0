//! How much of an asynchrony is corrected at the next tap (phase correction, α) and in the
//! inner period (period correction, β), by bounded generalized least squares, bGLS (Jacoby,
//! Tishby, Repp, Ahissar & Keller 2015, Timing & Time Perception 3, 52-87).
//!
//! Model: taps R, onsets S of the pacing or of each of several partners, A\[k\] = R\[k\] − S\[k\]:
//!
//! ```text
//! R[k+1] − R[k] = t[k+1] − α A[k] + H[k]      H[k] = T[k] + M[k+1] − M[k]
//! t[k+1] = t[k] − β A[k]                      (β = 0 in the model of phase alone)
//! ```
//!
//! The noise H of timekeeper (variance sT²) and motor delays (sM²) has the covariances
//! g0 = sT² + 2 sM², g1 = −sM², so that ordinary least squares would find α + sM²/var A. bGLS
//! alternates least squares for these covariances with covariances from the residuals, held
//! within sT ≥ sM ≥ 0, until α changes by less than 0.001 in all, at most 20 times.
//!
//! Assumes an unbroken run of taps, each with its onset, and noise as above. Limits: the
//! trial's own mean, taken off, biases α upward in short runs (by about 0.14 at 30 taps and
//! 0.04 at 120): pool the means of several trials, or give the true ones. Intervals count the
//! covariances as estimated too; they hold the truth in 95 % of simulations where means are
//! pooled, and in more at 30 taps; but not where the bias above is as wide as they are, as with
//! many short runs of small α, each less its own mean (docs/statistics.md). β can be told
//! only where the tempo changes. Where a partner adapts too, gains of both add up in what
//! either shows against a metronome.

pub mod adam;
pub mod coupling;
pub mod in_step;
mod least_squares;
mod noise;
pub mod pooled;
mod rows;

use crate::estimate::Estimate;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use least_squares::{Fit, fit};
use rows::{Rows, of_phase, of_phase_and_period};
use serde::Serialize;
use std::borrow::Borrow;

/// An unbroken run of taps, each with the onset of every partner that it answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TapRun {
    /// Onsets of the taps.
    pub taps: Vec<Nanos>,
    /// Of each partner (the pacing, another tapper) one onset for each tap.
    pub partners: Vec<Vec<Nanos>>,
}

/// What is taken off intervals and asynchronies before the fit of phase correction.
#[derive(Clone, Debug, PartialEq)]
pub enum Means {
    /// The means of each run.
    OfEachRun,
    /// The means over all runs, of one person and condition.
    Pooled,
    /// Means known beforehand: of the intervals, and of the asynchronies to each partner.
    Known(Nanos, Vec<Nanos>),
}

/// The asynchrony that is not corrected, in the fit of period correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// It is known, from taps to a steady pacing.
    Known(Nanos),
    /// It is estimated with the rest, as a drift of the period.
    Estimated,
}

/// Estimates of correction. Intervals are for 95 %, by Student's t.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correction {
    /// Phase correction towards each partner.
    pub alpha: Vec<Estimate>,
    /// Period correction; `None` in the model of phase alone.
    pub beta: Option<Estimate>,
    /// SD of the timekeeper, sT.
    pub timekeeper_sd_ms: f64,
    /// SD of the motor delays, sM.
    pub motor_sd_ms: f64,
    /// The SD of the timekeeper with its interval, in ms; `None` where nothing varies.
    pub timekeeper: Option<Estimate>,
    /// The SD of the motor delays with its interval, in ms; `None` where nothing varies.
    pub motor: Option<Estimate>,
    /// Intervals that were fitted.
    pub intervals: usize,
    /// Whether sT = sM or sM = 0 holds because the bounds made it so.
    pub at_bound: bool,
    /// Whether the estimates came to rest.
    pub converged: bool,
}

/// Fewest intervals that are fitted, over all runs.
pub const FEWEST: usize = 15;

/// Phase correction of one person, in one run or several.
pub fn phase(runs: &[impl Borrow<TapRun>], means: &Means) -> Result<Correction, NoEstimate> {
    let rows = of_phase(runs, means)?;
    let partners = rows.first().map_or(0, |rows| rows.columns.len());
    let centres = match means {
        Means::OfEachRun => runs.len(),
        Means::Pooled => 1,
        Means::Known(..) => 0,
    };
    let fitted = fitted(&rows, centres, "the asynchronies to several partners")?;
    Ok(correction(&fitted, partners, None, centres))
}

/// Phase correction of one trial: the estimates are those of [`phase`], their intervals those of a model in which the
/// asynchrony aimed at drifts and the period may be corrected, too ([`pooled`]), as far as the estimates.
pub fn of_trial(runs: &[TapRun]) -> Result<Correction, NoEstimate> {
    let found = phase(runs, &Means::Pooled)?;
    let Ok(sure) = pooled::of_one(runs) else { return Ok(found) };
    Ok(Correction {
        alpha: vec![sure.alpha.about(found.alpha[0].value)],
        timekeeper: found.timekeeper.map(|of| sure.timekeeper.about(of.value)),
        motor: found.motor.map(|of| sure.motor.about(of.value)),
        ..found
    })
}

/// Phase and period correction towards one partner, in one run or several. Each run has an
/// inner period of its own to begin with.
pub fn phase_and_period(runs: &[TapRun], baseline: Baseline) -> Result<Correction, NoEstimate> {
    let rows = of_phase_and_period(runs, baseline)?;
    let fitted = fitted(&rows, runs.len(), "phase and period correction")?;
    Ok(correction(&fitted, 1, Some(1), runs.len()))
}

fn fitted(rows: &[Rows], centres: usize, alike: &'static str) -> Result<Fit, NoEstimate> {
    let count: usize = rows.iter().map(|rows| rows.response.len()).sum();
    let columns = rows.first().map_or(0, |rows| rows.columns.len());
    NoEstimate::unless("partners", columns, 1)?;
    NoEstimate::unless("intervals between taps", count, FEWEST.max(2 * (columns + centres)))?;
    fit(rows).ok_or(NoEstimate::Indistinct(alike))
}

fn correction(fit: &Fit, partners: usize, beta: Option<usize>, centres: usize) -> Correction {
    let freedom = (fit.rows - fit.coefficients.len() - centres) as f64;
    let gain =
        |place: usize| Estimate::student(-fit.coefficients[place], fit.errors[place], freedom);
    let noise = noise::of(fit, freedom);
    Correction {
        alpha: (0..partners).map(gain).collect(),
        beta: beta.map(gain),
        timekeeper_sd_ms: (fit.covariances.0 + 2.0 * fit.covariances.1).max(0.0).sqrt(),
        motor_sd_ms: (0.0 - fit.covariances.1).max(0.0).sqrt(),
        timekeeper: noise.map(|(timekeeper, _)| timekeeper),
        motor: noise.map(|(_, motor)| motor),
        intervals: fit.rows,
        at_bound: fit.at_bound,
        converged: fit.converged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tapper without noise of his own against a metronome that is shifted now and then.
    fn run(alpha: f64, beta: f64, interval: impl Fn(usize) -> f64) -> TapRun {
        let (mut tap, mut onset, mut period) = (0.0, 0.0, 500.0);
        let mut run = TapRun { taps: Vec::new(), partners: vec![Vec::new()] };
        for k in 0..60 {
            run.taps.push(Nanos::round_from_f64(tap * 1e6));
            run.partners[0].push(Nanos::round_from_f64(onset * 1e6));
            let asynchrony = tap - onset;
            period -= beta * asynchrony;
            tap += period - alpha * asynchrony;
            onset += interval(k);
        }
        run
    }

    fn shifted(k: usize) -> f64 {
        if k % 9 == 4 { 550.0 } else { 500.0 }
    }

    fn stepping(k: usize) -> f64 {
        if (k / 15).is_multiple_of(2) { 500.0 } else { 550.0 }
    }

    #[test]
    fn without_noise_phase_correction_is_exact() {
        let found = phase(&[run(0.5, 0.0, shifted)], &Means::OfEachRun).unwrap();
        assert!((found.alpha[0].value - 0.5).abs() < 1e-6, "{found:?}");
        assert_eq!((found.alpha.len(), found.beta, found.intervals), (1, None, 59));
    }

    #[test]
    fn without_noise_phase_and_period_correction_are_exact() {
        for baseline in [Baseline::Known(Nanos::ZERO), Baseline::Estimated] {
            let found = phase_and_period(&[run(0.5, 0.2, stepping)], baseline).unwrap();
            assert!((found.alpha[0].value - 0.5).abs() < 1e-6, "{found:?}");
            assert!((found.beta.unwrap().value - 0.2).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn too_little_data_and_equal_partners_are_refused_with_a_reason() {
        let mut short = run(0.5, 0.0, shifted);
        short.taps.truncate(15);
        short.partners[0].truncate(15);
        let refused = phase(&[short.clone()], &Means::OfEachRun).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "14 intervals between taps are too few: at least 15 are needed"
        );
        short.taps.truncate(3);
        assert!(matches!(phase(&[short], &Means::Pooled), Err(NoEstimate::Unequal { .. })));
        assert!(phase(&[] as &[TapRun], &Means::Pooled).is_err());
        let mut twice = run(0.5, 0.0, shifted);
        twice.partners.push(twice.partners[0].clone());
        assert!(matches!(phase(&[twice], &Means::Pooled), Err(NoEstimate::Indistinct(_))));
    }
}
