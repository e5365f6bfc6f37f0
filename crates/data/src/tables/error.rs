//! What can go wrong between recorded trials and tables.

use crate::tables::aside::Aside;
use crate::tables::unknown::ContrastError;
use chronotap_core::files::NotUtf8;
use std::io;
use std::path::{Path, PathBuf};

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
    /// A folder holds datasets, and is none.
    #[error("{}: no dataset, but a folder that holds {}", path.display(), named(datasets))]
    Above {
        path: PathBuf,
        /// Those that lie in it.
        datasets: Vec<PathBuf>,
    },
    /// A folder lies in a dataset, and is none.
    #[error("{}: no dataset, but a part of the dataset {}", path.display(), dataset.display())]
    Within { path: PathBuf, dataset: PathBuf },
    /// None of the tables of trials stands where its name says.
    #[error("{}: no table of trials stands where its name says; {aside}", path.display())]
    Astray {
        path: PathBuf,
        /// The first that does not.
        aside: Aside,
    },
    /// A correction was cut short, so that tables and journals say different things. Finish it.
    #[error("{}: a correction was cut short, and the tables do not have all of it", path.display())]
    Unfinished { path: PathBuf },
    /// The study leaves out whoever is in it by their answers. Name other trials, or change its rules.
    #[error("{}: the study leaves out whoever is in it, by their answers", path.display())]
    AllExcluded {
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
    /// A table of trials has levels of factors under the names of others. It was written so.
    #[error("{}: levels of other factors stand under {}", path.display(), factors.join(", "))]
    Exchanged {
        path: PathBuf,
        /// The factors whose columns they are.
        factors: Vec<String>,
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

/// Names of folders, the first of them where there are many.
fn named(folders: &[PathBuf]) -> String {
    const SHOWN: usize = 3;
    let name =
        |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names: Vec<String> = folders.iter().take(SHOWN).map(|folder| name(folder)).collect();
    match folders.len().saturating_sub(SHOWN) {
        0 => names.join(" and "),
        more => format!("{} and {more} more", names.join(", ")),
    }
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
    /// It names the events of another session, or of somebody else.
    #[error("`{0}` is of another session than the table")]
    OfAnother(String),
    /// It names events that another line names.
    #[error("`{0}` stands in another line too")]
    Twice(String),
}
