//! [`DayClock`]: whether somebody sets the clock of day while a session runs: a board without a clock
//! of its own that learns the time in mid-session, a person, a virtual machine that is put back.
//!
//! Against CLOCK_BOOTTIME, which nobody sets and which goes on while the computer sleeps, the
//! clock of day stands still: time synchronisation slews both alike. So where it does not, it
//! was set. No time of a trial's events depends on it; times of day do.

use super::clock::nanos;
use chronotap_core::time::{Nanos, is_wall_clock_stated};
use rustix::time::{ClockId, clock_gettime};

/// What is taken for a clock that was set: ten times what two clocks may be read apart on a busy
/// machine.
const SET: Nanos = Nanos::from_millis(10);
/// Of so many looks the narrowest counts.
const LOOKS: usize = 8;

/// The wall clock, as it stood when it was last looked at.
#[derive(Clone, Copy, Debug)]
pub struct DayClock {
    ahead: Nanos, // of CLOCK_BOOTTIME
}

impl DayClock {
    /// As it stands now.
    pub fn now() -> DayClock {
        DayClock { ahead: ahead() }
    }

    /// As it stands now, as if it had been set by so much since: for tests, which can set no clock.
    pub fn as_if_set_by(by: Nanos) -> DayClock {
        DayClock { ahead: ahead() - by }
    }

    /// By how much it was set since the last look; `None` where it was not.
    pub fn was_set_by(&mut self) -> Option<Nanos> {
        self.set_by(ahead())
    }

    fn set_by(&mut self, ahead: Nanos) -> Option<Nanos> {
        let by = ahead - std::mem::replace(&mut self.ahead, ahead);
        Some(by).filter(|by| by.abs() >= SET)
    }
}

/// CLOCK_REALTIME − CLOCK_BOOTTIME; where the wall clock is stated, it stands still.
fn ahead() -> Nanos {
    if is_wall_clock_stated() {
        return Nanos::ZERO;
    }
    let look = |_| {
        let before = nanos(clock_gettime(ClockId::Boottime));
        let wall = nanos(clock_gettime(ClockId::Realtime));
        let after = nanos(clock_gettime(ClockId::Boottime));
        (after - before, wall - before - (after - before) / 2)
    };
    (0..LOOKS).map(look).min_by_key(|(width, _)| *width).map_or(Nanos::ZERO, |(_, ahead)| ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_nobody_sets_stands_still() {
        let mut wall = DayClock::now();
        crate::clocks::sleep_until(crate::clocks::MonotonicClock::raw() + Nanos::from_millis(20));
        assert_eq!(wall.was_set_by(), None);
    }

    #[test]
    fn a_clock_that_was_set_is_told_once_with_how_far() {
        let mut wall = DayClock { ahead: Nanos::from_secs(1_000) };
        let back = Nanos::from_secs(1_000 - 7_200);
        assert_eq!(wall.set_by(back), Some(Nanos::from_secs(-7_200)));
        assert_eq!(wall.set_by(back + Nanos::from_millis(1)), None, "slewed");
    }
}
