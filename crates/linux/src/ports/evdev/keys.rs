//! [`Keys`]: which key plays which note. By default every key and button plays one
//! of its own; a list names a few keys and leaves the others silent.
//!
//! The default table: a key with Linux key code 1 to 127 plays the note of its code
//! on channel 1; a button with code 0x100 to 0x17f (response boxes, joysticks,
//! mice) the note of its code less 0x100 on channel 2. No two share a note. Codes
//! outside, mostly media keys, play nothing.

use chronotap_core::midi::{Channel, Message, U7};
use std::fmt;

/// What the MIDI standard has devices send that do not sense velocity.
const VELOCITY: u8 = 64;

/// Which key plays which note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Keys {
    listed: Vec<(u16, u8)>, // key code and note; empty: the default table
}

/// Names of keys by their codes in `linux/input-event-codes.h`, without `KEY_`.
#[rustfmt::skip] // as a table
const NAMES: [(&str, u16); 112] = [
    ("ESC", 1), ("1", 2), ("2", 3), ("3", 4), ("4", 5), ("5", 6), ("6", 7), ("7", 8), ("8", 9),
    ("9", 10), ("0", 11), ("MINUS", 12), ("EQUAL", 13), ("BACKSPACE", 14), ("TAB", 15), ("Q", 16),
    ("W", 17), ("E", 18), ("R", 19), ("T", 20), ("Y", 21), ("U", 22), ("I", 23), ("O", 24),
    ("P", 25), ("LEFTBRACE", 26), ("RIGHTBRACE", 27), ("ENTER", 28), ("LEFTCTRL", 29), ("A", 30),
    ("S", 31), ("D", 32), ("F", 33), ("G", 34), ("H", 35), ("J", 36), ("K", 37), ("L", 38),
    ("SEMICOLON", 39), ("APOSTROPHE", 40), ("GRAVE", 41), ("LEFTSHIFT", 42), ("BACKSLASH", 43),
    ("Z", 44), ("X", 45), ("C", 46), ("V", 47), ("B", 48), ("N", 49), ("M", 50), ("COMMA", 51),
    ("DOT", 52), ("SLASH", 53), ("RIGHTSHIFT", 54), ("KPASTERISK", 55), ("LEFTALT", 56),
    ("SPACE", 57), ("CAPSLOCK", 58), ("F1", 59), ("F2", 60), ("F3", 61), ("F4", 62), ("F5", 63),
    ("F6", 64), ("F7", 65), ("F8", 66), ("F9", 67), ("F10", 68), ("NUMLOCK", 69),
    ("SCROLLLOCK", 70), ("KP7", 71), ("KP8", 72), ("KP9", 73), ("KPMINUS", 74), ("KP4", 75),
    ("KP5", 76), ("KP6", 77), ("KPPLUS", 78), ("KP1", 79), ("KP2", 80), ("KP3", 81), ("KP0", 82),
    ("KPDOT", 83), ("F11", 87), ("F12", 88), ("KPENTER", 96), ("RIGHTCTRL", 97), ("KPSLASH", 98),
    ("RIGHTALT", 100), ("HOME", 102), ("UP", 103), ("PAGEUP", 104), ("LEFT", 105), ("RIGHT", 106),
    ("END", 107), ("DOWN", 108), ("PAGEDOWN", 109), ("INSERT", 110), ("DELETE", 111),
    ("BTN_0", 0x100), ("BTN_1", 0x101), ("BTN_2", 0x102), ("BTN_3", 0x103), ("BTN_4", 0x104),
    ("BTN_5", 0x105), ("BTN_6", 0x106), ("BTN_7", 0x107), ("BTN_8", 0x108), ("BTN_9", 0x109),
    ("BTN_LEFT", 0x110), ("BTN_RIGHT", 0x111), ("BTN_MIDDLE", 0x112),
];

/// The list of all keys that type a character.
const ASCII: &str = "ascii";

/// What keys type whose name is not the character itself.
#[rustfmt::skip] // as a table
const TYPED: [(&str, u8); 16] = [
    ("SPACE", b' '), ("ENTER", b'\n'), ("TAB", b'\t'), ("ESC", 0x1b), ("BACKSPACE", 0x7f),
    ("MINUS", b'-'), ("EQUAL", b'='), ("LEFTBRACE", b'['), ("RIGHTBRACE", b']'), ("SEMICOLON", b';'),
    ("APOSTROPHE", b'\''), ("GRAVE", b'`'), ("BACKSLASH", b'\\'), ("COMMA", b','), ("DOT", b'.'),
    ("SLASH", b'/'),
];

