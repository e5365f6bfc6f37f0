//! [`Cycle`]: a period in the server's thread, and [`Notices`]: what the server tells
//! besides, in another.
//!
//! Real-time contract of the cycle: as that of [`Stage`].

use super::links::Links;
use super::presence::{Presence, ServerThread};
use super::server::{JackClock, JackXruns};
use crate::cards::request::CHANNELS;
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::cards::watch::CardWatch;
use crate::clocks::MonotonicClock;
use chronotap_audio::Period;
use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;
use jack::{
    AudioIn, AudioOut, Client, ClientStatus, Control, LatencyType, NotificationHandler, Port,
    PortId, ProcessHandler, ProcessScope, Unowned,
};
use std::sync::Arc;

/// The work of a period.
pub(crate) struct Cycle {
    stage: Stage,
    inputs: Vec<Port<AudioIn>>,
    outputs: Vec<Port<AudioOut>>,
    asked: Asked,
    clock: JackClock,
    frame: u64,
    server_frame: Option<u32>, // the server's number of the last period's first frame
    presence: Presence,
}

impl Cycle {
    pub(super) fn new(
        stage: Stage,
        asked: Asked,
        clock: JackClock,
        (inputs, outputs): (Vec<Port<AudioIn>>, Vec<Port<AudioOut>>),
        presence: Presence,
    ) -> Cycle {
        let (frame, server_frame) = (0, None);
        Cycle { stage, inputs, outputs, asked, clock, frame, server_frame, presence }
    }

    /// The server's 32 bits of frames, continued: they wrap after a day.
    fn count(&mut self, server_frame: u32) {
        let passed = self.server_frame.map_or(0, |last| server_frame.wrapping_sub(last) as i32);
        self.frame += passed.max(0) as u64;
        self.server_frame = Some(server_frame);
    }
}

impl ProcessHandler for Cycle {
    fn process(&mut self, _: &Client, scope: &ProcessScope) -> Control {
        let presence = self.presence.clone();
        presence.during(ServerThread::Periods, || self.pass(scope));
        Control::Continue
    }

    /// The server tells a new period before it begins one, in a thread that is not pressed for time.
    fn buffer_size(&mut self, _: &Client, frames: u32) -> Control {
        self.presence.during(ServerThread::Notices, || self.asked.period_is(frames));
        Control::Continue
    }
}

impl Cycle {
    fn pass(&mut self, scope: &ProcessScope) {
        let (due, _) = self.clock.began(scope, self.asked.length(scope.n_frames()));
        self.count(scope.last_frame_time());
        let (used_in, used_out) = (self.inputs.len(), self.outputs.len());
        let mut ins: [&[f32]; CHANNELS] = [&[]; CHANNELS];
        for (slot, port) in ins.iter_mut().zip(&self.inputs) {
            *slot = port.as_slice(scope);
        }
        let mut outs: [&mut [f32]; CHANNELS] = Default::default();
        for (slot, port) in outs.iter_mut().zip(&mut self.outputs) {
            *slot = port.as_mut_slice(scope);
            slot.fill(0.0);
        }
        let (inputs, outputs) = (&ins[..used_in], &mut outs[..used_out]);
        let (frame, rate_hz) = (self.frame, self.asked.rate_hz);
        self.stage.turn(due, &mut Period { frame, rate_hz, inputs, outputs });
    }
}

/// What was asked of the server when the card was opened, and is asked again whenever it tells
/// that something changed.
pub(crate) struct Asked {
    watch: Arc<CardWatch>,
    rate_hz: u32,
    taker: Option<Port<Unowned>>, // the card's first port
}

impl Asked {
    pub(super) fn new(
        shape: &CardShape,
        watch: Arc<CardWatch>,
        taker: Option<Port<Unowned>>,
    ) -> Asked {
        Asked { watch, rate_hz: shape.rate_hz, taker }
    }

    /// The length of so many frames.
    fn length(&self, frames: u32) -> Nanos {
        CardShape { rate_hz: self.rate_hz, ..CardShape::default() }.length(frames)
    }

    /// The server's period has so many frames.
    fn period_is(&self, frames: u32) {
        if self.watch.set_period(frames) {
            self.watch.changes.note(OutsideChange::Period, MonotonicClock::raw());
        }
        self.ask_latency();
    }

    fn ask_latency(&self) {
        let Some(taker) = &self.taker else { return };
        let (_, frames) = taker.get_latency_range(LatencyType::Playback);
        if self.watch.set_playback(self.length(frames)) {
            self.watch.changes.note(OutsideChange::Latency, MonotonicClock::raw());
        }
    }
}

/// What the server tells besides.
pub(crate) struct Notices {
    pub(super) asked: Asked,
    pub(super) xruns: JackXruns,
    pub(super) links: Links,
    pub(super) presence: Presence,
}

impl Notices {
    /// Notes it, unless the client leaves.
    fn note(&mut self, note: impl FnOnce(&mut Notices)) -> Control {
        let presence = self.presence.clone();
        presence.during(ServerThread::Notices, || note(self));
        Control::Continue
    }

    fn missed(&mut self) {
        let now = MonotonicClock::raw();
        let period = self.asked.length(self.asked.watch.period_frames() as u32);
        if self.xruns.is_another(now, period) {
            self.asked.watch.add_xrun(now);
        }
    }

    /// Sounds were made ready for the old rate: none is right at another.
    fn rate_is(&mut self, rate_hz: u32) {
        if rate_hz != self.asked.rate_hz {
            self.asked.watch.changes.note(OutsideChange::Rate, MonotonicClock::raw());
            self.asked.watch.set_gone();
        }
    }

    fn reordered(&mut self) {
        self.asked.watch.changes.note(OutsideChange::Graph, MonotonicClock::raw());
        self.asked.ask_latency();
    }
}

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.note(|notices| notices.asked.watch.set_gone());
    }

    fn xrun(&mut self, _: &Client) -> Control {
        self.note(Notices::missed)
    }

    fn sample_rate(&mut self, _: &Client, rate_hz: u32) -> Control {
        self.note(|notices| notices.rate_is(rate_hz))
    }

    fn ports_connected(&mut self, client: &Client, from: PortId, to: PortId, made: bool) {
        self.note(|notices| {
            let CardWatch { changes, lone, .. } = &*notices.asked.watch;
            notices.links.note_change(client, [from, to], made, (changes, lone));
        });
    }

    fn graph_reorder(&mut self, _: &Client) -> Control {
        self.note(Notices::reordered)
    }
}
