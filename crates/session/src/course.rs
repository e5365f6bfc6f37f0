//! [`Course`]: what a session does next, as it follows from the plan and from what happened.
//! It is told every line of the journal and asked for the next [`Task`]; whether a line was
//! written just now or is read again after a power cut makes no difference. It does nothing
//! itself.

mod block;
mod climbs;

use crate::line::{Asked, Line, StaircaseAnswer, TrialBegan, TrialEnded};
use crate::tables::planned;
use block::Block;
use chronotap_design::{Doing, Experiment, Go, Otherwise, Plan, PlannedStep, Rest, Trials};
use climbs::Climbs;
use std::collections::HashSet;
use std::sync::Arc;

/// What a session does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Ask a field of the participant.
    Field {
        /// Its place among the fields.
        field: usize,
    },
    /// Ask a question.
    Question {
        /// Its name.
        name: String,
        /// What asks for it.
        asked: Asked,
    },
    /// Show a text, and wait for a word to go on.
    Say {
        /// The step, from 0.
        step: usize,
        /// Of a text before a block, the block's number.
        block: Option<u32>,
        /// The text.
        text: String,
    },
    /// Rest.
    Rest {
        /// The step.
        step: usize,
        /// Planned trials of the step that are done.
        after: u32,
        /// How.
        rest: Rest,
    },
    /// Run a trial.
    Trial(Next),
    /// Ask the experimenter how to go on: a criterion was not reached.
    Decide {
        /// The step.
        step: usize,
    },
    /// A criterion was not reached, and the step says that the session stops then.
    Stop {
        /// The step.
        step: usize,
    },
    /// Nothing is left to do.
    Nothing,
}

