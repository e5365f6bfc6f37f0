//! The study that a dataset was recorded with, where the dataset keeps its files.

use chronotap_core::files::read_to_string;
use chronotap_design::{Doing, Experiment, Folder, RecordedFolder};
use std::path::{Path, PathBuf};

/// The study of a dataset as it was run last; `None` where none is kept, or it cannot be read any more.
pub fn study(dataset: &Path) -> Option<Experiment> {
    let mut studies = inside(&dataset.join("sourcedata"));
    studies.retain(|path| name(path).starts_with("study-"));
    let folder = studies.pop()?;
    let is_study = |path: &PathBuf| {
        name(path).ends_with(".toml")
            && read_to_string(path).is_ok_and(|text| Experiment::is_one(&text))
    };
    let file = inside(&folder).into_iter().find(is_study)?;
    Experiment::read_from(&RecordedFolder(Folder(folder)), &name(&file)).ok()
}

/// What a folder holds, sorted by name; nothing where there is none.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = items.filter_map(|item| Some(item.ok()?.path())).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The steps in which something is practised until it can be done.
pub(super) fn practice(study: Option<&Experiment>) -> Vec<String> {
    let steps = study.into_iter().flat_map(|study| &study.steps);
    let practised = steps
        .filter(|step| matches!(&step.doing, Doing::Trials(trials) if trials.practice.is_some()));
    practised.map(|step| step.name.clone()).collect()
}
