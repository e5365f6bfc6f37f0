//! [`Incoming`]: bytes of a device on their way to the trial: parsed, counted, and
//! handed over as arrivals. Shared by every port that reads a byte stream.
//!
//! Real-time contract: no allocation; bounded by the bytes at hand.

use chronotap_core::midi::{Message, Parser};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Arrival, PortCounts, Stamp};
use std::cell::Cell;

/// A device that began with active sensing and is silent for so long is taken for gone: it sends something
/// every 300 ms, and 10 % are left to its clock (MIDI 1.0 Detailed Specification 4.2).
const SENSING: Nanos = Nanos::from_millis(330);

/// The receiving half of a byte stream.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    parser: Parser,
    counts: PortCounts,
    sensing: Cell<Sensing>,
}

/// A device that has sent active sensing (0xFE) sends something at least every 300 ms from then on, so that
/// its silence tells that it is off or unplugged. Counted are times of [`SENSING`] without a byte, so that
/// what is counted in a trial is the difference between two counts, whenever they are taken.
#[derive(Clone, Copy, Debug, Default)]
struct Sensing {
    begun: bool,
    last: Nanos, // of the last byte, or up to which its silence is counted
    missed: u64,
}

impl Sensing {
    /// Time began again.
    fn start(&mut self) {
        self.last = Nanos::ZERO;
    }

    fn hear(&mut self, byte: u8, at: Nanos) {
        self.wait(at);
        self.last = self.last.max(at);
        self.begun |= byte == 0xfe;
    }

    /// Counts the silence until now.
    fn wait(&mut self, now: Nanos) {
        let times = (now - self.last).0 / SENSING.0;
        if self.begun && times > 0 {
            self.missed += times as u64;
            self.last += Nanos(times * SENSING.0);
        }
    }
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
    /// A trial starts, and with it the time of [`Origin`].
    pub(crate) fn start(&mut self) {
        self.sensing.get_mut().start();
    }

    /// Counts the silence of a device that should not be silent until now.
    pub(crate) fn wait(&self, now: Nanos) {
        let mut sensing = self.sensing.get();
        sensing.wait(now);
        self.sensing.set(sensing);
    }

    /// Hands over the channel messages that `bytes` complete, and the parts of system exclusive
    /// ones; counts the rest, and what came in before the trial started.
    pub(crate) fn parse(&mut self, bytes: &[u8], from: Origin, arrived: &mut dyn FnMut(Arrival)) {
        for byte in bytes {
            self.sensing.get_mut().hear(*byte, from.at);
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
            sensing_missed: self.sensing.get().missed,
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
    fn silence_of_a_device_with_active_sensing_is_counted_in_times_of_330_ms() {
        let mut incoming = Incoming::default();
        let ms = |ms: i64| Nanos::from_millis(ms);
        let send = |incoming: &mut Incoming, byte: u8, at| {
            let from = Origin { input: 0, at, stamp: Stamp::Kernel };
            incoming.parse(&[byte], from, &mut |_| {});
        };
        incoming.start();
        send(&mut incoming, 0xf8, ms(0));
        send(&mut incoming, 0xf8, ms(5_000)); // it never began, and may be silent
        assert_eq!(incoming.counts().sensing_missed, 0);
        (5_000..8_000).step_by(300).for_each(|at| send(&mut incoming, 0xfe, ms(at)));
        assert_eq!(incoming.counts().sensing_missed, 0);
        send(&mut incoming, 0x90, ms(7_700 + 700));
        assert_eq!(incoming.counts().sensing_missed, 2);
        incoming.wait(ms(8_400 + 1_000));
        incoming.wait(ms(8_400 + 1_000));
        assert_eq!(incoming.counts().sensing_missed, 5);
        incoming.start();
        incoming.wait(ms(320));
        assert_eq!(incoming.counts().sensing_missed, 5);
        incoming.wait(ms(670));
        assert_eq!(incoming.counts().sensing_missed, 7);
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
