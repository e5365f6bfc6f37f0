//! Laws of the parser and the writer: whatever comes is taken, every byte is
//! accounted for, and what was written is read again.

use chronotap_core::midi::{
    MOST_SYSEX_BYTES, Message, Parser, SYSEX_PART_BYTES, StreamWriter, SysexPart, U7,
};
use proptest::prelude::*;

fn any_message() -> impl Strategy<Value = Message> {
    let status = prop_oneof![0x80u8..=0xef, 0x90u8..=0x91, 0xf1u8..=0xf6, 0xf8u8..=0xff];
    (status, 0u8..=127, 0u8..=127).prop_map(|(status, a, b)| {
        let used = Message::data_bytes(status);
        let data = [if used > 0 { a } else { 0 }, if used > 1 { b } else { 0 }];
        Message::decode(status, data.map(U7::from_byte)).expect("a status byte")
    })
}

fn written(messages: &[Message], mut writer: StreamWriter) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        let (three, len) = writer.encode(*message);
        bytes.extend_from_slice(&three[..len]);
    }
    bytes
}

fn parsed(bytes: &[u8]) -> Vec<Message> {
    let mut parser = Parser::new();
    let messages = bytes.iter().filter_map(|&byte| parser.push(byte)).collect();
    assert_eq!(parser.pending(), 0);
    messages
}

fn on_the_wire(messages: &[Message]) -> Vec<Vec<u8>> {
    messages.iter().map(|m| m.encode()).map(|(bytes, len)| bytes[..len].to_vec()).collect()
}

fn without_realtime(messages: &[Message]) -> Vec<Vec<u8>> {
    on_the_wire(messages).into_iter().filter(|bytes| bytes[0] < 0xf8).collect()
}

/// The bytes that belong to system exclusive messages, by a rule of its own: from 0xF0 to 0xF7
/// or to the status byte that cuts it short, real-time bytes left out.
fn exclusive(bytes: &[u8]) -> Vec<u8> {
    let (mut held, mut within) = (Vec::new(), false);
    for &byte in bytes.iter().filter(|byte| **byte < 0xf8) {
        let belongs = byte == 0xf0 || (within && (byte < 0x80 || byte == 0xf7));
        within = belongs && byte != 0xf7;
        held.extend(belongs.then_some(byte));
    }
    held
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_bytes_are_taken_and_every_one_is_accounted_for(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut parser = Parser::new();
        for byte in &bytes {
            parser.push(*byte);
        }
        let c = parser.counts();
        let sum = c.message_bytes + c.realtime_bytes + c.sysex_bytes + c.invalid_bytes + parser.pending();
        prop_assert_eq!(sum, bytes.len() as u64);
    }

    #[test]
    fn what_was_written_is_read_again(messages in prop::collection::vec(any_message(), 0..60)) {
        for writer in [StreamWriter::full(), StreamWriter::running_status()] {
            prop_assert_eq!(on_the_wire(&parsed(&written(&messages, writer))), on_the_wire(&messages));
        }
    }

    #[test]
    fn real_time_bytes_injected_anywhere_change_nothing_else(
        messages in prop::collection::vec(any_message(), 0..40),
        injected in prop::collection::vec((0usize..160, 0xf8u8..=0xff), 0..20),
    ) {
        for writer in [StreamWriter::full(), StreamWriter::running_status()] {
            let mut bytes = written(&messages, writer);
            for (place, byte) in &injected {
                bytes.insert(place % (bytes.len() + 1), *byte);
            }
            prop_assert_eq!(without_realtime(&parsed(&bytes)), without_realtime(&messages));
        }
    }

    #[test]
    fn the_parts_of_any_stream_hold_every_system_exclusive_byte_once_and_in_order(
        bytes in prop::collection::vec(prop_oneof![Just(0xf0u8), Just(0xf7), any::<u8>(), 0u8..128, 0u8..128], 0..400)
    ) {
        let (mut parser, mut parts) = (Parser::new(), Vec::new());
        for byte in &bytes {
            parser.push(*byte);
            parts.extend(parser.take_sysex());
        }
        parser.reset();
        parts.extend(parser.take_sysex());
        let held: Vec<u8> = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
        prop_assert_eq!(&held, &exclusive(&bytes));
        prop_assert_eq!(held.len() as u64, parser.counts().sysex_bytes);
        for part in parts {
            prop_assert_eq!(SysexPart::new(part.bytes()), Some(part));
        }
    }

    #[test]
    fn a_message_of_any_length_comes_whole_up_to_the_longest(length in 0usize..6_000) {
        let data = (0..length).map(|at| (at % 128) as u8);
        let bytes: Vec<u8> = std::iter::once(0xf0).chain(data).chain([0xf7]).collect();
        let (mut parser, mut held) = (Parser::new(), Vec::new());
        for byte in &bytes {
            parser.push(*byte);
            let part = parser.take_sysex();
            prop_assert!(part.is_none_or(|part| part.bytes().len() <= SYSEX_PART_BYTES));
            held.extend(part.iter().flat_map(|part| part.bytes().to_vec()));
        }
        let whole = bytes.len().min(MOST_SYSEX_BYTES as usize);
        prop_assert_eq!(&held[..], &bytes[..whole]);
        prop_assert_eq!(parser.counts().sysex_beyond, (bytes.len() - whole) as u64);
    }

    #[test]
    fn after_any_noise_the_next_full_message_is_heard(
        noise in prop::collection::vec(any::<u8>(), 0..40),
        message in any_message(),
    ) {
        let mut parser = Parser::new();
        for byte in noise {
            parser.push(byte);
        }
        let (bytes, len) = message.encode();
        let heard: Vec<Message> = bytes[..len].iter().filter_map(|&byte| parser.push(byte)).collect();
        prop_assert_eq!(on_the_wire(&heard), on_the_wire(&[message]));
    }
}
