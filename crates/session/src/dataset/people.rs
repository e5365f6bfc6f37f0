//! [`People`]: who took part, in participants.tsv. What is assigned to a participant (a cell
//! between participants, a place in squares) is written there when the first session begins
//! and never changes. The journals say the same: whom the table lacks is added from them, so that
//! nobody is lost with it. Call everything here under the dataset's lock.

use super::withdrawals::Withdrawn;
use super::{Dataset, DatasetError};
use crate::columns::{Column, Columns};
use crate::journal::lines_of;
use crate::kept::journals_of;
use crate::line::{beginning, fields};
use crate::table::{Row, Table};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE};
use chronotap_design::{Answers, Experiment, Field};
use std::collections::BTreeMap;
use std::path::Path;

/// The table of participants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    table: Table,
    between: Vec<String>,
    notes: Vec<Withdrawn>,
    added: Vec<String>, // labels whom the file lacks
}

/// What is known of a participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    pub label: String,
    /// The level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// The place in squares, from 0.
    pub k: u32,
    /// Whether the participant withdrew.
    pub withdrawn: bool,
}

impl<D: AnyDisk> Dataset<D> {
    /// Who took part so far: whom the table has, and whom only the journals have.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn people(&self, columns: &Columns) -> Result<People, DatasetError> {
        let mut people = self.people_in_the_table(columns)?;
        let mut missing = Vec::new();
        for label in self.labels_with_data()? {
            let removed = people.notes.iter().any(|note| note.removed && note.label == label);
            if people.find(&label).is_none() && !removed {
                missing.extend(self.known_to_journals(&label)?);
            }
        }
        missing.sort_by(|a, b| (&a.at, &a.person.label).cmp(&(&b.at, &b.person.label)));
        missing.iter().for_each(|one| people.add_again(one));
        Ok(people)
    }

    /// Whom the table has, and nobody else.
    pub(crate) fn people_in_the_table(&self, columns: &Columns) -> Result<People, DatasetError> {
        let mut people = People::none(columns);
        people.notes = self.notes()?;
        match self.table(Path::new(PARTICIPANTS))? {
            Some(there) => people
                .take(there, columns)
                .ok_or(DatasetError::Table { path: self.root().join(PARTICIPANTS) })?,
            None if people.notes.iter().any(|note| !note.removed) => {
                people.table.columns.push(MARK.into());
            }
            None => {}
        }
        Ok(people)
    }

    /// Writes who took part.
    ///
    /// # Errors
    /// [`DatasetError::Disk`].
    pub fn write_people(&self, people: &People) -> Result<(), DatasetError> {
        self.replace_table(Path::new(PARTICIPANTS), &people.table)
    }

    /// Makes the table whole: an empty one where there is none, and everybody whom the journals
    /// know in it.
    pub(crate) fn keep_people(&self, columns: &Columns) -> Result<(), DatasetError> {
        let people = self.people(columns)?;
        if self.has(Path::new(PARTICIPANTS)) && people.added.is_empty() {
            return Ok(());
        }
        self.write_people(&people)?;
        if !people.added.is_empty() {
            let labels = people.added.join(", ");
            self.remark(format!("{PARTICIPANTS}: {labels} made again from the journals"));
        }
        Ok(())
    }

    /// The same where the study is not known: with the columns that are there or that the journals
    /// name.
    pub(crate) fn keep_people_as_they_are(&self) -> Result<(), DatasetError> {
        let mut columns = Columns::default();
        if let Some(there) = self.table(Path::new(PARTICIPANTS))? {
            columns.between = between_in(&there).iter().map(|name| Column::new(name, "")).collect();
        } else {
            for label in self.labels_with_data()? {
                let Some(one) = self.known_to_journals(&label)? else { continue };
                add(&mut columns.between, one.person.cell.keys());
                add(&mut columns.fields, one.fields.iter().map(|(field, _)| field));
            }
        }
        self.keep_people(&columns)
    }

    /// The labels of those who withdrew: as it was noted, and as the table marks them.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn withdrawn(&self) -> Result<Vec<String>, DatasetError> {
        let mut labels: Vec<String> = self.notes()?.into_iter().map(|note| note.label).collect();
        let table = self.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
        for row in table.rows.iter().filter(|row| table.cell(row, MARK) == Some("true")) {
            let label = label_of(table.cell(row, "participant_id").unwrap_or_default());
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        Ok(labels)
    }

    /// What was assigned to somebody, as their journals say it, or else the table.
    pub(crate) fn assigned(&self, label: &str) -> Result<Option<Person>, DatasetError> {
        if let Ok(Some(one)) = self.known_to_journals(label) {
            return Ok(Some(one.person));
        }
        let table = self.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
        let between = between_in(&table);
        let people = People { table, between, notes: Vec::new(), added: Vec::new() };
        Ok(people.find(label))
    }

    /// The labels of those who have a folder for journals.
    fn labels_with_data(&self) -> Result<Vec<String>, DatasetError> {
        if !self.has_folder(Path::new(SOURCE)) {
            return Ok(Vec::new());
        }
        let names = self.names_in(Path::new(SOURCE))?;
        let labels = names.iter().filter_map(|name| name.to_str()?.strip_prefix("sub-"));
        Ok(labels.map(str::to_owned).collect())
    }

    /// Somebody as their journals say it; `None` where no session began.
    fn known_to_journals(&self, label: &str) -> Result<Option<Known>, DatasetError> {
        let mut known: Option<Known> = None;
        for journal in journals_of(self, label)? {
            let lines = lines_of(&self.root().join(&journal), self.bytes(&journal))?;
            let Some(began) = beginning(&lines) else { continue };
            let known = known.get_or_insert_with(|| Known {
                at: began.at.clone(),
                person: Person {
                    label: label.to_owned(),
                    cell: began.cell.clone(),
                    k: began.k,
                    withdrawn: false,
                },
                fields: Vec::new(),
            });
            let answers = fields(&lines).map(|(field, answer)| (field.into(), answer.into()));
            known.fields.extend(answers);
        }
        Ok(known)
    }
}

