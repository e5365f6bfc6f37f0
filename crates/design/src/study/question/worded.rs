//! [`Worded`]: a question with words to choose from, shown in another language. What is recorded stays
//! the word of the study, so that the data of all languages are one column.

use super::{Answer, AnswerForm, Meaning, QuestionKind};
use crate::study::words::Words;
use serde_json::Value;

/// Choices as they are shown, and as they are recorded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worded {
    recorded: Answer,
    shown: Answer,
    /// Each word that is shown, with the one that is recorded of it.
    words: Vec<(String, String)>,
}

impl Worded {
    /// What `of` makes of its own words, shown as what it makes of these.
    ///
    /// # Errors
    /// How many words there would have to be, where these are more or fewer.
    pub(super) fn answer<F: AnswerForm>(
        of: impl Fn(Vec<String>) -> F,
        own: &[String],
        shown: &[String],
    ) -> Result<Answer, usize> {
        if own.len() != shown.len() {
            return Err(own.len());
        }
        let words = shown.iter().cloned().zip(own.iter().cloned()).collect();
        let [recorded, shown] = [own, shown].map(|words| of(words.to_vec()).into());
        Ok(Worded { recorded, shown, words }.into())
    }

    fn own(&self, shown: &str) -> Option<&str> {
        let pair = self.words.iter().find(|(word, _)| word == shown);
        pair.map(|(_, own)| own.as_str())
    }
}

impl AnswerForm for Worded {
    fn kind(&self) -> &'static QuestionKind {
        self.recorded.kind()
    }

    /// In either words: an answer from before, or of the command line, is in those of the study.
    fn accepts(&self, given: &str) -> bool {
        self.shown.form.accepts(given) || self.recorded.form.accepts(given)
    }

    fn recorded(&self, given: &str) -> String {
        if !self.shown.form.accepts(given) {
            return self.recorded.form.recorded(given);
        }
        if let Some(own) = self.own(given) {
            return own.to_owned();
        }
        let each = given.split(';').map(str::trim);
        let own: Vec<&str> = each.map(|word| self.own(word).unwrap_or(word)).collect();
        self.recorded.form.recorded(&own.join(";"))
    }

    fn expected(&self, words: &Words) -> String {
        self.shown.form.expected(words)
    }

    fn drawn(&self, number: u64) -> String {
        self.recorded.form.drawn(number)
    }

    fn meaning(&self) -> Meaning {
        self.recorded.form.meaning()
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        self.shown.form.shown()
    }

    fn sides(&self, at: &[f64]) -> Vec<String> {
        self.recorded.form.sides(at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChoiceForm, Choices};
    use super::*;

    fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
        words.map(str::to_owned).to_vec()
    }

    #[test]
    fn what_is_chosen_in_one_language_is_recorded_in_that_of_the_study() {
        let own = words(["left", "right; or both"]);
        let hand =
            Worded::answer(ChoiceForm, &own, &words(["links", "rechts; oder beide"])).unwrap();
        assert_eq!(hand.accept("links"), Ok("left".to_owned()));
        assert_eq!(hand.accept(" rechts; oder beide"), Ok("right; or both".to_owned()));
        assert_eq!(hand.accept("left"), Ok("left".to_owned()));
        assert_eq!(hand.accept("beide"), Err("one of links, rechts; oder beide".to_owned()));
        assert_eq!(hand.drawn(0), "left");
        assert_eq!(hand.meaning().levels[0].0, "left");
    }

    #[test]
    fn several_choices_are_recorded_in_the_order_of_the_study() {
        let plays = Worded::answer(
            Choices,
            &words(["piano", "strings", "drums"]),
            &words(["Klavier", "Streicher", "Trommel"]),
        );
        let plays = plays.unwrap();
        assert_eq!(plays.accept("Trommel;Klavier"), Ok("piano; drums".to_owned()));
        assert_eq!(plays.accept("piano; drums"), Ok("piano; drums".to_owned()));
        assert!(plays.accept("Klavier; Klavier").is_err());
    }

    #[test]
    fn there_are_as_many_words_in_every_language() {
        assert_eq!(Worded::answer(ChoiceForm, &words(["yes", "no"]), &words(["ja"])), Err(2));
    }
}
