//! [`Cycle`]: what happens once a period, in the server's thread, and [`Notices`]:
//! what the server tells besides, in another.
//!
//! Real-time contract of the cycle: called by the server once a period; no allocation,
//! lock, log or panic. Where something came in, one write to an eventfd wakes the
//! trial's thread.

use super::shared::{Shared, Span};
use super::transfer::{Heard, Outcome, Placed, Source, send_out, take_in};
use chronotap_time::{MonotonicClock, Nanos};
use jack::{
    Client, ClientStatus, Control, MidiIn, MidiOut, NotificationHandler, Port, ProcessHandler,
    ProcessScope, RawMidi,
};
use rtrb::{Consumer, Producer};
use std::sync::Arc;

/// The work of a period.
pub(super) struct Cycle {
    pub(super) shared: Arc<Shared>,
    pub(super) arrived: Producer<Heard>,
    pub(super) told: Producer<Outcome>,
    pub(super) inputs: Vec<(Source, Port<MidiIn>)>,
    pub(super) outputs: Vec<(Port<MidiOut>, Consumer<Placed>)>,
    /// Raw CLOCK_MONOTONIC minus the server's clock, in ns.
    pub(super) offset: Nanos,
    pub(super) frame_ns: f64,
}

impl ProcessHandler for Cycle {
    fn process(&mut self, _: &Client, scope: &ProcessScope) -> Control {
        guarded(|| self.pass(scope));
        Control::Continue
    }
}

/// In this crate's own tests an allocation in the server's thread ends the program.
#[cfg(test)]
fn guarded(work: impl FnOnce()) {
    assert_no_alloc::assert_no_alloc(work);
}

#[cfg(not(test))]
fn guarded(work: impl FnOnce()) {
    work();
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

    /// When this period began, and its frames. After an xrun the server's own time
    /// lags for seconds; where it is a period or more away from the clock, the wake-up
    /// counts instead.
    fn span(&self, scope: &ProcessScope) -> Span {
        let (woke, frames, frame_ns) = (MonotonicClock::raw(), scope.n_frames(), self.frame_ns);
        let Ok(times) = scope.cycle_times() else {
            return Span { began: woke, first: scope.last_frame_time(), frames, frame_ns };
        };
        let began = Nanos(times.current_usecs as i64 * 1_000) + self.offset;
        let period = Nanos::round_from_f64(f64::from(frames) * frame_ns);
        let settled = (woke - began).abs() < period;
        let began = if settled { began } else { woke };
        Span { began, first: times.current_frames, frames, frame_ns }
    }
}

/// What the server tells besides.
///
/// One xrun callback comes for each client that was late, to every client; those of
/// one cycle come together, and the server tells no second cycle within two periods.
/// So what comes within a period of the last is the same xrun.
pub(super) struct Notices {
    pub(super) shared: Arc<Shared>,
    pub(super) period: Nanos,
    pub(super) last: Option<Nanos>,
}

impl Notices {
    /// Notes an xrun told at `now`, where it is not the last one told again.
    fn note(&mut self, now: Nanos) {
        if self.last.is_some_and(|last| now - last < self.period) {
            return;
        }
        self.last = Some(now);
        self.shared.add_xrun(now);
    }
}

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.shared.set_gone();
    }

    fn xrun(&mut self, _: &Client) -> Control {
        self.note(MonotonicClock::raw());
        Control::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{EventfdFlags, eventfd};

    #[test]
    fn an_xrun_that_several_clients_caused_counts_once() {
        let shared = Arc::new(Shared::new(eventfd(0, EventfdFlags::NONBLOCK).unwrap()));
        let period = Nanos::from_millis(5);
        let mut notices = Notices { shared, period, last: None };
        for us in [100_000, 100_040, 100_090, 112_000, 112_001, 300_000] {
            notices.note(Nanos::from_micros(us));
        }
        assert_eq!(notices.shared.xruns(), 3);
        let told = [0, 1, 2].map(|number| notices.shared.xrun_at(number).0 / 1_000);
        assert_eq!(told, [100_000, 112_000, 300_000]);
    }
}
