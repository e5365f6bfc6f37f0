//! What the experimenter wants between two trials, or after a trial was ended by hand: to go
//! on, to pause, to repeat, to skip, to stop, to note something down. Each stands in the
//! journal with who wanted it.

use super::equipment::Equipment;
use super::run::Ending;
use super::{Sitting, SittingError};
use crate::desk::{Desk, DeskError, Told, Wish};
use crate::line::Line;
use chronotap_clocks::wall_clock_now;
use chronotap_files::Disk as AnyDisk;

/// Who writes down what nobody asked for.
const ITSELF: &str = "chronotap";

impl<D: AnyDisk> Sitting<'_, D> {
    /// Asks how to go on until that is clear, and does it; an ending where they stop. The
    /// trial that was `interrupted` is next again in any case. Whoever interrupts the question
    /// itself, or closes the terminal, stops.
    pub(super) fn chosen(
        &mut self,
        interrupted: Option<u32>,
        equipment: &Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ending>, SittingError> {
        loop {
            let wish = match desk.choose() {
                Err(DeskError::Interrupted) => {
                    equipment.rearm();
                    Wish::Stop
                }
                wish => wish?,
            };
            match (wish, interrupted) {
                (Wish::Pause, _) => {} // it waits here already
                (note, _) if note.is_note() => drop(self.obey(note, desk)?),
                (Wish::Repeat(reason), Some(run)) => {
                    self.repeat(run, reason, desk)?;
                    return Ok(None);
                }
                (other, _) => return self.obey(other, desk),
            }
        }
    }

    /// Does what the experimenter wants; an ending where they stop.
    pub(super) fn fulfil(
        &mut self,
        wish: Wish,
        equipment: &Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ending>, SittingError> {
        match wish {
            Wish::Pause => self.pause(equipment, desk),
            other => self.obey(other, desk),
        }
    }

    /// Waits until the experimenter chooses how to go on.
    fn pause(
        &mut self,
        equipment: &Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ending>, SittingError> {
        self.record(Line::Paused { at: wall_clock_now(), by: self.by.clone() })?;
        desk.tell(&Told::Remark("The session is paused."));
        let ending = self.chosen(None, equipment, desk)?;
        self.record(Line::WentOn { at: wall_clock_now(), by: self.by.clone() })?;
        Ok(ending)
    }

    /// Writes down what the experimenter wants; an ending where they stop.
    pub(super) fn obey(
        &mut self,
        wish: Wish,
        desk: &mut dyn Desk,
    ) -> Result<Option<Ending>, SittingError> {
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
                    self.repeat(run, reason, desk)?;
                }
            }
            Wish::Skip(reason) => {
                if let Some((step, trial)) = self.course.ahead() {
                    let name = self.step_name(step);
                    let said = format!("Trial {trial} of \"{name}\" is left out: {reason}");
                    desk.tell(&Told::Remark(&said));
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
        desk: &mut dyn Desk,
    ) -> Result<(), SittingError> {
        if let Some(began) = self.trial_begun(run) {
            let (trial, name) = (began.trial, self.step_name(began.step));
            let said = format!("Trial {trial} of \"{name}\" is run again: {reason}");
            desk.tell(&Told::Remark(&said));
        }
        let (at, by) = (wall_clock_now(), self.by.clone());
        self.record(Line::Repeated { at, run, reason, by })
    }
}
