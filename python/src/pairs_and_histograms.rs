//! Statistics of many groups that have several rows, or two columns of values.

use crate::groups::{Grouped, Missing::AnyUnit, Missing::Refused};
use crate::statistics::{Rows, micros};
use crate::table::{Field, of_groups};
use chronotap_analysis::pairs::{cross_correlation, windowed};
use chronotap_analysis::{autocorrelation, lateness};
use chronotap_core::time::Nanos;
use pyo3::prelude::*;

/// How many of the lateness in µs fall into each of the buckets that every report has.
#[pyfunction]
pub fn lateness_histogram<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    let fields = ["from_us", "below_us", "count"].map(Field::Number);
    of_groups(py, [(&values, Refused)], &fields, |[values], row| {
        let times: Vec<Nanos> = values.iter().map(micros).collect();
        for bucket in lateness::histogram(&times) {
            let [from, below] = [bucket.from_us, bucket.below_us].map(|us| us.map(|us| us as f64));
            row.maybe(from).maybe(below).number(bucket.count as f64);
        }
        Ok(())
    })
}

/// The cross-correlation of two columns at a lag: the second so many places later.
#[pyfunction]
pub fn cross_correlations<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
    lag: isize,
) -> Rows<'py> {
    let fields = ["n", "r", "band"].map(Field::Number);
    of_groups(py, [(&first, AnyUnit), (&second, AnyUnit)], &fields, |[first, second], row| {
        row.count(first.len()).maybe(cross_correlation(first, second, lag));
        row.maybe(autocorrelation::band(first.len()));
        Ok(())
    })
}

/// Cross-correlations within windows, a row for each window and lag.
#[pyfunction]
pub fn windowed_cross_correlations<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
    window: usize,
    step: usize,
    lags: usize,
) -> Rows<'py> {
    let fields = ["start", "lag", "r"].map(Field::Number);
    of_groups(py, [(&first, AnyUnit), (&second, AnyUnit)], &fields, |[first, second], row| {
        for one in windowed(first, second, window, step, lags)? {
            row.count(one.start).number(one.lag as f64).maybe(one.r);
        }
        Ok(())
    })
}
