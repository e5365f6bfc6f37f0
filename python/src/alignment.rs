//! `read_recorder_table`, `codes_of` and `align`: the events of another recorder, and recorded trials put on its
//! clock. What reads the formats of EEG is in the package.

use crate::columns::{Whole, column};
use crate::words::Words;
use chronotap_analysis::alignment::{
    Alignment, AlignmentError, AlignmentLimits, ClockMark, align as aligned,
};
use chronotap_core::time::Nanos;
use chronotap_data::alignment::{
    Became, KINDS, OnsetColumns, OnsetUnit, Ours, PlacedEvent, RecorderTableError,
    bids_description, bids_events, code_of, read_table,
};
use chronotap_data::record::{TrialType, read_events};
use chronotap_words::{Says, Surface};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::{Value, json};
use std::path::PathBuf;

/// No code, where codes are whole numbers.
const NONE: i64 = -1;

/// How the table of a recorder is read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Table {
    onset: Option<String>,
    code: Option<String>,
    unit: Option<String>,
    rate_hz: Option<f64>,
    codes: bool,
}

impl Table {
    fn columns(self) -> OnsetColumns {
        let unit = self.unit.as_deref().and_then(OnsetUnit::of);
        OnsetColumns {
            onset: self.onset,
            code: self.code,
            unit,
            rate_mhz: self.rate_hz.map(|hz| (hz * 1e3).round() as u32),
            without_codes: !self.codes,
        }
    }
}

/// Onsets in ns, codes (−1: none), the step of the clock in seconds, how many lines were left out.
type Marks<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, f64, usize);

/// Reads a table of onsets and codes, or markers of BrainVision.
#[pyfunction]
pub fn read_recorder_table(py: Python<'_>, path: PathBuf, table: Table) -> PyResult<Marks<'_>> {
    let columns = table.columns();
    let read = py.detach(|| read_table(&path, &columns)).map_err(raised)?;
    let onsets: Vec<i64> = read.marks.iter().map(|mark| mark.at.0).collect();
    let codes: Vec<i64> = read.marks.iter().map(|mark| mark.code.map_or(NONE, i64::from)).collect();
    Ok((onsets.into_pyarray(py), codes.into_pyarray(py), read.step_s, read.left_out))
}

/// A file that cannot be opened is an `OSError` of its kind, a table that cannot be used a `ValueError`.
fn raised(error: RecorderTableError) -> PyErr {
    match &error {
        RecorderTableError::Read { source, .. } => {
            std::io::Error::new(source.kind(), error.says(Surface::Python)).into()
        }
        _ => PyValueError::new_err(error.says(Surface::Python)),
    }
}

/// The code that each text means; None where it ends in no number.
#[pyfunction]
pub fn codes_of(texts: Vec<String>) -> Vec<Option<u32>> {
    texts.iter().map(|text| code_of(text)).collect()
}

/// What another recorder has.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Recorder<'py> {
    onset_ns: PyReadonlyArray1<'py, i64>,
    code: PyReadonlyArray1<'py, i64>,
    step_s: f64,
    length_ns: Option<i64>,
}

impl Recorder<'_> {
    /// Its events, in the order of time.
    fn marks(&self) -> PyResult<Vec<ClockMark>> {
        let (onsets, codes) = (self.onset_ns.as_slice()?, self.code.as_slice()?);
        let mark = |(at, code): (&i64, &i64)| ClockMark {
            at: Nanos(*at),
            code: u32::try_from(*code).ok(),
        };
        Ok(onsets.iter().zip(codes).map(mark).collect())
    }
}

/// How it is compared.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    events: Vec<String>,
    each: bool,
    tolerance_ns: i64,
    most_drift_ppm: f64,
}

impl How {
    fn kinds(&self) -> Vec<TrialType> {
        let named = |kind: &TrialType| self.events.iter().any(|word| word == kind.word());
        KINDS.into_iter().filter(named).collect()
    }
}

/// What is told as JSON, the events as columns, the places of theirs that are none of ours, and the table of BIDS
/// with its description.
type Told<'py> = (String, Bound<'py, PyList>, Vec<usize>, (String, String));

