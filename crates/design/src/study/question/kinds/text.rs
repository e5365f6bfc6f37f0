//! The kind `text`: any text of one line. It is what a question is that names no other kind.

use crate::study::question::{AnswerForm, QuestionKind, ReadQuestion};
use crate::study::words::Words;

/// What any text of one line is accepted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextForm;

pub(super) static KIND: QuestionKind = QuestionKind {
    form: "text",
    keys: &[],
    read: ReadQuestion::Otherwise(|| TextForm.into()),
    examples: || vec![TextForm.into()],
};

impl AnswerForm for TextForm {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        !given.is_empty() && !given.chars().any(char::is_control)
    }

    fn expected(&self, words: &Words) -> String {
        words.get("line").to_owned()
    }

    fn drawn(&self, _number: u64) -> String {
        "simulated".into()
    }
}
