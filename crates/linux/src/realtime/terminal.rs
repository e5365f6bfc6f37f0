//! [`Terminal`]: where a program was started, which the program outlives. A window is closed, or
//! the network to whoever sits there breaks: SIGHUP comes then, or, to a program in the background,
//! nothing but the end of its streams.
//!
//! The handler does no more than to remember, and asks nobody to end.

use crate::realtime::interrupt::handle;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;
use std::io::{self, IsTerminal, stderr, stdin, stdout};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether SIGHUP came. It says no more than that, so it needs no order.
static HUNG_UP: AtomicBool = AtomicBool::new(false);

/// The terminal of a program that goes on without it.
#[derive(Debug)]
pub struct Terminal {
    streams: Vec<OwnedFd>, // those of the standard streams that are at a terminal
}

impl Terminal {
    /// From now on SIGHUP asks for no end, whatever [`crate::realtime::Interrupt::install`] made of it before;
    /// all other signals do what they did.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn outlive() -> io::Result<Terminal> {
        let mut streams = Vec::new();
        add(&mut streams, stdin())?;
        add(&mut streams, stdout())?;
        add(&mut streams, stderr())?;
        // Calls that the signal interrupts go on: nobody is to learn of it who does not ask.
        handle(libc::SIGHUP, on_hangup as extern "C" fn(libc::c_int) as usize, libc::SA_RESTART)?;
        Ok(Terminal { streams })
    }

    /// Whether it is gone. It does not wait.
    pub fn is_gone(&self) -> bool {
        HUNG_UP.load(Ordering::Relaxed) || self.streams.iter().any(has_hung_up)
    }
}

fn add(streams: &mut Vec<OwnedFd>, stream: impl AsFd + IsTerminal) -> io::Result<()> {
    if stream.is_terminal() {
        streams.push(stream.as_fd().try_clone_to_owned()?);
    }
    Ok(())
}

/// Async-signal-safe: one atomic store.
extern "C" fn on_hangup(_signal: libc::c_int) {
    HUNG_UP.store(true, Ordering::Relaxed);
}

fn has_hung_up(stream: impl AsFd) -> bool {
    let mut looked = [PollFd::new(&stream, PollFlags::empty())]; // HUP and ERR are always told
    poll(&mut looked, Some(&Timespec::default())).is_ok()
        && looked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_testkit_linux::terminal::terminal;
    use rustix::fs::{Mode, OFlags};

    #[test]
    fn a_terminal_whose_far_end_is_closed_has_hung_up() {
        let (far_end, path) = terminal();
        let near_end =
            rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        assert!(!has_hung_up(&near_end));
        rustix::io::write(&far_end, b"typed\n").unwrap();
        assert!(!has_hung_up(&near_end), "what is typed is no end");
        drop(far_end);
        assert!(has_hung_up(&near_end));
    }
}
