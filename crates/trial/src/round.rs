//! [`Round`]: one service of the engine, the same in real and in virtual time:
//! read the ports, advance the engine, write what it asks for, record everything.
//!
//! Real-time contract: runs in the real-time thread; no allocation, lock, log or
//! panic; system calls are the ports' reads and writes and the clock. `log` is a
//! `dyn` on purpose: a trial and its rehearsal must run the same machine code.

use crate::Ports;
use chronotap_core::time::{Clock, Nanos};
use chronotap_data::record::{Entry, What};
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::signal::{Played, PortReport, Written};
use chronotap_engine::{Engine, Event};

/// An engine, its ports and its clock.
pub struct Round<C> {
    pub engine: Engine,
    pub ports: Ports,
    /// The trial's clock; 0 is the start of the trial.
    pub clock: C,
}

impl<C: Clock> Round<C> {
    /// Reads the virtual ports and those of `ready`, then does what is due by `now`.
    pub fn service(&mut self, ready: u32, now: Nanos, log: &mut dyn FnMut(Entry)) {
        self.ports.read(ready, now, &mut self.engine);
        let Round { engine, ports, clock } = self;
        engine.advance(now, &mut |action| log(carry_out(action, ports, clock)));
    }

    /// Ends the trial.
    pub fn stop(&mut self, at: Nanos, why: TrialEnding, log: &mut dyn FnMut(Entry)) {
        let Round { engine, ports, clock } = self;
        engine.stop(at, why, &mut |action| log(carry_out(action, ports, clock)));
    }

    /// Takes what the ports learned since the last call. What an audio server told goes to the engine; a message
    /// that was not played at the time recorded for it is logged again, as a correction.
    pub fn take_reports(&mut self, log: &mut dyn FnMut(Entry)) {
        let Round { engine, ports, .. } = self;
        ports.reports(&mut |told| match told {
            PortReport::Xrun(at) => engine.xrun(at),
            PortReport::Changed(at, change) => engine.changed(change, at),
            PortReport::Unlinked(input, stamp) => {
                engine.input(Event { input, stamp, message: None })
            }
            PortReport::Linked(input, at) => engine.input_reopened(input, at),
            PortReport::Corrected(action, played) => log(Entry::correction(action, played)),
        });
    }

    /// When the next service is needed.
    pub fn next(&self) -> Option<Nanos> {
        self.engine.next_deadline().into_iter().chain(self.ports.next_arrival()).min()
    }
}

/// Sends what is to be sent, and takes the time after the write has returned.
fn carry_out(action: &Action, ports: &mut Ports, clock: &impl Clock) -> Entry {
    let what = What::Happened;
    if action.is_output() {
        let written = ports.write(action, clock.now());
        let (achieved, frame) = match written {
            Ok(Written::Now) => (Some(clock.now()), None),
            Ok(Written::At(Played { at, frame })) => (Some(at), frame),
            Err(_) => (None, None), // port or rig counts it; the row says `lost`
        };
        return Entry { what, action: *action, achieved, stamp: None, frame };
    }
    match action.kind {
        ActionKind::SilentBeat(..) => ports.pass(action),
        ActionKind::Tap(_) => ports.tapped(action),
        _ => {}
    }
    let (achieved, stamp) = match action.kind {
        ActionKind::Tap(i)
        | ActionKind::Release(i)
        | ActionKind::ControlIn(i)
        | ActionKind::Sysex(i) => (Some(action.deadline), ports.stamp(i)),
        // Happened when it was noticed: messages read in the same turn come after it.
        ActionKind::InputClosed(_) | ActionKind::InputReopened(_) => (Some(action.deadline), None),
        ActionKind::SilentBeat(..) | ActionKind::Muted(_) | ActionKind::Cancelled(_) => {
            (None, None)
        }
        _ => (Some(clock.now()), None),
    };
    Entry { what, action: *action, achieved, stamp, frame: None }
}
