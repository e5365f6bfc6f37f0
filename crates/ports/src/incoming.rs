//! [`Incoming`]: bytes of a device on their way to the trial: parsed, counted, and
//! handed over as arrivals. Shared by every port that reads a byte stream.
//!
//! Real-time contract: no allocation; bounded by the bytes at hand.

use chronotap_midi::{Message, Parser};
use chronotap_signal::{Arrival, PortCounts, Stamp};
use chronotap_time::Nanos;

/// The receiving half of a byte stream.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    parser: Parser,
    counts: PortCounts,
}

/// Where and when bytes came in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Index of the trial's input.
    pub(crate) input: u16,
    /// Since the start of the trial; negative before it.
    pub(crate) at: Nanos,
    /// Who took that time.
    pub(crate) stamp: Stamp,
}

impl Origin {
    /// Bytes of before the start, whenever that was.
    pub(crate) fn before_start(input: u16) -> Origin {
        Origin { input, at: Nanos(-1), stamp: Stamp::UserSpace }
    }
}

impl Incoming {
    /// Hands over the channel messages that `bytes` complete; counts the rest, and
    /// what came in before the trial started.
    pub(crate) fn parse(&mut self, bytes: &[u8], from: Origin, arrived: &mut dyn FnMut(Arrival)) {
        for byte in bytes {
            let Some(message) = self.parser.push(*byte) else { continue };
            self.counts.system_common += u64::from(matches!(message, Message::SystemCommon { .. }));
            if message.channel().is_none() {
                continue;
            }
            if from.at < Nanos::ZERO {
                self.counts.early += 1;
                continue;
            }
            self.counts.received += 1;
            let Origin { input, at, stamp } = from;
            arrived(Arrival { input, at, stamp, message });
        }
    }

    /// What was received.
    pub(crate) fn counts(&self) -> PortCounts {
        let parsed = self.parser.counts();
        PortCounts {
            invalid_bytes: parsed.invalid_bytes + self.parser.pending(),
            sysex_bytes: parsed.sysex_bytes,
            realtime_bytes: parsed.realtime_bytes,
            ..self.counts
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_before_the_start_is_counted_and_dropped() {
        let mut incoming = Incoming::default();
        let mut arrived = Vec::new();
        // A message begun before the start and ended after it arrives after it.
        incoming.parse(&[0x90, 60, 100, 62], Origin::before_start(0), &mut |a| arrived.push(a));
        let from = Origin { input: 0, at: Nanos(5), stamp: Stamp::Kernel };
        incoming.parse(&[90], from, &mut |a| arrived.push(a));
        assert_eq!(arrived.len(), 1);
        assert_eq!((arrived[0].at, arrived[0].stamp), (Nanos(5), Stamp::Kernel));
        assert_eq!((incoming.counts().early, incoming.counts().received), (1, 1));
    }
}
