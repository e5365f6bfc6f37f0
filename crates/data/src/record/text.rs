//! Text of tables, written into one byte buffer without `fmt`: a whole experiment
//! in virtual time writes half a million rows, and this is most of that work. And
//! the same text read back.
//!
//! A cell never holds a tab, a line break or a quotation mark, so any program can
//! split lines at tabs. Names that hold them are written with a backslash:
//! `\t \n \r \" \\`, other control characters as `\u` and four hex digits. An empty
//! name is `\-`, and a name that reads `n/a` is `n\/a`.

use crate::record::digits::{digits, put_digits};
use chronotap_core::midi::{Message, SYSEX_PART_BYTES, SysexPart, U7};
use chronotap_core::time::Nanos;
use std::borrow::Cow;

/// What stands for a missing value.
pub const MISSING: &str = "n/a";

const SECOND: u64 = 1_000_000_000;

/// Appends a number in decimal.
pub fn put_u64(out: &mut Vec<u8>, value: u64) {
    put_digits(out, value);
}

/// Appends a signed number in decimal.
pub fn put_i64(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    put_u64(out, value.unsigned_abs());
}

/// Appends seconds with nine decimals, exactly.
pub fn put_seconds(out: &mut Vec<u8>, time: Nanos) {
    if time.0 < 0 {
        out.push(b'-');
    }
    let ns = time.0.unsigned_abs();
    put_u64(out, ns / SECOND);
    let mut decimals = *b".000000000";
    let mut rest = ns % SECOND;
    for digit in decimals[1..].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&decimals);
}

/// Appends the bytes of a message, as `90 3c 64`.
pub fn put_message(out: &mut Vec<u8>, message: Message) {
    let (bytes, len) = message.bytes();
    for (i, byte) in bytes.iter().take(len).enumerate() {
        if i > 0 {
            out.push(b' ');
        }
        put_hex(out, u32::from(*byte), 2);
    }
}

/// Appends the low `digits` hexadecimal digits of a number.
pub fn put_hex(out: &mut Vec<u8>, value: u32, digits: u32) {
    for place in (0..digits).rev() {
        out.push(b"0123456789abcdef"[(value >> (4 * place) & 15) as usize]);
    }
}

/// Appends a name, with what a cell must not hold written otherwise.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    match text {
        "" => out.extend_from_slice(b"\\-"),
        MISSING => out.extend_from_slice(b"n\\/a"),
        // Looking at all bytes, and not only up to the first, is what a processor does at once.
        _ if !text.bytes().fold(false, |any, byte| any | is_escaped(byte)) => {
            out.extend_from_slice(text.as_bytes());
        }
        _ => text.bytes().for_each(|byte| put_text_byte(out, byte)),
    }
}

fn is_escaped(byte: u8) -> bool {
    matches!(byte, 0..=31 | 127 | b'"' | b'\\')
}

fn put_text_byte(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'\t' => out.extend_from_slice(b"\\t"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
        0..=31 | 127 => {
            out.extend_from_slice(b"\\u");
            put_hex(out, u32::from(byte), 4);
        }
        _ => out.push(byte),
    }
}

/// The name that [`put_text`] wrote; `None` where a backslash stands wrongly.
pub fn parse_text(cell: &str) -> Option<String> {
    borrow_text(cell).map(Cow::into_owned)
}

/// The same, borrowed where it stands in the cell as it is.
pub(crate) fn borrow_text(cell: &str) -> Option<Cow<'_, str>> {
    if !cell.as_bytes().contains(&b'\\') {
        return Some(Cow::Borrowed(cell));
    }
    let mut text = String::with_capacity(cell.len());
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next()? {
            '-' => {}
            't' => text.push('\t'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            'u' => text.push(parse_escaped(letters.by_ref().take(4).collect::<String>())?),
            plain @ ('"' | '\\' | '/') => text.push(plain),
            _ => return None,
        }
    }
    Some(Cow::Owned(text))
}

fn parse_escaped(hex: String) -> Option<char> {
    if hex.len() != 4 {
        return None;
    }
    char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
}

/// Seconds with up to nine decimals, exactly; never through a float.
pub fn parse_seconds(cell: &str) -> Option<Nanos> {
    let (negative, digits) = match cell.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, cell),
    };
    if let Some(ns) = nine_decimals(digits.as_bytes()) {
        return Some(Nanos(if negative { -ns } else { ns }));
    }
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) || decimals.len() > 9 {
        return None;
    }
    let fraction = decimals.parse::<i128>().ok()? * 10i128.pow(9 - decimals.len() as u32);
    let ns = whole.parse::<i128>().ok()?.checked_mul(i128::from(SECOND))? + fraction;
    i64::try_from(if negative { -ns } else { ns }).ok().map(Nanos)
}

