//! Models of what follows a change: of the pacing (perturbations), of the feedback (delays,
//! single altered tones), of the tempo (tracking). As in `models`, JSON for the package; a part
//! that the data do not give says `why_not`.

use crate::groups::Values;
use crate::models::{times, told};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::perturbation::{self, Course, Kind, Perturbation, Response};
use chronotap_analysis::tracking;
use chronotap_time::Nanos;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// A kind of perturbation by its name.
pub fn kind_of(word: &str) -> PyResult<Kind> {
    match word {
        "phase shift" => Ok(Kind::PhaseShift),
        "onset shift" => Ok(Kind::OnsetShift),
        "step" => Ok(Kind::Step),
        other => Err(PyValueError::new_err(format!(
            "kind = {other:?}: there are 'phase shift', 'onset shift' and 'step'"
        ))),
    }
}

fn nanos(ms: f64) -> Nanos {
    Nanos::round_from_f64(ms * 1e6)
}

/// The response to each perturbation (the place of the first beat that it moved, from 0, and
/// its size in ms) in asynchronies by beat, in ms, NaN where no tap answers.
#[pyfunction]
pub fn responses_of(
    py: Python<'_>,
    asynchronies: Vec<f64>,
    perturbations: Vec<(usize, f64)>,
    kind: &str,
    course: (usize, usize),
) -> PyResult<String> {
    let kind = kind_of(kind)?;
    Ok(py.detach(|| {
        let known = |ms: &f64| (!ms.is_nan()).then(|| nanos(*ms));
        let asynchronies: Vec<Option<Nanos>> = asynchronies.iter().map(known).collect();
        let course = Course { before: course.0, after: course.1 };
        let one = |&(beat, size_ms): &(usize, f64)| {
            let perturbation = Perturbation { kind, beat, size: nanos(size_ms) };
            match perturbation::response(&asynchronies, &perturbation, course) {
                Ok(found) => json!({
                    "size_ms": found.size_ms,
                    "baseline_ms": found.baseline_ms,
                    "asynchronies_ms": found.asynchronies_ms,
                    "shifts_ms": found.shifts_ms,
                }),
                Err(why) => json!({ "size_ms": size_ms, "why_not": why.to_string() }),
            }
        };
        perturbations.iter().map(one).collect::<Value>().to_string()
    }))
}

/// A response as it comes back from Python: its size, and by lag the asynchronies less the
/// baseline, and the shifts, all in ms.
type Given = (f64, Vec<Option<f64>>, Vec<Option<f64>>);

fn responses(kind: &str, given: Vec<Given>) -> PyResult<Vec<Response>> {
    let kind = kind_of(kind)?;
    let response = |(size_ms, asynchronies_ms, shifts_ms)| Response {
        kind,
        size_ms,
        baseline_ms: 0.0, // taken off already
        asynchronies_ms,
        shifts_ms,
    };
    Ok(given.into_iter().map(response).collect())
}

/// The gain of the phase correction response.
#[pyfunction]
pub fn gain_of(py: Python<'_>, kind: &str, given: Vec<Given>) -> PyResult<String> {
    let responses = responses(kind, given)?;
    told(py.detach(|| perturbation::gain(&responses)))
}

/// How fast what is left of a perturbation becomes smaller, with an interval drawn from `seed`.
#[pyfunction]
pub fn relaxation_of(py: Python<'_>, kind: &str, given: Vec<Given>, seed: u64) -> PyResult<String> {
    let responses = responses(kind, given)?;
    told(py.detach(|| perturbation::relaxation(&responses, seed)))
}

/// Whether intervals predict those of the pacing or follow them, in ms.
#[pyfunction]
pub fn tracking_of(py: Python<'_>, taps: Values<'_>, pacing: Values<'_>) -> PyResult<String> {
    let (taps, pacing) = (taps.owned()?, pacing.owned()?);
    told(py.detach(|| tracking::tracking(&times(&taps), &times(&pacing))))
}

/// An estimate as JSON, or null where the data give none.
pub fn estimate(found: &Result<Estimate, NoEstimate>) -> Value {
    found.as_ref().map_or(Value::Null, |found| json!(found))
}