/// Puts recorded trials on the clock of a recorder. Where they cannot be, what is told says why, and nothing
/// else is given.
#[pyfunction]
pub fn align<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    recorder: Recorder<'py>,
    how: How,
) -> PyResult<Told<'py>> {
    let theirs = recorder.marks()?;
    let limits = AlignmentLimits {
        tolerance: Nanos(how.tolerance_ns),
        drift_ppm: how.most_drift_ppm,
        step_s: recorder.step_s,
    };
    let groups = py.detach(|| groups(paths, &how))?;
    let found = py.detach(|| all_aligned(&groups, &theirs, &limits));
    match found {
        Ok(found) => told(py, &found, &theirs, recorder.length_ns.map(Nanos)),
        Err((ours, error)) => {
            let refused = json!({ "refused": refusal(ours, &error) });
            Ok((refused.to_string(), PyList::empty(py), Vec::new(), Default::default()))
        }
    }
}

/// The alignment of each; or the first that is refused.
fn all_aligned<'a>(
    groups: &'a [Ours],
    theirs: &[ClockMark],
    limits: &AlignmentLimits,
) -> Result<Vec<(&'a Ours, Alignment)>, (&'a Ours, AlignmentError)> {
    let one = |ours: &'a Ours| match aligned(&ours.marks, theirs, limits) {
        Ok(found) => Ok((ours, found)),
        Err(error) => Err((ours, error)),
    };
    groups.iter().map(one).collect()
}

/// The trials, those of one clock together.
fn groups(paths: Vec<PathBuf>, how: &How) -> PyResult<Vec<Ours>> {
    let read = |path: PathBuf| match read_events(&path) {
        Ok(recording) => Ok((path, recording)),
        Err(error) => Err(crate::read::raised(error)),
    };
    let recordings = paths.into_iter().map(read).collect::<PyResult<_>>()?;
    let groups = Ours::of(recordings, &how.kinds(), how.each);
    match groups.iter().find(|ours| ours.marks.is_empty()) {
        Some(ours) => Err(nothing(ours, how)),
        None => Ok(groups),
    }
}

/// A trial without events of these kinds is no matter of likeness.
fn nothing(ours: &Ours, how: &How) -> PyErr {
    let file = ours.trials[0].path.display();
    let kinds = how.events.join(" or ");
    PyValueError::new_err(format!(
        "{file}: it has no events of the kind {kinds}; name as events what the recorder has: code, pacing, feedback, \
         masking or tap"
    ))
}

fn refusal(ours: &Ours, error: &AlignmentError) -> Value {
    let (kind, values) = match error {
        AlignmentError::TooFew { ours, theirs } => {
            ("too few", json!({ "ours": ours, "theirs": theirs }))
        }
        AlignmentError::NoCommonCode { ours, theirs } => {
            ("no common code", json!({ "ours": ours, "theirs": theirs }))
        }
        AlignmentError::Unlike { matched, within } => {
            ("unlike", json!({ "matched": matched, "within": within }))
        }
        AlignmentError::Ambiguous { matched, also, apart } => (
            "ambiguous",
            json!({ "matched": matched, "also": also, "apart_s": apart.as_secs_f64() }),
        ),
    };
    let files: Vec<&PathBuf> = ours.trials.iter().map(|trial| &trial.path).collect();
    json!({ "kind": kind, "values": values, "files": files, "said": error.says(Surface::Python) })
}

fn told<'py>(
    py: Python<'py>,
    found: &[(&Ours, Alignment)],
    theirs: &[ClockMark],
    length: Option<Nanos>,
) -> PyResult<Told<'py>> {
    let trials: Vec<Value> = (0..).zip(found).flat_map(|(nth, one)| trials(nth, one)).collect();
    let mut placed: Vec<PlacedEvent<'_>> =
        found.iter().flat_map(|(ours, found)| ours.placed(found, theirs)).collect();
    placed.sort_by_key(|placed| placed.onset);
    let program = concat!("chronotap ", env!("CARGO_PKG_VERSION"));
    let ours = found.iter().flat_map(|(ours, _)| &ours.trials);
    let bids = [bids_events(&placed, length), bids_description(program, ours)]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let columns = py.detach(|| Events::of(&placed)).into_python(py)?;
    Ok((json!({ "trials": trials }).to_string(), columns, spurious(found, theirs), bids.into()))
}