/// Somebody as their journals say it.
struct Known {
    at: String, // when the first session began
    person: Person,
    fields: Vec<(String, String)>,
}

/// The column that says who withdrew.
pub(crate) const MARK: &str = "withdrawn";

impl People {
    /// Nobody yet.
    pub fn none(columns: &Columns) -> People {
        let table = Table::new(names(&columns.of_participants()));
        let (notes, added) = (Vec::new(), Vec::new());
        People { table, between: names(&columns.between), notes, added }
    }

    /// Takes the table that is there; nothing where it lacks what was assigned. A field that the
    /// study did not have before is a column without answers.
    fn take(&mut self, mut there: Table, columns: &Columns) -> Option<()> {
        let assigned = ["participant_id", "k"].into_iter();
        let mut assigned = assigned.chain(self.between.iter().map(String::as_str));
        assigned.all(|name| there.column(name).is_some()).then_some(())?;
        for field in &columns.fields {
            if there.column(&field.name).is_none() {
                there.columns.push(field.name.clone());
                there.rows.iter_mut().for_each(|row| row.push(None));
            }
        }
        self.table = there;
        Some(())
    }

    /// Adds somebody whom only the journals have.
    fn add_again(&mut self, known: &Known) {
        let Person { label, withdrawn, .. } = &known.person;
        let withdrawn = *withdrawn || self.is_noted(label);
        self.add(&Person { withdrawn, ..known.person.clone() });
        for (field, answer) in &known.fields {
            self.fill(label, field, answer);
        }
        self.added.push(format!("sub-{label}"));
    }

    fn is_noted(&self, label: &str) -> bool {
        self.notes.iter().any(|note| note.label == label)
    }

