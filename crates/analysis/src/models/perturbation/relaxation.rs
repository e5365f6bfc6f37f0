//! Relaxation after a perturbation: the factor by which its remainder shrinks with each tap.
//!
//! The mean asynchrony curve, as a share of the perturbation, is fitted by c ρ^j over the lags
//! j, from 0 after a phase shift and from 1 after an onset shift; c by least squares for each
//! ρ in −1 to 1. In the linear model ρ = 1 − α. The interval is that of a bootstrap over the
//! responses, which are taken as independent of each other.

use super::{PerturbationKind, Response};
use crate::bootstrap::{Resampling, interval};
use crate::estimate::Estimate;
use crate::no_estimate::NoEstimate;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Relaxation {
    /// The factor ρ from one tap to the next.
    pub factor: Estimate,
    /// Taps until half is left, ln ½ / ln |ρ|; `None` where ρ is 0.
    pub half_life_taps: Option<f64>,
    /// What the interval was drawn with.
    pub resampling: Resampling,
}

/// The relaxation of responses to perturbations of one kind: at least ten.
pub fn relaxation(responses: &[Response], seed: u64) -> Result<Relaxation, NoEstimate> {
    if responses.iter().any(|response| response.kind == PerturbationKind::Step) {
        return Err(NoEstimate::Indistinct("phase and period correction after a step"));
    }
    let resampling = Resampling { block: 1, ..Resampling::of(responses.len(), seed) };
    let factor = interval(responses.len(), resampling, |places| decay(&shares(responses, places)))?;
    let half_life_taps =
        (factor.value != 0.0).then(|| -std::f64::consts::LN_2 / libm::log(factor.value.abs()));
    Ok(Relaxation { factor, half_life_taps, resampling })
}

/// The mean of asynchrony / size at each lag, of the responses at these places.
fn shares(responses: &[Response], places: &[usize]) -> Vec<Option<f64>> {
    let lags = responses.iter().map(|response| response.asynchronies_ms.len()).max().unwrap_or(0);
    let first =
        usize::from(responses.iter().any(|response| response.kind == PerturbationKind::OnsetShift));
    let mean = |lag: usize| {
        let share = |place: &usize| {
            let response = &responses[*place];
            Some(response.asynchronies_ms.get(lag).copied().flatten()? / response.size_ms)
        };
        let (sum, n) =
            places.iter().filter_map(share).fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
        (n > 0.0).then(|| sum / n)
    };
    (first..lags).map(mean).collect()
}

/// ρ: the best of a grid, then by the golden section around it.
fn decay(curve: &[Option<f64>]) -> Option<f64> {
    const STEP: f64 = 0.02;
    let squares = |factor: f64| left_over(curve, factor);
    let grid = (-49..=49).map(|k| f64::from(k) * STEP);
    let best = grid.min_by(|a, b| squares(*a).total_cmp(&squares(*b)))?;
    let varies = curve.iter().flatten().any(|share| *share != 0.0);
    let (mut low, mut high) = (best - STEP, best + STEP);
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    while high - low > 1e-9 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if squares(a) < squares(b) { high = b } else { low = a }
    }
    varies.then_some((low + high) / 2.0)
}

/// The sum of squares that c ρ^j leaves, at the best c.
fn left_over(curve: &[Option<f64>], factor: f64) -> f64 {
    let (mut power, mut xx, mut xy, mut yy) = (1.0, 0.0, 0.0, 0.0);
    for share in curve {
        if let Some(y) = share {
            xx += power * power;
            xy += power * y;
            yy += y * y;
        }
        power *= factor;
    }
    if xx > 0.0 { yy - xy * xy / xx } else { yy }
}

#[cfg(test)]
mod tests {
    use super::super::tests::tapper;
    use super::super::{PacingPerturbation, USUAL, response};
    use super::*;
    use chronotap_core::time::Nanos;

    fn responses(kind: PerturbationKind) -> Vec<Response> {
        let of = |size: i64| {
            let perturbation = PacingPerturbation { kind, beat: 4, size: Nanos::from_millis(size) };
            response(&tapper(kind, size as f64, 0.0), &perturbation, USUAL).unwrap()
        };
        [-50, -40, -30, -20, -10, 10, 20, 30, 40, 50].map(of).to_vec()
    }

    #[test]
    fn without_noise_the_factor_is_what_phase_correction_leaves() {
        for kind in [PerturbationKind::PhaseShift, PerturbationKind::OnsetShift] {
            let found = relaxation(&responses(kind), 1).unwrap();
            assert!((found.factor.value - 0.5).abs() < 1e-5, "{found:?}");
            assert!((found.half_life_taps.unwrap() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn steps_and_few_responses_have_no_relaxation() {
        assert!(matches!(
            relaxation(&responses(PerturbationKind::Step), 1),
            Err(NoEstimate::Indistinct(_))
        ));
        assert!(relaxation(&responses(PerturbationKind::PhaseShift)[..9], 1).is_err());
    }
}
