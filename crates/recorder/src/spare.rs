//! The spare folders: where the files of a trial go when their own folder refuses them in the
//! end, because the disk is full or read-only, or somebody removed the folder. And what an error then
//! says is left: never a journal that is not there.

use chronotap_core::files::{Disk, OtherFolder, Refusal};
use chronotap_data::record::place::TrialFiles;
use chronotap_data::record::{Left, RecordError};
use std::io;
use std::path::{Path, PathBuf};

/// Names that are tried in a folder.
const TRIES: u32 = 1_000;

/// Why the files of a trial are not in the folder that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What every folder said that refused them.
    pub because: String,
    /// Why the trial's own folder refused them.
    pub refusal: Refusal,
    /// The journal, where it still has its name: it holds a part of the same trial.
    pub left: Option<PathBuf>,
}

/// The spare folders; the trial's own is the last of them where it was removed, and is made anew.
pub(crate) fn folders<D: Disk>(disk: &D, given: &[PathBuf], own: Option<&Path>) -> Vec<PathBuf> {
    let removed = own.filter(|own| !own.as_os_str().is_empty() && !disk.is_there(own));
    given.iter().cloned().chain(removed.map(Path::to_owned)).collect()
}

/// The files of a trial in a spare folder, which is made where it is missing: `NAME`, or where
/// another trial has that name `NAME_2`, and so on.
pub(crate) fn make_room<D: Disk>(
    disk: &D,
    dir: &Path,
    name: &str,
) -> Result<TrialFiles, RecordError> {
    let refused = |source| RecordError::Events { path: dir.to_owned(), source };
    disk.create_folder(dir).map_err(refused)?;
    let numbered = |number: u32| match number {
        1 => name.to_owned(),
        more => format!("{name}_{more}"),
    };
    let files = (1..TRIES).map(|number| TrialFiles::of(dir, &numbered(number)));
    let mut free = files.filter(|files| !files.all().any(|path| disk.is_there(path)));
    free.next().ok_or_else(|| refused(io::Error::other("a thousand trials of that name are there")))
}

/// What is said where something else has taken the place of the trial's own folder.
pub(crate) fn other(folder: &OtherFolder) -> RecordError {
    let path = folder.path.clone();
    let why = "something else has taken its place, such as a link, and nothing is written there";
    RecordError::Events { path, source: io::Error::new(io::ErrorKind::NotFound, why) }
}

/// In which way a file was refused.
pub(crate) fn refusal(refused: &RecordError) -> Refusal {
    match refused {
        RecordError::Journal { source, .. }
        | RecordError::Events { source, .. }
        | RecordError::Unsaved { source, .. } => Refusal::of(source),
        _ => Refusal::Broken,
    }
}

/// What refused a file, and how, without what to do about it.
pub(crate) fn why(refused: &RecordError) -> String {
    match refused {
        RecordError::Journal { path, source, .. }
        | RecordError::Events { path, source }
        | RecordError::Unsaved { path, source, .. } => format!("{}: {source}", path.display()),
        RecordError::Taken { path, .. } => {
            format!("{}: already there, and nothing is overwritten", path.display())
        }
        other => other.to_string(),
    }
}

/// An error of the events files of a trial that is over; `journal` is what is left of it.
pub(crate) fn unsaved(error: RecordError, journal: Option<&PathBuf>) -> RecordError {
    let left = Left::of(journal);
    match error {
        RecordError::Events { path, source } | RecordError::Callbacks { path, source, .. } => {
            RecordError::Unsaved { path, source, left }
        }
        RecordError::Exists { path } => RecordError::Taken { path, left },
        other => other,
    }
}
