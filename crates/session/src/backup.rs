//! [`backup`]: a copy of a whole dataset, each file compared with its original when the copy
//! is on the disk. What is compared is read from the disk again: the system is asked to forget
//! what it has of the copy in memory.

use crate::checksum::sha256;
use crate::dataset::{Dataset, DatasetError};
use crate::disk::SessionDisk;
use crate::system;
use chronotap_core::files::real;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    pub files: usize,
    pub bytes: u64,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// There is something already. Name a folder that is not there.
    #[error("{}: is there already", path.display())]
    There { path: PathBuf },
    /// The copy would lie in the dataset itself. Name a folder elsewhere.
    #[error("{}: lies within the dataset", path.display())]
    Within { path: PathBuf },
    /// The disk of the copy refuses. Free space, or name another folder.
    #[error("{}: {source}", path.display())]
    Disk {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the copy is not its original: it changed meanwhile, or the disk is bad.
    #[error("{}: not the same as its original", path.display())]
    Differs { path: PathBuf },
}

/// Copies a dataset into a new folder. Nobody writes who took part while it is copied; a
/// session that is under way may leave a part of its last trial behind, as a power cut would.
///
/// # Errors
/// [`BackupError`]; a copy that was begun stays, to be looked at.
pub fn backup(dataset: &Dataset, to: &Path) -> Result<Copied, BackupError> {
    if chronotap_core::files::is_there(to) {
        return Err(BackupError::There { path: to.to_owned() });
    }
    let _lock = dataset.lock()?;
    let mut there = There::default();
    list(dataset, Path::new(""), &mut there)?;
    let disk = SessionDisk::that_syncs_at_the_end();
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| BackupError::Disk { path, source }
    };
    disk.make_folder(to).map_err(refused(to))?;
    if is_within(to, dataset.root()) {
        let _ = std::fs::remove_dir(to); // it was just made, and is empty
        return Err(BackupError::Within { path: to.to_owned() });
    }
    for folder in there.folders.iter().map(|folder| to.join(folder)) {
        disk.make_folder(&folder).map_err(refused(&folder))?;
    }
    let mut copied = Copied::default();
    let mut sums = Vec::with_capacity(there.files.len());
    for path in &there.files {
        let bytes = dataset.told(path, chronotap_core::files::read(&dataset.root().join(path)))?;
        let copy = to.join(path);
        disk.place(&copy, &bytes).map_err(refused(&copy))?;
        sums.push(sha256(&bytes));
        copied.files += 1;
        copied.bytes += bytes.len() as u64;
    }
    disk.sync_all_of(to).map_err(refused(to))?;
    for (path, sum) in there.files.iter().zip(sums) {
        let copy = to.join(path);
        let bytes = read_from_disk(&copy).map_err(refused(&copy))?;
        if sha256(&bytes) != sum {
            return Err(BackupError::Differs { path: copy });
        }
    }
    Ok(copied)
}

/// What the disk has of a file that was synced. Some file systems are nowhere but in memory, and keep
/// it.
fn read_from_disk(path: &Path) -> io::Result<Vec<u8>> {
    let file = chronotap_core::files::open_to_sync(&chronotap_core::files::System, path)?;
    file.sync_all()?; // what is not on the disk yet is not forgotten
    system::forget(&file)?;
    chronotap_core::files::read(path)
}

pub(crate) fn is_within(folder: &Path, root: &Path) -> bool {
    let whole = |path: &Path| real(path).unwrap_or_else(|_| path.to_owned());
    whole(folder).starts_with(whole(root))
}

/// Whether it is a folder of its own. One that a link leads to may hold anything, the dataset
/// itself too; a link to a file is as good as the file.
fn is_folder(entry: &DirEntry) -> io::Result<bool> {
    let kind = entry.file_type()?;
    if kind.is_symlink() && entry.path().is_dir() {
        let why = "it is a link to a folder, which is not copied; put the folder itself there";
        return Err(io::Error::other(why));
    }
    Ok(kind.is_dir())
}

/// What is in a dataset, from its folder.
#[derive(Default)]
pub(crate) struct There {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
}

/// Everything in a folder of the dataset, a folder before what is in it.
pub(crate) fn list(
    dataset: &Dataset,
    folder: &Path,
    there: &mut There,
) -> Result<(), DatasetError> {
    let entries = dataset.told(folder, std::fs::read_dir(dataset.root().join(folder)))?;
    for entry in entries {
        let entry = dataset.told(folder, entry)?;
        let path = folder.join(entry.file_name());
        if dataset.told(&path, is_folder(&entry))? {
            there.folders.push(path.clone());
            list(dataset, &path, there)?;
        } else {
            there.files.push(path);
        }
    }
    there.files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::About;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_to_folders_and_pipes_are_refused_by_name_and_a_link_to_a_file_is_copied() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        let about = About { task: "t".into(), ..About::default() };
        let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
        fs::write(dir.path().join("file"), "text").unwrap();
        symlink("../file", root.join("linked")).unwrap();
        backup(&dataset, &dir.path().join("copy")).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("copy/linked")).unwrap(), "text");
        symlink(".", root.join("round")).unwrap();
        let refused = backup(&dataset, &dir.path().join("b")).unwrap_err().to_string();
        assert!(refused.contains("d/round: it is a link to a folder"), "{refused}");
        fs::remove_file(root.join("round")).unwrap();
        let pipe = root.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = backup(&dataset, &dir.path().join("c")).unwrap_err().to_string();
        assert!(refused.contains("d/pipe: it is a pipe, not a file"), "{refused}");
    }

    #[test]
    fn every_file_and_folder_is_copied_whatever_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        let about = About { task: "t".into(), ..About::default() };
        let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
        fs::create_dir_all(root.join("empty/within")).unwrap();
        fs::write(root.join("poetry.lock"), "mine").unwrap();
        fs::write(root.join(".hidden"), "mine").unwrap();
        let copied = backup(&dataset, &dir.path().join("copy")).unwrap();
        let copy = |name: &str| dir.path().join("copy").join(name);
        assert!(copy("empty/within").is_dir());
        for name in ["poetry.lock", ".hidden", "sourcedata/dataset.lock"] {
            assert_eq!(fs::read(copy(name)).unwrap(), fs::read(root.join(name)).unwrap(), "{name}");
        }
        let mut all = There::default();
        list(&dataset, Path::new(""), &mut all).unwrap();
        assert_eq!(copied.files, all.files.len());
    }
}
