//! [`Runs`]: runs of taps with the onsets of their partners, as they come from Python: all times
//! in one array, so that many runs cost little more than their numbers.

use crate::groups::{by_code, times};
use chronotap_analysis::correction::TapRun;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;

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
    pub fn by_group(&self) -> PyResult<Vec<Vec<TapRun>>> {
        let codes = self.codes.as_slice()?;
        by_code("run", self.all(codes, "group")?, codes, self.groups)
    }

    /// The runs of each trial of each group; `trials` has the number of each run's trial.
    pub fn by_trial(&self, trials: &[i64]) -> PyResult<Vec<Vec<Vec<TapRun>>>> {
        let codes = self.codes.as_slice()?;
        self.all(codes, "group")?;
        let runs = self.all(trials, "trial")?.into_iter().zip(trials);
        let groups = by_code("run", runs, codes, self.groups)?;
        let parted = |runs: Vec<(TapRun, &i64)>| {
            let mut of: BTreeMap<i64, Vec<TapRun>> = BTreeMap::new();
            runs.into_iter().for_each(|(run, trial)| of.entry(*trial).or_default().push(run));
            of.into_values().collect()
        };
        Ok(groups.into_iter().map(parted).collect())
    }

    /// All runs, of which each has a label in `labels`.
    fn all(&self, labels: &[i64], what: &str) -> PyResult<Vec<TapRun>> {
        let (mut rest, mut lengths) = (self.times.as_slice()?, self.lengths.as_slice()?.iter());
        let lists = self.lists.as_slice()?;
        if lists.len() != labels.len() {
            let (n, m) = (lists.len(), labels.len());
            let what = format!("{n} runs and {m} {what}s: give one {what} for each run");
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
            TapRun { taps: all.pop().unwrap_or_default(), partners }
        };
        Ok(lists.iter().map(run).collect())
    }
}
