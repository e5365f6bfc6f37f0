//! [`QuestionKind`]: one kind of question, which is a row of the table [`Kinds`](crate::study::question::QuestionKinds), and
//! [`AnswerForm`], what every question of a kind can do. Reading, asking, accepting, simulating and
//! describing know of a kind what stands in its row and in its form, and nothing else.

use super::Answer;
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Field, Key, Part};
use serde_json::Value;
use std::any::Any;
use std::fmt;

/// One kind of question.
#[derive(Clone, Copy, Debug)]
pub struct QuestionKind {
    /// By which name pages draw it; no other kind has the same.
    pub form: &'static str,
    /// Its keys in an experiment file, of `question.NAME` and of `participant.NAME`. The first says
    /// that a question is of this kind, and the others go with that one alone. Further words that
    /// participants read are keys of `words`.
    pub keys: &'static [Key],
    /// How it is read.
    pub read: ReadQuestion,
    /// One of each shape that pages can be told of, so that tests go through them.
    pub examples: fn() -> Vec<Answer>,
}

/// How a question of a kind is read from an experiment file.
#[derive(Clone, Copy, Debug)]
pub enum ReadQuestion {
    /// Where its first key is given; what is wrong is reported, and reads as none.
    Keys(fn(&Part<'_>) -> Option<Answer>),
    /// Where no key of any kind is given.
    Otherwise(fn() -> Answer),
    /// Never: the program itself asks it.
    Never,
}

/// What may be answered to one question of a kind.
pub trait AnswerForm: Is + fmt::Debug + Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static QuestionKind;

    /// Whether this may be answered. There are no spaces around it.
    fn accepts(&self, given: &str) -> bool;

    /// What is recorded of an answer that is accepted.
    fn recorded(&self, given: &str) -> String {
        given.to_owned()
    }

    /// What may be answered, in the words of a study: a terminal says so when it asks, and every
    /// refusal does.
    fn expected(&self, words: &Words) -> String;

    /// What a simulated participant answers who drew this number, of which every one is equally
    /// likely. It is accepted wherever anything is.
    fn drawn(&self, number: u64) -> String;

    /// What the answers mean, for the description of their column.
    fn meaning(&self) -> Meaning {
        Meaning::default()
    }

    /// What a page is told to draw it: values by their names.
    fn shown(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// The same in the words of another language, of which what is recorded knows nothing.
    ///
    /// # Errors
    /// How many words there would have to be, where these are more or fewer.
    fn reworded(&self, _shown: &[String]) -> Result<Answer, usize> {
        Err(0)
    }

    /// Answers at and on both sides of these numbers, and the least and greatest; of words all.
    /// None where no group can follow from the answer.
    fn sides(&self, _at: &[f64]) -> Vec<String> {
        Vec::new()
    }
}

/// What answers mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// Every answer that there is, with its meaning; empty where there are too many.
    pub levels: Vec<(String, String)>,
    /// What else is to be said behind the question, such as what its ends are.
    pub remark: String,
}

/// Whether two are the same, of whatever kind; everything that can be compared has it.
pub trait Is: Any {
    /// Whether it is this one.
    fn is(&self, other: &dyn Any) -> bool;
}

impl<T: Any + PartialEq> Is for T {
    fn is(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// The ends of a range that a file gives, of which the second is the greater one.
pub(super) fn rising<T: PartialOrd + fmt::Display>(
    field: &Field<'_>,
    [least, greatest]: [T; 2],
    example: &str,
) -> Option<(T, T)> {
    if least == greatest {
        let cure = format!("write two numbers, the lesser first, such as {example}");
        return field.problem(&format!("begins and ends with {least}"), cure);
    }
    if least > greatest {
        let cure = format!("write [{greatest}, {least}]");
        return field.problem("puts the greater number first", cure);
    }
    Some((least, greatest))
}

/// One of the whole numbers from `least` to `greatest`, by a number that was drawn.
pub(super) fn between(number: u64, least: i64, greatest: i64) -> i64 {
    let span = greatest.saturating_sub(least).max(0).unsigned_abs() + 1;
    least + i64::try_from(number % span).unwrap_or(0)
}
