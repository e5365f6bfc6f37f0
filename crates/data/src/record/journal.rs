//! The journal: what a running trial leaves on the disk. One line of header, one
//! line per entry, a footer where the trial ended properly; text, so that it can be
//! read with any pager.
//!
//! Every line ends in a tab and the CRC-32 of the line before it and of itself, so a
//! torn line, zeros, or the remains of another journal are recognised. Everything before
//! the first line that is not whole is good; what can be read behind it is kept apart
//! ([`Behind`]).

mod behind;
mod chain;
mod known;
mod lines;
mod numbers;
mod scratch;
mod sorting;
mod stored;
mod stored_rows;

pub use behind::{Behind, Gap};
pub use chain::Chain;
use known::Known;
use lines::Lines;
pub use scratch::{Room, Scratch, Store};
pub use stored::StoredJournal;
pub use stored_rows::StoredRows;

pub use crate::record::JournalError;
use crate::record::{Entry, Footer, Header, JOURNAL_VERSION, line, text};
use serde::{Deserialize, Serialize};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The name of the format, in its first line.
const FORMAT: &str = "chronotap-journal";

/// A journal as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// What was known before the trial started.
    pub header: Header,
    /// Every event up to the first broken line.
    pub entries: Vec<Entry>,
    /// Present where the trial ended properly.
    pub footer: Option<Footer>,
    /// Events that found the queue full, as far as the journal says.
    pub dropped: u64,
    /// Bytes from the first broken line on; 0 in a sound journal.
    pub unusable_bytes: u64,
    /// What could be read behind that line.
    pub behind: Behind,
}

/// Reads a journal as far as it goes.
///
/// # Errors
/// [`JournalError`] where not even the header can be read.
pub fn read_journal(path: &Path) -> Result<Journal, JournalError> {
    let failed = |source| JournalError::File { path: path.to_owned(), source };
    read_open_journal(chronotap_core::files::open(path).map_err(failed)?, path)
}

/// Reads a journal that is open, from where its file stands; `path` is only named in errors.
/// Of the file no more than a line is held in memory, of its events all; [`StoredJournal`] is for
/// journals of any size.
///
/// # Errors
/// As [`read_journal`].
pub fn read_open_journal(file: impl Read, path: &Path) -> Result<Journal, JournalError> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let mut journal = scan(file, path, &Scratch::in_memory(Room::USUAL), |_, found| {
        match found {
            Found::Before(entry) => before.push(entry),
            Found::Behind { entry, .. } => behind.push(entry),
            Found::LeftOut(_) => {}
        }
        Ok(())
    })?;
    (journal.entries, journal.behind.entries) = (before, behind);
    Ok(journal)
}

/// Reads the same and hands on what it finds, each with the place in the file at which its line
/// begins, in the order of the lines. The journal that comes of it has no entries.
fn scan(
    file: impl Read,
    path: &Path,
    scratch: &Scratch,
    mut take: impl FnMut(u64, Found<'_>) -> io::Result<()>,
) -> Result<Journal, JournalError> {
    let failed = |source| JournalError::File { path: path.to_owned(), source };
    let mut lines = Lines::of(BufReader::with_capacity(READ_AT_ONCE, file));
    let (header, chain) = header(path, lines.next().map_err(failed)?)?;
    let mut journal = Journal { header, ..Journal::default() };
    let known = Known::new(scratch);
    read_entries(&mut journal, (chain, known), &mut lines, &mut take).map_err(failed)?;
    Ok(journal)
}

/// What [`scan`] finds.
enum Found<'a> {
    /// An event before the first line that is not whole.
    Before(Entry),
    /// An event behind it; `sure` where the same event stands before it too.
    Behind { entry: Entry, sure: bool },
    /// A line that says nothing that could be used.
    LeftOut(&'a [u8]),
}

/// Bytes that are read at once.
const READ_AT_ONCE: usize = 1 << 17;

#[derive(Serialize)]
struct FirstLine<'a> {
    format: &'static str,
    version: u32,
    header: &'a Header,
}

