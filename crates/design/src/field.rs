//! [`Field`]: one value of an experiment file, with its place and path. Reading it as
//! what it should be reports a wrong type, unit or range.

use crate::factor::Level;
use crate::mistakes::Page;
use chronotap_experiment::reading::{Node, Value, brief, say, time_for, with_unit};
use chronotap_text::nearest;
use chronotap_time::Nanos;

/// A value and where it stands.
#[derive(Clone)]
pub(crate) struct Field<'p> {
    pub page: &'p Page<'p>,
    pub node: &'p Node,
    /// As in the file: `step main.repetitions`.
    pub path: String,
}

impl<'p> Field<'p> {
    /// Reports that the value is not what it should be.
    pub fn wrong<T>(&self, expected: &str, example: &str) -> Option<T> {
        let found = match &self.node.value {
            Value::Text(text) => format!("\"{}\"", brief(text)),
            Value::Integer(n) => n.to_string(),
            Value::Decimal(n) | Value::Moment(n) => brief(n),
            Value::Flag(flag) => flag.to_string(),
            Value::List(_) => "a list".into(),
            Value::Table(_) => "a table".into(),
        };
        let message = format!("{} must be {expected}, not {found}", self.path);
        self.page.cured(self.node.at, message, format!("for example: {example}"));
        None
    }

    /// Reports something else.
    pub fn problem<T>(&self, message: &str, cure: impl Into<String>) -> Option<T> {
        self.page.cured(self.node.at, format!("{} {message}", self.path), cure);
        None
    }

    /// Text on one line.
    pub fn text(&self) -> Option<String> {
        let Some(text) = self.node.text() else { return self.wrong("text", "\"text in quotes\"") };
        if text.chars().any(char::is_control) {
            return self.problem("must be one line without tabs", "write it on one line");
        }
        Some(text.to_owned())
    }

