//! What can go wrong between an event and a file that keeps it. What to do about it depends on who
//! reads it, and is said where they read it.

use crate::record::JOURNAL_VERSION;
use chronotap_core::files::{NotUtf8, Refusal};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why nothing at all could be read from a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the journal: {source}", path.display())]
    File {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The first line is not whole: the trial was cut off before its first event was
    /// kept, or the file is no journal. There is nothing to recover.
    #[error("{}:1: the header is damaged, so there is nothing to recover", path.display())]
    Header { path: PathBuf },
    /// The journal follows a later version of the format.
    #[error("{}:1: journal format {found}, but this program knows up to {JOURNAL_VERSION}", path.display())]
    Newer {
        path: PathBuf,
        /// Version in the file.
        found: u64,
    },
}

/// Why a trial's files could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file of that name is already there. Choose another name, or move it away;
    /// nothing is ever overwritten.
    #[error("{}: already there, and nothing is overwritten", path.display())]
    Exists { path: PathBuf },
    /// The journal could not be made: the directory is missing, read-only or full.
    #[error("{}: cannot begin the journal: {source}", path.display())]
    Create {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The journal could not be completed. Free space and finish again, or recover.
    #[error("{}: cannot complete the journal ({unwritten} events are not in it): {source}{left}", path.display())]
    Journal {
        path: PathBuf,
        /// How many events had not reached it.
        unwritten: usize,
        /// What the system said.
        source: io::Error,
        /// What there is of the trial.
        left: Left,
    },
    /// No folder took the events files, and the trial is over. Free space, then recover.
    #[error("the data of the trial could not be written anywhere: {}{left}", tried.join("; "))]
    Nowhere {
        /// What each folder said.
        tried: Vec<String>,
        /// In which way the trial's own folder refused.
        refusal: Refusal,
        /// What there is of the trial.
        left: Left,
    },
    /// The events files could not be written; the journal, where there is one, stays.
    #[error("{}: cannot write it: {source}", path.display())]
    Events {
        /// The file that failed.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The same of a trial that is over, with what there is of it.
    #[error("{}: cannot write it: {source}{left}", path.display())]
    Unsaved {
        /// The file that failed.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What there is of the trial.
        left: Left,
    },
    /// A file stands where the events file of a trial that is over should be. Move it away.
    #[error("{}: cannot write it: already there, and nothing is overwritten{left}", path.display())]
    Taken {
        /// The file that is there.
        path: PathBuf,
        /// What there is of the trial.
        left: Left,
    },
    /// The log of a card's calls cannot be made a table. Move it away, and recover the rest.
    #[error("{}: cannot write it: {source}", path.display())]
    Callbacks {
        /// The file that failed.
        path: PathBuf,
        log: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The files' names would be longer than a file system takes. Give a shorter one.
    #[error(
        "the name of the data has {bytes} bytes, and at most {longest} leave room for the files' ends"
    )]
    LongName {
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        longest: usize,
    },
    /// The directory cannot be listed.
    #[error("{}: cannot list the directory: {source}", path.display())]
    Directory {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system gives no further thread. End other programs.
    #[error("cannot start the writer thread: {source}")]
    Thread {
        /// What the system said.
        source: io::Error,
    },
    /// The writer thread ended on its own. The journal holds what it wrote; recover it.
    #[error("{}: the writer thread broke off", path.display())]
    WriterLost { path: PathBuf },
    /// The journal's name does not end in `.journal`.
    #[error("{}: not a journal", path.display())]
    NotAJournal { path: PathBuf },
    /// The journal's name is no text, and the events files are named after it. Rename it.
    #[error("{}: its name is not UTF-8, and the events files would have it too", path.display())]
    StrangeName { path: PathBuf },
    /// A program is still writing the journal, or making files of it. Wait until it is done.
    #[error("{}: the trial is still running, or another program is recovering it", path.display())]
    Running { path: PathBuf },
    /// The journal cannot be read, or its first line is damaged.
    #[error(transparent)]
    Unreadable(#[from] JournalError),
}

/// What there is of a trial whose files could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Its journal, which can be recovered.
    Journal(PathBuf),
    /// Nothing: the journal is gone too.
    Nothing,
}

impl Left {
    /// By whether the journal still has its name.
    pub fn of(journal: Option<&PathBuf>) -> Left {
        journal.map_or(Left::Nothing, |journal| Left::Journal(journal.clone()))
    }
}

/// What follows the condition of an error.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Left::Journal(_) => Ok(()),
            Left::Nothing => {
                f.write_str("; its journal is gone too, so nothing of this trial is left there")
            }
        }
    }
}

/// Why an events file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read it: {source}", path.display())]
    File {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not in UTF-8, as events files are: another program saved it, or the disk
    /// damaged it. Restore it.
    #[error("{}:{}: {found}", path.display(), found.line)]
    NotUtf8 {
        path: PathBuf,
        /// The first byte that is none.
        found: NotUtf8,
    },
    /// The name does not end in `_events.tsv`, so its .json cannot be found.
    #[error("{}: not the name of an events file", path.display())]
    Name { path: PathBuf },
    /// The .json beside the table is not one of ours, or was changed.
    #[error("{}:{line}: {what}", path.display())]
    Sidecar {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        what: String,
    },
    /// The files follow a later version of the format. Read them with that program.
    #[error("{}: events format {found}, but this program knows up to {known}", path.display())]
    Newer {
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Newest version known here.
        known: u32,
        /// The program that wrote it.
        program: String,
    },
    /// The table has no column of this name. Restore it.
    #[error("{}:1: there is no column `{column}`", path.display())]
    Column {
        path: PathBuf,
        /// The missing column.
        column: &'static str,
    },
    /// A cell does not hold what its column asks for. Restore it.
    #[error("{}:{line}: column `{column}` holds `{found}`, expected {expected}", path.display())]
    Cell {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        column: &'static str,
        found: String,
        /// What should.
        expected: &'static str,
    },
}
