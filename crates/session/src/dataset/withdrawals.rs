//! The note of who withdrew, in `sourcedata/withdrawals.tsv`: label, day, what became of the data,
//! and what was assigned: the place in the squares and the group. By it a place is never given
//! twice, nobody who was removed comes back, and a mark stays, whatever becomes of
//! participants.tsv. Notes of before have no place; what they say holds as it did.

use super::{Dataset, DatasetError, Person};
use crate::table::{TsvRow, TsvTable};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::WITHDRAWALS;
use std::path::Path;

/// What is noted of everybody; a column for each factor between participants follows.
const COLUMNS: [&str; 4] = ["participant_id", "day", "data", "k"];

/// The column that says who withdrew.
pub(crate) const MARK: &str = "withdrawn";

/// Of data that were removed, in the column `data`.
pub(crate) const REMOVED: &str = "removed";
/// Of data that stay.
pub(crate) const KEPT: &str = "kept and marked";

/// Who withdrew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhoWithdrew {
    pub label: String,
    /// Whether their data were removed; else they stay, and are marked.
    pub removed: bool,
    /// What was assigned to them, where the note says it.
    pub assigned: Option<Person>,
}

impl<D: AnyDisk> Dataset<D> {
    /// Who withdrew, as it was noted.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn notes(&self) -> Result<Vec<WhoWithdrew>, DatasetError> {
        let Some(table) = self.table_of_notes()? else { return Ok(Vec::new()) };
        let of = |row: &TsvRow| {
            let label = label_of(table.cell(row, "participant_id")?);
            let removed = table.cell(row, "data") != Some(KEPT);
            let assigned = assigned(&table, row, &label);
            Some(WhoWithdrew { label, removed, assigned })
        };
        Ok(table.rows.iter().filter_map(of).collect())
    }

    /// Notes that somebody withdraws. What was noted of them before is replaced, but for what was
    /// assigned, where that is not known any more.
    pub(crate) fn note_withdrawal(
        &self,
        label: &str,
        data: &str,
        assigned: Option<&Person>,
    ) -> Result<(), DatasetError> {
        let before = self.notes()?.into_iter().find(|note| note.label == label);
        let before = before.and_then(|note| note.assigned);
        let assigned = assigned.or(before.as_ref());
        let mut table = self.table_of_notes()?.unwrap_or_default();
        add_columns(&mut table, assigned);
        let id = format!("sub-{label}");
        table.rows.retain(|row| row.first().and_then(Option::as_deref) != Some(&*id));
        let day = chronotap_core::time::wall_clock_now().chars().take(10).collect();
        let mut row: TsvRow = vec![Some(id), Some(day), Some(data.to_owned())];
        row.push(assigned.map(|person| person.k.to_string()));
        let level = |factor: &String| assigned?.cell.get(factor).cloned();
        row.extend(table.columns[COLUMNS.len()..].iter().map(level));
        table.rows.push(row);
        self.replace_table(Path::new(WITHDRAWALS), &table)
    }

    fn table_of_notes(&self) -> Result<Option<TsvTable>, DatasetError> {
        let path = self.root().join(WITHDRAWALS);
        match self.table(Path::new(WITHDRAWALS)) {
            Err(DatasetError::Table { .. }) => Err(DatasetError::NotMadeAgain { path }),
            // Rows are written behind these columns; a factor may have the name of one of them.
            Ok(Some(there)) if !COLUMNS.iter().zip(&there.columns).all(|(due, is)| due == is) => {
                Err(DatasetError::NotMadeAgain { path })
            }
            other => other,
        }
    }
}

/// What a row says of the assignment. The columns behind `k` are those of factors, whatever their
/// names are.
fn assigned(table: &TsvTable, row: &TsvRow, label: &str) -> Option<Person> {
    let place = COLUMNS.len() - 1;
    (table.column(COLUMNS[place]) == Some(place)).then_some(())?;
    let k = row.get(place)?.as_deref()?.parse().ok()?;
    let levels = table.columns.iter().zip(row).skip(COLUMNS.len());
    let cell = levels.filter_map(|(factor, level)| Some((factor.clone(), level.clone()?)));
    let (label, cell) = (label.to_owned(), cell.collect());
    Some(Person { label, cell, k, withdrawn: true, ..Person::default() })
}

/// Adds the columns that a note of before lacks.
fn add_columns(table: &mut TsvTable, assigned: Option<&Person>) {
    let fixed = COLUMNS.iter().skip(table.columns.len()).map(|name| (*name).to_owned());
    let fixed: Vec<String> = fixed.collect();
    table.columns.extend(fixed);
    for factor in assigned.iter().flat_map(|person| person.cell.keys()) {
        if !table.columns[COLUMNS.len()..].contains(factor) {
            table.columns.push(factor.clone());
        }
    }
    table.rows.iter_mut().for_each(|row| row.resize(table.columns.len(), None));
}

/// The label in `sub-07`.
pub(super) fn label_of(id: &str) -> String {
    id.strip_prefix("sub-").unwrap_or(id).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::About;
    use crate::disk::SessionDisk;
    use std::fs;

    fn person(label: &str, k: u32) -> Person {
        let cell = [("day".to_owned(), "first".to_owned())].into();
        Person { label: label.into(), cell, k, withdrawn: true, ..Person::default() }
    }

    #[test]
    fn a_note_keeps_what_was_assigned_and_one_of_before_is_read_and_added_to() {
        let dir = tempfile::tempdir().unwrap();
        let about = About { task: "t".into(), ..About::default() };
        let root = dir.path().join("d");
        let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
        let before = "participant_id\tday\tdata\nsub-01\t2025-01-01\tremoved\n";
        fs::write(root.join(WITHDRAWALS), before).unwrap();
        dataset.note_withdrawal("02", KEPT, Some(&person("02", 4))).unwrap();
        let of =
            |label: &str, removed, assigned| WhoWithdrew { label: label.into(), removed, assigned };
        let first = of("01", true, None);
        let due = [first.clone(), of("02", false, Some(person("02", 4)))];
        assert_eq!(dataset.notes().unwrap(), due);
        dataset.note_withdrawal("02", REMOVED, None).unwrap(); // nothing else is known any more
        let due = [first, of("02", true, Some(person("02", 4)))];
        assert_eq!(dataset.notes().unwrap(), due);
    }

    #[test]
    fn a_note_that_cannot_be_read_is_not_said_to_be_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let about = About { task: "t".into(), ..About::default() };
        let root = dir.path().join("d");
        let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
        fs::write(root.join(WITHDRAWALS), "participant_id\tday\nsub-01\n").unwrap();
        let refused = dataset.notes().unwrap_err();
        assert!(matches!(refused, DatasetError::NotMadeAgain { .. }), "{refused}");
    }
}