    /// Text of any number of lines.
    pub fn lines(&self) -> Option<String> {
        match self.node.text() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong("text", "\"text in quotes\""),
        }
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        match self.node.value {
            Value::Flag(flag) => Some(flag),
            _ => self.wrong("true or false", "true"),
        }
    }

    /// A whole number within bounds.
    pub fn whole(&self, least: u64, greatest: u64) -> Option<u64> {
        match &self.node.value {
            Value::Integer(n) if (i128::from(least)..=i128::from(greatest)).contains(n) => {
                u64::try_from(*n).ok()
            }
            _ if greatest == u64::MAX => {
                self.wrong(&format!("a whole number from {least}"), &least.to_string())
            }
            _ => self.wrong(
                &format!("a whole number from {least} to {greatest}"),
                &least.max(2.min(greatest)).to_string(),
            ),
        }
    }

    /// A count from `least`.
    pub fn count(&self, least: u32) -> Option<u32> {
        self.whole(least.into(), 1_000_000).and_then(|n| u32::try_from(n).ok())
    }

    /// A number.
    pub fn number(&self) -> Option<f64> {
        match &self.node.value {
            Value::Integer(n) => Some(*n as f64),
            Value::Decimal(text) => {
                text.replace('_', "").parse().ok().filter(|n: &f64| n.is_finite())
            }
            _ => None,
        }
        .or_else(|| self.wrong("a number", "1.5"))
    }

    /// A time within bounds.
    pub fn time(&self, least: Nanos, greatest: Nanos) -> Option<Nanos> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            Value::Integer(_) | Value::Decimal(_) => {
                let n = self.node.to_string();
                let written = with_unit(&n, least, greatest);
                let cure = format!("a time is a string with its unit: {written}");
                return self.problem(&format!("= {n} has no unit"), cure);
            }
            _ => return self.wrong("a time", "\"500 ms\""),
        };
        match time_for(text, least, greatest) {
            Ok(exact) if (least..=greatest).contains(&exact.round()) => Some(exact.round()),
            Ok(_) => {
                let bounds = format!("a time from {} to {}", say(least), say(greatest));
                self.wrong(&bounds, "\"1 s\"")
            }
            Err(fault) => {
                self.page.fault(self.node.at, &self.path, fault);
                None
            }
        }
    }

    /// One of a few words.
    pub fn word(&self, words: &[&'static str]) -> Option<&'static str> {
        let written = self.node.text().unwrap_or_default();
        if let Some(word) = words.iter().find(|word| **word == written) {
            return Some(word);
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        match nearest(written, words.iter().copied()).filter(|_| self.node.text().is_some()) {
            Some(_) => {
                let message = format!("{} must be {}", self.path, quoted.join(" or "));
                self.page.unknown(self.node.at, message, written, words.iter().copied());
                None
            }
            None => self.wrong(&quoted.join(" or "), &quoted[0]),
        }
    }

    /// A name of one's own: a column, part of a file's name.
    pub fn name(&self) -> Option<String> {
        let name = self.text()?;
        well_named(self.page, self.node.at, &name).then_some(name)
    }

    /// A level of a factor.
    pub fn level(&self) -> Option<Level> {
        match &self.node.value {
            Value::Text(text) if text.is_empty() || text.chars().any(char::is_control) => {
                self.problem("must not be empty, nor hold tabs", "write what stands in the column")
            }
            Value::Text(text) => Some(Level::Text(text.clone())),
            Value::Integer(n) => match i64::try_from(*n) {
                Ok(n) => Some(Level::Whole(n)),
                Err(_) => self.wrong("a smaller number", "1000"),
            },
            Value::Decimal(text) => Some(Level::Decimal(text.clone())),
            Value::Flag(flag) => Some(Level::Flag(*flag)),
            _ => self.wrong("a level: text, a number, true or false", "\"400 ms\""),
        }
    }

    /// The elements of a list with at least one; a single value is a list of one.
    pub fn some(&self) -> Option<Vec<Field<'p>>> {
        match &self.node.value {
            Value::List(_) => self.list(),
            _ => Some(vec![self.clone()]),
        }
    }

    /// The elements of a list with at least one.
    pub fn list(&self) -> Option<Vec<Field<'p>>> {
        match &self.node.value {
            Value::List(list) if list.is_empty() => {
                self.problem("is an empty list", "name at least one, or leave it out")
            }
            Value::List(list) => {
                Some(list.iter().map(|node| Field { node, ..self.clone() }).collect())
            }
            _ => self.wrong("a list", "[\"...\", \"...\"]"),
        }
    }

    /// A list of exactly two.
    pub fn pair(&self) -> Option<[Field<'p>; 2]> {
        match <[Field<'p>; 2]>::try_from(self.list()?) {
            Ok(pair) => Some(pair),
            Err(_) => self.wrong("two values, least and greatest", "[1, 7]"),
        }
    }

    /// The keys of a table with at least one, each with its value.
    pub fn keys(&self) -> Option<Vec<(&'p str, Field<'p>)>> {
        match &self.node.value {
            Value::Table(table) if table.entries.is_empty() => {
                self.problem("is empty", "name at least one, or leave it out")
            }
            Value::Table(table) => {
                let field = |entry: &'p chronotap_experiment::reading::Entry| {
                    let path = format!("{}.{}", self.path, entry.key);
                    (entry.key.as_str(), Field { node: &entry.node, path, page: self.page })
                };
                Some(table.entries.iter().map(field).collect())
            }
            _ => self.wrong("a table", "{ name = ... }"),
        }
    }
}

/// Whether a name can stand in columns and file names; reported where it cannot.
pub(crate) fn well_named(page: &Page<'_>, at: usize, name: &str) -> bool {
    let fits = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let fits = fits && !name.is_empty() && name.chars().count() <= 40;
    if !fits {
        let message = format!("\"{}\" cannot be a name", brief(name));
        page.cured(at, message, "use up to 40 letters, digits, _ and -");
    }
    fits
}
