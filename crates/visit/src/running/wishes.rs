//! What the experimenter wants between two trials, or after a trial was ended by hand: to go
//! on, to pause, to repeat, to skip, to stop, to note something down. Each stands in the
//! journal with who wanted it.

use super::equipment::Equipment;
use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use chronotap_session::{
    ending::Ending,
    frontend::{Announcement, Frontend, FrontendError, Wish},
    line::Line,
};

/// Who writes down what nobody asked for.
pub(super) const ITSELF: &str = "chronotap";

impl<D: AnyDisk> Session<'_, D> {
    /// Asks how to go on until that is clear, and does it; an ending where they stop. The
    /// trial that was `interrupted` is next again in any case. Whoever interrupts the question
    /// itself, or closes the terminal, stops.
    pub(super) fn chosen(
        &mut self,
        interrupted: Option<u32>,
        equipment: &Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        loop {
            let wish = match frontend.choose() {
                Err(FrontendError::Interrupted) => {
                    equipment.rearm();
                    Wish::Stop
                }
                wish => wish?,
            };
            match (wish, interrupted) {
                (Wish::Pause, _) => {} // it waits here already
                (note, _) if note.is_note() => drop(self.obey(note, frontend)?),
                (Wish::Repeat(reason), Some(run)) => {
                    self.repeat(run, reason, frontend)?;
                    return Ok(None);
                }
                (other, _) => return self.obey(other, frontend),
            }
        }
    }

    /// Does what the experimenter wants; an ending where they stop.
    pub(super) fn fulfil(
        &mut self,
        wish: Wish,
        equipment: &Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        match wish {
            Wish::Pause => self.pause(equipment, frontend),
            other => self.obey(other, frontend),
        }
    }

    /// Waits until the experimenter chooses how to go on.
    fn pause(
        &mut self,
        equipment: &Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        self.record(Line::Paused { at: wall_clock_now(), by: self.by.clone() })?;
        frontend.tell(&Announcement::Remark("The session is paused."));
        let ending = self.chosen(None, equipment, frontend)?;
        self.record(Line::WentOn { at: wall_clock_now(), by: self.by.clone() })?;
        Ok(ending)
    }

    /// Writes down what the experimenter wants; an ending where they stop.
    pub(super) fn obey(
        &mut self,
        wish: Wish,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        let (at, by) = (wall_clock_now(), self.by.clone());
        match wish {
            Wish::GoOn | Wish::Pause => {}
            Wish::Note { at, text } => self.record(Line::Noted { at, text, by })?,
            Wish::Noticed { at, text } => {
                self.record(Line::Noted { at, text, by: ITSELF.into() })?;
            }
            Wish::Stop => {
                return Ok(Some(Ending::Stopped));
            }
            Wish::Repeat(reason) => {
                if let Some(run) = self.course.last_ended() {
                    self.repeat(run, reason, frontend)?;
                }
            }
            Wish::Skip(reason) => {
                if let Some((step, trial)) = self.course.ahead() {
                    let name = self.step_name(step);
                    let said = format!("Trial {trial} of \"{name}\" is left out: {reason}");
                    frontend.tell(&Announcement::Remark(&said));
                    self.record(Line::Skipped { at, step, trial, reason, by })?;
                }
            }
        }
        Ok(None)
    }

    /// The trial that was begun as this number does not count, and is run again.
    fn repeat(
        &mut self,
        run: u32,
        reason: String,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        if let Some(began) = self.trial_begun(run) {
            let (trial, name) = (began.trial, self.step_name(began.step));
            let said = format!("Trial {trial} of \"{name}\" is run again: {reason}");
            frontend.tell(&Announcement::Remark(&said));
        }
        let (at, by) = (wall_clock_now(), self.by.clone());
        self.record(Line::Repeated { at, run, reason, by })
    }
}
