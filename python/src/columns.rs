//! [`Columns`]: rows of events files as columns, which is what frames are made of. A column
//! goes to Python as `(name, values, missing, words)`: an array, an array that says which
//! cells hold nothing (or None where every cell holds something), and for a column of words
//! the words that the values are places of (else None). In a column of words −1 is nothing.

use crate::words::Words;
use chronotap_analysis::observed::OnsetSource;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Flag, Row, TapFate, put_perturbation, stamp_word, text};
use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// Whole numbers, of which some may be missing.
#[derive(Default)]
pub struct Whole {
    /// The numbers; 0 where one is missing.
    pub values: Vec<i64>,
    /// Which are missing.
    pub missing: Vec<bool>,
}

impl Whole {
    /// Appends a cell.
    pub fn push(&mut self, cell: Option<i64>) {
        self.values.push(cell.unwrap_or(0));
        self.missing.push(cell.is_none());
    }

    /// Appends all the cells of another column.
    pub fn append(&mut self, other: Whole) {
        self.values.extend(other.values);
        self.missing.extend(other.missing);
    }
}

/// Events of one or several trials.
#[derive(Default)]
pub struct Columns {
    trial: Vec<i64>,
    onset_s: Vec<f64>,
    duration_s: Vec<f64>,
    whole: [Whole; WHOLE.len()],
    words: [Words; WORDS.len()],
    onset_ns: Vec<i64>,
    event_id: Vec<i64>,
    engine_ns: Vec<i64>,
}

/// A column of whole numbers: its name, and its cell of an event.
type WholeColumn = (&'static str, fn(&Row) -> Option<i64>);

/// The columns of whole numbers that may be missing.
const WHOLE: [WholeColumn; 22] = [
    ("duration_ns", |row| ns(row.duration)),
    ("number", |row| row.number.map(i64::from)),
    ("midi_channel", |row| row.channel.map(|channel| i64::from(channel.number()))),
    ("note", |row| row.note.map(|note| i64::from(note.get()))),
    ("velocity", |row| row.velocity.map(|velocity| i64::from(velocity.get()))),
    ("cause", |row| row.cause.map(signed)),
    ("deadline_ns", |row| ns(row.deadline)),
    ("achieved_ns", |row| ns(row.achieved)),
    ("lateness_ns", |row| ns(row.lateness)),
    ("release_deadline_ns", |row| ns(row.release_deadline)),
    ("release_achieved_ns", |row| ns(row.release_achieved)),
    ("perturbation_ns", |row| ns(row.perturbation.moved())),
    ("delay_ns", |row| ns(row.delay)),
    ("pitch_shift", |row| row.pitch_shift.map(i64::from)),
    ("beat", |row| row.fate.as_ref()?.matched().map(|(_, beat, _)| i64::from(beat))),
    ("asynchrony_ns", |row| row.fate.as_ref()?.matched().map(|(.., asynchrony)| asynchrony.0)),
    ("frame", |row| row.frame.map(signed)),
    ("refined_ns", |row| ns(row.refined)),
    ("sound_peak_ppm", |row| row.sound_peak_ppm.map(i64::from)),
    ("peak_force", |row| row.force.map(|force| force.peak.into())),
    ("rise_ns", |row| row.force.map(|force| force.rise.0)),
    ("dwell_ns", |row| row.force.map(|force| force.dwell.0)),
];

/// An event, and what of it is put into words first.
struct Said<'a> {
    row: &'a Row,
    message: Option<&'a str>,
    perturbed: Option<&'a str>,
}

/// A cell of words.
type Word = for<'a> fn(&Said<'a>) -> Option<&'a str>;

/// The columns of words, each with its cell of an event.
const WORDS: [(&str, Word); 11] = [
    ("trial_type", |of| Some(of.row.trial_type.word())),
    ("name", |of| of.row.name.as_deref()),
    ("port", |of| of.row.port.as_deref()),
    ("stamp", |of| of.row.stamp.map(stamp_word)),
    ("message", |of| of.message),
    ("flag", |of| of.row.flag.map(Flag::word)),
    ("detail", |of| of.row.detail.as_deref()),
    ("perturbation", |of| of.perturbed),
    ("fate", |of| of.row.fate.as_ref().map(TapFate::word)),
    ("against", |of| of.row.fate.as_ref()?.matched().map(|(against, ..)| against)),
    (ONSET_SOURCE, |of| of.row.onset_source.map(OnsetSource::word)),
];

