//! `chronotap._native`: what the Python package needs of the library, as functions of arrays
//! and texts. It turns types into each other and lets go of the interpreter while the library
//! works. What the package's users see (frames, dataclasses, plots) is made in
//! python/chronotap; every number comes from the crates.

mod batches;
mod check;
mod columns;
mod read;
mod simulate;
mod simulated;
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
    Ok(())
}