/// The trial that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The step, from 0.
    pub step: usize,
    /// The planned trial within the step, from 1.
    pub trial: u32,
    /// The attempt at it, from 1.
    pub attempt: u32,
    /// Its number in the session, from 1.
    pub run: u32,
    /// What starts it.
    pub go: Go,
    /// The staircase that sets its level, by its place among those of the step.
    pub staircase: Option<usize>,
}

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
    since_rest_s: f64,
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
            Line::Repeated { .. } => self.repeat(),
            Line::Skipped { step, trial, .. } => {
                self.reach(*step);
                self.skip(*trial);
            }
            Line::Completed { .. } => {
                self.completed = true;
                self.place = self.plan.steps.len();
            }
            Line::Began(_) | Line::Resumed { .. } | Line::Noted { .. } | Line::Stopped { .. } => {}
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

    /// What is left in a step.
    fn within(&mut self, step: &PlannedStep) -> Task {
        let index = step.index;
        if let Some(task) = self.say(index, None, step.say.as_deref()) {
            return task;
        }
        let experiment = self.experiment;
        match &experiment.steps[index].doing {
            Doing::Say => Task::Nothing,
            Doing::Ask(names) => self.ask(names, Asked::Step(index)).unwrap_or(Task::Nothing),
            Doing::Rest(rest) => match self.rested.contains(&(index, 0)) {
                true => Task::Nothing,
                false => Task::Rest { step: index, after: 0, rest: *rest },
            },
            Doing::Trials(trials) => self.trials(step, trials),
        }
    }

    fn say(&self, step: usize, block: Option<u32>, text: Option<&str>) -> Option<Task> {
        let text = text.filter(|_| !self.said.contains(&(step, block)))?;
        Some(Task::Say { step, block, text: text.to_owned() })
    }

    fn ask(&self, names: &[String], asked: Asked) -> Option<Task> {
        let open = |name: &&String| !self.answered.contains(&(asked, (*name).clone()));
        let name = names.iter().find(open)?.clone();
        Some(Task::Question { name, asked })
    }

    fn trials(&mut self, step: &PlannedStep, trials: &Trials) -> Task {
        if let Some(run) = self.asks_of_run {
            if let Some(task) = self.ask(&trials.ask, Asked::Run(run)) {
                return task;
            }
            self.asks_of_run = None;
        }
        if let Some(practice) = &trials.practice {
            return self.practice(step, trials, practice.at_most, practice.otherwise);
        }
        if !trials.staircases.is_empty() {
            return self.climb(step, trials);
        }
        for place in 0..self.blocks.len() {
            if let Some(task) = self.in_block(step, trials, place) {
                return task;
            }
        }
        Task::Nothing
    }

    fn practice(
        &mut self,
        step: &PlannedStep,
        trials: &Trials,
        at_most: u32,
        otherwise: Otherwise,
    ) -> Task {
        if self.reached || self.decided {
            return Task::Nothing;
        }
        match (self.practised < at_most, otherwise) {
            (true, _) => self.open_trial_of(step, trials, self.practised + 1, None),
            (false, Otherwise::Ask) => Task::Decide { step: step.index },
            (false, Otherwise::GoOn) => Task::Nothing,
            (false, Otherwise::Stop) => Task::Stop { step: step.index },
        }
    }

    /// The next trial of staircases; nothing where all have ended.
    fn climb(&self, step: &PlannedStep, trials: &Trials) -> Task {
        let trial = self.practised + 1;
        match self.climbs.next(&self.plan, &step.name, trials.interleave, trial) {
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

    /// What is left in a block; nothing where it is done.
    fn in_block(&mut self, step: &PlannedStep, trials: &Trials, place: usize) -> Option<Task> {
        let block = &self.blocks[place];
        let number = block.number();
        let Some(next) = block.next() else {
            let ask = trials.blocks.as_ref().map_or(&[][..], |blocks| &blocks.ask);
            return self.ask(ask, Asked::Block(step.index, number));
        };
        if let Some(rest) = self.rest(step, trials) {
            return Some(rest);
        }
        let say = step.blocks.get(place).and_then(|block| block.say.as_deref());
        let said = self.say(step.index, Some(number), say);
        Some(said.unwrap_or_else(|| self.trial(step, trials, next)))
    }

    fn trial(&self, step: &PlannedStep, trials: &Trials, trial: u32) -> Task {
        let attempt = self.blocks.iter().map(|block| block.attempts(trial)).max().unwrap_or(0) + 1;
        let (step, run, go) = (step.index, self.runs + 1, trials.go);
        Task::Trial(Next { step, trial, attempt, run, go, staircase: None })
    }

    /// A rest that is due, never before the first trial and never after the last.
    fn rest(&self, step: &PlannedStep, trials: &Trials) -> Option<Task> {
        let rest = trials.rest?;
        let done: u32 = self.blocks.iter().map(Block::done).sum();
        let due = match rest.every? {
            chronotap_design::Every::Trials(n) => n > 0 && done.is_multiple_of(n),
            chronotap_design::Every::Time(span) => self.since_rest_s >= span.as_secs_f64(),
        };
        let all = match step.open {
            true => u32::MAX, // a further trial comes, else nobody asked for a rest
            false => u32::try_from(step.trials.len()).unwrap_or(u32::MAX),
        };
        let due = due && done > 0 && done < all && !self.rested.contains(&(step.index, done));
        due.then_some(Task::Rest { step: step.index, after: done, rest })
    }

    fn trial_ended(&mut self, ended: &TrialEnded) {
        if ended.interrupted {
            return self.trial_cut();
        }
        let Some(began) = self.last.take() else { return };
        self.since_rest_s += ended.length_s;
        self.asks_of_run = Some(ended.run);
        self.practised = self.practised.max(began.trial);
        self.climbs.answer(began.staircase.as_deref(), ended.answer);
        self.reached = ended.reached == Some(true);
        let at_most = self.redo().map_or((0, false), |redo| {
            (redo.at_most, redo.place == chronotap_design::Place::AtOnce)
        });
        let failed = !ended.failed.is_empty();
        if let Some(block) = self.block_of(&began) {
            block.ended(began.trial, failed, at_most);
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

    /// The trial that came to its end last does not count, and is next again.
    fn repeat(&mut self) {
        let Some(began) = self.ended.take() else { return };
        self.go_back(began.step);
        self.asks_of_run = None;
        self.reached = false;
        self.practised = self.practised.min(began.trial - 1);
        self.climbs.take_back();
        if let Some(block) = self.block_of(&began) {
            block.again(began.trial);
        }
    }

    fn skip(&mut self, trial: u32) {
        self.blocks.iter_mut().for_each(|block| block.skip(trial));
        self.practised = self.practised.max(trial);
    }

    fn redo(&self) -> Option<&chronotap_design::Redo> {
        let step = self.plan.steps.get(self.place)?;
        match &self.experiment.steps[step.index].doing {
            Doing::Trials(trials) => trials.redo.as_ref(),
            _ => None,
        }
    }

    fn block_of(&mut self, began: &TrialBegan) -> Option<&mut Block> {
        let (_, trial) = planned(&self.plan, began.step, began.trial)?;
        let number = trial.block;
        self.blocks.iter_mut().find(|block| block.number() == number)
    }
}
