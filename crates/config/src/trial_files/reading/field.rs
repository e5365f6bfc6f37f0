//! [`Field`]: one value of a file, with its place and the key it stands under. Reading it as
//! what it should be reports a wrong type, unit or range.

use super::keys::{self, Key, KeyKind, words_of};
use super::node::{Node, TomlEntry, Value};
use super::note;
use super::page::Page;
use super::quantity::{self, QuantityFault, brief, say};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::text::nearest;
use chronotap_core::time::{Exact, Nanos};

/// A value, given or default.
#[derive(Clone, Debug)]
pub struct Field<'p> {
    pub page: &'p Page<'p>,
    pub node: &'p Node,
    /// The byte at which it stands; that of its table where it is the default.
    pub at: usize,
    /// As in the file: `pacing.metronome.interval`, `step main.repetitions`.
    pub path: String,
    /// The key whose rules hold.
    pub key: &'static Key,
}

/// How a plain number is asked for.
const NUMBERS: [&str; 3] = ["a whole number", "a MIDI channel", "a MIDI velocity"];

impl<'p> Field<'p> {
    /// Another value under the same rules: an element of a list, the end of a ramp.
    pub fn with<'q>(&self, node: &'q Node) -> Field<'q>
    where
        'p: 'q,
    {
        Field { node, at: node.at, path: self.path.clone(), ..*self }
    }

    /// Reports that the value is not what it should be.
    pub fn wrong<T>(&self, expected: &str) -> Option<T> {
        let found = match &self.node.value {
            Value::Text(text) => format!("\"{}\"", brief(text)),
            Value::Integer(n) => n.to_string(),
            Value::Decimal(n) | Value::Moment(n) => brief(n),
            Value::Flag(flag) => flag.to_string(),
            Value::List(_) => "a list".into(),
            Value::Table(_) => "a table".into(),
        };
        // The list of keys has the forms below; here an example has one.
        let may_be = expected
            .replace("one of the forms below", "a table")
            .replace("the form below", "a table");
        let message = format!("{} must be {may_be}, not {found}", self.path);
        match self.node.text().and_then(|text| self.nearest_word(text)) {
            Some(near) => self.page.near(self.at, message, near),
            None => {
                let example = || format!("for example: {}", example_of(self.key, &self.path));
                self.page.cured(self.at, message, self.unquoted(expected).unwrap_or_else(example));
            }
        }
        None
    }

    /// Of the words that its key may hold the one that was meant; not one with a place to fill,
    /// such as "N trials".
    fn nearest_word(&self, text: &str) -> Option<String> {
        let fixed = |word: &&str| {
            let to_fill = |part: &str| part.chars().all(|c| c.is_ascii_uppercase());
            !word.split(' ').any(to_fill)
        };
        let words = self.key.kind.describe();
        let words = words.split('"').skip(1).step_by(2).filter(fixed);
        nearest(text, words).map(str::to_owned)
    }

    /// The cure of a number that stands in quotes and should not.
    fn unquoted(&self, expected: &str) -> Option<String> {
        let number = self.node.text()?.trim();
        let wanted = self.key.kind.is_a_number()
            || NUMBERS.iter().any(|number| expected.starts_with(number));
        (wanted && number.parse::<i64>().is_ok()).then(|| format!("write {number} without quotes"))
    }

    /// Reports a fault of the quantity that it holds.
    pub fn fault<T>(&self, fault: QuantityFault) -> Option<T> {
        self.page.fault(self.at, &self.path, fault);
        None
    }

    /// Reports something else about it.
    pub fn problem<T>(&self, message: &str, cure: impl Into<String>) -> Option<T> {
        // A message that begins with a colon says it of what the path names.
        let space = if message.starts_with(':') { "" } else { " " };
        self.page.cured(self.at, format!("{}{space}{message}", self.path), cure);
        None
    }

    fn or_fault<T>(&self, result: Result<T, QuantityFault>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => self.fault(fault),
        }
    }

    /// Text on one line.
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

    /// `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        match self.node.value {
            Value::Flag(flag) => Some(flag),
            _ => self.wrong("true or false"),
        }
    }

    /// A time within the bounds of the key, in whole nanoseconds.
    pub fn time(&self) -> Option<Nanos> {
        let (min, max) = match self.key.kind {
            KeyKind::Time(min, max) => (min, max),
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
        let KeyKind::Time(min, max) = self.key.kind else { return None };
        self.exact_within(min, max)
    }

    /// An interval, exactly.
    pub fn interval(&self) -> Option<Exact> {
        let KeyKind::Time(min, max) = keys::INTERVAL else { return None };
        match self.key.kind {
            KeyKind::Tempo => self.tempo(),
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
            let expected = KeyKind::Time(min, max).describe();
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
            KeyKind::Count(min, max) => (min, max),
            _ => (1, 1_000_000_000),
        };
        self.whole(min, max).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// A whole number within other bounds than the key's.
    pub fn whole(&self, min: u64, max: u64) -> Option<u64> {
        match &self.node.value {
            Value::Integer(n) if *n >= i128::from(min) && *n <= i128::from(max) => {
                u64::try_from(*n).ok()
            }
            Value::List(_) if self.key.section == "when" => {
                self.problem("is one number, not a list", "write a [[when]] for each of them")
            }
            Value::Text(_) if self.key.name == "seed" => {
                let what = format!("must be a {}", KeyKind::Count(min, max).describe());
                self.problem(&what, "write any, such as 1, or leave seed out")
            }
            _ => self.wrong(&format!("a {}", KeyKind::Count(min, max).describe())),
        }
    }

    /// A number within the bounds of the key.
    pub fn number(&self) -> Option<f64> {
        match self.key.kind {
            KeyKind::Number(min, max) => self.number_within(min, max),
            _ => self.number_within(f64::MIN, f64::MAX),
        }
    }

    /// A number within other bounds than the key's.
    pub fn number_within(&self, min: f64, max: f64) -> Option<f64> {
        let value = match &self.node.value {
            Value::Integer(n) => Some(*n as f64),
            Value::Decimal(text) => text.replace('_', "").parse().ok(),
            _ => None,
        };
        match value {
            Some(value) if value >= min && value <= max => Some(value),
            _ if (min, max) == (f64::MIN, f64::MAX) => self.wrong("a number"),
            _ => self.wrong(&format!("a number from {min} to {max}")),
        }
    }

    /// A MIDI note, by number or name.
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

    /// A MIDI channel.
    pub fn channel(&self) -> Option<Channel> {
        let number = match &self.node.value {
            Value::Integer(n) => u8::try_from(*n).ok().and_then(Channel::new),
            _ => None,
        };
        number.or_else(|| self.wrong("a MIDI channel, 1 to 16"))
    }

    /// A velocity that sounds.
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

    /// What one of the words of the key means, by the table that its row has them from.
    pub fn choice<T: Clone, const N: usize>(&self, of: &[(&'static str, T); N]) -> Option<T> {
        let words = words_of(of);
        debug_assert!(!matches!(self.key.kind, KeyKind::Choice(row) if row != words), "two tables");
        let text = self.node.text().unwrap_or_default();
        if let Some((_, meant)) = of.iter().find(|(word, _)| *word == text) {
            return Some(meant.clone());
        }
        let message = format!("{} must be {}", self.path, keys::one_of(&words));
        match nearest(text, words) {
            Some(near) => self.page.near(self.at, message, near.to_owned()),
            None => self.page.cured(self.at, message, "write one of these words, in quotes"),
        }
        None
    }

    /// A name of one's own: a column, part of a file's name.
    pub fn name(&self) -> Option<String> {
        let name = self.text()?;
        well_named(self.page, self.at, &name).then_some(name)
    }

    /// The elements of a list with at least one, each as a field.
    pub fn list(&self, of: &str) -> Option<Vec<Field<'p>>> {
        match &self.node.value {
            Value::List(list) if list.is_empty() => {
                self.problem("is an empty list", format!("name at least one of the {of}"))
            }
            Value::List(list) => Some(list.iter().map(|node| self.with(node)).collect()),
            _ => self.wrong(&format!("a list of {of}")),
        }
    }

    /// The same; a single value is a list of one.
    pub fn some(&self, of: &str) -> Option<Vec<Field<'p>>> {
        match &self.node.value {
            Value::List(_) => self.list(of),
            _ => Some(vec![self.clone()]),
        }
    }

    /// A list of exactly two.
    pub fn pair(&self) -> Option<[Field<'p>; 2]> {
        match <[Field<'p>; 2]>::try_from(self.list("two values")?) {
            Ok(pair) => Some(pair),
            Err(_) => self.wrong("two values, least and greatest"),
        }
    }

    /// The keys of a table with at least one, each with its value under the rules of this one.
    pub fn keys(&self) -> Option<Vec<(&'p str, Field<'p>)>> {
        match &self.node.value {
            Value::Table(table) if table.entries.is_empty() => {
                self.problem("is empty", "name at least one, or leave it out")
            }
            Value::Table(table) => {
                let field = |entry: &'p TomlEntry| {
                    let path = format!("{}.{}", self.path, entry.key);
                    (entry.key.as_str(), Field { path, ..self.with(&entry.node) })
                };
                Some(table.entries.iter().map(field).collect())
            }
            _ => self.wrong("a table"),
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
            let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            return self.wrong(&format!("the name of {article} {what}"));
        };
        if let Some(index) = names.iter().position(|name| name == text) {
            return Some(index as u16);
        }
        let message = format!("{}: there is no {what} \"{}\"", self.path, brief(text));
        let declared = names.iter().map(String::as_str);
        if matches!(what, "input" | "output") && nearest(text, declared.clone()).is_none() {
            let known = names.join(", ");
            let cure = format!("declare [{what}.{}], or name one of: {known}", brief(text));
            self.page.cured(self.at, message, cure);
        } else {
            self.page.unknown(self.at, message, text, declared);
        }
        None
    }
}

