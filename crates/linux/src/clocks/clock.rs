//! [`MonotonicClock`]: the clock of a trial in real life. It is never stepped, and is the
//! one clock that timers and kernel MIDI stamps share; it is slewed by time
//! synchronisation, at most 500 parts in a million. Wall-clock time is only for headings
//! ([`wall_clock_now`]).

use chronotap_core::time::{Clock, Nanos};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::sync::OnceLock;

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

static STATED: OnceLock<Nanos> = OnceLock::new();

/// From now on the wall clock of this program stands at that time since 1970; the first such call holds.
/// For data of virtual time alone, which happened at no time of day: with a stated one, the same command
/// writes the same bytes again.
pub fn state_wall_clock(since_1970: Nanos) {
    let _ = STATED.set(since_1970);
}

/// Whether [`state_wall_clock`] was called.
pub(crate) fn is_wall_clock_stated() -> bool {
    STATED.get().is_some()
}

/// The date and time in UTC, `2026-11-20T13:04:05Z` (RFC 3339), for the heading
/// of a file and nothing else: it may jump, so no interval is taken from it.
pub fn wall_clock_now() -> String {
    rfc3339(STATED.get().map_or_else(
        || clock_gettime(ClockId::Realtime).tv_sec,
        |stated| stated.0.div_euclid(1_000_000_000),
    ))
}

/// The date and time in UTC, in nanoseconds since 1970, of a raw CLOCK_MONOTONIC time, as
/// the wall clock now has it: right to about a microsecond, and to what the wall clock was
/// stepped in between.
pub fn utc(raw: Nanos) -> Nanos {
    if let Some(stated) = STATED.get() {
        return *stated;
    }
    let wall = nanos(clock_gettime(ClockId::Realtime));
    wall - (MonotonicClock::raw() - raw)
}

/// A time in nanoseconds since 1970 as `2026-11-20T13:04:05.123456789Z` (RFC 3339).
pub fn utc_text(since_1970: Nanos) -> String {
    let (secs, ns) =
        (since_1970.0.div_euclid(1_000_000_000), since_1970.0.rem_euclid(1_000_000_000));
    rfc3339(secs).replace('Z', &format!(".{ns:09}Z"))
}

pub(crate) fn nanos(time: Timespec) -> Nanos {
    Nanos(time.tv_sec * 1_000_000_000 + time.tv_nsec)
}

fn rfc3339(unix_secs: i64) -> String {
    let (days, secs) = (unix_secs.div_euclid(86_400), unix_secs.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (secs / 3_600, secs / 60 % 60, secs % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian
/// calendar. Years are counted from March, so that the leap day comes last: 153
/// days for every five months, 1,461 for four years, 36,524 for a century,
/// 146,097 for four centuries.
fn civil(days_since_1970: i64) -> (i64, i64, i64) {
    let days = days_since_1970 + 719_468; // since 0000-03-01
    let (era, in_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153; // 0 is March
    let day = in_year - (153 * month + 2) / 5 + 1;
    let january = i64::from(month >= 10); // January and February belong to the next year
    (era * 400 + year + january, (month + 2) % 12 + 1, day)
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

    #[test]
    fn dates_are_gregorian() {
        assert_eq!(utc_text(Nanos(1_500_000_007)), "1970-01-01T00:00:01.500000007Z");
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_798_761_599), "2026-12-31T23:59:59Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        assert_eq!(wall_clock_now().len(), 20);
    }
}
