//! [`People`]: who took part, in participants.tsv. What is assigned to a participant (a cell
//! between participants, a place in squares) is written there when the first session begins
//! and never changes. Call everything here under the dataset's lock.

use super::{Dataset, DatasetError};
use crate::columns::{Column, Columns};
use crate::place::SOURCE;
use crate::table::{Row, Table};
use chronotap_files::Disk as AnyDisk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The table of participants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    table: Table,
    between: Vec<String>,
    withdrawn: Vec<String>,
}

/// What is known of a participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The label.
    pub label: String,
    /// The level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// The place in squares, from 0.
    pub k: u32,
    /// Whether the participant withdrew.
    pub withdrawn: bool,
}

impl<D: AnyDisk> Dataset<D> {
    /// Who took part so far.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn people(&self, columns: &Columns) -> Result<People, DatasetError> {
        let mut people = People::none(columns);
        if let Some(there) = self.table(Path::new(TABLE))? {
            let fits = people.table.columns.iter().all(|name| there.column(name).is_some());
            let path = || self.root().join(TABLE);
            people.table =
                if fits { there } else { return Err(DatasetError::Table { path: path() }) };
        }
        people.withdrawn = self.withdrawn()?;
        Ok(people)
    }

    /// Writes who took part.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn write_people(&self, people: &People) -> Result<(), DatasetError> {
        self.replace_table(Path::new(TABLE), &people.table)
    }

    /// An empty table where there is none.
    pub(super) fn people_or_none(&self, columns: &Columns) -> Result<(), DatasetError> {
        let people = self.people(columns)?;
        match self.has(Path::new(TABLE)) {
            true => Ok(()),
            false => self.write_people(&people),
        }
    }

    /// The labels of those who withdrew.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn withdrawn(&self) -> Result<Vec<String>, DatasetError> {
        let table = self.table(&withdrawals())?.unwrap_or_default();
        let labels = table.rows.iter().filter_map(|row| table.cell(row, "participant_id"));
        Ok(labels.map(label).collect())
    }
}

const TABLE: &str = "participants.tsv";

/// The table of those who withdrew.
pub(crate) fn withdrawals() -> PathBuf {
    Path::new(SOURCE).join("withdrawals.tsv")
}

impl People {
    /// Nobody yet.
    pub fn none(columns: &Columns) -> People {
        let table = Table::new(names(&columns.of_participants()));
        People { table, between: names(&columns.between), withdrawn: Vec::new() }
    }

    /// Everybody, in the order in which they began.
    pub fn all(&self) -> Vec<Person> {
        self.table.rows.iter().map(|row| self.person(row)).collect()
    }

    /// One of them.
    pub fn find(&self, label: &str) -> Option<Person> {
        let id = |row: &Row| self.table.cell(row, "participant_id").unwrap_or_default().to_owned();
        let theirs = |row: &&Row| id(row).trim_start_matches("sub-") == label;
        self.table.rows.iter().find(theirs).map(|row| self.person(row))
    }

    /// Adds somebody; their fields are filled in as they are answered.
    pub fn add(&mut self, person: &Person) {
        let mut row: Row = vec![None; self.table.columns.len()];
        for (column, cell) in self.table.columns.iter().zip(&mut row) {
            *cell = match column.as_str() {
                "participant_id" => Some(format!("sub-{}", person.label)),
                "k" => Some(person.k.to_string()),
                "withdrawn" => Some(person.withdrawn.to_string()),
                other => person.cell.get(other).cloned(),
            };
        }
        self.table.rows.push(row);
    }

    /// Fills in a field; tells whether anything changed.
    pub fn fill(&mut self, label: &str, field: &str, answer: &str) -> bool {
        let id = format!("sub-{label}");
        let Some(column) = self.table.column(field) else { return false };
        let row = self.table.rows.iter_mut().find(|row| row[0].as_deref() == Some(&*id));
        let Some(cell) = row.and_then(|row| row.get_mut(column)) else { return false };
        let changed = cell.as_deref() != Some(answer);
        *cell = Some(answer.to_owned());
        changed
    }

    /// Takes somebody out of the table.
    pub fn remove(&mut self, label: &str) {
        let id = format!("sub-{label}");
        self.table.rows.retain(|row| row[0].as_deref() != Some(&*id));
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    fn person(&self, row: &Row) -> Person {
        let cell = |name: &str| self.table.cell(row, name);
        let label = label(cell("participant_id").unwrap_or_default());
        let level = |factor: &String| Some((factor.clone(), cell(factor)?.to_owned()));
        Person {
            cell: self.between.iter().filter_map(level).collect(),
            k: cell("k").and_then(|k| k.parse().ok()).unwrap_or(0),
            withdrawn: self.withdrawn.contains(&label),
            label,
        }
    }
}

/// The label in `sub-07`.
fn label(id: &str) -> String {
    id.trim_start_matches("sub-").to_owned()
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}
