//! [`list`]: the studies and datasets in a folder, for the first page. What has not changed since
//! the last look is not read again ([`Memory`]).

mod memory;
mod notes;

pub(super) use memory::Memory;

use super::fields::{Entered, entered};
use crate::paths::{all_shown, is_meant, shown};
use chronotap_config::trial_files::TrialFile;
use chronotap_session::status::{SessionStatus, status};
use chronotap_session::{About, Attrition, Dataset, SessionDisk, Study};
use chronotap_words::{Says, Surface};
use memory::Look;
use notes::{Notes, NotingDisk, NotingFolder};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ffi::OsString;
use std::fs::{DirEntry, FileType};
use std::path::{Path, PathBuf};

/// Folders within folders that are looked into.
const DEPTH: usize = 3;
/// What a look goes through at most; beyond it the page says what was not looked at.
const MOST: Most = Most { listed: 500_000, read: 10_000 };
/// Bytes of a file that is read to see what it is.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Bounds of a look.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// Names of files and folders. Most are recordings, of which nothing but the name is looked at.
    listed: usize,
    /// Files and datasets that are read to see what they are.
    read: usize,
}

/// What is in a folder.
#[derive(Debug, Default, Serialize)]
pub(super) struct Folder {
    #[serde(serialize_with = "shown")]
    folder: PathBuf,
    /// Whether there is no such folder any more.
    gone: bool,
    studies: Vec<StudyFound>,
    trials: Vec<TrialFound>,
    /// Files of the same form that are neither, and trials that are a study's with mistakes.
    #[serde(skip)]
    others: Vec<PathBuf>,
    datasets: Vec<DatasetFound>,
    /// Files that may be packs, by their names.
    #[serde(serialize_with = "all_shown")]
    packs: Vec<PathBuf>,
    /// Folders within it of which not all was looked at, because there is too much.
    #[serde(serialize_with = "all_shown")]
    unseen: Vec<PathBuf>,
}

/// What a file or a folder turned out to be.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// An experiment file.
    Study(StudyFound),
    /// A trial file.
    Trial(TrialFound),
    Dataset(DatasetFound),
    /// Another file of that form: it is not in the list, but whoever names it can see why it is no trial.
    Other(PathBuf),
    /// Nothing that could be read.
    Unread,
}

/// What was found in earlier looks.
pub(super) type Remembered = Memory<Found>;

/// An experiment file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StudyFound {
    /// Its path from the folder.
    #[serde(serialize_with = "shown")]
    pub(super) path: PathBuf,
    title: String,
    task: String,
    participants: u32,
    sessions: u32,
    /// In which languages it can be shown, its own first.
    languages: Vec<String>,
    /// Whether the experimenter must not know who gets what.
    blind: bool,
    /// The names of the inputs and outputs of its trials.
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// What is entered about participants.
    entered: Vec<Entered>,
    /// What is wrong with it, so that it cannot be run; empty where nothing is.
    problem: String,
    #[serde(skip)]
    about: Option<Box<About>>,
    /// All files that were read for it.
    #[serde(skip)]
    read: Vec<PathBuf>,
}

/// A trial file that is there for itself.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TrialFound {
    /// Its path from the folder.
    #[serde(serialize_with = "shown")]
    path: PathBuf,
    /// Empty where it has mistakes.
    title: String,
    /// Whether it has mistakes, so that it cannot be run.
    wrong: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct DatasetFound {
    #[serde(serialize_with = "shown")]
    path: PathBuf,
    title: String,
    task: String,
    /// The name of the experiment file that it was begun with; empty where no session began.
    study: String,
    simulated: bool,
    planned: u32,
    sessions: Vec<SessionStatus>,
    /// The labels of those who withdrew.
    withdrawn: Vec<String>,
    /// Who takes no further part otherwise, and how they left.
    left: BTreeMap<String, Attrition>,
    /// Studies beside it whose files are no longer those that its sessions ran.
    changed: Vec<Changed>,
    problems: Vec<String>,
}

/// What has changed of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Changed {
    #[serde(serialize_with = "shown")]
    study: PathBuf,
    files: Vec<String>,
}

/// Looks through a folder.
pub(super) fn list(folder: &Path, memory: &Remembered) -> Folder {
    list_at_most(folder, memory, MOST)
}