/// What is known of each trial of a group.
fn trials(group: usize, (ours, found): &(&Ours, Alignment)) -> Vec<Value> {
    let one = |trial: &chronotap_data::alignment::AlignedTrial| {
        json!({
            "trial": trial.name(),
            "begins_s": found.theirs_s(trial.zero),
            "drift_ppm": found.drift_ppm,
            "residual_sd_ms": found.residual_sd_s * 1e3,
            "residual_max_ms": found.residual_max_s * 1e3,
            "aligned_with": group,
        })
    };
    ours.trials.iter().map(one).collect()
}

/// The places of theirs that lie within a group and that none matched.
fn spurious(found: &[(&Ours, Alignment)], theirs: &[ClockMark]) -> Vec<usize> {
    let mut spurious = vec![false; theirs.len()];
    let within = found.iter().flat_map(|(_, one)| &one.spurious);
    within.for_each(|place| spurious[*place] = true);
    let matched = found.iter().flat_map(|(_, one)| &one.matched);
    matched.for_each(|(_, place)| spurious[*place] = false);
    (0..theirs.len()).filter(|place| spurious[*place]).collect()
}

/// Events on the clock of the recorder, as columns.
#[derive(Default)]
struct Events {
    onset_s: Vec<f64>,
    onset_ns: Vec<i64>,
    duration_s: Vec<f64>,
    onset_in_trial_s: Vec<f64>,
    recorded_s: Vec<f64>,
    whole: [Whole; 2],
    words: [Words; 4],
}

impl Events {
    fn of(placed: &[PlacedEvent<'_>]) -> Events {
        let mut all = Events::default();
        placed.iter().for_each(|one| all.push(one));
        all
    }

    fn push(&mut self, placed: &PlacedEvent<'_>) {
        let PlacedEvent { onset, trial, row, became } = placed;
        let seconds = |time: Option<Nanos>| time.map_or(f64::NAN, Nanos::as_secs_f64);
        let (recorded, fate) = match became {
            Some(Became::Matched(at)) => (Some(*at), Some("matched")),
            Some(Became::Missing) => (None, Some("missing")),
            Some(Became::Outside) => (None, Some("outside")),
            None => (None, None),
        };
        self.onset_s.push(onset.as_secs_f64());
        self.onset_ns.push(onset.0);
        self.duration_s.push(seconds(row.duration));
        self.onset_in_trial_s.push(row.onset.as_secs_f64());
        self.recorded_s.push(seconds(recorded));
        let whole = [row.number.map(i64::from), i64::try_from(row.event_id).ok()];
        self.whole.iter_mut().zip(whole).for_each(|(column, cell)| column.push(cell));
        let name = trial.name();
        let words = [Some(row.trial_type.word()), row.name.as_deref(), Some(&*name), fate];
        self.words.iter_mut().zip(words).for_each(|(column, cell)| column.push(cell));
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
        let list = PyList::empty(py);
        list.append(column(py, "onset_s", self.onset_s, None, None)?)?;
        list.append(column(py, "onset_ns", self.onset_ns, None, None)?)?;
        list.append(column(py, "duration_s", self.duration_s, None, None)?)?;
        list.append(column(py, "onset_in_trial_s", self.onset_in_trial_s, None, None)?)?;
        list.append(column(py, "recorded_s", self.recorded_s, None, None)?)?;
        for (name, Whole { values, missing }) in ["number", "event_id"].into_iter().zip(self.whole)
        {
            list.append(column(py, name, values, Some(missing), None)?)?;
        }
        let words = ["trial_type", "name", "trial", "fate"].into_iter().zip(self.words);
        for (name, Words { codes, words, .. }) in words {
            list.append(column(py, name, codes, None, Some(words))?)?;
        }
        Ok(list)
    }
}
