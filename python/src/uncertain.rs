//! The statistics of one run of values with their intervals, as JSON; beside each, where its
//! interval holds the truth in less than 93 % of simulated runs of this length, that share as
//! `held`.

use crate::groups::Values;
use crate::models::{times, told};
use chronotap_analysis::circular::{self, mixture};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::reproduction::interval::of_rounds;
use chronotap_analysis::uncertainty::{
    coverage, of_asynchronies, of_directions, of_following, of_intervals, of_tracking,
};
use chronotap_analysis::wing_kristofferson::{estimate_without_slips, interval};
use chronotap_analysis::{asynchrony, fluctuation, intervals};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

// Each estimate, by field, and the name of its coverage.
/// Of asynchrony.
pub const ASYNCHRONY: [(&str, &str); 6] = [
    ("mean_ms", "mean asynchrony"),
    ("median_ms", "median asynchrony"),
    ("sd_ms", "sd asynchrony"),
    ("mean_absolute_ms", "mean absolute asynchrony"),
    ("rms_ms", "rms asynchrony"),
    ("lag_one", "asynchrony lag one"),
];
/// Of interval.
pub const INTERVAL: [(&str, &str); 8] = [
    ("mean_ms", "mean interval"),
    ("median_ms", "median interval"),
    ("sd_ms", "sd interval"),
    ("cv", "cv interval"),
    ("rmssd_ms", "rmssd interval"),
    ("drift_ms_per_interval", "drift"),
    ("npvi", "npvi"),
    ("lag_one", "interval lag one"),
];
/// Of direction.
pub const DIRECTION: [(&str, &str); 4] = [
    ("resultant", "resultant"),
    ("direction_rad", "direction"),
    ("sd_rad", "circular sd"),
    ("deviation_rad", "angular deviation"),
];
/// Of mixture.
pub const MIXTURE: [(&str, &str); 3] = [
    ("in_phase", "share in phase"),
    ("direction_rad", "direction of the mode"),
    ("concentration", "concentration"),
];
/// Of tracking.
pub const TRACKING: [(&str, &str); 6] = [
    ("r0", "prediction"),
    ("r1", "tracking"),
    ("ratio", "prediction over tracking"),
    ("index", "prediction less tracking"),
    ("r0_less_own", "prediction less own"),
    ("r1_less_own", "tracking less own"),
];
/// Of following.
pub const FOLLOWING: [(&str, &str); 3] = [
    ("first_follows", "first follows"),
    ("together", "together"),
    ("second_follows", "second follows"),
];
/// Of clock and motor.
pub const CLOCK_AND_MOTOR: [(&str, &str); 3] =
    [("clock_ms2", "clock variance"), ("motor_ms2", "motor variance"), ("r1", "lag one")];
pub const DETRENDED: [(&str, &str); 3] = [
    ("clock_ms2", "detrended clock variance"),
    ("motor_ms2", "detrended motor variance"),
    ("r1", "lag one"),
];
/// Of exponent.
/// Of reproduction.
pub const REPRODUCTION: [(&str, &str); 3] = [
    ("error_ms", "mean reproduction error"),
    ("sd_ms", "sd reproduction error"),
    ("absolute_error_ms", "mean absolute reproduction error"),
];
pub const EXPONENT: [(&str, &str); 1] = [("exponent", "scaling exponent")];

/// Puts beside each estimate how often its interval held the truth; `names` are those of the
/// coverages, by field.
fn held(found: impl Serialize, n: usize, names: &[(&str, &str)]) -> Value {
    let mut found = json!(found);
    for (field, name) in names {
        if let (Some(share), Some(of)) = (coverage::doubted(name, n), found[*field].as_object_mut())
        {
            of.insert("held".into(), json!(share));
        }
    }
    found
}

/// Asynchronies in ms.
#[pyfunction]
pub fn asynchrony_estimates(py: Python<'_>, values: Values<'_>) -> PyResult<String> {
    let values = values.owned()?;
    told(py.detach(|| {
        let values = times(&values);
        let described = asynchrony::describe(&values).ok_or(nothing("asynchronies"))?;
        Ok(held(of_asynchronies(&values, &described)?, values.len(), &ASYNCHRONY))
    }))
}

