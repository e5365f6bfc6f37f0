//! [`PortCounts`]: what a port counted, for the data.

use crate::signal::PortError;
use serde::Serialize;

/// What a port counted while it was open; shown and recorded after the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PortCounts {
    /// Channel messages received.
    pub received: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages lost because the device took no more bytes.
    pub lost: u64,
    /// Bytes that belong to no message (data without a status, cut-off messages).
    pub invalid_bytes: u64,
    /// Bytes of system exclusive messages, recorded or not.
    pub sysex_bytes: u64,
    /// Bytes of theirs behind the first 4,096 of a message, which are never recorded.
    pub sysex_beyond: u64,
    /// Real-time bytes: clock, active sensing and the like.
    pub realtime_bytes: u64,
    /// How many times 330 ms nothing came from a device that had begun with active sensing.
    #[serde(skip_serializing_if = "is_zero")]
    pub sensing_missed: u64,
    /// System common messages (song position, tune request and the like), passed over.
    pub system_common: u64,
    /// Channel messages that came in before the trial started, dropped.
    pub early: u64,
    /// Channel messages at an input that the trial does not have, dropped.
    pub unused: u64,
    /// Periods that an audio server, or one of its clients, missed.
    pub xruns: u64,
    /// Frames of a sound card that were louder than full scale, and cut off.
    pub clipped: u64,
    /// Frames of a sound card that were no number (NaN) or infinite, and silenced.
    pub silenced: u64,
    /// Frames of music that had not been read when they were due, and were silent.
    pub missing: u64,
    /// What a full buffer of the kernel lost: bytes of a device, or the number of
    /// times a sequencer queue ran over.
    pub overruns: u64,
    /// How often the port was lost in mid-trial and there again.
    pub reopened: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::Add for PortCounts {
    type Output = PortCounts;

    fn add(self, more: PortCounts) -> PortCounts {
        self.with(more, |a, b| a + b)
    }
}

impl std::ops::Sub for PortCounts {
    type Output = PortCounts;

    /// What was counted since `before`. A message that was counted as sent and is then found
    /// lost is taken back, so that a count may fall: it stays at 0.
    fn sub(self, before: PortCounts) -> PortCounts {
        self.with(before, u64::saturating_sub)
    }
}

impl PortCounts {
    fn with(self, other: PortCounts, of: impl Fn(u64, u64) -> u64) -> PortCounts {
        PortCounts {
            received: of(self.received, other.received),
            sent: of(self.sent, other.sent),
            lost: of(self.lost, other.lost),
            invalid_bytes: of(self.invalid_bytes, other.invalid_bytes),
            sysex_bytes: of(self.sysex_bytes, other.sysex_bytes),
            sysex_beyond: of(self.sysex_beyond, other.sysex_beyond),
            realtime_bytes: of(self.realtime_bytes, other.realtime_bytes),
            sensing_missed: of(self.sensing_missed, other.sensing_missed),
            system_common: of(self.system_common, other.system_common),
            early: of(self.early, other.early),
            unused: of(self.unused, other.unused),
            xruns: of(self.xruns, other.xruns),
            clipped: of(self.clipped, other.clipped),
            silenced: of(self.silenced, other.silenced),
            missing: of(self.missing, other.missing),
            overruns: of(self.overruns, other.overruns),
            reopened: of(self.reopened, other.reopened),
        }
    }

    /// Counts what became of a message sent.
    pub fn note_sent(&mut self, result: &Result<(), PortError>) {
        match result {
            Ok(()) => self.sent += 1,
            Err(_) => self.lost += 1,
        }
    }
}
