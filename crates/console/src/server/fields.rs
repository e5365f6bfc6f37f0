//! What is to be entered about a participant: fields, and groups that the experimenter chooses.

use crate::scene::ExpectedAnswer;
use chronotap_design::question::ChoiceForm;
use chronotap_design::{Answer, Experiment, Factor, Origin, ParticipantField};
use serde::Serialize;

/// A field of the participant, or a group that the experimenter chooses.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Entered {
    name: String,
    text: String,
    answer: ExpectedAnswer,
    /// Whether it decides a group, and so comes before the session begins.
    decides: bool,
}

/// All that is entered about the participants of a study.
pub(super) fn entered(experiment: &Experiment) -> Vec<Entered> {
    let in_session = experiment.steps_before_groups().is_some();
    let decides = |field: &ParticipantField| {
        !in_session && experiment.deciding().any(|one| one.name == field.name)
    };
    let of_field = |field: &ParticipantField| Entered {
        name: field.name.clone(),
        text: field.question.clone(),
        answer: (&field.answer).into(),
        decides: decides(field),
    };
    let chosen = experiment.between.iter().filter(|factor| factor.origin == Origin::Chosen);
    chosen.map(of_factor).chain(experiment.fields.iter().map(of_field)).collect()
}

fn of_factor(factor: &Factor) -> Entered {
    let levels = factor.levels.iter().map(ToString::to_string).collect();
    let answer = (&Answer::from(ChoiceForm(levels))).into();
    Entered { name: factor.name.clone(), text: factor.name.clone(), answer, decides: true }
}
