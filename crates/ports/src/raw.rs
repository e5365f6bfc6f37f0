//! [`RawPort`]: a MIDI byte stream on a character device (`/dev/snd/midiC1D0`), a
//! FIFO or a pseudo-terminal. The plainest port there is, and the one with the
//! least between the program and the driver.
//!
//! Real-time contract: descriptors do not block; reading and writing use fixed
//! buffers inside the port; at most [`READS`] system calls to a read.

use crate::open::{self, OpenError, Opened};
use crate::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
use chronotap_engine::action::{Action, Kind};
use chronotap_midi::{Message, Parser};
use chronotap_time::{MonotonicClock, Nanos};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::path::Path;

pub(crate) use open::permission_cure;

/// A raw MIDI port, opened.
pub struct RawPort {
    device: Opened,
    input: Option<u16>,
    closed: bool,
    parser: Parser,
    bytes: [u8; READ_BYTES],
    unsent: Unsent,
    counts: PortCounts,
}

const READ_BYTES: usize = 512;
/// Reads in one call, so that a flood of bytes cannot hold the thread: 4 KiB at a
/// time, over a second of a MIDI cable.
const READS: usize = 8;
/// How long a port that is closed waits for its device to take the last releases.
const LAST_CHANCE: Nanos = Nanos::from_millis(500);

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
            parser: Parser::new(),
            bytes: [0; READ_BYTES],
            unsent: Unsent::default(),
            counts: PortCounts::default(),
        })
    }

    /// Reads once; `Ok(false)` where there was no more.
    fn read_once(
        &mut self,
        input: u16,
        now: Nanos,
        arrived: &mut dyn FnMut(Arrival),
    ) -> Result<bool, PortError> {
        match rustix::io::read(&self.device, &mut self.bytes) {
            Ok(0) => Err(PortError::Closed),
            Ok(len) => {
                self.parse(len, input, now, arrived);
                Ok(len == READ_BYTES)
            }
            Err(Errno::INTR) => Ok(true),
            Err(Errno::AGAIN) => Ok(false),
            Err(errno) => Err(failure(errno)),
        }
    }

    /// Hands over the channel messages of the first `len` bytes; counts the rest.
    fn parse(&mut self, len: usize, input: u16, now: Nanos, arrived: &mut dyn FnMut(Arrival)) {
        for byte in &self.bytes[..len] {
            let Some(message) = self.parser.push(*byte) else { continue };
            if message.channel().is_some() {
                self.counts.received += 1;
                arrived(Arrival { input, at: now, stamp: Stamp::UserSpace, message });
            }
            self.counts.system_common += u64::from(matches!(message, Message::SystemCommon { .. }));
        }
    }

    /// Sends what an earlier write left over; `Ok(false)` where some is left still.
    fn flush(&mut self) -> Result<bool, PortError> {
        let sent = write_some(&self.device, self.unsent.bytes())?;
        self.unsent.drop_first(sent);
        Ok(self.unsent.len == 0)
    }

    /// Sends a message; keeps the rest of one that went out in part. A release
    /// is kept whole, since losing it would leave a note hanging.
    fn send(&mut self, message: Message, release: bool) -> Result<(), PortError> {
        let (bytes, len) = message.encode();
        let sent = if self.flush()? { write_some(&self.device, &bytes[..len])? } else { 0 };
        let keep = sent > 0 || release;
        if sent < len && !(keep && self.unsent.push(&bytes[sent..len])) {
            return Err(PortError::Full);
        }
        Ok(())
    }
}

impl Port for RawPort {
    fn readiness(&self) -> Readiness<'_> {
        if self.closed || self.input.is_none() {
            return Readiness::Never;
        }
        Readiness::Descriptor(self.device.as_fd())
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        // Left-over output goes on whenever the port is served; its errors show at
        // the next write.
        let _ = self.flush();
        let Some(input) = self.input else { return Ok(()) };
        if self.closed {
            return Err(PortError::Closed);
        }
        for _ in 0..READS {
            match self.read_once(input, now, arrived) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.closed = error == PortError::Closed;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        let result = self.send(message, action.kind == Kind::ToneOff);
        match result {
            Ok(()) => self.counts.sent += 1,
            Err(_) => self.counts.lost += 1,
        }
        result.map(|()| Written::Now)
    }

    fn counts(&self) -> PortCounts {
        let parsed = self.parser.counts();
        PortCounts {
            invalid_bytes: parsed.invalid_bytes + self.parser.pending(),
            sysex_bytes: parsed.sysex_bytes,
            realtime_bytes: parsed.realtime_bytes,
            ..self.counts
        }
    }
}

impl Drop for RawPort {
    /// What was kept back are releases: they get [`LAST_CHANCE`] to go out, so that
    /// no note hangs after the trial.
    fn drop(&mut self) {
        let end = MonotonicClock::raw() + LAST_CHANCE;
        while matches!(self.flush(), Ok(false)) && MonotonicClock::raw() < end {
            let mut room = [PollFd::new(&self.device, PollFlags::OUT)];
            let left = chronotap_time::timespec(end - MonotonicClock::raw());
            if poll(&mut room, Some(&left)).is_err_and(|errno| errno != Errno::INTR) {
                return;
            }
        }
    }
}

/// Writes what the device takes at the moment, maybe nothing.
fn write_some(device: &Opened, bytes: &[u8]) -> Result<usize, PortError> {
    if bytes.is_empty() {
        return Ok(0);
    }
    loop {
        match rustix::io::write(device, bytes) {
            Ok(sent) => return Ok(sent),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(0),
            Err(errno) => return Err(failure(errno)),
        }
    }
}

/// A device that is gone answers in one of these ways.
fn failure(errno: Errno) -> PortError {
    match errno {
        Errno::IO | Errno::NODEV | Errno::NXIO | Errno::PIPE | Errno::BADFD => PortError::Closed,
        other => PortError::System(other.raw_os_error()),
    }
}

/// Bytes that the device did not take yet.
struct Unsent {
    bytes: [u8; UNSENT_BYTES],
    len: usize,
}

const UNSENT_BYTES: usize = 768; // releases of 256 notes

impl Default for Unsent {
    fn default() -> Unsent {
        Unsent { bytes: [0; UNSENT_BYTES], len: 0 }
    }
}

impl Unsent {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Adds all of `more` or nothing.
    fn push(&mut self, more: &[u8]) -> bool {
        let end = self.len + more.len();
        let Some(room) = self.bytes.get_mut(self.len..end) else { return false };
        room.copy_from_slice(more);
        self.len = end;
        true
    }

    fn drop_first(&mut self, sent: usize) {
        let sent = sent.min(self.len);
        self.bytes.copy_within(sent..self.len, 0);
        self.len -= sent;
    }
}
