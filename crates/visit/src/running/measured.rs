//! [`Measured`]: what of a new participant is settled before anything is assigned: the groups that
//! the experimenter chooses, and the answers from which the others follow.

use super::SessionError;
use chronotap_design::question::ChoiceForm;
use chronotap_design::{Answer, Experiment, Factor, FieldAnswers, Origin, ParticipantField};
use chronotap_session::{
    dataset::Person,
    frontend::{Asks, Avoid, Frontend, Prompt},
    line::AnsweredBy,
    rehearse::drawn_answers,
    tables::OF_FIELDS as OCCASION,
    who::Who,
};

/// What was settled.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Levels of factors between participants: those that were named, chosen, and follow.
    pub levels: FieldAnswers,
    answers: FieldAnswers,
    drawn: bool, // nobody said anything: levels are assigned, and answers fit them
}

impl Measured {
    /// Asks for what is not named.
    ///
    /// # Errors
    /// What the frontend says.
    pub fn ask(
        experiment: &Experiment,
        named: &FieldAnswers,
        frontend: &mut dyn Frontend,
    ) -> Result<Measured, SessionError> {
        let mut found = Measured { levels: named.clone(), drawn: true, ..Measured::default() };
        let chosen = found.chosen(experiment, named, frontend)?;
        for field in experiment.deciding() {
            let answer = found.said(&asked(field), frontend)?;
            found.answers.insert(field.name.clone(), answer);
        }
        if !found.drawn {
            found.levels.extend(chosen);
            found.levels.extend(experiment.levels_from(&found.answers));
        }
        Ok(found)
    }

    /// Asks for the groups that the experimenter chooses, and leaves what follows from answers to the session.
    ///
    /// # Errors
    /// What the frontend says.
    pub fn choose(
        experiment: &Experiment,
        named: &FieldAnswers,
        frontend: &mut dyn Frontend,
    ) -> Result<Measured, SessionError> {
        let mut found = Measured { levels: named.clone(), ..Measured::default() };
        let chosen = found.chosen(experiment, named, frontend)?;
        found.levels.extend(chosen);
        Ok(found)
    }

    fn chosen(
        &mut self,
        experiment: &Experiment,
        named: &FieldAnswers,
        frontend: &mut dyn Frontend,
    ) -> Result<FieldAnswers, SessionError> {
        let chosen = experiment.between.iter().filter(|factor| factor.origin == Origin::Chosen);
        let open = chosen.filter(|factor| !named.contains_key(&factor.name));
        open.map(|factor| Ok((factor.name.clone(), self.said(&which(factor), frontend)?))).collect()
    }

    fn said(
        &mut self,
        question: &Asking<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<String, SessionError> {
        let Asking { name, text, answer, occasion } = question;
        let (asks, avoid) = (Asks::Experimenter, Avoid::default());
        let reply = frontend.ask(&Prompt { name, text, answer, asks, occasion, avoid })?;
        self.drawn &= reply.by == AnsweredBy::Draw;
        Ok(reply.answer)
    }

    /// The answers of somebody with these levels: those that were given, or drawn ones that fit.
    ///
    /// # Errors
    /// [`SessionError::OtherCell`] where another level follows from those that were given: somebody
    /// was assigned, and the program ended before the session began.
    pub fn answers_of(
        self,
        experiment: &Experiment,
        person: &Person,
    ) -> Result<FieldAnswers, SessionError> {
        if self.drawn {
            return Ok(drawn_answers(experiment, person));
        }
        for (factor, named) in experiment.levels_from(&self.answers) {
            let assigned = person.cell.get(&factor).cloned().unwrap_or_default();
            if assigned != named {
                let label = person.label.clone();
                return Err(SessionError::OtherCell { label, factor, named, assigned });
            }
        }
        Ok(self.answers)
    }

    /// The levels that are no draw, in file order: what the experimenter is shown.
    pub fn shown(&self, experiment: &Experiment) -> Vec<(String, String)> {
        let measured = experiment.between.iter().filter(|factor| factor.is_measured());
        let level =
            |factor: &Factor| Some((factor.name.clone(), self.levels.get(&factor.name)?.clone()));
        measured.filter_map(level).collect()
    }
}

/// Nobody names what follows from an answer, but of simulated participants, who answer as it fits.
pub(super) fn refuse_named(experiment: &Experiment, who: &Who) -> Result<(), SessionError> {
    if who.simulated.is_some() {
        return Ok(());
    }
    for factor in &experiment.between {
        let mut fields: Vec<String> = factor.origin.fields().map(str::to_owned).collect();
        fields.dedup();
        if let Some(level) = who.cell.get(&factor.name).filter(|_| !fields.is_empty()) {
            let (factor, level) = (factor.name.clone(), level.clone());
            return Err(SessionError::Follows { factor, level, fields });
        }
    }
    Ok(())
}

/// A question to the experimenter.
struct Asking<'a> {
    name: &'a str,
    text: String,
    answer: Answer,
    occasion: &'static str,
}

fn which(factor: &Factor) -> Asking<'_> {
    let levels: Vec<String> = factor.levels.iter().map(ToString::to_string).collect();
    let text = format!("Which {} does the participant belong to?", factor.name);
    Asking { name: &factor.name, text, answer: ChoiceForm(levels).into(), occasion: "group" }
}

fn asked(field: &ParticipantField) -> Asking<'_> {
    let (text, answer) = (field.question.clone(), field.answer.clone());
    Asking { name: &field.name, text, answer, occasion: OCCASION }
}
