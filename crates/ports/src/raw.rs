//! [`RawPort`]: a MIDI byte stream on a character device (`/dev/snd/midiC1D0`), a
//! FIFO or a pseudo-terminal. The plainest port there is, and the one with the
//! least between the program and the driver.
//!
//! Real-time contract: descriptors do not block; reading and writing use fixed
//! buffers inside the port; at most [`READS`] system calls to a read.

use crate::incoming::{Incoming, Origin};
use crate::open::{self, OpenError, Opened};
use crate::outgoing::{Outgoing, failure};
use crate::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use chronotap_engine::action::{Action, Kind};
use chronotap_time::Nanos;
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::path::Path;

/// A raw MIDI port, opened.
pub struct RawPort {
    device: Opened,
    input: Option<u16>,
    closed: bool,
    incoming: Incoming,
    bytes: [u8; READ_BYTES],
    outgoing: Outgoing,
    counts: PortCounts,
}

const READ_BYTES: usize = 512;
/// Reads in one call, so that a flood of bytes cannot hold the thread: 4 KiB at a
/// time, over a second of a MIDI cable.
pub(crate) const READS: usize = 8;

impl RawPort {
    /// Opens `path`: as an input where `input` gives the index of the trial's
    /// input, as an output where `output` is set, or as both.
    ///
    /// # Errors
    /// Says what stands at the path and what to do; see [`OpenError`].
    pub fn open(path: &Path, input: Option<u16>, output: bool) -> Result<RawPort, OpenError> {
        Ok(RawPort {
            device: open::open(path, input.is_some(), output)?,
            input,
            closed: false,
            incoming: Incoming::default(),
            bytes: [0; READ_BYTES],
            outgoing: Outgoing::new(),
            counts: PortCounts::default(),
        })
    }

    /// Reads until there is no more, or [`READS`] times.
    fn read_all(
        &mut self,
        from: Origin,
        arrived: &mut dyn FnMut(Arrival),
    ) -> Result<(), PortError> {
        for _ in 0..READS {
            match rustix::io::read(&self.device, &mut self.bytes) {
                Ok(0) => return Err(PortError::Closed),
                Ok(len) => {
                    self.incoming.parse(&self.bytes[..len], from, arrived);
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
}

impl Port for RawPort {
    // Bytes that wait when the trial starts are taken with its first read: a stream
    // may have been written beforehand, and nobody else knows when.

    fn readiness(&self) -> Readiness<'_> {
        if self.closed || self.input.is_none() {
            return Readiness::Never;
        }
        Readiness::Descriptor(self.device.as_fd())
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        // Left-over output goes on whenever the port is served; its errors show at
        // the next write.
        let _ = self.outgoing.flush(&self.device);
        let Some(input) = self.input else { return Ok(()) };
        if self.closed {
            return Err(PortError::Closed);
        }
        let result = self.read_all(Origin { input, at: now, stamp: Stamp::UserSpace }, arrived);
        self.closed = result == Err(PortError::Closed);
        result
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        let release = action.kind == Kind::ToneOff;
        let result = self.outgoing.send(&self.device, message, release);
        self.counts.note_sent(&result);
        result.map(|()| Written::Now)
    }

    fn counts(&self) -> PortCounts {
        let PortCounts { sent, lost, .. } = self.counts;
        PortCounts { sent, lost, ..self.incoming.counts() }
    }
}

impl Drop for RawPort {
    fn drop(&mut self) {
        self.outgoing.last_chance(&self.device);
    }
}
