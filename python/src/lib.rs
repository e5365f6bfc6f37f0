//! `chronotap._native`: what the Python package needs of the library, as functions of arrays
//! and texts. It turns types into each other and lets go of the interpreter while the library
//! works. What the package's users see (frames, dataclasses, plots) is made in
//! python/chronotap; every number comes from the crates. What needs Linux (real time, whole
//! studies, the doctor) is left out on other systems.

mod batches;
mod check;
mod columns;
#[cfg(target_os = "linux")]
mod doctor;
#[cfg(target_os = "linux")]
mod ended;
mod experiment;
mod models;
mod onsets;
mod read;
mod responses;
#[cfg(target_os = "linux")]
mod session;
mod simulate;
mod simulated;
mod statistics;
#[cfg(target_os = "linux")]
mod study;
mod taps;
mod toml;
mod uncertain;
mod words;

use pyo3::prelude::*;

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(read::read_events, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_table, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(toml::toml_of_json, module)?)?;
    module.add_function(wrap_pyfunction!(toml::json_of_toml, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::check_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::plan_of, module)?)?;
    module.add_function(wrap_pyfunction!(taps::read_taps, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::groups_of, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::asynchronies, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::intervals_of, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::clock_and_motor, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::directions, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::autocorrelations, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::fluctuations, module)?)?;
    module.add_function(wrap_pyfunction!(models::mean_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::difference_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::clock_and_motor_levels, module)?)?;
    module.add_function(wrap_pyfunction!(models::phase_correction, module)?)?;
    module.add_function(wrap_pyfunction!(models::phase_and_period_correction, module)?)?;
    module.add_function(wrap_pyfunction!(models::adaptation_and_anticipation, module)?)?;
    module.add_function(wrap_pyfunction!(models::share_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::fluctuation_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::v_test_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::mixture_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::following_of, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::asynchrony_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::interval_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::direction_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::clock_and_motor_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::mixture_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::exponent_estimate, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::tracking_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::following_estimates, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::held_share, module)?)?;
    module.add_function(wrap_pyfunction!(responses::responses_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::response_curve_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::gain_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::relaxation_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::effects_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::isolated_of, module)?)?;
    module.add_function(wrap_pyfunction!(responses::tracking_of, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::matching_of, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::tapping_of, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::together_of, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::reproduction_of, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::cleaned_of, module)?)?;
    on_linux(module)
}

/// What runs trials in real time.
#[cfg(target_os = "linux")]
fn on_linux(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<session::Session>()?;
    module.add_class::<session::Running>()?;
    module.add_function(wrap_pyfunction!(study::simulate_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(doctor::doctor, module)?)
}

/// Elsewhere the package says what is needed.
#[cfg(not(target_os = "linux"))]
fn on_linux(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