fn list_at_most(folder: &Path, memory: &Remembered, left: Most) -> Folder {
    let gone = !folder.is_dir();
    let mut found = Folder { folder: folder.to_owned(), gone, ..Folder::default() };
    memory.look(|look| {
        Through { folder, look, left, found: &mut found }.go();
    });
    found.studies.sort_by_cached_key(|study| near_first(&study.path));
    found.without_parts();
    found.trials.sort_by_cached_key(|trial| (trial.wrong, near_first(&trial.path)));
    found.datasets.sort_by(|a, b| a.path.cmp(&b.path));
    found.packs.sort();
    let Folder { studies, datasets, .. } = &mut found;
    datasets.iter_mut().for_each(|dataset| dataset.changed = changed(folder, dataset, studies));
    found
}

impl Folder {
    /// A trial may lack what its study sets: its mistakes are none, or the study's.
    fn without_parts(&mut self) {
        let of_studies: HashSet<&Path> =
            self.studies.iter().flat_map(|study| &study.read).map(PathBuf::as_path).collect();
        let is_part = |trial: &TrialFound| {
            trial.wrong && of_studies.contains(&*self.folder.join(&trial.path))
        };
        let (parts, trials) = std::mem::take(&mut self.trials).into_iter().partition(is_part);
        let parts: Vec<TrialFound> = parts;
        self.trials = trials;
        self.others.extend(parts.into_iter().map(|part| part.path));
    }
}

/// The order of a list: the first of it is chosen where nobody chooses, and should be no example of a clone beside one's own.
fn near_first(path: &Path) -> (usize, PathBuf) {
    (path.components().count(), path.to_owned())
}

/// What has changed of the studies whose data these are.
fn changed(folder: &Path, found: &DatasetFound, studies: &[StudyFound]) -> Vec<Changed> {
    let Ok(dataset) = Dataset::open(&folder.join(&found.path)) else { return Vec::new() };
    let beside = |study: &&StudyFound| study.path.parent() == found.path.parent();
    let of_it = studies.iter().filter(beside).filter(|study| study.task == found.task);
    let changed = of_it.filter_map(|study| {
        let files = dataset.changed_files(study.about.as_deref()?).ok()?;
        Some(Changed { study: study.path.clone(), files })
    });
    changed.filter(|changed| !changed.files.is_empty()).collect()
}

/// The path of a study that the list has by this name. The error is a sentence for the page.
pub(super) fn study(folder: &Path, path: &Path, memory: &Remembered) -> Result<PathBuf, String> {
    let mut studies = list(folder, memory).studies.into_iter();
    let listed =
        studies.find(|study| is_meant(&study.path, path)).ok_or_else(|| no_such("study"))?;
    Ok(folder.join(listed.path))
}

/// The path and title of a trial that the list has by this name. The error is a sentence for the
/// page.
pub(super) fn trial(
    folder: &Path,
    path: &Path,
    memory: &Remembered,
) -> Result<(PathBuf, String), String> {
    let mut trials = list(folder, memory).trials.into_iter();
    let listed =
        trials.find(|trial| is_meant(&trial.path, path)).ok_or_else(|| no_such("trial"))?;
    match listed.wrong {
        true => Err("this trial has mistakes; see them, and mend them in its file".to_owned()),
        false => Ok((folder.join(listed.path), listed.title)),
    }
}

/// The path of an experiment or trial file in the folder, with or without mistakes. The error is a
/// sentence for the page.
pub(super) fn to_try(folder: &Path, path: &Path, memory: &Remembered) -> Result<PathBuf, String> {
    let Folder { studies, trials, others, .. } = list(folder, memory);
    let studies = studies.into_iter().map(|study| study.path);
    let mut all = studies.chain(trials.into_iter().map(|trial| trial.path)).chain(others);
    let found = all.find(|one| is_meant(one, path)).ok_or_else(|| no_such("file"))?;
    Ok(folder.join(found))
}

