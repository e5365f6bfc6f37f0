//! [`simulate`]: a whole study in virtual time, with the files that people would leave.
//! Participants are assigned in order, then run on all processors; every file says that
//! nobody tapped. A participant's files are synced once, when they are all there.

use crate::assign::assign;
use crate::dataset::{Dataset, DatasetError};
use crate::drawn::Drawn;
use crate::models;
use crate::sitting::{Equipment, Sitting, SittingError};
use crate::study::Study;
use crate::who::Who;
use chronotap_laboratory::{Bindings, Session, Tapper};
use chronotap_time::Nanos;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// What is to be simulated.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    /// The labels of the participants, in order.
    pub labels: Vec<String>,
    /// Who taps, as a description; distributions between participants included.
    pub model: String,
    /// The ports of all trials: virtual wires.
    pub bindings: Bindings,
    /// The longest that a trial may last.
    pub longest: Nanos,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simulated {
    /// Sessions that were run to their end.
    pub sessions: usize,
    /// Trials that were run.
    pub trials: usize,
}

/// Simulates a study into a dataset. `progress` is told how many sessions are done.
///
/// # Errors
/// The first [`SittingError`].
pub fn simulate(
    study: &Study,
    dataset: &Dataset,
    rehearsal: &Rehearsal,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Simulated, SittingError> {
    assign_all(study, dataset, rehearsal)?;
    let sessions = study.experiment.sessions;
    let (next, done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let sum = Mutex::new((Simulated::default(), None));
    let worker = || {
        while !failed.load(Relaxed) {
            let Some(label) = rehearsal.labels.get(next.fetch_add(1, Relaxed)) else { return };
            let run = participant(study, dataset, rehearsal, (label, sessions));
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            match run {
                Ok(run) => {
                    sum.0.sessions += run.sessions;
                    sum.0.trials += run.trials;
                    progress(done.fetch_add(1, Relaxed) + 1);
                }
                Err(error) => {
                    failed.store(true, Relaxed);
                    sum.1.get_or_insert(error);
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(rehearsal.labels.len()) {
            scope.spawn(worker);
        }
    });
    match sum.into_inner().unwrap_or_else(PoisonError::into_inner) {
        (sum, None) => Ok(sum),
        (_, Some(error)) => Err(error),
    }
}

/// Assigns in the order of the labels, so that threads do not decide it.
fn assign_all(study: &Study, dataset: &Dataset, rehearsal: &Rehearsal) -> Result<(), SittingError> {
    let _lock = dataset.lock()?;
    let mut people = dataset.people(&study.about.columns)?;
    let mut all = people.assigned();
    for label in &rehearsal.labels {
        if all.iter().any(|person| person.label == *label) {
            continue;
        }
        let who = Who { label: label.clone(), session: 1, ..Who::default() };
        let person = assign(&study.experiment, &all, &who)?;
        people.add(&person);
        all.push(person);
    }
    Ok(dataset.write_people(&people)?)
}

/// All sessions of a participant.
fn participant(
    study: &Study,
    dataset: &Dataset,
    rehearsal: &Rehearsal,
    (label, sessions): (&str, u32),
) -> Result<Simulated, SittingError> {
    let model = models::drawn(&rehearsal.model, study.experiment.seed, label);
    let tapper = Tapper::Simulated(model.clone());
    let bindings = rehearsal.bindings.clone();
    let mut laboratory = Session::in_virtual_time(bindings, rehearsal.longest)?;
    let mut sum = Simulated::default();
    for session in 1..=sessions {
        let who = Who {
            label: label.to_owned(),
            session,
            simulated: Some(model.clone()),
            by: "simulation".into(),
            ..Who::default()
        };
        let mut drawn = Drawn::new(study.experiment.seed, label, session);
        let mut sitting = Sitting::open(study, dataset, &who, &mut drawn)?;
        let mut equipment = Equipment {
            laboratory: &mut laboratory,
            interrupt: None,
            tapper: &tapper,
            limit: rehearsal.limit,
            observers: Vec::new(),
        };
        sitting.run(&mut equipment, &mut drawn)?;
        sum.sessions += 1;
        sum.trials += sitting.trials();
    }
    let synced = dataset.disk.sync_all_of(dataset.root());
    synced.map_err(|source| DatasetError::Disk { path: dataset.root().to_owned(), source })?;
    Ok(sum)
}
