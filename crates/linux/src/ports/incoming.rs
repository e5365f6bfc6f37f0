//! [`Incoming`]: bytes of a device on their way to the trial: parsed, counted, and
//! handed over as arrivals. Shared by every port that reads a byte stream.
//!
//! Real-time contract: no allocation; bounded by the bytes at hand.

use chronotap_core::midi::{Message, Parser};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Arrival, PortCounts, Stamp};

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
    /// Hands over the channel messages that `bytes` complete, and the parts of system exclusive
    /// ones; counts the rest, and what came in before the trial started.
    pub(crate) fn parse(&mut self, bytes: &[u8], from: Origin, arrived: &mut dyn FnMut(Arrival)) {
        for byte in bytes {
            let message = self.parser.push(*byte);
            if let Some(part) = self.parser.take_sysex() {
                hand_over(Message::Sysex(part), from, arrived);
            }
            let Some(message) = message else { continue };
            self.counts.system_common += u64::from(matches!(message, Message::SystemCommon { .. }));
            if message.channel().is_none() {
                continue;
            }
            if from.at < Nanos::ZERO {
                self.counts.early += 1;
                continue;
            }
            self.counts.received += 1;
            hand_over(message, from, arrived);
        }
    }

    /// The bytes of a system exclusive message, or of a part of one, that came by another way
    /// than a stream: so in one piece, but not all.
    pub(crate) fn parse_sysex(
        &mut self,
        bytes: &[u8],
        from: Origin,
        arrived: &mut dyn FnMut(Arrival),
    ) {
        let is_sysex = |byte: &&u8| **byte < 0x80 || matches!(**byte, 0xf0 | 0xf7);
        for byte in bytes.iter().filter(is_sysex) {
            self.parse(std::slice::from_ref(byte), from, arrived);
        }
    }

    /// What was received.
    pub(crate) fn counts(&self) -> PortCounts {
        let parsed = self.parser.counts();
        PortCounts {
            invalid_bytes: parsed.invalid_bytes + self.parser.pending(),
            sysex_bytes: parsed.sysex_bytes,
            sysex_beyond: parsed.sysex_beyond,
            realtime_bytes: parsed.realtime_bytes,
            ..self.counts
        }
    }
}

/// A part that came before the start is as good as never sent; its bytes are counted.
fn hand_over(message: Message, from: Origin, arrived: &mut dyn FnMut(Arrival)) {
    let Origin { input, at, stamp } = from;
    if at >= Nanos::ZERO {
        arrived(Arrival { input, at, stamp, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_system_exclusive_messages_come_in_order_with_the_stamp_of_their_last_byte() {
        let (mut incoming, mut arrived) = (Incoming::default(), Vec::new());
        let from = |at| Origin { input: 0, at, stamp: Stamp::Kernel };
        let parts = [
            (-5, &[0xf0, 1][..]),
            (6, &[2, 0xf7, 0x90]),
            (7, &[60, 100, 0xf0, 3]),
            (8, &[0xc1, 4]),
        ];
        for (at, bytes) in parts {
            incoming
                .parse(bytes, from(Nanos(at)), &mut |a| arrived.push((a.at, a.message.bytes())));
        }
        let bytes: Vec<(i64, &[u8])> =
            arrived.iter().map(|(at, (bytes, len))| (at.0, &bytes[..*len])).collect();
        let expected: [(i64, &[u8]); 4] =
            [(6, &[0xf0, 1, 2, 0xf7]), (7, &[0x90, 60, 100]), (8, &[0xf0, 3]), (8, &[0xc1, 4])];
        assert_eq!(bytes, expected);
        assert_eq!((incoming.counts().received, incoming.counts().sysex_bytes), (2, 6));
    }

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
