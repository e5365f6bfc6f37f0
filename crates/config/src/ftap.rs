//! Configuration files of FTAP (Finney 2001), read and made into trial files.
//!
//! Only keywords whose meaning is known are translated. Every other line is refused, until the
//! user says by name that it may be dropped; it is then kept as a comment, with its number. Where
//! FTAP's documents leave a meaning open, the reading is a choice of the user ([`Readings`]), and
//! the trial file says which was taken. FTAP's data files are not read here but in `data`.

mod account;
mod answers;
mod configuration;
mod fault;
mod feedback;
mod import;
mod keywords;
mod masking;
mod metronome;
mod page;
mod readings;
mod remark;
mod statement;
mod trigger;
mod without;

pub use account::{LineRead, account};
pub use fault::{FtapFault, FtapMistakes, Mistake, OfferedReading, WayOut};
pub use import::{ImportedFile, import};
pub use readings::{ExpectedReading, ReadingError, Readings};
pub use remark::{Inert, Note, Remark};
pub use without::{help as parts_help, names as parts};

use chronotap_core::files::any_text;

/// What some editors write before the first word of a text.
const BOM: char = '\u{feff}';

/// The text of a configuration file of FTAP, if these bytes are one. It may be in UTF-8 or UTF-16,
/// with ends of lines of any system; what is neither stands in remarks alone, if at all.
pub fn text_of_ftap(bytes: &[u8]) -> Option<String> {
    let text = any_text(bytes.to_vec());
    is_ftap(&text).then_some(text)
}

/// Whether a text is a configuration file of FTAP, by what stands in it.
///
/// Its first line that begins with a letter or a bracket must begin with a word in capitals
/// that is followed by a value and no `=`, which no trial file does; and some line must begin
/// with an attested keyword.
pub fn is_ftap(text: &str) -> bool {
    let text = text.trim_start_matches(BOM);
    let telling = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || c == '[');
    let mut lines = text.lines().map(str::trim).filter(telling);
    let Some(first) = lines.next() else { return false };
    let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let (word, rest) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    word.chars().all(capital)
        && !rest.trim_start().starts_with('=')
        && std::iter::once(first)
            .chain(lines)
            .any(|line| line.split_whitespace().next().is_some_and(keywords::is_attested))
}