/// The path of a dataset that the list has by this name. The error is a sentence for the page.
pub(super) fn dataset_of(
    folder: &Path,
    path: &Path,
    memory: &Remembered,
) -> Result<PathBuf, String> {
    let mut datasets = list(folder, memory).datasets.into_iter();
    let listed =
        datasets.find(|found| is_meant(&found.path, path)).ok_or_else(|| no_such("dataset"))?;
    Ok(folder.join(listed.path))
}

/// What the page says of what its list does not have, or not any more.
pub(super) fn no_such(what: &str) -> String {
    format!("there is no such {what} in this folder; load the page again")
}

/// Who taps in a rehearsal of this study where nobody says it.
pub(super) fn usual_model(study: &Path) -> Option<String> {
    Some(Study::read(study).ok()?.usual_model())
}

/// The label of a participant whose session in this dataset has nothing left to do.
pub(super) fn complete(study: &Path, data: &Path, label: &str, number: u32) -> Option<String> {
    let label = Study::read(study).ok()?.label(label).ok()?;
    let began = status(&Dataset::open(data).ok()?).ok()?.began;
    let over = |one: &SessionStatus| one.complete || one.ended.is_some();
    let this = |one: &SessionStatus| one.label == label && one.session == number && over(one);
    began.iter().any(this).then_some(label)
}

/// One way through a folder and those in it.
struct Through<'t> {
    folder: &'t Path,
    look: &'t mut Look<Found>,
    left: Most,
    found: &'t mut Folder,
}

impl Through<'_> {
    /// What is near comes first: a deep folder full of recordings hides no study beside it.
    fn go(&mut self) {
        let mut folders = VecDeque::from([(PathBuf::new(), DEPTH)]);
        while let Some((inner, depth)) = folders.pop_front() {
            if !self.whole(&inner, depth, &mut folders) {
                self.found.unseen.push(inner);
            }
        }
    }

    /// Looks through a folder, and puts those in it into `folders`; whether all of it was seen.
    fn whole(
        &mut self,
        inner: &Path,
        depth: usize,
        folders: &mut VecDeque<(PathBuf, usize)>,
    ) -> bool {
        let here = self.folder.join(inner);
        if here.join("dataset_description.json").is_file() {
            // What is in a dataset is its own.
            return self.take(&here, |notes| dataset(&here, inner, notes));
        }
        let Some((entries, mut seen)) = self.entries(&here) else { return true };
        for (path, kind) in entries.into_iter().map(|(name, kind)| (inner.join(name), kind)) {
            if kind.is_dir() && depth > 0 {
                folders.push_back((path, depth - 1));
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "zip") {
                self.found.packs.push(path);
            } else if kind.is_file() && is_toml(&self.folder.join(&path)) {
                let file = self.folder.join(&path);
                seen &= self.take(&file, |notes| toml(&file, path, notes));
            }
        }
        seen
    }

    /// What is in a folder, by name, but for hidden files, and whether that is all; nothing where it
    /// cannot be looked into.
    fn entries(&mut self, here: &Path) -> Option<(Vec<(OsString, FileType)>, bool)> {
        let mut left = std::fs::read_dir(here).ok()?.filter_map(Result::ok);
        let some = left.by_ref().take(self.left.listed);
        let kind = |entry: DirEntry| Some((entry.file_name(), entry.file_type().ok()?));
        let (mut entries, mut listed) = (Vec::new(), 0);
        for entry in some {
            listed += 1;
            entries.extend(kind(entry));
        }
        self.left.listed -= listed;
        entries.retain(|(name, _)| !name.to_string_lossy().starts_with('.'));
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Some((entries, left.next().is_none()))
    }

    /// Reads what it is; `false` where enough was read.
    fn take(&mut self, path: &Path, read: impl FnOnce(&Notes) -> Found) -> bool {
        let Some(left) = self.left.read.checked_sub(1) else { return false };
        self.left.read = left;
        let read = |notes: &Notes| {
            let found = read(notes);
            let well = found.is_well();
            (found, well)
        };
        match self.look.at(path, read) {
            Found::Study(study) => self.found.studies.push(study),
            Found::Trial(trial) => self.found.trials.push(trial),
            Found::Dataset(dataset) => self.found.datasets.push(dataset),
            Found::Other(path) => self.found.others.push(path),
            Found::Unread => {}
        }
        true
    }
}

