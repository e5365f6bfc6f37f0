//! [`Block`]: the planned trials of a block that are still to be run, in their order.

use chronotap_design::{PlannedStep, Redo, RedoTime};
use std::collections::{HashMap, HashSet, VecDeque};

/// A block under way.
#[derive(Clone, Debug)]
pub(super) struct Block {
    number: u32,
    open: bool, // of unknown length: nothing stands in the queue
    ahead: VecDeque<u32>,
    again: VecDeque<u32>, // at the block's end, in the order of failure
    attempts: HashMap<u32, u32>,
    passed: HashMap<u32, Vec<bool>>, // of each trial its attempts that came to their end
    done: HashSet<u32>,
}

impl Block {
    /// The blocks of a step.
    pub(super) fn all(step: &PlannedStep) -> Vec<Block> {
        let of = |number: u32| {
            let trials = step.trials.iter().filter(|trial| trial.block == number);
            let ahead = trials.map(|trial| trial.trial);
            Block {
                number,
                open: step.open,
                ahead: if step.open { VecDeque::new() } else { ahead.collect() },
                again: VecDeque::new(),
                attempts: HashMap::new(),
                passed: HashMap::new(),
                done: HashSet::new(),
            }
        };
        step.blocks.iter().map(|block| of(block.block)).collect()
    }

    /// Its number, from 1.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The planned trial that is next.
    pub(super) fn next(&self) -> Option<u32> {
        self.ahead.front().or(self.again.front()).copied()
    }

    /// Attempts that were made at a planned trial.
    pub(super) fn attempts(&self, trial: u32) -> u32 {
        self.attempts.get(&trial).copied().unwrap_or(0)
    }

    /// Planned trials of which at least one attempt came to its end, or that were skipped.
    pub(super) fn done(&self) -> u32 {
        self.done.len() as u32
    }

    /// An attempt came to its end. Where the rule says so it is made again, at once or at the
    /// block's end.
    pub(super) fn ended(&mut self, trial: u32, failed: bool, redo: Option<&Redo>) {
        self.tried(trial);
        self.take_off(trial);
        self.done.insert(trial);
        let passed = self.passed.entry(trial).or_default();
        passed.push(!failed);
        if let Some(redo) = redo.filter(|redo| redo.again(passed)) {
            match redo.place {
                RedoTime::AtOnce => self.ahead.push_front(trial),
                RedoTime::BlockEnd => self.again.push_back(trial),
            }
        }
    }

    /// The attempt that came to its end last does not count, and the trial is next again.
    pub(super) fn repeat(&mut self, trial: u32) {
        self.passed.entry(trial).or_default().pop();
        self.put_first(trial);
    }

    /// An attempt did not come to its end: the trial is next again.
    pub(super) fn cut(&mut self, trial: u32) {
        self.tried(trial);
        self.put_first(trial);
    }

    fn put_first(&mut self, trial: u32) {
        self.take_off(trial);
        if !self.open {
            self.ahead.push_front(trial);
        }
    }

    /// A planned trial is left out.
    pub(super) fn skip(&mut self, trial: u32) {
        if self.ahead.contains(&trial) || self.again.contains(&trial) {
            self.done.insert(trial);
        }
        self.take_off(trial);
    }

    fn tried(&mut self, trial: u32) {
        *self.attempts.entry(trial).or_default() += 1;
    }

    fn take_off(&mut self, trial: u32) {
        self.ahead.retain(|ahead| *ahead != trial);
        self.again.retain(|again| *again != trial);
    }
}
