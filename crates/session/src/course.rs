//! [`Course`]: what a session does next, as it follows from the plan and from what happened.
//! It is told every line of the journal and asked for the next [`Task`]; whether a line was
//! written just now or is read again after a power cut makes no difference. It does nothing
//! itself.

mod block;
mod climbs;
mod task;
mod within;

pub use task::{Next, Task};

use crate::line::{Asked, Line, StaircaseAnswer, TrialBegan, TrialEnded};
use crate::tables::planned;
use block::Block;
use chronotap_design::{Doing, Experiment, Plan, PlannedStep};
use chronotap_time::Nanos;
use climbs::Climbs;
use std::collections::HashSet;
use std::sync::Arc;

/// The last step with trials that was left, should its last trial be repeated.
#[derive(Clone, Debug)]
struct Left {
    place: usize,
    blocks: Vec<Block>,
    climbs: Climbs,
    practised: u32,
}

/// How far a session has come.
#[derive(Clone, Debug)]
pub struct Course<'a> {
    experiment: &'a Experiment,
    plan: Arc<Plan>,
    answered: HashSet<(Asked, String)>,
    said: HashSet<(usize, Option<u32>)>,
    rested: HashSet<(usize, u32)>,
    place: usize, // among the steps of the plan
    blocks: Vec<Block>,
    climbs: Climbs,
    left: Option<Left>,
    runs: u32,
    last: Option<TrialBegan>,  // began, no end known
    ended: Option<TrialBegan>, // the last that came to its end
    asks_of_run: Option<u32>,
    practised: u32,
    reached: bool,
    decided: bool,
    completed: bool,
    since_rest_s: f64, // trials and the pauses before them
}

