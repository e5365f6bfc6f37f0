//! [`PortCounts`]: what a port counted, for the data.

use crate::PortError;

/// What a port counted while it was open; shown and recorded after the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Channel messages received.
    pub received: u64,
    /// Messages sent.
    pub sent: u64,
    /// Messages lost because the device took no more bytes.
    pub lost: u64,
    /// Bytes that belong to no message (data without a status, cut-off messages).
    pub invalid_bytes: u64,
    /// Bytes of system exclusive messages, passed over.
    pub sysex_bytes: u64,
    /// Real-time bytes: clock, active sensing and the like.
    pub realtime_bytes: u64,
    /// System common messages (song position, tune request and the like), passed over.
    pub system_common: u64,
    /// Channel messages that came in before the trial started, dropped.
    pub early: u64,
    /// Periods that an audio server, or one of its clients, missed.
    pub xruns: u64,
    /// Frames of a sound card that were louder than full scale, and cut off.
    pub clipped: u64,
    /// What a full buffer of the kernel lost: bytes of a device, or the number of
    /// times a sequencer queue ran over.
    pub overruns: u64,
    /// How often the port was lost in mid-trial and there again.
    pub reopened: u64,
}

impl std::ops::Add for PortCounts {
    type Output = PortCounts;

    fn add(self, more: PortCounts) -> PortCounts {
        PortCounts {
            received: self.received + more.received,
            sent: self.sent + more.sent,
            lost: self.lost + more.lost,
            invalid_bytes: self.invalid_bytes + more.invalid_bytes,
            sysex_bytes: self.sysex_bytes + more.sysex_bytes,
            realtime_bytes: self.realtime_bytes + more.realtime_bytes,
            system_common: self.system_common + more.system_common,
            early: self.early + more.early,
            overruns: self.overruns + more.overruns,
            reopened: self.reopened + more.reopened,
            xruns: self.xruns + more.xruns,
            clipped: self.clipped + more.clipped,
        }
    }
}

impl PortCounts {
    /// Counts what became of a message sent.
    pub fn note_sent(&mut self, result: &Result<(), PortError>) {
        match result {
            Ok(()) => self.sent += 1,
            Err(_) => self.lost += 1,
        }
    }
}
