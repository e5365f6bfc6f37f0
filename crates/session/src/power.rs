//! [`rehearse`]: how often a study would find what it looks for. It is run again and again in
//! virtual time with participants of stated parameters, who differ from each other as stated,
//! and whose parameters differ between conditions as stated. Of each study every contrast is
//! estimated as a researcher would: over participants, with the interval for 95 %. A contrast is
//! found where that interval does not hold 0.
//!
//! No files are written. Only trials with conditions are run, one attempt each: practice,
//! staircases, and trials that are done again are left out, so that they neither help nor cost.

mod assumed;
mod contrast;
mod outcome;
mod share;
mod told;
mod ways;

pub use assumed::no_effect;
pub use contrast::{ContrastError, PowerContrast};
pub use outcome::{
    Looked, Sought, check_asked, rehearse_outcomes, rehearsed_outcomes, rehearsed_study,
    rehearsed_tables,
};
pub use share::{PowerAsked, Share, together};
pub use told::{OverStudies, as_json, came, cannot};
pub use ways::{by_way, look};

use crate::assign::assign;
use crate::dataset::Person;
use crate::described::levels;
pub use crate::difference::{Difference, DifferenceError};
pub use crate::level::{Named, UnknownLevel};
use crate::models;
use crate::observing::{self, Coming};
use crate::outcome::is_cut_off;
use crate::processors::on_all;
use crate::rehearse::RehearseError;
use crate::study::{Study, StudyError};
use crate::who::Who;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::summary::Summary;
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_design::{AssignError, GivenValue, Plan, PlannedTrial, Supplied};
use chronotap_simulate::{Tapper, VirtualRig, Wires, WiresError};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What is rehearsed.
#[derive(Clone, Debug)]
pub struct Power {
    /// How many studies.
    pub studies: u32,
    /// How many participants each has.
    pub participants: u32,
    /// The seed of the first study; the next has one more, and so on.
    pub seed: u64,
    /// Who taps, as a description; distributions between participants included.
    pub model: String,
    /// How the participants' parameters differ between conditions.
    pub differences: Vec<Difference>,
    /// What is looked for.
    pub contrasts: Vec<PowerContrast>,
    /// The wires of all trials.
    pub wires: Wires,
    /// The longest that a trial may last.
    pub longest: Nanos,
    /// Which of the studies are rehearsed here.
    pub shard: Shard,
}

impl Power {
    /// The studies that are rehearsed here, counted from 0.
    pub fn own(&self) -> impl Iterator<Item = u32> {
        let Shard { part, of } = self.shard;
        (0..self.studies).skip(part).step_by(of.max(1))
    }
}

/// What one study found: for each contrast the estimate, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundByStudy {
    /// The seed of the study.
    pub seed: u64,
    /// Of each contrast.
    pub estimates: Vec<Result<Tested, NoEstimate>>,
    /// Trials that were run.
    pub trials: usize,
    /// Of them, those that were still running at the bound, and ended there.
    pub cut: usize,
}

/// An estimate, and whether it is a finding: of a planned contrast after Holm, else by its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    pub estimate: Estimate,
    pub finds: bool,
}

impl Tested {
    /// By its interval alone.
    fn alone(estimate: Estimate) -> Tested {
        Tested { estimate, finds: !estimate.holds(0.0) }
    }
}

