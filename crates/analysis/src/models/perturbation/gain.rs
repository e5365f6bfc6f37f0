//! The gain of the phase correction response: how much of a perturbation the next tap
//! takes up.

use super::Response;
use crate::estimate::Estimate;
use crate::moments::mean;
use crate::no_estimate::NoEstimate;
use serde::Serialize;

/// The gain, with Student's intervals of ordinary least squares over the responses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// Responses.
    pub n: usize,
    /// Slope of the response on the size, with an intercept.
    pub overall: Estimate,
    /// Slope through the origin of perturbations to later; `None` below three.
    pub later: Option<Estimate>,
    /// Slope through the origin of perturbations to earlier; `None` below three.
    pub earlier: Option<Estimate>,
    /// Later less earlier.
    pub asymmetry: Option<Estimate>,
}

/// Fewest responses that have a gain.
const FEWEST: usize = 3;

/// The gain of responses to perturbations of one kind and of different sizes.
pub fn gain(responses: &[Response]) -> Result<Gain, NoEstimate> {
    let points: Vec<(f64, f64)> =
        responses.iter().filter_map(|r| Some((r.size_ms, r.correction_ms()?))).collect();
    NoEstimate::unless("responses", points.len(), FEWEST)?;
    let overall = slope(&points).ok_or(NoEstimate::NothingVaries("sizes of the perturbations"))?;
    let (later, earlier): (Vec<_>, Vec<_>) = points.iter().partition(|(size, _)| *size > 0.0);
    let sides = [later, earlier].map(|side: Vec<(f64, f64)>| (through_origin(&side), side.len()));
    let asymmetry = match sides {
        [(Some(a), n), (Some(b), m)] => {
            let error = libm::hypot(a.standard_error, b.standard_error);
            Some(Estimate::student(a.value - b.value, error, (n + m - 2) as f64))
        }
        _ => None,
    };
    let [(later, _), (earlier, _)] = sides;
    Ok(Gain { n: points.len(), overall, later, earlier, asymmetry })
}

fn slope(points: &[(f64, f64)]) -> Option<Estimate> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (mx, my) = (mean(&x)?, mean(&y)?);
    let centred: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x - mx, y - my)).collect();
    of_products(&centred, points.len().checked_sub(2)?)
}

fn through_origin(points: &[(f64, f64)]) -> Option<Estimate> {
    if points.len() < FEWEST { None } else { of_products(points, points.len() - 1) }
}

fn of_products(points: &[(f64, f64)], freedom: usize) -> Option<Estimate> {
    let xx: f64 = points.iter().map(|(x, _)| x * x).sum();
    let slope = points.iter().map(|(x, y)| x * y).sum::<f64>() / xx;
    let squares: f64 = points.iter().map(|(x, y)| (y - slope * x) * (y - slope * x)).sum();
    let freedom = freedom.max(1) as f64;
    (xx > 1e-9).then(|| Estimate::student(slope, (squares / freedom / xx).sqrt(), freedom))
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

    #[test]
    fn unequal_gains_to_both_sides_are_told_apart() {
        let responses: Vec<Response> = [10.0, 20.0, 30.0, 40.0]
            .iter()
            .flat_map(|d| [with(*d, 0.4 * d), with(-d, -0.6 * d)])
            .collect();
        let found = gain(&responses).unwrap();
        near(found.overall.value, 0.5, 1e-9);
        near(found.later.unwrap().value, 0.4, 1e-12);
        near(found.earlier.unwrap().value, 0.6, 1e-12);
        near(found.asymmetry.unwrap().value, -0.2, 1e-12);
    }

    #[test]
    fn one_size_or_two_responses_have_no_gain() {
        let one_size = [with(20.0, 9.0), with(20.0, 11.0), with(20.0, 10.0)];
        assert!(matches!(gain(&one_size), Err(NoEstimate::NothingVaries(_))));
        assert!(gain(&one_size[..2]).is_err());
    }
}
