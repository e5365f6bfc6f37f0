//! The statistics of one run of values with their intervals, as JSON; beside each, where its
//! interval holds the truth in less than 93 % of simulated runs of this length, that share as
//! `held`.

use crate::models::{times, told};
use chronotap_analysis::circular::{self, mixture};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::uncertainty::{
    coverage, of_asynchronies, of_directions, of_following, of_intervals, of_tracking,
};
use chronotap_analysis::wing_kristofferson::{estimate_without_slips, interval};
use chronotap_analysis::{asynchrony, fluctuation, intervals};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

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
pub fn asynchrony_estimates(py: Python<'_>, values: Vec<f64>) -> PyResult<String> {
    let names = [
        ("mean_ms", "mean asynchrony"),
        ("median_ms", "median asynchrony"),
        ("sd_ms", "sd asynchrony"),
        ("mean_absolute_ms", "mean absolute asynchrony"),
        ("rms_ms", "rms asynchrony"),
        ("lag_one", "asynchrony lag one"),
    ];
    told(py.detach(|| {
        let values = times(&values);
        let described = asynchrony::describe(&values).ok_or(nothing("asynchronies"))?;
        Ok(held(of_asynchronies(&values, &described)?, values.len(), &names))
    }))
}

/// Inter-tap intervals in ms.
#[pyfunction]
pub fn interval_estimates(py: Python<'_>, values: Vec<f64>) -> PyResult<String> {
    let names = [
        ("mean_ms", "mean interval"),
        ("median_ms", "median interval"),
        ("sd_ms", "sd interval"),
        ("cv", "cv interval"),
        ("rmssd_ms", "rmssd interval"),
        ("drift_ms_per_interval", "drift"),
        ("npvi", "npvi"),
        ("lag_one", "interval lag one"),
    ];
    told(py.detach(|| {
        let values = times(&values);
        let described = intervals::describe(&values).ok_or(nothing("intervals"))?;
        Ok(held(of_intervals(&values, &described)?, values.len(), &names))
    }))
}

/// Directions in radians.
#[pyfunction]
pub fn direction_estimates(py: Python<'_>, angles: Vec<f64>) -> PyResult<String> {
    let names = [
        ("resultant", "resultant"),
        ("direction_rad", "direction"),
        ("sd_rad", "circular sd"),
        ("deviation_rad", "angular deviation"),
    ];
    told(py.detach(|| {
        let described = circular::describe(&angles).ok_or(nothing("taps"))?;
        Ok(held(of_directions(&angles, &described)?, angles.len(), &names))
    }))
}

/// Clock and motor variance of intervals in ms, by formula; `detrended` takes their drift off.
#[pyfunction]
pub fn clock_and_motor_estimates(
    py: Python<'_>,
    values: Vec<f64>,
    detrended: bool,
) -> PyResult<String> {
    let (clock, motor) = match detrended {
        true => ("detrended clock variance", "detrended motor variance"),
        false => ("clock variance", "motor variance"),
    };
    let names = [("clock_ms2", clock), ("motor_ms2", motor), ("r1", "lag one")];
    told(py.detach(|| {
        let levels = estimate_without_slips(&times(&values)).ok_or(nothing("intervals"))?;
        let of = if detrended { interval::detrended_bounds } else { interval::bounds };
        Ok(held(of(&levels)?, levels.n, &names))
    }))
}

/// The mixture of a mode in phase and one in anti-phase, of angles in radians.
#[pyfunction]
pub fn mixture_estimates(py: Python<'_>, angles: Vec<f64>) -> PyResult<String> {
    let names = [
        ("in_phase", "share in phase"),
        ("direction_rad", "direction of the mode"),
        ("concentration", "concentration"),
    ];
    told(py.detach(|| {
        let found = mixture::mixture(&angles)?;
        Ok(held(mixture::intervals_of(&angles, &found)?, angles.len(), &names))
    }))
}

/// The scaling exponent of detrended fluctuation analysis, its interval drawn from `seed`.
#[pyfunction]
pub fn exponent_estimate(py: Python<'_>, values: Vec<f64>, seed: u64) -> PyResult<String> {
    told(py.detach(|| {
        let n = values.len();
        let found = fluctuation::with_interval(&fluctuation::fluctuation(&values)?, n, seed)?;
        Ok(held(found, n, &[("exponent", "scaling exponent")]))
    }))
}

/// Prediction and tracking, from intervals in ms of taps and pacing.
#[pyfunction]
pub fn tracking_estimates(py: Python<'_>, taps: Vec<f64>, pacing: Vec<f64>) -> PyResult<String> {
    let names = [
        ("r0", "prediction"),
        ("r1", "tracking"),
        ("ratio", "prediction over tracking"),
        ("index", "prediction less tracking"),
        ("r0_less_own", "prediction less own"),
        ("r1_less_own", "tracking less own"),
    ];
    told(py.detach(|| Ok(held(of_tracking(&times(&taps), &times(&pacing))?, taps.len(), &names))))
}

/// Who follows whom, from intervals in ms of two people.
#[pyfunction]
pub fn following_estimates(py: Python<'_>, first: Vec<f64>, second: Vec<f64>) -> PyResult<String> {
    let names = [
        ("first_follows", "first follows"),
        ("together", "together"),
        ("second_follows", "second follows"),
    ];
    let n = first.len();
    told(py.detach(|| Ok(held(of_following(&times(&first), &times(&second))?, n, &names))))
}

/// How often intervals of a model held the truth, where that is less often than in 93 %.
#[pyfunction]
pub fn held_share(of: &str, n: usize) -> Option<f64> {
    coverage::doubted(of, n)
}

fn nothing(what: &'static str) -> NoEstimate {
    NoEstimate::TooFew { what, needed: 1, found: 0 }
}
