//! The spare folders: where the files of a trial go when their own folder refuses them in the
//! end, because the disk is full or read-only, or somebody removed the folder. And what a
//! message then advises: never a journal that is not there.

use chronotap_files::{Disk, OtherFolder, Refusal};
use chronotap_record::RecordError;
use chronotap_record::place::Files;
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
pub(crate) fn make_room<D: Disk>(disk: &D, dir: &Path, name: &str) -> Result<Files, RecordError> {
    let refused = |source| {
        let cure = "name a folder that you may write to".to_owned();
        RecordError::Events { path: dir.to_owned(), source, cure }
    };
    disk.create_folder(dir).map_err(refused)?;
    let numbered = |number: u32| match number {
        1 => name.to_owned(),
        more => format!("{name}_{more}"),
    };
    let files = (1..TRIES).map(|number| Files::of(dir, &numbered(number)));
    let mut free = files.filter(|files| !files.all().any(|path| disk.is_there(path)));
    free.next().ok_or_else(|| refused(io::Error::other("a thousand trials of that name are there")))
}

/// What to do when nothing could be completed: recover what is left, where anything is.
pub(crate) fn cure(journal: Option<&PathBuf>, refusal: Refusal) -> String {
    match journal {
        Some(journal) => {
            format!("{}, then `chronotap recover {}`", refusal.cure(), journal.display())
        }
        None => format!(
            "its journal is gone too, so nothing of this trial is left there; {}, or give a folder \
             with --spare-data",
            refusal.cure()
        ),
    }
}

/// What is said where something else has taken the place of the trial's own folder.
pub(crate) fn other(folder: &OtherFolder) -> RecordError {
    let (path, cure) = (folder.path.clone(), String::new());
    let why = "something else has taken its place, such as a link, and nothing is written there";
    RecordError::Events { path, source: io::Error::new(io::ErrorKind::NotFound, why), cure }
}

/// In which way a file was refused.
pub(crate) fn refusal(refused: &RecordError) -> Refusal {
    match refused {
        RecordError::Journal { source, .. } | RecordError::Events { source, .. } => {
            Refusal::of(source)
        }
        _ => Refusal::Broken,
    }
}

/// What refused a file, and how, without what to do about it.
pub(crate) fn why(refused: &RecordError) -> String {
    match refused {
        RecordError::Journal { path, source, .. } | RecordError::Events { path, source, .. } => {
            format!("{}: {source}", path.display())
        }
        other => other.to_string(),
    }
}

/// An error of the events files with what to do about it; `journal` is what is left.
pub(crate) fn with_cure(error: RecordError, journal: Option<&PathBuf>) -> RecordError {
    match error {
        RecordError::Events { path, source, .. } => {
            let cure = cure(journal, Refusal::of(&source));
            RecordError::Events { path, source, cure }
        }
        RecordError::Exists { path } => {
            let source = io::Error::other("already there, and nothing is overwritten");
            let cure = cure(journal, Refusal::Full);
            let cure = cure.replace(Refusal::Full.cure(), "move it away");
            RecordError::Events { path, source, cure }
        }
        other => other,
    }
}
