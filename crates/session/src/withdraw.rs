//! [`withdraw`]: a participant takes their data back. What is noted of it is the label, the
//! day, and what was done: nothing about the person.

use crate::dataset::people::withdrawals;
use crate::dataset::{Dataset, DatasetError};
use crate::place::{Place, SOURCE};
use crate::table::Table;
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
    let mut people = dataset.table(Path::new("participants.tsv"))?.unwrap_or_default();
    let is_they = |row: &crate::table::Row| row.first().and_then(Option::as_deref) == Some(&*id);
    if !plain || !people.rows.iter().any(is_they) {
        return Err(unknown());
    }
    let place = Place { label: label.to_owned(), session: None, task: String::new() };
    let running = || WithdrawError::Running { label: label.to_owned() };
    let _held = dataset.lock_participant(&place)?.ok_or_else(running)?;
    note(dataset, &id, manner)?; // first: whatever comes between, the label is not given again
    let folders = [Path::new(&id).to_owned(), Path::new(SOURCE).join(&id)];
    let count = folders.iter().map(|folder| count(&dataset.root().join(folder))).sum();
    match manner {
        Manner::Remove => {
            people.rows.retain(|row| !is_they(row));
            dataset.replace_table(Path::new("participants.tsv"), &people)?;
            for folder in &folders {
                let whole = dataset.root().join(folder);
                if whole.exists() {
                    dataset.told(folder, std::fs::remove_dir_all(&whole))?;
                }
            }
        }
        Manner::Mark => mark(dataset, people, &id)?,
    }
    Ok(count)
}

fn note(dataset: &Dataset, id: &str, manner: Manner) -> Result<(), DatasetError> {
    let columns = ["participant_id", "day", "data"].map(str::to_owned).to_vec();
    let mut table = dataset.table(&withdrawals())?.unwrap_or_else(|| Table::new(columns));
    let day = chronotap_clocks::wall_clock_now().chars().take(10).collect();
    let data = match manner {
        Manner::Remove => "removed",
        Manner::Mark => "kept and marked",
    };
    table.rows.retain(|row| row.first().and_then(Option::as_deref) != Some(id));
    table.rows.push(vec![Some(id.to_owned()), Some(day), Some(data.into())]);
    dataset.replace_table(&withdrawals(), &table)
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

fn count(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let each = entries.filter_map(Result::ok).map(|entry| match entry.path().is_dir() {
        true => count(&entry.path()),
        false => 1,
    });
    each.sum()
}