/// Inter-tap intervals in ms.
#[pyfunction]
pub fn interval_estimates(py: Python<'_>, values: Values<'_>) -> PyResult<String> {
    let values = values.owned()?;
    told(py.detach(|| {
        let values = times(&values);
        let described = intervals::describe(&values).ok_or(nothing("intervals"))?;
        Ok(held(of_intervals(&values, &described)?, values.len(), &INTERVAL))
    }))
}

/// Directions in radians.
#[pyfunction]
pub fn direction_estimates(py: Python<'_>, angles: Values<'_>) -> PyResult<String> {
    let angles = angles.owned()?;
    told(py.detach(|| {
        let described = circular::describe(&angles).ok_or(nothing("taps"))?;
        Ok(held(of_directions(&angles, &described)?, angles.len(), &DIRECTION))
    }))
}

/// Clock and motor variance of intervals in ms, by formula; `detrended` takes their drift off.
#[pyfunction]
pub fn clock_and_motor_estimates(
    py: Python<'_>,
    values: Values<'_>,
    detrended: bool,
) -> PyResult<String> {
    let values = values.owned()?;
    let names = if detrended { &DETRENDED } else { &CLOCK_AND_MOTOR };
    told(py.detach(|| {
        let levels = estimate_without_slips(&times(&values)).ok_or(nothing("intervals"))?;
        let of = if detrended { interval::detrended_bounds } else { interval::bounds };
        Ok(held(of(&levels)?, levels.n, names))
    }))
}

/// The mixture of a mode in phase and one in anti-phase, of angles in radians.
#[pyfunction]
pub fn mixture_estimates(py: Python<'_>, angles: Values<'_>) -> PyResult<String> {
    let angles = angles.owned()?;
    told(py.detach(|| {
        let found = mixture::mixture(&angles)?;
        Ok(held(mixture::intervals_of(&angles, &found)?, angles.len(), &MIXTURE))
    }))
}

/// Errors of reproduction in ms, those of each round.
#[pyfunction]
pub fn reproduction_estimates(py: Python<'_>, rounds: Vec<Vec<f64>>) -> PyResult<String> {
    told(py.detach(|| {
        let found = of_rounds(&rounds)?;
        Ok(held(found, found.rounds, &REPRODUCTION))
    }))
}

/// The scaling exponent of detrended fluctuation analysis, its interval drawn from `seed`.
#[pyfunction]
pub fn exponent_estimate(py: Python<'_>, values: Values<'_>, seed: u64) -> PyResult<String> {
    let values = values.owned()?;
    told(py.detach(|| {
        let n = values.len();
        let found = fluctuation::with_interval(&fluctuation::fluctuation(&values)?, n, seed)?;
        Ok(held(found, n, &EXPONENT))
    }))
}

/// Prediction and tracking, from intervals in ms of taps and pacing.
#[pyfunction]
pub fn tracking_estimates(
    py: Python<'_>,
    taps: Values<'_>,
    pacing: Values<'_>,
) -> PyResult<String> {
    let (taps, pacing) = (taps.owned()?, pacing.owned()?);
    told(
        py.detach(|| Ok(held(of_tracking(&times(&taps), &times(&pacing))?, taps.len(), &TRACKING))),
    )
}

/// Who follows whom, from intervals in ms of two people.
#[pyfunction]
pub fn following_estimates(
    py: Python<'_>,
    first: Values<'_>,
    second: Values<'_>,
) -> PyResult<String> {
    let (first, second) = (first.owned()?, second.owned()?);
    let n = first.len();
    told(py.detach(|| Ok(held(of_following(&times(&first), &times(&second))?, n, &FOLLOWING))))
}

/// How often intervals of a model held the truth, where that is less often than in 93 %.
#[pyfunction]
pub fn held_share(of: &str, n: usize) -> Option<f64> {
    coverage::doubted(of, n)
}

/// That there is nothing at all.
pub fn nothing(what: &'static str) -> NoEstimate {
    NoEstimate::TooFew { what, needed: 1, found: 0 }
}
