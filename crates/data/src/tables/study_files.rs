//! [`study_files`]: where a dataset keeps the study that was run.

use crate::tables::names::SOURCE;
use std::path::{Path, PathBuf};

/// The files of the study of a dataset as it was run last, sorted by name; none where none is kept.
pub fn study_files(dataset: &Path) -> Vec<PathBuf> {
    let mut studies = inside(&dataset.join(SOURCE));
    studies.retain(|path| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"study-"))
    });
    studies.last().map_or_else(Vec::new, |study| inside(study))
}

/// What a folder holds, sorted by name; nothing where there is none.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = items.filter_map(|item| Some(item.ok()?.path())).collect();
    paths.sort();
    paths
}
