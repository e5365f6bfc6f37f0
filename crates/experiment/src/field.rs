//! [`Field`]: one value of a trial file, with its place and the key it stands
//! under. Reading it as what it should be reports a wrong type, unit or range.

use crate::check::Check;
use crate::keys::{self, Key, Kind};
use crate::node::{Node, Value};
use crate::note;
use crate::quantity::{self, Fault, brief, say};
use crate::unknown::unknown_key;
use chronotap_midi::{Channel, U7};
use chronotap_text::nearest;
use chronotap_time::{Exact, Nanos};
use std::borrow::Cow;

/// A value, given or default.
#[derive(Clone)]
pub(crate) struct Field<'c> {
    pub check: &'c Check<'c>,
    pub node: Cow<'c, Node>,
    pub path: String,
    pub key: &'static Key,
}

/// The fields of a small table, such as `{ normal = "20 ms", at_most = "60 ms" }`.
pub(crate) struct Fields<'c> {
    of: Field<'c>,
    given: Vec<Field<'c>>,
}

impl<'c> Fields<'c> {
    pub fn get(&self, name: &str) -> Option<Field<'c>> {
        self.given.iter().find(|field| field.key.name == name).cloned()
    }

    /// A field that must stand; reported where it does not.
    pub fn must(&self, name: &str) -> Option<Field<'c>> {
        self.get(name).or_else(|| self.of.problem(&format!("lacks {name}"), example_of(&self.of)))
    }
}

/// How a plain number is asked for.
const NUMBERS: [&str; 3] = ["a whole number", "a MIDI channel", "a MIDI velocity"];

/// The example of a condition names the stream or input that the file names there, or none.
fn example_of(field: &Field<'_>) -> String {
    let Key { section, name, example, .. } = field.key;
    let placed = || {
        let (_, named) = field.path.split_once(&format!(".{name}"))?;
        let (_, value) = example.split_once(" = ")?;
        Some(format!("{name}{named} = {value}"))
    };
    let placed = placed().filter(|_| *section == "when");
    format!("for example: {}", placed.as_deref().unwrap_or(example))
}

impl<'c> Field<'c> {
    /// The fields of a table, unknown keys reported.
    pub fn fields(&self, section: &'static str) -> Option<Fields<'c>> {
        let Some(table) = self.node.table() else {
            return self.wrong(self.key.kind.describe().as_str());
        };
        let mut given = Vec::new();
        for entry in &table.entries {
            let path = format!("{}.{}", self.path, entry.key);
            match keys::find(section, &entry.key) {
                Some(key) => given.push(Field {
                    check: self.check,
                    node: Cow::Owned(entry.node.clone()),
                    path,
                    key,
                }),
                None => unknown_key(self.check, entry.at, &entry.key, &self.path, section),
            }
        }
        Some(Fields { of: self.clone(), given })
    }

    /// The one field of a table of which each key is a form of its own. The outer
    /// `None` is a reported mistake, the inner one no table.
    pub fn one_form(&self, section: &'static str) -> Option<Option<Field<'c>>> {
        if self.node.table().is_none() {
            return Some(None);
        }
        let fields = self.fields(section)?;
        let unknown = self.node.table().map_or(0, |t| t.entries.len()) - fields.given.len();
        match &fields.given[..] {
            [one] if unknown == 0 => Some(Some(one.clone())),
            _ if unknown > 0 => None,
            given => {
                let forms: Vec<&str> = keys::within(section).map(|key| key.name).collect();
                let said = if given.is_empty() { "names no form" } else { "names several forms" };
                self.problem(said, format!("write one of {}", forms.join(", ")))
            }
        }
    }

    /// Another value under the same rules: an element of a list, the end of a ramp.
    pub fn with(&self, node: &Node) -> Field<'c> {
        Field { node: Cow::Owned(node.clone()), path: self.path.clone(), ..*self }
    }

    pub fn wrong<T>(&self, expected: &str) -> Option<T> {
        let found = match &self.node.value {
            Value::Text(text) => format!("\"{}\"", brief(text)),
            Value::Integer(n) => n.to_string(),
            Value::Decimal(n) => brief(n),
            Value::Flag(flag) => flag.to_string(),
            Value::Moment(moment) => moment.clone(),
            Value::List(_) => "a list".into(),
            Value::Table(_) => "a table".into(),
        };
        let message = format!("{} must be {expected}, not {found}", self.path);
        let words = self.key.kind.describe();
        let words = words.split('"').skip(1).step_by(2);
        match self.node.text().and_then(|text| nearest(text, words)) {
            Some(near) => self.check.near(self.node.at, message, near.to_owned()),
            None => {
                let cure = self.unquoted(expected).unwrap_or_else(|| example_of(self));
                self.check.cured(self.node.at, message, cure);
            }
        }
        None
    }

    /// The cure of a number that stands in quotes and should not.
    fn unquoted(&self, expected: &str) -> Option<String> {
        let number = self.node.text()?.trim();
        let wanted = self.key.kind.is_a_number()
            || NUMBERS.iter().any(|number| expected.starts_with(number));
        (wanted && number.parse::<i64>().is_ok()).then(|| format!("write {number} without quotes"))
    }

    pub fn fault<T>(&self, fault: Fault) -> Option<T> {
        self.check.fault(self.node.at, &self.path, fault);
        None
    }

    pub fn problem<T>(&self, message: &str, cure: impl Into<String>) -> Option<T> {
        self.check.cured(self.node.at, format!("{} {message}", self.path), cure);
        None
    }

    fn or_fault<T>(&self, result: Result<T, Fault>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => self.fault(fault),
        }
    }

