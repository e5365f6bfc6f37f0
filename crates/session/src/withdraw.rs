//! [`withdraw`]: a participant takes their data back. What is noted of it is the label, the
//! day, what was done, and what was assigned, which nobody else may get: nothing about the person.

mod derived;
mod links;
mod somebody;
mod spare;
mod sweep;
mod walk;

pub(crate) use derived::records;
pub(crate) use somebody::Somebody;
pub(crate) use sweep::{DERIVED, traces, withdrew};
pub(crate) use walk::{Entry, Kind, walk};

use crate::dataset::withdrawals::{KEPT, REMOVED};
use crate::dataset::{Dataset, DatasetError};
use crate::place::{Place, SOURCE};
use crate::table::{Row, Table};
use links::Held;
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
    /// The dataset refuses.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The dataset does not know the label.
    #[error("participant {label}: not in this dataset; `chronotap status` lists who is")]
    Unknown {
        /// The label.
        label: String,
    },
    /// The data are removed already, so that they cannot be kept. Restore a copy to have them.
    #[error(
        "participant {label} withdrew, and their data were removed; leave out --keep to look for what is left"
    )]
    Gone {
        /// The label.
        label: String,
    },
    /// A session of the participant is under way. End it first.
    #[error("participant {label} has a session under way; end it first")]
    Running {
        /// The label.
        label: String,
    },
}

/// What became of somebody's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenOut {
    /// Files that were removed; of a participant whose data stay, those that do.
    pub files: usize,
    /// What else was done, a sentence each with the file or folder.
    pub told: Vec<String>,
    /// What is still there of them and only somebody else can remove, a sentence each.
    pub left: Vec<String>,
    /// What may hold something of them, and somebody has to look at.
    pub look: Vec<String>,
}

impl TakenOut {
    fn tell(&mut self, path: &Path, what: &str) {
        self.told.push(format!("{}: {what}", path.display()));
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
        self.told.push(format!("{}: so in these trial runs, {} files", from.display(), more.files));
        let named = |text: String| format!("{}/{text}", from.display());
        self.told.extend(more.told.into_iter().map(named));
        self.left.extend(more.left.into_iter().map(named));
        self.look.extend(more.look);
    }
}

/// The trial runs of the same study beside a dataset.
fn pilot_of(dataset: &Dataset) -> Option<Dataset> {
    let whole = dataset.root().canonicalize().ok()?;
    let name = format!("{}-pilot", whole.file_name()?.to_string_lossy());
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
    let _lock = dataset.lock()?;
    dataset.keep_people_as_they_are()?;
    let people = dataset.table(Path::new(PEOPLE))?.unwrap_or_default();
    let is_there = people.rows.iter().any(|row| is_of(row, &somebody));
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
    let place = Place { label: label.to_owned(), session: None, task: String::new() };
    let running = || WithdrawError::Running { label: label.to_owned() };
    let _held = dataset.lock_participant(&place)?.ok_or_else(running)?;
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

/// The table of participants.
const PEOPLE: &str = "participants.tsv";

fn is_of(row: &Row, somebody: &Somebody) -> bool {
    row.first().and_then(Option::as_deref) == Some(&*somebody.id)
}

/// Removes somebody's own folders, and files elsewhere that are the same under another name.
fn remove_own(
    dataset: &Dataset,
    folders: &[PathBuf],
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let held = Held::of(dataset, folders)?;
    sweep::twins(dataset, folders, &held, done)?;
    done.files += count(dataset, folders)?;
    for folder in folders.iter().filter(|folder| dataset.has(folder)) {
        remove(dataset, folder)?;
    }
    Ok(())
}

/// Takes somebody out of the table of participants.
fn forget(dataset: &Dataset, somebody: &Somebody) -> Result<(), DatasetError> {
    let Some(mut people) = dataset.table(Path::new(PEOPLE))? else { return Ok(()) };
    people.rows.retain(|row| !is_of(row, somebody));
    dataset.replace_table(Path::new(PEOPLE), &people)
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
    dataset.note_withdrawal(label, manner_in_words(manner), dataset.assigned(label)?.as_ref())
}

/// A column that only datasets have from which somebody withdrew.
fn mark(dataset: &Dataset, mut people: Table, id: &str) -> Result<(), DatasetError> {
    let column = people.column("withdrawn").unwrap_or_else(|| {
        people.columns.push("withdrawn".into());
        people.rows.iter_mut().for_each(|row| row.push(Some("false".into())));
        people.columns.len() - 1
    });
    for row in &mut people.rows {
        if row.first().and_then(Option::as_deref) == Some(id) {
            row[column] = Some("true".into());
        }
    }
    dataset.replace_table(Path::new("participants.tsv"), &people)?;
    crate::dataset::describe::add_withdrawn(dataset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;
    use crate::dataset::{About, Person};
    use crate::disk::Disk;
    use std::fs;

    /// A dataset with participant 01, on this disk.
    fn dataset(root: &Path, disk: Disk) -> Dataset {
        let about = About { task: "t".into(), ..About::default() };
        Dataset::open_or_make(root, &about, true, disk).unwrap()
    }

    fn with_data(root: &Path) {
        let dataset = dataset(root, Disk::durable());
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
            let mut full = dataset(&root, Disk::durable());
            full.disk = Disk::that_is_full_after(operations);
            if withdraw(&full, "01", Manner::Remove, &[]).is_err() {
                withdraw(&dataset(&root, Disk::durable()), "01", Manner::Remove, &[]).unwrap();
            }
            let there = dataset(&root, Disk::durable()).people(&Columns::default()).unwrap();
            let labels: Vec<String> = there.all().into_iter().map(|one| one.label).collect();
            assert_eq!(labels, ["02"], "after {operations}");
            assert!(!root.join("sub-01").exists() && !root.join("sourcedata/sub-01").exists());
        }
    }

    #[test]
    fn data_behind_a_link_are_not_said_to_be_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        with_data(&root);
        fs::rename(root.join("sub-01"), dir.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", root.join("sub-01")).unwrap();
        let refused = withdraw(&dataset(&root, Disk::durable()), "01", Manner::Remove, &[]);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("sub-01: it is a link"), "{refused}");
        assert!(dir.path().join("elsewhere/beh/file").exists());
    }
}
