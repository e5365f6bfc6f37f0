//! Sequencer events to MIDI messages and back. Pure.
//!
//! An event has 28 bytes: type, flags, tag, queue, time (two u32), source and
//! destination (client and port each), then twelve bytes by type: a note (channel,
//! note, velocity), a controller (channel, from byte 4 on parameter and value, four
//! bytes each), or an address. Numbers stand in the byte order of the machine.

use super::abi::{Address, SYSTEM};
use super::links::Link;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;

/// Bytes of one event.
pub(crate) const EVENT_BYTES: usize = 28;

/// An event as it is read and written.
pub(crate) type Bytes = [u8; EVENT_BYTES];

/// What an event brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brought {
    /// A channel message.
    Message(Message),
    /// The clock and other real-time messages.
    RealTime,
    /// Song position and other messages without a channel.
    Common,
    /// A system exclusive message, or a part of one, of so many bytes. They follow the
    /// event and fill whole events.
    Exclusive(usize),
    /// A port was removed.
    PortGone(Address),
    /// A client has left, with all its ports.
    ClientGone(u8),
    /// Two ports were connected.
    Made(Link),
    /// A connection was taken away.
    Parted(Link),
    /// Nothing that a trial could use.
    Nothing,
}

/// The port of this program that an event came to.
pub(crate) fn destination(event: &Bytes) -> u8 {
    event[15]
}

/// When it came, in the real time of its queue, where it was stamped so.
pub(crate) fn stamp(event: &Bytes) -> Option<Nanos> {
    const REAL_TIME: u8 = 1;
    let (seconds, nanoseconds) = (word(event, 4), word(event, 8));
    let stamp = Nanos(i64::from(seconds) * 1_000_000_000 + i64::from(nanoseconds));
    (event[1] & REAL_TIME != 0 && stamp > Nanos::ZERO).then_some(stamp)
}

/// How many bytes of data follow an event in what the sequencer gives to read.
pub(crate) fn following(event: &Bytes) -> usize {
    const LENGTH_MASK: u8 = 3 << 2;
    const VARIABLE: u8 = 1 << 2;
    const LENGTH: u32 = 0x3fff_ffff; // the upper bits say where the data lie
    if event[1] & LENGTH_MASK != VARIABLE { 0 } else { (word(event, 16) & LENGTH) as usize }
}

pub(crate) fn brought(event: &Bytes) -> Brought {
    let channel = Channel::from_status(event[16]);
    let (note, velocity) = (U7::from_byte(event[17]), U7::from_byte(event[18]));
    let (parameter, value) = (word(event, 20), word(event, 24) as i32);
    let seven = |value: i32| U7::clamped(i64::from(value));
    Brought::Message(match event[0] {
        NOTE_ON if velocity == U7::ZERO => Message::NoteOnZero { channel, note },
        NOTE_ON => Message::NoteOn { channel, note, velocity },
        NOTE_OFF => Message::NoteOff { channel, note, velocity },
        KEY_PRESSURE => Message::PolyPressure { channel, note, pressure: velocity },
        CONTROLLER if parameter < 128 => {
            let controller = U7::from_byte(parameter as u8);
            Message::Control { channel, controller, value: seven(value) }
        }
        PROGRAM => Message::Program { channel, program: seven(value) },
        CHANNEL_PRESSURE => Message::ChannelPressure { channel, pressure: seven(value) },
        BEND => {
            let bend = (value.clamp(-8_192, 8_191) + 8_192) as u16;
            let (lsb, msb) = (U7::from_byte(bend as u8), U7::from_byte((bend >> 7) as u8));
            Message::PitchBend { channel, lsb, msb }
        }
        20..=22 | 40 => return Brought::Common,
        30..=32 | 36 | 37 | 41 | 42 => return Brought::RealTime,
        SYSEX => return Brought::Exclusive(following(event)),
        SUBSCRIBED => return Brought::Made(link(event)),
        UNSUBSCRIBED => return Brought::Parted(link(event)),
        CLIENT_EXIT => return Brought::ClientGone(event[16]),
        PORT_EXIT => return Brought::PortGone(Address { client: event[16], port: event[17] }),
        _ => return Brought::Nothing,
    })
}

/// The event that carries a channel message from the port `source` of this program to
/// everybody connected, at once; `None` for messages without a channel, which a
/// trial never sends.
pub(crate) fn carrying(message: Message, source: u8) -> Option<Bytes> {
    let channel = message.channel()?;
    let pair = |first: U7, second: U7| (Some([first.get(), second.get()]), 0, 0);
    let single = |value: U7| (None, 0, i32::from(value.get()));
    let (kind, (note, parameter, value)) = match message {
        Message::NoteOn { note, velocity, .. } => (NOTE_ON, pair(note, velocity)),
        Message::NoteOnZero { note, .. } => (NOTE_ON, pair(note, U7::ZERO)),
        Message::NoteOff { note, velocity, .. } => (NOTE_OFF, pair(note, velocity)),
        Message::PolyPressure { note, pressure, .. } => (KEY_PRESSURE, pair(note, pressure)),
        Message::Control { controller, value, .. } => {
            (CONTROLLER, (None, u32::from(controller.get()), i32::from(value.get())))
        }
        Message::Program { program, .. } => (PROGRAM, single(program)),
        Message::ChannelPressure { pressure, .. } => (CHANNEL_PRESSURE, single(pressure)),
        Message::PitchBend { lsb, msb, .. } => {
            let bend = i32::from(msb.get()) * 128 + i32::from(lsb.get()) - 8_192;
            (BEND, (None, 0, bend))
        }
        Message::SystemCommon { .. } | Message::RealTime(_) | Message::Sysex(_) => return None,
    };
    let mut event = directly(kind, source, SUBSCRIBERS);
    event[16] = channel.index() as u8;
    if let Some([note, velocity]) = note {
        (event[17], event[18]) = (note, velocity);
    }
    event[20..24].copy_from_slice(&parameter.to_ne_bytes());
    event[24..28].copy_from_slice(&value.to_ne_bytes());
    Some(event)
}