/// Columns that are there only where a cell of them holds something: where an input kept the sound in
/// which it heard taps, or the force of taps that it felt.
const OF_SOME: [&str; 6] =
    ["refined_ns", "sound_peak_ppm", "peak_force", "rise_ns", "dwell_ns", ONSET_SOURCE];
/// Whence the onset of a tap is.
pub const ONSET_SOURCE: &str = "onset_source";

impl Columns {
    /// Appends the rows of a trial.
    pub fn push(&mut self, trial: i64, rows: &[Row]) {
        let (mut message, mut perturbed) = (Vec::new(), Vec::new());
        for row in rows {
            self.trial.push(trial);
            self.onset_s.push(row.onset.as_secs_f64());
            self.duration_s.push(row.duration.map_or(f64::NAN, Nanos::as_secs_f64));
            self.onset_ns.push(row.onset.0);
            self.event_id.push(signed(row.event_id));
            self.engine_ns.push(row.engine.0);
            for (column, (_, cell)) in self.whole.iter_mut().zip(&WHOLE) {
                column.push(cell(row));
            }
            message.clear();
            row.message.into_iter().for_each(|bytes| text::put_message(&mut message, bytes));
            let message = row.message.and_then(|_| std::str::from_utf8(&message).ok());
            perturbed.clear();
            put_perturbation(&mut perturbed, row.perturbation);
            let perturbed = std::str::from_utf8(&perturbed).ok().filter(|text| !text.is_empty());
            let said = Said { row, message, perturbed };
            for (column, (_, word)) in self.words.iter_mut().zip(&WORDS) {
                column.push(word(&said));
            }
        }
    }

    /// Makes the numbers of all trials greater by so many.
    pub fn shift(&mut self, by: i64) {
        self.trial.iter_mut().for_each(|trial| *trial += by);
    }

    /// Appends the rows of other trials.
    pub fn append(&mut self, other: Columns) {
        self.trial.extend(other.trial);
        self.onset_s.extend(other.onset_s);
        self.duration_s.extend(other.duration_s);
        self.onset_ns.extend(other.onset_ns);
        self.event_id.extend(other.event_id);
        self.engine_ns.extend(other.engine_ns);
        for (column, more) in self.whole.iter_mut().zip(other.whole) {
            column.append(more);
        }
        for (column, more) in self.words.iter_mut().zip(&other.words) {
            column.append(more);
        }
    }

    /// The columns for Python.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        list.append(column(py, "trial", self.trial, None, None)?)?;
        list.append(column(py, "onset_s", self.onset_s, None, None)?)?;
        list.append(column(py, "duration_s", self.duration_s, None, None)?)?;
        list.append(column(py, "onset_ns", self.onset_ns, None, None)?)?;
        list.append(column(py, "event_id", self.event_id, None, None)?)?;
        list.append(column(py, "engine_ns", self.engine_ns, None, None)?)?;
        for ((name, _), Whole { values, missing }) in WHOLE.into_iter().zip(self.whole) {
            if OF_SOME.contains(&name) && missing.iter().all(|missing| *missing) {
                continue;
            }
            list.append(column(py, name, values, Some(missing), None)?)?;
        }
        for ((name, _), Words { codes, words, .. }) in WORDS.into_iter().zip(self.words) {
            if OF_SOME.contains(&name) && words.is_empty() {
                continue;
            }
            list.append(column(py, name, codes, None, Some(words))?)?;
        }
        Ok(list)
    }
}

/// Numbers of events, causes and frames stay far below 2^63.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn ns(time: Option<Nanos>) -> Option<i64> {
    time.map(|time| time.0)
}

/// One column for Python.
pub fn column<'py, T: Element>(
    py: Python<'py>,
    name: &str,
    values: Vec<T>,
    missing: Option<Vec<bool>>,
    words: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let values = values.into_pyarray(py);
    let missing = missing.map(|missing| missing.into_pyarray(py));
    (name, values, missing, words).into_pyobject(py)
}
