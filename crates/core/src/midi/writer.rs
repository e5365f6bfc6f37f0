//! [`StreamWriter`]: messages into bytes for a wire, with or without running
//! status. The counterpart of the parser; it keeps only the last status sent.

use crate::midi::Message;

/// Writes messages as a byte stream.
#[derive(Clone, Debug, Default)]
pub struct StreamWriter {
    running: bool,
    status: u8, // last channel status sent, 0 for none
}

impl StreamWriter {
    /// Writes every message with its status byte: safe with any receiver.
    pub const fn full() -> StreamWriter {
        StreamWriter { running: false, status: 0 }
    }

    /// Leaves out a status byte that repeats the last one; a third less wire time
    /// for a train of notes on one channel.
    pub const fn running_status() -> StreamWriter {
        StreamWriter { running: true, status: 0 }
    }

    /// The bytes to send, and how many of the three count.
    pub const fn encode(&mut self, message: Message) -> ([u8; 3], usize) {
        let (bytes, len) = message.encode();
        match bytes[0] {
            _ if len == 0 => (bytes, 0), // nothing that is ever sent
            0xf8..=0xff => (bytes, len), // may stand anywhere, changes nothing
            0xf0..=0xf7 => {
                self.status = 0;
                (bytes, len)
            }
            status if self.running && status == self.status => ([bytes[1], bytes[2], 0], len - 1),
            status => {
                self.status = status;
                (bytes, len)
            }
        }
    }

    /// Sends the next status byte in any case, as after a pause or a reconnection.
    pub const fn reset(&mut self) {
        self.status = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::midi::{Channel, U7};

    #[test]
    fn running_status_leaves_out_a_repeated_status_byte() {
        let note =
            Message::NoteOn { channel: Channel::ONE, note: U7::from_byte(60), velocity: U7::MAX };
        let mut writer = StreamWriter::running_status();
        assert_eq!(writer.encode(note), ([0x90, 60, 127], 3));
        assert_eq!(writer.encode(note), ([60, 127, 0], 2));
        assert_eq!(writer.encode(Message::RealTime(0xf8)).1, 1);
        assert_eq!(writer.encode(note).1, 2);
        writer.reset();
        assert_eq!(writer.encode(note).1, 3);
        assert_eq!(StreamWriter::full().encode(note).1, 3);
    }
}
