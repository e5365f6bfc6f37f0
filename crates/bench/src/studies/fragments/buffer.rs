//! [`Buffer`]: a sound device's buffer of n fragments, played by a timer; nobody hears it.
//!
//! It plays from the first write on, one fragment in a fragment's time. A write is taken
//! where a fragment is free and blocks until then; one that comes after everything has
//! been played finds the device stopped, and starts it again. All times are computed
//! from the start, to the nanosecond, so that nothing drifts.

use super::block;
use crate::timing::Timer;
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Fragments, Playback, WrittenFrames};
use rustix::io::Errno;

/// How the device is set up, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer<T> {
    fragments: Fragments,
    timer: T,
    start: Option<Nanos>,
    written: u64, // fragments since the start
}

impl<T: Timer> Buffer<T> {
    /// Stopped.
    pub fn new(fragments: Fragments, timer: T) -> Buffer<T> {
        Buffer { fragments, timer, start: None, written: 0 }
    }

    /// Begins to play a first fragment.
    fn begin(&mut self, now: Nanos) {
        (self.start, self.written) = (Some(now), 1);
    }
}

impl<T: Timer> Playback for Buffer<T> {
    /// Real-time contract: as the trait's; no system call but the clock and the sleep.
    fn write(&mut self, _: &[u8]) -> Result<WrittenFrames, Errno> {
        let now = self.timer.now();
        let Some(start) = self.start else {
            self.begin(now);
            return Ok(WrittenFrames { left: Some(Nanos::ZERO) });
        };
        let end = start + self.fragments.time_of(self.written);
        if now > end {
            self.begin(now);
            return Ok(WrittenFrames { left: None });
        }
        // One is free when all but n - 1 of those written have been played.
        let free = self.written.saturating_sub(u64::from(self.fragments.count) - 1);
        block(&mut self.timer, start + self.fragments.time_of(free));
        self.written += 1;
        Ok(WrittenFrames { left: Some(end - now) })
    }
}
