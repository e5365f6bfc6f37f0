//! [`Attached`]: a port of a rig, with the inputs that it serves, over its whole life: in
//! use, lost, looked for, and there again.

use super::{Arrangement, Reopen};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Description, Port, PortCounts, PortError, Readiness, Stamp, Written,
};
use chronotap_engine::{Engine, Event};

pub(super) struct Attached {
    pub(super) port: Option<Box<dyn Port>>, // none while it is lost and looked for
    pub(super) about: Description,
    pub(super) inputs: Vec<u16>, // of the rig
    pub(super) open: bool,
    pub(super) reopen: Option<Reopen>, // until somebody looks for lost ports
    pub(super) can_reopen: bool,
    refused: bool,      // when it was last asked, before this trial
    past: PortCounts,   // of ports that were here before, and of writes to none
    before: PortCounts, // all that was counted when the last trial ended
}

/// Later than any message. Between trials the trial's start is set to it, so that whatever comes
/// in counts as early.
const FAR_AHEAD: Nanos = Nanos::from_secs(4_000_000_000);

impl Attached {
    pub(super) fn new(port: Box<dyn Port>, reopen: Option<Reopen>, inputs: Vec<u16>) -> Attached {
        Attached {
            about: port.describe(),
            port: Some(port),
            inputs,
            open: true,
            can_reopen: reopen.is_some(),
            refused: false,
            reopen,
            past: PortCounts::default(),
            before: PortCounts::default(),
        }
    }

    /// Asks the port again what it said when it was opened.
    pub(super) fn ask_again(&mut self) {
        let Some(port) = &mut self.port else { return };
        self.refused = port.server().is_some_and(|server| server.ask_again().is_err());
        self.about = port.describe();
    }

    /// Whether nothing comes or goes by it.
    pub(super) fn is_gone(&self) -> bool {
        !self.open || self.refused
    }

    /// A trial begins.
    pub(super) fn start(&mut self, origin: Nanos) {
        self.port.iter_mut().for_each(|port| port.start(origin));
    }

    /// A trial has ended: from now on everything is early, and counted for the next one.
    pub(super) fn rest(&mut self) {
        self.before = self.total();
        if self.is_a_device() {
            self.port.iter_mut().for_each(|port| port.start(FAR_AHEAD));
        }
    }

    /// Whether there is something to read that does not come from a virtual wire, which is
    /// made anew for each trial.
    fn is_a_device(&self) -> bool {
        matches!(self.readiness(), Readiness::Descriptor(_))
    }

    pub(super) fn readiness(&self) -> Readiness<'_> {
        self.port.as_ref().map_or(Readiness::Never, |port| port.readiness())
    }

    /// Since the last trial ended.
    pub(super) fn counts(&self) -> PortCounts {
        self.total() - self.before
    }

    fn total(&self) -> PortCounts {
        self.past + self.port.as_ref().map(|port| port.counts()).unwrap_or_default()
    }

    pub(super) fn read(
        &mut self,
        now: Nanos,
        arrangement: &Arrangement,
        stamps: &mut [Option<Stamp>],
        engine: &mut Engine,
    ) {
        let Some(port) = &mut self.port else { return };
        let unused = &mut self.past.unused;
        let result = port.read(now, &mut |arrival| {
            let Some(input) = arrangement.trial_input(arrival.input) else {
                *unused += u64::from(!matches!(arrival.message, Message::Sysex(_)));
                return;
            };
            if let Some(stamp) = stamps.get_mut(usize::from(input)) {
                *stamp = Some(arrival.stamp);
            }
            engine.input(Event { input, stamp: arrival.at, message: Some(arrival.message) });
        });
        if result.is_err() {
            // Whatever the reason, the port gives nothing any more: say so once per input.
            self.open = false;
            for input in self.inputs.iter().filter_map(|input| arrangement.trial_input(*input)) {
                engine.input(Event { input, stamp: now, message: None });
            }
        }
    }

    /// Reads and drops; whether the port was lost.
    pub(super) fn discard(&mut self) -> bool {
        if !self.open || !self.is_a_device() {
            return false;
        }
        let early = &mut self.past.early; // where the port does not count it by itself
        let read = self.port.as_mut().map(|port| port.read(Nanos(-1), &mut |_| *early += 1));
        self.open = read.is_none_or(|read| read.is_ok());
        !self.open
    }

    pub(super) fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let result = match &mut self.port {
            Some(port) => port.write(action, now),
            None => {
                self.past.lost += 1;
                Err(PortError::Closed)
            }
        };
        if result == Err(PortError::Closed) && self.can_reopen && self.inputs.is_empty() {
            self.open = false; // of a port with inputs, reading notices the loss
        }
        result
    }

    /// Takes the lost port out.
    pub(super) fn give_up(&mut self) -> Option<Box<dyn Port>> {
        self.past = self.total();
        self.port.take()
    }

    /// The port is there again.
    pub(super) fn adopt(&mut self, port: Box<dyn Port>) {
        self.past.reopened += 1;
        (self.port, self.open, self.refused) = (Some(port), true, false);
    }

    /// Another port takes the place; what the old one counted stays.
    pub(super) fn replace(&mut self, port: Box<dyn Port>) {
        self.past = self.total();
        (self.about, self.port, self.open) = (port.describe(), Some(port), true);
        self.refused = false;
    }
}
