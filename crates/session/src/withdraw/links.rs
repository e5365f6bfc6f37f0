//! What is behind links is not in the dataset, and would stay where only the link is removed.

use super::walk::{Kind, walk};
use crate::checksum::sha256;
use crate::dataset::{Dataset, DatasetError};
use chronotap_core::files::{self, Identity};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// An error that names every link in these folders, and these themselves, behind which data would
/// stay. A link that leads nowhere, or within the same folder, hides nothing.
pub(super) fn refuse(dataset: &Dataset, folders: &[PathBuf]) -> Result<(), DatasetError> {
    let mut found = Vec::new();
    for folder in folders {
        if let Ok(target) = fs::read_link(dataset.root().join(folder)) {
            found.push((folder.clone(), target));
        } else if dataset.has_folder(folder) {
            found.extend(links_in(dataset, folder)?);
        }
    }
    let Some((first, _)) = found.first() else { return Ok(()) };
    let each = found.iter().map(|(path, target)| {
        let (path, target) = (path.display(), target.display());
        format!("{path}: it is a link to {target}, and what that holds would stay")
    });
    let each: Vec<String> = each.collect();
    let cure = "; remove what is behind each link, then the link";
    let source = io::Error::other(format!("{}{cure}", each.join("; ")));
    Err(DatasetError::Disk { path: dataset.root().join(first), source })
}

fn links_in(dataset: &Dataset, folder: &Path) -> Result<Vec<(PathBuf, PathBuf)>, DatasetError> {
    let own = files::real(&dataset.root().join(folder));
    let own = dataset.told(folder, own)?;
    let hides = |path: &Path| match files::real(&dataset.root().join(path)) {
        Ok(whole) => !whole.starts_with(&own),
        Err(_) => false,
    };
    let links = walk(dataset, folder)?.into_iter().filter_map(|entry| match entry.kind {
        Kind::Link(target) => Some((entry.path, target)),
        _ => None,
    });
    Ok(links.filter(|(path, _)| hides(path)).collect())
}

/// What the person's files are besides their names: these files on the disk, and their bytes.
pub(super) struct OwnFiles {
    files: BTreeMap<(u64, u64), (PathBuf, u64, u64)>, // each with its names on the disk, and in the folders
    sums: BTreeMap<u64, BTreeSet<String>>,            // by length
}

/// Ends of names of files that no other participant has with the same bytes.
const OWN: [&str; 7] = [
    "_events.tsv",
    "_events.json",
    "_beh.tsv",
    "_journal.jsonl",
    ".journal",
    "_callbacks.tsv.gz",
    "_physio.tsv.gz",
];

impl OwnFiles {
    /// All files in these folders.
    pub(super) fn of(dataset: &Dataset, folders: &[PathBuf]) -> Result<OwnFiles, DatasetError> {
        let mut held = OwnFiles { files: BTreeMap::new(), sums: BTreeMap::new() };
        for folder in folders.iter().filter(|folder| dataset.has_folder(folder)) {
            for entry in walk(dataset, folder)?.into_iter().filter(|e| e.kind == Kind::File) {
                held.add(dataset, entry.path)?;
            }
        }
        Ok(held)
    }

    fn add(&mut self, dataset: &Dataset, path: PathBuf) -> Result<(), DatasetError> {
        let about = dataset.told(&path, fs::symlink_metadata(dataset.root().join(&path)))?;
        let name = path.to_string_lossy();
        if about.is_file() && about.len() > 0 && OWN.iter().any(|end| name.ends_with(end)) {
            let bytes = dataset.told(&path, dataset.bytes(&path))?;
            self.sums.entry(about.len()).or_default().insert(sha256(&bytes));
        }
        if let Some((file, names)) = files::identity(&about) {
            self.files.entry(file).or_insert((path, names, 0)).2 += 1;
        }
        Ok(())
    }

    /// Whether a file outside of the folders is one of theirs under another name, or a copy.
    pub(super) fn is(&self, about: &Metadata, bytes: impl FnOnce() -> io::Result<Vec<u8>>) -> bool {
        let known = |(file, _)| self.files.contains_key(&file);
        if files::identity(about).is_some_and(known) {
            return true;
        }
        let sums = self.sums.get(&about.len()).filter(|_| about.is_file());
        sums.is_some_and(|sums| bytes().is_ok_and(|bytes| sums.contains(&sha256(&bytes))))
    }

    /// Files that have more names on the disk than the dataset knows, and stay under these;
    /// `elsewhere` is how many of their names are in the dataset outside of the folders.
    pub(super) fn live_on(&self, elsewhere: impl Fn(Identity) -> u64) -> Vec<&Path> {
        let more =
            self.files.iter().filter(|(file, (_, names, here))| *names > here + elsewhere(**file));
        more.map(|(_, (path, ..))| path.as_path()).collect()
    }
}
