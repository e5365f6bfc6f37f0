//! [`Question`]s, which a participant answers at a step, and [`Field`]s, which are asked
//! once, before the first step of session 1.

use crate::words::Words;
use chronotap_experiment::reading::{say, time};
use chronotap_time::Nanos;

/// A question of `[question.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its name: a column of the dataset. With `members` each has its own, such as
    /// `effort.left`.
    pub name: String,
    /// Whom it is asked of, where the label is that of several; `None` where of one.
    pub member: Option<String>,
    /// What is asked.
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
    /// What is asked.
    pub question: String,
    /// What may be answered.
    pub answer: Answer,
}

/// What may be answered to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A whole number from least to greatest; the labels of the two ends, or of each number.
    Scale {
        /// The lower end.
        least: i64,
        /// The upper end.
        greatest: i64,
        /// None, two, or as many as there are numbers.
        labels: Vec<String>,
    },
    /// One of these words.
    Choice(Vec<String>),
    /// A number from least to greatest.
    Number(f64, f64),
    /// A time with its unit, from least to greatest, in nanoseconds.
    Time(Nanos, Nanos),
    /// Any text of one line.
    Text,
}

impl Answer {
    /// What was answered, as it is recorded; spaces around it are dropped.
    ///
    /// # Errors
    /// What may be answered, where this may not.
    pub fn accept(&self, given: &str) -> Result<String, String> {
        let given = given.trim();
        let fits = match self {
            Answer::Scale { least, greatest, .. } => {
                given.parse().is_ok_and(|n: i64| (*least..=*greatest).contains(&n))
            }
            Answer::Choice(words) => words.iter().any(|word| word.trim() == given),
            Answer::Number(least, greatest) => {
                given.parse().is_ok_and(|n: f64| (*least..=*greatest).contains(&n))
            }
            Answer::Time(least, greatest) => {
                time(given).is_ok_and(|time| (*least..=*greatest).contains(&time.round()))
            }
            Answer::Text => !given.is_empty() && !given.chars().any(char::is_control),
        };
        if fits { Ok(given.to_owned()) } else { Err(self.expected()) }
    }

    /// What may be answered, in English.
    pub fn expected(&self) -> String {
        self.expected_in(&Words::default())
    }

    /// What may be answered, in the words of a study.
    pub fn expected_in(&self, words: &Words) -> String {
        let between = |name, least: &str, greatest: &str| {
            words.filled(name, &[("least", least), ("greatest", greatest)])
        };
        match self {
            Answer::Scale { least, greatest, labels } => match &labels[..] {
                [] => between("whole_number", &least.to_string(), &greatest.to_string()),
                [low, high] => {
                    let (least, greatest) =
                        (format!("{least} ({low})"), format!("{greatest} ({high})"));
                    between("whole_number", &least, &greatest)
                }
                each => {
                    let each = (*least..=*greatest).zip(each);
                    let each: Vec<String> =
                        each.map(|(n, label)| format!("{n} ({label})")).collect();
                    words.filled("one_of", &[("choices", &each.join(", "))])
                }
            },
            Answer::Choice(choices) => words.filled("one_of", &[("choices", &choices.join(", "))]),
            Answer::Number(least, greatest) => {
                between("number", &least.to_string(), &greatest.to_string())
            }
            Answer::Time(least, greatest) => between("time", &say(*least), &say(*greatest)),
            Answer::Text => words.get("line").to_owned(),
        }
    }
}
