//! The kind `choice`: one of several words.

use crate::study::question::worded::Worded;
use crate::study::question::{Answer, AnswerForm, Meaning, QuestionKind, ReadQuestion};
use crate::study::sections::{PARTICIPANT, QUESTION, SHOWN_FIELD, SHOWN_QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, Field, KeyKind as Holds, Part};
use serde_json::{Value, json};
use std::collections::HashSet;

/// What a choice accepts: one of these words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceForm(pub Vec<String>);

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "choice",
    keys: &[
        key(QUESTION, "choice", Holds::Form("a list of texts"), Not("none"), "The answer is one of these.", "choice = [\"yes\", \"no\"]"),
        key(PARTICIPANT, "choice", Holds::Form("a list of texts"), Not("none"), "The answer is one of these.", "handedness = { question = \"Which hand do you write with?\", choice = [\"left\", \"right\", \"both\"] }"),
        key(SHOWN_QUESTION, "choice", Holds::Form("a list of texts, as many as there are choices"), Not("none"), "What is shown for each of the choices, in the same order; the choice itself is recorded.", r#"choice = ["ja", "nein"]"#),
        key(SHOWN_FIELD, "choice", Holds::Form("a list of texts, as many as there are choices"), Not("none"), "What is shown for each of the choices, in the same order; the choice itself is recorded.", r#"choice = ["ja", "nein"]"#),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![ChoiceForm(vec!["left".into(), "right".into(), "both hands".into()]).into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    part.read("choice", |f| {
        // Spaces around an answer are dropped, so that a choice has none.
        let word = |f: &Field<'_>| f.text().map(|word| word.trim().to_owned());
        let words = f.list("texts")?.iter().map(word).collect::<Option<Vec<_>>>()?;
        if words.iter().collect::<HashSet<_>>().len() < words.len() {
            return f.problem("names a choice twice", "name each once");
        }
        Some(ChoiceForm(words).into())
    })
}

impl AnswerForm for ChoiceForm {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        self.0.iter().any(|word| word.trim() == given)
    }

    fn expected(&self, words: &Words) -> String {
        words.filled("one_of", &[("choices", &self.0.join(", "))])
    }

    fn drawn(&self, number: u64) -> String {
        match self.0.len() as u64 {
            0 => String::new(),
            words => self.0[(number % words) as usize].clone(),
        }
    }

    fn sides(&self, _at: &[f64]) -> Vec<String> {
        self.0.clone()
    }

    fn reworded(&self, shown: &[String]) -> Result<Answer, usize> {
        Worded::answer(ChoiceForm, &self.0, shown)
    }

    fn meaning(&self) -> Meaning {
        let levels = self.0.iter().map(|word| (word.clone(), word.clone())).collect();
        Meaning { levels, ..Meaning::default() }
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("words", json!(self.0))]
    }
}
