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
    /// What the file is, where its first bytes say so.
    pub what: Option<Foreign>,
}

/// What a file is that is taken for text and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A workbook of a spreadsheet (XLSX, ODS), or another ZIP archive.
    Workbook,
    /// A document of a word processor (DOCX, ODT).
    Document,
    /// A workbook or a document of Office before 2007 (XLS, DOC).
    OldWorkbook,
    /// Text with fonts, as simple word processors save it.
    Rtf,
    /// A page of the web, such as one that asks for a password where a table was to be loaded.
    WebPage,
    /// Variables of MATLAB (MAT, also of version 7.3, which is HDF5).
    Matlab,
    /// A recording of LabRecorder.
    Xdf,
    /// Text, in two bytes a character.
    Utf16,
    /// Compressed by gzip.
    Gzip,
    /// Compressed by xz, bzip2 or Zstandard.
    Compressed,
    Parquet,
    /// Arrow's own form of a table (Feather).
    Arrow,
    /// Data of SPSS (SAV).
    Spss,
    Sqlite,
    /// A recording of sound (WAV, FLAC, Ogg).
    Sound,
    Pdf,
}

impl Foreign {
    /// How files of each kind begin.
    const BEGINNINGS: [(&[u8], Foreign); 21] = [
        (b"PK\x03\x04", Foreign::Workbook),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Foreign::OldWorkbook),
        (b"MATLAB 5.0 MAT-file", Foreign::Matlab),
        (b"MATLAB 7.3 MAT-file", Foreign::Matlab),
        (b"\x89HDF\r\n\x1a\n", Foreign::Matlab),
        (b"XDF:", Foreign::Xdf),
        (b"\xff\xfe", Foreign::Utf16),
        (b"\xfe\xff", Foreign::Utf16),
        (b"\x1f\x8b", Foreign::Gzip),
        (b"\xfd7zXZ\0", Foreign::Compressed),
        (b"BZh91AY&SY", Foreign::Compressed),
        (b"\x28\xb5\x2f\xfd", Foreign::Compressed),
        (b"PAR1", Foreign::Parquet),
        (b"ARROW1", Foreign::Arrow),
        (b"$FL2", Foreign::Spss),
        (b"$FL3", Foreign::Spss),
        (b"SQLite format 3\0", Foreign::Sqlite),
        (b"fLaC\0", Foreign::Sound),
        (b"OggS\0", Foreign::Sound),
        (b"%PDF-", Foreign::Pdf),
        (b"{\\rtf", Foreign::Rtf),
    ];

    /// What a file with these bytes is, where it is none of text in UTF-8.
    pub fn of(bytes: &[u8]) -> Option<Foreign> {
        let known = Foreign::BEGINNINGS.iter().find(|(begins, _)| bytes.starts_with(begins));
        // Letters in two bytes without a mark: every other byte is 0.
        let (two, _) = bytes[..bytes.len().min(64)].as_chunks::<2>();
        let half = |which: usize| {
            two.len() > 1 && two.iter().all(|pair| pair[which] == 0 && pair[1 - which] > 0)
        };
        let wave = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE");
        known
            .map(|(_, what)| *what)
            .map(|what| if is_document(bytes) { Foreign::Document } else { what })
            .or_else(|| is_page(bytes).then_some(Foreign::WebPage))
            .or_else(|| wave.then_some(Foreign::Sound))
            .or_else(|| (half(0) || half(1)).then_some(Foreign::Utf16))
    }
}

/// Whether a ZIP archive is the document of a word processor: by the names of files in it, and what ODF begins with.
fn is_document(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let has = |name: &[u8]| head.windows(name.len()).any(|some| some == name);
    bytes.starts_with(b"PK\x03\x04")
        && (has(b"word/") || has(b"application/vnd.oasis.opendocument.text"))
}

/// Whether this is a page of the web.
fn is_page(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let head = head.trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    ["<!doctype html", "<html"].iter().any(|begins| head.starts_with(begins))
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foreign::Workbook => "a workbook (XLSX, ODS) or another ZIP archive",
            Foreign::Document => "a document of a word processor (DOCX, ODT)",
            Foreign::OldWorkbook => "a workbook or document of old Office (XLS, DOC)",
            Foreign::Rtf => "a text with fonts (RTF)",
            Foreign::WebPage => "a page of the web (HTML)",
            Foreign::Matlab => "a file of variables of MATLAB (MAT)",
            Foreign::Xdf => "a recording in XDF",
            Foreign::Utf16 => "text in UTF-16",
            Foreign::Gzip => "compressed by gzip",
            Foreign::Compressed => "compressed by xz, bzip2 or Zstandard",
            Foreign::Parquet => "a Parquet file",
            Foreign::Arrow => "a table of Arrow (Feather)",
            Foreign::Spss => "a file of data of SPSS (SAV)",
            Foreign::Sqlite => "a database of SQLite",
            Foreign::Sound => "a recording of sound",
            Foreign::Pdf => "a PDF",
        })
    }
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            Some(what) => write!(f, "this is {what}, not text in UTF-8"),
            None => {
                let NotUtf8 { byte, offset, .. } = self;
                write!(f, "this is not UTF-8 text: byte 0x{byte:02x} at offset {offset}")
            }
        }
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
        let what = Foreign::of(bytes);
        let found = NotUtf8 { line, offset, byte: bytes[offset], what };
        io::Error::new(io::ErrorKind::InvalidData, found)
    })
}

