//! Laws of the parser and the writer: whatever comes is taken, every byte is
//! accounted for, and what was written is read again.

use chronotap_midi::{Message, Parser, StreamWriter, U7};
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
