//! [`Staircases`]: the staircases of a step under way. What an answer does to one is in
//! `chronotap-design`.

use crate::line::StaircaseAnswer;
use chronotap_design::{
    Doing, Experiment, Interleave, Plan, Staircase, StaircaseRule, StaircaseRun, Step,
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

    /// What is to be said of a staircase that this answer ends.
    pub(super) fn end_with(&self, place: usize, answer: StaircaseAnswer) -> Option<String> {
        let (staircase, run) = self.all.get(place)?;
        let mut run = run.clone();
        run.answer(answer.heard());
        run.ended()?;
        let Some(threshold) = run.threshold() else {
            return Some(format!("staircase {} ended without a threshold", staircase.name));
        };
        let said = |value: f64| match staircase.timed {
            true => format!("{:.3} ms", value / 1e6),
            false => format!("{value:.3}"),
        };
        let sd = threshold.sd.map_or("n/a".to_owned(), said);
        let (name, mean, n) = (&staircase.name, said(threshold.mean), threshold.of);
        let what = match staircase.rule {
            StaircaseRule::UpDown(_) => "reversals",
            StaircaseRule::Quest(_) => "answers",
        };
        Some(format!("staircase {name}: threshold {mean}, SD {sd}, of {n} {what}"))
    }
}
