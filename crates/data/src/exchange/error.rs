//! What can go wrong between tables and other programs.

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
    /// A dataset cannot be analyzed.
    #[error(transparent)]
    Tables(#[from] crate::tables::TablesError),
    /// Somebody asked for the end, as with Ctrl-C.
    #[error("interrupted; the tables are as they were before")]
    Interrupted,
    /// The same of a folder that was to be filled.
    #[error("interrupted: {} is not complete", .0.display())]
    Incomplete(PathBuf),
    /// This program was built without Parquet and workbooks.
    #[error("this program was built without Parquet and workbooks")]
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