/// Why a study could not be rehearsed.
#[derive(Debug, thiserror::Error)]
pub enum PowerError {
    /// The study gives no plan or no trial.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// Participants could not be assigned.
    #[error(transparent)]
    Assign(#[from] AssignError),
    /// A trial could not be run.
    #[error(transparent)]
    Wires(#[from] WiresError),
    /// A study could not be rehearsed.
    #[error(transparent)]
    Rehearse(#[from] RehearseError),
    /// A difference does not fit the participants.
    #[error(transparent)]
    Difference(#[from] DifferenceError),
    /// A contrast does not fit the study.
    #[error(transparent)]
    Contrast(#[from] ContrastError),
    /// A trial takes up a result of an earlier step, which only a real session has.
    #[error(
        "step {0}: its trials take up a result of an earlier step, which only a real session has"
    )]
    TakesUp(String),
    /// No trial has a condition of a contrast.
    #[error("no trial has conditions: there is nothing to compare")]
    Nothing,
}

/// Rehearses the studies on all processors. `progress` is told how many are done; where `stop`
/// says so, those that are done are what there is. In the order of their seeds.
///
/// # Errors
/// The first [`PowerError`].
pub fn rehearse(
    study: &Study,
    power: &Power,
    progress: &(dyn Fn(u32) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<FoundByStudy>, PowerError> {
    power.contrasts.iter().try_for_each(|contrast| contrast.check(&study.experiment))?;
    power.differences.iter().try_for_each(|d| d.check(&study.experiment, &power.model))?;
    let own: Vec<u32> = power.own().collect();
    let (next, done) = (AtomicUsize::new(0), AtomicU32::new(0));
    let failed = AtomicBool::new(false);
    let all = Mutex::new((Vec::new(), None));
    let worker = || {
        while !failed.load(Relaxed) && !stop() {
            let Some(k) = own.get(next.fetch_add(1, Relaxed)) else { return };
            let found = one_study(study, power, power.seed.wrapping_add((*k).into()), stop);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            match found {
                Ok(Some(found)) => {
                    all.0.push(found);
                    progress(done.fetch_add(1, Relaxed) + 1);
                }
                Ok(None) => return,
                Err(error) => {
                    failed.store(true, Relaxed);
                    all.1.get_or_insert(error);
                }
            }
        }
    };
    on_all(own.len(), worker);
    let (mut found, error) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|found| found.seed.wrapping_sub(power.seed));
    error.map_or(Ok(found), Err)
}

/// One study; `None` where it was stopped.
fn one_study(
    study: &Study,
    power: &Power,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<FoundByStudy>, PowerError> {
    let mut experiment = study.experiment.clone();
    experiment.seed = seed;
    let study = Study::of(experiment)?;
    let mut laboratory = VirtualRig::new(&power.wires, power.longest)?;
    let mut people: Vec<Person> = Vec::new();
    let mut values: Vec<contrast::Values> =
        vec![contrast::Values::default(); power.contrasts.len()];
    let (mut trials, mut cut) = (0, 0);
    for k in 1..=power.participants {
        if stop() {
            return Ok(None);
        }
        let label = study.label(&k.to_string())?;
        let who = Who { label, session: 1, ..Who::default() };
        let person = assign(&study.experiment, &people, &who)?;
        let mut theirs =
            Theirs { power, study: &study, seed, person: &person, values: &mut values };
        let (theirs, theirs_cut) = theirs.run(&mut laboratory)?;
        (trials, cut) = (trials + theirs, cut + theirs_cut);
        values.iter_mut().for_each(contrast::Values::close);
        people.push(person);
    }
    if trials == 0 {
        return Err(PowerError::Nothing);
    }
    let estimates = power.contrasts.iter().zip(&values);
    let estimates = estimates.map(|(of, values)| of.estimate(values).map(Tested::alone));
    Ok(Some(FoundByStudy { seed, estimates: estimates.collect(), trials, cut }))
}

/// One participant of one study.
struct Theirs<'a> {
    power: &'a Power,
    study: &'a Study,
    seed: u64,
    person: &'a Person,
    values: &'a mut [contrast::Values],
}

impl Theirs<'_> {
    /// All trials with conditions of all sessions; how many there were, and how many of them were
    /// cut off at the bound.
    fn run(&mut self, laboratory: &mut VirtualRig) -> Result<(usize, usize), PowerError> {
        let model = self.study.model(&self.power.model, &self.person.label);
        let (mut count, mut cut) = (0, 0);
        for session in 1..=self.study.experiment.sessions {
            let plan = self.study.plan(self.person, session)?;
            for (step, trial) in with_conditions(&plan) {
                cut += usize::from(self.trial(laboratory, &plan, (step, trial), &model)?);
                count += 1;
            }
        }
        Ok((count, cut))
    }

    /// One of them; whether it was cut off.
    fn trial(
        &mut self,
        laboratory: &mut VirtualRig,
        plan: &Plan,
        (step, trial): (usize, &PlannedTrial),
        model: &str,
    ) -> Result<bool, PowerError> {
        let takes_up = |setting: &chronotap_design::PlannedSetting| {
            matches!(setting.value, GivenValue::Result { .. })
        };
        if trial.settings.iter().any(takes_up) {
            return Err(PowerError::TakesUp(self.study.experiment.steps[step].name.clone()));
        }
        let levels = levels(plan, trial);
        let mut model = models::in_trial(model, trial.seed);
        for difference in self.power.differences.iter().filter(|d| d.holds(&levels)) {
            model = difference.put(&model, self.seed, &self.person.label)?;
        }
        let file = self.study.trial(trial, &Supplied::default())?;
        let tapper = Tapper::Simulated(model);
        let coming = Coming {
            file: &file,
            planned: trial,
            staircase: None,
            seed: trial.seed,
            levels: Vec::new(), // put in above
            label: &self.person.label,
        };
        let tapper = observing::tapper(self.study, &tapper, &coming);
        let finished = laboratory.run((&file, trial.seed, &tapper), None)?;
        self.take(&levels, &finished.summary);
        let is_cut_off = is_cut_off(&finished.summary);
        laboratory.reuse(finished);
        Ok(is_cut_off)
    }

    /// Data that cannot be used count for nothing, as in an analysis.
    fn take(&mut self, levels: &[(&str, impl AsRef<str>)], summary: &Summary) {
        if summary.data.usable {
            let both = self.power.contrasts.iter().zip(self.values.iter_mut());
            both.for_each(|(contrast, values)| contrast.take(values, levels, summary));
        }
    }
}

/// The trials that have a condition, of steps whose number of trials is planned.
fn with_conditions(plan: &Plan) -> impl Iterator<Item = (usize, &PlannedTrial)> {
    let steps = plan.steps.iter().filter(|step| !step.open);
    let trials = steps.flat_map(|step| step.trials.iter().map(move |trial| (step.index, trial)));
    trials.filter(|(_, trial)| trial.condition.is_some())
}
