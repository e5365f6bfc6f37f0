//! [`People`]: who took part, in participants.tsv. What is assigned to a participant (a cell
//! between participants, a place in squares) is written there when the first session begins
//! and never changes. The journals say the same: whom the table lacks is added from them, so that
//! nobody is lost with it. Call everything here under the dataset's lock.

use super::journals::{is_label, journals_of};
use super::withdrawals::{MARK, WhoWithdrew, label_of};
use super::{About, Dataset, DatasetError};
use crate::attrition::Attrition;
use crate::columns::{Column, Columns};
use crate::journal::lines_of;
use crate::line::{beginning, fields};
use crate::person::Person;
use crate::table::{TsvRow, TsvTable};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::{ATTRITION, PARTICIPANTS, SOURCE};
use chronotap_design::{Experiment, FieldAnswers, ParticipantField};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The table of participants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    table: TsvTable,
    between: Vec<String>,
    notes: Vec<WhoWithdrew>,
    added: Vec<String>, // labels whom the file lacks
}

/// What somebody answered: their label, the field, the answer.
pub(super) type Answered = (String, String, String);

impl<D: AnyDisk> Dataset<D> {
    /// Who took part so far: whom the table has, and whom only the journals have.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn people(&self, columns: &Columns) -> Result<People, DatasetError> {
        let mut people = self.people_in_the_table(columns)?;
        let mut missing = Vec::new();
        let there = people.labels();
        for label in self.labels_with_data()? {
            let removed = people.notes.iter().any(|note| note.removed && note.label == label);
            if !there.contains(&label) && !removed {
                missing.extend(self.known_to_journals(&label)?);
            }
        }
        missing.sort_by(|a, b| (&a.at, &a.person.label).cmp(&(&b.at, &b.person.label)));
        missing.iter().for_each(|one| people.add_again(one));
        Ok(people)
    }

    /// Whom the table has, and nobody else.
    pub fn people_in_the_table(&self, columns: &Columns) -> Result<People, DatasetError> {
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
        self.replace_table(Path::new(PARTICIPANTS), &people.table)?;
        match people.table.column(ATTRITION) {
            Some(_) => super::describe::add_attrition(self),
            None => Ok(()),
        }
    }

    /// Makes the table whole: an empty one where there is none, and everybody whom the journals
    /// know in it.
    pub fn keep_people(&self, columns: &Columns) -> Result<(), DatasetError> {
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

    /// A study with a factor between participants that those in the dataset were not assigned is not the
    /// one that they took part in, whatever participants.tsv has. The first journal says it for all.
    pub fn refuse_other_groups(&self, about: &About) -> Result<(), DatasetError> {
        let here = names(&about.columns.between);
        for label in self.labels_with_data()? {
            let Some(known) = self.known_to_journals(&label)? else { continue };
            if known.person.waits {
                continue; // their group follows from answers that were not given yet
            }
            let there: Vec<String> = known.person.cell.into_keys().collect();
            if here.iter().all(|factor| there.contains(factor)) {
                return Ok(());
            }
            let study = about.files.first().map_or_else(String::new, |file| file.0.clone());
            let path = self.root().to_owned();
            return Err(DatasetError::OtherGroups { path, study, there, here });
        }
        Ok(())
    }

    /// The same where the study is not known: with the columns that are there or that the journals
    /// name.
    pub fn keep_people_as_they_are(&self) -> Result<(), DatasetError> {
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

    /// Somebody else here whose label some disks and people do not tell from this one: it differs in
    /// capital letters alone, or in the zeros before a number. `None` where the label is known itself.
    pub fn alike(&self, label: &str) -> Result<Option<String>, DatasetError> {
        if self.is_held(label).is_some() {
            return Ok(None);
        }
        let table = self.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
        let ids = table.rows.iter().filter_map(|row| table.cell(row, "participant_id"));
        let mut known: Vec<String> = ids.map(label_of).collect();
        known.extend(self.notes()?.into_iter().map(|note| note.label));
        known.extend(self.labels_with_data()?);
        match known.iter().any(|one| one == label) {
            true => Ok(None),
            false => Ok(known.into_iter().find(|one| is_alike(one, label))),
        }
    }

    /// What was assigned to somebody, as their journals say it, or else the table.
    pub fn assigned(&self, label: &str) -> Result<Option<Person>, DatasetError> {
        if let Ok(Some(one)) = self.known_to_journals(label) {
            return Ok(Some(one.person).filter(Person::has_a_place));
        }
        let table = self.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
        let between = between_in(&table);
        let people = People { table, between, notes: Vec::new(), added: Vec::new() };
        Ok(people.find(label).filter(Person::has_a_place))
    }

    /// Takes in who declined since the table was written: a program that ended behind the answer did
    /// not say it there. Who has recordings is no decliner, and their journals are not read.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn settle_attrition(&self, people: &mut People) -> Result<(), DatasetError> {
        for Person { label, withdrawn, attrition, .. } in people.all() {
            let own = Path::new("").join(format!("sub-{label}"));
            if attrition.is_none() && !withdrawn && !self.has_recordings(&own)? {
                people.leave(&label, self.attrition(&label)?);
            }
        }
        Ok(())
    }

    /// Whether a folder of a participant has the events of a trial.
    fn has_recordings(&self, folder: &Path) -> Result<bool, DatasetError> {
        if !self.has_folder(folder) {
            return Ok(false);
        }
        for name in self.names_in(folder)? {
            let text = name.to_string_lossy();
            let inside = text == "beh" || text.starts_with("ses-");
            if text.ends_with("_events.tsv")
                || (inside && self.has_recordings(&folder.join(&name))?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The labels of those who have a folder for journals.
    fn labels_with_data(&self) -> Result<Vec<String>, DatasetError> {
        if !self.has_folder(Path::new(SOURCE)) {
            return Ok(Vec::new());
        }
        let names = self.names_in(Path::new(SOURCE))?;
        let labels = names.iter().filter_map(|name| name.to_str()?.strip_prefix("sub-"));
        Ok(labels.filter(|label| is_label(label)).map(str::to_owned).collect())
    }

    /// Somebody as their journals say it; `None` where no session began.
    fn known_to_journals(&self, label: &str) -> Result<Option<Known>, DatasetError> {
        let mut known: Option<Known> = None;
        let attrition = self.attrition(label)?;
        for journal in journals_of(self, label)? {
            let lines = lines_of(&self.root().join(&journal), self.bytes(&journal))?;
            // One of somebody else is there where a folder was renamed.
            let began = beginning(&lines).filter(|began| began.participant == label);
            let Some(began) = began else { continue };
            let known = known.get_or_insert_with(|| Known {
                at: began.at.clone(),
                person: Person { attrition, ..began.person() },
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

impl People {
    /// Nobody yet.
    pub fn none(columns: &Columns) -> People {
        let table = TsvTable::new(names(&columns.of_participants()));
        let (notes, added) = (Vec::new(), Vec::new());
        People { table, between: names(&columns.between), notes, added }
    }

    /// Takes the table that is there; nothing where it lacks what was assigned. A field that the
    /// study did not have before is a column without answers.
    fn take(&mut self, mut there: TsvTable, columns: &Columns) -> Option<()> {
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
        self.leave(label, known.person.attrition);
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

    /// The labels of everybody.
    fn labels(&self) -> HashSet<String> {
        let Some(id) = self.table.column("participant_id") else { return HashSet::new() };
        self.table.rows.iter().map(|row| label_of(row[id].as_deref().unwrap_or_default())).collect()
    }

    /// One of them.
    pub fn find(&self, label: &str) -> Option<Person> {
        let id =
            |row: &TsvRow| self.table.cell(row, "participant_id").unwrap_or_default().to_owned();
        let theirs = |row: &&TsvRow| label_of(&id(row)) == label;
        self.table.rows.iter().find(theirs).map(|row| self.person(row))
    }

    /// What somebody answered to the fields of a study, as the table has it.
    pub fn answers(&self, label: &str, experiment: &Experiment) -> FieldAnswers {
        let id = format!("sub-{label}");
        let theirs = |row: &&TsvRow| self.table.cell(row, "participant_id") == Some(&*id);
        let row = self.table.rows.iter().find(theirs);
        let answer = |field: &ParticipantField| {
            Some((field.name.clone(), self.table.cell(row?, &field.name)?.to_owned()))
        };
        experiment.fields.iter().filter_map(answer).collect()
    }

    /// Writes the group and the place of somebody who is there.
    pub fn settle(&mut self, person: &Person) {
        for (factor, level) in &person.cell {
            self.fill(&person.label, factor, level);
        }
        self.fill(&person.label, "k", &person.k.to_string());
    }

    /// Writes how somebody left, or that they did not; tells whether anything changed. The column is
    /// there where somebody did.
    pub fn leave(&mut self, label: &str, how: Option<Attrition>) -> bool {
        if how.is_some() && self.table.column(ATTRITION).is_none() {
            self.table.columns.push(ATTRITION.into());
            self.table.rows.iter_mut().for_each(|row| row.push(None));
        }
        self.fill(label, ATTRITION, how.map_or("", Attrition::word))
    }

    /// Adds somebody; their fields are filled in as they are answered.
    pub fn add(&mut self, person: &Person) {
        let mut row: TsvRow = vec![None; self.table.columns.len()];
        for (column, cell) in self.table.columns.iter().zip(&mut row) {
            *cell = match column.as_str() {
                "participant_id" => Some(format!("sub-{}", person.label)),
                "k" => (!person.waits).then(|| person.k.to_string()),
                MARK => Some(person.withdrawn.to_string()),
                ATTRITION => person.attrition.map(|left| left.word().to_owned()),
                other => person.cell.get(other).cloned(),
            };
        }
        self.table.rows.push(row);
    }

    /// Adds those of another table.
    pub fn append(&mut self, other: &People) {
        for row in &other.table.rows {
            let cell = |name: &String| other.table.cell(row, name).map(str::to_owned);
            self.table.rows.push(self.table.columns.iter().map(cell).collect());
        }
    }

    /// Fills in a field; tells whether anything changed.
    pub fn fill(&mut self, label: &str, field: &str, answer: &str) -> bool {
        let id = format!("sub-{label}");
        let columns = [field, "participant_id"].map(|name| self.table.column(name));
        let [Some(column), Some(whose)] = columns else { return false };
        let row = self.table.rows.iter_mut().find(|row| row[whose].as_deref() == Some(&*id));
        let Some(cell) = row.and_then(|row| row.get_mut(column)) else { return false };
        let answer = Some(answer).filter(|answer| !answer.is_empty()); // what may be left out
        let changed = cell.as_deref() != answer;
        *cell = answer.map(str::to_owned);
        changed
    }

    /// Fills in the fields of many; tells whether anything changed.
    pub(super) fn fill_all(&mut self, answers: &[Answered]) -> bool {
        let Some(whose) = self.table.column("participant_id") else { return false };
        let columns: HashMap<String, usize> = self.table.columns.iter().cloned().zip(0..).collect();
        let mut rows: HashMap<String, &mut TsvRow> = HashMap::new();
        for row in &mut self.table.rows {
            let label = label_of(row[whose].as_deref().unwrap_or_default());
            rows.entry(label).or_insert(row);
        }
        let mut changed = false;
        for (label, field, answer) in answers {
            let (Some(row), Some(column)) = (rows.get_mut(label), columns.get(field)) else {
                continue;
            };
            let Some(cell) = row.get_mut(*column) else { continue };
            let answer = Some(answer).filter(|answer| !answer.is_empty()); // what may be left out
            changed |= cell.as_ref() != answer;
            *cell = answer.cloned();
        }
        changed
    }

    /// Takes somebody out of the table.
    pub fn remove(&mut self, label: &str) {
        let id = format!("sub-{label}");
        let Some(whose) = self.table.column("participant_id") else { return };
        self.table.rows.retain(|row| row[whose].as_deref() != Some(&*id));
    }

    pub fn table(&self) -> &TsvTable {
        &self.table
    }

    fn person(&self, row: &TsvRow) -> Person {
        let cell = |name: &str| self.table.cell(row, name);
        let label = label_of(cell("participant_id").unwrap_or_default());
        let level = |factor: &String| Some((factor.clone(), cell(factor)?.to_owned()));
        Person {
            cell: self.between.iter().filter_map(level).collect(),
            k: cell("k").and_then(|k| k.parse().ok()).unwrap_or(0),
            withdrawn: self.is_noted(&label) || cell(MARK) == Some("true"),
            attrition: cell(ATTRITION).and_then(Attrition::of_word),
            waits: cell("k").is_none(),
            label,
        }
    }
}

/// Whether two labels differ in nothing but capital letters and zeros before a number.
fn is_alike(one: &str, other: &str) -> bool {
    let plain = |label: &str| label.trim_start_matches('0').to_ascii_lowercase();
    plain(one) == plain(other)
}

/// The factors between participants of a table: the columns between the label and `k`.
fn between_in(table: &TsvTable) -> Vec<String> {
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
