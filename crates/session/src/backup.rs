//! [`backup`]: a copy of a whole dataset, each file compared with its original when the copy
//! is on the disk.

use crate::checksum::sha256;
use crate::dataset::{Dataset, DatasetError};
use crate::disk::Disk;
use std::io;
use std::path::{Path, PathBuf};

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The dataset refuses.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// There is something already. Name a folder that is not there.
    #[error("{}: is there already; name a folder that is not", path.display())]
    There {
        /// The folder.
        path: PathBuf,
    },
    /// The copy would lie in the dataset itself. Name a folder elsewhere.
    #[error("{}: lies within the dataset; name a folder elsewhere", path.display())]
    Within {
        /// The folder.
        path: PathBuf,
    },
    /// The disk of the copy refuses. Free space, or name another folder.
    #[error("{}: {source}; free space or name another folder", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the copy is not its original: it changed meanwhile, or the disk is bad.
    #[error("{}: not the same as its original; end sessions that are under way, and try another disk", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
    },
}

/// Copies a dataset into a new folder. Nobody writes who took part while it is copied; a
/// session that is under way may leave a part of its last trial behind, as a power cut would.
///
/// # Errors
/// [`BackupError`]; a copy that was begun stays, to be looked at.
pub fn backup(dataset: &Dataset, to: &Path) -> Result<Copied, BackupError> {
    if chronotap_files::is_there(to) {
        return Err(BackupError::There { path: to.to_owned() });
    }
    let _lock = dataset.lock()?;
    let mut files = Vec::new();
    list(dataset, Path::new(""), &mut files)?;
    let disk = Disk::that_syncs_at_the_end();
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| BackupError::Disk { path, source }
    };
    disk.make_folder(to).map_err(refused(to))?;
    if is_within(to, dataset.root()) {
        let _ = std::fs::remove_dir(to); // it was just made, and is empty
        return Err(BackupError::Within { path: to.to_owned() });
    }
    let mut copied = Copied::default();
    let mut sums = Vec::with_capacity(files.len());
    for path in &files {
        let bytes = dataset.told(path, chronotap_files::read(&dataset.root().join(path)))?;
        let copy = to.join(path);
        disk.make_folder(copy.parent().unwrap_or(to)).map_err(refused(&copy))?;
        disk.place(&copy, &bytes).map_err(refused(&copy))?;
        sums.push(sha256(&bytes));
        copied.files += 1;
        copied.bytes += bytes.len() as u64;
    }
    disk.sync_all_of(to).map_err(refused(to))?;
    for (path, sum) in files.iter().zip(sums) {
        let copy = to.join(path);
        let bytes = chronotap_files::read(&copy).map_err(refused(&copy))?;
        if sha256(&bytes) != sum {
            return Err(BackupError::Differs { path: copy });
        }
    }
    Ok(copied)
}

fn is_within(folder: &Path, root: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole(folder).starts_with(whole(root))
}

/// Every file of the dataset, from its folder; locks hold nothing.
fn list(dataset: &Dataset, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), DatasetError> {
    let entries = dataset.told(folder, std::fs::read_dir(dataset.root().join(folder)))?;
    for entry in entries.filter_map(Result::ok) {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            list(dataset, &path, files)?;
        } else if path.extension().is_none_or(|end| end != "lock") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}
