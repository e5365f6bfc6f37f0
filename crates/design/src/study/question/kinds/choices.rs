//! The kind `choices`: any number of several words, at least one.

use crate::study::question::worded::Worded;
use crate::study::question::{Answer, AnswerForm, Meaning, QuestionKind, ReadQuestion};
use crate::study::sections::{PARTICIPANT, QUESTION, SHOWN_FIELD, SHOWN_QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, Field, KeyKind as Holds, Part};
use serde_json::{Value, json};
use std::collections::HashSet;

/// What several choices accept: some of these words, joined by [`BETWEEN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices(pub Vec<String>);

/// What stands between two words of an answer, so that none of them has it.
const BETWEEN: &str = "; ";

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "choices",
    keys: &[
        key(QUESTION, "choices", Holds::Form("a list of texts"), Not("none"), "The answer is one or several of these, recorded with \"; \" between them.", "choices = [\"melody\", \"rhythm\", \"neither\"]"),
        key(PARTICIPANT, "choices", Holds::Form("a list of texts"), Not("none"), "The answer is one or several of these, recorded with \"; \" between them.", "plays = { question = \"What do you play?\", choices = [\"piano\", \"strings\", \"drums\"] }"),
        key(SHOWN_QUESTION, "choices", Holds::Form("a list of texts, as many as there are choices"), Not("none"), "What is shown for each of the choices, in the same order; the choice itself is recorded.", r#"choices = ["Melodie", "Rhythmus", "keins"]"#),
        key(SHOWN_FIELD, "choices", Holds::Form("a list of texts, as many as there are choices"), Not("none"), "What is shown for each of the choices, in the same order; the choice itself is recorded.", r#"choices = ["Melodie", "Rhythmus", "keins"]"#),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![Choices(vec!["piano".into(), "strings".into(), "drums".into()]).into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    part.read("choices", |f| {
        let word = |f: &Field<'_>| f.text().map(|word| word.trim().to_owned());
        let words = f.list("texts")?.iter().map(word).collect::<Option<Vec<_>>>()?;
        if words.iter().collect::<HashSet<_>>().len() < words.len() {
            return f.problem("names a choice twice", "name each once");
        }
        if words.iter().any(|word| word.contains(';')) {
            let cure = "leave it out: it stands between the choices that were made";
            return f.problem("has a choice with a semicolon", cure);
        }
        Some(Choices(words).into())
    })
}

impl AnswerForm for Choices {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    /// In whatever order, each once.
    fn accepts(&self, given: &str) -> bool {
        let made: Vec<&str> = given.split(';').map(str::trim).collect();
        let different = made.iter().collect::<HashSet<_>>().len() == made.len();
        different && made.iter().all(|word| self.0.iter().any(|one| one == word))
    }

    /// In the order of the file, so that the same choices are the same answer.
    fn recorded(&self, given: &str) -> String {
        let made: HashSet<&str> = given.split(';').map(str::trim).collect();
        let words = self.0.iter().map(String::as_str).filter(|word| made.contains(word));
        words.collect::<Vec<_>>().join(BETWEEN)
    }

    fn expected(&self, words: &Words) -> String {
        words.filled("some_of", &[("choices", &self.0.join(BETWEEN))])
    }

    fn drawn(&self, number: u64) -> String {
        let sets = (1_u64 << self.0.len().min(63)) - 1;
        let set = number % sets.max(1) + 1;
        let chosen =
            self.0.iter().enumerate().filter(|(place, _)| set >> (*place).min(63) & 1 == 1);
        chosen.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(BETWEEN)
    }

    fn reworded(&self, shown: &[String]) -> Result<Answer, usize> {
        Worded::answer(Choices, &self.0, shown)
    }

    fn meaning(&self) -> Meaning {
        let remark = format!("(one or several of {}, with \"; \" between them)", self.0.join(", "));
        Meaning { remark, ..Meaning::default() }
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("words", json!(self.0))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_recorded_in_the_order_of_the_file() {
        let of = Answer::from(Choices(["piano", "strings", "drums"].map(str::to_owned).to_vec()));
        assert_eq!(of.accept("drums;piano"), Ok("piano; drums".to_owned()));
        assert!(of.accept("piano; piano").is_err() && of.accept("flute").is_err());
        assert!(of.accept("").is_err());
    }
}
