//! The description of a simulated participant of a study: a model, and behind each `|` how it differs at a
//! level, as in `tapper, mean = -30 +- 10 ms | delay 200 ms: mean - 15 +- 5 ms`. The model is drawn once
//! for each participant; the differences are put in trial by trial.

use crate::difference::{Difference, DifferenceError};
use crate::level::SESSION;
use crate::models;
use chronotap_design::{Experiment, Plan, PlannedTrial};
use std::borrow::Cow;

const BEHIND: char = '|';

/// What the model alone is described by.
pub fn model_of(description: &str) -> &str {
    description.split(BEHIND).next().unwrap_or_default().trim()
}

/// The model with these differences, which are checked against the study.
///
/// # Errors
/// The first difference that is none, or has no place in the study.
pub fn with_differences(
    model: &str,
    differences: &[String],
    experiment: &Experiment,
) -> Result<String, DifferenceError> {
    let all = std::iter::once(model).chain(differences.iter().map(String::as_str));
    let description = all.map(str::trim).collect::<Vec<_>>().join(" | ");
    check(&description, experiment)?;
    Ok(description)
}

/// Refuses differences that have no place in a study.
pub(crate) fn check(description: &str, experiment: &Experiment) -> Result<(), DifferenceError> {
    let model = model_of(description);
    differences(description)?.iter().try_for_each(|one| one.check(experiment, model))
}

/// The same model in a trial with this seed and these levels: with the differences that hold there, each
/// participant's own.
pub(crate) fn at(
    description: &str,
    (trial, levels): (u64, &[(&str, impl AsRef<str>)]),
    seed: u64,
    label: &str,
) -> Result<String, DifferenceError> {
    let mut model = models::in_trial(model_of(description), trial);
    for difference in differences(description)?.iter().filter(|one| one.holds(levels)) {
        model = difference.put(&model, seed, label)?;
    }
    Ok(model)
}

fn differences(description: &str) -> Result<Vec<Difference>, DifferenceError> {
    description.split(BEHIND).skip(1).map(str::parse).collect()
}

/// The level of every factor in a trial: within and between participants, and of the session; and its number.
pub fn levels<'a>(plan: &'a Plan, trial: &'a PlannedTrial) -> Vec<(&'a str, Cow<'a, str>)> {
    let within = plan.cells(trial);
    let others = plan.between.iter().chain(&plan.session_level);
    let others = others.map(|(factor, level)| (factor.as_str(), level.as_str()));
    let stated = within.chain(others).map(|(factor, level)| (factor, Cow::Borrowed(level)));
    stated.chain([(SESSION, Cow::Owned(plan.session.to_string()))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_holds_in_the_trials_of_its_level_and_of_no_other() {
        let description =
            "tapper, mean = -30 ms | delay 200 ms: mean - 15 ms | group old: clock + 5 ms";
        let at = |levels: &[(&str, &str)]| at(description, (1, levels), 1, "01").unwrap();
        assert_eq!(at(&[("delay", "0 ms"), ("group", "young")]), "tapper, mean = -30 ms");
        assert!(at(&[("delay", "200 ms")]).contains("mean = -45"));
        assert_eq!(model_of(description), "tapper, mean = -30 ms");
        // What is not stated has nothing to be added to.
        let refused = super::at(description, (1, &[("group", "old")]), 1, "01");
        assert_eq!(refused, Err(DifferenceError::NotStated("clock".into())));
    }
}
