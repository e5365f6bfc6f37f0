//! What can go wrong between an event and a file that keeps it, and what to do
//! about it.

use crate::journal::JournalError;
use chronotap_files::NotUtf8;
use std::io;
use std::path::PathBuf;

/// Why a trial's files could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file of that name is already there. Choose another name, or move it away;
    /// nothing is ever overwritten.
    #[error("{}: already there, and nothing is overwritten; choose another name or move it away", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The journal could not be made: the directory is missing, read-only or full.
    #[error("{}: cannot begin the journal: {source}; name a writable directory with free space", path.display())]
    Create {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The journal could not be completed. Free space and finish again, or recover.
    #[error("{}: cannot complete the journal ({unwritten} events are not in it): {source}; {cure}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// How many events had not reached it.
        unwritten: usize,
        /// What the system said.
        source: io::Error,
        /// What to do.
        cure: String,
    },
    /// No folder took the events files, and the trial is over. Free space, then recover.
    #[error("the data of the trial could not be written anywhere: {}; {cure}", tried.join("; "))]
    Nowhere {
        /// What each folder said.
        tried: Vec<String>,
        /// What to do.
        cure: String,
    },
    /// The events files could not be written; the journal, where there is one, stays.
    #[error("{}: cannot write it: {source}; {cure}", path.display())]
    Events {
        /// The file that failed.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What to do.
        cure: String,
    },
    /// The files' names would be longer than a file system takes. Give a shorter one.
    #[error(
        "the name of the data has {bytes} bytes, and at most {longest} leave room for the files' ends; give a shorter one with --name"
    )]
    LongName {
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        longest: usize,
    },
    /// The directory cannot be listed.
    #[error("{}: cannot list the directory: {source}; name a readable directory", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system gives no further thread. End other programs.
    #[error(
        "cannot start the writer thread: {source}; end other programs or raise the limit on threads"
    )]
    Thread {
        /// What the system said.
        source: io::Error,
    },
    /// The writer thread ended on its own. The journal holds what it wrote; recover it.
    #[error("{}: the writer thread broke off; keep the file and run `chronotap recover {}`", path.display(), path.display())]
    WriterLost {
        /// The journal.
        path: PathBuf,
    },
    /// The journal's name does not end in `.journal`.
    #[error("{}: not a journal; name a file that ends in .journal", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// The journal's name is no text, and the events files are named after it. Rename it.
    #[error("{}: its name is not UTF-8, and the events files would have it too; give it another (mv), then recover it", path.display())]
    StrangeName {
        /// The file.
        path: PathBuf,
    },
    /// A program is still writing the journal, or making files of it. Wait until it is done.
    #[error("{}: the trial is still running, or another program is recovering it; wait until that has ended, or end it with Ctrl-C", path.display())]
    Running {
        /// The journal.
        path: PathBuf,
    },
    /// The journal cannot be read, or its first line is damaged.
    #[error(transparent)]
    Unreadable(#[from] JournalError),
}

/// Why an events file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read it: {source}; name an events file (…_events.tsv) that is there", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not in UTF-8, as events files are: another program saved it, or the disk
    /// damaged it. Restore it.
    #[error("{}:{}: {found}; restore the file as it was written, or save it as UTF-8 where another program has changed it", path.display(), found.line)]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is none.
        found: NotUtf8,
    },
    /// The name does not end in `_events.tsv`, so its .json cannot be found.
    #[error("{}: not the name of an events file; name a file that ends in _events.tsv", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// The .json beside the table is not one of ours, or was changed.
    #[error("{}:{line}: {what}; restore the file as it was written", path.display())]
    Sidecar {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The files follow a later version of the format. Read them with that program.
    #[error("{}: events format {found}, but this program knows up to {known}; read it with the version that wrote it ({program})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Newest version known here.
        known: u32,
        /// The program that wrote it.
        program: String,
    },
    /// The table has no column of this name. Restore it.
    #[error("{}:1: there is no column `{column}`; restore the first line as it was written", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The missing column.
        column: &'static str,
    },
    /// A cell does not hold what its column asks for. Restore it.
    #[error("{}:{line}: column `{column}` holds `{found}`, expected {expected}; restore the line as it was written", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}