/// Whether it may be an experiment file or a trial file, by its name and its size.
fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "toml")
        && file.symlink_metadata().is_ok_and(|about| about.len() <= LARGEST)
}

impl Found {
    /// Whether nothing is wrong with it.
    fn is_well(&self) -> bool {
        match self {
            Found::Study(study) => study.problem.is_empty(),
            Found::Dataset(dataset) => dataset.problems.is_empty(),
            Found::Trial(trial) => !trial.wrong,
            Found::Other(_) => true,
            Found::Unread => false,
        }
    }
}

/// An experiment file or a trial file. Other files of this form there may be many.
fn toml(file: &Path, path: PathBuf, notes: &Notes) -> Found {
    notes.note(file);
    let Ok(text) = chronotap_core::files::read_to_string(file) else { return Found::Unread };
    if Study::is_one(&text) {
        return Found::Study(experiment(file, path, &text, notes));
    }
    match TrialFile::parse(&text, &file.to_string_lossy()) {
        Ok(trial) => Found::Trial(TrialFound { path, title: trial.title, wrong: false }),
        Err(_) if TrialFile::is_one(&text) => {
            Found::Trial(TrialFound { path, title: String::new(), wrong: true })
        }
        Err(_) => Found::Other(path),
    }
}

fn experiment(file: &Path, path: PathBuf, text: &str, notes: &Notes) -> StudyFound {
    let (folder, name) = NotingFolder::of(file, notes);
    match Study::read_from(&folder, &name) {
        Ok(study) => StudyFound {
            path,
            inputs: owned(&study.inputs_and_outputs().0),
            outputs: owned(&study.inputs_and_outputs().1),
            entered: entered(&study.experiment),
            title: study.experiment.title.clone(),
            task: study.experiment.task.clone(),
            participants: study.experiment.participants,
            sessions: study.experiment.sessions,
            languages: owned(&study.experiment.languages()),
            blind: study.experiment.blind,
            problem: String::new(),
            about: Some(Box::new(study.about)),
            read: notes.paths(),
        },
        Err(error) => {
            let (title, problem) = (path.display().to_string(), error.says(Surface::Page));
            let (task, inputs, outputs) = (String::new(), Vec::new(), Vec::new());
            let (participants, sessions, about) = (0, 0, None);
            StudyFound {
                path,
                title,
                task,
                participants,
                sessions,
                languages: Vec::new(),
                blind: says_blind(text),
                inputs,
                outputs,
                entered: Vec::new(),
                problem,
                about,
                read: notes.paths(),
            }
        }
    }
}

