//! [`ByteStream`]: a device that gives and takes plain bytes, one descriptor for each
//! direction. Shared by every port over such a device: how much is read at once, how
//! an end is told, what becomes of bytes that do not go out at once, what is counted.
//! What the bytes mean, frames with stamps or MIDI as it is, the port says.
//!
//! The directions are apart because a raw MIDI device that is open for both in one
//! descriptor wakes who waits for its input also for each message that goes out.
//!
//! Real-time contract: descriptors do not block; fixed buffers inside; at most
//! [`READS`] system calls to a read, and two to a write.

use crate::ports::incoming::{Incoming, Origin};
use crate::ports::outgoing::{Outgoing, failure};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::signal::{PortCounts, PortError, Readiness, Stamp, Written};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};

/// The descriptors of a device, without blocking; none for a direction not used.
#[derive(Debug, Default)]
pub(crate) struct Directions {
    pub(crate) input: Option<OwnedFd>,
    pub(crate) output: Option<OwnedFd>,
}

/// Both directions of a device of bytes, of which so many are read at once.
pub(crate) struct ByteStream<const READ_BYTES: usize> {
    device: Directions,
    input: u16,
    closed: bool,
    bytes: [u8; READ_BYTES],
    incoming: Incoming,
    outgoing: Outgoing,
    counts: PortCounts,
}

/// Reads in one call, so that a flood of bytes cannot hold the thread.
pub(crate) const READS: usize = 8;

impl<const READ_BYTES: usize> ByteStream<READ_BYTES> {
    /// Over an open device; `input` is the index of the trial's input, where it has one.
    pub(crate) fn new(device: Directions, input: Option<u16>) -> ByteStream<READ_BYTES> {
        ByteStream {
            device,
            input: input.unwrap_or(0),
            closed: false,
            bytes: [0; READ_BYTES],
            incoming: Incoming::default(),
            outgoing: Outgoing::new(),
            counts: PortCounts::default(),
        }
    }

    /// The descriptor to wait on, until the device has ended.
    pub(crate) fn readiness(&self) -> Readiness<'_> {
        match &self.device.input {
            Some(input) if !self.closed => Readiness::Descriptor(input.as_fd()),
            _ => Readiness::Never,
        }
    }

    /// Where bytes come from that bear no stamp of their own and are read at `now`.
    pub(crate) fn origin(&self, now: Nanos) -> Origin {
        Origin { input: self.input, at: now, stamp: Stamp::UserSpace }
    }

    /// Hands over what was read, some bytes at a time, until there is no more or the
    /// thread has been held long enough. Left-over output goes on whenever the stream
    /// is served; its errors show at the next write.
    pub(crate) fn read(
        &mut self,
        take: &mut dyn FnMut(&mut Incoming, &[u8]),
    ) -> Result<(), PortError> {
        if let Some(output) = &self.device.output {
            let _ = self.outgoing.flush(output);
        }
        if self.closed {
            return Err(PortError::Closed);
        }
        let result = self.read_all(take);
        self.closed = result == Err(PortError::Closed);
        result
    }

    fn read_all(&mut self, take: &mut dyn FnMut(&mut Incoming, &[u8])) -> Result<(), PortError> {
        let Some(input) = &self.device.input else { return Ok(()) };
        for _ in 0..READS {
            match rustix::io::read(input, &mut self.bytes) {
                Ok(0) => return Err(PortError::Closed),
                Ok(len) => {
                    take(&mut self.incoming, &self.bytes[..len]);
                    if len < READ_BYTES {
                        break;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(errno) => return Err(failure(errno)),
            }
        }
        Ok(())
    }

    /// Sends the message of an action, or keeps what must not be lost of it.
    pub(crate) fn write(&mut self, action: &Action) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        let release = action.kind == ActionKind::ToneOff;
        let result = match &self.device.output {
            Some(output) => self.outgoing.send(output, message, release),
            None => Err(PortError::Closed),
        };
        self.counts.note_sent(&result);
        result.map(|()| Written::Now)
    }

    /// A trial starts.
    pub(crate) fn start(&mut self) {
        self.incoming.start();
    }

    /// Counts the silence of a device that should not be silent until now.
    pub(crate) fn wait(&self, now: Nanos) {
        self.incoming.wait(now);
    }

    /// What was received, sent and lost.
    pub(crate) fn counts(&self) -> PortCounts {
        let PortCounts { sent, lost, .. } = self.counts;
        PortCounts { sent, lost, ..self.incoming.counts() }
    }

    /// The descriptor that input comes through.
    pub(crate) fn input(&self) -> Option<&OwnedFd> {
        self.device.input.as_ref()
    }
}

impl<const READ_BYTES: usize> Drop for ByteStream<READ_BYTES> {
    fn drop(&mut self) {
        if let Some(output) = &self.device.output {
            self.outgoing.last_chance(output);
        }
        if let Some(input) = &self.device.input {
            // Said, since closing is not enough: a process that was just forked from this one holds a copy
            // of the descriptor until it runs a program of its own. Who has no lock lets none go.
            let _ = flock(input, FlockOperation::Unlock);
        }
    }
}