    /// Everybody to whom anything was assigned, also those whose data were removed.
    pub fn assigned(&self) -> Vec<Person> {
        let mut all = self.all();
        let noted = self.notes.iter().filter_map(|note| note.assigned.clone());
        for person in noted {
            if !all.iter().any(|one| one.label == person.label) {
                all.push(person);
            }
        }
        all
    }

    /// Everybody, in the order in which they began.
    pub fn all(&self) -> Vec<Person> {
        self.table.rows.iter().map(|row| self.person(row)).collect()
    }

    /// One of them.
    pub fn find(&self, label: &str) -> Option<Person> {
        let id = |row: &Row| self.table.cell(row, "participant_id").unwrap_or_default().to_owned();
        let theirs = |row: &&Row| label_of(&id(row)) == label;
        self.table.rows.iter().find(theirs).map(|row| self.person(row))
    }

    /// What somebody answered to the fields of a study, as the table has it.
    pub(crate) fn answers(&self, label: &str, experiment: &Experiment) -> Answers {
        let id = format!("sub-{label}");
        let row = self.table.rows.iter().find(|row| row[0].as_deref() == Some(&*id));
        let answer = |field: &Field| {
            Some((field.name.clone(), self.table.cell(row?, &field.name)?.to_owned()))
        };
        experiment.fields.iter().filter_map(answer).collect()
    }

    /// Adds somebody; their fields are filled in as they are answered.
    pub fn add(&mut self, person: &Person) {
        let mut row: Row = vec![None; self.table.columns.len()];
        for (column, cell) in self.table.columns.iter().zip(&mut row) {
            *cell = match column.as_str() {
                "participant_id" => Some(format!("sub-{}", person.label)),
                "k" => Some(person.k.to_string()),
                MARK => Some(person.withdrawn.to_string()),
                other => person.cell.get(other).cloned(),
            };
        }
        self.table.rows.push(row);
    }

    /// Adds those of another table with the same columns.
    pub(crate) fn append(&mut self, other: People) {
        self.table.rows.extend(other.table.rows);
    }

    /// Fills in a field; tells whether anything changed.
    pub fn fill(&mut self, label: &str, field: &str, answer: &str) -> bool {
        let id = format!("sub-{label}");
        let Some(column) = self.table.column(field) else { return false };
        let row = self.table.rows.iter_mut().find(|row| row[0].as_deref() == Some(&*id));
        let Some(cell) = row.and_then(|row| row.get_mut(column)) else { return false };
        let answer = Some(answer).filter(|answer| !answer.is_empty()); // what may be left out
        let changed = cell.as_deref() != answer;
        *cell = answer.map(str::to_owned);
        changed
    }

    /// Takes somebody out of the table.
    pub fn remove(&mut self, label: &str) {
        let id = format!("sub-{label}");
        self.table.rows.retain(|row| row[0].as_deref() != Some(&*id));
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    fn person(&self, row: &Row) -> Person {
        let cell = |name: &str| self.table.cell(row, name);
        let label = label_of(cell("participant_id").unwrap_or_default());
        let level = |factor: &String| Some((factor.clone(), cell(factor)?.to_owned()));
        Person {
            cell: self.between.iter().filter_map(level).collect(),
            k: cell("k").and_then(|k| k.parse().ok()).unwrap_or(0),
            withdrawn: self.is_noted(&label) || cell(MARK) == Some("true"),
            label,
        }
    }
}

/// The label in `sub-07`.
pub(super) fn label_of(id: &str) -> String {
    id.strip_prefix("sub-").unwrap_or(id).to_owned()
}

/// The factors between participants of a table: the columns between the label and `k`.
fn between_in(table: &Table) -> Vec<String> {
    let k = table.column("k").unwrap_or(1);
    table.columns.get(1..k).unwrap_or_default().to_vec()
}

/// Adds columns of these names, where there are none yet.
fn add<'a>(columns: &mut Vec<Column>, names: impl Iterator<Item = &'a String>) {
    for name in names {
        if !columns.iter().any(|column| column.name == *name) {
            columns.push(Column::new(name, ""));
        }
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}
