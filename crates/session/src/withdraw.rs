//! [`withdraw`]: a participant takes their data back. What is noted of it is the label, the
//! day, what was done, and what was assigned, which nobody else may get: nothing about the person.

mod derived;
mod links;
mod somebody;
mod spare;
mod sweep;
mod walk;

pub(crate) use derived::records;
pub(crate) use somebody::{REPORT, Somebody, Trace};
pub(crate) use sweep::{DERIVED, Found, traces, withdrew};
pub(crate) use walk::{Entry, Kind, walk};

use crate::correct::{self, CorrectError};
use crate::dataset::withdrawals::MARK;
use crate::dataset::withdrawals::{KEPT, REMOVED};
use crate::dataset::{Dataset, DatasetError};
use crate::table::{TsvRow, TsvTable};
use crate::visit::Visit;
use chronotap_core::files::real;
use chronotap_data::tables::names::{CORRECTION, PARTICIPANTS, PILOT, SOURCE};
use links::OwnFiles;
use std::fmt;
use std::path::{Path, PathBuf};

/// What becomes of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// They are removed, with the row in participants.tsv.
    Remove,
    /// They stay, and the participant is marked.
    Mark,
}

/// Why nobody was withdrawn.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The dataset does not know the label.
    #[error("participant {label}: not in this dataset")]
    Unknown { label: String },
    /// The data are removed already, so that they cannot be kept. Restore a copy to have them.
    #[error("participant {label} withdrew, and their data were removed")]
    Gone { label: String },
    /// A correction that was cut short cannot be finished.
    #[error("a correction that was cut short cannot be finished: {0}")]
    Correction(#[source] Box<CorrectError>),
    /// A session of the participant is under way. End it first.
    #[error("participant {label} has a session under way")]
    Running { label: String },
}

/// What became of somebody's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenOut {
    /// Files that were removed; of a participant whose data stay, those that do.
    pub files: usize,
    /// What else was done.
    pub told: Vec<WithdrawalStep>,
    /// What is still there of them and only somebody else can remove, a sentence each.
    pub left: Vec<String>,
    /// What may hold something of them, and somebody has to look at.
    pub look: Vec<String>,
}

/// One thing that was done, and to which file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalStep {
    /// The file or folder.
    pub path: PathBuf,
    pub done: Done,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is gone.
    Removed,
    /// It was a file of theirs under another name, and is gone.
    RemovedLink,
    /// It had rows of theirs, and is gone.
    RemovedWithRows,
    /// It is gone from a spare folder.
    RemovedFromSpare,
    /// A report with trials of theirs is gone.
    ReportRemoved,
    /// The tables that were gathered from this dataset are gone.
    GatheredRemoved(String),
    /// A table is without their rows.
    RowsTakenOut,
    /// The analysis is made again without them.
    Analyzed,
    /// The analysis cannot be made again, and is gone.
    AnalysisRemoved {
        why: String,
        /// What made it.
        command: String,
    },
    /// The same in trial runs, of which so many files are gone.
    TrialRuns(usize),
}

impl fmt::Display for WithdrawalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.done {
            Done::Removed | Done::ReportRemoved => f.write_str("removed"),
            Done::RemovedLink => f.write_str("removed: it was a file of theirs under another name"),
            Done::RemovedWithRows => f.write_str("removed, because it had rows of theirs"),
            Done::RemovedFromSpare => f.write_str("removed from the spare folder"),
            Done::GatheredRemoved(name) => write!(f, "the tables of {name} are removed"),
            Done::RowsTakenOut => f.write_str("their rows are taken out"),
            Done::Analyzed => f.write_str("analyzed again, without this participant"),
            Done::AnalysisRemoved { why, command } => {
                write!(
                    f,
                    "the analysis is removed, for {why}; it was made by `chronotap {command}`"
                )
            }
            Done::TrialRuns(files) => write!(f, "so in these trial runs, {files} files"),
        }
    }
}

impl TakenOut {
    fn tell(&mut self, path: &Path, done: Done) {
        self.told.push(WithdrawalStep { path: path.to_owned(), done });
    }
}

