//! [`Decoder`]: from the kernel's events to messages. Repeats of a held key are
//! passed over. Where the kernel's buffer overflowed, everything up to the end of
//! that report is void; then the keys that are really down are asked for, and what
//! changed meanwhile is handed over, so that no key hangs.
//!
//! Real-time contract: no allocation; bounded by the bytes at hand.

use super::abi::{EVENT_BYTES, InputEvent, KEY, KeyBits, SYN, SYN_DROPPED, SYN_REPORT};
use super::hold::WayOut;
use super::keys::Keys;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;

/// What has been understood of a device's events.
#[derive(Debug)]
pub(crate) struct Decoder {
    keys: Keys,
    down: KeyBits,
    void: bool,
    /// Whether somebody wants out.
    pub(super) way_out: WayOut,
    /// How often the kernel's buffer ran over.
    pub(crate) overruns: u64,
}

/// What an event came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decoded {
    /// A key was pressed or released, at this time of the device's clock.
    Key(Nanos, Message),
    /// Events were lost; [`Decoder::catch_up`] with the keys that are down now.
    Lost,
}

impl Decoder {
    /// No key is down.
    pub(crate) fn new(keys: Keys) -> Decoder {
        Decoder { keys, down: [0; 96], void: false, way_out: WayOut::default(), overruns: 0 }
    }

    /// Decodes whole events.
    pub(crate) fn decode(&mut self, bytes: &[u8], decoded: &mut impl FnMut(&mut Decoder, Decoded)) {
        for event in bytes.chunks_exact(EVENT_BYTES).filter_map(InputEvent::parse) {
            if let Some(result) = self.event(event) {
                decoded(self, result);
            }
        }
    }

    fn event(&mut self, event: InputEvent) -> Option<Decoded> {
        let InputEvent { at, kind, code, value } = event;
        match (kind, code) {
            (SYN, SYN_DROPPED) => {
                self.void = true;
                self.way_out.forget();
                self.overruns += 1;
                None
            }
            (SYN, SYN_REPORT) if self.void => {
                self.void = false;
                Some(Decoded::Lost)
            }
            (KEY, code) if !self.void => {
                if code == WayOut::ESCAPE {
                    self.way_out.key(at, value);
                }
                let press = value != 0;
                if !self.turn(code, press) {
                    return None; // a repeat, or a release of what was held before
                }
                self.keys.message(code, press).map(|message| Decoded::Key(at, message))
            }
            _ => None,
        }
    }

    /// Takes over which keys are really down; hands over what changed, releases first.
    pub(crate) fn catch_up(&mut self, now_down: &KeyBits, changed: &mut impl FnMut(Message)) {
        for press in [false, true] {
            for code in 0..768u16 {
                let (byte, bit) = (usize::from(code / 8), 1 << (code % 8));
                if (now_down[byte] & bit != 0) == press && self.turn(code, press) {
                    self.keys.message(code, press).into_iter().for_each(&mut *changed);
                }
            }
        }
    }

    /// Whether any key is down, also one that plays nothing.
    pub(super) fn a_key_is_down(&self) -> bool {
        self.down.iter().any(|byte| *byte != 0)
    }

    /// Marks a key as down or up; whether that changed anything.
    fn turn(&mut self, code: u16, press: bool) -> bool {
        let bit = 1u8 << (code % 8);
        let Some(byte) = self.down.get_mut(usize::from(code / 8)) else { return false };
        let changed = (*byte & bit != 0) != press;
        *byte = if press { *byte | bit } else { *byte & !bit };
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::midi::{Channel, U7};
    use proptest::prelude::*;

    fn event(micros: usize, kind: u16, code: u16, value: i32) -> Vec<u8> {
        let mut bytes = 3usize.to_ne_bytes().to_vec();
        bytes.extend(micros.to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(code.to_ne_bytes());
        bytes.extend(value.to_ne_bytes());
        bytes
    }

    fn decode(decoder: &mut Decoder, events: &[Vec<u8>]) -> Vec<Decoded> {
        let mut all = Vec::new();
        decoder.decode(&events.concat(), &mut |_, decoded| all.push(decoded));
        all
    }

    fn note(note: u8, press: bool) -> Message {
        let (channel, note, velocity) = (Channel::ONE, U7::from_byte(note), U7::from_byte(64));
        if press {
            Message::NoteOn { channel, note, velocity }
        } else {
            Message::NoteOff { channel, note, velocity }
        }
    }

    #[test]
    fn a_held_key_is_one_press_and_one_release() {
        let mut decoder = Decoder::new(Keys::parse("SPACE:60").unwrap());
        let all = decode(
            &mut decoder,
            &[
                event(5, 4, 4, 0x7002c), // the scan code that goes with a key
                event(5, KEY, 57, 1),
                event(5, SYN, SYN_REPORT, 0),
                event(6, KEY, 57, 2),
                event(6, SYN, SYN_REPORT, 1),
                event(7, KEY, 57, 0),
                event(7, SYN, SYN_REPORT, 0),
            ],
        );
        let at = |micros: i64| Nanos::from_secs(3) + Nanos::from_micros(micros);
        let expected = [Decoded::Key(at(5), note(60, true)), Decoded::Key(at(7), note(60, false))];
        assert_eq!(all, expected);
    }

    #[test]
    fn after_a_loss_the_keys_are_what_the_kernel_says_they_are() {
        let mut decoder = Decoder::new(Keys::default());
        decode(&mut decoder, &[event(1, KEY, 30, 1), event(1, KEY, 31, 1)]);
        let lost = decode(
            &mut decoder,
            &[event(2, SYN, SYN_DROPPED, 0), event(2, KEY, 32, 1), event(3, SYN, SYN_REPORT, 0)],
        );
        assert_eq!((lost, decoder.overruns), (vec![Decoded::Lost], 1));
        let mut down = [0; 96];
        down[31 / 8] |= 1 << (31 % 8);
        down[33 / 8] |= 1 << (33 % 8);
        let mut changed = Vec::new();
        decoder.catch_up(&down, &mut |message| changed.push(message));
        assert_eq!(changed, [note(30, false), note(33, true)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn prop_presses_and_releases_of_a_key_alternate_whatever_comes(
            events in prop::collection::vec((0..3u16, 0..40u16, -1..4i32), 0..200)
        ) {
            let mut decoder = Decoder::new(Keys::default());
            let bytes: Vec<_> = events.iter().map(|(k, c, v)| event(0, *k, *c, *v)).collect();
            let mut down = [false; 128];
            for decoded in decode(&mut decoder, &bytes) {
                let Decoded::Key(_, message) = decoded else { continue };
                let (note, press) = match message {
                    Message::NoteOn { note, .. } => (note, true),
                    Message::NoteOff { note, .. } => (note, false),
                    _ => unreachable!(),
                };
                let down = &mut down[usize::from(note.get())];
                prop_assert_ne!(*down, press);
                *down = press;
            }
        }
    }
}
