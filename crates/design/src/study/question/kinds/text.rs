//! The kind `text`: any text of one line. It is what a question is that names no other kind.

use crate::study::question::{Form, Kind, Read};
use crate::study::words::Words;

/// What any text of one line is accepted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text;

pub(super) static KIND: Kind = Kind {
    form: "text",
    keys: &[],
    read: Read::Otherwise(|| Text.into()),
    examples: || vec![Text.into()],
};

impl Form for Text {
    fn kind(&self) -> &'static Kind {
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
