//! [`share`]: how much of a perturbation the next tap takes up, as one number of a trial.

use super::Response;
use crate::estimate::Estimate;

/// The phase correction response as a share of the perturbation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResponseShare {
    /// Responses with a tap at lag 1.
    pub n: usize,
    /// The slope through the origin of the responses on the sizes; `None` of none.
    pub value: Option<f64>,
    /// The same with Student's interval; `None` below [`FEWEST`] responses.
    pub estimate: Option<Estimate>,
}

/// Fewest responses whose share has an interval.
pub const FEWEST: usize = 3;

/// The share of these responses, of perturbations of any kind and size: Σ r d / Σ d², with r the shift
/// of the tap at lag 1 and d the size. Through the origin, because a perturbation of no size is
/// answered by nothing; so a trial with one perturbation, or with one size, has a share too.
pub fn share(responses: &[Response]) -> ResponseShare {
    let points: Vec<(f64, f64)> =
        responses.iter().filter_map(|one| Some((one.size_ms, one.correction_ms()?))).collect();
    let squares: f64 = points.iter().map(|(size, _)| size * size).sum();
    let products: f64 = points.iter().map(|(size, response)| size * response).sum();
    let value = (squares > 0.0).then(|| products / squares);
    let interval = |slope: f64| {
        let freedom = points.len().checked_sub(1).filter(|_| points.len() >= FEWEST)? as f64;
        let left: f64 = points.iter().map(|(size, r)| (r - slope * size).powi(2)).sum();
        Some(Estimate::student(slope, (left / freedom / squares).sqrt(), freedom))
    };
    ResponseShare { n: points.len(), value, estimate: value.and_then(interval) }
}

#[cfg(test)]
mod tests {
    use super::super::PerturbationKind;
    use super::*;
    use crate::near;

    fn with(size_ms: f64, correction: f64) -> Response {
        let shifts_ms = vec![Some(0.0), Some(correction)];
        let asynchronies_ms = shifts_ms.clone();
        Response {
            kind: PerturbationKind::PhaseShift,
            size_ms,
            baseline_ms: 0.0,
            asynchronies_ms,
            shifts_ms,
        }
    }

    /// Sizes 10, -20, 30 and responses 6, -8, 15: Σ r d = 670, Σ d² = 1400; residuals of 0.478571 d
    /// are 1.214286, 1.571429 and 0.642857, so s² = 2.178571 and SE = √(s²/1400) = 0.039447.
    #[test]
    fn the_slope_goes_through_the_origin_as_worked_by_hand() {
        let found = share(&[with(10.0, 6.0), with(-20.0, -8.0), with(30.0, 15.0)]);
        near(found.value.unwrap(), 0.478_571_429, 1e-9);
        let estimate = found.estimate.unwrap();
        near(estimate.standard_error, 0.039_448, 1e-5);
        near(estimate.high - estimate.value, 4.302_652_730 * estimate.standard_error, 1e-6);
    }

    #[test]
    fn one_response_has_a_share_and_none_has_none() {
        let found = share(&[with(-20.0, -9.0)]);
        assert_eq!((found.n, found.value, found.estimate), (1, Some(0.45), None));
        assert_eq!(share(&[]), ResponseShare::default());
    }
}
