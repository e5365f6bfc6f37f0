//! [`RawPort`]: a MIDI byte stream on a character device (`/dev/snd/midiC1D0`), a
//! FIFO or a pseudo-terminal. The plainest port there is, and the one with the
//! least between the program and the driver.
//!
//! Real-time contract: that of its [`ByteStream`].

mod kind;

pub(crate) use kind::KIND;
pub use kind::{NoPath, RawName};

use crate::clocks::MonotonicClock;
use crate::ports::open::{self, OpenError, Terminal};
use crate::ports::stream::ByteStream;
use chronotap_core::time::{Clock, Nanos};
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use std::path::Path;

/// A raw MIDI port, opened.
pub struct RawPort {
    stream: ByteStream<READ_BYTES>,
    clock: MonotonicClock,
    _terminal: Option<Terminal>, // its settings come back after the last byte
}

/// With the reads of one call 4 KiB at a time, over a second of a MIDI cable.
const READ_BYTES: usize = 512;

impl RawPort {
    /// Opens `path`: as an input where `input` gives the index of the trial's
    /// input, as an output where `output` is set, or as both.
    ///
    /// # Errors
    /// Says what stands at the path and what to do; see [`OpenError`].
    pub fn open(path: &Path, input: Option<u16>, output: bool) -> Result<RawPort, OpenError> {
        let (device, terminal) = open::open(path, input.is_some(), output)?;
        let stream = ByteStream::new(device, input);
        Ok(RawPort { stream, clock: MonotonicClock::since(Nanos::ZERO), _terminal: terminal })
    }
}

impl Port for RawPort {
    // Bytes that wait when the trial starts are taken with its first read: a stream
    // may have been written beforehand, and nobody else knows when.
    fn start(&mut self, origin: Nanos) {
        self.clock = MonotonicClock::since(origin);
        self.stream.start();
    }

    fn readiness(&self) -> Readiness<'_> {
        self.stream.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let from = self.stream.origin(now);
        self.stream.read(&mut |incoming, bytes| incoming.parse(bytes, from, arrived))
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        self.stream.write(action)
    }

    fn counts(&self) -> PortCounts {
        self.stream.wait(self.clock.now());
        self.stream.counts()
    }
}
