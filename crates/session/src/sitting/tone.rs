//! Tones on every output before the first trial of a session, until somebody confirms that
//! they are heard as they should be. Only where somebody is there and a person taps.

use super::equipment::Equipment;
use super::{Sitting, SittingError};
use crate::desk::{Desk, DeskError, Doubt, Told};
use crate::line::Line;
use chronotap_clocks::wall_clock_now;
use chronotap_experiment::TrialFile;
use chronotap_files::Disk as AnyDisk;
use chronotap_laboratory::{Keep, Run, Tapper};
use chronotap_realtime::TrialEnd;

impl<D: AnyDisk> Sitting<'_, D> {
    /// Writes down that somebody heard the tones, where they were played before the session
    /// was run; it then plays none. They are heard anew where a session goes on, which may be on
    /// another day and another output.
    ///
    /// # Errors
    /// [`SittingError`] where the journal cannot be written.
    pub fn tones_were_heard(&mut self) -> Result<(), SittingError> {
        match self.study.tones() {
            Some((_, outputs)) => self.heard(outputs),
            None => Ok(()),
        }
    }

    /// Plays tones and asks, once in a session.
    pub(super) fn confirm_tone(
        &mut self,
        equipment: &mut Equipment<'_>,
        desk: &mut dyn Desk,
    ) -> Result<(), SittingError> {
        let alone = equipment.interrupt.is_none() || !desk.is_attended();
        if self.tone_is_settled || alone || !matches!(equipment.tapper, Tapper::Nobody) {
            return Ok(());
        }
        let Some((file, outputs)) = self.unheard() else {
            self.tone_is_settled = true;
            return Ok(());
        };
        loop {
            play(&file, equipment, desk)?;
            if desk.confirm(&Doubt::Tone { outputs: outputs.clone() })? {
                return self.heard(outputs);
            }
        }
    }

    /// The tones and their outputs, where the study has some and nobody confirmed them yet in
    /// this session. Once a trial was begun it is too late.
    fn unheard(&self) -> Option<(TrialFile, Vec<String>)> {
        let heard = |line: &Line| matches!(line, Line::ToneConfirmed { .. } | Line::TrialBegan(_));
        match self.journal.lines().iter().any(heard) {
            true => None,
            false => self.study.tones(),
        }
    }

    fn heard(&mut self, outputs: Vec<String>) -> Result<(), SittingError> {
        self.tone_is_settled = true;
        let (at, by) = (wall_clock_now(), self.by.clone());
        self.record(Line::ToneConfirmed { at, outputs, by })
    }
}

fn play(
    file: &TrialFile,
    equipment: &mut Equipment<'_>,
    desk: &mut dyn Desk,
) -> Result<(), SittingError> {
    desk.tell(&Told::Remark("Tones, to set the level:"));
    let (seed, tapper, keep) = (0, equipment.tapper, Keep::Nothing);
    let run = Run { file, seed, tapper, limit: None, keep, observers: &[] };
    equipment.laboratory.run(&run, &TrialEnd::default(), &mut |_| {})?;
    if equipment.is_interrupted() {
        equipment.rearm();
        return Err(DeskError::Interrupted.into());
    }
    Ok(())
}
