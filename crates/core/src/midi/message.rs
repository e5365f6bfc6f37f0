//! [`Message`]: one complete MIDI message, and the small numbers it is made of.
//!
//! [`Channel`] and [`U7`] cannot hold an invalid value, so a message can always
//! be written to a wire.

use crate::midi::{SYSEX_PART_BYTES, SysexPart};
use std::fmt;

/// A MIDI channel as musicians count it, 1 to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel(u8); // in 0..=15, as on the wire

impl Channel {
    /// Channel 1.
    pub const ONE: Channel = Channel(0);

    /// From 1..=16.
    pub const fn new(number: u8) -> Option<Channel> {
        if number >= 1 && number <= 16 { Some(Channel(number - 1)) } else { None }
    }

    /// From the low four bits of a status byte.
    pub const fn from_status(status: u8) -> Channel {
        Channel(status & 0x0f)
    }

    /// 1..=16.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// 0..=15, to index a table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A seven-bit value: a note, a velocity, a controller, 0 to 127.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct U7(u8);

impl U7 {
    /// 0.
    pub const ZERO: U7 = U7(0);
    /// 127.
    pub const MAX: U7 = U7(127);

    /// From 0..=127.
    pub const fn new(value: u8) -> Option<U7> {
        if value <= 127 { Some(U7(value)) } else { None }
    }

    /// From the low seven bits of a byte.
    pub const fn from_byte(byte: u8) -> U7 {
        U7(byte & 0x7f)
    }

    /// The nearest value in range.
    pub const fn clamped(value: i64) -> U7 {
        if value < 0 {
            U7(0)
        } else if value > 127 {
            U7(127)
        } else {
            U7(value as u8)
        }
    }

    /// 0..=127.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// To index a table of 128.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Display for U7 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One complete message of at most three bytes, or a part of a system exclusive one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// A key goes down; velocity 1..=127 (with velocity 0 it is a [`Message::NoteOnZero`]).
    NoteOn {
        channel: Channel,
        /// Key number; 60 is middle C.
        note: U7,
        /// How fast; never 0 from the parser.
        velocity: U7,
    },
    /// A key comes up.
    NoteOff {
        channel: Channel,
        /// Key number.
        note: U7,
        /// Release velocity; 64 where the sender has none.
        velocity: U7,
    },
    /// A key comes up, in the form of a note-on with velocity 0: many keyboards send no
    /// other. A form of its own, so that data hold the bytes that came.
    NoteOnZero {
        channel: Channel,
        /// Key number.
        note: U7,
    },
    /// Polyphonic key pressure.
    PolyPressure {
        channel: Channel,
        /// Key number.
        note: U7,
        pressure: U7,
    },
    /// Control change.
    Control {
        channel: Channel,
        /// Controller number; 64 is the sustain pedal.
        controller: U7,
        value: U7,
    },
    /// Program change.
    Program {
        channel: Channel,
        /// Program number, from 0.
        program: U7,
    },
    ChannelPressure {
        channel: Channel,
        pressure: U7,
    },
    /// Pitch bend, 14 bits as two sevens.
    PitchBend {
        channel: Channel,
        /// Least significant seven bits.
        lsb: U7,
        /// Most significant seven bits; 64 is the centre.
        msb: U7,
    },
    /// System common (0xF1..=0xF6), with the data bytes its status asks for.
    SystemCommon {
        /// Status byte, 0xF1..=0xF6.
        status: u8,
        /// Data bytes; unused ones are 0.
        data: [U7; 2],
    },
    /// System real time (0xF8..=0xFF): clock, start, stop, active sensing, reset.
    RealTime(
        /// Status byte.
        u8,
    ),
    /// A part of a system exclusive message, in the order in which its bytes came.
    Sysex(
        /// Its bytes.
        SysexPart,
    ),
}

impl Message {
    /// Whether it is a channel-mode message, which says what a synthesizer does with all that sounds on a channel: controllers
    /// 120 to 127, such as All Notes Off (MIDI 1.0 Detailed Specification, "Channel Mode Messages").
    pub const fn is_channel_mode(self) -> bool {
        matches!(self, Message::Control { controller, .. } if controller.get() >= 120)
    }

    /// The channel of a channel message.
    pub const fn channel(self) -> Option<Channel> {
        match self {
            Message::NoteOn { channel, .. }
            | Message::NoteOff { channel, .. }
            | Message::NoteOnZero { channel, .. }
            | Message::PolyPressure { channel, .. }
            | Message::Control { channel, .. }
            | Message::Program { channel, .. }
            | Message::ChannelPressure { channel, .. }
            | Message::PitchBend { channel, .. } => Some(channel),
            Message::SystemCommon { .. } | Message::RealTime(_) | Message::Sysex(_) => None,
        }
    }

    /// The same message on another channel; system messages stay as they are.
    pub const fn on_channel(mut self, to: Channel) -> Message {
        match &mut self {
            Message::NoteOn { channel, .. }
            | Message::NoteOff { channel, .. }
            | Message::NoteOnZero { channel, .. }
            | Message::PolyPressure { channel, .. }
            | Message::Control { channel, .. }
            | Message::Program { channel, .. }
            | Message::ChannelPressure { channel, .. }
            | Message::PitchBend { channel, .. } => *channel = to,
            Message::SystemCommon { .. } | Message::RealTime(_) | Message::Sysex(_) => {}
        }
        self
    }

