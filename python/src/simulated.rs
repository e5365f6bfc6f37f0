//! [`Part`]: what came of simulated trials, as the columns of four tables: events, taps, trials,
//! statistics. The numbers are those of the summary.

use crate::columns::{Columns, column};
use crate::taps::Taps;
use crate::words::Words;
use chronotap_analysis::observed::Observed;
use chronotap_analysis::summary::Summary;
use chronotap_data::record::Row;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The columns of events, of taps, of trials, and of statistics.
pub type Lists<'py> = [Bound<'py, PyList>; 4];

/// What came of some trials, in their order.
#[derive(Default)]
pub struct Part {
    events: Columns,
    taps: Taps,
    trials: Trials,
    statistics: Statistics,
}

impl Part {
    /// Appends a trial, by its number and seed.
    pub fn push(
        &mut self,
        (trial, seed): (i64, u64),
        rows: &[Row],
        observed: &Observed<'_>,
        summary: &Summary,
    ) {
        self.events.push(trial, rows);
        self.taps.push(trial, observed);
        self.trials.push(trial, seed, summary);
        self.statistics.push(trial, summary);
    }

    /// Makes the numbers of all trials greater by so many.
    pub fn shift(&mut self, by: i64) {
        self.events.shift(by);
        self.taps.shift(by);
        let numbers = self.trials.trial.iter_mut().chain(&mut self.statistics.trial);
        numbers.for_each(|trial| *trial += by);
    }

    /// Appends other trials.
    pub fn append(&mut self, other: Part) {
        self.events.append(other.events);
        self.taps.append(other.taps);
        self.trials.append(other.trials);
        self.statistics.append(other.statistics);
    }

    /// The columns for Python.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Lists<'_>> {
        Ok([
            self.events.into_python(py)?,
            self.taps.into_python(py)?,
            self.trials.into_python(py)?,
            self.statistics.into_python(py)?,
        ])
    }
}

/// One row for each trial.
#[derive(Default)]
struct Trials {
    trial: Vec<i64>,
    seed: Vec<u64>,
    length_s: Vec<f64>,
    ending: Words,
    timing_passed: Vec<bool>,
    data_usable: Vec<bool>,
}

impl Trials {
    fn push(&mut self, trial: i64, seed: u64, summary: &Summary) {
        self.trial.push(trial);
        self.seed.push(seed);
        self.length_s.push(summary.length_s);
        self.ending.push(Some(&summary.ending));
        self.timing_passed.push(!summary.verdict.failed());
        self.data_usable.push(summary.data.usable);
    }

    fn append(&mut self, other: Trials) {
        self.trial.extend(other.trial);
        self.seed.extend(other.seed);
        self.length_s.extend(other.length_s);
        self.ending.append(&other.ending);
        self.timing_passed.extend(other.timing_passed);
        self.data_usable.extend(other.data_usable);
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        list.append(column(py, "trial", self.trial, None, None)?)?;
        list.append(column(py, "seed", self.seed, None, None)?)?;
        list.append(column(py, "length_s", self.length_s, None, None)?)?;
        list.append(column(py, "ending", self.ending.codes, None, Some(self.ending.words))?)?;
        list.append(column(py, "timing_passed", self.timing_passed, None, None)?)?;
        list.append(column(py, "data_usable", self.data_usable, None, None)?)?;
        Ok(list)
    }
}

/// One row for each statistic of each trial.
#[derive(Default)]
struct Statistics {
    trial: Vec<i64>,
    words: [Words; 5],
    value: Vec<f64>,
}

/// The columns of words; `column` is the heading that a table with one column for each
/// statistic has, with the unit.
const STATISTIC_WORDS: [&str; 5] = ["statistic", "column", "input", "against", "stretch"];

impl Statistics {
    fn push(&mut self, trial: i64, summary: &Summary) {
        for statistic in summary.statistics() {
            let heading = statistic.known.column();
            let cells = [
                Some(statistic.known.name),
                Some(heading.as_str()),
                statistic.input,
                statistic.against,
                statistic.stretch,
            ];
            self.trial.push(trial);
            self.words.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
            self.value.push(statistic.value.unwrap_or(f64::NAN));
        }
    }

    fn append(&mut self, other: Statistics) {
        self.trial.extend(other.trial);
        self.words.iter_mut().zip(&other.words).for_each(|(column, more)| column.append(more));
        self.value.extend(other.value);
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        list.append(column(py, "trial", self.trial, None, None)?)?;
        for (name, Words { codes, words, .. }) in STATISTIC_WORDS.into_iter().zip(self.words) {
            list.append(column(py, name, codes, None, Some(words))?)?;
        }
        list.append(column(py, "value", self.value, None, None)?)?;
        Ok(list)
    }
}
