//! The trial file of one trial: the file as it stands, with what the experiment sets in it.
//!
//! The text is edited, not made anew: comments, order and lines stay, so that what is in
//! the data is what the experimenter wrote, and mistakes keep their lines.

mod edit;

use crate::plan::{GivenValue, PlannedTrial};
use crate::study::experiment::Experiment;
use crate::study::setting::{toml, written};
use crate::study::step::Doing;
use chronotap_config::trial_files::reading::QuantityFault;
use chronotap_config::trial_files::{Problems, TrialFile};
pub(crate) use edit::{document, set};

/// What is known only when a trial begins.
#[derive(Clone, Debug, Default)]
pub struct Supplied<'a> {
    /// Results that steps kept: step, name, and value: nanoseconds for a time, else the
    /// plain number.
    pub results: &'a [(String, String, f64)],
    /// Keys that staircases set, each with its value as TOML; strongest.
    pub levels: &'a [(Vec<String>, String)],
}

/// Why a trial cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrialError {
    /// A step has not kept this result. Ask the experimenter for it.
    #[error("set.{path}: step {step} kept no result \"{result}\"")]
    Missing {
        /// What would be set.
        path: String,
        /// The step that keeps it.
        step: String,
        /// The name under which it is kept.
        result: String,
    },
    /// A result lies outside of `within`. Ask the experimenter for a value.
    #[error("set.{path}: {step}.{result} {said}")]
    Outside {
        /// What would be set.
        path: String,
        /// The step that keeps it.
        step: String,
        /// The name under which it is kept.
        result: String,
        /// What it would be set to, and the bounds, in words.
        said: String,
    },
    /// A key that cannot be set in this trial file. Correct the experiment file.
    #[error("{file}: set.{path}: {message}; {cure}")]
    Key {
        /// The trial file.
        file: String,
        /// What would be set.
        path: String,
        message: String,
        /// What to do.
        cure: String,
    },
    /// The trial file has mistakes as it is set. Correct it or the experiment file.
    #[error(transparent)]
    Trial(#[from] Problems),
}

impl Experiment {
    /// The text of the trial file of a planned trial, with all that is set in it.
    ///
    /// # Errors
    /// A result that is missing or outside of its bounds; a key that cannot be set.
    pub fn trial_text(
        &self,
        trial: &PlannedTrial,
        known: &Supplied<'_>,
    ) -> Result<String, TrialError> {
        let text = self.file(&trial.file).unwrap_or_default();
        let mut settings = Vec::with_capacity(trial.settings.len());
        for setting in &trial.settings {
            let path = setting.path.join(".");
            settings.push((setting.path.clone(), self.value(&setting.value, &path, known)?));
        }
        settings.extend_from_slice(known.levels);
        derived(text, &settings).map_err(|(path, fault)| TrialError::Key {
            file: trial.file.clone(),
            path,
            message: fault.message,
            cure: fault.cure,
        })
    }

    /// The trial file of a planned trial, checked.
    ///
    /// # Errors
    /// As for its text, or the mistakes in it.
    pub fn trial(
        &self,
        trial: &PlannedTrial,
        known: &Supplied<'_>,
    ) -> Result<TrialFile, TrialError> {
        let text = self.trial_text(trial, known)?;
        Ok(TrialFile::parse(&text, &trial.file)?)
    }

    fn value(
        &self,
        given: &GivenValue,
        path: &str,
        known: &Supplied<'_>,
    ) -> Result<String, TrialError> {
        let (step, result, times, within) = match given {
            GivenValue::Toml(toml) => return Ok(toml.clone()),
            GivenValue::Result { step, result, times, within } => (step, result, times, within),
        };
        let (path, step, result) = (path.to_owned(), step.clone(), result.clone());
        let found = known.results.iter().find(|(of, name, _)| *of == step && *name == result);
        let Some((_, _, found)) = found else {
            return Err(TrialError::Missing { path, step, result });
        };
        let (value, timed) = (found * times, self.is_time(&step, &result));
        if let Some((least, greatest)) = within.filter(|(a, b)| !(*a..=*b).contains(&value)) {
            let (least, greatest) = (written(least, timed), written(greatest, timed));
            let value = written(value, timed);
            let said = format!("gives {value}, outside of {least} to {greatest}");
            return Err(TrialError::Outside { path, step, result, said });
        }
        Ok(toml(value, timed))
    }

    /// Whether what a step keeps under a name is a time.
    pub fn is_time(&self, step: &str, result: &str) -> bool {
        let step = self.steps.iter().find(|of| of.name == step);
        let Some(Doing::Trials(trials)) = step.map(|step| &step.doing) else { return false };
        let kept = trials.keep.iter().find(|keep| keep.name == result);
        kept.is_some_and(|keep| keep.measure.known.unit.nanoseconds().is_some())
    }
}

/// A text with settings; or the path of the one that is wrong, and why.
pub(crate) fn derived(
    text: &str,
    settings: &[(Vec<String>, String)],
) -> Result<String, (String, QuantityFault)> {
    if settings.is_empty() && !text.contains("[file.") {
        return Ok(text.to_owned());
    }
    let mut document = document(text).map_err(|fault| (String::new(), fault))?;
    for (path, value) in settings {
        set(&mut document, path, value).map_err(|fault| (path.join("."), fault))?;
    }
    edit::leave_out_files(&mut document);
    Ok(document.to_string())
}
