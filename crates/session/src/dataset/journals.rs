//! Where the journals of a dataset lie.

use super::{Dataset, DatasetError};
use chronotap_core::files::{Disk as AnyDisk, is_dropping};
use chronotap_data::tables::names::SOURCE;
use std::path::{Path, PathBuf};

/// The journals of a dataset, from its folder, in the order of their names. One that lies elsewhere than
/// its name says, as in a copied folder, is no session: [`astray`] has it.
///
/// # Errors
/// [`DatasetError::Disk`].
pub fn journals<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = all_journals(dataset)?;
    found.retain(|path| is_in_its_place(path));
    Ok(found)
}

/// The journals that lie elsewhere than their names say.
pub(crate) fn astray<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = all_journals(dataset)?;
    found.retain(|path| !is_in_its_place(path));
    Ok(found)
}

fn all_journals<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    collect(dataset, Path::new(SOURCE), 3, &mut found)?;
    found.sort();
    Ok(found)
}

/// Whether the folders of a journal are those that its name says: `sub-07/ses-1` of `sub-07_ses-1_…`.
fn is_in_its_place(journal: &Path) -> bool {
    let folder = journal.parent().and_then(|folder| folder.strip_prefix(SOURCE).ok());
    let parts: Vec<String> =
        folder.into_iter().flatten().map(|part| part.to_string_lossy().into_owned()).collect();
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(&format!("{}_task-", parts.join("_")))
        && parts.first().and_then(|first| first.strip_prefix("sub-")).is_some_and(is_label)
}

/// Whether it can be somebody's label.
pub(crate) fn is_label(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Those of one participant.
pub(crate) fn journals_of<D: AnyDisk>(
    dataset: &Dataset<D>,
    label: &str,
) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    let folder = Path::new(SOURCE).join(format!("sub-{label}"));
    if dataset.has_folder(&folder) {
        collect(dataset, &folder, 2, &mut found)?;
    }
    found.retain(|path| is_in_its_place(path));
    found.sort();
    Ok(found)
}

fn collect<D: AnyDisk>(
    dataset: &Dataset<D>,
    folder: &Path,
    depth: u32,
    found: &mut Vec<PathBuf>,
) -> Result<(), DatasetError> {
    for name in dataset.names_in(folder)? {
        if is_dropping(&name) {
            continue;
        }
        let (path, name) = (folder.join(&name), name.to_string_lossy());
        let deeper = depth > 0 && (name.starts_with("sub-") || name.starts_with("ses-"));
        if deeper && dataset.has_folder(&path) {
            collect(dataset, &path, depth - 1, found)?;
        } else if name.ends_with("_journal.jsonl") {
            found.push(path);
        }
    }
    Ok(())
}
