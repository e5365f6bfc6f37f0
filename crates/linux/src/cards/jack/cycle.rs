//! [`Cycle`]: a period in the server's thread, and [`Notices`]: what the server tells
//! besides, in another.
//!
//! Real-time contract of the cycle: as that of [`Stage`].

use super::presence::Presence;
use super::server::{JackClock, JackXruns};
use crate::cards::request::CHANNELS;
use crate::cards::shape::Shape;
use crate::cards::stage::Stage;
use crate::cards::watch::Watch;
use crate::clocks::MonotonicClock;
use chronotap_audio::Period;
use chronotap_core::time::Nanos;
use jack::{
    AudioIn, AudioOut, Client, ClientStatus, Control, NotificationHandler, Port, ProcessHandler,
    ProcessScope,
};
use std::sync::Arc;

/// The work of a period.
pub(crate) struct Cycle {
    stage: Stage,
    inputs: Vec<Port<AudioIn>>,
    outputs: Vec<Port<AudioOut>>,
    rate_hz: u32,
    period: Nanos,
    clock: JackClock,
    frame: u64,
    server_frame: Option<u32>, // the server's number of the last period's first frame
    presence: Presence,
}

impl Cycle {
    pub(super) fn new(
        stage: Stage,
        shape: &Shape,
        clock: JackClock,
        (inputs, outputs): (Vec<Port<AudioIn>>, Vec<Port<AudioOut>>),
        presence: Presence,
    ) -> Cycle {
        let (rate_hz, period) = (shape.rate_hz, shape.period());
        let (frame, server_frame) = (0, None);
        Cycle { stage, inputs, outputs, rate_hz, period, clock, frame, server_frame, presence }
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
        presence.during(|| self.pass(scope));
        Control::Continue
    }
}

impl Cycle {
    fn pass(&mut self, scope: &ProcessScope) {
        let (due, _) = self.clock.began(scope, self.period);
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
        let (frame, rate_hz) = (self.frame, self.rate_hz);
        self.stage.turn(due, &mut Period { frame, rate_hz, inputs, outputs });
    }
}

/// What the server tells besides.
pub(crate) struct Notices {
    pub(super) watch: Arc<Watch>,
    pub(super) xruns: JackXruns,
}

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.watch.set_gone();
    }

    fn xrun(&mut self, _: &Client) -> Control {
        let now = MonotonicClock::raw();
        if self.xruns.is_another(now) {
            self.watch.add_xrun(now);
        }
        Control::Continue
    }
}
