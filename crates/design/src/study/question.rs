//! [`Question`]s, which a participant answers at a step, [`ParticipantField`]s, which are asked once,
//! before the first step of session 1, and what may be answered to either: an [`Answer`].
//!
//! Nothing here knows a kind of question by name. What there is to know of one - how it is read
//! from the experiment file, asked, accepted, simulated and described - is in its file in
//! `question/kinds/`, and which there are, in the table [`QuestionKinds`].

mod kind;
mod kinds;
mod worded;

pub use kind::{AnswerForm, Meaning, QuestionKind, ReadQuestion};
pub use kinds::{
    ChoiceForm, Choices, Date, LinesForm, NumberForm, QuestionKinds, ScaleForm, TextForm, Time,
};

use crate::study::words::Words;
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

/// A question of `[question.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its name: a column of the dataset. With `members` each has its own, such as
    /// `effort.left`.
    pub name: String,
    /// Whom it is asked of, where the label is that of several; `None` where of one.
    pub member: Option<String>,
    pub text: String,
    /// What may be answered.
    pub answer: Answer,
    /// What must have been answered before, that it is asked; nothing where it always is.
    pub only_if: Vec<OnlyIf>,
}

/// One thing to know of a participant, of `[participant]`: a column of participants.tsv.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticipantField {
    /// The column. With `members` each has its own, such as `age.left`.
    pub name: String,
    /// Whom it is asked of, where the label is that of several; `None` where of one.
    pub member: Option<String>,
    pub question: String,
    /// What may be answered.
    pub answer: Answer,
    /// What must have been answered before, that it is asked; nothing where it always is.
    pub only_if: Vec<OnlyIf>,
}

/// Answers to another question, one of which must have been given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyIf {
    /// The other question or field, with its member where it has one.
    pub name: String,
    pub answers: Vec<String>,
}

/// What may be answered to a question, of whatever kind that is.
#[derive(Clone, Debug)]
pub struct Answer {
    form: Arc<dyn AnswerForm>,
    /// Whether it may be left without an answer.
    optional: bool,
}

impl Answer {
    /// What was answered, as it is recorded; spaces around it are dropped.
    ///
    /// # Errors
    /// What may be answered, where this may not.
    pub fn accept(&self, given: &str) -> Result<String, String> {
        let given = given.trim();
        match (self.optional && given.is_empty(), self.form.accepts(given)) {
            (true, _) => Ok(String::new()),
            (false, true) => Ok(self.form.recorded(given)),
            (false, false) => Err(self.expected()),
        }
    }

    /// The same, and nothing is an answer as well, where that is `optional`.
    #[must_use]
    pub fn optional(self, optional: bool) -> Answer {
        Answer { optional, ..self }
    }

    /// Whether it may be left without an answer.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// What may be answered, in English.
    pub fn expected(&self) -> String {
        self.expected_in(&Words::default())
    }

    /// What may be answered, in the words of a study.
    pub fn expected_in(&self, words: &Words) -> String {
        let expected = self.form.expected(words);
        match self.optional {
            true => words.filled("optional", &[("answer", &expected)]),
            false => expected,
        }
    }

    /// What a simulated participant answers who drew this number, of which every one is equally
    /// likely.
    pub fn drawn(&self, number: u64) -> String {
        self.form.drawn(number)
    }

    /// Answers at and on both sides of these numbers, and the least and greatest; of words all.
    /// None where no group can follow from the answer.
    pub(crate) fn sides(&self, at: &[f64]) -> Vec<String> {
        self.form.sides(at)
    }

    /// The same in the words of another language; what is recorded stays the same.
    ///
    /// # Errors
    /// How many words there would have to be, where these are more or fewer.
    pub(crate) fn reworded(&self, shown: &[String]) -> Result<Answer, usize> {
        Ok(self.form.reworded(shown)?.optional(self.optional))
    }

    /// What the answers mean, for whoever reads the tables.
    pub fn meaning(&self) -> Meaning {
        self.form.meaning()
    }

    pub fn kind(&self) -> &'static QuestionKind {
        self.form.kind()
    }

    /// What a page is told, besides its kind, to draw it: values by their names.
    pub fn shown(&self) -> Vec<(&'static str, Value)> {
        self.form.shown()
    }

    /// What may be answered as this kind knows it; `None` where it is of another.
    pub fn form<T: AnswerForm>(&self) -> Option<&T> {
        let form: &dyn Any = &*self.form;
        form.downcast_ref()
    }
}

impl<T: AnswerForm> From<T> for Answer {
    fn from(form: T) -> Answer {
        Answer { form: Arc::new(form), optional: false }
    }
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        self.optional == other.optional && self.form.is(&*other.form)
    }
}
