//! `check`: what `chronotap check` says of a file, for a page.

use crate::asked::Asked;
use crate::refused::Refused;
use chronotap_config::trial_files::{Problem, explain_with};
use chronotap_design::overview;
use serde::Serialize;

/// A checked file: its mistakes, or what it comes to.
#[derive(Default, Serialize)]
pub(crate) struct Checked {
    experiment: bool,
    problems: Vec<Problem>,
    /// The text that the command prints; empty where there are mistakes.
    told: String,
    /// Doubts that do not keep it from running.
    warnings: Vec<String>,
    /// The steps of an experiment that have trials.
    steps: Vec<String>,
}

/// Checks the file. A mistake is no failure here: it is what was asked for.
pub(crate) fn check(asked: &Asked) -> Checked {
    let experiment = asked.is_experiment();
    let checked = if experiment { of_experiment(asked) } else { of_trial(asked) };
    let checked = match checked {
        Err(Refused::Mistakes(problems)) => {
            Checked { problems: problems.all().to_vec(), ..Checked::default() }
        }
        Err(other) => Checked { warnings: vec![other.to_string()], ..Checked::default() },
        Ok(checked) => checked,
    };
    Checked { experiment, ..checked }
}

fn of_trial(asked: &Asked) -> Result<Checked, Refused> {
    let file = asked.trial()?;
    let told = explain_with(&file, asked.seed.or(file.seed)).render();
    Ok(Checked { told, warnings: file.warnings, ..Checked::default() })
}

fn of_experiment(asked: &Asked) -> Result<Checked, Refused> {
    let experiment = asked.experiment()?;
    let overview = overview(&experiment);
    let steps = experiment.one_of_each_step_by_name()?.into_iter().map(|(name, _)| name);
    Ok(Checked {
        told: overview.render(),
        steps: steps.collect(),
        warnings: overview.warnings,
        ..Checked::default()
    })
}
