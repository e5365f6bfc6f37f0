//! [`Shared`]: what the server's threads and the trial's thread both know.
//!
//! Real-time contract: every access is wait-free; the only system call is the write
//! that wakes the trial's thread.

use chronotap_time::Nanos;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize};

/// A period of the server, on the raw CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// When it began.
    pub(super) began: Nanos,
    /// The server's number of its first frame.
    pub(super) first: u32,
    /// How many frames it has.
    pub(super) frames: u32,
    /// The length of a frame in ns; not whole.
    pub(super) frame_ns: f64,
}

impl Span {
    /// When the frame so far from the first is played.
    pub(super) fn time(&self, offset: u32) -> Nanos {
        self.began + Nanos::round_from_f64(f64::from(offset) * self.frame_ns)
    }
}

/// A frame's length in ns at a rate; not whole.
pub(super) fn frame_ns(rate_hz: u32) -> f64 {
    1e9 / f64::from(rate_hz.max(1))
}

/// How many xruns may wait to be recorded: the trial's thread looks four times a
/// second at least.
const REMEMBERED: usize = 256;

/// What both threads know.
#[derive(Debug)]
pub(super) struct Shared {
    wake: OwnedFd,
    gone: AtomicBool,
    began: [(AtomicI64, AtomicU32); 4], // of the last periods
    latest: AtomicUsize,
    xruns: AtomicU64,
    xrun_at: [AtomicI64; REMEMBERED], // of the last xruns, in a ring
    /// Messages coming in that found the queue full.
    pub(super) lost_in: AtomicU64,
    /// Messages going out that the server's buffer did not take.
    pub(super) lost_out: AtomicU64,
    /// What was told of messages going out and found the queue full.
    pub(super) untold: AtomicU64,
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
            xrun_at: [const { AtomicI64::new(0) }; REMEMBERED],
            lost_in: AtomicU64::new(0),
            lost_out: AtomicU64::new(0),
            untold: AtomicU64::new(0),
            long_bytes: AtomicU64::new(0),
        }
    }

    /// When the last period began, raw CLOCK_MONOTONIC, and its first frame. A place is
    /// written again only three periods later, so that both belong together.
    pub(super) fn began(&self) -> (Nanos, u32) {
        let (at, frame) = &self.began[self.latest.load(Acquire) % 4];
        (Nanos(at.load(Relaxed)), frame.load(Relaxed))
    }

    pub(super) fn begin(&self, span: &Span) {
        let next = self.latest.load(Relaxed).wrapping_add(1);
        let (at, frame) = &self.began[next % 4];
        at.store(span.began.0, Relaxed);
        frame.store(span.first, Relaxed);
        self.latest.store(next, Release);
    }

    /// Periods that the server or a client missed.
    pub(super) fn xruns(&self) -> u64 {
        self.xruns.load(Acquire)
    }

    /// One more of them, told at this raw CLOCK_MONOTONIC time. Only one thread calls it.
    pub(super) fn add_xrun(&self, at: Nanos) {
        let count = self.xruns.load(Relaxed);
        self.xrun_at[count as usize % REMEMBERED].store(at.0, Relaxed);
        self.xruns.store(count + 1, Release);
    }

    /// When the xrun of that number, from 0, was told.
    pub(super) fn xrun_at(&self, number: u64) -> Nanos {
        Nanos(self.xrun_at[number as usize % REMEMBERED].load(Relaxed))
    }

    /// Whether the server is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Acquire)
    }

    pub(super) fn set_gone(&self) {
        self.gone.store(true, Release);
        self.wake();
    }

    /// What the trial's thread waits on.
    pub(super) fn descriptor(&self) -> &OwnedFd {
        &self.wake
    }

    pub(super) fn wake(&self) {
        // Fails only where the thread has been woken 2^64 times without looking.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{EventfdFlags, eventfd};

    #[test]
    fn xruns_are_kept_with_the_times_at_which_they_were_told() {
        let shared = Shared::new(eventfd(0, EventfdFlags::NONBLOCK).unwrap());
        (1..=300).for_each(|us| shared.add_xrun(Nanos::from_micros(us)));
        assert_eq!((shared.xruns(), shared.xrun_at(299)), (300, Nanos::from_micros(300)));
    }
}
