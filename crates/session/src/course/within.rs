//! What is left within a step: its text, its questions, its rests, its trials in their blocks.

use super::block::Block;
use super::{Course, Next, Task};
use crate::line::Asked;
use chronotap_design::{Doing, Every, Go, Otherwise, PlannedStep, Trials};

impl Course<'_> {
    /// What is left in a step.
    pub(super) fn within(&self, step: &PlannedStep) -> Task {
        let index = step.index;
        let experiment = self.experiment;
        let until = experiment.steps[index].say_until;
        if let Some(task) = self.say(index, None, step.say.as_deref(), until) {
            return task;
        }
        match &experiment.steps[index].doing {
            Doing::Say => Task::Nothing,
            Doing::Person => self.field().map_or(Task::Nothing, |field| Task::Field { field }),
            Doing::Ask(names) => self.ask(names, Asked::Step(index)).unwrap_or(Task::Nothing),
            Doing::Rest(rest) => match self.rested.contains(&(index, 0)) {
                true => Task::Nothing,
                false => Task::Rest { step: index, after: 0, rest: *rest },
            },
            Doing::Trials(trials) => self.trials(step, trials),
        }
    }

    pub(super) fn say(
        &self,
        step: usize,
        block: Option<u32>,
        text: Option<&str>,
        until: Go,
    ) -> Option<Task> {
        let text = text.filter(|_| !self.said.contains(&(step, block)))?.to_owned();
        Some(Task::Say { step, block, run: None, text, until })
    }

    /// What the participant reads after the trial that came to its end last.
    fn tell(&self, step: &PlannedStep) -> Option<Task> {
        let run = self.of_run.filter(|run| self.told != Some(*run));
        let text = step.tell.clone()?;
        Some(Task::Say { step: step.index, block: None, run: Some(run?), text, until: Go::Tap })
    }

    fn ask(&self, names: &[String], asked: Asked) -> Option<Task> {
        let open = |name: &&String| !self.answered.contains(&(asked, (*name).clone()));
        let name = names.iter().filter(|name| self.is_asked(name)).find(open)?.clone();
        Some(Task::Question { name, asked })
    }

    fn trials(&self, step: &PlannedStep, trials: &Trials) -> Task {
        let asked = |run| self.ask(&trials.ask, Asked::Run(run));
        if let Some(task) = self.of_run.and_then(asked).or_else(|| self.tell(step)) {
            return task;
        }
        if let Some(practice) = &trials.practice {
            return self.practice(step, trials, practice.at_most, practice.otherwise);
        }
        if !trials.staircases.is_empty() {
            return self.next_of_staircases(step, trials);
        }
        for place in 0..self.here.blocks.len() {
            if let Some(task) = self.in_block(step, trials, place) {
                return task;
            }
        }
        Task::Nothing
    }

    fn practice(
        &self,
        step: &PlannedStep,
        trials: &Trials,
        at_most: u32,
        otherwise: Otherwise,
    ) -> Task {
        if self.here.reached || self.here.decided {
            return Task::Nothing;
        }
        match (self.here.practised < at_most.saturating_add(self.here.more), otherwise) {
            (true, _) => self.open_trial_of(step, trials, self.here.practised + 1, None),
            (false, Otherwise::Ask) => {
                Task::Decide { step: step.index, missed: self.here.missed.clone() }
            }
            (false, Otherwise::GoOn) => Task::Nothing,
            (false, Otherwise::Stop) => Task::Stop { step: step.index },
        }
    }

    /// The next trial of staircases; nothing where all have ended.
    fn next_of_staircases(&self, step: &PlannedStep, trials: &Trials) -> Task {
        let trial = self.here.practised + 1;
        match self.here.staircases.next(&self.plan, &step.name, trials.interleave, trial) {
            Some(staircase) => self.open_trial_of(step, trials, trial, Some(staircase)),
            None => Task::Nothing,
        }
    }

    /// A trial of a step of unknown length, or the rest before it.
    fn open_trial_of(
        &self,
        step: &PlannedStep,
        trials: &Trials,
        trial: u32,
        staircase: Option<usize>,
    ) -> Task {
        if let Some(rest) = self.rest(step, trials) {
            return rest;
        }
        match self.trial(step, trials, trial) {
            Task::Trial(next) => Task::Trial(Next { staircase, ..next }),
            other => other,
        }
    }

    /// What is left in a block; nothing where it is done.
    fn in_block(&self, step: &PlannedStep, trials: &Trials, place: usize) -> Option<Task> {
        let block = &self.here.blocks[place];
        let number = block.number();
        let Some(next) = block.next() else {
            let ask = trials.blocks.as_ref().map_or(&[][..], |blocks| &blocks.ask);
            return self.ask(ask, Asked::Block(step.index, number));
        };
        if let Some(rest) = self.rest(step, trials) {
            return Some(rest);
        }
        let say = step.blocks.get(place).and_then(|block| block.say.as_deref());
        let said = self.say(step.index, Some(number), say, Go::Tap);
        Some(said.unwrap_or_else(|| self.trial(step, trials, next)))
    }

    fn trial(&self, step: &PlannedStep, trials: &Trials, trial: u32) -> Task {
        let attempt =
            self.here.blocks.iter().map(|block| block.attempts(trial)).max().unwrap_or(0) + 1;
        let (step, run, go) = (step.index, self.runs + 1, trials.go);
        Task::Trial(Next { step, trial, attempt, run, go, staircase: None })
    }

    /// A rest that is due, never before the first trial and never after the last.
    fn rest(&self, step: &PlannedStep, trials: &Trials) -> Option<Task> {
        let rest = trials.rest?;
        let done: u32 = self.here.blocks.iter().map(Block::done).sum();
        let due = match rest.every? {
            Every::Trials(n) => n > 0 && done.is_multiple_of(n),
            Every::Time(span) => self.here.since_rest_s >= span.as_secs_f64(),
        };
        let all = match step.open {
            true => u32::MAX, // a further trial comes, else nobody asked for a rest
            false => u32::try_from(step.trials.len()).unwrap_or(u32::MAX),
        };
        let due = due && done > 0 && done < all && !self.rested.contains(&(step.index, done));
        due.then_some(Task::Rest { step: step.index, after: done, rest })
    }
}
