//! [`Progress`]: how far a step of a session has come. It is kept when the step is left, for its
//! last trial may be repeated.

use super::block::Block;
use super::staircases::Staircases;
use crate::line::{TrialBegan, TrialEnded};
use chronotap_design::{Experiment, PlannedStep};

/// A step, as far as it was done.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) blocks: Vec<Block>,
    pub(super) staircases: Staircases,
    pub(super) practised: u32,         // trials of a step of unknown length
    pub(super) reached: bool,          // its criterion, with the last trial
    pub(super) missed: Option<String>, // how far the last trial was from it
    pub(super) decided: bool,          // to go on without
    pub(super) more: u32,              // trials beyond the greatest number, each decided
    pub(super) since_rest_s: f64,      // trials and the pauses before them
}

impl Progress {
    /// A step of which nothing is done; behind the last there is none.
    pub(super) fn of(experiment: &Experiment, step: Option<&PlannedStep>) -> Progress {
        let Some(step) = step else { return Progress::default() };
        let staircases = Staircases::of(experiment, &experiment.steps[step.index]);
        Progress { blocks: Block::all(step), staircases, ..Progress::default() }
    }

    /// A trial came to its end.
    pub(super) fn ended(&mut self, began: &TrialBegan, ended: &TrialEnded) {
        self.practised = self.practised.max(began.trial);
        self.reached = ended.reached == Some(true);
        self.missed.clone_from(&ended.missed);
        self.staircases.answer(began.staircase.as_deref(), ended.answer);
    }

    /// The trial that came to its end last does not count, nor what was decided after it.
    pub(super) fn take_back(&mut self, trial: u32) {
        (self.reached, self.decided) = (false, false);
        self.practised = self.practised.min(trial - 1);
        self.staircases.take_back();
    }

    /// A planned trial is left out.
    pub(super) fn skip(&mut self, trial: u32) {
        self.blocks.iter_mut().for_each(|block| block.skip(trial));
        self.practised = self.practised.max(trial);
    }

    /// The block of this number.
    pub(super) fn block(&mut self, number: u32) -> Option<&mut Block> {
        self.blocks.iter_mut().find(|block| block.number() == number)
    }
}
