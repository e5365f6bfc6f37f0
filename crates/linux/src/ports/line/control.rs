//! [`ControlLine`]: a control line of a serial port, as [`Pulses`].

use super::error::{LineCall, LineError};
use super::name::{Control, LineName};
use super::pulses::{Edge, Pulses, result};
use crate::clocks::MonotonicClock;
use chronotap_engine::signal::Stamp;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Most edges that one look can have missed and are told all the same.
const AT_ONCE: u32 = 64;

/// The open device.
pub(super) struct ControlLine {
    state: State,
    device: OwnedFd,
    control: Control,
    inverted: bool,
}

impl Pulses for ControlLine {
    fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno> {
        // SAFETY: TIOCMIWAIT takes a number, no pointer.
        result(unsafe {
            libc::ioctl(self.device.as_raw_fd(), TIOCMIWAIT, libc::c_ulong::from(self.mask()))
        })?;
        let at = MonotonicClock::raw();
        let now = self.state()?;
        for high in self.state.edges(now) {
            told(Edge { at, stamp: Stamp::UserSpace, high });
        }
        self.state = now;
        Ok(true)
    }
}

impl ControlLine {
    /// Opens the port; its lines are not touched.
    ///
    /// # Errors
    /// [`LineError`].
    pub(super) fn open(name: &LineName) -> Result<ControlLine, LineError> {
        let failed = |call| move |errno| LineError::system(name, call, errno);
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device =
            rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed(LineCall::Open))?;
        let (state, control, inverted) = (State::default(), name.control, name.inverted);
        let mut line = ControlLine { state, device, control, inverted };
        line.state = line.state().map_err(failed(LineCall::Watch))?;
        Ok(line)
    }

    fn state(&self) -> Result<State, Errno> {
        let (mut lines, mut counters): (libc::c_int, Counters) = (0, Counters::default());
        // SAFETY: TIOCMGET writes one int, which lives for the call.
        result(unsafe { libc::ioctl(self.device.as_raw_fd(), libc::TIOCMGET, &raw mut lines) })?;
        // SAFETY: TIOCGICOUNT writes a serial_icounter_struct, which lives for the call.
        result(unsafe { libc::ioctl(self.device.as_raw_fd(), TIOCGICOUNT, &raw mut counters) })?;
        let changes = match self.control {
            Control::Dcd => counters.dcd,
            Control::Cts => counters.cts,
            Control::Dsr => counters.dsr,
        };
        let high = (lines.cast_unsigned() & self.mask() != 0) ^ self.inverted;
        Ok(State { high, changes: changes.cast_unsigned() })
    }

    fn mask(&self) -> u32 {
        let mask = match self.control {
            Control::Dcd => libc::TIOCM_CAR,
            Control::Cts => libc::TIOCM_CTS,
            Control::Dsr => libc::TIOCM_DSR,
        };
        mask.cast_unsigned()
    }
}

/// How a line stands, and how often the kernel saw it change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    high: bool,
    changes: u32,
}

impl State {
    /// The edges that lead from here to `now`, each by how the line stood after it. As many as the
    /// kernel counted; at least one where the line stands otherwise.
    fn edges(self, now: State) -> impl Iterator<Item = bool> {
        let counted = now.changes.wrapping_sub(self.changes);
        let counted = counted.max(u32::from(now.high != self.high)).min(AT_ONCE);
        (0..counted).rev().map(move |left| now.high ^ (left % 2 == 1))
    }
}

// asm-generic/ioctls.h
const TIOCMIWAIT: libc::c_ulong = 0x545c;
const TIOCGICOUNT: libc::c_ulong = 0x545d;

/// `struct serial_icounter_struct` of linux/serial.h.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    cts: libc::c_int,
    dsr: libc::c_int,
    rng: libc::c_int,
    dcd: libc::c_int,
    others: [libc::c_int; 16],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_that_the_kernel_counted_is_told_and_the_last_is_how_the_line_stands() {
        let state = |high, changes| State { high, changes };
        let edges = |from: State, to| from.edges(to).collect::<Vec<_>>();
        assert_eq!(edges(state(false, 4), state(true, 5)), [true]);
        assert_eq!(edges(state(true, 5), state(false, 6)), [false]);
        // A pulse that was over before anybody looked.
        assert_eq!(edges(state(false, 6), state(false, 8)), [true, false]);
        assert_eq!(edges(state(false, u32::MAX), state(true, 2)), [true, false, true]);
        // A driver that does not count, and one that woke for nothing.
        assert_eq!(edges(state(false, 0), state(true, 0)), [true]);
        assert_eq!(edges(state(true, 9), state(true, 9)), [false; 0]);
    }
}