/// The seconds that [`put_seconds`] writes, up to three hundred years of them.
fn nine_decimals(cell: &[u8]) -> Option<i64> {
    const MOST: u64 = 9_000_000_000;
    let (whole, decimals) = cell.split_at_checked(cell.len().checked_sub(10)?)?;
    let whole = digits(whole).filter(|whole| *whole <= MOST)?;
    let ns = whole * SECOND + digits(decimals.strip_prefix(b".")?)?;
    i64::try_from(ns).ok()
}

/// The message whose bytes [`put_message`] wrote.
pub fn parse_message(cell: &str) -> Option<Message> {
    let mut bytes = [0u8; SYSEX_PART_BYTES];
    let (len, rest) = ((cell.len() + 1) / 3, (cell.len() + 1) % 3);
    if rest != 0 || len == 0 || len > bytes.len() {
        return None;
    }
    for (byte, cell) in bytes.iter_mut().zip(cell.as_bytes().chunks(3)) {
        *byte = match cell {
            [high, low] | [high, low, b' '] => hex(*high)? << 4 | hex(*low)?,
            _ => return None,
        };
    }
    if let Some(part) = SysexPart::new(&bytes[..len]) {
        return Some(Message::Sysex(part));
    }
    let message = Message::decode(bytes[0], [U7::new(bytes[1])?, U7::new(bytes[2])?])?;
    (len == 1 + Message::data_bytes(bytes[0])).then_some(message)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn put<T>(put: impl Fn(&mut Vec<u8>, T), value: T) -> String {
        let mut out = Vec::new();
        put(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn prop_seconds_are_those_of_the_nanoseconds(ns: i64) {
            let cell = put(put_seconds, Nanos(ns));
            prop_assert_eq!(&cell, &Nanos(ns).to_string());
            prop_assert_eq!(parse_seconds(&cell), Some(Nanos(ns)));
        }

        #[test]
        fn prop_integers_are_written_as_they_are(value: i64) {
            prop_assert_eq!(put(put_i64, value), value.to_string());
        }

        #[test]
        fn prop_any_name_fits_a_cell_and_comes_back(name in any::<String>()) {
            let mut out = Vec::new();
            put_text(&mut out, &name);
            let cell = String::from_utf8(out).unwrap();
            prop_assert!(!cell.contains(['\t', '\n', '\r']) && cell != MISSING && !cell.is_empty());
            prop_assert_eq!(parse_text(&cell), Some(name));
        }

        #[test]
        fn prop_reading_any_cell_never_panics(cell in any::<String>()) {
            let _ = (parse_text(&cell), parse_seconds(&cell), parse_message(&cell));
        }
    }

    #[test]
    fn names_that_look_like_something_else_come_back_as_they_were() {
        for name in ["", "n/a", "\\-", "a\tb", "\"quoted\"", "\u{1b}[0m", "ü"] {
            let mut out = Vec::new();
            put_text(&mut out, name);
            let cell = String::from_utf8(out).unwrap();
            assert_eq!(parse_text(&cell).as_deref(), Some(name), "{cell}");
        }
    }

    #[test]
    fn a_message_is_its_bytes_in_hexadecimal_with_one_space_between() {
        let read = |cell: &str| parse_message(cell).map(|message| put(put_message, message));
        assert_eq!(read("90 3c 64").as_deref(), Some("90 3c 64"));
        assert_eq!(read("C0 0A").as_deref(), Some("c0 0a"));
        for cell in ["", "9", "90", "90 3c", "90 3c 6", "90 3c 64 ", "90 3c 64 00", "903c64"] {
            assert_eq!(read(cell), None, "{cell}");
        }
        for cell in ["90  3c 6", "90 3c-64", "90 3c ü", "+9 3c 64", " 90 3c 64", "90\t3c\t64"] {
            assert_eq!(read(cell), None, "{cell}");
        }
    }

    #[test]
    fn seconds_with_a_tenth_decimal_or_none_at_all_are_refused() {
        for cell in ["1.0000000001", "1.", ".5", "", "-", "1e3", "+1", "nan"] {
            assert_eq!(parse_seconds(cell), None, "{cell}");
        }
        assert_eq!(parse_seconds("-0.5"), Some(Nanos(-500_000_000)));
        assert_eq!(parse_seconds("9223372036.854775808"), None);
        assert_eq!(parse_seconds("-9223372036.854775808"), Some(Nanos(i64::MIN)));
        assert_eq!(parse_seconds("0009223372036.854775807"), Some(Nanos(i64::MAX)));
        for cell in ["1.00000000a", "a.000000000", "-.000000000", "--1.000000000", "1:000000000"] {
            assert_eq!(parse_seconds(cell), None, "{cell}");
        }
    }
}