impl<'a> Course<'a> {
    /// The course of a session of which nothing has happened.
    pub fn new(experiment: &'a Experiment, plan: Arc<Plan>) -> Course<'a> {
        let mut course = Course {
            experiment,
            plan,
            answered: HashSet::new(),
            said: HashSet::new(),
            rested: HashSet::new(),
            place: 0,
            blocks: Vec::new(),
            climbs: Climbs::default(),
            left: None,
            runs: 0,
            last: None,
            ended: None,
            asks_of_run: None,
            practised: 0,
            reached: false,
            decided: false,
            completed: false,
            since_rest_s: 0.0,
        };
        course.enter(0);
        course
    }

    /// Takes in what happened.
    pub fn take(&mut self, line: &Line) {
        match line {
            Line::Answered(answered) => {
                if let Asked::Step(step) | Asked::Block(step, _) = answered.asked {
                    self.reach(step);
                }
                self.answered.insert((answered.asked, answered.name.clone()));
            }
            Line::Said { step, block, .. } => {
                self.reach(*step);
                self.said.insert((*step, *block));
            }
            Line::Rested { step, after, .. } => {
                self.reach(*step);
                self.rested.insert((*step, *after));
                self.since_rest_s = 0.0;
            }
            Line::Decided { step, go_on, .. } => {
                self.reach(*step);
                self.decided = *go_on;
            }
            Line::TrialBegan(began) => {
                self.reach(began.step);
                self.runs = self.runs.max(began.run);
                self.last = Some((**began).clone());
            }
            Line::TrialEnded(ended) => self.trial_ended(ended),
            Line::TrialCut { .. } => self.trial_cut(),
            Line::Repeated { run, .. } => self.repeat(*run),
            Line::Skipped { step, trial, .. } => {
                self.reach(*step);
                self.skip(*trial);
            }
            Line::Completed { .. } => {
                self.completed = true;
                self.place = self.plan.steps.len();
            }
            Line::Began(began) => {
                if let Some(step) = began.from {
                    self.reach(step);
                }
            }
            Line::Resumed { .. }
            | Line::Noted { .. }
            | Line::Paused { .. }
            | Line::WentOn { .. }
            | Line::ToneConfirmed { .. }
            | Line::Stopped { .. } => {}
        }
    }

    /// The trial that began and of which no end is known.
    pub fn open_trial(&self) -> Option<&TrialBegan> {
        self.last.as_ref()
    }

    /// The number of the trial that came to its end last.
    pub fn last_ended(&self) -> Option<u32> {
        self.ended.as_ref().map(|began| began.run)
    }

    /// Whether the session came to its end.
    pub fn is_completed(&self) -> bool {
        self.completed
    }

    /// What is to be done next. Steps of which nothing is left are passed.
    pub fn next_task(&mut self) -> Task {
        if let Some(field) = self.field() {
            return Task::Field { field };
        }
        let plan = Arc::clone(&self.plan);
        loop {
            let Some(step) = plan.steps.get(self.place) else { return Task::Nothing };
            match self.within(step) {
                Task::Nothing => self.enter(self.place + 1),
                task => return task,
            }
        }
    }

    /// The trial that comes next in the present step, whatever stands before it: step and
    /// planned trial.
    pub fn ahead(&mut self) -> Option<(usize, u32)> {
        let open = match self.next_task() {
            Task::Trial(next) => return Some((next.step, next.trial)),
            _ => self.plan.steps.get(self.place)?.open,
        };
        let step = self.plan.steps.get(self.place)?.index;
        let next = self.blocks.iter().find_map(Block::next);
        let next = next.or_else(|| open.then_some(self.practised + 1))?;
        Some((step, next))
    }

    /// Planned trials of known number that are done, and how many there are.
    pub fn counted(&self) -> (usize, usize) {
        let closed = |step: &&PlannedStep| !step.open;
        let all = self.plan.steps.iter().filter(closed).map(|step| step.trials.len()).sum();
        let before = self.plan.steps[..self.place.min(self.plan.steps.len())].iter();
        let before: usize = before.filter(closed).map(|step| step.trials.len()).sum();
        let here = self.plan.steps.get(self.place).filter(closed);
        let here = here.map_or(0, |_| self.blocks.iter().map(|block| block.done() as usize).sum());
        (before + here, all)
    }

    fn field(&self) -> Option<usize> {
        let unanswered =
            |name: &String| !self.answered.contains(&(Asked::Participant, name.clone()));
        (self.plan.session == 1).then_some(())?;
        self.experiment.fields.iter().position(|field| unanswered(&field.name))
    }

    /// Goes on to a step of which something happened: those before it are done.
    fn reach(&mut self, step: usize) {
        let of = |planned: &PlannedStep| planned.index == step;
        match self.plan.steps.iter().position(of) {
            Some(place) if place > self.place => self.enter(place),
            _ => {}
        }
    }

    fn enter(&mut self, place: usize) {
        let blocks = self.plan.steps.get(place).map_or(Vec::new(), Block::all);
        let climbs = self.plan.steps.get(place).map_or_else(Climbs::default, |step| {
            Climbs::of(self.experiment, &self.experiment.steps[step.index])
        });
        let blocks = std::mem::replace(&mut self.blocks, blocks);
        let climbs = std::mem::replace(&mut self.climbs, climbs);
        if !blocks.is_empty() {
            self.left = Some(Left { place: self.place, blocks, climbs, practised: self.practised });
        }
        self.place = place;
        (self.practised, self.reached, self.decided) = (0, false, false);
        self.since_rest_s = 0.0;
    }

    /// Goes back to the step with trials that was left last, where that one is meant.
    fn go_back(&mut self, step: usize) {
        let here = self.plan.steps.get(self.place).is_some_and(|here| here.index == step);
        let meant = |place: usize| self.plan.steps.get(place).is_some_and(|of| of.index == step);
        if let Some(left) = self.left.take_if(|left| !here && meant(left.place)) {
            (self.place, self.blocks) = (left.place, left.blocks);
            (self.climbs, self.practised) = (left.climbs, left.practised);
        }
    }

    /// The key and the value that a staircase of this step sets next.
    pub fn level(&self, staircase: usize) -> Option<(Vec<String>, String)> {
        self.climbs.setting(staircase)
    }

    /// The name of a staircase of this step.
    pub fn staircase(&self, place: usize) -> Option<&str> {
        self.climbs.name(place)
    }

    /// What is to be said of a staircase that ends with this answer.
    pub fn end_of_staircase(&self, place: usize, answer: StaircaseAnswer) -> Option<String> {
        self.climbs.end_with(place, answer)
    }

    fn trial_ended(&mut self, ended: &TrialEnded) {
        if ended.interrupted {
            return self.trial_cut();
        }
        let Some(began) = self.last.take() else { return };
        let gap = planned(&self.plan, began.step, began.trial).map_or(0, |(_, of)| of.gap_ns);
        self.since_rest_s += ended.length_s + Nanos(gap).as_secs_f64();
        self.asks_of_run = Some(ended.run);
        self.practised = self.practised.max(began.trial);
        self.climbs.answer(began.staircase.as_deref(), ended.answer);
        self.reached = ended.reached == Some(true);
        let failed = !ended.failed.is_empty();
        let experiment = self.experiment;
        let redo = match &experiment.steps[began.step].doing {
            Doing::Trials(trials) => trials.redo.as_ref(),
            _ => None,
        };
        if let Some(block) = self.block_of(&began) {
            block.ended(began.trial, failed, redo);
        }
        self.ended = Some(began);
    }

    /// The trial did not come to its end, and is next again.
    fn trial_cut(&mut self) {
        let Some(began) = self.last.take() else { return };
        if let Some(block) = self.block_of(&began) {
            block.cut(began.trial);
        }
    }

    /// The trial that came to its end last does not count, and is next again. One that was
    /// interrupted is that anyhow.
    fn repeat(&mut self, run: u32) {
        let Some(began) = self.ended.take_if(|ended| ended.run == run) else { return };
        self.go_back(began.step);
        self.asks_of_run = None;
        self.reached = false;
        self.practised = self.practised.min(began.trial - 1);
        self.climbs.take_back();
        if let Some(block) = self.block_of(&began) {
            block.repeat(began.trial);
        }
    }

    fn skip(&mut self, trial: u32) {
        self.blocks.iter_mut().for_each(|block| block.skip(trial));
        self.practised = self.practised.max(trial);
    }

    fn block_of(&mut self, began: &TrialBegan) -> Option<&mut Block> {
        let (_, trial) = planned(&self.plan, began.step, began.trial)?;
        let number = trial.block;
        self.blocks.iter_mut().find(|block| block.number() == number)
    }
}