impl Keys {
    /// Each key plays the code of the character that it types on a US keyboard, as a terminal's
    /// keyboard does (`keys:`).
    pub(crate) fn ascii() -> Keys {
        let typed = |(name, key): &(&str, u16)| Some((*key, character(name)?));
        Keys { listed: NAMES.iter().filter_map(typed).collect() }
    }

    /// Reads `SPACE:60,ENTER:62`, or `ascii`; a key may be given by its code.
    ///
    /// # Errors
    /// The part that was not understood.
    pub(crate) fn parse(text: &str) -> Result<Keys, String> {
        if text == ASCII {
            return Ok(Keys::ascii());
        }
        let parse = |part: &str| {
            let (key, note) = part.split_once(':')?;
            let note = note.parse().ok().filter(|note| *note < 128)?;
            Some((code(key)?, note))
        };
        let listed = text.split(',').map(|part| parse(part).ok_or_else(|| part.to_owned()));
        let listed: Vec<(u16, u8)> = listed.collect::<Result<_, _>>()?;
        for (i, (key, note)) in listed.iter().enumerate() {
            if listed[..i].iter().any(|(other, same)| other == key || same == note) {
                return Err(format!("{}:{note} (a key or note given twice)", name(*key)));
            }
        }
        Ok(Keys { listed })
    }

    /// The message of a press or release of a key; `None` where it plays nothing.
    pub(crate) fn message(&self, code: u16, press: bool) -> Option<Message> {
        let (channel, note) = self.note(code)?;
        let (note, velocity) = (U7::from_byte(note), U7::from_byte(VELOCITY));
        Some(if press {
            Message::NoteOn { channel, note, velocity }
        } else {
            Message::NoteOff { channel, note, velocity }
        })
    }

    fn note(&self, code: u16) -> Option<(Channel, u8)> {
        if !self.listed.is_empty() {
            let listed = self.listed.iter().find(|(key, _)| *key == code)?;
            return Some((Channel::ONE, listed.1));
        }
        match code {
            1..=0x7f => Some((Channel::ONE, code as u8)),
            0x100..=0x17f => Some((Channel::new(2)?, (code - 0x100) as u8)),
            _ => None,
        }
    }
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Keys::ascii() {
            return f.write_str(ASCII);
        }
        for (i, (key, note)) in self.listed.iter().enumerate() {
            write!(f, "{}{}:{note}", if i > 0 { "," } else { "" }, name(*key))?;
        }
        Ok(())
    }
}

/// The code of a key: a name of the table, with or without `KEY_`, or `#` and the code.
fn code(text: &str) -> Option<u16> {
    if let Some(code) = text.strip_prefix('#') {
        return code.parse().ok().filter(|code| *code < 768);
    }
    let upper = text.to_ascii_uppercase();
    let wanted = upper.strip_prefix("KEY_").unwrap_or(&upper);
    NAMES.iter().find(|(name, _)| *name == wanted).map(|(_, code)| *code)
}

/// The character that a key types, as a terminal tells it.
fn character(name: &str) -> Option<u8> {
    if let [one] = name.as_bytes() {
        return Some(one.to_ascii_lowercase());
    }
    TYPED.iter().find(|(other, _)| *other == name).map(|(_, typed)| *typed)
}

fn name(code: u16) -> String {
    let named = NAMES.iter().find(|(_, other)| *other == code);
    named.map_or_else(|| format!("#{code}"), |(name, _)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_no_two_keys_share_a_note() {
        let keys = Keys::default();
        let mut notes: Vec<_> =
            (0..768).filter_map(|code| keys.note(code)).map(|(c, n)| (c.index(), n)).collect();
        assert_eq!(notes.len(), 127 + 128);
        notes.sort_unstable();
        notes.dedup();
        assert_eq!(notes.len(), 127 + 128);
    }

    #[test]
    fn a_list_leaves_other_keys_silent_and_reads_back() {
        let keys = Keys::parse("space:60,KEY_ENTER:62,#300:64").unwrap();
        assert_eq!(keys.to_string(), "SPACE:60,ENTER:62,#300:64");
        assert_eq!(keys.note(57), Some((Channel::ONE, 60)));
        assert_eq!(keys.note(30), None);
        let typed = Keys::parse("ascii").unwrap();
        assert_eq!(typed.to_string(), "ascii");
        let notes = [57, 30, 11, 28].map(|code| typed.note(code).map(|(_, note)| note));
        assert_eq!(notes, [Some(32), Some(97), Some(48), Some(10)], "as keys: says of a terminal");
        for wrong in ["", "SPACE", "SPACE:128", "SPAC:60", "A:60,B:60", "A:60,A:61"] {
            assert!(Keys::parse(wrong).is_err(), "{wrong}");
        }
    }
}