/// The event that starts a queue.
pub(crate) fn starting(queue: u8) -> Bytes {
    const START: u8 = 30;
    let mut event = directly(START, 0, SYSTEM);
    event[16] = queue;
    event
}

/// An event that passes by all queues.
fn directly(kind: u8, source: u8, to: Address) -> Bytes {
    const DIRECT: u8 = 253;
    let mut event = [0; EVENT_BYTES];
    (event[0], event[3], event[13]) = (kind, DIRECT, source);
    (event[14], event[15]) = (to.client, to.port);
    event
}

/// `snd_seq_connect`.
fn link(event: &Bytes) -> Link {
    let address = |at: usize| Address { client: event[at], port: event[at + 1] };
    Link { sender: address(16), dest: address(18) }
}

fn word(event: &Bytes, at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&event[at..at + 4]);
    u32::from_ne_bytes(bytes)
}

/// Everybody who is connected.
const SUBSCRIBERS: Address = Address { client: 254, port: 253 };
const NOTE_ON: u8 = 6;
const NOTE_OFF: u8 = 7;
const KEY_PRESSURE: u8 = 8;
const CONTROLLER: u8 = 10;
const PROGRAM: u8 = 11;
const CHANNEL_PRESSURE: u8 = 12;
const BEND: u8 = 13;
const CLIENT_EXIT: u8 = 61;
const SYSEX: u8 = 130;
const PORT_EXIT: u8 = 65;
const SUBSCRIBED: u8 = 66;
const UNSUBSCRIBED: u8 = 67;

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::midi::Parser;
    use proptest::prelude::*;

    #[test]
    #[cfg(target_endian = "little")]
    fn a_note_on_is_laid_out_as_the_kernel_reads_it() {
        let note = Message::NoteOn {
            channel: Channel::new(10).unwrap(),
            note: U7::from_byte(60),
            velocity: U7::from_byte(100),
        };
        let event = [
            6, 0, 0, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 254, 253, // to subscribers, directly
            9, 60, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ];
        assert_eq!(carrying(note, 2), Some(event));
        assert_eq!(starting(3)[..17], [30, 0, 0, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn an_event_of_the_kernel_is_read_with_its_stamp() {
        let bend = [
            13, 1, 0, 4, 2, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 24, 0, 130, 1, // 2.001 s, to port 1
            15, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
        ];
        assert_eq!(stamp(&bend), Some(Nanos(2_001_000_000)));
        assert_eq!(destination(&bend), 1);
        let [lsb, msb] = [127, 63].map(U7::from_byte);
        let channel = Channel::new(16).unwrap();
        assert_eq!(brought(&bend), Brought::Message(Message::PitchBend { channel, lsb, msb }));
    }

    #[test]
    fn an_event_without_a_real_time_is_not_stamped() {
        assert_eq!(stamp(&[0; EVENT_BYTES]), None);
        let mut ticks = [0; EVENT_BYTES];
        ticks[4] = 7;
        assert_eq!(stamp(&ticks), None);
    }

    #[test]
    fn who_leaves_is_told() {
        let mut event = [0; EVENT_BYTES];
        (event[0], event[16], event[17]) = (PORT_EXIT, 24, 1);
        assert_eq!(brought(&event), Brought::PortGone(Address { client: 24, port: 1 }));
        (event[18], event[19]) = (128, 2);
        let pair = [(24, 1), (128, 2)].map(|(client, port)| Address { client, port });
        event[0] = UNSUBSCRIBED;
        assert_eq!(brought(&event), Brought::Parted(Link { sender: pair[0], dest: pair[1] }));
        event[0] = CLIENT_EXIT;
        assert_eq!(brought(&event), Brought::ClientGone(24));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn every_channel_message_survives_the_way_there_and_back(
            status in 0x80u8..0xf0, first in 0u8..128, second in 0u8..128, source in any::<u8>()
        ) {
            let mut parser = Parser::new();
            let message = [status, first, second].into_iter().find_map(|byte| parser.push(byte)).unwrap();
            let event = carrying(message, source).unwrap();
            prop_assert_eq!(brought(&event), Brought::Message(message));
        }

        #[test]
        fn any_bytes_at_all_are_read_without_a_fault(bytes in proptest::collection::vec(any::<u8>(), EVENT_BYTES)) {
            let event: Bytes = bytes.try_into().unwrap();
            let _ = (brought(&event), stamp(&event), destination(&event));
        }
    }
}