/// Bytes of a table as text: in UTF-8, or in UTF-16 behind its mark, as spreadsheets save "Unicode text". Lines that
/// end as on an old Mac (carriage returns alone) end as everywhere else.
///
/// # Errors
/// [`NotUtf8`], as that of [`text_of`]; also where the bytes are valid but begin as those of something else.
pub fn table_text(bytes: Vec<u8>) -> io::Result<String> {
    let word: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => {
            return match Foreign::of(&bytes) {
                Some(what) => Err(none(&bytes, Some(what))),
                None => text_of(bytes).map(lines_that_end),
            };
        }
    };
    let (pairs, odd) = bytes[2..].as_chunks::<2>();
    let letters = char::decode_utf16(pairs.iter().map(|pair| word(*pair)));
    let text = letters.collect::<Result<String, _>>().ok().filter(|_| odd.is_empty());
    text.map(lines_that_end).ok_or_else(|| none(&bytes, Some(Foreign::Utf16)))
}

/// Bytes as text whatever they are, without a byte order mark: as [`table_text`] reads them, and where it cannot, with
/// a sign in the place of each byte that is no UTF-8.
pub fn any_text(bytes: Vec<u8>) -> String {
    let lossy = || lines_that_end(String::from_utf8_lossy(&bytes).into_owned());
    let text = table_text(bytes.clone()).unwrap_or_else(|_| lossy());
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// The same, where no line ends otherwise than by a carriage return.
fn lines_that_end(text: String) -> String {
    if text.contains('\n') { text } else { text.replace('\r', "\n") }
}

fn none(bytes: &[u8], what: Option<Foreign>) -> io::Error {
    let byte = bytes.first().copied().unwrap_or_default();
    io::Error::new(io::ErrorKind::InvalidData, NotUtf8 { line: 1, offset: 0, byte, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_is_no_text_is_named_with_its_line() {
        assert_eq!(text_of("onset\n1 \u{b5}s\n".into()).unwrap(), "onset\n1 \u{b5}s\n");
        let found = |bytes: &[u8]| NotUtf8::of(&text_of(bytes.to_vec()).unwrap_err()).unwrap();
        let what = Some(Foreign::Utf16);
        assert_eq!(found(b"\xff\xfeo\0"), NotUtf8 { line: 1, offset: 0, byte: 0xff, what });
        let byte = NotUtf8 { line: 3, offset: 8, byte: 0xb5, what: None };
        assert_eq!(found(b"onset\n1\n\xb5s\n"), byte);
        assert_eq!(found(b"cut \xe2\x82").offset, 4, "also where a character is cut off");
        let said = found(b"\xff").to_string();
        assert_eq!(said, "this is not UTF-8 text: byte 0xff at offset 0");
        assert_eq!(NotUtf8::of(&io::ErrorKind::NotFound.into()), None);
    }

    #[test]
    fn any_bytes_are_some_text() {
        assert_eq!(any_text(b"\xef\xbb\xbfon\r1\r".to_vec()), "on\n1\n");
        assert_eq!(any_text(b"\xff\xfeo\0n\0".to_vec()), "on");
        assert_eq!(any_text(b"M\xfcller\r1\r".to_vec()), "M\u{fffd}ller\n1\n");
    }

    #[test]
    fn a_table_in_utf_16_is_read_and_what_is_no_table_is_named() {
        let little = b"\xff\xfeo\0n\0\t\0\xb5\0\n\0";
        let big = b"\xfe\xff\0o\0n\0\t\0\xb5\0\n";
        for bytes in [&little[..], big] {
            assert_eq!(table_text(bytes.to_vec()).unwrap(), "on\t\u{b5}\n");
        }
        assert_eq!(table_text(b"on\r1\r2\r".to_vec()).unwrap(), "on\n1\n2\n", "of an old Mac");
        assert_eq!(table_text(b"on\r\n1\r\n".to_vec()).unwrap(), "on\r\n1\r\n");
        let named =
            |bytes: &[u8]| NotUtf8::of(&table_text(bytes.to_vec()).unwrap_err()).unwrap().what;
        assert_eq!(named(b"\xff\xfeo\0n"), Some(Foreign::Utf16), "cut within a letter");
        assert_eq!(named(b"o\0n\0s\0e\0"), Some(Foreign::Utf16), "without its mark");
        assert_eq!(named(b"PK\x03\x04 and text"), Some(Foreign::Workbook));
        assert_eq!(named(b"MATLAB 5.0 MAT-file, Platform"), Some(Foreign::Matlab));
        assert_eq!(named(b"PK\x03\x04\x14\0\x06\0 word/document.xml"), Some(Foreign::Document));
        assert_eq!(named(b"{\\rtf1\\ansi onset"), Some(Foreign::Rtf));
        assert_eq!(named(b"\xef\xbb\xbf\n<!DOCTYPE HTML><p>Log in"), Some(Foreign::WebPage));
        assert_eq!(named(b"XDF:"), Some(Foreign::Xdf));
        assert_eq!(named(b"RIFF\x24\0\0\0WAVEfmt "), Some(Foreign::Sound));
        assert_eq!(named(b"$FL2@(#) SPSS DATA FILE"), Some(Foreign::Spss));
        assert_eq!(named(b"\x28\xb5\x2f\xfd\x04"), Some(Foreign::Compressed));
        assert_eq!(table_text(b"RIFF,BZh\n1,2\n".to_vec()).unwrap(), "RIFF,BZh\n1,2\n");
        assert_eq!(named(b"onset\n\xb5"), None);
        assert_eq!(table_text(b"onset\n1\n".to_vec()).unwrap(), "onset\n1\n");
    }
}
