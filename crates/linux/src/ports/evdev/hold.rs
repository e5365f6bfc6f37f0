//! [`Hold`]: a keyboard that no other program gets while a trial runs, and everybody at any other
//! time, so that a computer with one keyboard can run a session from pages; and [`WayOut`], the key
//! by which whoever sits there ends the trial meanwhile.
//!
//! The keyboard is taken when no key is down. Of a key that were down, other programs would never
//! hear that it was let go, and would repeat it until the trial is over.
//!
//! Real-time contract: one ioctl when a trial begins, or at the first release after that, and one
//! when it is over.

use chronotap_core::time::Nanos;
use rustix::io::Result;
use std::os::fd::BorrowedFd;

/// Takes a device from every other program, or lets it go.
pub(super) type Grab = fn(BorrowedFd<'_>, bool) -> Result<()>;

/// Whether a keyboard is held at the moment, and whether it is to be.
#[derive(Debug)]
pub(super) struct Hold {
    grab: Grab,
    wanted: bool,
    held: bool,
}

impl Hold {
    /// Tries whether it can be had, and lets it go again: what another program holds is refused
    /// before there is a trial.
    ///
    /// # Errors
    /// As the system says.
    pub(super) fn tried(grab: Grab, device: BorrowedFd<'_>) -> Result<Hold> {
        grab(device, true)?;
        grab(device, false)?;
        Ok(Hold { grab, wanted: false, held: false })
    }

    /// A trial begins, or is over.
    pub(super) fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// Does what is wanted, as soon as it can be done.
    pub(super) fn settle(&mut self, device: BorrowedFd<'_>, a_key_is_down: bool) {
        let due = self.wanted != self.held && !(self.wanted && a_key_is_down);
        if due && (self.grab)(device, self.wanted).is_ok() {
            self.held = self.wanted;
        }
    }
}

/// How long the key is held down.
const LONG: Nanos = Nanos::from_secs(2);

/// Escape, held down for two seconds. The kernel repeats a key that is held, and says when it is let
/// go, so that nothing need be waited for.
#[derive(Debug, Default)]
pub(super) struct WayOut {
    since: Option<Nanos>,
    asked: bool,
}

impl WayOut {
    /// Its key code in `linux/input-event-codes.h`.
    pub(super) const ESCAPE: u16 = 1;

    /// Escape went down (1), is repeated (2) or was let go (0).
    pub(super) fn key(&mut self, at: Nanos, value: i32) {
        if value == 1 {
            self.since = Some(at);
        }
        self.asked |= value != 1 && self.since.is_some_and(|since| at - since >= LONG);
        if value == 0 {
            self.since = None;
        }
    }

    /// Whether it was held for so long since it was last forgotten.
    pub(super) fn is_asked(&self) -> bool {
        self.asked
    }

    /// What was held until now counts no longer.
    pub(super) fn forget(&mut self) {
        *self = WayOut::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(events: &[(i64, i32)]) -> bool {
        let mut way_out = WayOut::default();
        for (ms, value) in events {
            way_out.key(Nanos::from_millis(*ms), *value);
        }
        way_out.is_asked()
    }

    #[test]
    fn escape_held_for_two_seconds_asks_for_the_end_and_shorter_presses_do_not() {
        assert!(asked(&[(0, 1), (250, 2), (2_000, 2)]), "repeated by the kernel");
        assert!(asked(&[(0, 1), (2_100, 0)]), "a keyboard that repeats nothing");
        assert!(!asked(&[(0, 1), (1_990, 2), (1_999, 0)]));
        assert!(!asked(&[(0, 1), (900, 0), (1_800, 1), (2_700, 0)]), "two presses");
        assert!(!asked(&[(5_000, 2), (9_000, 0)]), "it was down before the trial");
    }
}
