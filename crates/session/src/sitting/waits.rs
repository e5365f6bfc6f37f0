//! Waiting for a tap, a key, or the experimenter: before a trial, after a text, after a rest.

use super::equipment::Equipment;
use super::{Sitting, SittingError};
use crate::calm::Calm;
use crate::desk::{Desk, DeskError, Told};
use chronotap_clocks::{MonotonicClock, sleep_until};
use chronotap_design::Go;
use chronotap_engine::action::Kind;
use chronotap_experiment::TrialFile;
use chronotap_files::Disk as AnyDisk;
use chronotap_laboratory::{Keep, Run, Tapper};
use chronotap_realtime::{Interrupt, TrialEnd};
use chronotap_recorder::{Notice, USUAL_ROOM, Watch, observe};
use chronotap_time::Nanos;
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

impl<D: AnyDisk> Sitting<'_, D> {
    /// Waits for what starts a trial or ends a text: a tap, a key, the experimenter. In
    /// virtual time, and where nobody is there, for nothing. What the experimenter wants
    /// meanwhile comes first, and what was waited for is next again; a note waits.
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
        let taps = go == Go::Tap && matches!(equipment.tapper, Tapper::Nobody);
        let listening = self.study.listening_trial().filter(|_| taps);
        let without_pads = go == Go::Tap && listening.is_none();
        desk.tell(&Told::Waits(if without_pads { Go::Key } else { go }));
        match listening {
            Some(file) => wait_for_a_tap(&file, equipment, desk)?,
            None => wait_for_a_key(desk, interrupt),
        }
        let stopped = interrupt.requested();
        equipment.rearm();
        match stopped {
            true => Err(DeskError::Interrupted.into()),
            false if desk.has_wish() => Ok(Waited::Otherwise),
            false => Ok(Waited::ItCame),
        }
    }
}

/// Until a tap answers, or somebody goes on otherwise.
fn wait_for_a_tap(
    file: &TrialFile,
    equipment: &mut Equipment<'_>,
    desk: &mut dyn Desk,
) -> Result<(), SittingError> {
    let (observer, watch) = observe(USUAL_ROOM);
    let observers = [observer];
    let (seed, tapper, keep) = (0, equipment.tapper, Keep::Nothing);
    let run = Run { file, seed, tapper, limit: None, keep, observers: &observers };
    let (mut calm, end) = (Calm::default(), TrialEnd::default());
    equipment.laboratory.run(&run, &end, &mut |_| {
        if answered(&watch, &mut calm) || desk.beckoned() || desk.has_wish() {
            end.request();
        }
    })?;
    Ok(())
}

/// Whether one of the taps since it was last asked answers.
fn answered(watch: &Watch, calm: &mut Calm) -> bool {
    let mut answered = false;
    while let Some(notice) = watch.next(Duration::ZERO) {
        let Notice::Happened(entry) = notice else { continue };
        if matches!(entry.action.kind, Kind::Tap(_)) {
            answered |= calm.is_broken_by_an_answer(entry.action.deadline);
        }
    }
    answered
}

fn wait_for_a_key(desk: &mut dyn Desk, interrupt: Interrupt) {
    while !desk.beckoned() && !desk.has_wish() && !interrupt.requested() {
        sleep_until(MonotonicClock::raw() + LOOK_AGAIN);
    }
}
