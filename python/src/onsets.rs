//! What is made of onsets: which tap answers which beat, the level of the metre, two people
//! together, reproduced rhythms, and what rules of cleaning leave out. As in `models`, JSON for
//! the package, times in ms.

use crate::groups::Values;
use crate::models::times;
use crate::responses::estimate;
use chronotap_analysis::circular::Circular;
use chronotap_analysis::cleaning::Rule;
use chronotap_analysis::matching::{Grid, Matching, Pair};
use chronotap_analysis::metre::{self, Mode};
use chronotap_analysis::observed::Stream;
use chronotap_analysis::{pairs, rhythm};
use chronotap_time::Nanos;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Matches taps to beats, both ascending: pairs of places with their asynchronies, and what is
/// left on both sides.
#[pyfunction]
pub fn matching_of(
    py: Python<'_>,
    beats: Values<'_>,
    taps: Values<'_>,
    window: f64,
    optimal: bool,
) -> PyResult<String> {
    let (beats, taps) = (beats.owned()?, taps.owned()?);
    Ok(py.detach(|| {
        let found = matched(&beats, &taps, window, optimal);
        let of = |pair: &Pair| json!([pair.beat, pair.tap, pair.asynchrony.as_millis_f64()]);
        json!({
            "pairs": found.pairs.iter().map(of).collect::<Value>(),
            "missed": found.missed,
            "extra": found.extra,
            "unpaced": found.unpaced,
            "doubled": found.doubled,
        })
        .to_string()
    }))
}

/// Taps matched to beats, both in ms: the closest first, or as well as is possible for all of them.
pub fn matched(beats: &[f64], taps: &[f64], window: f64, optimal: bool) -> Matching {
    let grid = Grid::new(&Stream::steady("beats", times(beats)), window);
    let taps = times(taps);
    if optimal { grid.matched_optimally(&taps) } else { grid.matched_with(&taps) }
}

/// The level of the metre at which somebody taps, and whether on the beat.
#[pyfunction]
pub fn tapping_of(py: Python<'_>, beats: Values<'_>, taps: Values<'_>) -> PyResult<String> {
    let (beats, taps) = (beats.owned()?, taps.owned()?);
    let found = py.detach(|| metre::tapping(&times(&beats), &times(&taps)));
    let found = found.map_err(|why| PyValueError::new_err(why.to_string()))?;
    let mode = match found.mode {
        Mode::InPhase => "in phase",
        Mode::AntiPhase => "anti-phase",
        Mode::Between => "between",
    };
    let told = json!({
        "taps": found.level.taps,
        "beats": found.level.beats,
        "ratio": found.ratio,
        "mode": mode,
        "resultant": found.circular.resultant,
        "direction_rad": found.circular.direction_rad,
    });
    Ok(told.to_string())
}

/// How far apart the taps of two people are: of the second against the first.
#[pyfunction]
pub fn together_of(py: Python<'_>, first: Values<'_>, second: Values<'_>) -> PyResult<String> {
    let (first, second) = (first.owned()?, second.owned()?);
    Ok(py.detach(|| {
        let found = pairs::together(&times(&first), &times(&second));
        let of = |of: fn(&Circular) -> f64| found.circular.as_ref().map(of);
        json!({
            "n": found.matching.pairs.len(),
            "missed": found.matching.missed.len(),
            "mean_ms": found.asynchrony.map(|a| a.mean_ms),
            "sd_ms": found.asynchrony.and_then(|a| a.sd_ms),
            "mean_absolute_ms": found.asynchrony.map(|a| a.mean_absolute_ms),
            "relative_distance": found.relative_distance,
            "resultant": of(|circular| circular.resultant),
        })
        .to_string()
    }))
}

/// Reproductions of a rhythm, all as intervals.
#[pyfunction]
pub fn reproduction_of(
    py: Python<'_>,
    asked: Vec<f64>,
    produced: Vec<Vec<f64>>,
) -> PyResult<String> {
    let produced: Vec<Vec<Nanos>> = produced.iter().map(|one| times(one)).collect();
    let found = py.detach(|| rhythm::reproduction(&times(&asked), &produced));
    let found = found.map_err(|why| PyValueError::new_err(why.to_string()))?;
    let interval = |of: &rhythm::Reproduced| {
        json!({
            "asked_ms": of.asked_ms,
            "error_ms": estimate(&of.error_ms),
            "asked_share": of.asked_share,
            "share_error": estimate(&of.share_error),
            "drift": of.drift.as_ref().map_or(Value::Null, estimate),
        })
    };
    let told = json!({
        "complete": found.complete,
        "incomplete": found.incomplete,
        "tempo": estimate(&found.tempo),
        "intervals": found.intervals.iter().map(interval).collect::<Value>(),
    });
    Ok(told.to_string())
}

/// A rule of cleaning, by its name and number.
pub fn rule_of((name, number): &(String, f64)) -> PyResult<Rule> {
    Ok(match name.as_str() {
        "debounce_ms" => Rule::Debounce(Nanos::round_from_f64(number * 1e6)),
        "first_taps" => Rule::FirstTaps(*number as usize),
        "interval_outliers" => Rule::IntervalOutliers(*number),
        "asynchrony_outliers" => Rule::AsynchronyOutliers(*number),
        "slips" => Rule::Slips,
        other => return Err(PyValueError::new_err(format!("there is no rule {other:?}"))),
    })
}
