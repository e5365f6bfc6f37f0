//! [`Shared`]: what the server's threads and the trial's thread both know.
//!
//! Real-time contract: every access is bounded; the only system call is the write that
//! wakes the trial's thread.
//!
//! What the frame clock and the xruns promise is theirs. Who sees that the server is gone
//! (`Acquire`) sees what its threads did before (`Release`). Nothing else is read together
//! with a count, so that the counts need no order.

use crate::cards::{FrameClock, Lone, NoticedChanges, PeriodStart, Presence, Xruns};
use crate::clocks::MonotonicClock;
use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;
use chronotap_engine::signal::AudioPeriod;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

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

/// What both threads know.
#[derive(Debug)]
pub(super) struct Shared {
    wake: OwnedFd,
    gone: AtomicBool,
    clock: FrameClock,
    /// Periods that the server or a client missed. Only the thread of the server's notices
    /// adds to them; the trial's thread looks four times a second at least.
    pub(super) xruns: Xruns,
    /// Messages coming in that found the queue full.
    pub(super) lost_in: AtomicU64,
    /// Messages going out that the server's buffer did not take.
    pub(super) lost_out: AtomicU64,
    /// Corrections of outgoing messages that were lost because their queue was full.
    pub(super) untold: AtomicU64,
    /// Bytes of long messages that were not handed over.
    pub(super) long_bytes: AtomicU64,
    /// What others changed at the server.
    pub(super) changes: NoticedChanges,
    /// Which of the client's ports were connected and are not any more.
    pub(super) lone: Lone,
    frames: AtomicU32, // of a period; 0 before the first is told
    /// Closed before the client leaves.
    pub(super) presence: Presence,
}

impl Shared {
    pub(super) fn new(wake: OwnedFd) -> Shared {
        Shared {
            wake,
            gone: AtomicBool::new(false),
            clock: FrameClock::default(),
            xruns: Xruns::default(),
            lost_in: AtomicU64::new(0),
            lost_out: AtomicU64::new(0),
            untold: AtomicU64::new(0),
            long_bytes: AtomicU64::new(0),
            changes: NoticedChanges::default(),
            lone: Lone::default(),
            frames: AtomicU32::new(0),
            presence: Presence::new(),
        }
    }

    /// When the last period began, raw CLOCK_MONOTONIC, and the server's number of its
    /// first frame. `None` where that is not known, see [`FrameClock::last`].
    pub(super) fn began(&self) -> Option<(Nanos, u32)> {
        self.clock.last().map(|period| (period.at, period.frame as u32)) // it was one of 32 bits
    }

    /// A period begins. Only the server's thread calls it.
    pub(super) fn begin(&self, span: &Span) {
        self.clock.begin(PeriodStart { at: span.began, frame: span.first.into() });
    }

    /// Whether the server is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Acquire)
    }

    pub(super) fn set_gone(&self) {
        self.gone.store(true, Release);
        self.wake();
    }

    /// The server's period has so many frames. Whoever was told of another one is told of this.
    pub(super) fn period_is(&self, frames: u32) {
        let before = self.frames.swap(frames, Release);
        if before != 0 && before != frames {
            self.changes.note(OutsideChange::Period, MonotonicClock::raw());
        }
    }

    /// The server's period by now, at this rate.
    pub(super) fn period(&self, rate_hz: u32) -> Nanos {
        let frames = self.frames.load(Acquire);
        AudioPeriod { frames, rate_hz }.length()
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
