//! `simulate_experiment`: a whole study in virtual time, in memory alone. The tables are those
//! that its dataset would have.

use crate::batches::watched;
use crate::ended::{Over, put};
use crate::experiment::{Given, Texts, levels_of};
use crate::simulated::{Lists, Part};
use crate::tables::Levels;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_session::rehearse::{Rehearsal, Rehearsed, rehearse};
use chronotap_session::{Study, TsvTable};
use chronotap_simulate::{Computed, Wires};
use chronotap_words::{Says, Surface};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Simulates `count` participants, each described by `model`, in all their sessions. Gives the
/// table of participants, that of trials with participant and session, and the columns of
/// events, taps, trials and statistics, in which `trial` is the row of the table of trials; and
/// the levels of the factors.
#[pyfunction]
pub fn simulate_experiment<'py>(
    py: Python<'py>,
    given: Given,
    count: u32,
    model: String,
    longest_s: u32,
) -> PyResult<(Texts, Texts, Lists<'py>, Levels)> {
    let stop = AtomicBool::new(false);
    let ((people, trials, whole), levels) =
        watched(py, &stop, || simulated(&given, count, model, longest_s, &stop))??;
    Ok((people, trials, whole.into_python(py)?, levels))
}

fn simulated(
    given: &Given,
    count: u32,
    model: String,
    longest_s: u32,
    stop: &AtomicBool,
) -> PyResult<((Texts, Texts, Part), Levels)> {
    let experiment =
        given.read().map_err(|problems| PyValueError::new_err(problems.to_string()))?;
    let levels = levels_of(&experiment);
    let study = Study::of(experiment).map_err(raised)?;
    study.check_model(&model).map_err(raised)?;
    let (inputs, outputs) = study.inputs_and_outputs();
    let labels = (1..=count).map(|number| study.label(&number.to_string()));
    let rehearsal = Rehearsal {
        labels: labels.collect::<Result<_, _>>().map_err(raised)?,
        model,
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(longest_s.into()),
        stops_when_cut: false, // nothing is written
        limit: None,
    };
    let keep = |part: &mut Part, number, file: &TrialFile, finished: &Computed| {
        put(part, number as i64, file, &Over::from(finished));
    };
    let rehearsed = rehearse(&study, &rehearsal, &|| stop.load(Relaxed), keep);
    Ok((together(rehearsed.map_err(raised)?), levels))
}

fn raised(error: impl Says) -> PyErr {
    PyValueError::new_err(error.says(Surface::Python))
}

fn together(rehearsed: Rehearsed<Part>) -> (Texts, Texts, Part) {
    let (mut whole, mut trials, mut done) = (Part::default(), Texts::new(), 0);
    for session in rehearsed.sessions {
        let rows = session.trials.rows.len();
        let who =
            (format!("sub-{}", session.place.label), session.place.session.map(|n| n.to_string()));
        add(&mut trials, &who, session.trials);
        let mut part = session.kept;
        part.shift(done as i64);
        whole.append(part);
        done += rows;
    }
    let mut people = Texts::new();
    add_rows(&mut people, rehearsed.people);
    (people, trials, whole)
}

fn add(to: &mut Texts, (id, session): &(String, Option<String>), table: TsvTable) {
    if to.is_empty() {
        to.push(("participant_id".into(), Vec::new()));
        to.push(("session".into(), Vec::new()));
        to.extend(table.columns.iter().map(|name| (name.clone(), Vec::new())));
    }
    let places: Vec<Option<usize>> = to.iter().map(|(name, _)| table.column(name)).collect();
    for row in &table.rows {
        for ((name, cells), place) in to.iter_mut().zip(&places) {
            cells.push(match (name.as_str(), place) {
                ("participant_id", _) => Some(id.clone()),
                ("session", _) => session.clone(),
                (_, place) => place.and_then(|place| row[place].clone()),
            });
        }
    }
}

fn add_rows(to: &mut Texts, table: TsvTable) {
    to.extend(table.columns.iter().map(|name| (name.clone(), Vec::new())));
    for row in &table.rows {
        let cell = |name: &str| table.cell(row, name).map(str::to_owned);
        to.iter_mut().for_each(|(name, cells)| cells.push(cell(name)));
    }
}
