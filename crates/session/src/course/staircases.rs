//! [`Staircases`]: the staircases of a step under way. What an answer does to one is in
//! `chronotap-design`.

use crate::line::StaircaseAnswer;
use chronotap_design::{
    Doing, Experiment, Interleave, NoThreshold, Plan, Staircase, StaircaseRule, StaircaseRun, Step,
    Threshold,
};
use chronotap_engine::random::Random;

/// The staircases of a step; none in other steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Staircases {
    all: Vec<(Staircase, StaircaseRun)>,
    before: Option<(usize, StaircaseRun)>, // what the last answer changed
}

impl Staircases {
    /// Those of a step, at their first levels.
    pub(super) fn of(experiment: &Experiment, step: &Step) -> Staircases {
        let Doing::Trials(trials) = &step.doing else { return Staircases::default() };
        let named = |name: &String| experiment.staircases.iter().find(|one| one.name == *name);
        let found = trials.staircases.iter().filter_map(named);
        let all =
            found.map(|staircase| (staircase.clone(), StaircaseRun::new(staircase))).collect();
        Staircases { all, before: None }
    }

    /// The staircase of the next trial; `None` where all have ended.
    pub(super) fn next(
        &self,
        plan: &Plan,
        step: &str,
        interleave: Interleave,
        trial: u32,
    ) -> Option<usize> {
        let is_open = |place: &usize| self.all[*place].1.ended().is_none();
        let open: Vec<usize> = (0..self.all.len()).filter(is_open).collect();
        let (label, session) = (&plan.participant, plan.session);
        let name = format!("staircase.{label}.{session}.{step}.{trial}");
        interleave.next(&open, trial, &mut Random::named(plan.seed, &name))
    }

    /// The key and the value that one of them sets next.
    pub(super) fn setting(&self, place: usize) -> Option<(Vec<String>, String)> {
        self.all.get(place).map(|(_, run)| run.setting())
    }

    /// The name of one of them.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.all.get(place).map(|(staircase, _)| staircase.name.as_str())
    }

    /// Takes the answer of a finished trial.
    pub(super) fn answer(&mut self, name: Option<&str>, answer: Option<StaircaseAnswer>) {
        self.before = None;
        let (Some(name), Some(answer)) = (name, answer) else { return };
        let place = self.all.iter().position(|(staircase, _)| staircase.name == name);
        if let Some(place) = place {
            self.before = Some((place, self.all[place].1.clone()));
            self.all[place].1.answer(answer.heard());
        }
    }

    /// Undoes the last answer: its trial does not count.
    pub(super) fn take_back(&mut self) {
        if let Some((place, run)) = self.before.take() {
            self.all[place].1 = run;
        }
    }

    /// Whether this answer is a reversal of one of them.
    pub(super) fn reverses(&self, place: usize, answer: StaircaseAnswer) -> Option<bool> {
        self.all.get(place).and_then(|(_, run)| run.reverses(answer.heard()))
    }

    /// What is to be said of a staircase that this answer ends.
    pub(super) fn end_with(&self, place: usize, answer: StaircaseAnswer) -> Option<String> {
        let (staircase, run) = self.all.get(place)?;
        let mut run = run.clone();
        run.answer(answer.heard());
        run.ended()?;
        let name = &staircase.name;
        Some(match run.threshold() {
            Ok(threshold) => format!("staircase {name}: {}", found(staircase, threshold)),
            Err(none) => format!("staircase {name} has no threshold: {}", reason(staircase, none)),
        })
    }
}

/// A threshold in words.
fn found(staircase: &Staircase, threshold: Threshold) -> String {
    let se = threshold.se.map_or("n/a".to_owned(), |se| said(staircase, se));
    let what = match staircase.rule {
        StaircaseRule::UpDown(_) => "reversals",
        StaircaseRule::Quest(_) => "answers",
    };
    let (mean, n) = (said(staircase, threshold.mean), threshold.of);
    format!("threshold {mean}, SE {se}, of {n} {what}")
}

/// Why there is none, in words.
fn reason(staircase: &Staircase, none: NoThreshold) -> String {
    match none {
        NoThreshold::NotStopped => {
            format!("its {} trials were over before its rule stopped it", staircase.at_most)
        }
        NoThreshold::TooFewReversals => "it has too few reversals".to_owned(),
        NoThreshold::OnBound(bound) => {
            format!("it lies on the bound of {} or beyond", said(staircase, bound))
        }
    }
}

/// A level in words.
fn said(staircase: &Staircase, level: f64) -> String {
    match staircase.timed {
        true => format!("{:.3} ms", level / 1e6),
        false => format!("{level:.3}"),
    }
}
