//! [`Cycle`]: a period in the server's thread, and [`Notices`]: what the server tells
//! besides, in another.
//!
//! Real-time contract of the cycle: as that of [`Stage`].

use crate::card::CHANNELS;
use crate::stage::Stage;
use crate::{Shape, Watch};
use chronotap_audio::Period;
use chronotap_time::{MonotonicClock, Nanos};
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
    offset: Nanos, // raw CLOCK_MONOTONIC minus the server's clock
    frame: u64,
    server_frame: Option<u32>, // the server's number of the last period's first frame
}

impl Cycle {
    pub(super) fn new(
        stage: Stage,
        shape: &Shape,
        offset: Nanos,
        inputs: Vec<Port<AudioIn>>,
        outputs: Vec<Port<AudioOut>>,
    ) -> Cycle {
        let (rate_hz, period) = (shape.rate_hz, shape.period());
        Cycle { stage, inputs, outputs, rate_hz, period, offset, frame: 0, server_frame: None }
    }

    /// When this period began. After an xrun the server's own time lags for seconds;
    /// where it is a period or more away from the clock, the wake-up counts instead.
    fn due(&self, scope: &ProcessScope) -> Nanos {
        let woke = MonotonicClock::raw();
        let Ok(times) = scope.cycle_times() else { return woke };
        let began = Nanos(times.current_usecs as i64 * 1_000) + self.offset;
        if (woke - began).abs() < self.period { began } else { woke }
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
        let due = self.due(scope);
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
        Control::Continue
    }
}

/// What the server tells besides.
///
/// One xrun callback comes for each client that was late, to every client; those of
/// one cycle come together. So what comes within a period of the last is the same xrun.
pub(crate) struct Notices {
    pub(super) watch: Arc<Watch>,
    pub(super) period: Nanos,
    pub(super) last: Option<Nanos>,
}

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.watch.set_gone();
    }

    fn xrun(&mut self, _: &Client) -> Control {
        let now = MonotonicClock::raw();
        if self.last.is_none_or(|last| now - last >= self.period) {
            self.last = Some(now);
            self.watch.add_xrun(now);
        }
        Control::Continue
    }
}
