//! [`Companion`]: another program, as far as the scheduler is concerned: an ordinary
//! thread on the same processor that computes whenever it may, while it is wanted.
//!
//! What it got is read as the processor time that the kernel booked for it. A wait
//! that spins, in the program or in the kernel as `nanosleep` did in 2001, leaves it
//! nothing.

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until, thread_cpu_time};
use chronotap_linux::realtime::{Request, ask};
use std::hint::black_box;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};

/// Turns of the loop between two looks, some 10 us.
const STEP: u64 = 5_000;
const STACK_BYTES: usize = 256 * 1024;

/// A thread that wants the processor. Dropping it ends it.
#[derive(Debug)]
pub struct Companion {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    wanted: AtomicBool,
    ended: AtomicBool,
    cpu_ns: AtomicI64,
    loops: AtomicU64,
}

/// What it got until now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Got {
    /// Processor time, to within the 10 us of a step.
    pub cpu: Nanos,
    /// Turns of its loop.
    pub loops: u64,
}

impl Companion {
    /// Starts one on this processor, which rests until it is wanted. Call it from an
    /// ordinary thread.
    ///
    /// # Errors
    /// Where there is no thread to be had, or no such processor.
    pub fn start(core: usize) -> io::Result<Companion> {
        let shared = Arc::new(Shared::default());
        let its = Arc::clone(&shared);
        let (told, pinned) = std::sync::mpsc::sync_channel(1);
        let body = move || {
            let rights = ask(&Request { cpu: Some(core), ..Request::nothing() });
            let granted = rights.grant().is_complete();
            // The receiver below waits for it.
            let _ = told.send(granted);
            compute(&its);
        };
        let builder = Builder::new().name("companion".into()).stack_size(STACK_BYTES);
        let thread = Some(builder.spawn(body)?);
        let companion = Companion { shared, thread };
        match pinned.recv() {
            Ok(true) => Ok(companion),
            _ => Err(io::Error::other(format!("processor {core} cannot be had"))),
        }
    }

    /// Lets it compute from now on.
    pub fn begin(&self) {
        self.shared.wanted.store(true, Ordering::Release);
        self.wake();
    }

    /// Lets it rest.
    pub fn rest(&self) {
        self.shared.wanted.store(false, Ordering::Release);
    }

    /// What it got until now.
    pub fn got(&self) -> Got {
        Got {
            loops: self.shared.loops.load(Ordering::Acquire),
            cpu: Nanos(self.shared.cpu_ns.load(Ordering::Relaxed)),
        }
    }

    /// Lets it have the processor to itself for a tenth of a second. A sentence where
    /// other programs took more than a tenth of it: then all its shares are too small.
    pub(super) fn crowded(&self) -> Option<String> {
        let begin = MonotonicClock::raw();
        self.begin();
        sleep_until(begin + Nanos::from_millis(100));
        let (span, got) = (MonotonicClock::raw() - begin, self.got());
        self.rest();
        let share = got.cpu.0 as f64 / span.0 as f64;
        (share < 0.9).then(|| {
            format!(
                "other programs ran on the test's processor: a companion that had it to itself \
                 got {:.0} % of it, so each left_to_others_share is too small; stop them and \
                 repeat the test",
                share * 100.0
            )
        })
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        self.rest();
        self.wake();
        // It has nothing to tell, and a panic of a loop without a call cannot be.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn compute(shared: &Shared) {
    while !shared.ended.load(Ordering::Acquire) {
        if !shared.wanted.load(Ordering::Acquire) {
            std::thread::park();
            continue;
        }
        let mut sum = 1u64;
        for n in 0..STEP {
            sum = black_box(sum.wrapping_mul(3).wrapping_add(n));
        }
        shared.cpu_ns.store(thread_cpu_time().0, Ordering::Relaxed);
        shared.loops.fetch_add(STEP, Ordering::Release); // whoever sees them sees their time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_computes_only_while_it_is_wanted() {
        let Ok(companion) = Companion::start(0) else { return };
        assert_eq!(companion.got(), Got::default());
        companion.begin();
        while companion.got().loops == 0 {
            std::thread::yield_now();
        }
        assert!(companion.got().cpu > Nanos::ZERO);
    }

    #[test]
    fn a_processor_that_is_not_there_is_refused() {
        assert!(Companion::start(100_000).is_err());
    }
}
