//! [`withdraw`]: a participant takes their data back. What is noted of it is the label, the
//! day, what was done, and what was assigned, which nobody else may get: nothing about the person.

use crate::dataset::withdrawals::{KEPT, REMOVED};
use crate::dataset::{Dataset, DatasetError};
use crate::place::{Place, SOURCE};
use crate::table::Table;
use std::fs;
use std::io;
use std::path::Path;

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
    /// A session of the participant is under way. End it first.
    #[error("participant {label} has a session under way; end it first")]
    Running {
        /// The label.
        label: String,
    },
}

/// Takes a participant out; tells how many files were removed, or stay.
///
/// # Errors
/// [`WithdrawError`].
pub fn withdraw(dataset: &Dataset, label: &str, manner: Manner) -> Result<usize, WithdrawError> {
    let id = format!("sub-{label}");
    let unknown = || WithdrawError::Unknown { label: label.to_owned() };
    let plain = !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric());
    let _lock = dataset.lock()?;
    dataset.keep_people_as_they_are()?;
    let mut people = dataset.table(Path::new("participants.tsv"))?.unwrap_or_default();
    let is_they = |row: &crate::table::Row| row.first().and_then(Option::as_deref) == Some(&*id);
    if !plain || !people.rows.iter().any(is_they) {
        return Err(unknown());
    }
    let place = Place { label: label.to_owned(), session: None, task: String::new() };
    let running = || WithdrawError::Running { label: label.to_owned() };
    let _held = dataset.lock_participant(&place)?.ok_or_else(running)?;
    note(dataset, label, manner)?; // first: whatever comes between, the label is not given again
    let folders = [Path::new(&id).to_owned(), Path::new(SOURCE).join(&id)];
    let count = folders.iter().map(|folder| count(&dataset.root().join(folder))).sum();
    match manner {
        Manner::Remove => {
            // The row goes last: as long as it is there, the same command goes on.
            for folder in &folders {
                dataset.told(folder, remove(&dataset.root().join(folder)))?;
            }
            people.rows.retain(|row| !is_they(row));
            dataset.replace_table(Path::new("participants.tsv"), &people)?;
        }
        Manner::Mark => mark(dataset, people, &id)?,
    }
    Ok(count)
}

fn note(dataset: &Dataset, label: &str, manner: Manner) -> Result<(), DatasetError> {
    let data = match manner {
        Manner::Remove => REMOVED,
        Manner::Mark => KEPT,
    };
    dataset.note_withdrawal(label, data, dataset.assigned(label)?.as_ref())
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

/// Removes a folder, where it is there, for good.
fn remove(folder: &Path) -> io::Result<()> {
    let Ok(about) = fs::symlink_metadata(folder) else { return Ok(()) };
    if about.is_symlink() {
        let why = "it is a link, and what it leads to would stay; remove that, then the link";
        return Err(io::Error::other(why));
    }
    fs::remove_dir_all(folder)?;
    folder.parent().map_or(Ok(()), chronotap_files::sync_folder)
}

/// The files in a folder and below; what a link leads to is not in it.
fn count(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let each = entries.filter_map(Result::ok).map(|entry| match is_folder(&entry) {
        true => count(&entry.path()),
        false => 1,
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;
    use crate::dataset::{About, Person};
    use crate::disk::Disk;

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
            if withdraw(&full, "01", Manner::Remove).is_err() {
                withdraw(&dataset(&root, Disk::durable()), "01", Manner::Remove).unwrap();
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
        let refused = withdraw(&dataset(&root, Disk::durable()), "01", Manner::Remove);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("sub-01: it is a link"), "{refused}");
        assert!(dir.path().join("elsewhere/beh/file").exists());
    }
}