#[derive(Deserialize)]
struct Version {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
struct HeaderOnly {
    header: Header,
}

/// Appends the first line, and begins the chain of checksums.
///
/// # Errors
/// Where a caller's value cannot be JSON (a map with keys that are not strings).
pub fn put_header(out: &mut Vec<u8>, chain: &mut Chain, header: &Header) -> io::Result<()> {
    let first = FirstLine { format: FORMAT, version: JOURNAL_VERSION, header };
    let json = serde_json::to_vec(&first)?;
    chain.put(out, |out| out.extend_from_slice(&json));
    Ok(())
}

/// Appends the line of an entry.
pub fn put_entry(out: &mut Vec<u8>, chain: &mut Chain, entry: &Entry) {
    chain.put(out, |out| line::put_entry(out, entry));
}

/// Appends the line that says how many events found the queue full so far.
pub fn put_dropped(out: &mut Vec<u8>, chain: &mut Chain, dropped: u64) {
    chain.put(out, |out| {
        out.extend_from_slice(DROPPED);
        text::put_u64(out, dropped);
    });
}

/// Appends the last line.
///
/// # Errors
/// As [`put_header`].
pub fn put_footer(out: &mut Vec<u8>, chain: &mut Chain, footer: &Footer) -> io::Result<()> {
    let json = serde_json::to_vec(footer)?;
    chain.put(out, |out| {
        out.extend_from_slice(FOOTER);
        out.extend_from_slice(&json);
    });
    Ok(())
}

const DROPPED: &[u8] = b"dropped\t";
const FOOTER: &[u8] = b"footer\t";

/// What the first line says, and the chain that it begins.
fn header(path: &Path, line: Option<&[u8]>) -> Result<(Header, Chain), JournalError> {
    let mut chain = Chain::default();
    let damaged = || JournalError::Header { path: path.to_owned() };
    let first = line.and_then(|line| chain.take(line)).ok_or_else(damaged)?;
    let version: Version = serde_json::from_slice(first).map_err(|_| damaged())?;
    if version.format != FORMAT {
        return Err(damaged());
    }
    if version.version > u64::from(JOURNAL_VERSION) {
        return Err(JournalError::Newer { path: path.to_owned(), found: version.version });
    }
    let HeaderOnly { header } = serde_json::from_slice(first).map_err(|_| damaged())?;
    Ok((header, chain))
}

/// Reads the lines behind the first: those that are whole, then what is behind damage.
fn read_entries<R: io::BufRead>(
    journal: &mut Journal,
    (mut last, mut known): (Chain, Known),
    lines: &mut Lines<R>,
    take: &mut impl FnMut(u64, Found<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut number = 2;
    let mut at = lines.bytes();
    while let Some(line) = lines.next()? {
        let mut chain = last;
        let body = chain.take(line).filter(|_| journal.footer.is_none());
        match body.and_then(Line::parse) {
            Some(Line::Entry(entry)) => {
                known.add(&entry, true)?;
                take(at, Found::Before(entry))?;
            }
            Some(Line::Dropped(count)) => journal.dropped = count,
            Some(Line::Footer(footer)) => journal.footer = Some(footer),
            None => {
                lines.again();
                break;
            }
        }
        (last, number, at) = (chain, number + 1, lines.bytes());
    }
    journal.behind = behind::read(journal, (last, number), known, lines, take)?;
    journal.unusable_bytes = lines.bytes() - at;
    Ok(())
}

/// What a line says, but for the first.
enum Line {
    Entry(Entry),
    Dropped(u64),
    Footer(Footer),
}

impl Line {
    fn parse(body: &[u8]) -> Option<Line> {
        if let Some(json) = body.strip_prefix(FOOTER) {
            return serde_json::from_slice(json).ok().map(Line::Footer);
        }
        let text = std::str::from_utf8(body).ok()?;
        match body.strip_prefix(DROPPED) {
            Some(count) => std::str::from_utf8(count).ok()?.parse().ok().map(Line::Dropped),
            None => line::parse_entry(text).map(Line::Entry),
        }
    }
}

/// The event that a line says, whether its checksum agrees or not.
fn entry_of(line: &[u8]) -> Option<Entry> {
    let (body, _) = line.strip_suffix(b"\n")?.split_at_checked(line.len().checked_sub(10)?)?;
    line::parse_entry(std::str::from_utf8(body).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_dropped_events_survives_a_crash() {
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        put_header(&mut bytes, &mut chain, &Header::default()).unwrap();
        put_dropped(&mut bytes, &mut chain, 3);
        put_dropped(&mut bytes, &mut chain, 5);
        assert_eq!(read_open_journal(&bytes[..], Path::new("x")).unwrap().dropped, 5);
    }

    #[test]
    fn a_newer_journal_is_left_to_the_program_that_wrote_it() {
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        chain.put(&mut bytes, |out| {
            out.extend_from_slice(br#"{"format":"chronotap-journal","version":2}"#);
        });
        let refused = read_open_journal(&bytes[..], Path::new("x"));
        assert!(matches!(refused, Err(JournalError::Newer { found: 2, .. })), "{refused:?}");
    }

    #[test]
    fn nothing_after_the_footer_is_taken() {
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        put_header(&mut bytes, &mut chain, &Header::default()).unwrap();
        put_footer(&mut bytes, &mut chain, &Footer::default()).unwrap();
        let end = bytes.len();
        put_dropped(&mut bytes, &mut chain, 5);
        let journal = read_open_journal(&bytes[..], Path::new("x")).unwrap();
        assert_eq!((journal.dropped, journal.unusable_bytes), (0, (bytes.len() - end) as u64));
    }
}
