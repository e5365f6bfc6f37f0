//! [`Withdrawn`]: who withdrew from a dataset, by its own note. Data that were kept all the same
//! are no part of any table, report or export.

use crate::tables::TablesError;
use crate::tables::names::WITHDRAWALS;
use crate::tables::table::Table;
use chronotap_core::files::real;
use std::path::Path;

/// The labels of those who withdrew from a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withdrawn {
    labels: Vec<String>,
}

impl Withdrawn {
    /// Those of the dataset that this file or folder lies in, or is; nobody where it lies in none.
    ///
    /// # Errors
    /// [`TablesError`] where the note cannot be read.
    pub fn around(path: &Path) -> Result<Withdrawn, TablesError> {
        let whole = real(path).unwrap_or_else(|_| path.to_owned());
        let notes = whole.ancestors().map(|folder| folder.join(WITHDRAWALS));
        match notes.into_iter().find(|note| chronotap_core::files::is_there(note)) {
            Some(note) => Withdrawn::noted(&note),
            None => Ok(Withdrawn::default()),
        }
    }

    fn noted(note: &Path) -> Result<Withdrawn, TablesError> {
        let table = Table::read(note)?;
        let id = table.column("participant_id")?;
        let labels = table.rows.iter().filter_map(|row| row[id].as_deref());
        Ok(Withdrawn { labels: labels.map(|label| bare(label).to_owned()).collect() })
    }

    /// Whether the participant of this label, with or without `sub-`, withdrew.
    pub fn has(&self, label: &str) -> bool {
        self.labels.iter().any(|known| known == bare(label))
    }

    /// Who is here, and was not there.
    pub(crate) fn besides(&self, before: &Withdrawn) -> Vec<String> {
        self.labels.iter().filter(|label| !before.has(label)).cloned().collect()
    }

    /// Who is left out, in a sentence; `None` where nobody is.
    pub fn sentence(count: usize) -> Option<String> {
        match count {
            0 => None,
            1 => Some("1 participant withdrew and is left out".into()),
            more => Some(format!("{more} participants withdrew and are left out")),
        }
    }
}

/// The label in `sub-07`.
fn bare(label: &str) -> &str {
    label.strip_prefix("sub-").unwrap_or(label)
}
