//! The study that a dataset was recorded with, where the dataset keeps its files.

use chronotap_core::files::read_to_string;
use chronotap_data::tables::study_files;
use chronotap_design::{Doing, Experiment, Folder, RecordedFolder};
use std::path::{Path, PathBuf};

/// The study of a dataset as it was run last; `None` where none is kept, or it cannot be read any more.
pub fn study(dataset: &Path) -> Option<Experiment> {
    let is_study = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "toml")
            && read_to_string(path).is_ok_and(|text| Experiment::is_one(&text))
    };
    let file = study_files(dataset).into_iter().find(is_study)?;
    let name = file.file_name()?.to_string_lossy();
    Experiment::read_from(&RecordedFolder(Folder(file.parent()?.to_owned())), &name).ok()
}

/// The steps in which something is practised until it can be done.
pub(super) fn practice(study: Option<&Experiment>) -> Vec<String> {
    let steps = study.into_iter().flat_map(|study| &study.steps);
    let practised = steps
        .filter(|step| matches!(&step.doing, Doing::Trials(trials) if trials.practice.is_some()));
    practised.map(|step| step.name.clone()).collect()
}
