//! What can go wrong between tables and other programs.

use crate::record::{Recording, Row, TrialType};
use chronotap_core::files::NotUtf8;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The table cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The table is not in UTF-8: another program saved it so, or the disk damaged it.
    #[error("{}:{}: {found}", path.display(), found.line)]
    NotUtf8 {
        path: PathBuf,
        /// The first byte that is none.
        found: NotUtf8,
    },
    /// A line has more or fewer cells than there are columns.
    #[error("{}:{line}: {found} cells, but the first line has {needed} columns", path.display())]
    Cells {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// A cell has a backslash before a letter that none stands before: another program wrote it.
    #[error("{}:{line}: column {column}: a backslash stands wrongly in `{cell}`", path.display())]
    Backslash {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        column: String,
        cell: String,
    },
    /// Two columns of a table have one name, and in Parquet a name is one column.
    #[error("{}: two columns are called \"{name}\", which Parquet cannot tell apart", path.display())]
    TwoColumns {
        /// The file that would have been written.
        path: PathBuf,
        name: String,
    },
    /// A table has more rows or columns than a sheet of a workbook can hold.
    #[error(
        "{}: the sheet \"{sheet}\" would have {rows} rows and {columns} columns; \
         a sheet holds 1,048,575 and 16,384", path.display()
    )]
    TooLarge {
        /// The file that would have been written.
        path: PathBuf,
        sheet: String,
        rows: usize,
        columns: usize,
    },
    /// The file cannot be written: the folder is read-only, or the disk full.
    #[error("{}: cannot write it: {source}", path.display())]
    Write {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something is there already.
    #[error("{}: already there", .0.display())]
    Exists(PathBuf),
    /// Two datasets have one name, by which their rows could not be told apart.
    #[error("two datasets are called \"{0}\"")]
    SameName(String),
    /// A dataset holds a trial that another holds too, as a backup does.
    #[error("{}: {trial} is in it and in {}", second.display(), first.display())]
    Twice { trial: String, first: PathBuf, second: PathBuf },
    /// Taps or tones of a trial have no key, as of a table of times that another program recorded: files of notes
    /// cannot hold them.
    #[error("{keyless} of {all} taps and tones have no note")]
    NoKeys { keyless: usize, all: usize },
    /// A dataset cannot be analyzed.
    #[error(transparent)]
    Tables(#[from] crate::tables::TablesError),
    /// People withdrew while something was made of their data, of which nothing stays. Make it again, without them.
    #[error("participant {} withdrew meanwhile, so that nothing of it stays", .0.join(" and "))]
    Withdrew(Vec<String>),
    /// Somebody asked for the end, as with Ctrl-C.
    #[error("interrupted; the tables are as they were before")]
    Interrupted,
    /// The same of a folder that was to be filled.
    #[error("interrupted: {} is not made", .0.display())]
    NotMade(PathBuf),
    /// This program was built without Parquet and workbooks, as `make demo` builds it.
    #[error("Parquet and workbooks are not in the demo build")]
    NoParquet,
}

impl ExchangeError {
    /// An error where something that happened could not stand in a file of notes.
    ///
    /// # Errors
    /// [`ExchangeError::NoKeys`].
    pub fn refuse_keyless(recording: &Recording) -> Result<(), ExchangeError> {
        let happened = |row: &&Row| match row.trial_type {
            TrialType::Tap => true,
            // What music has before its first beat is no tone.
            TrialType::Pacing | TrialType::Feedback => {
                row.achieved.is_some() && row.number.is_some() && recording.header.source.is_some()
            }
            _ => false,
        };
        let rows = recording.rows.iter().filter(happened);
        let (all, keyless) =
            (rows.clone().count(), rows.filter(|row| row.message.is_none()).count());
        if keyless > 0 { Err(ExchangeError::NoKeys { keyless, all }) } else { Ok(()) }
    }

    /// A refused read.
    pub(crate) fn read(path: &Path) -> impl Fn(io::Error) -> ExchangeError + '_ {
        |source| match NotUtf8::of(&source) {
            Some(found) => ExchangeError::NotUtf8 { path: path.to_owned(), found },
            None => ExchangeError::Read { path: path.to_owned(), source },
        }
    }

    /// A refused write.
    pub(crate) fn write(path: &Path) -> impl Fn(io::Error) -> ExchangeError + '_ {
        |source| ExchangeError::Write { path: path.to_owned(), source }
    }
}
