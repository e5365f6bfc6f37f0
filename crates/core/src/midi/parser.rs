//! [`Parser`]: bytes as they come off a wire, into messages.
//!
//! It accepts every byte in every state: what belongs to no message is counted
//! and passed over, because a loose cable must never end a trial. Running status
//! is understood, and real-time bytes may stand between any two others. System
//! exclusive messages are handed over in parts, which whoever wants them takes.
//!
//! Real-time contract: no allocation, no loop, no panic; a few comparisons a byte.

use crate::midi::{MOST_SYSEX_BYTES, Message, SysexPart, U7};

/// What a parser counted. Every byte pushed stands in exactly one of
/// `message_bytes`, `realtime_bytes`, `sysex_bytes` and `invalid_bytes`, or is
/// still pending (see [`Parser::pending`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParserCounts {
    /// Bytes of complete channel and system common messages.
    pub message_bytes: u64,
    /// Real-time bytes (0xF8..=0xFF), active sensing included.
    pub realtime_bytes: u64,
    /// Active sensing alone (0xFE).
    pub active_sensing: u64,
    /// Bytes of system exclusive messages, with their first and last.
    pub sysex_bytes: u64,
    /// System exclusive messages begun.
    pub sysex_messages: u64,
    /// System exclusive messages that another status byte cut short.
    pub sysex_truncated: u64,
    /// Bytes of theirs that stand behind the first [`MOST_SYSEX_BYTES`] of a message, and so
    /// in no part.
    pub sysex_beyond: u64,
    /// Bytes that belong to no complete message.
    pub invalid_bytes: u64,
    /// Messages that another status byte cut short.
    pub truncated: u64,
}

/// Turns bytes into messages, one byte at a time.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    state: State,
    data: [U7; 2],
    have: u8,                 // data bytes of the message under way, in 0..=1
    fresh: bool,              // the status byte has not yet made a message
    part: SysexPart,          // the one under way
    whole: Option<SysexPart>, // the one to be taken
    length: u64,              // of the system exclusive message under way
    counts: ParserCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No status to hang a data byte on.
    #[default]
    Idle,
    /// Under this status byte.
    Status(u8),
    /// Inside a system exclusive message.
    Exclusive,
}

impl Parser {
    /// A parser that has seen nothing.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Takes one byte; gives the message that it completes, if any. Real-time
    /// bytes are messages of their own.
    pub fn push(&mut self, byte: u8) -> Option<Message> {
        self.whole = None;
        match byte {
            0xf8..=0xff => self.realtime(byte),
            0xf0 => self.begin_exclusive(),
            0xf7 => self.end_exclusive(),
            0x80.. => self.status(byte),
            _ => self.data(U7::from_byte(byte)),
        }
    }

    /// The part of a system exclusive message that the last byte completed, or cut short; it
    /// stood before the message that the byte gave. It is there until the next byte.
    pub fn take_sysex(&mut self) -> Option<SysexPart> {
        self.whole.take()
    }

    /// What was counted so far.
    pub fn counts(&self) -> ParserCounts {
        self.counts
    }

    /// Bytes of a message that is not yet complete, 0 to 2.
    pub fn pending(&self) -> u64 {
        u64::from(self.have) + u64::from(self.fresh)
    }

    /// Forgets a message under way and the running status, as after a break in
    /// the stream; its bytes are counted as invalid.
    pub fn reset(&mut self) {
        self.cut_short();
        self.state = State::Idle;
    }

    fn realtime(&mut self, byte: u8) -> Option<Message> {
        self.counts.realtime_bytes += 1;
        self.counts.active_sensing += u64::from(byte == 0xfe);
        Some(Message::RealTime(byte))
    }

    fn begin_exclusive(&mut self) -> Option<Message> {
        self.cut_short();
        self.state = State::Exclusive;
        self.counts.sysex_messages += 1;
        self.length = 0;
        self.add_exclusive(0xf0);
        None
    }

    fn end_exclusive(&mut self) -> Option<Message> {
        if self.state == State::Exclusive {
            self.add_exclusive(0xf7);
            self.hand_over();
        } else {
            self.cut_short();
            self.counts.invalid_bytes += 1;
        }
        self.state = State::Idle;
        None
    }

