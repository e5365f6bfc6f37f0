//! What is entered about a participant on the first page: the groups that follow from it are told
//! before the session begins, and what was wrong is put right, as `chronotap correct` does it.

use super::folder::{self, Remembered};
use super::withdraw::name_of;
use chronotap_design::FieldAnswers;
use chronotap_session::correct::{ParticipantCorrection, correct as put_right};
use chronotap_session::{Dataset, Study};
use chronotap_words::{Says, Surface};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What was entered for somebody who is new.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct New {
    /// The study, by its path in the list.
    study: PathBuf,
    answers: Vec<(String, String)>,
}

/// The groups that follow from what was entered. The error is a sentence for whoever entered it.
pub(super) fn groups(
    folder: &Path,
    new: &New,
    memory: &Remembered,
) -> Result<Vec<(String, String)>, String> {
    let path = folder::study(folder, &new.study, memory)?;
    let experiment = Study::read(&path).map_err(|error| error.says(Surface::Page))?.experiment;
    let mut answers = FieldAnswers::new();
    for (name, given) in &new.answers {
        if let Some(field) = experiment.fields.iter().find(|field| field.name == *name) {
            let refused = |expected| format!("{}: it takes {expected}", field.question);
            answers.insert(name.clone(), field.answer.accept(given).map_err(refused)?);
        }
    }
    Ok(experiment.levels_from(&answers))
}

/// What is put right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Right {
    /// The dataset, by its path in the list.
    dataset: PathBuf,
    /// The participant's label.
    participant: String,
    values: Vec<(String, String)>,
    reason: String,
    /// The experimenter's name; it may be empty.
    by: String,
}

/// Puts it right. The error is a sentence for whoever pressed.
pub(super) fn correct(folder: &Path, right: Right, memory: &Remembered) -> Result<(), String> {
    let path = folder::dataset_of(folder, &right.dataset, memory)?;
    let dataset = Dataset::open(&path).map_err(|error| error.says(Surface::Page))?;
    let Right { participant: label, values, reason, by, .. } = right;
    let values = values.into_iter().collect();
    let correction = ParticipantCorrection { label, values, reason, by: name_of(&by) };
    put_right(&dataset, &correction).map(drop).map_err(|error| error.says(Surface::Page))
}
