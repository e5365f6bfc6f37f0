//! [`Live`]: what the real-time thread lets others see while it runs.

use chronotap_engine::action::Kind;
use chronotap_record::Entry;
use chronotap_time::Nanos;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};

/// A trial under way, seen from another thread. Every access is wait-free; the
/// values belong together only roughly: each is shown for itself, and nothing is
/// concluded from two of them, so that they need no order (`Relaxed`). One thread
/// writes, so that adding one needs no read-modify-write.
#[derive(Debug, Default)]
pub struct Live {
    now: AtomicI64,
    taps: AtomicU32,
    beat: AtomicU32,
    feedback: AtomicU32,
    lost: AtomicU32,
    latest: AtomicI64,
    latencies: Vec<Nanos>, // the constant one of each output
}

impl Live {
    /// A trial that has not begun, on outputs of these constant latencies.
    pub(super) fn new(latencies: Vec<Nanos>) -> Live {
        Live { latencies, ..Live::default() }
    }

    /// Trial time of the last service.
    pub fn now(&self) -> Nanos {
        Nanos(self.now.load(Relaxed))
    }

    /// Accepted taps.
    pub fn taps(&self) -> u32 {
        self.taps.load(Relaxed)
    }

    /// The last beat that sounded, of whichever stream.
    pub fn beat(&self) -> u32 {
        self.beat.load(Relaxed)
    }

    /// Feedback tones begun.
    pub fn feedback(&self) -> u32 {
        self.feedback.load(Relaxed)
    }

    /// Tones that a port would not take.
    pub fn lost(&self) -> u32 {
        self.lost.load(Relaxed)
    }

    /// The greatest lateness of an output, beyond its constant latency.
    pub fn latest(&self) -> Nanos {
        Nanos(self.latest.load(Relaxed))
    }

    pub(super) fn set_now(&self, now: Nanos) {
        self.now.store(now.0, Relaxed);
    }

    pub(super) fn note(&self, entry: &Entry) {
        let action = &entry.action;
        match action.kind {
            Kind::Tap(_) if action.number > 0 => self.taps.store(action.number, Relaxed),
            Kind::Pacing(_) => self.beat.store(action.number, Relaxed),
            Kind::Feedback(_) => self.feedback.store(self.feedback() + 1, Relaxed),
            _ => {}
        }
        if action.is_output() {
            self.correct(entry);
        }
    }

    /// Notes what became of an output, the first time or once more.
    pub(super) fn correct(&self, entry: &Entry) {
        let latency = self.latencies.get(usize::from(entry.action.port)).copied();
        match entry.achieved {
            Some(at) => {
                let late = at - entry.action.deadline - latency.unwrap_or(Nanos::ZERO);
                self.latest.store(late.0.max(self.latest().0), Relaxed);
            }
            None => self.lost.store(self.lost() + 1, Relaxed),
        }
    }
}
