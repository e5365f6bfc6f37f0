//! How long trials and sessions last, as far as that can be known beforehand.

use crate::plan::assign::Participant;
use crate::plan::derive::Supplied;
use crate::plan::{GivenValue, PlannedTrial};
use crate::study::experiment::Experiment;
use crate::study::step::{Doing, Every, Rest, Trials};
use chronotap_config::trial_files::{TrialEnds, TrialFile, ends, never_ends};
use std::collections::{HashMap, HashSet};

/// What stands for a result that is not known yet.
const SAMPLE_NS: f64 = 500e6;

/// Lengths by trial file and settings, and by step.
#[derive(Default)]
pub(super) struct Lengths {
    /// By step and condition: all trials of a step with one condition are alike.
    known: HashMap<(usize, Option<usize>, u32), TrialEnds>,
    of_step: HashMap<usize, Vec<TrialEnds>>,
    endless: HashSet<String>,
}

impl Lengths {
    /// The length of a session in nanoseconds, and whether it may be another: trials, the
    /// pauses before them, rests. Texts and questions are not in it.
    pub fn session(
        &mut self,
        experiment: &Experiment,
        participant: &Participant,
        session: u32,
    ) -> (i64, bool) {
        let Ok(plan) = experiment.plan(participant, session) else { return (0, true) };
        let (mut all, mut about) = (0, false);
        for step in &plan.steps {
            let of = match &experiment.steps[step.index].doing {
                Doing::Trials(trials) => trials,
                Doing::Rest(rest) => {
                    all += rest.length.0;
                    continue;
                }
                _ => {
                    about = true;
                    continue;
                }
            };
            let times = if step.open { i64::from(at_most(experiment, of)) } else { 1 };
            let mut in_step = 0;
            for trial in &step.trials {
                let ends = self.of_trial(experiment, step.index, session, trial);
                in_step += times * (trial.gap_ns + ends.at.map_or(0, |at| at.0));
                about |= ends.about || ends.at.is_none() || step.open;
            }
            all += in_step + rests(of.rest.as_ref(), step.trials.len(), in_step);
        }
        (all, about)
    }

    fn of_trial(
        &mut self,
        experiment: &Experiment,
        step: usize,
        session: u32,
        trial: &PlannedTrial,
    ) -> TrialEnds {
        if let Some(known) = self.known.get(&(step, trial.condition, session)) {
            return *known;
        }
        let results = results(trial);
        let file = experiment.trial(trial, &Supplied { results: &results, levels: &[] });
        let of = |file: TrialFile| (ends(&file), never_ends(&file));
        let (ends, endless) = file.map_or((TrialEnds { at: None, about: true }, false), of);
        if endless {
            self.endless.insert(trial.file.clone());
        }
        self.known.insert((step, trial.condition, session), ends);
        self.of_step.entry(step).or_default().push(ends);
        ends
    }

    /// How many trials a step has for a participant, at most; and whether that is open.
    pub fn trials(
        &self,
        experiment: &Experiment,
        participant: &Participant,
        index: usize,
        trials: &Trials,
    ) -> (usize, bool) {
        if trials.practice.is_some() || !trials.staircases.is_empty() {
            return (at_most(experiment, trials) as usize, true);
        }
        let step = &experiment.steps[index];
        let session = step.sessions.as_ref().and_then(|list| list.first()).copied().unwrap_or(1);
        let plan = experiment.plan(participant, session);
        let planned = plan.iter().flat_map(|plan| &plan.steps).find(|step| step.index == index);
        (planned.map_or(0, |step| step.trials.len()), false)
    }

    /// The shortest and the longest trial of a step, and whether taps may end one earlier.
    pub fn of_step(&self, index: usize) -> (Option<(i64, i64)>, bool) {
        let Some(ends) = self.of_step.get(&index) else { return (None, false) };
        let known: Option<Vec<i64>> = ends.iter().map(|ends| Some(ends.at?.0)).collect();
        let known = known.unwrap_or_default();
        let bounds = known.iter().min().copied().zip(known.iter().max().copied());
        (bounds, ends.iter().any(|ends| ends.about))
    }

    /// The files of trials that nothing ends, in order.
    pub fn endless(&self) -> Vec<String> {
        let mut endless: Vec<String> = self.endless.iter().cloned().collect();
        endless.sort();
        endless
    }

    /// What is said of them. A rule that ends the trial would stand behind the last line.
    pub fn warnings(&self, experiment: &Experiment) -> Vec<String> {
        let said = |file: String| {
            let text = experiment.files.iter().find(|(name, _)| *name == file);
            let line = text.map_or(0, |(_, text)| text.trim_end().lines().count());
            format!("{file}:{line}: nothing ends this trial; it runs until it is interrupted")
        };
        self.endless().into_iter().map(said).collect()
    }
}

/// Something for every result that a trial takes up.
fn results(trial: &PlannedTrial) -> Vec<(String, String, f64)> {
    let later = trial.settings.iter().filter_map(|setting| match &setting.value {
        GivenValue::Result { step, result, times, within } => {
            let middle = within.map_or(SAMPLE_NS * times, |(low, high)| (low + high) / 2.0);
            let value = if *times == 0.0 { 0.0 } else { middle / times };
            Some((step.clone(), result.clone(), value))
        }
        GivenValue::Toml(_) => None,
    });
    later.collect()
}

/// The most trials of a step of open length.
fn at_most(experiment: &Experiment, trials: &Trials) -> u32 {
    if let Some(practice) = &trials.practice {
        return practice.at_most;
    }
    let of = experiment.staircases.iter().filter(|of| trials.staircases.contains(&of.name));
    of.map(|staircase| staircase.at_most).fold(0, u32::saturating_add)
}

/// The rests between trials that last so long together.
fn rests(rest: Option<&Rest>, trials: usize, in_step: i64) -> i64 {
    let Some(Rest { every: Some(every), length, .. }) = rest else { return 0 };
    let count = match every {
        Every::Trials(n) => trials.saturating_sub(1) as i64 / i64::from(*n).max(1),
        Every::Time(span) => in_step / span.0.max(1),
    };
    count * length.0
}
