//! What can go wrong between tables and other programs, and what to do about it.

use chronotap_files::NotUtf8;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The table cannot be read. Name a table that is there.
    #[error("{}: cannot read it: {source}; name a tab-separated table, or the folder of a dataset", path.display())]
    Read {
        /// The table.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The table is not in UTF-8: another program saved it so, or the disk damaged it. Restore it.
    #[error("{}:{}: {found}; restore the table as it was written, or save it as UTF-8", path.display(), found.line)]
    NotUtf8 {
        /// The table.
        path: PathBuf,
        /// The first byte that is none.
        found: NotUtf8,
    },
    /// A line has more or fewer cells than there are columns. Restore the table.
    #[error("{}:{line}: {found} cells, but the first line has {needed} columns; restore the table as it was written", path.display())]
    Cells {
        /// The table.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// Two columns of a table have one name, and in Parquet a name is one column. Make the table again,
    /// or rename one.
    #[error("{}: two columns are called \"{name}\", which Parquet cannot tell apart; make the tables again with `chronotap analyze`, rename one, or export as CSV", path.display())]
    TwoColumns {
        /// The file that would have been written.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// The file cannot be written: the folder is read-only, or the disk full.
    #[error("{}: cannot write it: {source}; name a writable place", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something is there already. Name another place.
    #[error("{}: already there; name a place where nothing is", .0.display())]
    Exists(PathBuf),
    /// Two datasets have one name, by which their rows could not be told apart. Rename a folder.
    #[error("two datasets are called \"{0}\"; rename the folder of one")]
    SameName(String),
    /// A dataset cannot be analyzed. Its own error says why.
    #[error(transparent)]
    Tables(#[from] chronotap_tables::TablesError),
    /// Somebody asked for the end, as with Ctrl-C. Do it again.
    #[error("interrupted; the tables are as they were before: run it again for new ones")]
    Interrupted,
    /// The same of a folder that was to be filled. Remove it, and do it again.
    #[error("interrupted: {} is not complete; remove it, and run it again", .0.display())]
    Incomplete(PathBuf),
    /// This program was built without Parquet. Build it with the feature `parquet`.
    #[error(
        "this program was built without Parquet; build it with `cargo build --release -p chronotap-cli`, or take CSV"
    )]
    NoParquet,
}

impl ExchangeError {
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
