//! [`Journal`]: what happened in a session, step by step, and the truth about it. All tables
//! are made from it.
//!
//! A line is JSON, a tab, and a checksum: CRC-32 of the line before it and of itself, as in
//! the journal of a trial. A line is on the disk before the next step begins, so at most the
//! last line can be torn; it is cut off when the session goes on. Anything else that is
//! not whole is damage, and the session is refused until somebody has looked at it. What the
//! lines mean is in [`crate::line`].

use crate::disk::Disk;
use crate::line::Line;
use chronotap_files::{Disk as AnyDisk, DiskFile, Refusal, System};
use rustix::fs::{FlockOperation, flock};
use std::io;
use std::path::{Path, PathBuf};

/// A journal that is open, and locked against every other program.
#[derive(Debug)]
pub struct Journal<D: AnyDisk = System> {
    path: PathBuf,
    file: D::File,
    chain: u32,
    lines: Vec<Line>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses. [`Refusal`] says what to do.
    #[error("{}: cannot keep the journal of the session: {source}; {}, then give the same command again", path.display(), Refusal::of(source).cure())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another program has it open: the same session runs elsewhere.
    #[error("{}: this session is under way in another program; end that one first", path.display())]
    Running {
        /// The file.
        path: PathBuf,
    },
    /// A line within it is not whole, or not what this program writes.
    #[error("{}:{line}: the journal is damaged; restore it from a backup (`chronotap backup` makes one)", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first line that cannot be used, from 1.
        line: usize,
    },
}

impl<D: AnyDisk> Journal<D> {
    /// Opens the journal, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open(path: &Path, disk: &Disk<D>) -> Result<Journal<D>, JournalError> {
        let refused = |source| JournalError::Disk { path: path.to_owned(), source };
        let file = disk.open_to_append(path).map_err(refused)?;
        if is_locked_by_another(&file) {
            return Err(JournalError::Running { path: path.to_owned() });
        }
        let bytes = disk.read(path).map_err(refused)?;
        let read = parse(path, &bytes)?;
        if read.whole < bytes.len() {
            file.set_len(read.whole as u64).and_then(|()| file.sync()).map_err(refused)?;
        }
        Ok(Journal { path: path.to_owned(), file, chain: read.chain, lines: read.lines })
    }

    /// What happened so far.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// # Errors
    /// [`JournalError::Disk`]; the line does not count then.
    pub fn add(&mut self, disk: &Disk<D>, line: Line) -> Result<(), JournalError> {
        let refused = |source| JournalError::Disk { path: self.path.clone(), source };
        let body = serde_json::to_vec(&line).map_err(|error| refused(error.into()))?;
        let (bytes, chain) = chained(self.chain, &body);
        disk.append(&mut self.file, &bytes).map_err(refused)?;
        self.chain = chain;
        self.lines.push(line);
        Ok(())
    }
}

/// Lets the lock go, also where a program that is just being started has a copy of the open
/// file for a moment.
impl<D: AnyDisk> Drop for Journal<D> {
    fn drop(&mut self) {
        let Some(file) = self.file.of_system() else { return };
        let _ = flock(file, FlockOperation::Unlock); // ends with the program anyway
    }
}

/// Locks it where nobody else has.
fn is_locked_by_another(file: &impl DiskFile) -> bool {
    let held = |file| flock(file, FlockOperation::NonBlockingLockExclusive).is_err();
    file.of_system().is_some_and(held)
}

/// Reads a journal without opening it to write.
///
/// # Errors
/// [`JournalError`].
pub fn read_lines(path: &Path) -> Result<Vec<Line>, JournalError> {
    lines_of(path, chronotap_files::read(path))
}

/// The lines of a journal that was read.
pub(crate) fn lines_of(path: &Path, read: io::Result<Vec<u8>>) -> Result<Vec<Line>, JournalError> {
    let refused = |source| JournalError::Disk { path: path.to_owned(), source };
    Ok(parse(path, &read.map_err(refused)?)?.lines)
}

/// A journal as it was read.
struct Read {
    lines: Vec<Line>,
    chain: u32,
    whole: usize, // bytes up to the end of the last whole line
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Read, JournalError> {
    let mut read = Read { lines: Vec::new(), chain: 0, whole: 0 };
    while read.whole < bytes.len() {
        let rest = &bytes[read.whole..];
        let length = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
        let torn = length.is_none_or(|length| length == rest.len());
        let line = length.and_then(|length| whole_line(read.chain, &rest[..length - 1]));
        let Some((line, chain)) = line else {
            let line = read.lines.len() + 1;
            return if torn {
                Ok(read)
            } else {
                Err(JournalError::Damaged { path: path.to_owned(), line })
            };
        };
        read.lines.push(line);
        read.chain = chain;
        read.whole += length.unwrap_or(0);
    }
    Ok(read)
}

/// The line, where it is whole and follows the one before, and its checksum.
fn whole_line(chain: u32, line: &[u8]) -> Option<(Line, u32)> {
    let body = line.get(..line.len().checked_sub(CHECKSUM)?)?;
    let (bytes, next) = chained(chain, body);
    (bytes[..bytes.len() - 1] == *line).then_some(())?;
    Some((serde_json::from_slice(body).ok()?, next))
}

/// A tab and eight digits.
const CHECKSUM: usize = 9;

/// The line with its checksum, and the checksum for the next one.
fn chained(chain: u32, body: &[u8]) -> (Vec<u8>, u32) {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&chain.to_le_bytes());
    crc.update(body);
    let crc = crc.finalize();
    let mut bytes = body.to_vec();
    bytes.extend_from_slice(format!("\t{crc:08x}\n").as_bytes());
    (bytes, crc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn note(text: &str) -> Line {
        Line::Noted { at: String::new(), text: text.into(), by: String::new() }
    }

    fn journal(dir: &Path) -> PathBuf {
        let (path, disk) = (dir.join("journal.jsonl"), Disk::durable());
        let mut journal = Journal::open(&path, &disk).unwrap();
        for text in ["one", "two", "three"] {
            journal.add(&disk, note(text)).unwrap();
        }
        path
    }

    #[test]
    fn cut_at_any_byte_it_is_read_up_to_the_last_whole_line_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let bytes = fs::read(&path).unwrap();
        for cut in 0..=bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let whole = bytes[..cut].iter().filter(|byte| **byte == b'\n').count();
            let mut cut = Journal::open(&path, &Disk::durable()).unwrap();
            assert_eq!(cut.lines().len(), whole);
            cut.add(&Disk::durable(), note("again")).unwrap();
            drop(cut);
            assert_eq!(read_lines(&path).unwrap().len(), whole + 1);
        }
    }

    #[test]
    fn a_change_within_is_refused_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let changed = fs::read_to_string(&path).unwrap().replace("two", "tow");
        fs::write(&path, changed).unwrap();
        let refused = Journal::open(&path, &Disk::durable());
        assert!(matches!(refused, Err(JournalError::Damaged { line: 2, .. })), "{refused:?}");
    }

    #[test]
    fn a_journal_that_is_closed_is_free_though_a_copy_of_it_is_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let open = Journal::open(&path, &Disk::durable()).unwrap();
        let _copy = open.file.try_clone().unwrap(); // as a program has it that is being started
        drop(open);
        Journal::open(&path, &Disk::durable()).unwrap();
    }

    #[test]
    fn one_journal_is_open_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let _first = Journal::open(&path, &Disk::durable()).unwrap();
        let second = Journal::open(&path, &Disk::durable());
        assert!(matches!(second, Err(JournalError::Running { .. })), "{second:?}");
    }
}