/// Whether an experiment file with mistakes says that the study is blind, in whatever words: it may lack no more
/// than a quotation mark.
pub(super) fn says_blind(text: &str) -> bool {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let mut values = lines.filter(|(key, _)| key.trim().trim_matches('"') == "blind");
    values.any(|(_, value)| !value.trim_start().starts_with("false"))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn dataset(here: &Path, path: &Path, notes: &Notes) -> Found {
    let disk = SessionDisk::durable_on(NotingDisk(notes.clone()));
    // A dataset of another program is none.
    let Ok(dataset) = Dataset::open_on(here, disk) else { return Found::Unread };
    let (path, task) = (path.to_owned(), dataset.task().unwrap_or_default());
    Found::Dataset(match status(&dataset) {
        Ok(found) => DatasetFound {
            path,
            planned: found.planned * found.sessions,
            sessions: found.began,
            title: found.title,
            task,
            study: found.experiment,
            simulated: found.simulated,
            withdrawn: found.withdrawn,
            left: found.left,
            changed: Vec::new(),
            problems: found.problems.iter().map(|problem| problem.says(Surface::Page)).collect(),
        },
        Err(error) => DatasetFound {
            path,
            title: String::new(),
            task,
            study: String::new(),
            simulated: dataset.is_simulated(),
            planned: 0,
            sessions: Vec::new(),
            withdrawn: Vec::new(),
            left: BTreeMap::new(),
            changed: Vec::new(),
            problems: vec![error.says(Surface::Page)],
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
        let found = list(dir.path(), &Memory::default());
        let names: Vec<_> =
            found.studies.iter().map(|study| study.path.to_string_lossy()).collect();
        assert_eq!(names, ["mine/broken.toml", "mine/study.toml"]);
        let trials: Vec<_> = found.trials.iter().map(|trial| trial.title.as_str()).collect();
        assert_eq!(trials, ["A trial"]);
        assert!(found.studies[0].problem.contains("title") && found.studies[1].problem.is_empty());
    }

    #[test]
    fn a_trial_with_mistakes_is_listed_unless_it_is_a_study_that_sets_what_it_lacks() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        let end = "[[when]]\ntime = \"9 s\"\nend = true\n";
        file("wrong.toml", &format!("[pacing.metronome]\nintervall = \"500 ms\"\n{end}"));
        file("no-toml.toml", "[pacing.metronome\ninterval = \"500 ms\"\n");
        file("Cargo.toml", "[package]\nname = \"when\"\n");
        file("well.toml", &format!("[pacing.metronome]\ninterval = \"500 ms\"\n{end}"));
        file("part.toml", &format!("[pacing.metronome]\n{end}"));
        file(
            "study.toml",
            "trial = \"part.toml\"\n[factor]\ntempo = [\"400 ms\", \"600 ms\"]\n[set]\n\
             pacing.metronome.interval = { factor = \"tempo\" }\n\
             [[step]]\nname = \"main\"\n",
        );
        let found = list(dir.path(), &Memory::default());
        let trials = found.trials.iter().map(|trial| (trial.path.to_str().unwrap(), trial.wrong));
        let listed: Vec<_> = trials.collect();
        assert_eq!(listed, [("well.toml", false), ("no-toml.toml", true), ("wrong.toml", true)]);
        assert!(found.others.contains(&"part.toml".into()), "{:?}", found.others);
        let run = |name: &str| trial(dir.path(), Path::new(name), &Memory::default());
        assert!(
            run("wrong.toml").unwrap_err().contains("has mistakes") && run("well.toml").is_ok()
        );
    }

    #[test]
    fn ones_own_study_comes_before_those_of_a_clone_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["clone/examples/delay", "mine"] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
            let study = dir.path().join(folder).join("study.toml");
            std::fs::write(study, "[[step]]\ntext = \"Hello\"\n").unwrap();
        }
        let found = list(dir.path(), &Memory::default());
        let names: Vec<_> = found.studies.iter().map(|study| study.path.as_path()).collect();
        assert_eq!(
            names,
            [Path::new("mine/study.toml"), Path::new("clone/examples/delay/study.toml")]
        );
    }

    #[test]
    fn a_study_is_found_beside_six_thousand_recordings_and_as_many_folders() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..6_000 {
            std::fs::write(dir.path().join(format!("a{n:04}.tsv")), "").unwrap();
        }
        for n in 0..600 {
            std::fs::create_dir_all(dir.path().join(format!("b{n:03}/c"))).unwrap();
        }
        for study in ["study.toml", "b000/c/study.toml", "b599/study.toml"] {
            std::fs::write(dir.path().join(study), "[[step]]\ntext = \"Hello\"\n").unwrap();
        }
        let found = list(dir.path(), &Memory::default());
        assert_eq!((found.studies.len(), found.unseen.len()), (3, 0));
    }

    #[test]
    fn what_is_not_looked_at_is_named_and_what_is_near_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["a", "a/deep", "b"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
            for n in 0..10 {
                std::fs::write(dir.path().join(format!("{folder}/{n}.toml")), "").unwrap();
            }
        }
        std::fs::write(dir.path().join("study.toml"), "[[step]]\ntext = \"Hello\"\n").unwrap();
        let unseen = |most| list_at_most(dir.path(), &Memory::default(), most).unseen;
        let names = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let all = Most { listed: 34, read: 31 };
        assert_eq!(unseen(all), names(&[]));
        assert_eq!(unseen(Most { read: 11, ..all }), names(&["b", "a/deep"]));
        assert_eq!(unseen(Most { listed: 20, ..all }), names(&["b", "a/deep"]));
        let near = list_at_most(dir.path(), &Memory::default(), Most { read: 5, ..all });
        assert_eq!(near.studies.len(), 1, "it is beside the folders");
        let shown = serde_json::to_value(near).unwrap();
        assert_eq!(shown["unseen"], serde_json::json!(["a", "b", "a/deep"]));
    }

    #[test]
    fn a_study_whose_file_was_edited_is_still_the_one_whose_data_these_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("study.toml");
        let text = "task = \"taps\"\n[[step]]\ntext = \"Hello\"\n";
        std::fs::write(&file, text).unwrap();
        let about = Study::read(&file).unwrap().about;
        let disk = chronotap_session::SessionDisk::durable();
        let dataset = Dataset::open_or_make(&dir.path().join("data"), &about, false, disk).unwrap();
        dataset.keep_study(&about).unwrap();
        assert_eq!(list(dir.path(), &Memory::default()).datasets[0].changed, Vec::new());
        std::fs::write(&file, format!("title = \"Taps\"\n{text}")).unwrap();
        let found = list(dir.path(), &Memory::default());
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
        let shown = serde_json::to_value(list(dir.path(), &Memory::default())).unwrap();
        let path = shown["studies"][0]["path"].as_str().unwrap();
        assert_eq!(path, "caf\u{fffd}.toml");
        assert_eq!(
            study(dir.path(), Path::new(path), &Memory::default()),
            Ok(dir.path().join(name))
        );
    }

    #[test]
    fn a_file_beyond_all_measure_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(dir.path().join("study.toml")).unwrap();
        std::io::Write::write_all(&mut &file, b"[[step]]\ntext = \"Hello\"\n#").unwrap();
        assert_eq!(list(dir.path(), &Memory::default()).studies.len(), 1);
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(list(dir.path(), &Memory::default()).studies.len(), 0);
    }

    #[test]
    fn a_folder_that_is_gone_is_no_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        assert!(
            !list(dir.path(), &Memory::default()).gone
                && list(&dir.path().join("gone"), &Memory::default()).gone
        );
    }

    #[test]
    fn only_a_study_of_the_list_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        let text = "[[step]]\ntext = \"Hello\"\n";
        std::fs::write(folder.join("study.toml"), text).unwrap();
        std::fs::write(dir.path().join("outside.toml"), text).unwrap();
        assert_eq!(
            study(&folder, Path::new("study.toml"), &Memory::default()),
            Ok(folder.join("study.toml"))
        );
        for path in ["../outside.toml", "/etc/passwd"] {
            let found = study(&folder, Path::new(path), &Memory::default());
            let refused = "there is no such study in this folder; load the page again";
            assert_eq!(found, Err(refused.to_owned()));
        }
    }

    /// How a study is listed: its title, or what is wrong with it.
    fn listed(folder: &Path, memory: &Remembered) -> Vec<String> {
        let studies = list(folder, memory).studies.into_iter();
        studies
            .map(|study| if study.problem.is_empty() { study.title } else { study.problem })
            .collect()
    }

    #[test]
    fn a_list_that_remembers_is_the_same_as_one_that_reads_whatever_file_of_a_study_changes() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        let memory = Remembered::for_which_all_is_settled();
        let assert_same = |said: &str| {
            for _ in 0..2 {
                let found = listed(dir.path(), &memory);
                assert_eq!(found, listed(dir.path(), &Remembered::default()), "{said}");
                assert!(found.concat().contains(said), "{found:?}");
            }
        };
        let study = "[[step]]\nsay = \"text.md\"\n[[step]]\nname = \"a\"\ntrial = \"t.toml\"\n";
        file("study.toml", &format!("title = \"First\"\n{study}"));
        assert_same("text.md");
        file("text.md", "Hello.");
        assert_same("t.toml");
        let trial =
            "[pacing.song]\nbeats_from = \"beats.tsv\"\n[[when]]\ntime = \"9 s\"\nend = true\n";
        file("t.toml", trial);
        assert_same("beats.tsv");
        file("beats.tsv", "0.5\n1.0\n1.5\n");
        assert_same("First");
        file("beats.tsv", "0.5\n1.0\nnone\n");
        assert_same("beats.tsv");
        file("beats.tsv", "0.5\n1.0\n1.5\n");
        file("study.toml", &format!("title = \"Second\"\n{study}"));
        assert_same("Second");
        std::fs::remove_file(dir.path().join("text.md")).unwrap();
        assert_same("text.md");
    }
}
