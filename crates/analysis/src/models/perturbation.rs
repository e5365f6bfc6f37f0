//! Responses to a perturbation of the pacing: how far the taps follow it, and how fast
//! (Repp 2001, 2002; Thaut, Miller & Schauer 1998).
//!
//! Phase shift: one interval is changed by d, and every later onset is shifted. Onset shift:
//! one onset is moved by d, the next is back in place. Step: every interval from there on is
//! changed by d. With beat 0 the first that is moved, s\[j\] is how far beat j was moved: d; d
//! and then 0; (j + 1) d. The shift of the tap at lag j, against where it would have come, is
//! A\[j\] − baseline + s\[j\], where the baseline is the mean asynchrony just before. The phase
//! correction response, PCR, is that at lag 1; the gain is its slope on d.
//!
//! Assumes perturbations that cannot be foreseen and lie farther apart than the response
//! takes. Limits: the noise of the baseline is in every lag; after a step the taps follow by
//! phase and period together, which bGLS parts ([`crate::correction`]) and the curve does not.
//! For a gradual change of tempo see [`crate::tracking`].

mod found;
mod gain;
mod relaxation;
mod share;

use crate::estimate::{Estimate, of_mean};
use crate::moments::mean;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
pub use found::found;
pub use gain::{Gain, gain};
pub use relaxation::{Relaxation, relaxation};
pub use share::{ResponseShare, share};

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerturbationKind {
    /// One interval; every later onset is shifted.
    PhaseShift,
    OnsetShift,
    /// Every interval from there on.
    Step,
}

/// A perturbation of the pacing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacingPerturbation {
    /// What was changed.
    pub kind: PerturbationKind,
    /// The place of the first beat that was moved.
    pub beat: usize,
    /// By how much; positive is later or longer. Not 0.
    pub size: Nanos,
}

/// How many taps are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseWindow {
    /// Taps before the perturbation, for the baseline.
    pub before: usize,
    /// The last lag.
    pub after: usize,
}

/// The usual course: four taps before, lags 0 to 8.
pub const USUAL: ResponseWindow = ResponseWindow { before: 4, after: 8 };
/// Fewest taps that make a baseline.
const BASELINE: usize = 2;

/// The response to one perturbation, in ms.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// What was changed.
    pub kind: PerturbationKind,
    /// By how much.
    pub size_ms: f64,
    /// The mean asynchrony before.
    pub baseline_ms: f64,
    /// Asynchronies less the baseline, by lag; `None` where the tap is missing.
    pub asynchronies_ms: Vec<Option<f64>>,
    /// How far each tap was shifted against where it would have come, by lag.
    pub shifts_ms: Vec<Option<f64>>,
}

impl Response {
    /// The phase correction response.
    pub fn correction_ms(&self) -> Option<f64> {
        self.shifts_ms.get(1).copied().flatten()
    }
}

/// The response to a perturbation. `asynchronies` has one place for each beat.
pub fn response(
    asynchronies: &[Option<Nanos>],
    perturbation: &PacingPerturbation,
    course: ResponseWindow,
) -> Result<Response, NoEstimate> {
    let PacingPerturbation { kind, beat, size } = *perturbation;
    if size == Nanos::ZERO {
        return Err(NoEstimate::NothingVaries("beats"));
    }
    let at = |beat: usize| asynchronies.get(beat).copied().flatten().map(|a| a.as_millis_f64());
    let before: Vec<f64> = (beat.saturating_sub(course.before)..beat).filter_map(at).collect();
    NoEstimate::unless("taps before the perturbation", before.len(), BASELINE)?;
    let baseline_ms = mean(&before).unwrap_or(0.0);
    let size_ms = size.as_millis_f64();
    let less_baseline = |lag: usize| at(beat + lag).map(|asynchrony| asynchrony - baseline_ms);
    let moved = |lag: usize| match (kind, lag) {
        (PerturbationKind::PhaseShift, _) | (PerturbationKind::OnsetShift, 0) => size_ms,
        (PerturbationKind::OnsetShift, _) => 0.0,
        (PerturbationKind::Step, lag) => (lag + 1) as f64 * size_ms,
    };
    let asynchronies_ms: Vec<Option<f64>> = (0..=course.after).map(less_baseline).collect();
    let shift = |(lag, asynchrony): (usize, &Option<f64>)| asynchrony.map(|a| a + moved(lag));
    let shifts_ms = asynchronies_ms.iter().enumerate().map(shift).collect();
    Ok(Response { kind, size_ms, baseline_ms, asynchronies_ms, shifts_ms })
}

