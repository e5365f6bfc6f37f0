//! [`Outgoing`]: messages on their way to a byte stream that does not block. What
//! the device does not take at once is sent later, whole: half a message, or the
//! release of a tone, must not be lost.
//!
//! Real-time contract: fixed buffer; at most two system calls to a message.

use crate::clocks::{MonotonicClock, timespec};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::signal::PortError;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::os::fd::AsFd;

/// Bytes that the device did not take yet.
#[derive(Debug)]
pub(crate) struct Outgoing {
    unsent: [u8; UNSENT_BYTES],
    len: usize,
}

const UNSENT_BYTES: usize = 768; // releases of 256 notes, or of 27 through the sequencer
/// How long a port that is closed waits for its device to take the last releases.
const LAST_CHANCE: Nanos = Nanos::from_millis(500);

impl Outgoing {
    /// Nothing to send.
    pub(crate) fn new() -> Outgoing {
        Outgoing { unsent: [0; UNSENT_BYTES], len: 0 }
    }

    /// Sends a message; keeps the rest of one that went out in part. A release
    /// is kept whole, since losing it would leave a note hanging.
    pub(crate) fn send(
        &mut self,
        device: impl AsFd,
        message: Message,
        release: bool,
    ) -> Result<(), PortError> {
        let (bytes, len) = message.encode();
        self.send_bytes(device, &bytes[..len], release)
    }

    /// Sends the bytes of a message, as [`Outgoing::send`].
    pub(crate) fn send_bytes(
        &mut self,
        device: impl AsFd,
        bytes: &[u8],
        release: bool,
    ) -> Result<(), PortError> {
        let sent = if self.flush(&device)? { write_some(&device, bytes)? } else { 0 };
        let keep = sent > 0 || release;
        if sent < bytes.len() && !(keep && self.push(&bytes[sent..])) {
            return Err(PortError::Full);
        }
        Ok(())
    }

    /// Sends what an earlier write left over; `Ok(false)` where some is left still.
    pub(crate) fn flush(&mut self, device: impl AsFd) -> Result<bool, PortError> {
        let sent = write_some(device, &self.unsent[..self.len])?;
        self.drop_first(sent);
        Ok(self.len == 0)
    }

    /// What was kept back are releases: before the device is closed they get
    /// [`LAST_CHANCE`] to go out, so that no note hangs after the trial. Blocks.
    pub(crate) fn last_chance(&mut self, device: impl AsFd) {
        let end = MonotonicClock::raw() + LAST_CHANCE;
        while matches!(self.flush(&device), Ok(false)) && MonotonicClock::raw() < end {
            let mut room = [PollFd::new(&device, PollFlags::OUT)];
            let left = timespec(end - MonotonicClock::raw());
            if poll(&mut room, Some(&left)).is_err_and(|errno| errno != Errno::INTR) {
                return;
            }
        }
    }

    /// Adds all of `more` or nothing.
    fn push(&mut self, more: &[u8]) -> bool {
        let end = self.len + more.len();
        let Some(room) = self.unsent.get_mut(self.len..end) else { return false };
        room.copy_from_slice(more);
        self.len = end;
        true
    }

    fn drop_first(&mut self, sent: usize) {
        let sent = sent.min(self.len);
        self.unsent.copy_within(sent..self.len, 0);
        self.len -= sent;
    }
}

/// Writes what the device takes at the moment, maybe nothing.
fn write_some(device: impl AsFd, bytes: &[u8]) -> Result<usize, PortError> {
    if bytes.is_empty() {
        return Ok(0);
    }
    loop {
        match rustix::io::write(&device, bytes) {
            Ok(sent) => return Ok(sent),
            Err(Errno::INTR) => {}
            // The sequencer says that a receiver is full in the second and third way.
            Err(Errno::AGAIN | Errno::NOMEM | Errno::NOSPC) => return Ok(0),
            Err(errno) => return Err(failure(errno)),
        }
    }
}

/// A device that is gone answers in one of these ways.
pub(crate) fn failure(errno: Errno) -> PortError {
    match errno {
        Errno::IO | Errno::NODEV | Errno::NXIO | Errno::PIPE | Errno::BADFD => PortError::Closed,
        other => PortError::System(other.raw_os_error()),
    }
}
