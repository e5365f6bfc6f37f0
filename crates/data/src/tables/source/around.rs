//! [`Around`]: the datasets that tables lie in, while something is made of these: who withdraws meanwhile is to be
//! in nothing that is made. [`Labels`] are the people whose trials are read.

use super::{Withdrawn, dataset_of, layout};
use crate::tables::TablesError;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Datasets, and who had withdrawn from each when it was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    before: BTreeMap<PathBuf, Withdrawn>,
}

impl Around {
    /// The datasets of these tables; a table that lies in none has none.
    ///
    /// # Errors
    /// [`TablesError::Unfinished`] where a correction was cut short in one; [`TablesError`] where a note of who
    /// withdrew cannot be read.
    pub fn of<P: AsRef<Path>>(tables: &[P]) -> Result<Around, TablesError> {
        let mut around = Around::default();
        for dataset in tables.iter().filter_map(|table| dataset_of(table.as_ref())) {
            if let Entry::Vacant(new) = around.before.entry(dataset) {
                layout::refuse_unfinished(new.key())?;
                let withdrawn = Withdrawn::around(new.key())?;
                new.insert(withdrawn);
            }
        }
        Ok(around)
    }

    /// The same of more datasets; what was known before stays.
    pub(crate) fn append(&mut self, more: Around) {
        for (dataset, before) in more.before {
            self.before.entry(dataset).or_insert(before);
        }
    }

    /// Who withdrew since. Ask when all is written: whoever withdraws after that removes it, or is told of it.
    ///
    /// # Errors
    /// [`TablesError`] where a note cannot be read.
    pub fn withdrew_meanwhile(&self) -> Result<Vec<String>, TablesError> {
        let mut gone = BTreeSet::new();
        for (dataset, before) in &self.before {
            gone.extend(Withdrawn::around(dataset)?.besides(before));
        }
        Ok(gone.into_iter().collect())
    }
}

/// People by their labels, each in the dataset that has them.
#[derive(Debug, Default)]
pub(super) struct Labels {
    by_place: BTreeMap<PathBuf, BTreeSet<String>>,
}

impl Labels {
    pub(super) fn add(&mut self, place: &Path, label: &str) {
        self.by_place.entry(place.to_owned()).or_default().insert(label.to_owned());
    }

    /// Which of them have withdrawn by now.
    pub(super) fn withdrew(&self) -> Result<Vec<String>, TablesError> {
        let mut gone = BTreeSet::new();
        for (place, labels) in &self.by_place {
            let withdrawn = Withdrawn::around(place)?;
            gone.extend(labels.iter().filter(|label| withdrawn.has(label)).cloned());
        }
        Ok(gone.into_iter().collect())
    }
}
