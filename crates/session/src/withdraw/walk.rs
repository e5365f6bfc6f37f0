//! [`walk`]: everything in a dataset, name by name. No link is followed.

use crate::dataset::{Dataset, DatasetError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::{self};
use std::fs;
use std::path::{Path, PathBuf};

/// What stands under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    /// A link, and what it leads to.
    Link(PathBuf),
}

/// Something in a dataset, by its path from the dataset's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub path: PathBuf,
    pub kind: Kind,
}

/// Everything in a folder and below, a folder before what is in it.
pub(crate) fn walk<D: AnyDisk>(
    dataset: &Dataset<D>,
    folder: &Path,
) -> Result<Vec<Entry>, DatasetError> {
    let mut found = Vec::new();
    let mut ahead = vec![folder.to_owned()];
    while let Some(folder) = ahead.pop() {
        for name in dataset.names_in(&folder)? {
            let path = folder.join(name);
            let kind = kind(dataset, &path);
            if kind == Kind::Folder {
                ahead.push(path.clone());
            }
            found.push(Entry { path, kind });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn kind<D: AnyDisk>(dataset: &Dataset<D>, path: &Path) -> Kind {
    match fs::read_link(dataset.root().join(path)) {
        Ok(target) => Kind::Link(target),
        Err(_) if dataset.has_folder(path) => Kind::Folder,
        Err(_) => Kind::File,
    }
}

/// Whether this is a folder or a file of another participant, with a name that says so: the
/// program wrote it, and it tells of nobody else.
pub(crate) fn is_of_another(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    let first = parts.next().unwrap_or_default();
    let of = if first == names::SOURCE { parts.next().unwrap_or_default() } else { first };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_theirs = |rest: &str| rest.is_empty() || rest.starts_with(['_', '.']);
    of.starts_with("sub-") && name.strip_prefix(&*of).is_some_and(is_theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_another_by_its_folder_and_its_name_together() {
        let is = |path: &str| is_of_another(Path::new(path));
        assert!(
            is("sub-02/beh/sub-02_task-short_beh.tsv") && is("sourcedata/sub-02/sub-02_plan.tsv")
        );
        for path in ["sub-02/beh/notes.txt", "notes/sub-02_plan.tsv", "notes/notes_1.txt"] {
            assert!(!is(path), "{path} may tell of anybody");
        }
    }
}
