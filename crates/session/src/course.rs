//! [`Course`]: what a session does next, as it follows from the plan and from what happened.
//! It is told every line of the journal and asked for the next [`Task`]; whether a line was
//! written just now or is read again after a power cut makes no difference. It does nothing
//! itself.

mod block;
mod progress;
mod staircases;
mod task;
mod within;

pub use task::{Next, Task};

use crate::frontend::Avoid;
use crate::line::{Asked, GivenAnswer, Line, StaircaseAnswer, TrialBegan, TrialEnded};
use crate::tables::planned;
use block::Block;
use chronotap_core::time::Nanos;
use chronotap_design::{Doing, Ends, Experiment, Go, OnlyIf, Plan, PlannedStep, Step};
use progress::Progress;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The block under which a step has said its last word: blocks count from 1.
pub const LAST_WORD: Option<u32> = Some(0);

/// How far a session has come. It follows from the plan and the lines alone: being asked changes
/// nothing, so that a session that is read again stands where it stood.
#[derive(Clone, Debug)]
pub struct Course<'a> {
    experiment: &'a Experiment,
    plan: Arc<Plan>,
    answered: HashSet<(Asked, String)>,
    answers: HashMap<String, String>, // the last one to each question
    said: HashSet<(usize, Option<u32>)>,
    rested: HashSet<(usize, u32)>,
    place: usize, // among the steps of the plan
    here: Progress,
    left: HashMap<usize, Progress>, // of steps that were entered, by their places
    runs: u32,
    last: Option<TrialBegan>,  // began, no end known
    ended: Option<TrialBegan>, // the last that came to its end
    of_run: Option<u32>,       // of which the present step asks and tells
    told: Option<u32>,         // the run of which the participant was told last
    stopped: Option<Stopped>,
    completed: bool,
}

/// An answer that ended the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The step, from 0, that asked.
    pub step: usize,
    pub name: String,
    pub answer: String,
    /// What ended with it.
    pub ends: Ends,
    /// Planned trials that were done by then.
    done: usize,
}

impl Stopped {
    /// In a sentence, for the experimenter.
    pub fn said(&self) -> String {
        let what = match self.ends {
            Ends::Participation => "participation",
            Ends::Session => "session",
        };
        format!("{} was answered with \"{}\", so the {what} ends", self.name, self.answer)
    }
}