/// The mean shift at each lag as a share of the perturbation, with Student's interval over the
/// responses; no estimate at a lag of which fewer than two have a tap.
pub fn curve(responses: &[Response]) -> Vec<Result<Estimate, NoEstimate>> {
    let lags = responses.iter().map(|response| response.shifts_ms.len()).max().unwrap_or(0);
    let share = |response: &Response, lag: usize| {
        Some(response.shifts_ms.get(lag).copied().flatten()? / response.size_ms)
    };
    let at = |lag: usize| {
        let shares: Vec<f64> = responses.iter().filter_map(|r| share(r, lag)).collect();
        of_mean("responses", &shares)
    };
    (0..lags).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    /// The noise-free tapper with α = 0.5 and the given β, 600 ms, perturbed at beat 4.
    pub(super) fn tapper(kind: PerturbationKind, size: f64, beta: f64) -> Vec<Option<Nanos>> {
        let (mut tap, mut period) = (0.0, 600.0);
        let onset = |k: i32| {
            let moved = match kind {
                PerturbationKind::PhaseShift if k >= 4 => size,
                PerturbationKind::OnsetShift if k == 4 => size,
                PerturbationKind::Step if k >= 4 => size * f64::from(k - 3),
                _ => 0.0,
            };
            600.0 * f64::from(k) + moved
        };
        let next = |k: i32| {
            let asynchrony: f64 = tap - onset(k);
            period -= beta * asynchrony;
            tap += period - 0.5 * asynchrony;
            Some(Nanos::round_from_f64(asynchrony * 1e6))
        };
        (0..20).map(next).collect()
    }

    fn of(kind: PerturbationKind, size: i64, beta: f64) -> Response {
        let perturbation = PacingPerturbation { kind, beat: 4, size: Nanos::from_millis(size) };
        response(&tapper(kind, size as f64, beta), &perturbation, USUAL).unwrap()
    }

    fn check(found: &Response, asynchronies: &[f64]) {
        for (found, expected) in found.asynchronies_ms.iter().zip(asynchronies) {
            near(found.unwrap(), *expected, 1e-4);
        }
    }

    #[test]
    fn the_worked_responses_come_out() {
        let shift = of(PerturbationKind::PhaseShift, 50, 0.0);
        check(&shift, &[-50.0, -25.0, -12.5, -6.25]);
        near(shift.correction_ms().unwrap(), 25.0, 1e-6);
        let onset = of(PerturbationKind::OnsetShift, 50, 0.0);
        check(&onset, &[-50.0, 25.0, 12.5]);
        near(onset.correction_ms().unwrap(), 25.0, 1e-6);
        let step = of(PerturbationKind::Step, -50, 0.0);
        check(&step, &[50.0, 75.0, 87.5, 93.75]);
        near(step.correction_ms().unwrap(), -25.0, 1e-6);
        let both = of(PerturbationKind::Step, -50, 0.2);
        check(&both, &[50.0, 65.0, 59.5, 44.85, 28.555, 14.6965, 4.8279, -1.0719, -3.8075]);
    }

    #[test]
    fn the_curve_is_a_share_of_the_perturbation() {
        let responses =
            [of(PerturbationKind::PhaseShift, 50, 0.0), of(PerturbationKind::PhaseShift, -30, 0.0)];
        let curve = curve(&responses);
        for (found, share) in curve.iter().zip([0.0, 0.5, 0.75, 0.875]) {
            near(found.as_ref().unwrap().value, share, 1e-6);
        }
        assert!(super::curve(&responses[..1])[1].is_err());
    }

    #[test]
    fn a_response_needs_a_size_and_a_baseline() {
        let asynchronies = tapper(PerturbationKind::PhaseShift, 50.0, 0.0);
        let mut perturbation = PacingPerturbation {
            kind: PerturbationKind::PhaseShift,
            beat: 1,
            size: Nanos::from_millis(50),
        };
        assert!(response(&asynchronies, &perturbation, USUAL).is_err());
        perturbation = PacingPerturbation { beat: 4, size: Nanos::ZERO, ..perturbation };
        assert!(response(&asynchronies, &perturbation, USUAL).is_err());
    }
}
