//! Whether trials have the stretches that outcomes and statistics name: else nobody would find out before the last
//! participant. The engine runs each trial while nobody taps, and an analysis parts it. Where taps or chance decide
//! how it is parted, every name is taken that may come about.

use super::measures::of_step;
use crate::study::experiment::Experiment;
use crate::study::step::{Doing, Step, Trials};
use chronotap_analysis::account::Account;
use chronotap_config::trial_files::reading::Page;
use chronotap_config::trial_files::{TrialFile, settled};
use chronotap_core::text::most_like;
use chronotap_data::record::{Circumstances, Entry, What, answers, observed};
use chronotap_data::tables::Outcome;
use chronotap_engine::Engine;
use chronotap_engine::trial::Trial;
use std::sync::Arc;

/// So many instants of a trial are looked at; one with more is parted as it may be.
const INSTANTS_MAX: usize = 100_000;
/// What paces nothing, before a stream does and afterwards.
const UNPACED: [&str; 2] = ["self-paced", "continuation"];

/// The stretches of the trials of a step.
#[derive(Default)]
pub(super) struct Stretches {
    /// By name, in the order in which trials have them.
    names: Vec<String>,
    /// Whether a trial may have others of these streams, too.
    is_open: bool,
}

impl Stretches {
    /// Takes in those of a trial.
    pub(super) fn take(&mut self, file: &TrialFile) {
        let all = settled(&file.trial).and_then(|trial| of_trial(&trial, file));
        self.is_open |= all.is_none();
        let streams = || file.trial.pacing.iter().map(|stream| stream.name.clone());
        let may_be = || streams().chain(UNPACED.map(str::to_owned)).collect();
        for name in all.unwrap_or_else(may_be) {
            self.add(name);
        }
    }

    fn add(&mut self, name: String) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    fn has(&self, stretch: &str) -> bool {
        let (name, number) = stretch.rsplit_once(' ').unwrap_or((stretch, ""));
        let is_number = number.parse::<u32>().is_ok_and(|number| number > 1);
        let name = if is_number { name } else { stretch };
        let mut parts = name.split('+');
        self.is(stretch) || self.is_open && parts.all(|part| self.is(part))
    }

    fn is(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// What to write instead: the nearest first.
    fn offered(&self, stretch: &str) -> String {
        let names = || self.names.iter().map(String::as_str);
        let nearest = most_like(stretch, names());
        let names = nearest.into_iter().chain(names().filter(|name| Some(*name) != nearest));
        format!("there are: {}", names.collect::<Vec<_>>().join(", "))
    }
}

/// Those of a trial in which nothing depends on taps; `None` where it takes too long.
fn of_trial(trial: &Trial, file: &TrialFile) -> Option<Vec<String>> {
    let entries = entries(trial)?;
    let seen = Circumstances { answers: answers(file), ..Circumstances::default() };
    let stretches = Account::of(&observed(trial, &entries, &seen)).stretches;
    // It is left out where nobody taps.
    let before = stretches.first().filter(|first| first.from.0 > 0).map(|_| UNPACED[0].to_owned());
    let names = stretches.iter().map(|stretch| stretch.name.clone());
    Some(before.into_iter().chain(names).collect())
}

/// Everything that happens in it.
fn entries(trial: &Trial) -> Option<Vec<Entry>> {
    let mut engine = Engine::new(Arc::new(trial.clone()), 1);
    let mut entries = Vec::new();
    for _ in 0..INSTANTS_MAX {
        let Some(next) = engine.next_deadline() else { return Some(entries) };
        engine.advance(next, &mut |action| {
            let achieved = Some(action.deadline);
            let action = *action;
            entries.push(Entry {
                what: What::Happened,
                action,
                achieved,
                stamp: None,
                frame: None,
            });
        });
    }
    None
}

/// Whether anything names a stretch; else no trial need be run.
pub(super) fn are_named(experiment: &Experiment) -> bool {
    let of_step = |step: &Step| match &step.doing {
        Doing::Trials(trials) => of_step(trials).any(|measure| measure.stretch.is_some()),
        _ => false,
    };
    let named = experiment.outcomes.iter().any(|outcome| outcome.stretch.is_some());
    named || experiment.steps.iter().any(of_step)
}

/// Checks the statistics of a step.
pub(super) fn of_measures(page: &Page<'_>, step: &Step, trials: &Trials, all: &Stretches) {
    for measure in of_step(trials) {
        let Some(stretch) = measure.stretch.as_ref().filter(|name| !all.has(name)) else {
            continue;
        };
        let name = measure.known.name;
        let message = format!("step {}: {name}: no trial has a stretch \"{stretch}\"", step.name);
        page.cured(page.start_of(step.line), message, all.offered(stretch));
    }
}

/// Checks an outcome, whose line begins `at`.
pub(super) fn of_outcome(
    page: &Page<'_>,
    at: usize,
    outcome: &Outcome,
    steps: &[(&str, Stretches)],
) {
    let Some(stretch) = &outcome.stretch else { return };
    let counts = |step: &str| outcome.step.as_deref().is_none_or(|named| named == step);
    let here = steps.iter().filter(|(step, _)| counts(step)).map(|(_, all)| all);
    if here.clone().any(|all| all.has(stretch)) || here.clone().next().is_none() {
        return;
    }
    let mut all = Stretches::default();
    here.flat_map(|one| &one.names).for_each(|name| all.add(name.clone()));
    let of = outcome.step.as_ref().map_or(String::new(), |step| format!(" of step {step}"));
    let message = format!("no trial{of} has a stretch \"{stretch}\"");
    page.cured(at, message, all.offered(stretch));
}
