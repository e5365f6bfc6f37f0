//! [`Question`]s, which a participant answers at a step, and [`Field`]s, which are asked
//! once, before the first step of session 1.

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
            Answer::Choice(words) => words.iter().any(|word| word == given),
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

    /// What may be answered, in words.
    pub fn expected(&self) -> String {
        match self {
            Answer::Scale { least, greatest, labels } => match &labels[..] {
                [] => format!("a whole number from {least} to {greatest}"),
                [low, high] => {
                    format!("a whole number from {least} ({low}) to {greatest} ({high})")
                }
                each => {
                    let each = (*least..=*greatest).zip(each);
                    let each: Vec<String> =
                        each.map(|(n, label)| format!("{n} ({label})")).collect();
                    format!("one of {}", each.join(", "))
                }
            },
            Answer::Choice(words) => format!("one of {}", words.join(", ")),
            Answer::Number(least, greatest) => format!("a number from {least} to {greatest}"),
            Answer::Time(least, greatest) => {
                format!("a time from {} to {}", say(*least), say(*greatest))
            }
            Answer::Text => "a text of one line".to_owned(),
        }
    }
}
