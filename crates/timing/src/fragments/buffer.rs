//! [`Buffer`]: a sound device's buffer of n fragments, played by a timer.
//!
//! It plays from the first write on, one fragment in a fragment's time. A write is taken
//! where a fragment is free and blocks until then; one that comes after everything has
//! been played finds the device stopped, and starts it again. All times are computed
//! from the start, to the nanosecond, so that nothing drifts.

use super::block;
use crate::Timer;
use chronotap_time::Nanos;

/// How the device is set up, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    fragments: u32,
    frames: u32,
    rate_hz: u32,
    start: Option<Nanos>,
    written: u64, // fragments since the start
}

impl Buffer {
    /// Of so many fragments of so many frames, stopped.
    pub fn new(fragments: u32, frames: u32, rate_hz: u32) -> Buffer {
        Buffer { fragments, frames, rate_hz, start: None, written: 0 }
    }

    /// The time that a fragment plays, to the nanosecond below.
    pub fn fragment(&self) -> Nanos {
        self.time_of(1)
    }

    /// The time that the whole buffer plays.
    pub fn whole(&self) -> Nanos {
        self.time_of(self.fragments.into())
    }

    /// Fragments in a time, at least one.
    pub fn fragments_in(&self, span: Nanos) -> u64 {
        (span.0 / self.fragment().0.max(1)).max(1) as u64
    }

    /// Writes a fragment; gives whether the device had nothing left to play.
    ///
    /// Real-time contract: the playing thread; no system call but the clock and the
    /// sleep.
    pub fn write(&mut self, timer: &mut impl Timer) -> bool {
        let Some(start) = self.start else {
            self.begin(timer.now());
            return false;
        };
        if timer.now() > start + self.time_of(self.written) {
            self.begin(timer.now());
            return true;
        }
        // One is free when all but n - 1 of those written have been played.
        let free = self.written.saturating_sub(u64::from(self.fragments) - 1);
        block(timer, start + self.time_of(free));
        self.written += 1;
        false
    }

    fn begin(&mut self, now: Nanos) {
        (self.start, self.written) = (Some(now), 1);
    }

    fn time_of(&self, fragments: u64) -> Nanos {
        let frames = u128::from(fragments) * u128::from(self.frames);
        Nanos((frames * 1_000_000_000 / u128::from(self.rate_hz)) as i64)
    }
}
