//! [`Cycle`]: what happens once a period, in the server's thread.
//!
//! Real-time contract: called by the server once a period; no allocation, lock, log
//! or panic. Queues to and from the trial's thread are wait-free; where something
//! came in, one write to an eventfd wakes that thread.

use chronotap_time::{MonotonicClock, Nanos};
use jack::{
    Client, ClientStatus, Control, MidiIn, MidiOut, NotificationHandler, Port, ProcessHandler,
    ProcessScope, RawMidi,
};
use rtrb::{Consumer, Producer};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize};

/// A message on its way through a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    /// Index of the trial's input (of an output there is a queue each).
    pub(super) input: u16,
    /// Coming in: time of its frame on the raw CLOCK_MONOTONIC.
    pub(super) at: Nanos,
    /// Going out: the server's number of its frame.
    pub(super) frame: u32,
    /// Its bytes, the first `len` of them.
    pub(super) bytes: [u8; 3],
    /// How many.
    pub(super) len: u8,
}

/// What both threads know.
#[derive(Debug)]
pub(super) struct Shared {
    /// Wakes the trial's thread.
    pub(super) wake: OwnedFd,
    /// Whether the server is gone.
    pub(super) gone: AtomicBool,
    began: [(AtomicI64, AtomicU32); 4], // of the last periods
    latest: AtomicUsize,
    /// Periods that the server or a client missed.
    pub(super) xruns: AtomicU64,
    /// Messages that a full queue or buffer lost, coming in and going out.
    pub(super) lost_in: AtomicU64,
    pub(super) lost_out: AtomicU64,
    /// Bytes of messages longer than three.
    pub(super) long_bytes: AtomicU64,
}

impl Shared {
    pub(super) fn new(wake: OwnedFd) -> Shared {
        Shared {
            wake,
            gone: AtomicBool::new(false),
            began: Default::default(),
            latest: AtomicUsize::new(0),
            xruns: AtomicU64::new(0),
            lost_in: AtomicU64::new(0),
            lost_out: AtomicU64::new(0),
            long_bytes: AtomicU64::new(0),
        }
    }

    /// When the last period began, raw CLOCK_MONOTONIC, and its first frame. A place is
    /// written again only three periods later, so that both belong together.
    pub(super) fn began(&self) -> (Nanos, u32) {
        let (at, frame) = &self.began[self.latest.load(Acquire) % 4];
        (Nanos(at.load(Relaxed)), frame.load(Relaxed))
    }

    fn begin(&self, began: Nanos, first: u32) {
        let next = self.latest.load(Relaxed).wrapping_add(1);
        let (at, frame) = &self.began[next % 4];
        at.store(began.0, Relaxed);
        frame.store(first, Relaxed);
        self.latest.store(next, Release);
    }

    fn wake(&self) {
        // Fails only where the thread has been woken 2^64 times without looking.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}

/// A frame's length in ns at a rate; not whole.
pub(super) fn frame_ns(rate: u32) -> f64 {
    1e9 / f64::from(rate.max(1))
}

/// The work of a period.
pub(super) struct Cycle {
    pub(super) shared: Arc<Shared>,
    pub(super) arrived: Producer<Passing>,
    pub(super) inputs: Vec<(u16, Port<MidiIn>)>,
    pub(super) outputs: Vec<(Port<MidiOut>, Consumer<Passing>)>,
    /// Raw CLOCK_MONOTONIC minus the server's clock, in ns.
    pub(super) offset: Nanos,
    pub(super) frame_ns: f64,
}

impl ProcessHandler for Cycle {
    fn process(&mut self, _: &Client, scope: &ProcessScope) -> Control {
        let (began, first) = self.begins(scope);
        self.shared.begin(began, first);
        self.take_in(scope, began);
        self.send_out(scope, first);
        Control::Continue
    }
}

impl Cycle {
    /// When this period began, and its first frame. After an xrun the server's own
    /// time lags for seconds; where it is a period or more away from the clock, the
    /// wake-up counts instead.
    fn begins(&self, scope: &ProcessScope) -> (Nanos, u32) {
        let woke = MonotonicClock::raw();
        let Ok(times) = scope.cycle_times() else { return (woke, scope.last_frame_time()) };
        let began = Nanos(times.current_usecs as i64 * 1_000) + self.offset;
        let period = Nanos::round_from_f64(f64::from(scope.n_frames()) * self.frame_ns);
        let settled = (woke - began).abs() < period;
        (if settled { began } else { woke }, times.current_frames)
    }

    fn take_in(&mut self, scope: &ProcessScope, began: Nanos) {
        let mut any = false;
        for (input, port) in &self.inputs {
            for event in port.iter(scope) {
                let len = event.bytes.len();
                let mut bytes = [0; 3];
                let Some(room) = bytes.get_mut(..len) else {
                    self.shared.long_bytes.fetch_add(len as u64, Relaxed);
                    continue;
                };
                room.copy_from_slice(event.bytes);
                let at = began + Nanos::round_from_f64(f64::from(event.time) * self.frame_ns);
                let message = Passing { input: *input, at, frame: 0, bytes, len: len as u8 };
                let lost = self.arrived.push(message).is_err();
                self.shared.lost_in.fetch_add(u64::from(lost), Relaxed);
                any = true;
            }
        }
        if any {
            self.shared.wake();
        }
    }

    fn send_out(&mut self, scope: &ProcessScope, first: u32) {
        let frames = scope.n_frames();
        for (port, queue) in &mut self.outputs {
            let mut writer = port.writer(scope);
            let mut last = 0;
            while let Ok(message) = queue.peek().copied() {
                // The count of frames wraps. Late ones go at once; the server wants
                // them in order.
                let ahead = message.frame.wrapping_sub(first) as i32;
                if ahead >= frames as i32 {
                    break;
                }
                last = last.max(ahead.max(0) as u32);
                let bytes = message.bytes.get(..usize::from(message.len)).unwrap_or_default();
                let lost = writer.write(&RawMidi { time: last, bytes }).is_err();
                self.shared.lost_out.fetch_add(u64::from(lost), Relaxed);
                let _ = queue.pop();
            }
        }
    }
}

/// What the server tells besides.
pub(super) struct Notices(pub(super) Arc<Shared>);

impl NotificationHandler for Notices {
    unsafe fn shutdown(&mut self, _: ClientStatus, _: &str) {
        self.0.gone.store(true, Relaxed);
        self.0.wake();
    }

    fn xrun(&mut self, _: &Client) -> Control {
        self.0.xruns.fetch_add(1, Relaxed);
        Control::Continue
    }
}
