//! [`Timer`]: the clock and the sleep that a test measures, so that a test of the
//! test can put another in their place, whose jitter and stalls are known.

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;

/// A clock, and a sleep on it.
///
/// Real-time contract: neither allocates nor locks; `now` does not block.
pub trait Timer {
    /// The time; never less than before.
    fn now(&mut self) -> Nanos;
    /// Returns at `at` or later; at once where it has passed.
    fn sleep_until(&mut self, at: Nanos);
}

/// CLOCK_MONOTONIC, and absolute sleeps on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealTimer;

impl Timer for RealTimer {
    fn now(&mut self) -> Nanos {
        MonotonicClock::raw()
    }

    fn sleep_until(&mut self, at: Nanos) {
        chronotap_linux::clocks::sleep_until(at);
    }
}
