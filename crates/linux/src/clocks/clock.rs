//! [`MonotonicClock`]: the clock of a trial in real life. It is never stepped, and is the
//! one clock that timers and kernel MIDI stamps share; it is slewed by time
//! synchronisation, at most 500 parts in a million. Wall-clock time is only for headings
//! ([`chronotap_core::time::wall_clock_now`]).

use chronotap_core::time::{Clock, Nanos, is_wall_clock_stated, wall_clock};
use rustix::time::{ClockId, Timespec, clock_gettime};

/// CLOCK_MONOTONIC, counted from an origin.
///
/// Real-time contract of `now`: no allocation, no lock; about 20 ns through the
/// vDSO, a system call where the clock source is not the processor's counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonotonicClock {
    origin: Nanos, // raw CLOCK_MONOTONIC
}

impl MonotonicClock {
    /// A clock that reads 0 now.
    pub fn start() -> MonotonicClock {
        MonotonicClock::since(MonotonicClock::raw())
    }

    /// A clock that reads 0 at this raw CLOCK_MONOTONIC time, which may lie ahead.
    pub const fn since(origin: Nanos) -> MonotonicClock {
        MonotonicClock { origin }
    }

    /// The raw CLOCK_MONOTONIC time at which this clock reads 0.
    pub const fn origin(&self) -> Nanos {
        self.origin
    }

    /// CLOCK_MONOTONIC itself, counted from the machine's start.
    pub fn raw() -> Nanos {
        nanos(clock_gettime(ClockId::Monotonic))
    }

    /// The raw CLOCK_MONOTONIC time of a time of this clock.
    pub const fn to_raw(&self, at: Nanos) -> Nanos {
        self.origin.saturating_add(at)
    }

    /// The time of this clock at a raw CLOCK_MONOTONIC time, as in kernel stamps.
    pub fn from_raw(&self, raw: Nanos) -> Nanos {
        raw - self.origin
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Nanos {
        MonotonicClock::raw() - self.origin
    }
}

/// The date and time in UTC, in nanoseconds since 1970, of a raw CLOCK_MONOTONIC time, as
/// the wall clock now has it: right to about a microsecond, and to what the wall clock was
/// stepped in between.
pub fn utc(raw: Nanos) -> Nanos {
    let wall = wall_clock();
    if is_wall_clock_stated() { wall } else { wall - (MonotonicClock::raw() - raw) }
}

pub(crate) fn nanos(time: Timespec) -> Nanos {
    Nanos(time.tv_sec * 1_000_000_000 + time.tv_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_monotonic_clock_never_goes_back() {
        let clock = MonotonicClock::start();
        let mut last = clock.now();
        assert!(last >= Nanos::ZERO);
        for _ in 0..1_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
        assert_eq!(clock.from_raw(clock.to_raw(Nanos(5))), Nanos(5));
    }
}
