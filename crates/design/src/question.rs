//! [`Question`]s, which a participant answers at a step, [`Field`]s, which are asked once,
//! before the first step of session 1, and what may be answered to either: an [`Answer`].
//!
//! Nothing here knows a kind of question by name. What there is to know of one - how it is read
//! from the experiment file, asked, accepted, simulated and described - is in its file in
//! `question/kinds/`, and which there are, in the table [`Kinds`].

mod kind;
mod kinds;

pub use kind::{Form, Kind, Meaning, Read};
pub use kinds::{Choice, Kinds, Number, Scale, Text, Time};

use crate::words::Words;
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
}

/// One thing to know of a participant, of `[participant]`: a column of participants.tsv.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The column. With `members` each has its own, such as `age.left`.
    pub name: String,
    /// Whom it is asked of, where the label is that of several; `None` where of one.
    pub member: Option<String>,
    pub question: String,
    /// What may be answered.
    pub answer: Answer,
}

/// What may be answered to a question, of whatever kind that is.
#[derive(Clone, Debug)]
pub struct Answer(Arc<dyn Form>);

impl Answer {
    /// What was answered, as it is recorded; spaces around it are dropped.
    ///
    /// # Errors
    /// What may be answered, where this may not.
    pub fn accept(&self, given: &str) -> Result<String, String> {
        let given = given.trim();
        if self.0.accepts(given) { Ok(given.to_owned()) } else { Err(self.expected()) }
    }

    /// What may be answered, in English.
    pub fn expected(&self) -> String {
        self.expected_in(&Words::default())
    }

    /// What may be answered, in the words of a study.
    pub fn expected_in(&self, words: &Words) -> String {
        self.0.expected(words)
    }

    /// What a simulated participant answers who drew this number, of which every one is equally
    /// likely.
    pub fn drawn(&self, number: u64) -> String {
        self.0.drawn(number)
    }

    /// What the answers mean, for whoever reads the tables.
    pub fn meaning(&self) -> Meaning {
        self.0.meaning()
    }

    pub fn kind(&self) -> &'static Kind {
        self.0.kind()
    }

    /// What a page is told, besides its kind, to draw it: values by their names.
    pub fn shown(&self) -> Vec<(&'static str, Value)> {
        self.0.shown()
    }

    /// What may be answered as this kind knows it; `None` where it is of another.
    pub fn form<T: Form>(&self) -> Option<&T> {
        let form: &dyn Any = &*self.0;
        form.downcast_ref()
    }
}

impl<T: Form> From<T> for Answer {
    fn from(form: T) -> Answer {
        Answer(Arc::new(form))
    }
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        self.0.is(&*other.0)
    }
}
