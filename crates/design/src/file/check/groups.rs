//! Whether everybody has a group: each answer gives a level, and each level has an answer.

use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
use crate::study::group::{FieldAnswers, Origin};
use chronotap_config::trial_files::reading::Page;
use std::collections::HashSet;

/// Refuses groups that some answers do not give, or that no answer gives.
pub(crate) fn groups(page: &Page<'_>, experiment: &Experiment) {
    for factor in &experiment.between {
        if matches!(factor.origin, Origin::Follows(_)) {
            of_factor(page, experiment, factor);
        }
    }
}

fn of_factor(page: &Page<'_>, experiment: &Experiment, factor: &Factor) {
    let at = experiment.source.find("between").unwrap_or(0);
    let own =
        experiment.deciding().filter(|field| factor.origin.fields().any(|of| of == field.name));
    let mut had = HashSet::new();
    for answers in experiment.tried(own) {
        let Some(level) = factor.level_from(&answers) else {
            let message = format!("{}: no level for who answers {}", factor.name, said(&answers));
            return page.cured(at, message, "let the last level be \"otherwise\"");
        };
        had.insert(level);
    }
    for level in factor.levels.iter().map(ToString::to_string) {
        if !had.contains(&level) {
            let message = format!("{}: no answer gives the level {level}", factor.name);
            page.cured(at, message, "change its condition; the first level that fits counts");
        }
    }
}

fn said(answers: &FieldAnswers) -> String {
    let each = answers.iter().map(|(name, answer)| format!("{name} = {answer}"));
    each.collect::<Vec<_>>().join(", ")
}
