//! [`Cycle`]: what happens once a period, in one thread of the server, and [`Notices`]:
//! what the server calls in another thread when it misses a period or shuts down.
//!
//! Real-time contract of the cycle: called by the server once a period; no allocation,
//! lock, log or panic. Where something came in, one write to an eventfd wakes the
//! trial's thread.

use super::shared::{Shared, Span};
use super::transfer::{Arrived, Misplaced, Placed, Source, send_out, take_in};
use crate::cards::{JackClock, JackXruns, Links, ServerThread};
use crate::clocks::MonotonicClock;
use crate::ports::guarded;
use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;
use jack::{
    Client, ClientStatus, Control, MidiIn, MidiOut, NotificationHandler, Port, PortId,
    ProcessHandler, ProcessScope, RawMidi,
};
use rtrb::{Consumer, Producer};
use std::sync::Arc;

/// The work of a period.
pub(super) struct Cycle {
    pub(super) shared: Arc<Shared>,
    pub(super) arrived: Producer<Arrived>,
    pub(super) told: Producer<Misplaced>,
    pub(super) inputs: Vec<(Source, Port<MidiIn>)>,
    pub(super) outputs: Vec<(Port<MidiOut>, Consumer<Placed>)>,
    pub(super) clock: JackClock,
    pub(super) frame_ns: f64,
}

impl ProcessHandler for Cycle {
    fn process(&mut self, _: &Client, scope: &ProcessScope) -> Control {
        let presence = self.shared.presence.clone();
        presence.during(ServerThread::Periods, || guarded(|| self.pass(scope)));
        Control::Continue
    }

    fn buffer_size(&mut self, _: &Client, frames: u32) -> Control {
        self.shared.presence.during(ServerThread::Notices, || self.shared.period_is(frames));
        Control::Continue
    }
}

impl Cycle {
    fn pass(&mut self, scope: &ProcessScope) {
        let span = self.span(scope);
        self.shared.begin(&span);
        let mut any = false;
        for (source, port) in &mut self.inputs {
            let buffer = port.iter(scope).map(|event| (event.time, event.bytes));
            any |= take_in(source, &span, buffer, &mut self.arrived, &self.shared);
        }
        for (port, queue) in &mut self.outputs {
            let mut writer = port.writer(scope);
            let write = |time, bytes: &[u8]| writer.write(&RawMidi { time, bytes }).is_ok();
            send_out(&span, queue, write, &mut self.told, &self.shared);
        }
        if any {
            self.shared.wake();
        }
    }

    /// When this period began, and its frames.
    fn span(&self, scope: &ProcessScope) -> Span {
        let (frames, frame_ns) = (scope.n_frames(), self.frame_ns);
        let period = Nanos::round_from_f64(f64::from(frames) * frame_ns);
        let (began, first) = self.clock.began(scope, period);
        Span { began, first, frames, frame_ns }
    }
}

/// The server's calls that come when something unusual happens.
pub(super) struct Notices {
    pub(super) shared: Arc<Shared>,
    pub(super) xruns: JackXruns,
    pub(super) links: Links,
    pub(super) rate_hz: u32,
}

impl Notices {
    /// Notes it, unless the client leaves.
    fn note(&mut self, note: impl FnOnce(&mut Notices)) -> Control {
        let shared = Arc::clone(&self.shared);
        shared.presence.during(ServerThread::Notices, || note(self));
        Control::Continue
    }

    fn missed(&mut self) {
        let now = MonotonicClock::raw();
        if self.xruns.is_another(now, self.shared.period(self.rate_hz)) {
            self.shared.xruns.add(now);
        }
    }

    /// Messages are placed by the old rate: none is right at another.
    fn rate_is(&mut self, rate_hz: u32) {
        if rate_hz != self.rate_hz {
            self.shared.changes.note(OutsideChange::Rate, MonotonicClock::raw());
            self.shared.set_gone();
        }
    }
}

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.note(|notices| notices.shared.set_gone());
    }

    fn xrun(&mut self, _: &Client) -> Control {
        self.note(Notices::missed)
    }

    fn sample_rate(&mut self, _: &Client, rate_hz: u32) -> Control {
        self.note(|notices| notices.rate_is(rate_hz))
    }

    /// The trial's thread is woken, so that it is told at once.
    fn ports_connected(&mut self, client: &Client, from: PortId, to: PortId, made: bool) {
        self.note(|notices| {
            let Shared { changes, lone, .. } = &*notices.shared;
            notices.links.note_change(client, [from, to], made, (changes, lone));
            notices.shared.wake();
        });
    }

    fn graph_reorder(&mut self, _: &Client) -> Control {
        self.note(|notices| {
            notices.shared.changes.note(OutsideChange::Graph, MonotonicClock::raw())
        })
    }
}
