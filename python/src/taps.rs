//! [`Taps`]: one row for each tap, with the beat that it answers: the account that the summary
//! counts from. For simulated trials, and `read_taps` for recorded ones.

use crate::batches::in_batches;
use crate::columns::{ONSET_SOURCE, Whole, column};
use crate::words::Words;
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::observed::{Observed, OnsetSource};
use chronotap_core::time::Nanos;
use chronotap_data::record::{RecordedError, read_events};
use chronotap_words::{Says, Surface};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::path::{Path, PathBuf};

/// Taps of one or several trials.
#[derive(Default)]
pub struct Taps {
    trial: Vec<i64>,
    event_id: Vec<i64>,
    onset_ns: Vec<i64>,
    interval_ms: Vec<f64>,
    asynchrony_ms: Vec<f64>,
    whole: [Whole; WHOLE.len()],
    forces: [Whole; FORCES.len()],
    words: [Words; WORDS.len()],
}

/// Of the beat that a tap answers.
const WHOLE: [&str; 4] = ["beat", "beat_event_id", "beat_onset_ns", "asynchrony_ns"];
/// How hard and how long a tap pressed on a sensor, where its force was kept.
const FORCES: [&str; 3] = ["peak_force", "rise_ns", "dwell_ns"];
/// The input, what became of the tap, the stream that it answers, the stretch of the trial, and whence the
/// onset is of a tap whose sound was kept.
const WORDS: [&str; 5] = ["input", "fate", "against", "stretch", ONSET_SOURCE];

impl Taps {
    /// Appends the taps of a trial.
    pub fn push(&mut self, trial: i64, observed: &Observed<'_>) {
        let account = Account::of(observed);
        for (input, of) in observed.taps.iter().enumerate() {
            let mut last = None;
            for (place, tap) in of.taps.iter().enumerate() {
                let interval = last
                    .filter(|last| account.are_of_one_round(input, *last, tap.onset))
                    .filter(|_| !tap.debounced)
                    .map(|last| tap.onset - last);
                last = if tap.debounced { last } else { Some(tap.onset) };
                let fate = account.tap(input, place);
                let stretch = &account.stretches[account.stretch(tap.onset)].name;
                let answered = answered(fate, observed);
                let source = tap.source.map(OnsetSource::word);
                let fate = Some(fate.word());
                let words = [Some(of.name), fate, answered.map(|a| a.0), Some(stretch), source];
                self.trial.push(trial);
                self.event_id.push(tap.id as i64);
                self.onset_ns.push(tap.onset.0);
                self.interval_ms.push(interval.map_or(f64::NAN, Nanos::as_millis_f64));
                self.asynchrony_ms.push(answered.map_or(f64::NAN, |a| a.1[3] as f64 / 1e6));
                for (column, k) in self.whole.iter_mut().zip(0..) {
                    column.push(answered.map(|a| a.1[k as usize]));
                }
                let force = tap.force.map(|of| [of.peak.into(), of.rise.0, of.dwell.0]);
                for (column, k) in self.forces.iter_mut().zip(0..) {
                    column.push(force.map(|of: [i64; 3]| of[k as usize]));
                }
                self.words.iter_mut().zip(words).for_each(|(column, cell)| column.push(cell));
            }
        }
    }

    /// Makes the numbers of all trials greater by so many.
    pub fn shift(&mut self, by: i64) {
        self.trial.iter_mut().for_each(|trial| *trial += by);
    }

    /// Appends the taps of other trials.
    pub fn append(&mut self, other: Taps) {
        self.trial.extend(other.trial);
        self.event_id.extend(other.event_id);
        self.onset_ns.extend(other.onset_ns);
        self.interval_ms.extend(other.interval_ms);
        self.asynchrony_ms.extend(other.asynchrony_ms);
        self.whole.iter_mut().zip(other.whole).for_each(|(column, more)| column.append(more));
        self.forces.iter_mut().zip(other.forces).for_each(|(column, more)| column.append(more));
        self.words.iter_mut().zip(&other.words).for_each(|(column, more)| column.append(more));
    }

    /// The columns for Python.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        list.append(column(py, "trial", self.trial, None, None)?)?;
        list.append(column(py, "event_id", self.event_id, None, None)?)?;
        list.append(column(py, "onset_ns", self.onset_ns, None, None)?)?;
        list.append(column(py, "interval_ms", self.interval_ms, None, None)?)?;
        list.append(column(py, "asynchrony_ms", self.asynchrony_ms, None, None)?)?;
        for (name, Whole { values, missing }) in WHOLE.into_iter().zip(self.whole) {
            list.append(column(py, name, values, Some(missing), None)?)?;
        }
        for (name, Whole { values, missing }) in FORCES.into_iter().zip(self.forces) {
            if missing.iter().all(|missing| *missing) {
                continue; // no sensor kept its force
            }
            list.append(column(py, name, values, Some(missing), None)?)?;
        }
        for (name, Words { codes, words, .. }) in WORDS.into_iter().zip(self.words) {
            if name == ONSET_SOURCE && words.is_empty() {
                continue; // no input kept its sound
            }
            list.append(column(py, name, codes, None, Some(words))?)?;
        }
        Ok(list)
    }
}

/// The stream, and the cells of [`WHOLE`], of the beat that a tap answers.
fn answered<'a>(fate: Fate, observed: &Observed<'a>) -> Option<(&'a str, [i64; WHOLE.len()])> {
    let Fate::Matched { stream, beat, asynchrony } = fate else { return None };
    let stream = observed.pacing.get(stream)?;
    let beat = stream.beats.get(beat)?;
    Some((stream.name, [beat.number.into(), beat.id as i64, beat.at.0, asynchrony.0]))
}

/// Reads the taps of recorded trials; `trial` is the place of the file.
#[pyfunction]
pub fn read_taps(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Bound<'_, PyList>> {
    let of = |range: std::ops::Range<usize>| of_file(range.start, &paths[range.start]);
    let parts = in_batches(py, paths.len(), 1, of)??;
    let taps = py.detach(|| {
        let mut all = Taps::default();
        parts.into_iter().for_each(|part| all.append(part));
        all
    });
    taps.into_python(py)
}

fn of_file(place: usize, path: &Path) -> PyResult<Taps> {
    let recording = read_events(path).map_err(crate::read::raised)?;
    let wrong = |what: String| PyValueError::new_err(format!("{}: {what}", path.display()));
    let said = |error: RecordedError| wrong(error.says(Surface::Python));
    let file = recording.trial_file().map_err(|problems| said(problems.into()))?;
    let observed = recording.observed(&file).map_err(|row| said(RecordedError::Row(row)))?;
    let mut taps = Taps::default();
    taps.push(place as i64, &observed);
    Ok(taps)
}
