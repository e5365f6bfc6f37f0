//! [`Clock`]: who is asked for the time, and [`VirtualClock`], where time is set by
//! hand. The clocks of the system are in `linux::clocks`; nothing here reads one.

use crate::time::Nanos;
use std::sync::atomic::{AtomicI64, Ordering};

/// Tells the time since its origin, which for a trial is its start.
pub trait Clock {
    /// Nanoseconds since the origin; never less than before.
    fn now(&self) -> Nanos;
}

/// A clock that stands until it is set.
#[derive(Debug, Default)]
pub struct VirtualClock {
    now: AtomicI64,
}

impl VirtualClock {
    /// A clock that reads 0.
    pub fn new() -> VirtualClock {
        VirtualClock::default()
    }

    /// Moves on to `to`; a time already past leaves the clock as it is.
    pub fn advance_to(&self, to: Nanos) {
        self.now.fetch_max(to.0, Ordering::Relaxed);
    }

    /// Moves on by `span`; a negative span leaves the clock as it is.
    pub fn advance_by(&self, span: Nanos) {
        self.now.fetch_add(span.0.max(0), Ordering::Relaxed);
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Nanos {
        Nanos(self.now.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_clock_moves_only_forward_and_only_when_told() {
        let clock = VirtualClock::new();
        clock.advance_to(Nanos(10));
        clock.advance_to(Nanos(4));
        clock.advance_by(Nanos(-3));
        assert_eq!(clock.now(), Nanos(10));
        clock.advance_by(Nanos(5));
        assert_eq!(clock.now(), Nanos(15));
    }
}
