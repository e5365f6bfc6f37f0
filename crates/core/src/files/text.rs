//! [`text_of`]: bytes as text, or where they are none. An editor or a spreadsheet may have saved a
//! table in an encoding of its own, and a damaged disk may have changed a byte: what the system
//! says of either names no place.

use std::fmt;
use std::io;

/// The first byte of a file that is no UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// The line that it stands in, from 1.
    pub line: usize,
    /// Its place in the file, from 0.
    pub offset: usize,
    pub byte: u8,
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is not UTF-8 text: byte 0x{:02x} at offset {}", self.byte, self.offset)
    }
}

impl std::error::Error for NotUtf8 {}

impl NotUtf8 {
    /// The place, where it is why a file could not be read.
    pub fn of(error: &io::Error) -> Option<NotUtf8> {
        error.get_ref()?.downcast_ref().copied()
    }
}

/// Bytes as text.
///
/// # Errors
/// [`NotUtf8`], as the reason of an error of the kind [`io::ErrorKind::InvalidData`].
pub fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let (offset, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = 1 + bytes[..offset].iter().filter(|byte| **byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, NotUtf8 { line, offset, byte: bytes[offset] })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_is_no_text_is_named_with_its_line() {
        assert_eq!(text_of("onset\n1 \u{b5}s\n".into()).unwrap(), "onset\n1 \u{b5}s\n");
        let found = |bytes: &[u8]| NotUtf8::of(&text_of(bytes.to_vec()).unwrap_err()).unwrap();
        assert_eq!(found(b"\xff\xfeo\0"), NotUtf8 { line: 1, offset: 0, byte: 0xff });
        assert_eq!(found(b"onset\n1\n\xb5s\n"), NotUtf8 { line: 3, offset: 8, byte: 0xb5 });
        assert_eq!(found(b"cut \xe2\x82").offset, 4, "also where a character is cut off");
        let said = found(b"\xff").to_string();
        assert_eq!(said, "this is not UTF-8 text: byte 0xff at offset 0");
        assert_eq!(NotUtf8::of(&io::ErrorKind::NotFound.into()), None);
    }
}
