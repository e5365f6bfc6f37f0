//! Paths in JSON. The names of files need not be Unicode, and JSON knows nothing else: a path that
//! is shown has a mark where it is not, and one that is opened stands there byte by byte.

use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A path that people read.
pub(crate) fn shown<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

/// Paths that people read.
pub(crate) fn all_shown<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| path.display().to_string()))
}

/// A path that is opened.
pub(crate) mod exact {
    use super::{Path, PathBuf, Serialize, Serializer};
    use serde::{Deserialize, Deserializer};
    use std::ffi::OsString;

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(to)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(from).map(PathBuf::from)
    }
}

/// Whether somebody who chose from a list meant this.
pub(crate) fn is_meant(path: &Path, chosen: &Path) -> bool {
    path.to_string_lossy() == chosen.to_string_lossy()
}