/// Takes a participant out of a dataset, of the trial runs beside it (`DATASET-pilot`), and of the
/// spare folders. Whoever is cut short calls it again, and so does whoever finds that something of
/// somebody who withdrew has come back.
///
/// # Errors
/// [`WithdrawError`].
pub fn withdraw(
    dataset: &Dataset,
    label: &str,
    manner: Manner,
    spare: &[PathBuf],
) -> Result<TakenOut, WithdrawError> {
    let mut done = from_one(dataset, label, manner, spare)?;
    let Some(pilot) = pilot_of(dataset) else { return Ok(done) };
    match from_one(&pilot, label, manner, spare) {
        Ok(more) => done.add(more, pilot.root()),
        Err(WithdrawError::Unknown { .. } | WithdrawError::Gone { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(done)
}

impl TakenOut {
    fn add(&mut self, more: TakenOut, from: &Path) {
        self.files += more.files;
        self.tell(from, Done::TrialRuns(more.files));
        let named = |text: String| format!("{}/{text}", from.display());
        let in_them = |step: WithdrawalStep| WithdrawalStep { path: from.join(step.path), ..step };
        self.told.extend(more.told.into_iter().map(in_them));
        self.left.extend(more.left.into_iter().map(named));
        self.look.extend(more.look);
    }
}

/// The trial runs of the same study beside a dataset.
fn pilot_of(dataset: &Dataset) -> Option<Dataset> {
    let whole = real(dataset.root()).ok()?;
    let name = format!("{}{PILOT}", whole.file_name()?.to_string_lossy());
    let pilot = Dataset::open(&whole.with_file_name(name)).ok()?;
    (pilot.task() == dataset.task()).then_some(pilot)
}

fn from_one(
    dataset: &Dataset,
    label: &str,
    manner: Manner,
    spare: &[PathBuf],
) -> Result<TakenOut, WithdrawError> {
    let unknown = || WithdrawError::Unknown { label: label.to_owned() };
    let somebody = Somebody::of(label).ok_or_else(unknown)?;
    finish(dataset, label)?;
    let _lock = dataset.lock()?;
    dataset.keep_people_as_they_are()?;
    let people = dataset.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
    let is_there = people.rows.iter().any(|row| is_of(&people, row, &somebody));
    let folders = [PathBuf::from(&somebody.id), Path::new(SOURCE).join(&somebody.id)];
    let noted = noted(dataset, &somebody)?;
    if !is_there && noted.is_none() && !folders.iter().any(|folder| dataset.has(folder)) {
        return Err(unknown());
    }
    if manner == Manner::Mark && noted == Some(Manner::Remove) {
        return Err(WithdrawError::Gone { label: label.to_owned() });
    }
    if manner == Manner::Remove {
        links::refuse(dataset, &folders)?;
    }
    let place = Visit { label: label.to_owned(), session: None, task: String::new() };
    let running = || WithdrawError::Running { label: label.to_owned() };
    let held = dataset.lock_participant(&place)?.ok_or_else(running)?;
    if noted != Some(manner) {
        note(dataset, label, manner)?; // first: whatever comes between, the label is not given again
    }
    let mut done = TakenOut::default();
    match manner {
        Manner::Remove => {
            spare::take_out(dataset, &somebody, spare, &mut done)?;
            remove_own(dataset, &folders, &mut done)?;
            derived::make_anew(dataset, &somebody, &mut done)?;
            sweep::sweep(dataset, &somebody, Path::new(""), &mut done)?;
            // The row goes last: as long as it is there, nobody takes the participant for gone.
            forget(dataset, &somebody)?;
            drop(held);
            remove(dataset, &place.lock())?; // whoever comes with this label is refused by the note
        }
        Manner::Mark => {
            derived::make_anew(dataset, &somebody, &mut done)?;
            sweep::sweep(dataset, &somebody, Path::new(DERIVED), &mut done)?;
            done.files = count(dataset, &folders)?;
            mark(dataset, people, &somebody.id)?;
        }
    }
    Ok(done)
}

/// Finishes a correction that was cut short; where it is of whoever withdraws and cannot be finished, it goes.
fn finish(dataset: &Dataset, label: &str) -> Result<(), WithdrawError> {
    match correct::finish(dataset) {
        Ok(_) => Ok(()),
        Err(_) if correct::unfinished(dataset).is_some_and(|one| one.label == label) => {
            Ok(remove(dataset, Path::new(CORRECTION))?)
        }
        Err(error) => Err(WithdrawError::Correction(Box::new(error))),
    }
}

fn is_of(people: &TsvTable, row: &TsvRow, somebody: &Somebody) -> bool {
    people.cell(row, "participant_id") == Some(&*somebody.id)
}

/// Removes somebody's own folders, and files elsewhere that are the same under another name.
fn remove_own(
    dataset: &Dataset,
    folders: &[PathBuf],
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let held = OwnFiles::of(dataset, folders)?;
    sweep::twins(dataset, folders, &held, done)?;
    done.files += count(dataset, folders)?;
    for folder in folders.iter().filter(|folder| dataset.has(folder)) {
        remove(dataset, folder)?;
    }
    Ok(())
}

/// Takes somebody out of the table of participants.
fn forget(dataset: &Dataset, somebody: &Somebody) -> Result<(), DatasetError> {
    let Some(mut people) = dataset.table(Path::new(PARTICIPANTS))? else { return Ok(()) };
    let rows = std::mem::take(&mut people.rows);
    people.rows = rows.into_iter().filter(|row| !is_of(&people, row, somebody)).collect();
    dataset.replace_table(Path::new(PARTICIPANTS), &people)
}

/// Removes a file or folder of a dataset for good.
fn remove(dataset: &Dataset, path: &Path) -> Result<(), DatasetError> {
    dataset.told(path, dataset.disk.remove_all(&dataset.root().join(path)))
}

/// The files in folders and below, but for locks, which hold nothing.
fn count(dataset: &Dataset, folders: &[PathBuf]) -> Result<usize, DatasetError> {
    let mut files = 0;
    for folder in folders.iter().filter(|folder| dataset.has_folder(folder)) {
        let holds = |entry: &Entry| entry.kind == Kind::File && !is_lock(&entry.path);
        files += walk(dataset, folder)?.iter().filter(|entry| holds(entry)).count();
    }
    Ok(files)
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "lock")
}

/// What was noted of somebody's data; `None` where they did not withdraw.
fn noted(dataset: &Dataset, somebody: &Somebody) -> Result<Option<Manner>, DatasetError> {
    let note = dataset.notes()?.into_iter().find(|note| note.label == somebody.label);
    Ok(note.map(|note| if note.removed { Manner::Remove } else { Manner::Mark }))
}

fn manner_in_words(manner: Manner) -> &'static str {
    match manner {
        Manner::Remove => REMOVED,
        Manner::Mark => KEPT,
    }
}

fn note(dataset: &Dataset, label: &str, manner: Manner) -> Result<(), DatasetError> {
    // To whom another program had recorded nothing was assigned here.
    let assigned = match dataset.imported_from() {
        Some(_) => None,
        None => dataset.assigned(label)?,
    };
    dataset.note_withdrawal(label, manner_in_words(manner), assigned.as_ref())
}

/// A column that only datasets have from which somebody withdrew.
fn mark(dataset: &Dataset, mut people: TsvTable, id: &str) -> Result<(), DatasetError> {
    let column = people.column(MARK).unwrap_or_else(|| {
        people.columns.push(MARK.into());
        people.rows.iter_mut().for_each(|row| row.push(Some("false".into())));
        people.columns.len() - 1
    });
    let whose = people.column("participant_id");
    for row in &mut people.rows {
        if whose.and_then(|whose| row[whose].as_deref()) == Some(id) {
            row[column] = Some("true".into());
        }
    }
    dataset.replace_table(Path::new(PARTICIPANTS), &people)?;
    crate::dataset::describe::add_withdrawn(dataset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;
    use crate::dataset::{About, Person};
    use crate::disk::SessionDisk;
    use std::fs;

    /// A dataset with participant 01, on this disk.
    fn dataset(root: &Path, disk: SessionDisk) -> Dataset {
        let about = About { task: "t".into(), ..About::default() };
        Dataset::open_or_make(root, &about, true, disk).unwrap()
    }

    fn with_data(root: &Path) {
        let dataset = dataset(root, SessionDisk::durable());
        let mut people = dataset.people(&Columns::default()).unwrap();
        for label in ["01", "02"] {
            people.add(&Person { label: label.into(), ..Person::default() });
        }
        dataset.write_people(&people).unwrap();
        for folder in ["sub-01/beh", "sourcedata/sub-01"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("file"), "data").unwrap();
        }
    }

    #[test]
    fn cut_short_anywhere_the_same_command_removes_everything_in_the_end() {
        for operations in 0..12 {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().join("d");
            with_data(&root);
            let mut full = dataset(&root, SessionDisk::durable());
            full.disk = SessionDisk::that_is_full_after(operations);
            if withdraw(&full, "01", Manner::Remove, &[]).is_err() {
                withdraw(&dataset(&root, SessionDisk::durable()), "01", Manner::Remove, &[])
                    .unwrap();
            }
            let there = dataset(&root, SessionDisk::durable()).people(&Columns::default()).unwrap();
            let labels: Vec<String> = there.all().into_iter().map(|one| one.label).collect();
            assert_eq!(labels, ["02"], "after {operations}");
            assert!(!root.join("sub-01").exists() && !root.join("sourcedata/sub-01").exists());
        }
    }

    #[test]
    fn whom_the_dataset_does_not_know_is_refused_and_whoever_has_but_a_row_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        with_data(&root);
        let known = dataset(&root, SessionDisk::durable());
        let unknown = withdraw(&known, "03", Manner::Remove, &[]);
        assert!(matches!(unknown, Err(WithdrawError::Unknown { .. })), "{unknown:?}");
        assert_eq!(known.notes().unwrap(), []);
        assert_eq!(withdraw(&known, "02", Manner::Remove, &[]).unwrap().files, 0);
        assert_eq!(known.people(&Columns::default()).unwrap().all().len(), 1);
    }

    #[test]
    fn every_file_that_goes_is_counted_and_a_lock_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        with_data(&root);
        fs::write(root.join("sourcedata/sub-01/d.lock"), "").unwrap();
        let done =
            withdraw(&dataset(&root, SessionDisk::durable()), "01", Manner::Remove, &[]).unwrap();
        assert_eq!(done.files, 2, "{done:?}");
    }

    #[test]
    fn data_behind_a_link_are_not_said_to_be_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        with_data(&root);
        fs::rename(root.join("sub-01"), dir.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", root.join("sub-01")).unwrap();
        let refused = withdraw(&dataset(&root, SessionDisk::durable()), "01", Manner::Remove, &[]);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("sub-01: it is a link"), "{refused}");
        assert!(dir.path().join("elsewhere/beh/file").exists());
    }
}