    pub fn text(&self) -> Option<String> {
        let Some(text) = self.node.text() else { return self.wrong("text in quotes") };
        // Names and markers stand in a column of a table of tab-separated lines.
        if text.chars().any(char::is_control) {
            return self.problem("must be one line without tabs", "write it on one line");
        }
        Some(text.to_owned())
    }

    /// Text of several lines.
    pub fn lines(&self) -> Option<String> {
        let Some(text) = self.node.text() else { return self.wrong("text in quotes") };
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return self.problem("holds a control character", "write plain text");
        }
        Some(text.to_owned())
    }

    pub fn flag(&self) -> Option<bool> {
        match self.node.value {
            Value::Flag(flag) => Some(flag),
            _ => self.wrong("true or false"),
        }
    }

    /// A time within the bounds of the key, in whole nanoseconds.
    pub fn time(&self) -> Option<Nanos> {
        let (min, max) = match self.key.kind {
            Kind::Time(min, max) => (min, max),
            _ => (0, keys::DAY),
        };
        self.exact_within(min, max).map(Exact::round)
    }

    /// A time within other bounds than the key's.
    pub fn time_within(&self, min: Nanos, max: Nanos) -> Option<Nanos> {
        self.exact_within(min.0, max.0).map(Exact::round)
    }

    /// A time within the bounds of the key, exactly.
    pub fn exact_time(&self) -> Option<Exact> {
        let Kind::Time(min, max) = self.key.kind else { return None };
        self.exact_within(min, max)
    }

    /// An interval, exactly.
    pub fn interval(&self) -> Option<Exact> {
        let Kind::Time(min, max) = keys::INTERVAL else { return None };
        match self.key.kind {
            Kind::Tempo => self.tempo(),
            _ => self.exact_within(min, max),
        }
    }

    fn exact_within(&self, min: i64, max: i64) -> Option<Exact> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            Value::Integer(_) | Value::Decimal(_) => return self.bare_number(min, max),
            _ => return self.wrong("a time such as \"500 ms\""),
        };
        let exact = self.or_fault(quantity::time_for(text, Nanos(min), Nanos(max)))?;
        if exact.round().0 < min || exact.round().0 > max {
            let expected = Kind::Time(min, max).describe();
            return self.wrong(&format!("a {expected}"));
        }
        Some(exact)
    }

    fn bare_number<T>(&self, min: i64, max: i64) -> Option<T> {
        let n = self.node.to_string();
        let written = quantity::with_unit(&n, Nanos(min), Nanos(max));
        let cure = format!("a time is a string with its unit: {written}");
        self.problem(&format!("= {n} has no unit"), cure)
    }

    fn tempo(&self) -> Option<Exact> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            Value::Integer(_) | Value::Decimal(_) => {
                let n = self.node.to_string();
                let written = format!("{n} bpm");
                let written = match quantity::tempo(&written).is_ok_and(is_interval) {
                    true => format!("\"{written}\""),
                    false => keys::TEMPI.to_owned(),
                };
                let cure = format!("a tempo is a string with its unit: write {written}");
                return self.problem(&format!("= {n} has no unit"), cure);
            }
            _ => return self.wrong("a tempo such as \"100 bpm\""),
        };
        let exact = self.or_fault(quantity::tempo(text))?;
        if !is_interval(exact) { self.wrong(keys::TEMPI) } else { Some(exact) }
    }

    /// Events a second.
    pub fn rate(&self) -> Option<f64> {
        let Some(text) = self.node.text() else { return self.wrong("a rate such as \"20 per s\"") };
        let rate = self.or_fault(quantity::rate(text))?;
        if !(0.001..=1000.0).contains(&rate) {
            return self.wrong("0.001 to 1000 per s");
        }
        Some(rate)
    }

    /// A whole number within the bounds of the key.
    pub fn count(&self) -> Option<u32> {
        let (min, max) = match self.key.kind {
            Kind::Count(min, max) => (min, max),
            _ => (1, 1_000_000_000),
        };
        self.whole(min, max).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    pub fn whole(&self, min: u64, max: u64) -> Option<u64> {
        match &self.node.value {
            Value::Integer(n) if *n >= i128::from(min) && *n <= i128::from(max) => {
                u64::try_from(*n).ok()
            }
            _ => self.wrong(&format!("a {}", Kind::Count(min, max).describe())),
        }
    }

    pub fn number(&self) -> Option<f64> {
        let value = match &self.node.value {
            Value::Integer(n) => Some(*n as f64),
            Value::Decimal(text) => text.parse().ok(),
            _ => None,
        };
        let (min, max) = match self.key.kind {
            Kind::Number(min, max) => (min, max),
            _ => (f64::MIN, f64::MAX),
        };
        match value {
            Some(value) if value >= min && value <= max => Some(value),
            _ => self.wrong(&format!("a number from {min} to {max}")),
        }
    }

    pub fn note(&self) -> Option<U7> {
        match &self.node.value {
            Value::Integer(n) => self.or_fault(note::numbered(*n)),
            Value::Text(text) => self.or_fault(note::note(text)),
            _ => self.wrong("a note, by number or name"),
        }
    }

    /// A range of notes, or one note.
    pub fn range(&self) -> Option<(U7, U7)> {
        match &self.node.value {
            Value::Text(text) => self.or_fault(note::range(text)),
            Value::Integer(n) => self.or_fault(note::numbered(*n)).map(|n| (n, n)),
            _ => self.wrong("a range of notes such as \"C2..B3\""),
        }
    }

    pub fn channel(&self) -> Option<Channel> {
        let number = match &self.node.value {
            Value::Integer(n) => u8::try_from(*n).ok().and_then(Channel::new),
            _ => None,
        };
        number.or_else(|| self.wrong("a MIDI channel, 1 to 16"))
    }

    pub fn velocity(&self) -> Option<U7> {
        match &self.node.value {
            Value::Integer(0) => self.problem(
                "= 0 would be a release, not a tone",
                "write 1 to 127; audible = false or sounding = false makes a stream silent",
            ),
            Value::Integer(n) if (1..=127).contains(n) => Some(U7::clamped(*n as i64)),
            _ => self.wrong("a MIDI velocity, 1 to 127"),
        }
    }

    /// One of the words of the key.
    pub fn choice(&self) -> Option<&'static str> {
        let Kind::Choice(words) = self.key.kind else { return None };
        let text = self.node.text().unwrap_or_default();
        if let Some(word) = words.iter().find(|word| **word == text) {
            return Some(word);
        }
        let message = format!("{} must be {}", self.path, self.key.kind.describe());
        self.check.unknown(self.node.at, message, text, words.iter().copied());
        None
    }

    /// The elements of a list with at least one, each as a field.
    pub fn list(&self, of: &str) -> Option<Vec<Field<'c>>> {
        match &self.node.value {
            Value::List(list) if list.is_empty() => {
                self.problem("is an empty list", format!("name at least one of the {of}"))
            }
            Value::List(list) => Some(list.iter().map(|node| self.with(node)).collect()),
            _ => self.wrong(&format!("a list of {of}")),
        }
    }

    /// Two times, the first not above the second, both within bounds.
    pub fn two_times(&self, min: Nanos, max: Nanos) -> Option<(Nanos, Nanos)> {
        let list = self.list("times")?;
        let [low, high] = &list[..] else { return self.wrong("two times, least and greatest") };
        let (low, high) = (low.time_within(min, max)?, high.time_within(min, max)?);
        if low > high {
            let cure = format!("write [\"{}\", \"{}\"]", say(high), say(low));
            return self.problem("puts the greater time first", cure);
        }
        Some((low, high))
    }

    /// Looks a name up among those declared.
    pub fn named(&self, what: &str, names: &[String]) -> Option<u16> {
        let Some(text) = self.node.text() else {
            return self.wrong(&format!("the name of {what}"));
        };
        if let Some(index) = names.iter().position(|name| name == text) {
            return Some(index as u16);
        }
        let message = format!("{}: there is no {what} \"{}\"", self.path, brief(text));
        let declared = names.iter().map(String::as_str);
        if matches!(what, "input" | "output") && nearest(text, declared.clone()).is_none() {
            let known = names.join(", ");
            let cure = format!("declare [{what}.{}], or name one of: {known}", brief(text));
            self.check.cured(self.node.at, message, cure);
        } else {
            self.check.unknown(self.node.at, message, text, declared);
        }
        None
    }
}

/// Whether beats may come at this interval.
fn is_interval(exact: Exact) -> bool {
    matches!(keys::INTERVAL, Kind::Time(min, max) if (min..=max).contains(&exact.round().0))
}
