//! The steps of a session, one after another, until nothing is left or somebody stops it.

use super::equipment::Equipment;
use super::waits::Waited;
use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_design::{Doing, Go, PlannedStep};
use chronotap_session::{
    course::{LAST_WORD, Task},
    ending::Ending,
    frontend::{
        AfterPractice, Announcement, Frontend, FrontendError, NotReached, Opened, Pause, Standing,
        StepAhead, Wish,
    },
    line::{Asked, Line, TrialBegan},
    tables::seal,
};

impl<D: AnyDisk> Session<'_, D> {
    /// Goes on until nothing is left, or somebody stops it.
    ///
    /// # Errors
    /// [`SessionError`]; what was done until then is kept, and the same command goes on.
    pub fn run(
        &mut self,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Ending, SessionError> {
        self.introduce(frontend);
        loop {
            let done = self.step(equipment, frontend);
            match done {
                Ok(None) => {}
                Ok(Some(ending)) => return self.close(ending, frontend),
                Err(SessionError::Frontend(FrontendError::Interrupted)) => {
                    equipment.rearm();
                    if let Some(ending) = self.chosen(None, equipment, frontend)? {
                        return self.close(ending, frontend);
                    }
                }
                Err(error) => {
                    let _ = self.write_tables(); // made again from the journal
                    return Err(error);
                }
            }
        }
    }

    /// Does the next thing; an ending where there is none.
    fn step(
        &mut self,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        while let Some(wish) = frontend.wish() {
            if let Some(ending) = self.fulfil(wish, equipment, frontend)? {
                return Ok(Some(ending));
            }
        }
        self.keep(frontend)?;
        self.confirm_tone(equipment, frontend)?;
        let task = self.course.next_task();
        if task == Task::Nothing && self.began.waits && self.course.stopped().is_none() {
            return self.assign_group(frontend).map(|()| None);
        }
        frontend.tell(&Announcement::Stands(&self.standing(&task)));
        if !matches!(task, Task::Question { .. } | Task::Field { .. }) {
            self.write_tables()?;
        }
        match task {
            Task::Field { field } => self.ask_field(field, frontend)?,
            Task::Question { name, asked } => self.ask_question(&name, asked, frontend)?,
            Task::Say { step, block, run, text, until } => {
                if let Some(written) = self.written(step, block, run) {
                    frontend.keep_levels(written);
                }
                frontend.show_text(&self.with_results(&text, run))?;
                let at_the_end = |at| Line::Said { at, step, block, run };
                self.record_after(equipment, frontend, until, at_the_end)?;
            }
            Task::Rest { step, after, rest } => {
                let left = self.rest_left((step, after), rest.length, equipment.now());
                frontend.pause(left, Pause::Rest)?;
                let at_the_end = |at| Line::Rested { at, step, after };
                self.record_after(equipment, frontend, rest.go, at_the_end)?;
            }
            Task::Trial(next) => return self.trial(next, equipment, frontend),
            Task::Decide { step, missed } => return self.decide(step, missed, frontend),
            Task::Stop { step } => {
                let name = self.step_name(step);
                let said = format!("\"{name}\" did not reach its criterion, so the session stops");
                frontend.tell(&Announcement::Remark(&said));
                return Ok(Some(Ending::Stopped));
            }
            Task::Nothing => {
                let Some(stopped) = self.course.stopped() else {
                    return Ok(Some(Ending::Completed));
                };
                frontend.tell(&Announcement::Remark(&stopped.said()));
                return Ok(Some(Ending::Answered(stopped.ends)));
            }
        }
        Ok(None)
    }

    /// Writes a line with its moment when what ends a text or a rest came; nothing where the
    /// experimenter wants something first.
    fn record_after(
        &mut self,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
        go: Go,
        line: impl FnOnce(String) -> Line,
    ) -> Result<(), SessionError> {
        match self.wait(equipment, frontend, go)? {
            Waited::Otherwise => Ok(()),
            Waited::ItCame => self.record(line(wall_clock_now())),
        }
    }

    /// What is left of a rest: one that was broken off by a wish goes on, and does not begin anew.
    fn rest_left(&mut self, rest: (usize, u32), length: Nanos, now: Nanos) -> Nanos {
        match self.resting {
            Some((same, end)) if same == rest => (end - now).max(Nanos::ZERO),
            _ => {
                self.resting = Some((rest, now + length));
                length
            }
        }
    }

    fn decide(
        &mut self,
        step: usize,
        missed: Option<String>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        let missed = missed.filter(|_| !self.study.experiment.blind);
        let chosen = frontend.missed(&NotReached { step: self.step_name(step), missed })?;
        let (at, by) = (wall_clock_now(), self.by.clone());
        let (go_on, again) = (chosen != AfterPractice::Stop, chosen == AfterPractice::Again);
        self.record(Line::Decided { at, step, go_on, again, by })?;
        Ok((!go_on).then_some(Ending::Stopped))
    }

    /// Stops it before it went on: devices were tried, and it did not come to more.
    ///
    /// # Errors
    /// [`SessionError`]; what was done until then is kept.
    pub fn stop(&mut self, frontend: &mut dyn Frontend) -> Result<Ending, SessionError> {
        self.close(Ending::Stopped, frontend)
    }

    fn close(
        &mut self,
        ending: Ending,
        frontend: &mut dyn Frontend,
    ) -> Result<Ending, SessionError> {
        while let Some(note) = frontend.wish().filter(Wish::is_note) {
            self.obey(note, frontend)?; // nobody would write it down any more
        }
        let (at, by) = (wall_clock_now(), self.by.clone());
        match ending {
            Ending::Stopped => self.record(Line::Stopped { at, by })?,
            Ending::Completed | Ending::Answered(_) if self.course.is_completed() => {}
            Ending::Completed | Ending::Answered(_) => self.record(Line::Completed { at })?,
        }
        self.write_tables()?;
        self.keep(frontend)?;
        if ending.is_over() {
            self.refuse_lost()?;
            self.seal()?;
        }
        frontend.tell(&Announcement::Ended(ending));
        Ok(ending)
    }

    /// The checksums of what changes no more, now that the session is complete.
    fn seal(&mut self) -> Result<(), SessionError> {
        self.keep_folders()?;
        Ok(seal(&mut self.tables, &self.place, self.dataset)?)
    }

    /// Tells a frontend whose session it is, and how far it has come.
    pub fn introduce(&self, frontend: &mut dyn Frontend) {
        frontend.tell(&Announcement::Opened(&self.opened()));
    }

    /// Where the session stands before it does this.
    fn standing(&self, task: &Task) -> Standing {
        let step = match task {
            Task::Say { step, .. }
            | Task::Rest { step, .. }
            | Task::Decide { step, .. }
            | Task::Stop { step } => Some(*step),
            Task::Trial(next) => Some(next.step),
            Task::Question { asked, .. } => self.step_asking(*asked),
            Task::Field { .. } | Task::Nothing => None,
        };
        let (done, planned) = self.course.counted();
        let step = step.map_or_else(String::new, |step| self.step_name(step));
        Standing { step, done, planned }
    }

    /// The step that a question belongs to.
    fn step_asking(&self, asked: Asked) -> Option<usize> {
        match asked {
            Asked::Step(step) | Asked::Block(step, _) => Some(step),
            Asked::Run(run) => self.trial_begun(run).map(|began| began.step),
            Asked::Participant | Asked::Result => None,
        }
    }

    /// The trial that was begun as this number.
    pub(super) fn trial_begun(&self, run: u32) -> Option<&TrialBegan> {
        self.journal.lines().iter().rev().find_map(|line| match line {
            Line::TrialBegan(began) if began.run == run => Some(&**began),
            _ => None,
        })
    }

    /// Whose session it is, and how far it has come.
    pub fn opened(&self) -> Opened {
        let (done, planned) = self.course.counted();
        Opened {
            title: self.study.experiment.title.clone(),
            participant: self.place.label.clone(),
            session: self.began.session,
            cell: self.told(self.plan.between.clone()),
            done,
            planned,
            steps: self.plan.steps.iter().map(step_ahead).collect(),
            resumed: self.resumed,
        }
    }

    /// Levels, where the experimenter may know them.
    pub(super) fn told(&self, levels: Vec<(String, String)>) -> Vec<(String, String)> {
        if self.study.experiment.blind { Vec::new() } else { levels }
    }

    /// The text of a step or its blocks as it was written, where the experimenter is blind.
    fn written(&self, step: usize, block: Option<u32>, run: Option<u32>) -> Option<&str> {
        let experiment = &self.study.experiment;
        let step = experiment.steps.get(step).filter(|_| experiment.blind)?;
        let say = match &step.doing {
            _ if block == LAST_WORD => None,
            _ if run.is_some() => step.told(),
            Doing::Trials(trials) if block.is_some() => trials.blocks.as_ref()?.say.as_ref(),
            _ => step.say.as_ref(),
        };
        say.map(|say| say.text.as_str())
    }

    pub(super) fn step_name(&self, step: usize) -> String {
        self.study.experiment.steps.get(step).map_or_else(String::new, |step| step.name.clone())
    }
}

fn step_ahead(step: &PlannedStep) -> StepAhead {
    StepAhead { name: step.name.clone(), trials: (!step.open).then_some(step.trials.len()) }
}
