//! [`Aside`]: what lies in a dataset and is left out.

use chronotap_core::text::counted;
use std::fmt;
use std::path::Path;

/// Something in a dataset whose trials are left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The file or folder, from the dataset's folder.
    pub shown: String,
    pub why: Why,
}

/// Why trials that lie in a dataset are none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// They are there a second time, where their names say.
    Copy,
    /// Their names say that they belong into another folder, where they are not.
    Elsewhere {
        /// One of the files, and the folder that its name says; empty where it says none.
        file: String,
        due: String,
    },
    /// The folder is a dataset of its own.
    Dataset,
    /// Byte for byte they are the trials of another place.
    Same {
        /// The first of those that are used.
        of: String,
        /// How many are left out.
        trials: usize,
    },
}

impl Aside {
    /// Whether trials are left out that are nowhere else in the dataset.
    pub fn is_a_loss(&self) -> bool {
        match self.why {
            Why::Elsewhere { .. } => true,
            Why::Copy | Why::Dataset | Why::Same { .. } => false,
        }
    }

    /// Whether a file, by its path from the same folder, is of what is left out.
    pub fn has(&self, file: &Path) -> bool {
        file.starts_with(&self.shown)
    }
}

impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.shown;
        match &self.why {
            Why::Copy => write!(f, "{shown}: left out, because it is a copy of what is there"),
            Why::Elsewhere { file, due } if due.is_empty() => {
                write!(f, "{shown}: left out, because the name {file} does not say whose it is")
            }
            Why::Elsewhere { file, due } => {
                write!(f, "{shown}: left out, because {file} belongs into {due} by its name")
            }
            Why::Dataset => write!(f, "{shown}: left out, because it is a dataset of its own"),
            Why::Same { of, trials } => {
                let trials = counted(*trials, "trial");
                write!(f, "{shown}: {trials} left out, byte for byte the same as {of}")
            }
        }
    }
}
