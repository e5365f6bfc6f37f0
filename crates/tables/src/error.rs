//! What can go wrong between recorded trials and tables, and what to do about it.

use std::io;
use std::path::PathBuf;

/// Why tables could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// There is no such file or folder, or it cannot be read.
    #[error("{}: cannot read it: {source}; name a dataset, or events files (…_events.tsv)", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder holds no trial. Name the folder of the dataset, above `sub-…`.
    #[error("{}: no trial in it: neither a table of trials (…_beh.tsv) nor an events file (…_events.tsv); name the folder of the dataset, above sub-…", path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// All whose trials are named withdrew. There is nothing to analyze.
    #[error("{}: whoever tapped here withdrew, so nothing is left to be analyzed; name other trials", path.display())]
    AllWithdrew {
        /// The folder or file.
        path: PathBuf,
    },
    /// A folder is named beside other things. Analyze each dataset by itself.
    #[error("{}: a folder stands alone; name one dataset, or only events files", path.display())]
    Mixed {
        /// The folder.
        path: PathBuf,
    },
    /// A table of trials or of participants is not one that Chronotap writes.
    #[error("{}:{line}: {what}; bring back the table that `chronotap run` wrote", path.display())]
    Table {
        /// The table.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Single files have no dataset to write into. Say where the tables go.
    #[error("single files have no dataset that the tables could go to; say where, with --to DIR")]
    NoPlace,
    /// A file of another origin stands where a table would go. Nothing of others is
    /// overwritten: choose another folder.
    #[error("{}: already there, and there is no record of an analysis beside it; choose another folder with --to DIR", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The tables could not be written: the folder is read-only or the disk full.
    #[error("{}: cannot write it: {source}; name a writable folder with --to DIR", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
