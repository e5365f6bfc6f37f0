//! The kind `number`: a number from least to greatest.

use crate::study::question::kind::{between, rising};
use crate::study::question::{Answer, AnswerForm, QuestionKind, ReadQuestion};
use crate::study::sections::{PARTICIPANT, QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, KeyKind as Holds, Part};
use serde_json::{Value, json};

/// What a number may be.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberForm {
    pub least: f64,
    pub greatest: f64,
}

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "number",
    keys: &[
        key(QUESTION, "number", Holds::Form("two numbers, least and greatest"), Not("none; where no key says what may be answered, it is text"), "The answer is a number between these.", "number = [0, 100]"),
        key(PARTICIPANT, "number", Holds::Form("two numbers, least and greatest"), Not("none; where no key says what may be answered, it is text"), "The answer is a number between these.", "age = { question = \"Age in years\", number = [18, 99] }"),
    ],
    read: ReadQuestion::Keys(read),
    examples: || vec![NumberForm { least: 18.0, greatest: 99.5 }.into()],
};

fn read(part: &Part<'_>) -> Option<Answer> {
    part.read("number", |f| {
        let [least, greatest] = f.pair()?;
        let (least, greatest) = rising(f, [least.number()?, greatest.number()?], "[18, 99]")?;
        Some(NumberForm { least, greatest }.into())
    })
}

impl AnswerForm for NumberForm {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        given.parse().is_ok_and(|n: f64| (self.least..=self.greatest).contains(&n))
    }

    fn expected(&self, words: &Words) -> String {
        words.between("number", &self.least, &self.greatest)
    }

    /// A whole number where there is one; else one of a thousand between the two.
    fn drawn(&self, number: u64) -> String {
        let NumberForm { least, greatest } = *self;
        let (first, last) = (least.ceil(), greatest.floor());
        if first <= last && first.abs().max(last.abs()) < EXACT {
            return between(number, first as i64, last as i64).to_string();
        }
        let share = (number % 1_001) as f64 / 1_000.0;
        // Not by the difference of the two, which may be too large for a number.
        (least * (1.0 - share) + greatest * share).clamp(least, greatest).to_string()
    }

    fn sides(&self, at: &[f64]) -> Vec<String> {
        let range = self.least..=self.greatest;
        let within = at.iter().copied().filter(|at| range.contains(at));
        let mut all: Vec<f64> = within.chain([self.least, self.greatest]).collect();
        all.sort_by(f64::total_cmp);
        let halfway = |two: &[f64]| f64::midpoint(two[0], two[1]);
        let middles: Vec<f64> = all.windows(2).map(halfway).collect();
        all.extend(middles);
        all.iter().map(f64::to_string).collect()
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("least", json!(self.least)), ("greatest", json!(self.greatest))]
    }
}

/// Below this every whole number is one of floating point.
const EXACT: f64 = 9_007_199_254_740_992.0;
