//! [`Factor`]s, their [`Level`]s, and the [`Condition`]s that they make.

use crate::study::origin::Origin;
use std::fmt;

/// One level of a factor, as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Text in quotes: a time, a word.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number with decimals, as it is written.
    Decimal(String),
    /// `true` or `false`.
    Flag(bool),
}

/// What varies, and over which levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// Its name: a column of plan and tables.
    pub name: String,
    /// Its levels, in the order of the file.
    pub levels: Vec<Level>,
    /// Of one between participants: where a participant's level is from.
    pub origin: Origin,
}

/// One combination of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// For each factor within participants, the place of its level.
    pub levels: Vec<usize>,
    /// How often it stands in one repetition.
    pub weight: u32,
}

/// Conditions in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The table that they stand in; `None` where they are made of factors.
    pub file: Option<String>,
    pub conditions: Vec<Condition>,
}

impl Level {
    /// As it stands in a trial file.
    pub fn toml(&self) -> String {
        match self {
            Level::Text(text) => toml_edit::Value::from(text.as_str()).to_string(),
            other => other.to_string(),
        }
    }

    /// The level that a cell of a table holds: a number or a flag where it reads as one,
    /// else text.
    pub fn of_cell(cell: &str) -> Level {
        let decimal = |text: &str| {
            let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
            let whole = text.trim_start_matches('-').split('.').all(|part| !part.is_empty());
            plain && whole && text.contains('.') && text.parse::<f64>().is_ok()
        };
        match cell {
            "true" => Level::Flag(true),
            "false" => Level::Flag(false),
            _ => match cell.parse() {
                // A number that begins with zeros is a name, and + is not kept.
                Ok(whole) if format!("{whole}") == cell => Level::Whole(whole),
                _ if decimal(cell) => Level::Decimal(cell.to_owned()),
                _ => Level::Text(cell.to_owned()),
            },
        }
    }

    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Level::Whole(n) => Some(*n as f64),
            Level::Decimal(text) => text.parse().ok(),
            _ => None,
        }
    }
}

/// As it stands in a column: without quotes.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Text(text) | Level::Decimal(text) => f.write_str(text),
            Level::Whole(n) => n.fmt(f),
            Level::Flag(flag) => flag.fmt(f),
        }
    }
}

impl Factor {
    /// The place of the level that is written so.
    pub fn place(&self, written: &str) -> Option<usize> {
        self.levels.iter().position(|level| level.to_string() == written)
    }
}

/// The digits of a number whose digits count levels, the last changing fastest.
pub(crate) fn mixed_radix(mut index: usize, factors: &[Factor]) -> Vec<usize> {
    let mut levels: Vec<usize> = factors
        .iter()
        .rev()
        .map(|factor| {
            let level = index % factor.levels.len();
            index /= factor.levels.len();
            level
        })
        .collect();
    levels.reverse();
    levels
}
