//! The steps of a session, one after another, until nothing is left or somebody stops it.

use super::{Sitting, SittingError};
use crate::checksum::sha256;
use crate::course::Task;
use crate::desk::{Desk, DeskError, Doubt, Opened, Pause, Prompt, Told, Wish};
use crate::line::{Answered, Asked, Line};
use chronotap_clocks::{MonotonicClock, sleep_until, wall_clock_now};
use chronotap_design::{Answer, Go, Rest};
use chronotap_laboratory::{Keep, Run, Session, Tapper};
use chronotap_realtime::Interrupt;
use chronotap_recorder::Observer;
use chronotap_time::Nanos;

/// What a session runs on.
pub struct Equipment<'e> {
    /// Devices that are open.
    pub laboratory: &'e mut Session,
    /// What Ctrl-C sets; `None` in virtual time.
    pub interrupt: Option<Interrupt>,
    /// Who taps at the far end of a virtual wire.
    pub tapper: &'e Tapper,
    /// Lateness above which the timing verdict fails; the trial file's where `None`.
    pub limit: Option<Nanos>,
    /// Who watches the trials.
    pub observers: Vec<Observer>,
}

/// How a sitting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to do.
    Completed,
    /// Somebody stopped it; the same command goes on with it.
    Stopped,
}

