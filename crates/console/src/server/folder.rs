//! [`list`]: the studies and datasets in a folder, for the first page.

use crate::paths::{is_meant, shown};
use chronotap_experiment::TrialFile;
use chronotap_session::status::{SessionStatus, status};
use chronotap_session::{About, Dataset, Study};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Folders within folders that are looked into.
const DEPTH: usize = 3;
/// Files and folders that are looked at.
const MOST: usize = 5_000;
/// Bytes of a file that is read to see what it is.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What is in a folder.
#[derive(Debug, Default, Serialize)]
pub(super) struct Folder {
    #[serde(serialize_with = "shown")]
    folder: PathBuf,
    /// Whether there is no such folder any more.
    gone: bool,
    studies: Vec<StudyFound>,
    trials: Vec<TrialFound>,
    datasets: Vec<DatasetFound>,
}

/// An experiment file.
#[derive(Debug, Serialize)]
pub(super) struct StudyFound {
    /// Its path from the folder.
    #[serde(serialize_with = "shown")]
    pub(super) path: PathBuf,
    title: String,
    task: String,
    participants: u32,
    sessions: u32,
    /// What is wrong with it, so that it cannot be run; empty where nothing is.
    problem: String,
    #[serde(skip)]
    about: Option<About>,
}

/// A trial file that can be run for itself.
#[derive(Debug, Serialize)]
pub(super) struct TrialFound {
    /// Its path from the folder.
    #[serde(serialize_with = "shown")]
    path: PathBuf,
    title: String,
}

/// A dataset.
#[derive(Debug, Serialize)]
pub(super) struct DatasetFound {
    #[serde(serialize_with = "shown")]
    path: PathBuf,
    title: String,
    task: String,
    simulated: bool,
    planned: u32,
    sessions: Vec<SessionStatus>,
    /// The labels of those who withdrew.
    withdrawn: Vec<String>,
    /// Studies beside it whose files are no longer those that its sessions ran.
    changed: Vec<Changed>,
    problems: Vec<String>,
}

/// What has changed of a study.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Changed {
    #[serde(serialize_with = "shown")]
    study: PathBuf,
    files: Vec<String>,
}

/// Looks through a folder.
pub(super) fn list(folder: &Path) -> Folder {
    let gone = !folder.is_dir();
    let mut found = Folder { folder: folder.to_owned(), gone, ..Folder::default() };
    let mut left = MOST;
    look(folder, Path::new(""), DEPTH, &mut left, &mut found);
    found.studies.sort_by(|a, b| a.path.cmp(&b.path));
    found.trials.sort_by(|a, b| a.path.cmp(&b.path));
    found.datasets.sort_by(|a, b| a.path.cmp(&b.path));
    let Folder { studies, datasets, .. } = &mut found;
    datasets.iter_mut().for_each(|dataset| dataset.changed = changed(folder, dataset, studies));
    found
}

/// What has changed of the studies whose data these are.
fn changed(folder: &Path, found: &DatasetFound, studies: &[StudyFound]) -> Vec<Changed> {
    let Ok(dataset) = Dataset::open(&folder.join(&found.path)) else { return Vec::new() };
    let beside = |study: &&StudyFound| study.path.parent() == found.path.parent();
    let of_it = studies.iter().filter(beside).filter(|study| study.task == found.task);
    let changed = of_it.filter_map(|study| {
        let files = dataset.changed_files(study.about.as_ref()?).ok()?;
        Some(Changed { study: study.path.clone(), files })
    });
    changed.filter(|changed| !changed.files.is_empty()).collect()
}

/// The path of a study that the list has by this name.
pub(super) fn study(folder: &Path, path: &Path) -> Option<PathBuf> {
    let listed = list(folder).studies.into_iter().find(|study| is_meant(&study.path, path))?;
    Some(folder.join(listed.path))
}

/// The path and title of a trial that the list has by this name.
pub(super) fn trial(folder: &Path, path: &Path) -> Option<(PathBuf, String)> {
    let listed = list(folder).trials.into_iter().find(|trial| is_meant(&trial.path, path))?;
    Some((folder.join(listed.path), listed.title))
}

/// The path of a dataset that the list has by this name.
pub(super) fn dataset_of(folder: &Path, path: &Path) -> Option<PathBuf> {
    let listed = list(folder).datasets.into_iter().find(|found| is_meant(&found.path, path))?;
    Some(folder.join(listed.path))
}

/// The label of a participant whose session in this dataset has nothing left to do.
pub(super) fn complete(study: &Path, data: &Path, label: &str, number: u32) -> Option<String> {
    let label = Study::read(study).ok()?.label(label).ok()?;
    let began = status(&Dataset::open(data).ok()?).ok()?.began;
    let this = |one: &SessionStatus| one.label == label && one.session == number && one.complete;
    began.iter().any(this).then_some(label)
}

fn look(folder: &Path, inner: &Path, depth: usize, left: &mut usize, found: &mut Folder) {
    let here = folder.join(inner);
    if here.join("dataset_description.json").is_file() {
        found.datasets.extend(dataset(&here, inner));
        return; // what is in a dataset is its own
    }
    let Ok(entries) = std::fs::read_dir(&here) else { return };
    for entry in entries.filter_map(Result::ok) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else { continue };
        let path = inner.join(&name);
        if name.to_string_lossy().starts_with('.') {
        } else if kind.is_dir() && depth > 0 {
            look(folder, &path, depth - 1, left, found);
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| ending == "toml")
            && entry.metadata().is_ok_and(|file| file.len() <= LARGEST)
        {
            toml(&folder.join(&path), path, found);
        }
    }
}