impl<'a> Course<'a> {
    /// The course of a session of which nothing has happened.
    pub fn new(experiment: &'a Experiment, plan: Arc<Plan>) -> Course<'a> {
        let mut course = Course {
            experiment,
            here: Progress::of(experiment, plan.steps.first()),
            plan,
            answered: HashSet::new(),
            answers: HashMap::new(),
            said: HashSet::new(),
            rested: HashSet::new(),
            place: 0,
            left: HashMap::new(),
            runs: 0,
            last: None,
            ended: None,
            of_run: None,
            told: None,
            stopped: None,
            completed: false,
        };
        course.settle();
        course
    }

    /// Takes in what happened.
    pub fn take(&mut self, line: &Line) {
        self.note(line);
        self.settle();
    }

    fn note(&mut self, line: &Line) {
        match line {
            Line::Answered(answered) => {
                if let Asked::Step(step) | Asked::Block(step, _) = answered.asked {
                    self.reach(step);
                }
                self.answered.insert((answered.asked, answered.name.clone()));
                self.answers.insert(answered.name.clone(), answered.answer.clone());
                self.stopped = self.stopped.take().or_else(|| self.stopped_by(answered));
            }
            Line::Said { step, run: Some(run), .. } => {
                self.reach(*step);
                self.told = Some(*run);
            }
            Line::Said { step, block, .. } => {
                self.reach(*step);
                self.said.insert((*step, *block));
            }
            Line::Rested { step, after, .. } => {
                self.reach(*step);
                self.rested.insert((*step, *after));
                self.of_step(*step, |progress| progress.since_rest_s = 0.0);
            }
            Line::Decided { step, go_on, again, .. } => {
                self.reach(*step);
                self.of_step(*step, |progress| {
                    progress.decided = *go_on && !again;
                    progress.more += u32::from(*again);
                });
            }
            Line::TrialBegan(began) => {
                self.reach(began.step);
                self.runs = self.runs.max(began.run);
                self.of_run = None; // what was not asked until then is not asked any more
                self.last = Some((**began).clone());
            }
            Line::TrialEnded(ended) => self.trial_ended(ended),
            Line::TrialCut { .. } => self.trial_cut(),
            Line::Repeated { run, .. } => self.repeat(*run),
            Line::Skipped { step, trial, .. } => {
                self.reach(*step);
                self.of_step(*step, |progress| progress.skip(*trial));
            }
            Line::Completed { .. } => {
                self.completed = true;
                self.enter(self.plan.steps.len());
            }
            Line::Corrected(corrected) => self.know(&corrected.answers),
            Line::Began(began) => {
                self.know(&began.answers);
                if let Some(step) = began.from {
                    self.reach(step);
                }
            }
            Line::Resumed { .. }
            | Line::Noted { .. }
            | Line::Paused { .. }
            | Line::WentOn { .. }
            | Line::ToneConfirmed { .. }
            | Line::DroppedOut { .. }
            | Line::Assigned(_)
            | Line::Stopped { .. } => {}
        }
    }

    /// Answers about the person that were not asked by a step.
    fn know(&mut self, answers: &BTreeMap<String, String>) {
        for (name, answer) in answers.clone() {
            self.note(&Line::Answered(GivenAnswer { name, answer, ..GivenAnswer::default() }));
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

    /// What is to be done next.
    pub fn next_task(&self) -> Task {
        if let Some(stopped) = &self.stopped {
            return self.last_word(stopped.step);
        }
        let field = self.field().filter(|_| !self.asks_about_the_person());
        match (field, self.plan.steps.get(self.place)) {
            (Some(field), _) => Task::Field { field },
            (None, Some(step)) => self.within(step),
            (None, None) => Task::Nothing,
        }
    }

    /// Passes steps of which nothing is left.
    fn settle(&mut self) {
        while self.place < self.plan.steps.len() && self.next_task() == Task::Nothing {
            self.enter(self.place + 1);
        }
    }

    /// The trial that comes next in the present step, whatever stands before it: step and
    /// planned trial.
    pub fn ahead(&self) -> Option<(usize, u32)> {
        if let Task::Trial(next) = self.next_task() {
            return Some((next.step, next.trial));
        }
        let step = self.plan.steps.get(self.place)?;
        let next = self.here.blocks.iter().find_map(Block::next);
        let next = next.or_else(|| step.open.then_some(self.here.practised + 1))?;
        Some((step.index, next))
    }

    /// Planned trials of known number that are done, and how many there are.
    pub fn counted(&self) -> (usize, usize) {
        let (done, all) = self.counted_to_here();
        (self.stopped.as_ref().map_or(done, |stopped| stopped.done), all)
    }

    /// The answer that ended the session, where one did.
    pub fn stopped(&self) -> Option<&Stopped> {
        self.stopped.as_ref()
    }

    /// The answers to a question that end the session.
    pub fn stops(&self, name: &str, asked: Asked) -> &'a [String] {
        let stop_if = self.step_asking(asked).and_then(|step| step.stop_if.as_ref());
        stop_if.map_or(&[], |stop_if| stop_if.answers_of(name))
    }

    /// The answers to a question that nobody gives who is simulated.
    pub fn avoided(&self, name: &str, asked: Asked) -> Avoid<'a> {
        Avoid { stops: self.stops(name, asked), excludes: &self.experiment.exclude }
    }

    fn stopped_by(&self, answered: &GivenAnswer) -> Option<Stopped> {
        let GivenAnswer { name, answer, asked, .. } = answered;
        let step = self.step_asking(*asked)?;
        let step = self.experiment.steps.iter().position(|one| std::ptr::eq(one, step))?;
        let ends = self.experiment.steps[step].stop_if.as_ref()?.ends;
        let (name, answer) = (name.clone(), answer.clone());
        let done = self.counted_to_here().0;
        let stops = self.stops(&name, *asked).contains(&answer);
        stops.then_some(Stopped { step, name, answer, ends, done })
    }

    /// The step that asks a question of its own, or about the participant.
    fn step_asking(&self, asked: Asked) -> Option<&'a Step> {
        let steps = &self.experiment.steps;
        let planned = || self.plan.steps.iter().filter_map(|step| steps.get(step.index));
        match asked {
            Asked::Step(step) => steps.get(step),
            Asked::Participant => planned().find(|step| step.doing == Doing::Person),
            Asked::Block(..) | Asked::Run(_) | Asked::Result => None,
        }
    }

    /// What is shown before the session ends with an answer.
    fn last_word(&self, step: usize) -> Task {
        let stop_if = self.experiment.steps[step].stop_if.as_ref();
        let text = stop_if.map(|stop_if| &*stop_if.text).filter(|_| !self.completed);
        self.say(step, LAST_WORD, text, Go::Tap).unwrap_or(Task::Nothing)
    }

    /// Whether a step asks what is to be known of the participant.
    fn asks_about_the_person(&self) -> bool {
        let mut steps = self.plan.steps.iter();
        steps.any(|step| self.experiment.steps[step.index].doing == Doing::Person)
    }

    fn counted_to_here(&self) -> (usize, usize) {
        let closed = |step: &&PlannedStep| !step.open;
        let all = self.plan.steps.iter().filter(closed).map(|step| step.trials.len()).sum();
        let before = self.plan.steps[..self.place.min(self.plan.steps.len())].iter();
        let before: usize = before.filter(closed).map(|step| step.trials.len()).sum();
        let here = self.plan.steps.get(self.place).filter(closed);
        let here =
            here.map_or(0, |_| self.here.blocks.iter().map(|block| block.done() as usize).sum());
        (before + here, all)
    }

