//! Tones on every output before the first trial of a session, until somebody confirms that
//! they are heard as they should be. Only where somebody is there and a person taps.

use super::equipment::Equipment;
use super::{Session, SessionError};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use chronotap_session::{
    frontend::{Announcement, Doubt, Frontend, FrontendError},
    line::Line,
};
use chronotap_simulate::{Tapper, TrialRun};
use chronotap_trial::TrialEnd;

impl<D: AnyDisk> Session<'_, D> {
    /// Writes down that somebody heard the tones, where they were played before the session
    /// was run; it then plays none. They are heard anew where a session goes on, which may be on
    /// another day and another output.
    ///
    /// # Errors
    /// [`SessionError`] where the journal cannot be written.
    pub fn tones_were_heard(&mut self) -> Result<(), SessionError> {
        match self.study.tones() {
            Some((_, outputs)) => self.heard(outputs),
            None => Ok(()),
        }
    }

    /// Plays tones and asks, once in a session.
    pub(super) fn confirm_tone(
        &mut self,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        let alone = equipment.in_real_time.is_none() || !frontend.is_attended();
        if self.tone_is_settled || alone || !matches!(equipment.tapper, Tapper::Nobody) {
            return Ok(());
        }
        let Some((file, outputs)) = self.unheard() else {
            self.tone_is_settled = true;
            return Ok(());
        };
        loop {
            play(&file, equipment, frontend)?;
            if frontend.confirm(&Doubt::Tone { outputs: outputs.clone() })? {
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

    fn heard(&mut self, outputs: Vec<String>) -> Result<(), SessionError> {
        self.tone_is_settled = true;
        let (at, by) = (wall_clock_now(), self.by.clone());
        self.record(Line::ToneConfirmed { at, outputs, by })
    }
}

fn play(
    file: &TrialFile,
    equipment: &mut Equipment<'_>,
    frontend: &mut dyn Frontend,
) -> Result<(), SessionError> {
    frontend.tell(&Announcement::Remark("Tones, to set the level:"));
    let run = TrialRun::unkept(file, equipment.tapper);
    let ran = equipment.laboratory.run(&run, &TrialEnd::default(), &mut |_| {});
    ran.map_err(SessionError::Laboratory)?;
    if equipment.is_interrupted() {
        equipment.rearm();
        return Err(FrontendError::Interrupted.into());
    }
    Ok(())
}