    /// A byte of the system exclusive message under way; a part that is full is handed over.
    fn add_exclusive(&mut self, byte: u8) {
        self.counts.sysex_bytes += 1;
        self.length += 1;
        if self.length > MOST_SYSEX_BYTES {
            self.counts.sysex_beyond += 1;
            return;
        }
        self.part.push(byte);
        if self.part.is_full() {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        if !self.part.is_empty() {
            self.whole = Some(std::mem::take(&mut self.part));
        }
    }

    fn status(&mut self, byte: u8) -> Option<Message> {
        self.cut_short();
        self.state = State::Status(byte);
        self.fresh = true;
        self.data = [U7::ZERO; 2]; // system common carries its unused data as 0
        if Message::data_bytes(byte) == 0 { self.complete(byte) } else { None }
    }

    fn data(&mut self, value: U7) -> Option<Message> {
        match self.state {
            State::Idle => self.counts.invalid_bytes += 1,
            State::Exclusive => self.add_exclusive(value.get()),
            State::Status(status) if usize::from(self.have) + 1 < Message::data_bytes(status) => {
                self.data[0] = value;
                self.have = 1;
            }
            State::Status(status) => {
                self.data[usize::from(self.have)] = value; // have is 0 or 1
                self.have += 1;
                return self.complete(status);
            }
        }
        None
    }

    /// A message is whole. Its status goes on running only for channel messages.
    fn complete(&mut self, status: u8) -> Option<Message> {
        self.counts.message_bytes += self.pending();
        (self.have, self.fresh) = (0, false);
        if status >= 0xf0 {
            self.state = State::Idle;
        }
        Message::decode(status, self.data)
    }

    /// Another status came before the message was whole.
    fn cut_short(&mut self) {
        self.counts.truncated += u64::from(self.pending() > 0);
        self.counts.invalid_bytes += self.pending();
        if self.state == State::Exclusive {
            self.counts.sysex_truncated += 1;
            self.hand_over();
        }
        (self.have, self.fresh) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> (Vec<Message>, ParserCounts) {
        let mut parser = Parser::new();
        let messages = bytes.iter().filter_map(|&byte| parser.push(byte)).collect();
        (messages, parser.counts())
    }

    fn message(bytes: [u8; 3]) -> Message {
        Message::decode(bytes[0], [U7::from_byte(bytes[1]), U7::from_byte(bytes[2])]).unwrap()
    }

    #[test]
    fn running_status_and_velocity_zero_are_understood() {
        let (messages, counts) = parse(&[0x90, 60, 100, 60, 0, 64, 90]);
        let expected = [[0x90, 60, 100], [0x90, 60, 0], [0x90, 64, 90]].map(message);
        assert_eq!(messages, expected);
        assert_eq!(counts.message_bytes, 7);
    }

    #[test]
    fn real_time_bytes_stand_between_any_two_others() {
        let (messages, counts) = parse(&[0x90, 0xf8, 60, 0xfe, 100, 0xf0, 1, 0xf8, 2, 0xf7]);
        assert_eq!(messages.len(), 4);
        assert_eq!(messages[2], message([0x90, 60, 100]));
        assert_eq!((counts.realtime_bytes, counts.active_sensing), (3, 1));
        assert_eq!((counts.sysex_bytes, counts.invalid_bytes), (4, 0));
    }

    #[test]
    fn system_exclusive_ends_running_status() {
        let (messages, counts) = parse(&[0x90, 60, 100, 0xf0, 5, 0xf7, 61, 100]);
        assert_eq!(messages.len(), 1);
        assert_eq!((counts.sysex_messages, counts.invalid_bytes), (1, 2));
    }

    #[test]
    fn a_status_byte_cuts_short_what_was_under_way() {
        let (messages, counts) = parse(&[0x90, 60, 0x80, 60, 64, 0xf0, 1, 2, 0x90, 61, 100]);
        assert_eq!(messages, [message([0x80, 60, 64]), message([0x90, 61, 100])]);
        assert_eq!((counts.truncated, counts.invalid_bytes), (1, 2));
        assert_eq!((counts.sysex_truncated, counts.sysex_bytes), (1, 3));
    }

    /// The parts that came, and among them the other messages, all as bytes.
    fn heard(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut parser = Parser::new();
        let mut all = Vec::new();
        for &byte in bytes {
            let message = parser.push(byte);
            let part = parser.take_sysex().map(Message::Sysex);
            all.extend(part.into_iter().chain(message).map(Message::bytes));
        }
        all.iter().map(|(bytes, len)| bytes[..*len].to_vec()).collect()
    }

    #[test]
    fn a_system_exclusive_message_comes_in_parts_of_sixteen_bytes() {
        let mut long = vec![0xf0];
        long.extend(1..=40);
        long.push(0xf7);
        let parts: Vec<Vec<u8>> = long.chunks(16).map(<[u8]>::to_vec).collect();
        assert_eq!(heard(&long), parts);
        assert_eq!(heard(&[0xf0, 0x7e, 9, 1, 0xf7]), [[0xf0, 0x7e, 9, 1, 0xf7]]);
    }

    #[test]
    fn one_that_fills_its_part_leaves_no_empty_part_behind() {
        let mut full = vec![0xf0; 1];
        full.extend([7; 14]);
        full.extend([0xf7, 0x90, 60, 100]);
        assert_eq!(heard(&full), [full[..16].to_vec(), vec![0x90, 60, 100]]);
    }

    #[test]
    fn real_time_bytes_within_a_part_come_before_it() {
        let all = heard(&[0xf0, 1, 0xf8, 2, 0xf7]);
        assert_eq!(all, [vec![0xf8], vec![0xf0, 1, 2, 0xf7]]);
    }

    #[test]
    fn a_status_byte_hands_over_what_it_cuts_short_and_then_its_own_message() {
        assert_eq!(heard(&[0xf0, 1, 2, 0xf6]), [vec![0xf0, 1, 2], vec![0xf6]]);
        assert_eq!(heard(&[0xf0, 1, 0xf0, 2, 0xf7]), [vec![0xf0, 1], vec![0xf0, 2, 0xf7]]);
    }

    #[test]
    fn of_an_unfinished_message_the_full_parts_are_handed_over() {
        assert!(heard(&[0xf0, 1, 2, 3]).is_empty());
        let mut parser = Parser::new();
        let mut parts = 0;
        for byte in std::iter::once(0xf0).chain(std::iter::repeat_n(5, 40)) {
            parser.push(byte);
            parts += usize::from(parser.take_sysex().is_some());
        }
        assert_eq!((parts, parser.counts().sysex_bytes), (2, 41));
        parser.reset(); // as after a break in the stream
        assert_eq!(parser.take_sysex().unwrap().bytes(), [5; 9]);
    }

    #[test]
    fn what_is_beyond_the_longest_message_is_counted_and_the_next_is_whole() {
        let mut endless = vec![0xf0];
        endless.extend([1; 5_000]);
        endless.push(0xf7);
        endless.extend([0xf0, 2, 0xf7]);
        let all = heard(&endless);
        assert_eq!(all[..256].concat(), endless[..4_096]);
        assert_eq!(all[256..], [[0xf0, 2, 0xf7]]);
        assert_eq!(parse(&endless).1.sysex_beyond, 5_002 - 4_096);
    }

    #[test]
    fn a_truncated_message_under_running_status_loses_its_data_alone() {
        let (messages, counts) = parse(&[0x90, 60, 100, 61, 0x90, 62, 100]);
        assert_eq!(messages.len(), 2);
        assert_eq!((counts.truncated, counts.invalid_bytes), (1, 1));
    }

    #[test]
    fn system_common_is_handed_on_and_does_not_run() {
        let (messages, counts) = parse(&[0xf2, 1, 2, 3, 0xf6, 0xf3, 4, 0xf7]);
        assert_eq!(messages.len(), 3);
        assert_eq!(counts.invalid_bytes, 2);
    }
}