/// Adds an experiment file or a trial file. Other files of this form there may be many, and a
/// trial that lacks what its experiment sets is none by itself.
fn toml(file: &Path, path: PathBuf, found: &mut Folder) {
    let Ok(text) = chronotap_files::read_to_string(file) else { return };
    if Study::is_one(&text) {
        found.studies.push(experiment(file, path));
    } else if let Ok(trial) = TrialFile::parse(&text, &file.to_string_lossy()) {
        let title = trial.title;
        found.trials.push(TrialFound { path, title });
    }
}

fn experiment(file: &Path, path: PathBuf) -> StudyFound {
    match Study::read(file) {
        Ok(study) => StudyFound {
            path,
            title: study.experiment.title.clone(),
            task: study.experiment.task.clone(),
            participants: study.experiment.participants,
            sessions: study.experiment.sessions,
            problem: String::new(),
            about: Some(study.about),
        },
        Err(error) => {
            let (title, problem) = (path.display().to_string(), error.to_string());
            let task = String::new();
            StudyFound { path, title, task, participants: 0, sessions: 0, problem, about: None }
        }
    }
}

fn dataset(here: &Path, path: &Path) -> Option<DatasetFound> {
    let dataset = Dataset::open(here).ok()?; // a dataset of another program
    let (path, task) = (path.to_owned(), dataset.task().unwrap_or_default());
    Some(match status(&dataset) {
        Ok(found) => DatasetFound {
            path,
            planned: found.planned * found.sessions,
            sessions: found.began,
            title: found.title,
            task,
            simulated: found.simulated,
            withdrawn: found.withdrawn,
            changed: Vec::new(),
            problems: found.problems,
        },
        Err(error) => DatasetFound {
            path,
            title: String::new(),
            task,
            simulated: dataset.is_simulated(),
            planned: 0,
            sessions: Vec::new(),
            withdrawn: Vec::new(),
            changed: Vec::new(),
            problems: vec![error.to_string()],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn studies_are_found_with_what_is_wrong_with_them() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("mine");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("study.toml"), "[[step]]\ntext = \"Hello\"\n").unwrap();
        std::fs::write(inner.join("broken.toml"), "titel = 1\n[[step]]\ntext = \"Hello\"\n")
            .unwrap();
        let trial = "title = \"A trial\"\n[[when]]\ntap = 1\nend = true\n";
        std::fs::write(inner.join("trial.toml"), trial).unwrap();
        std::fs::write(inner.join("machine.toml"), "[input]\npad = \"wire\"\n").unwrap();
        let found = list(dir.path());
        let names: Vec<_> =
            found.studies.iter().map(|study| study.path.to_string_lossy()).collect();
        assert_eq!(names, ["mine/broken.toml", "mine/study.toml"]);
        let trials: Vec<_> = found.trials.iter().map(|trial| trial.title.as_str()).collect();
        assert_eq!(trials, ["A trial"]);
        assert!(found.studies[0].problem.contains("title") && found.studies[1].problem.is_empty());
    }

    #[test]
    fn a_study_whose_file_was_edited_is_still_the_one_whose_data_these_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("study.toml");
        let text = "task = \"taps\"\n[[step]]\ntext = \"Hello\"\n";
        std::fs::write(&file, text).unwrap();
        let about = Study::read(&file).unwrap().about;
        let disk = chronotap_session::Disk::durable();
        let dataset = Dataset::open_or_make(&dir.path().join("data"), &about, false, disk).unwrap();
        dataset.keep_study(&about).unwrap();
        assert_eq!(list(dir.path()).datasets[0].changed, Vec::new());
        std::fs::write(&file, format!("title = \"Taps\"\n{text}")).unwrap();
        let found = list(dir.path());
        let (study, files) = ("study.toml".into(), vec!["study.toml".to_owned()]);
        assert_eq!(found.datasets[0].changed, [Changed { study, files }]);
        assert_eq!(found.datasets[0].task, found.studies[0].task);
    }

    #[test]
    fn a_name_that_is_no_unicode_is_shown_with_a_mark_and_can_be_chosen() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        let name = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9.toml"));
        std::fs::write(dir.path().join(name), "[[step]]\ntext = \"Hello\"\n").unwrap();
        let shown = serde_json::to_value(list(dir.path())).unwrap();
        let path = shown["studies"][0]["path"].as_str().unwrap();
        assert_eq!(path, "caf\u{fffd}.toml");
        assert_eq!(study(dir.path(), Path::new(path)), Some(dir.path().join(name)));
    }

    #[test]
    fn a_file_beyond_all_measure_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(dir.path().join("study.toml")).unwrap();
        std::io::Write::write_all(&mut &file, b"[[step]]\ntext = \"Hello\"\n#").unwrap();
        assert_eq!(list(dir.path()).studies.len(), 1);
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(list(dir.path()).studies.len(), 0);
    }

    #[test]
    fn a_folder_that_is_gone_is_no_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!list(dir.path()).gone && list(&dir.path().join("gone")).gone);
    }

    #[test]
    fn only_a_study_of_the_list_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        let text = "[[step]]\ntext = \"Hello\"\n";
        std::fs::write(folder.join("study.toml"), text).unwrap();
        std::fs::write(dir.path().join("outside.toml"), text).unwrap();
        assert_eq!(study(&folder, Path::new("study.toml")), Some(folder.join("study.toml")));
        assert_eq!(study(&folder, Path::new("../outside.toml")), None);
        assert_eq!(study(&folder, Path::new("/etc/passwd")), None);
    }
}
