//! [`Register`]: who takes part, in memory, while a study is simulated. A session looks up one person and
//! writes their answers. With the table read and written again for each, eight times as many people
//! would take sixty-four times as long.
//!
//! The table on the disk gets the answers when these are [settled](Dataset::settle_register). Where the program is
//! killed before, the same command goes on and fills them in from the journals.

use super::people::{Answered, People};
use super::{Dataset, DatasetError, Person};
use crate::columns::Columns;
use chronotap_core::files::Disk as AnyDisk;
use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

/// Who takes part, and what they answered since the table was written.
#[derive(Debug, Default)]
pub(super) struct Register {
    people: HashMap<String, Person>,
    answers: Vec<Answered>,
}

impl<D: AnyDisk> Dataset<D> {
    /// Keeps these people in memory from now on.
    pub fn hold_register(&self, people: &People) {
        let all = people.all().into_iter().map(|person| (person.label.clone(), person)).collect();
        *self.register() = Some(Register { people: all, answers: Vec::new() });
    }

    /// Writes the answers that are in memory into the table, and keeps nobody in memory any longer.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn settle_register(&self, columns: &Columns) -> Result<(), DatasetError> {
        let Some(Register { answers, .. }) = self.register().take() else { return Ok(()) };
        if answers.is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        let mut people = self.people(columns)?;
        people.fill_all(&answers);
        self.write_people(&people)
    }

    /// Somebody, as the table or the journals have them.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn person(&self, label: &str, columns: &Columns) -> Result<Option<Person>, DatasetError> {
        if let Some(register) = &*self.register() {
            return Ok(register.people.get(label).cloned());
        }
        Ok(self.people(columns)?.find(label))
    }

    /// Whether somebody withdrew.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn has_withdrawn(&self, label: &str) -> Result<bool, DatasetError> {
        match self.is_held(label) {
            Some(person) => Ok(person.withdrawn || self.notes()?.iter().any(|n| n.label == label)),
            None => Ok(self.withdrawn()?.iter().any(|one| one == label)),
        }
    }

    /// Somebody who is in memory.
    pub(super) fn is_held(&self, label: &str) -> Option<Person> {
        self.register().as_ref()?.people.get(label).cloned()
    }

    /// Fills in what somebody answered.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub fn fill_in(
        &self,
        label: &str,
        answers: &[(&str, &str)],
        columns: &Columns,
    ) -> Result<(), DatasetError> {
        let owned = |(field, answer): &(&str, &str)| {
            (label.to_owned(), (*field).to_owned(), (*answer).to_owned())
        };
        if let Some(register) = &mut *self.register() {
            register.answers.extend(answers.iter().map(owned));
            return Ok(());
        }
        let _lock = self.lock()?;
        let mut people = self.people(columns)?;
        match people.fill_all(&answers.iter().map(owned).collect::<Vec<_>>()) {
            true => self.write_people(&people),
            false => Ok(()),
        }
    }

    fn register(&self) -> MutexGuard<'_, Option<Register>> {
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::columns::{Column, Columns};
    use crate::dataset::{About, Dataset, People, Person};
    use crate::disk::SessionDisk;

    fn columns() -> Columns {
        Columns { fields: vec![Column::new("age", "")], ..Columns::default() }
    }

    fn table(dataset: &Dataset) -> String {
        std::fs::read_to_string(dataset.root().join("participants.tsv")).unwrap()
    }

    #[test]
    fn who_is_in_memory_is_found_and_answers_without_the_table() {
        let dir = tempfile::tempdir().unwrap();
        let about = About { task: "t".into(), columns: columns(), ..About::default() };
        let disk = SessionDisk::that_syncs_at_the_end();
        let dataset = Dataset::open_or_make(&dir.path().join("d"), &about, true, disk).unwrap();
        let mut people = People::none(&columns());
        for (k, label) in (0..).zip(["01", "02"]) {
            people.add(&Person { label: label.into(), k, ..Person::default() });
        }
        dataset.write_people(&people).unwrap();
        dataset.hold_register(&people);
        // Whoever read it now would be refused.
        let path = dataset.root().join("participants.tsv");
        let there = std::fs::read(&path).unwrap();
        std::fs::write(&path, "no table").unwrap();
        assert_eq!(dataset.person("02", &columns()).unwrap().unwrap().k, 1);
        assert_eq!(dataset.person("03", &columns()).unwrap(), None);
        assert_eq!(dataset.alike("02").unwrap(), None);
        assert!(!dataset.has_withdrawn("02").unwrap());
        dataset.fill_in("02", &[("age", "31"), ("unknown", "1")], &columns()).unwrap();
        dataset.fill_in("01", &[("age", "")], &columns()).unwrap();
        std::fs::write(&path, there).unwrap();
        dataset.settle_register(&columns()).unwrap();
        assert_eq!(table(&dataset), "participant_id\tk\tage\nsub-01\t0\tn/a\nsub-02\t1\t31\n");
        // Behind that every answer is written at once.
        dataset.fill_in("01", &[("age", "40")], &columns()).unwrap();
        assert!(table(&dataset).contains("sub-01\t0\t40\n"), "{}", table(&dataset));
    }
}
