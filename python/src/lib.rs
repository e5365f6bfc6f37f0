//! `chronotap._native`: what the Python package needs of the library, as functions of arrays
//! and texts. It turns types into each other and lets go of the interpreter while the library
//! works. What the package's users see (frames, dataclasses, plots) is made in
//! python/chronotap; every number comes from the crates. What needs Linux (real time, whole
//! studies, the doctor) is left out on other systems.

mod alignment;
mod batches;
mod check;
mod columns;
#[cfg(target_os = "linux")]
mod doctor;
#[cfg(target_os = "linux")]
mod ended;
mod ensemble;
mod experiment;
mod groups;
mod models;
mod onsets;
mod pairs_and_histograms;
mod places;
mod read;
mod responses;
#[cfg(target_os = "linux")]
mod rig;
mod runs;
#[cfg(target_os = "linux")]
mod session;
mod simulate;
mod simulated;
mod statistics;
#[cfg(target_os = "linux")]
mod study;
mod table;
mod tables;
mod taps;
mod toml;
mod uncertain;
mod words;

use pyo3::prelude::*;

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("HED_VERSION", chronotap_data::record::hed::VERSION)?;
    module.add_function(wrap_pyfunction!(read::read_events, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_table, module)?)?;
    module.add_function(wrap_pyfunction!(alignment::read_recorder_table, module)?)?;
    module.add_function(wrap_pyfunction!(alignment::codes_of, module)?)?;
    module.add_function(wrap_pyfunction!(alignment::align, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_tables, module)?)?;
    module.add_function(wrap_pyfunction!(tables::same_trials, module)?)?;
    module.add_function(wrap_pyfunction!(tables::tables_of_trials, module)?)?;
    module.add_function(wrap_pyfunction!(tables::refuse_exchanged, module)?)?;
    module.add_function(wrap_pyfunction!(tables::typed_table, module)?)?;
    module.add_function(wrap_pyfunction!(tables::contrasts, module)?)?;
    module.add_function(wrap_pyfunction!(tables::excluded, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(toml::toml_of_json, module)?)?;
    module.add_function(wrap_pyfunction!(toml::json_of_toml, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::check_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::plan_of, module)?)?;
    module.add_function(wrap_pyfunction!(tables::levels_as_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(experiment::files_of, module)?)?;
    module.add_function(wrap_pyfunction!(taps::read_taps, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::groups_of, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::statistics_known, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::asynchronies, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::intervals_of, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::clock_and_motor, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::directions, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::autocorrelations, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::fluctuations, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::lateness_of, module)?)?;
    of_groups(module)?;
    on_linux(module)
}

/// What is said of groups of values, of one or of many at once.
fn of_groups(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(models::mean_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::difference_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::clock_and_motor_levels_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::phase_correction_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::correction_over_trials_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::phase_and_period_correction_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::adaptation_and_anticipation_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::shares_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::fluctuation_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::v_test_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::mixture_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::psychometric_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(models::following_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::asynchrony_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::interval_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::direction_estimates_by_group, module)?)?;
    module
        .add_function(wrap_pyfunction!(uncertain::clock_and_motor_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::mixture_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::exponent_estimate_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::tracking_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::following_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::responses_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::response_curve_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::gain_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::relaxation_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::effects_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::isolated_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(responses::tracking_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::beat_tracking_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::matching_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::hits_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::positions_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::tapping_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::together_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::in_step_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::reproduction_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(uncertain::reproduction_estimates_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(onsets::cleaned_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(ensemble::ensemble_by_group, module)?)?;
    module.add_function(wrap_pyfunction!(pairs_and_histograms::lateness_histogram, module)?)?;
    module.add_function(wrap_pyfunction!(pairs_and_histograms::cross_correlations, module)?)?;
    module.add_function(wrap_pyfunction!(
        pairs_and_histograms::windowed_cross_correlations,
        module
    )?)?;
    Ok(())
}

/// What runs trials in real time.
#[cfg(target_os = "linux")]
fn on_linux(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<rig::Rig>()?;
    module.add_class::<rig::Running>()?;
    module.add_class::<session::SessionRunning>()?;
    module.add_function(wrap_pyfunction!(session::start_session, module)?)?;
    module.add_function(wrap_pyfunction!(study::simulate_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(doctor::doctor, module)?)
}

/// Elsewhere the package says what is needed.
#[cfg(not(target_os = "linux"))]
fn on_linux(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
