//! The kind `lines`: any text, of several lines where somebody wants them.

use crate::study::question::{Answer, AnswerForm, QuestionKind, ReadQuestion};
use crate::study::sections::{QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, Field, KeyKind as Holds, Part};

/// What any text is accepted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinesForm;

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "lines",
    keys: &[
        key(QUESTION, "lines", Holds::Flag, Not("false"), "The answer is a text that may have several lines.", "lines = true"),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![LinesForm.into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    let flag = |f: &Field<'_>| match f.flag()? {
        true => Some(LinesForm.into()),
        false => f.problem("= false says nothing", "leave it out"),
    };
    part.read("lines", flag)
}

impl AnswerForm for LinesForm {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        !given.is_empty() && !given.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    }

    fn expected(&self, words: &Words) -> String {
        words.get("lines").to_owned()
    }

    fn drawn(&self, number: u64) -> String {
        if number.is_multiple_of(2) { "simulated".into() } else { "simulated\nin two lines".into() }
    }
}
