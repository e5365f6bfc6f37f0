//! [`simulate`]: a whole study in virtual time, with the files that people would leave.
//! Participants are assigned in order, then run on all processors; every file says that
//! nobody tapped. A participant's files are synced once, when they are all there.

use crate::running::{Equipment, Session, SessionError, refuse_other_tapper};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_session::rehearse::Rehearsal;
use chronotap_session::{
    assign::Places,
    dataset::{Dataset, DatasetError},
    drawn::Drawn,
    outcome::is_cut_off,
    study::Study,
    who::Who,
};
use chronotap_simulate::{FinishedTrial, NotRun, Tapper, TrialRun, TrialRunner, VirtualTrials};
use chronotap_trial::TrialEnd;
use serde_json::Value;
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simulated {
    /// Sessions that were run to their end.
    pub sessions: usize,
    /// Trials that were run.
    pub trials: usize,
    /// Of them, those that were still running at the bound, and ended there.
    pub cut: usize,
    /// Participants whose sessions were all run.
    pub participants: usize,
}

/// Simulates a study into a dataset: of all participants, who are assigned, those of the share.
/// `machine` is what this computer is, for the heads of data files; `progress` is told how many are done.
///
/// # Errors
/// The first [`SessionError`].
pub fn simulate(
    study: &Study,
    dataset: &Dataset,
    rehearsal: &Rehearsal,
    shard: Shard,
    machine: &Arc<Value>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Simulated, SessionError> {
    chronotap_session::correct::finish(dataset)
        .map_err(|error| SessionError::Correction(Box::new(error)))?;
    for label in &rehearsal.labels {
        let place = study.place(label, 1);
        if dataset.has(&place.journal()) {
            refuse_other_tapper(dataset, &place, &study.model(&rehearsal.model, label))?;
        }
    }
    assign_all(study, dataset, rehearsal)?;
    let sessions = study.experiment.sessions;
    let here = (0..).zip(&rehearsal.labels).filter(|(k, _)| shard.has(*k));
    let here: Vec<&String> = here.map(|(_, label)| label).collect();
    let (next, done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let sum = Mutex::new((Simulated::default(), None));
    let worker = || {
        while !failed.load(Relaxed) {
            let Some(label) = here.get(next.fetch_add(1, Relaxed)) else { return };
            let run = participant(study, dataset, rehearsal, (label, sessions), machine);
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            match run {
                Ok(run) => {
                    sum.0.sessions += run.sessions;
                    sum.0.trials += run.trials;
                    sum.0.cut += run.cut;
                    sum.0.participants += 1;
                    failed.fetch_or(rehearsal.stops_when_cut && run.cut > 0, Relaxed);
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
        for _ in 0..threads.min(here.len()) {
            scope.spawn(worker);
        }
    });
    let settled = dataset.settle_register(&study.about.columns);
    match sum.into_inner().unwrap_or_else(PoisonError::into_inner) {
        (sum, None) => Ok(settled.map(|()| sum)?),
        (_, Some(error)) => Err(error),
    }
}

/// Counts the trials that were cut off.
struct Counting<'l> {
    laboratory: &'l mut VirtualTrials,
    cut: usize,
}

impl TrialRunner for Counting<'_> {
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun> {
        let finished = TrialRunner::run(self.laboratory, run, end, progress)?;
        self.cut += usize::from(is_cut_off(&finished.summary));
        Ok(finished)
    }

    fn reuse(&mut self, finished: &mut FinishedTrial) {
        self.laboratory.reuse(finished);
    }
}

/// Assigns in the order of the labels, so that threads do not decide it. From then on the dataset knows
/// them in memory.
fn assign_all(study: &Study, dataset: &Dataset, rehearsal: &Rehearsal) -> Result<(), SessionError> {
    let _lock = dataset.lock()?;
    let mut people = dataset.people(&study.about.columns)?;
    let mut places = Places::new(&study.experiment);
    let all = people.assigned();
    all.iter().for_each(|person| places.take(person));
    let mut known: HashSet<&String> = all.iter().map(|person| &person.label).collect();
    for label in rehearsal.labels.iter().filter(|label| known.insert(label)) {
        let who = Who { label: label.clone(), session: 1, ..Who::default() };
        people.add(&places.assign(&who)?);
    }
    dataset.write_people(&people)?;
    dataset.hold_register(&people);
    Ok(())
}

/// All sessions of a participant.
fn participant(
    study: &Study,
    dataset: &Dataset,
    rehearsal: &Rehearsal,
    (label, sessions): (&str, u32),
    machine: &Arc<Value>,
) -> Result<Simulated, SessionError> {
    let model = study.model(&rehearsal.model, label);
    let tapper = Tapper::Simulated(model.clone());
    let wires = VirtualTrials::new(&rehearsal.wires, rehearsal.longest, Arc::clone(machine));
    let mut laboratory = wires.map_err(|error| SessionError::Laboratory(error.into()))?;
    let mut counting = Counting { laboratory: &mut laboratory, cut: 0 };
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
        let mut session = Session::open(study, dataset, &who, &mut drawn)?;
        let mut equipment = Equipment {
            laboratory: &mut counting,
            in_real_time: None,
            tapper: &tapper,
            limit: rehearsal.limit,
            sinks: &[],
        };
        session.run(&mut equipment, &mut drawn)?;
        sum.sessions += 1;
        sum.trials += session.trials();
    }
    sum.cut = counting.cut;
    let synced = dataset.disk.sync_all_of(dataset.root());
    synced.map_err(|source| DatasetError::Disk { path: dataset.root().to_owned(), source })?;
    Ok(sum)
}
