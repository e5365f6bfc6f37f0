//! What can go wrong between recorded trials and tables.

use crate::tables::ContrastError;
use chronotap_core::files::NotUtf8;
use std::io;
use std::path::PathBuf;

/// Why tables could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// There is no such file or folder, or it cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder holds no trial.
    #[error("{}: no trial in it: neither a table of trials (…_beh.tsv) nor an events file (…_events.tsv)", path.display())]
    Nothing { path: PathBuf },
    /// All whose trials are named withdrew.
    #[error("{}: whoever tapped here withdrew, so nothing is left to be analyzed", path.display())]
    AllWithdrew {
        /// The folder or file.
        path: PathBuf,
    },
    /// A folder is named beside other things.
    #[error("{}: a folder stands alone", path.display())]
    Mixed { path: PathBuf },
    /// A table of trials or of participants is not one that Chronotap writes.
    #[error("{}:{line}: {wrong}", path.display())]
    Table {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        wrong: Wrong,
    },
    /// Single files have no dataset to write into.
    #[error("single files have no dataset that the tables could go to")]
    NoPlace,
    /// A file of another origin stands where a table would go. Nothing of others is
    /// overwritten.
    #[error("{}: already there, and there is no record of an analysis beside it", path.display())]
    Exists { path: PathBuf },
    /// A contrast that is asked for names what is not there.
    #[error("\"{words}\": {source}")]
    Contrast { words: String, source: ContrastError },
    /// The tables could not be written: the folder is read-only or the disk full.
    #[error("{}: cannot write it: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What is wrong with a line of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A byte in it is no UTF-8.
    #[error(transparent)]
    NotUtf8(NotUtf8),
    /// It has more or fewer cells than there are columns.
    #[error("{found} cells, but the first line has {needed} columns")]
    Cells {
        /// How many it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// The first line lacks a column.
    #[error("there is no column `{0}`")]
    NoColumn(String),
    /// It names a file outside of the dataset.
    #[error("`{0}` is outside of the dataset")]
    Outside(String),
}
