//! Estimates with intervals, one at a time: what the analysis crate says of a list of values
//! or of runs of taps, as JSON, which the package turns into dataclasses. Where data give no
//! estimate the reason is a `ValueError`.

use crate::groups::Values;
use crate::runs::Runs;
use chronotap_analysis::circular::{mixture, v_test};
use chronotap_analysis::correction::{self, Baseline, Means, adam};
use chronotap_analysis::estimate;
use chronotap_analysis::fluctuation::{self, Fluctuation};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::pairs;
use chronotap_analysis::proportion;
use chronotap_analysis::wing_kristofferson::{estimate_without_slips, interval::with_interval};
use chronotap_time::Nanos;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

/// An estimate as JSON.
pub fn told<T: Serialize>(found: Result<T, NoEstimate>) -> PyResult<String> {
    let found = found.map_err(|why| PyValueError::new_err(why.to_string()))?;
    serde_json::to_string(&found).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Times in ms, to the nanosecond.
pub fn times(ms: &[f64]) -> Vec<Nanos> {
    ms.iter().map(|ms| Nanos::round_from_f64(ms * 1e6)).collect()
}

/// The mean of independent values with Student's interval.
#[pyfunction]
pub fn mean_of(py: Python<'_>, values: Values<'_>) -> PyResult<String> {
    let values = values.owned()?;
    told(py.detach(|| estimate::of_mean("values", &values)))
}

/// The difference of two means of independent values, with Welch's interval.
#[pyfunction]
pub fn difference_of(py: Python<'_>, first: Values<'_>, second: Values<'_>) -> PyResult<String> {
    let (first, second) = (first.owned()?, second.owned()?);
    told(py.detach(|| estimate::of_difference("values", &first, &second)))
}

/// Clock and motor variance of intervals in ms, with intervals drawn from `seed`.
#[pyfunction]
pub fn clock_and_motor_levels(
    py: Python<'_>,
    intervals: Values<'_>,
    seed: u64,
) -> PyResult<String> {
    let intervals = intervals.owned()?;
    told(py.detach(|| {
        let found = estimate_without_slips(&times(&intervals));
        with_interval(&found.ok_or(NoEstimate::NothingVaries("intervals"))?, seed)
    }))
}

/// Phase correction in runs of taps, each with the onsets of its partners, in ms. `means` is
/// `each run` or `pooled`.
#[pyfunction]
pub fn phase_correction(py: Python<'_>, runs: Runs<'_>, pooled: bool) -> PyResult<String> {
    let runs = runs.all()?;
    let means = if pooled { Means::Pooled } else { Means::OfEachRun };
    told(py.detach(|| correction::phase(&runs, &means)))
}

/// Phase and period correction in runs of taps, each with the onsets of the pacing, in ms.
/// Without a `baseline` in ms it is estimated with the rest.
#[pyfunction]
pub fn phase_and_period_correction(
    py: Python<'_>,
    runs: Runs<'_>,
    baseline: Option<f64>,
) -> PyResult<String> {
    let runs = runs.all()?;
    let known = |ms: f64| Baseline::Known(Nanos::round_from_f64(ms * 1e6));
    let baseline = baseline.map_or(Baseline::Estimated, known);
    told(py.detach(|| correction::phase_and_period(&runs, baseline)))
}

/// Adaptation and anticipation (ADAM) in runs of taps, each with the onsets of the pacing, in ms.
#[pyfunction]
pub fn adaptation_and_anticipation(py: Python<'_>, runs: Runs<'_>) -> PyResult<String> {
    let runs = runs.all()?;
    told(py.detach(|| adam::adam(&runs)))
}

/// A share, so many of so many, with Wilson's interval.
#[pyfunction]
pub fn share_of(count: usize, of: usize) -> PyResult<String> {
    told(proportion::proportion(count, of))
}

/// Detrended fluctuation analysis by given windows, or by the usual ones.
pub fn line(values: &[f64], windows: Option<&[usize]>) -> Result<Fluctuation, NoEstimate> {
    match windows {
        Some(windows) => fluctuation::fluctuation_of(values, windows),
        None => fluctuation::fluctuation(values),
    }
}

/// Detrended fluctuation analysis of values, with the points of its line.
#[pyfunction]
pub fn fluctuation_of(
    py: Python<'_>,
    values: Values<'_>,
    windows: Option<Vec<usize>>,
) -> PyResult<String> {
    let values = values.owned()?;
    told(py.detach(|| line(&values, windows.as_deref())))
}

/// The V test of angles against an expected direction, in radians.
#[pyfunction]
pub fn v_test_of(py: Python<'_>, angles: Values<'_>, expected: f64) -> PyResult<String> {
    let angles = angles.owned()?;
    told(py.detach(|| v_test::v_test(&angles, expected)))
}

/// The mixture of a mode in phase and one in anti-phase, of angles in radians.
#[pyfunction]
pub fn mixture_of(py: Python<'_>, angles: Values<'_>) -> PyResult<String> {
    let angles = angles.owned()?;
    told(py.detach(|| mixture::mixture(&angles)))
}

/// Who follows whom, from the intervals of two people, in ms.
#[pyfunction]
pub fn following_of(py: Python<'_>, first: Values<'_>, second: Values<'_>) -> PyResult<String> {
    let (first, second) = (first.owned()?, second.owned()?);
    told(py.detach(|| pairs::following(&times(&first), &times(&second))))
}
