//! [`OpenJournal`]: what happened in a session, step by step, and the truth about it. All tables
//! are made from it.
//!
//! A line is JSON and a checksum ([`Chain`]), as in the journal of a trial. A line is on the disk before the next step begins, so at most the
//! last line can be torn, which its checksum tells; it is cut off when the session goes on.
//! Anything else that is not whole is damage, and the session is refused until somebody has
//! looked at it. A line that is whole and says what is not known here comes from a newer version
//! of the program: nothing is touched then. What the lines mean is in [`crate::line`].
//!
//! All lines are in memory too, so that a file that somebody removes or moves away in the middle
//! of a session is written again.

use crate::disk::SessionDisk;
use crate::line::{Line, SESSION_JOURNAL_VERSION};
use chronotap_core::files::{self, Disk as AnyDisk, DiskFile, System};
use chronotap_data::record::PROGRAM;
use chronotap_data::record::journal::Chain;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// A journal that is open, and locked against every other program.
#[derive(Debug)]
pub struct OpenJournal<D: AnyDisk = System> {
    path: PathBuf,
    file: D::File,
    read: Read,
    bytes: Vec<u8>, // of all lines, as they are in the file
    synced: usize,  // lines that are on the disk for sure
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenJournalError {
    /// The system refuses. Its [`Refusal`](chronotap_core::files::Refusal) says what helps.
    #[error("{}: cannot keep the journal of the session: {source}", path.display())]
    Disk {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The line is written, but the system does not say that it is on the disk: it may be lost
    /// with a power cut.
    #[error("{}: the last line of the session's journal is written, but perhaps not on the disk: {source}", path.display())]
    NotSynced {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A newer version of the program wrote it. Install that version.
    #[error("{}:{line}: written by {program}, which is newer than this program ({PROGRAM}) reads; nothing was changed", path.display())]
    Newer {
        path: PathBuf,
        /// The first line that is not known here, from 1.
        line: usize,
        /// The program and its version, as far as the journal says it.
        program: String,
    },
    /// Another program has it open: the same session runs elsewhere.
    #[error("{}: this session is under way in another program", path.display())]
    Running { path: PathBuf },
    /// A line within it is not whole, or not what this program writes.
    #[error("{}:{line}: the journal is damaged", path.display())]
    Damaged {
        path: PathBuf,
        /// The first line that cannot be used, from 1.
        line: usize,
    },
}

impl<D: AnyDisk> OpenJournal<D> {
    /// Opens the journal, or begins one. A torn last line is cut off.
    ///
    /// # Errors
    /// [`OpenJournalError`].
    pub fn open(path: &Path, disk: &SessionDisk<D>) -> Result<OpenJournal<D>, OpenJournalError> {
        let refused = |source| OpenJournalError::Disk { path: path.to_owned(), source };
        let file = disk.open_to_append(path).map_err(refused)?;
        if is_locked_by_another(&file) {
            return Err(OpenJournalError::Running { path: path.to_owned() });
        }
        let mut bytes = disk.read(path).map_err(refused)?;
        let read = parse(path, &bytes)?;
        if read.whole < bytes.len() {
            file.set_len(read.whole as u64).map_err(refused)?;
        }
        // Whoever wrote it may have been ended before it was on the disk.
        if !bytes.is_empty() {
            disk.sync(&file).map_err(refused)?;
        }
        bytes.truncate(read.whole);
        let synced = read.lines.len();
        Ok(OpenJournal { path: path.to_owned(), file, read, bytes, synced })
    }

    /// What happened so far.
    pub fn lines(&self) -> &[Line] {
        &self.read.lines
    }

    /// How many of the lines are on the disk for sure.
    pub fn synced(&self) -> usize {
        self.synced
    }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// # Errors
    /// [`OpenJournalError::Disk`]; the line does not count then. [`OpenJournalError::NotSynced`]; it counts
    /// as long as the file has it.
    pub fn add(&mut self, disk: &SessionDisk<D>, line: Line) -> Result<(), OpenJournalError> {
        let path = self.path.clone();
        let refused = |source| OpenJournalError::Disk { path, source };
        let body = match serde_json::to_vec(&line) {
            Ok(body) => body,
            Err(error) => return Err(refused(error.into())),
        };
        let (mut bytes, mut chain) = (Vec::new(), self.read.chain);
        chain.put(&mut bytes, |out| out.extend_from_slice(&body));
        self.cut_what_failed()
            .and_then(|()| disk.write_at_end(&mut self.file, &bytes))
            .map_err(refused)?;
        self.bytes.extend_from_slice(&bytes);
        (self.read.chain, self.read.whole) = (chain, self.bytes.len());
        self.read.lines.push(line);
        let unsure = |source| OpenJournalError::NotSynced { path: self.path.clone(), source };
        disk.sync(&self.file).map_err(unsure)?;
        self.synced = self.read.lines.len();
        Ok(())
    }

    /// Writes the journal again where it lost its name, or where something else has it, which is
    /// moved aside; what there is to say of it.
    ///
    /// # Errors
    /// [`OpenJournalError::Disk`].
    pub fn keep(&mut self, disk: &SessionDisk<D>) -> Result<Option<String>, OpenJournalError> {
        if self.is_there(disk) {
            return Ok(None);
        }
        let path = self.path.clone();
        let refused = |source| OpenJournalError::Disk { path, source };
        match self.write_again(disk) {
            Ok(said) => Ok(Some(said)),
            Err(source) => Err(refused(source)),
        }
    }

    fn write_again(&mut self, disk: &SessionDisk<D>) -> io::Result<String> {
        let name = self.path.display();
        let mut said = format!("{name}: was gone, and is written again");
        if disk.is_there(&self.path) {
            let aside = free_name(disk, &self.path);
            disk.rename(&self.path, &aside)?;
            let aside = aside.display();
            said = format!(
                "{name}: something else took its place, which is moved to {aside}; it is written again"
            );
        }
        if let Some(folder) = self.path.parent() {
            disk.make_folder(folder)?;
        }
        disk.place(&self.path, &self.bytes)?;
        self.file = disk.open_to_append(&self.path)?;
        is_locked_by_another(&self.file); // nobody else knows it yet
        self.synced = self.read.lines.len();
        Ok(said)
    }

    /// Whether the file that is open still has the journal's name, and all its lines.
    fn is_there(&self, disk: &SessionDisk<D>) -> bool {
        let named = disk.is_at(&self.file, &self.path);
        named && self.file.len().is_ok_and(|length| length >= self.bytes.len() as u64)
    }

    /// Cuts off what a write left that failed in its middle.
    fn cut_what_failed(&self) -> io::Result<()> {
        let whole = self.bytes.len() as u64;
        if self.file.len()? > whole { self.file.set_len(whole) } else { Ok(()) }
    }
}

/// A name beside this one that nobody has.
fn free_name<D: AnyDisk>(disk: &SessionDisk<D>, path: &Path) -> PathBuf {
    let numbered = |number: u32| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{name}.found-{number}"))
    };
    let free = |path: &PathBuf| !disk.is_there(path);
    (1..).map(numbered).find(free).unwrap_or_else(|| path.to_owned())
}

/// Lets the lock go, also where a program that is just being started has a copy of the open
/// file for a moment.
impl<D: AnyDisk> Drop for OpenJournal<D> {
    fn drop(&mut self) {
        let Some(file) = self.file.of_system() else { return };
        let _ = files::unlock(file); // ends with the program anyway
    }
}

/// Locks it where nobody else has.
fn is_locked_by_another(file: &impl DiskFile) -> bool {
    file.of_system().is_some_and(|file| files::try_lock(file).is_err())
}

/// Reads a journal without opening it to write.
///
/// # Errors
/// [`OpenJournalError`].
pub fn read_lines(path: &Path) -> Result<Vec<Line>, OpenJournalError> {
    lines_of(path, chronotap_core::files::read(path))
}

/// The lines of a journal that was read.
///
/// # Errors
/// [`OpenJournalError`].
pub fn lines_of(path: &Path, read: io::Result<Vec<u8>>) -> Result<Vec<Line>, OpenJournalError> {
    let refused = |source| OpenJournalError::Disk { path: path.to_owned(), source };
    Ok(parse(path, &read.map_err(refused)?)?.lines)
}

/// A journal as it was read.
#[derive(Debug, Default)]
struct Read {
    lines: Vec<Line>,
    chain: Chain,
    whole: usize, // bytes up to the end of the last whole line
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Read, OpenJournalError> {
    let (mut read, mut program) = (Read::default(), "a version of chronotap".to_owned());
    while read.whole < bytes.len() {
        let rest = &bytes[read.whole..];
        let length = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
        let torn = length.is_none_or(|length| length == rest.len());
        let body = length.and_then(|length| read.chain.take(&rest[..length]));
        let line = read.lines.len() + 1;
        let Some(body) = body else {
            let damaged = OpenJournalError::Damaged { path: path.to_owned(), line };
            return if torn { Ok(read) } else { Err(damaged) };
        };
        let stated: Stated = serde_json::from_slice(body).unwrap_or_default();
        program = stated.program.unwrap_or(program);
        let known = stated.version.is_none_or(|version| version <= SESSION_JOURNAL_VERSION.into());
        let understood = serde_json::from_slice(body).ok().filter(|_| known);
        let newer =
            || OpenJournalError::Newer { path: path.to_owned(), line, program: program.clone() };
        read.lines.push(understood.ok_or_else(newer)?);
        read.whole += length.unwrap_or(0);
    }
    Ok(read)
}

/// What lines say of the program that writes from there on, in whatever version.
#[derive(Default, Deserialize)]
struct Stated {
    version: Option<u64>,
    program: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_testkit::disk::{DiskFault, MemoryDisk};
    use std::fs::{self, File};

    fn note(text: &str) -> Line {
        Line::Noted { at: String::new(), text: text.into(), by: String::new() }
    }

    fn journal(dir: &Path) -> PathBuf {
        let (path, disk) = (dir.join("journal.jsonl"), SessionDisk::durable());
        let mut journal = OpenJournal::open(&path, &disk).unwrap();
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
            let mut cut = OpenJournal::open(&path, &SessionDisk::durable()).unwrap();
            assert_eq!(cut.lines().len(), whole);
            cut.add(&SessionDisk::durable(), note("again")).unwrap();
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
        let refused = OpenJournal::open(&path, &SessionDisk::durable());
        assert!(matches!(refused, Err(OpenJournalError::Damaged { line: 2, .. })), "{refused:?}");
    }

    /// A journal whose last line is this one, which is whole.
    fn ending_with(dir: &Path, body: &str) -> PathBuf {
        let path = journal(dir);
        let mut bytes = fs::read(&path).unwrap();
        let mut chain = parse(&path, &bytes).unwrap().chain;
        chain.put(&mut bytes, |out| out.extend_from_slice(body.as_bytes()));
        fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn what_a_newer_version_wrote_is_refused_and_not_touched() {
        let resumed = r#"{"what":"resumed","at":"","program":"chronotap 9.1","by":"","version":2}"#;
        let unknown = r#"{"what":"moved_house","at":"now"}"#;
        for (body, by) in [(resumed, "written by chronotap 9.1"), (unknown, "a version of")] {
            let dir = tempfile::tempdir().unwrap();
            let path = ending_with(dir.path(), body);
            let before = fs::read(&path).unwrap();
            for refused in
                [OpenJournal::open(&path, &SessionDisk::durable()).err(), read_lines(&path).err()]
            {
                let refused = refused.unwrap();
                assert!(matches!(refused, OpenJournalError::Newer { line: 4, .. }), "{refused}");
                assert!(refused.to_string().contains(by), "{refused}");
            }
            assert_eq!(fs::read(&path).unwrap(), before);
        }
    }

    #[test]
    fn a_version_that_is_known_is_read_also_with_more_keys() {
        let dir = tempfile::tempdir().unwrap();
        let body = r#"{"what":"resumed","at":"","program":"p","version":1,"more":[1]}"#;
        assert_eq!(read_lines(&ending_with(dir.path(), body)).unwrap().len(), 4);
    }

    #[test]
    fn a_journal_that_loses_its_name_or_its_bytes_is_written_again() {
        for harm in 0..4 {
            let dir = tempfile::tempdir().unwrap();
            let (path, disk) = (journal(dir.path()), SessionDisk::durable());
            let before = fs::read(&path).unwrap();
            let mut open = OpenJournal::open(&path, &disk).unwrap();
            assert_eq!(open.keep(&disk).unwrap(), None);
            match harm {
                0 => fs::remove_file(&path).unwrap(),
                1 => fs::rename(&path, dir.path().join("moved")).unwrap(),
                2 => File::options().write(true).open(&path).unwrap().set_len(3).unwrap(),
                _ => {
                    fs::remove_file(&path).unwrap();
                    std::os::unix::fs::symlink("elsewhere", &path).unwrap();
                }
            }
            let said = open.keep(&disk).unwrap().unwrap();
            assert!(said.contains("is written again"), "{said}");
            assert_eq!(fs::read(&path).unwrap(), before);
            assert!(!dir.path().join("elsewhere").exists());
            open.add(&disk, note("four")).unwrap();
            assert_eq!(read_lines(&path).unwrap().len(), 4);
            let second = OpenJournal::open(&path, &SessionDisk::durable());
            assert!(matches!(second, Err(OpenJournalError::Running { .. })), "{second:?}");
        }
    }

    #[test]
    fn whatever_fails_what_the_journal_says_of_itself_is_what_its_file_has() {
        let path = Path::new("lab/journal.jsonl");
        for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Full(1), DiskFault::Full(3)] {
            for n in 1..12 {
                let memory = MemoryDisk::default();
                let disk = SessionDisk::durable_on(memory.clone());
                let mut journal = OpenJournal::open(path, &disk).unwrap();
                memory.fail(n, fault);
                for number in 0..6 {
                    let _ = journal.add(&disk, note(&number.to_string()));
                    let whole = memory.bytes(path).unwrap();
                    let read = parse(path, &whole).unwrap();
                    assert_eq!(read.lines, journal.lines(), "{fault:?} at {n}");
                    let kept = memory.after_power_cut(0).bytes(path).unwrap_or_default();
                    let kept = parse(path, &kept).unwrap().lines;
                    assert!(kept.starts_with(&journal.lines()[..journal.synced()]));
                }
                assert!(journal.lines().len() > 3, "{fault:?} at {n}: nothing comes after it");
            }
        }
    }

    /// The program that wrote them may have been killed before they were on the disk.
    #[test]
    fn the_lines_of_a_journal_that_is_opened_are_on_the_disk() {
        let (path, mut written_and_not_synced) = (Path::new("lab/journal.jsonl"), 0);
        for n in 1..6 {
            let memory = MemoryDisk::default();
            let disk = SessionDisk::durable_on(memory.clone());
            let mut journal = OpenJournal::open(path, &disk).unwrap();
            journal.add(&disk, note("one")).unwrap();
            memory.fail(n, DiskFault::Kill);
            let killed = journal.add(&disk, note("two")).is_err();
            let again = memory.restarted();
            let opened = OpenJournal::open(path, &SessionDisk::durable_on(again.clone())).unwrap();
            let lines = opened.lines().len();
            written_and_not_synced += usize::from(killed && lines == 2);
            for seed in 0..20 {
                let kept = again.after_power_cut(seed).bytes(path).unwrap();
                let kept = parse(path, &kept).unwrap().lines.len();
                assert_eq!(kept, lines, "killed at {n}, power cut {seed}");
            }
        }
        assert!(written_and_not_synced > 0);
    }

    #[test]
    fn a_journal_that_is_closed_is_free_though_a_copy_of_it_is_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let open = OpenJournal::open(&path, &SessionDisk::durable()).unwrap();
        let _copy = open.file.try_clone().unwrap(); // as a program has it that is being started
        drop(open);
        OpenJournal::open(&path, &SessionDisk::durable()).unwrap();
    }

    #[test]
    fn one_journal_is_open_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = journal(dir.path());
        let _first = OpenJournal::open(&path, &SessionDisk::durable()).unwrap();
        let second = OpenJournal::open(&path, &SessionDisk::durable());
        assert!(matches!(second, Err(OpenJournalError::Running { .. })), "{second:?}");
    }
}
