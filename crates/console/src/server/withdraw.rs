//! [`withdraw`]: a participant is taken out of a dataset, as `chronotap withdraw` does it. The
//! page has asked before, naming participant and dataset.

use super::folder::{self, Remembered};
use crate::says::Says;
use chronotap_session::Dataset;
use chronotap_session::spare::known;
use chronotap_session::withdraw::{Manner, TakenOut, withdraw as take_out};
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
    let path = folder::dataset_of(folder, &asked.dataset, memory)
        .ok_or("there is no such dataset in this folder; load the page again")?;
    let manner = if asked.keep { Manner::Mark } else { Manner::Remove };
    let dataset = Dataset::open(&path).map_err(|error| error.says())?;
    take_out(&dataset, &asked.participant, manner, &known()).map_err(|error| error.says())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dataset_of_the_list_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        for dataset in ["/etc", "../data", "data"] {
            let (dataset, participant) = (PathBuf::from(dataset), "01".to_owned());
            let asked = Withdrawal { dataset, participant, keep: true };
            assert!(
                withdraw(dir.path(), &asked, &Remembered::default())
                    .unwrap_err()
                    .contains("no such dataset")
            );
        }
    }
}