    /// What of the participant is not known yet.
    fn field(&self) -> Option<usize> {
        let unanswered =
            |name: &String| !self.answered.contains(&(Asked::Participant, name.clone()));
        (self.plan.session == 1).then_some(())?;
        let mut fields = self.experiment.fields.iter();
        fields.position(|field| unanswered(&field.name) && self.holds(&field.only_if))
    }

    /// Whether one of these was answered to each of the others. Who was not asked has not.
    fn holds(&self, only_if: &[OnlyIf]) -> bool {
        only_if
            .iter()
            .all(|of| self.answers.get(&of.name).is_some_and(|given| of.answers.contains(given)))
    }

    /// The same for a question by its name.
    fn is_asked(&self, name: &str) -> bool {
        let mut questions = self.experiment.questions.iter();
        let question = questions.find(|question| question.name == name);
        question.is_none_or(|question| self.holds(&question.only_if))
    }

    /// Goes on to a step of which something happened: those before it are done.
    fn reach(&mut self, step: usize) {
        match self.place_of(step) {
            Some(place) if place > self.place => self.enter(place),
            _ => {}
        }
    }

    /// Goes to a step, and takes it up where it was left.
    fn enter(&mut self, place: usize) {
        let new = || Progress::of(self.experiment, self.plan.steps.get(place));
        let there = self.left.remove(&place).unwrap_or_else(new);
        let left = std::mem::replace(&mut self.here, there);
        self.left.insert(self.place, left);
        self.place = place;
        self.of_run = None;
    }

    /// Goes back to a step that was left.
    fn go_back(&mut self, step: usize) {
        match self.place_of(step) {
            Some(place) if place < self.place => self.enter(place),
            _ => {}
        }
    }

    fn place_of(&self, step: usize) -> Option<usize> {
        self.plan.steps.iter().position(|planned| planned.index == step)
    }

    /// Changes what is known of a step, be it the present one or one that was left.
    fn of_step(&mut self, step: usize, change: impl FnOnce(&mut Progress)) {
        let place = self.place_of(step);
        let left = place.and_then(|place| self.left.get_mut(&place));
        match left {
            Some(left) => change(left),
            None if place == Some(self.place) => change(&mut self.here),
            None => {}
        }
    }

    /// The key and the value that a staircase of this step sets next.
    pub fn level(&self, staircase: usize) -> Option<(Vec<String>, String)> {
        self.here.staircases.setting(staircase)
    }

    /// The name of a staircase of this step.
    pub fn staircase(&self, place: usize) -> Option<&str> {
        self.here.staircases.name(place)
    }

    /// Whether this answer is a reversal of a staircase; `None` of one that has none.
    pub fn reverses(&self, place: usize, answer: StaircaseAnswer) -> Option<bool> {
        self.here.staircases.reverses(place, answer)
    }

    /// What is to be said of a staircase that ends with this answer.
    pub fn end_of_staircase(&self, place: usize, answer: StaircaseAnswer) -> Option<String> {
        self.here.staircases.end_with(place, answer)
    }

    fn trial_ended(&mut self, ended: &TrialEnded) {
        if ended.interrupted {
            return self.trial_cut();
        }
        let Some(began) = self.last.take() else { return };
        let Some((step, planned)) = planned(&self.plan, began.step, began.trial) else { return };
        let (gap, block) = (Nanos(planned.gap_ns), planned.block);
        self.of_run = (self.place_of(step.index) == Some(self.place)).then_some(ended.run);
        let redo = match &self.experiment.steps[began.step].doing {
            Doing::Trials(trials) => trials.redo.as_ref(),
            _ => None,
        };
        self.of_step(began.step, |progress| {
            progress.since_rest_s += ended.length_s + gap.as_secs_f64();
            progress.ended(&began, ended);
            if let Some(block) = progress.block(block) {
                block.ended(began.trial, !ended.failed.is_empty(), redo);
            }
        });
        self.ended = Some(began);
    }

    /// The trial did not come to its end, and is next again.
    fn trial_cut(&mut self) {
        let Some(began) = self.last.take() else { return };
        let Some(number) = self.block_of(&began) else { return };
        self.of_step(began.step, |progress| {
            if let Some(block) = progress.block(number) {
                block.cut(began.trial);
            }
        });
    }

    /// The trial that came to its end last does not count, and is next again. One that was
    /// interrupted is that anyhow.
    fn repeat(&mut self, run: u32) {
        let Some(began) = self.ended.take_if(|ended| ended.run == run) else { return };
        let Some(number) = self.block_of(&began) else { return };
        self.go_back(began.step);
        self.of_run = None;
        self.of_step(began.step, |progress| {
            progress.take_back(began.trial);
            if let Some(block) = progress.block(number) {
                block.repeat(began.trial);
            }
        });
    }

    fn block_of(&self, began: &TrialBegan) -> Option<u32> {
        planned(&self.plan, began.step, began.trial).map(|(_, trial)| trial.block)
    }
}
