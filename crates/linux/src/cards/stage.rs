//! [`Stage`]: what every driver does once a period, whatever called it.
//!
//! Real-time contract: the card's thread; no allocation, lock, system call (but the
//! clock's), log or panic beyond what the process itself does.

use crate::cards::watch::CardWatch;
use crate::clocks::MonotonicClock;
use crate::realtime::flush_denormals;
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Callback;
use rtrb::Producer;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The process that makes the sound, and the queue into which each of its calls is put.
pub(crate) struct Stage {
    pub(crate) process: Box<dyn Process>,
    pub(crate) watch: Arc<CardWatch>,
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
        // Whatever the process is: a server or a device may hand on what is no number.
        let silenced = period.make_fit().silenced;
        drop(flushed);
        let ended = MonotonicClock::raw();
        let callback = Callback { frame, frames, due, began, ended };
        let full = self.callbacks.push(callback).is_err();
        self.watch.untold.fetch_add(u64::from(full), Relaxed);
        self.watch.silenced.fetch_add(silenced, Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::shape::CardShape;
    use rtrb::RingBuffer;

    /// What a damaged process puts out.
    struct Broken;

    impl Process for Broken {
        fn process(&mut self, period: &mut Period<'_>) {
            let broken = [f32::NAN, f32::NEG_INFINITY, 1e30, 0.25];
            period.outputs.iter_mut().for_each(|output| output.copy_from_slice(&broken));
        }
    }

    #[test]
    fn what_is_no_number_is_silent_at_the_card_and_counted_whatever_the_process_is() {
        let watch = Arc::new(CardWatch::new(&CardShape::default()));
        let (callbacks, _told) = RingBuffer::new(1);
        let mut stage = Stage { process: Box::new(Broken), watch: Arc::clone(&watch), callbacks };
        let mut only = [0.0; 4];
        let outputs = &mut [&mut only[..]];
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs };
        stage.turn(Nanos::ZERO, &mut period);
        assert_eq!(only, [0.0, 0.0, 1.0, 0.25]);
        assert_eq!(watch.silenced(), 2);
    }
}
