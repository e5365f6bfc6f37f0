//! Waiting for a tap, a key, or the experimenter: before a trial, after a text, after a rest.

use super::run::{Equipment, rearm};
use super::{Sitting, SittingError};
use crate::desk::{Desk, DeskError, Told};
use chronotap_clocks::{MonotonicClock, sleep_until};
use chronotap_design::Go;
use chronotap_experiment::TrialFile;
use chronotap_files::Disk as AnyDisk;
use chronotap_laboratory::{Keep, Run, Tapper};
use chronotap_realtime::Interrupt;
use chronotap_time::Nanos;

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
        desk.tell(&Told::Waits(go));
        let taps = go == Go::Tap && matches!(equipment.tapper, Tapper::Nobody);
        match self.study.waiting_trial().filter(|_| taps) {
            Some(file) => wait_for_a_tap(&file, equipment, desk, interrupt)?,
            None => wait_for_a_key(desk, interrupt),
        }
        let stopped = interrupt.signal().is_some();
        rearm(equipment);
        match stopped {
            true => Err(DeskError::Interrupted.into()),
            false if desk.has_wish() => Ok(Waited::Otherwise),
            false => Ok(Waited::ItCame),
        }
    }
}

fn wait_for_a_tap(
    file: &TrialFile,
    equipment: &mut Equipment<'_>,
    desk: &mut dyn Desk,
    interrupt: Interrupt,
) -> Result<(), SittingError> {
    let (seed, tapper, keep) = (0, equipment.tapper, Keep::Nothing);
    let run = Run { file, seed, tapper, limit: None, keep, observers: &[] };
    equipment.laboratory.run(&run, &mut |_| {
        if desk.beckoned() || desk.has_wish() {
            interrupt.request();
        }
    })?;
    Ok(())
}

fn wait_for_a_key(desk: &mut dyn Desk, interrupt: Interrupt) {
    while !desk.beckoned() && !desk.has_wish() && !interrupt.requested() {
        sleep_until(MonotonicClock::raw() + LOOK_AGAIN);
    }
}
