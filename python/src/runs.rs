//! [`Runs`]: runs of taps with the onsets of their partners, as they come from Python: all times
//! in one array, so that many runs cost little more than their numbers.

use crate::groups::{by_code, times};
use chronotap_analysis::correction::Run;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Runs, each of several lists: the taps, then the onsets of each partner.
#[derive(FromPyObject)]
pub struct Runs<'py> {
    /// The times of all lists, in ms.
    #[pyo3(item(0))]
    times: PyReadonlyArray1<'py, f64>,
    /// How many each list has.
    #[pyo3(item(1))]
    lengths: PyReadonlyArray1<'py, i64>,
    /// How many lists each run has.
    #[pyo3(item(2))]
    lists: PyReadonlyArray1<'py, i64>,
    /// The number of each run's group, from 0.
    #[pyo3(item(3))]
    codes: PyReadonlyArray1<'py, i64>,
    #[pyo3(item(4))]
    groups: usize,
}

impl Runs<'_> {
    /// The runs of each group, in the order in which they came.
    pub fn by_group(&self) -> PyResult<Vec<Vec<Run>>> {
        let (mut rest, mut lengths) = (self.times.as_slice()?, self.lengths.as_slice()?.iter());
        let (lists, codes) = (self.lists.as_slice()?, self.codes.as_slice()?);
        if lists.len() != codes.len() {
            let (n, m) = (lists.len(), codes.len());
            let what = format!("{n} runs and {m} groups: give one group for each run");
            return Err(PyValueError::new_err(what));
        }
        let run = |count: &i64| {
            let mut all = Vec::with_capacity(*count as usize);
            for length in lengths.by_ref().take(*count as usize) {
                let (list, more) = rest.split_at(*length as usize);
                all.push(times(list));
                rest = more;
            }
            let partners = all.split_off(1.min(all.len()));
            Run { taps: all.pop().unwrap_or_default(), partners }
        };
        by_code("run", lists.iter().map(run), codes, self.groups)
    }
}
