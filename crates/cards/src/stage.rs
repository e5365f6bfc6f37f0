//! [`Stage`]: what every driver does once a period, whatever called it.
//!
//! Real-time contract: the card's thread; no allocation, lock, system call (but the
//! clock's), log or panic beyond what the process itself does.

use crate::watch::Watch;
use chronotap_audio::{Period, Process};
use chronotap_clocks::MonotonicClock;
use chronotap_realtime::flush_denormals;
use chronotap_signal::Callback;
use chronotap_time::Nanos;
use rtrb::Producer;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The process, and who is told of each of its calls.
pub(crate) struct Stage {
    pub(crate) process: Box<dyn Process>,
    pub(crate) watch: Arc<Watch>,
    pub(crate) callbacks: Producer<Callback>,
}

impl Stage {
    /// Calls the process for a period that was due then.
    pub(crate) fn turn(&mut self, due: Nanos, period: &mut Period<'_>) {
        self.watch.begin(due, period.frame);
        let (frame, frames) = (period.frame, period.frames() as u32);
        let began = MonotonicClock::raw();
        let flushed = flush_denormals();
        guarded(|| self.process.process(period));
        drop(flushed);
        let ended = MonotonicClock::raw();
        let callback = Callback { frame, frames, due, began, ended };
        let full = self.callbacks.push(callback).is_err();
        self.watch.untold.fetch_add(u64::from(full), Relaxed);
    }
}

/// In this crate's own tests an allocation in a process ends the program.
#[cfg(test)]
fn guarded(work: impl FnOnce()) {
    assert_no_alloc::assert_no_alloc(work);
}

#[cfg(not(test))]
fn guarded(work: impl FnOnce()) {
    work();
}