/// Whether beats may come at this interval.
fn is_interval(exact: Exact) -> bool {
    matches!(keys::INTERVAL, KeyKind::Time(min, max) if (min..=max).contains(&exact.round().0))
}

/// Whether a name can stand in columns, file names and `NAME=PORT`; reported where it cannot.
pub fn well_named(page: &Page<'_>, at: usize, name: &str) -> bool {
    let fits = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let fits = fits && !name.is_empty() && name.chars().count() <= 40;
    if !fits {
        let message = format!("\"{}\" cannot be a name", brief(name));
        page.cured(at, message, "use up to 40 letters, digits, _ and -");
    }
    fits
}

/// The example of a key; that of a condition names the stream or input that `path` names there,
/// or none.
pub(super) fn example_of(key: &Key, path: &str) -> String {
    let condition = match key.section {
        "when" => key.name,
        section => section.strip_prefix("when.").unwrap_or_default(),
    };
    let placed = || {
        let (_, named) = path.split_once(&format!(".{condition}"))?;
        let (_, value) = key.example.split_once(" = ")?;
        Some(format!("{condition}{named} = {value}"))
    };
    let of_condition = !condition.is_empty() && key.example.starts_with(condition);
    let without_heading = || key.example.lines().find(|line| !line.starts_with('['));
    placed()
        .filter(|_| of_condition)
        .unwrap_or_else(|| without_heading().unwrap_or(key.example).to_owned())
}
