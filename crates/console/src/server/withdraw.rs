//! [`withdraw`] and [`dropout`]: a participant is taken out of a dataset, or will not come back, as the commands of
//! these names do it. The page has asked before, naming participant and dataset.

use super::folder::{self, Remembered};
use chronotap_session::dropout::{DropOut, drop_out};
use chronotap_session::spare::known;
use chronotap_session::withdraw::{Manner, TakenOut, withdraw as take_out};
use chronotap_session::{Attrition, Dataset};
use chronotap_words::{Says, Surface};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Who is withdrawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Withdrawal {
    /// The dataset, by its path in the list.
    dataset: PathBuf,
    /// The participant's label.
    participant: String,
    /// Whether the data stay and the participant is only marked.
    keep: bool,
}

/// Takes the participant out: what was done, and what is left to do. The error is a sentence for
/// whoever pressed.
pub(super) fn withdraw(
    folder: &Path,
    asked: &Withdrawal,
    memory: &Remembered,
) -> Result<TakenOut, String> {
    let dataset = listed(folder, &asked.dataset, memory)?;
    let manner = if asked.keep { Manner::Mark } else { Manner::Remove };
    take_out(&dataset, &asked.participant, manner, &known())
        .map_err(|error| error.says(Surface::Page))
}

/// Who will not come back, or is back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Leaving {
    /// The dataset, by its path in the list.
    dataset: PathBuf,
    /// The participant's label.
    participant: String,
    reason: String,
    /// The experimenter's name; it may be empty.
    by: String,
    /// Whether it is taken back.
    back: bool,
}

impl Leaving {
    fn said(&self) -> DropOut {
        let (label, reason) = (self.participant.clone(), self.reason.clone());
        DropOut { label, reason, by: name_of(&self.by), back: self.back }
    }
}

/// Who says something, in the journal: the experimenter where the page has no name.
pub(super) fn name_of(by: &str) -> String {
    if by.is_empty() { "experimenter".to_owned() } else { by.to_owned() }
}

/// Notes it, and tells how the participant has left now. The error is a sentence for whoever pressed.
pub(super) fn dropout(
    folder: &Path,
    asked: &Leaving,
    memory: &Remembered,
) -> Result<Option<Attrition>, String> {
    let dataset = listed(folder, &asked.dataset, memory)?;
    drop_out(&dataset, &asked.said()).map_err(|error| error.says(Surface::Page))
}

/// The dataset of this path in the list.
fn listed(folder: &Path, path: &Path, memory: &Remembered) -> Result<Dataset, String> {
    let path = folder::dataset_of(folder, path, memory)?;
    Dataset::open(&path).map_err(|error| error.says(Surface::Page))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal line without a name says nothing of who decided.
    #[test]
    fn whoever_presses_is_named() {
        let by = |by: &str| {
            let asked = serde_json::json!({ "dataset": "data", "participant": "01", "reason": "ill", "by": by, "back": false });
            serde_json::from_value::<Leaving>(asked).unwrap().said().by
        };
        assert_eq!((&*by("Ada"), &*by("")), ("Ada", "experimenter"));
    }

    #[test]
    fn only_a_dataset_of_the_list_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        for dataset in ["/etc", "../data", "data"] {
            let (dataset, participant) = (PathBuf::from(dataset), "01".to_owned());
            let reason = "moved away".to_owned();
            let leaving = Leaving {
                dataset: dataset.clone(),
                participant: participant.clone(),
                reason,
                by: String::new(),
                back: false,
            };
            let asked = Withdrawal { dataset, participant, keep: true };
            let memory = Remembered::default();
            let refused = [
                withdraw(dir.path(), &asked, &memory).unwrap_err(),
                dropout(dir.path(), &leaving, &memory).unwrap_err(),
            ];
            assert!(refused.iter().all(|said| said.contains("no such dataset")), "{refused:?}");
        }
    }
}
