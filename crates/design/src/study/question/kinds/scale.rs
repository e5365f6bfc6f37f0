//! The kind `scale`: a whole number from least to greatest, with labels for its ends or for each.

use crate::study::question::kind::{between, rising};
use crate::study::question::{Answer, AnswerForm, Meaning, QuestionKind, ReadQuestion};
use crate::study::sections::{PARTICIPANT, QUESTION, SHOWN_FIELD, SHOWN_QUESTION, key};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{Default::Not, Field, KeyKind as Holds, Part};
use serde_json::{Value, json};

/// What a scale accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaleForm {
    /// The lower end.
    pub least: i64,
    /// The upper end.
    pub greatest: i64,
    /// None, two for the ends, or as many as there are numbers.
    pub labels: Vec<String>,
}

#[rustfmt::skip] // one key, one entry
pub(super) static KIND: QuestionKind = QuestionKind {
    form: "scale",
    keys: &[
        key(QUESTION, "scale", Holds::Form("two whole numbers from -1000 to 1000, least and greatest"), Not("none"), "The answer is a number of this scale.", "scale = [1, 7]"),
        key(QUESTION, "labels", Holds::Form("a list of two texts, or of one for each number"), Not("none"), "What the ends of the scale mean, or each number.", "labels = [\"very easy\", \"very hard\"]"),
        key(PARTICIPANT, "scale", Holds::Form("two whole numbers from -1000 to 1000, least and greatest"), Not("none"), "The answer is a number of this scale.", "training = { question = \"How well do you play?\", scale = [1, 5] }"),
        key(PARTICIPANT, "labels", Holds::Form("a list of two texts, or of one for each number"), Not("none"), "What the ends of the scale mean, or each number.", "training = { question = \"How well do you play?\", scale = [1, 2], labels = [\"badly\", \"well\"] }"),
        key(SHOWN_QUESTION, "labels", Holds::Form("a list of texts, as many as there are labels"), Not("none"), "What is shown for each of the labels, in the same order.", r#"labels = ["sehr leicht", "sehr schwer"]"#),
        key(SHOWN_FIELD, "labels", Holds::Form("a list of texts, as many as there are labels"), Not("none"), "What is shown for each of the labels, in the same order.", r#"labels = ["sehr leicht", "sehr schwer"]"#),
    ],
    read: ReadQuestion::Keys(read),
    examples,
};

fn read(part: &Part<'_>) -> Option<Answer> {
    let ends = |f: &Field<'_>| {
        let [least, greatest] = f.pair()?;
        let whole = |f: &Field<'_>| match f.number()? {
            n if n.fract() == 0.0 && n.abs() <= 1000.0 => Some(n as i64),
            _ => f.wrong("a whole number from -1000 to 1000"),
        };
        rising(f, [whole(&least)?, whole(&greatest)?], "[1, 7]")
    };
    let (least, greatest) = part.read("scale", ends)?;
    let texts =
        |f: &Field<'_>| f.list("texts")?.iter().map(Field::text).collect::<Option<Vec<_>>>();
    let labels = part.read("labels", texts).unwrap_or_default();
    let numbers = (greatest - least + 1) as usize;
    if ![0, 2, numbers].contains(&labels.len()) {
        let message = format!("{} has {} labels", part.path, labels.len());
        part.page.cured(part.at("labels"), message, format!("write 2 for the ends, or {numbers}"));
    }
    Some(ScaleForm { least, greatest, labels }.into())
}

impl AnswerForm for ScaleForm {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        given.parse().is_ok_and(|n: i64| (self.least..=self.greatest).contains(&n))
    }

    fn expected(&self, words: &Words) -> String {
        let ScaleForm { least, greatest, labels } = self;
        match &labels[..] {
            [] => words.between("whole_number", least, greatest),
            [low, high] => {
                let (least, greatest) = (labelled(*least, low), labelled(*greatest, high));
                words.between("whole_number", &least, &greatest)
            }
            each => {
                let each: Vec<String> =
                    (*least..=*greatest).zip(each).map(|(n, label)| labelled(n, label)).collect();
                words.filled("one_of", &[("choices", &each.join(", "))])
            }
        }
    }

    fn sides(&self, at: &[f64]) -> Vec<String> {
        let near = |at: &f64| {
            [at.floor() as i64 - 1, at.floor() as i64, at.ceil() as i64, at.ceil() as i64 + 1]
        };
        let range = self.least..=self.greatest;
        let within = at.iter().flat_map(near).filter(|n| range.contains(n));
        within.chain([self.least, self.greatest]).map(|n| n.to_string()).collect()
    }

    fn drawn(&self, number: u64) -> String {
        between(number, self.least, self.greatest).to_string()
    }

    fn reworded(&self, shown: &[String]) -> Result<Answer, usize> {
        if shown.len() != self.labels.len() {
            return Err(self.labels.len());
        }
        Ok(ScaleForm { labels: shown.to_vec(), ..self.clone() }.into())
    }

    fn meaning(&self) -> Meaning {
        let ScaleForm { least, greatest, labels } = self;
        if labels.len() as i64 == greatest - least + 1 {
            let numbers = (*least..=*greatest).map(|n| n.to_string());
            let levels = numbers.zip(labels.iter().cloned()).collect();
            return Meaning { levels, ..Meaning::default() };
        }
        match &labels[..] {
            [low, high] => {
                let remark = format!("({least}: {low}, {greatest}: {high})");
                Meaning { remark, ..Meaning::default() }
            }
            _ => Meaning::default(),
        }
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        let ScaleForm { least, greatest, labels } = self;
        vec![("least", json!(least)), ("greatest", json!(greatest)), ("labels", json!(labels))]
    }
}

fn labelled(number: i64, label: &str) -> String {
    format!("{number} ({label})")
}

fn examples() -> Vec<Answer> {
    let scale = |greatest, labels: &[&str]| -> Answer {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        ScaleForm { least: 1, greatest, labels }.into()
    };
    vec![scale(7, &["easy", "hard"]), scale(7, &[]), scale(3, &["never", "at times", "always"])]
}
