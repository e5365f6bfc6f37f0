//! `simulate_experiment`: a whole study in virtual time, in memory alone. The tables are those
//! that its dataset would have.

use crate::batches::watched;
use crate::ended::put;
use crate::experiment::Given;
use crate::says::Says;
use crate::simulated::{Lists, Part};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_rig::laboratory::{Bindings, Finished, PortNames};
use chronotap_session::rehearse::{Rehearsed, rehearse};
use chronotap_session::simulate::Rehearsal;
use chronotap_session::{Study, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Columns of text, each with its name.
type Texts = Vec<(String, Vec<Option<String>>)>;

/// Simulates `count` participants, each described by `model`, in all their sessions. Gives the
/// table of participants, that of trials with participant and session, and the columns of
/// events, taps, trials and statistics, in which `trial` is the row of the table of trials.
#[pyfunction]
pub fn simulate_experiment<'py>(
    py: Python<'py>,
    given: Given,
    count: u32,
    model: String,
    longest_s: u32,
) -> PyResult<(Texts, Texts, Lists<'py>)> {
    let stop = AtomicBool::new(false);
    let (people, trials, whole) =
        watched(py, &stop, || simulated(&given, count, model, longest_s, &stop))??;
    Ok((people, trials, whole.into_python(py)?))
}

fn simulated(
    given: &Given,
    count: u32,
    model: String,
    longest_s: u32,
    stop: &AtomicBool,
) -> PyResult<(Texts, Texts, Part)> {
    let experiment =
        given.read().map_err(|problems| PyValueError::new_err(problems.to_string()))?;
    let study = Study::of(experiment).map_err(raised)?;
    study.check_model(&model).map_err(raised)?;
    let (inputs, outputs) = study.inputs_and_outputs();
    let wires = Bindings::resolve(&PortNames::default(), &inputs, &outputs, Some(WIRE));
    let labels = (1..=count).map(|number| study.label(&number.to_string()));
    let rehearsal = Rehearsal {
        labels: labels.collect::<Result<_, _>>().map_err(raised)?,
        model,
        bindings: wires.map_err(raised)?,
        longest: Nanos::from_secs(longest_s.into()),
        stops_when_cut: false, // nothing is written
        limit: None,
    };
    let keep = |part: &mut Part, number, file: &TrialFile, finished: &Finished| {
        put(part, number as i64, file, finished);
    };
    let rehearsed = rehearse(&study, &rehearsal, &|| stop.load(Relaxed), keep);
    Ok(together(rehearsed.map_err(raised)?))
}

fn raised(error: impl Says) -> PyErr {
    PyValueError::new_err(error.says())
}

/// Messages take no time on it.
const WIRE: &str = "wire:unthrottled";

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

fn add(to: &mut Texts, (id, session): &(String, Option<String>), table: Table) {
    if to.is_empty() {
        to.push(("participant_id".into(), Vec::new()));
        to.push(("session".into(), Vec::new()));
        to.extend(table.columns.iter().map(|name| (name.clone(), Vec::new())));
    }
    for row in table.rows {
        let who = [Some(id.clone()), session.clone()];
        for ((_, cells), cell) in to.iter_mut().zip(who.into_iter().chain(row)) {
            cells.push(cell);
        }
    }
}

fn add_rows(to: &mut Texts, table: Table) {
    to.extend(table.columns.iter().map(|name| (name.clone(), Vec::new())));
    for row in table.rows {
        to.iter_mut().zip(row).for_each(|((_, cells), cell)| cells.push(cell));
    }
}