    /// The bytes to send, status byte included, and how many of the three count; of system
    /// exclusive, which is received and never sent, none.
    pub const fn encode(self) -> ([u8; 3], usize) {
        match self {
            Message::NoteOff { channel, note, velocity } => three(0x80, channel, note, velocity),
            Message::NoteOn { channel, note, velocity } => three(0x90, channel, note, velocity),
            Message::NoteOnZero { channel, note } => three(0x90, channel, note, U7::ZERO),
            Message::PolyPressure { channel, note, pressure } => {
                three(0xa0, channel, note, pressure)
            }
            Message::Control { channel, controller, value } => {
                three(0xb0, channel, controller, value)
            }
            Message::Program { channel, program } => ([0xc0 | channel.0, program.0, 0], 2),
            Message::ChannelPressure { channel, pressure } => {
                ([0xd0 | channel.0, pressure.0, 0], 2)
            }
            Message::PitchBend { channel, lsb, msb } => three(0xe0, channel, lsb, msb),
            Message::SystemCommon { status, data } => {
                ([status, data[0].0, data[1].0], 1 + Message::data_bytes(status))
            }
            Message::RealTime(status) => ([status, 0, 0], 1),
            Message::Sysex(_) => ([0; 3], 0),
        }
    }

    /// The bytes as they stand on a wire, and how many of them count.
    pub fn bytes(self) -> ([u8; SYSEX_PART_BYTES], usize) {
        let (short, len) = self.encode();
        let mut bytes = [0; SYSEX_PART_BYTES];
        let of = match &self {
            Message::Sysex(part) => part.bytes(),
            _ => &short[..len],
        };
        bytes[..of.len()].copy_from_slice(of);
        (bytes, of.len())
    }

    /// How many data bytes follow a status byte; system exclusive counts as none.
    pub const fn data_bytes(status: u8) -> usize {
        match status {
            0xc0..=0xdf | 0xf1 | 0xf3 => 1,
            0x80..=0xef | 0xf2 => 2,
            _ => 0,
        }
    }

    /// The key that comes up with this message, in either form, and how fast; 0 is no velocity.
    pub const fn release(self) -> Option<(Channel, U7, U7)> {
        match self {
            Message::NoteOff { channel, note, velocity } => Some((channel, note, velocity)),
            Message::NoteOnZero { channel, note } => Some((channel, note, U7::ZERO)),
            _ => None,
        }
    }

    /// The message of a status byte and its data bytes (unused ones ignored). A
    /// note-on with velocity 0 is a release. `None` for a data byte in the
    /// status's place and for system exclusive.
    pub const fn decode(status: u8, data: [U7; 2]) -> Option<Message> {
        let channel = Channel::from_status(status);
        let [a, b] = data;
        Some(match status {
            0x90..=0x9f if b.0 > 0 => Message::NoteOn { channel, note: a, velocity: b },
            0x90..=0x9f => Message::NoteOnZero { channel, note: a },
            0x80..=0x8f => Message::NoteOff { channel, note: a, velocity: b },
            0xa0..=0xaf => Message::PolyPressure { channel, note: a, pressure: b },
            0xb0..=0xbf => Message::Control { channel, controller: a, value: b },
            0xc0..=0xcf => Message::Program { channel, program: a },
            0xd0..=0xdf => Message::ChannelPressure { channel, pressure: a },
            0xe0..=0xef => Message::PitchBend { channel, lsb: a, msb: b },
            0xf1..=0xf6 => Message::SystemCommon { status, data },
            0xf8..=0xff => Message::RealTime(status),
            _ => return None,
        })
    }
}

const fn three(status: u8, channel: Channel, a: U7, b: U7) -> ([u8; 3], usize) {
    ([status | channel.0, a.0, b.0], 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_message_survives_encoding_and_decoding() {
        for status in (0x80..=0xef).chain(0xf1..=0xf6).chain(0xf8..=0xff) {
            for (a, b) in [(0, 0), (0, 1), (60, 100), (127, 127)] {
                let data = [U7::from_byte(a), U7::from_byte(b)];
                let message = Message::decode(status, data).unwrap();
                let (bytes, len) = message.encode();
                let again =
                    Message::decode(bytes[0], [U7::from_byte(bytes[1]), U7::from_byte(bytes[2])]);
                assert_eq!(again.map(Message::encode), Some((bytes, len)));
                assert_eq!(len, 1 + Message::data_bytes(status));
            }
        }
    }

    #[test]
    fn a_note_on_with_velocity_zero_is_a_release_that_keeps_its_form() {
        let message = Message::decode(0x93, [U7::from_byte(60), U7::ZERO]).unwrap();
        let channel = Channel::new(4).unwrap();
        assert_eq!(message.release(), Some((channel, U7::from_byte(60), U7::ZERO)));
        assert_eq!(message.encode(), ([0x93, 60, 0], 3));
    }

    #[test]
    fn channels_are_counted_from_one() {
        assert_eq!(Channel::new(10).unwrap().index(), 9);
        assert_eq!(Channel::new(0), None);
        assert_eq!(Channel::new(17), None);
    }
}