impl Sitting<'_> {
    /// Goes on until nothing is left, or somebody stops it.
    ///
    /// # Errors
    /// [`SittingError`]; what was done until then is kept, and the same command goes on.
    pub fn run(
        &mut self,
        equipment: &mut Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<Ending, SittingError> {
        desk.tell(&Told::Opened(&self.opened()));
        loop {
            let done = self.step(equipment, desk);
            match done {
                Ok(None) => {}
                Ok(Some(ending)) => return self.close(ending, desk),
                Err(SittingError::Desk(DeskError::Interrupted)) => {
                    rearm(equipment);
                    let wish = desk.choose()?;
                    if let Some(ending) = self.obey(wish)? {
                        return self.close(ending, desk);
                    }
                }
                Err(error) => {
                    let _ = self.tables.write(self.dataset); // made again from the journal
                    return Err(error);
                }
            }
        }
    }

    /// Does the next thing; an ending where there is none.
    fn step(
        &mut self,
        equipment: &mut Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ending>, SittingError> {
        while let Some(wish) = desk.wish() {
            if let Some(ending) = self.obey(wish)? {
                return Ok(Some(ending));
            }
        }
        let task = self.course.next_task();
        if !matches!(task, Task::Question { .. } | Task::Field { .. }) {
            self.tables.write(self.dataset)?;
        }
        match task {
            Task::Field { field } => self.ask_field(field, desk)?,
            Task::Question { name, asked } => self.ask_question(&name, asked, desk)?,
            Task::Say { step, block, text } => {
                desk.show_text(&text)?;
                if self.wait(equipment, desk, Go::Tap)? == Waited::Otherwise {
                    return Ok(None);
                }
                self.record(Line::Said { at: wall_clock_now(), step, block })?;
            }
            Task::Rest { step, after, rest } => self.rest(step, after, rest, equipment, desk)?,
            Task::Trial(next) => return self.trial(next, equipment, desk),
            Task::Decide { step } => return self.decide(step, desk),
            Task::Stop { step } => {
                let name = self.step_name(step);
                let said = format!("\"{name}\" did not reach its criterion, so the session stops");
                desk.tell(&Told::Remark(&said));
                return Ok(Some(Ending::Stopped));
            }
            Task::Nothing => return Ok(Some(Ending::Completed)),
        }
        Ok(None)
    }

    /// Writes down what the experimenter wants; an ending where they stop.
    pub(super) fn obey(&mut self, wish: Wish) -> Result<Option<Ending>, SittingError> {
        let (at, by) = (wall_clock_now(), self.by.clone());
        match wish {
            Wish::GoOn => {}
            Wish::Note(text) => self.record(Line::Noted { at, text, by })?,
            Wish::Stop => {
                return Ok(Some(Ending::Stopped));
            }
            Wish::Repeat(reason) => {
                if let Some(run) = self.course.last_ended() {
                    self.record(Line::Repeated { at, run, reason, by })?;
                }
            }
            Wish::Skip(reason) => {
                if let Some((step, trial)) = self.course.ahead() {
                    self.record(Line::Skipped { at, step, trial, reason, by })?;
                }
            }
        }
        Ok(None)
    }

    fn ask_field(&mut self, place: usize, desk: &mut dyn Desk) -> Result<(), SittingError> {
        let field = self.study.experiment.fields[place].clone();
        self.ask(&field.name, &field.question, &field.answer, Asked::Participant, desk)?;
        self.fill_fields()
    }

    fn ask_question(
        &mut self,
        name: &str,
        asked: Asked,
        desk: &mut dyn Desk,
    ) -> Result<(), SittingError> {
        let questions = &self.study.experiment.questions;
        let question = questions.iter().find(|question| question.name == name).cloned();
        let question = question.expect("a checked experiment asks only questions that it has");
        self.ask(&question.name, &question.text, &question.answer, asked, desk)
    }

    fn ask(
        &mut self,
        name: &str,
        text: &str,
        answer: &Answer,
        asked: Asked,
        desk: &mut dyn Desk,
    ) -> Result<(), SittingError> {
        let occasion = asked.occasion(&self.tables);
        let reply = desk.ask(&Prompt { name, text, answer, occasion: &occasion })?;
        let (at, name) = (wall_clock_now(), name.to_owned());
        let answered = Answered { at, name, answer: reply.answer, by: reply.by, asked };
        self.record(Line::Answered(answered))
    }

    fn rest(
        &mut self,
        step: usize,
        after: u32,
        rest: Rest,
        equipment: &mut Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<(), SittingError> {
        desk.pause(rest.length, Pause::Rest)?;
        if self.wait(equipment, desk, rest.go)? == Waited::Otherwise {
            return Ok(());
        }
        self.record(Line::Rested { at: wall_clock_now(), step, after })
    }

    fn decide(&mut self, step: usize, desk: &mut dyn Desk) -> Result<Option<Ending>, SittingError> {
        let go_on = desk.confirm(&Doubt::NotReached { step: self.step_name(step) })?;
        let (at, by) = (wall_clock_now(), self.by.clone());
        self.record(Line::Decided { at, step, go_on, by })?;
        Ok((!go_on).then_some(Ending::Stopped))
    }

    /// Waits for what starts a trial or ends a text: a tap, a key, the experimenter. In
    /// virtual time, and where nobody is there, for nothing. What the experimenter wants
    /// meanwhile comes first, and what was waited for is next again.
    pub(super) fn wait(
        &self,
        equipment: &mut Equipment<'_>,
        desk: &mut dyn Desk,
        go: Go,
    ) -> Result<Waited, SittingError> {
        if desk.has_wish() {
            return Ok(Waited::Otherwise);
        }
        let Some(interrupt) = equipment.interrupt else { return Ok(Waited::ItCame) };
        if go == Go::AtOnce || !desk.is_attended() {
            return Ok(Waited::ItCame);
        }
        desk.tell(&Told::Waits(go));
        let taps = go == Go::Tap && matches!(equipment.tapper, Tapper::Nobody);
        match self.study.waiting_trial().filter(|_| taps) {
            Some(file) => {
                let run = Run {
                    file: &file,
                    seed: 0,
                    tapper: equipment.tapper,
                    limit: None,
                    keep: Keep::Nothing,
                    observers: &[],
                };
                equipment.laboratory.run(&run, |_| {
                    if desk.beckoned() {
                        interrupt.request();
                    }
                })?;
            }
            None => {
                while !desk.beckoned() && !interrupt.requested() {
                    sleep_until(MonotonicClock::raw() + LOOK_AGAIN);
                }
            }
        }
        let stopped = interrupt.signal().is_some();
        rearm(equipment);
        match stopped {
            true => Err(DeskError::Interrupted.into()),
            false if desk.has_wish() => Ok(Waited::Otherwise),
            false => Ok(Waited::ItCame),
        }
    }

    fn close(&mut self, ending: Ending, desk: &mut dyn Desk) -> Result<Ending, SittingError> {
        let (at, by) = (wall_clock_now(), self.by.clone());
        match ending {
            Ending::Stopped => self.record(Line::Stopped { at, by })?,
            Ending::Completed if !self.course.is_completed() => {
                self.record(Line::Completed { at })?;
            }
            Ending::Completed => {}
        }
        self.tables.write(self.dataset)?;
        if ending == Ending::Completed {
            self.seal()?;
        }
        desk.tell(&Told::Remark(match ending {
            Ending::Completed => "The session is complete.",
            Ending::Stopped => "The session is stopped; the same command goes on with it.",
        }));
        Ok(ending)
    }

    /// The checksums of what changes no more, now that the session is complete.
    fn seal(&mut self) -> Result<(), SittingError> {
        let place = &self.place;
        let last = [place.table(), place.table_description(), place.scans(), place.journal()];
        for path in last {
            let whole = self.dataset.root().join(&path);
            if chronotap_files::is_there(&whole) {
                let bytes = self.dataset.told(&path, chronotap_files::read(&whole))?;
                self.tables.add_sum(&sha256(&bytes), &path);
            }
        }
        Ok(self.tables.restore(self.dataset)?)
    }

    fn opened(&self) -> Opened {
        let (done, planned) = self.course.counted();
        Opened {
            title: self.study.experiment.title.clone(),
            participant: self.place.label.clone(),
            session: self.began.session,
            cell: self.told(self.plan.between.clone()),
            done,
            planned,
            resumed: self.resumed,
        }
    }

    /// Levels, where the experimenter may know them.
    pub(super) fn told(&self, levels: Vec<(String, String)>) -> Vec<(String, String)> {
        if self.study.experiment.blind { Vec::new() } else { levels }
    }

    pub(super) fn step_name(&self, step: usize) -> String {
        self.study.experiment.steps.get(step).map_or_else(String::new, |step| step.name.clone())
    }
}

/// How waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// What was waited for came.
    ItCame,
    /// The experimenter wants something first.
    Otherwise,
}

/// How often a key is looked for.
const LOOK_AGAIN: Nanos = Nanos::from_millis(20);

/// Takes Ctrl-C over again.
pub(super) fn rearm(equipment: &Equipment<'_>) {
    if let Some(interrupt) = equipment.interrupt {
        interrupt.rearm();
    }
}
