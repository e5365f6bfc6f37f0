//! Waiting for a tap, a key, or the experimenter: before a trial, after a text, after a rest.

use super::equipment::Equipment;
use super::{Session, SessionError};
use crate::calm::Calm;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::Nanos;
use chronotap_design::Go;
use chronotap_engine::action::ActionKind;
use chronotap_recorder::{Notice, USUAL_ROOM, Watch, sink};
use chronotap_session::frontend::{Announcement, Frontend, FrontendError};
use chronotap_simulate::{InRealTime, Tapper, TrialRun};
use chronotap_trial::TrialEnd;
use std::time::Duration;

/// How often a key is looked for.
const LOOK_AGAIN: Nanos = Nanos::from_millis(20);

/// How waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// What was waited for came.
    ItCame,
    /// The experimenter wants something first.
    Otherwise,
}

impl<D: AnyDisk> Session<'_, D> {
    /// Waits for what starts a trial or ends a text: a tap, a key, the experimenter. In
    /// virtual time, and where nobody is there, for nothing. What the experimenter wants
    /// meanwhile comes first, and what was waited for is next again; a note waits.
    pub(super) fn wait(
        &self,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
        go: Go,
    ) -> Result<Waited, SessionError> {
        if frontend.has_wish() {
            return Ok(Waited::Otherwise);
        }
        let Some(clock) = equipment.in_real_time else { return Ok(Waited::ItCame) };
        if go == Go::AtOnce || !frontend.is_attended() {
            return Ok(Waited::ItCame);
        }
        let taps = go == Go::Tap && matches!(equipment.tapper, Tapper::Nobody);
        let listening = self.study.listening_trial().filter(|_| taps);
        let without_pads = go == Go::Tap && listening.is_none();
        frontend.tell(&Announcement::Waits(if without_pads { Go::Key } else { go }));
        match listening {
            Some(file) => wait_for_a_tap(&file, equipment, frontend)?,
            None => wait_for_a_key(frontend, clock),
        }
        let stopped = clock.is_interrupted();
        equipment.rearm();
        match stopped {
            true => Err(FrontendError::Interrupted.into()),
            false if frontend.has_wish() => Ok(Waited::Otherwise),
            false => Ok(Waited::ItCame),
        }
    }
}

/// Until a tap answers, or somebody goes on otherwise.
fn wait_for_a_tap(
    file: &TrialFile,
    equipment: &mut Equipment<'_>,
    frontend: &mut dyn Frontend,
) -> Result<(), SessionError> {
    let (sink, watch) = sink(USUAL_ROOM);
    let run = TrialRun { sinks: &[sink], ..TrialRun::unkept(file, equipment.tapper) };
    let (mut calm, end) = (Calm::default(), TrialEnd::default());
    let ran = equipment.laboratory.run(&run, &end, &mut |_| {
        if answered(&watch, &mut calm) || frontend.beckoned() || frontend.has_wish() {
            end.request();
        }
    });
    ran.map(drop).map_err(SessionError::Laboratory)
}

/// Whether one of the taps since it was last asked answers.
fn answered(watch: &Watch, calm: &mut Calm) -> bool {
    let mut answered = false;
    while let Some(notice) = watch.next(Duration::ZERO) {
        let Notice::Happened(entry) = notice else { continue };
        if matches!(entry.action.kind, ActionKind::Tap(_)) {
            answered |= calm.is_broken_by_an_answer(entry.action.deadline);
        }
    }
    answered
}

fn wait_for_a_key(frontend: &mut dyn Frontend, clock: &dyn InRealTime) {
    while !frontend.beckoned() && !frontend.has_wish() && !clock.is_interrupted() {
        clock.sleep_until(clock.now() + LOOK_AGAIN);
    }
}
