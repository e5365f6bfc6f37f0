//! `chronotap._native`: what the Python package needs of the library, as functions of arrays
//! and texts. It turns types into each other and lets go of the interpreter while the library
//! works. What the package's users see (frames, dataclasses, plots) is made in
//! python/chronotap; every number comes from the crates.

mod batches;
mod check;
mod columns;
mod models;
mod read;
mod simulate;
mod simulated;
mod statistics;
mod taps;
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
    module.add_function(wrap_pyfunction!(taps::read_taps, module)?)?;
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
    module.add_function(wrap_pyfunction!(models::fluctuation_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::v_test_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::mixture_of, module)?)?;
    module.add_function(wrap_pyfunction!(models::following_of, module)?)?;
    Ok(())
}
