//! What people are asked: fields of participants, questions, and values that are missing.

use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::wall_clock_now;
use chronotap_design::Answer;
use chronotap_session::{
    frontend::{Asks, Frontend, Prompt},
    line::{Asked, GivenAnswer, Line},
};

impl<D: AnyDisk> Session<'_, D> {
    pub(super) fn ask_field(
        &mut self,
        place: usize,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        let field = self.study.experiment.fields[place].clone();
        let text = to(field.member.as_deref(), &field.question);
        self.ask(&field.name, &text, &field.answer, Asked::Participant, frontend)?;
        self.fill_fields()
    }

    pub(super) fn ask_question(
        &mut self,
        name: &str,
        asked: Asked,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        let questions = &self.study.experiment.questions;
        let question = questions.iter().find(|question| question.name == name).cloned();
        let question = question.expect("a checked experiment asks only questions that it has");
        let text = to(question.member.as_deref(), &question.text);
        self.ask(&question.name, &text, &question.answer, asked, frontend)
    }

    pub(super) fn ask(
        &mut self,
        name: &str,
        text: &str,
        answer: &Answer,
        asked: Asked,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        let occasion = self.tables.occasion(asked);
        let asks = match asked {
            Asked::Result => Asks::Experimenter,
            _ => Asks::Participant,
        };
        let avoid = self.course.avoided(name, asked);
        let reply =
            frontend.ask(&Prompt { name, text, answer, asks, occasion: &occasion, avoid })?;
        let (at, name) = (wall_clock_now(), name.to_owned());
        let answered = GivenAnswer { at, name, answer: reply.answer, by: reply.by, asked };
        self.record(Line::Answered(answered))?;
        self.note_leaving()
    }
}

/// A question to one of several members.
fn to(member: Option<&str>, question: &str) -> String {
    member.map_or_else(|| question.to_owned(), |member| format!("{member}: {question}"))
}
