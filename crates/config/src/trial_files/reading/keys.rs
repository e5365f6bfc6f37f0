//! [`Keys`]: every key of one kind of file, in one table: where it stands, what it may hold,
//! its unit, range and default, and what it means. Reading, the search for the nearest name,
//! the table of resolved parameters and the printed reference all come from its rows, so none
//! of them can say what another does not.

use super::node::Node;
use super::quantity::bounds;
use super::settable::Settable;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::Number;
use std::collections::HashMap;

/// The keys of one kind of file.
#[derive(Debug)]
pub struct Keys {
    sections: Vec<&'static Section>,
    rows: Vec<&'static Key>,
    index: HashMap<(&'static str, &'static str), Known>,
}

/// A key, and its default read: every table of a file asks for those of all its keys.
#[derive(Debug)]
struct Known {
    key: &'static Key,
    default: Option<Node>,
}

/// A title over the keys of a section, for the reference.
#[derive(Debug)]
pub struct Section {
    /// As keys name it, such as `pacing.NAME.tone`; empty at the top of the file.
    pub name: &'static str,
    pub title: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Where it stands, such as `pacing.NAME.tone`; empty at the top of the file.
    pub section: &'static str,
    /// The key.
    pub name: &'static str,
    /// What it may hold.
    pub kind: KeyKind,
    /// What holds where it is not given.
    pub default: Default,
    /// One or two sentences.
    pub meaning: &'static str,
    /// A line as it could stand in a file.
    pub example: &'static str,
    /// What a rule's `set` changes by it, if it may.
    pub sets: Option<Settable>,
    /// What a rule's `ramp` changes by it, if it may: of the stream or channel of this index.
    pub ramps: Option<fn(u16) -> Number>,
}

/// What a key may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyKind {
    /// Any text on one line.
    Text,
    /// `true` or `false`.
    Flag,
    /// A time, within bounds in nanoseconds.
    Time(i64, i64),
    /// A time between beats, or a table that says where it is taken from.
    Interval,
    /// Beats per minute.
    Tempo,
    /// Events a second.
    Rate,
    /// A whole number within bounds.
    Count(u64, u64),
    /// A number within bounds.
    Number(f64, f64),
    /// A MIDI note, by number or name.
    Note,
    /// A range of notes.
    Range,
    /// A MIDI channel.
    Channel,
    /// A velocity that sounds.
    Velocity,
    /// One of a few words: those of the table that also says what each means ([`words_of`]).
    Choice(&'static [&'static str]),
    /// The name of something declared elsewhere: what it names.
    Name(&'static str),
    /// A form of its own, described; keys of its tables may follow in a section below.
    Form(&'static str),
    /// A table whose keys follow in a section of their own.
    Part,
}

/// What holds where a key is not given.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// This value, as TOML; reading takes it from here.
    Is(&'static str),
    /// In words, because it depends on others or is the absence of a thing.
    Not(&'static str),
}

const MS: i64 = 1_000_000;
const SECOND: i64 = 1_000 * MS;
/// The longest time that a file may name, in nanoseconds.
pub const DAY: i64 = 86_400 * SECOND;
/// Bounds of an interval between beats.
pub const INTERVAL: KeyKind = KeyKind::Time(MS, 3_600 * SECOND);
/// The tempi whose intervals are allowed.
pub const TEMPI: &str = "1 bpm / 60 to 60000 bpm";

impl Keys {
    /// The table of these sections and keys, both in the order of the reference.
    pub fn of(sections: &[&'static [Section]], rows: &[&'static [Key]]) -> Keys {
        let sections = sections.iter().copied().flatten().collect();
        let none = Keys { sections, rows: Vec::new(), index: HashMap::new() };
        none.with(rows.iter().copied().flatten())
    }

    /// The same with further keys, each behind the others of its section.
    #[must_use]
    pub fn with(mut self, rows: impl IntoIterator<Item = &'static Key>) -> Keys {
        for key in rows {
            let default = match key.default {
                Default::Is(text) => Node::parse(text),
                Default::Not(_) => None,
            };
            self.index.insert((key.section, key.name), Known { key, default });
            self.rows.push(key);
        }
        self
    }

    /// Sections in the order of the reference.
    pub fn sections(&self) -> impl Iterator<Item = &'static Section> {
        self.sections.iter().copied()
    }

    /// Every key, in the order of the reference.
    pub fn all(&self) -> impl Iterator<Item = &'static Key> {
        self.rows.iter().copied()
    }

    /// The keys that may stand in a section.
    pub fn within(&self, section: &str) -> impl Iterator<Item = &'static Key> {
        self.all().filter(move |key| key.section == section)
    }

    /// One key, if there is such.
    pub fn find(&self, section: &str, name: &str) -> Option<&'static Key> {
        self.index.get(&(section, name)).map(|known| known.key)
    }

    /// What holds where a key is not given, if that is a value.
    pub fn default(&self, key: &Key) -> Option<&Node> {
        self.index.get(&(key.section, key.name))?.default.as_ref()
    }

    /// A section as it is headed in a file.
    pub fn heading(&self, section: &str) -> String {
        let title = self.sections().find(|of| of.name == section).map_or("", |of| of.title);
        match section {
            "" => "the top of the file, before the first [".to_owned(),
            section if title.starts_with("[[") => format!("[[{section}]]"),
            section => format!("[{section}]"),
        }
    }
}

impl Key {
    /// A key of a section; what it means is added by [`Key::means`].
    pub const fn new(
        section: &'static str,
        name: &'static str,
        kind: KeyKind,
        default: Default,
    ) -> Key {
        Key { section, name, kind, default, meaning: "", example: "", sets: None, ramps: None }
    }

    /// The same with its meaning and an example.
    pub const fn means(mut self, meaning: &'static str, example: &'static str) -> Key {
        self.meaning = meaning;
        self.example = example;
        self
    }

    /// The same where `set` may change this.
    pub const fn set(mut self, what: Settable) -> Key {
        self.sets = Some(what);
        self
    }

    /// The same where `ramp` may change this.
    pub const fn ramp(mut self, what: fn(u16) -> Number) -> Key {
        self.ramps = Some(what);
        self
    }
}

impl Default {
    /// As the reference says it.
    pub const fn words(self) -> &'static str {
        match self {
            Default::Is(words) | Default::Not(words) => words,
        }
    }
}

impl KeyKind {
    /// Whether it is a plain number, which stands without quotes.
    pub fn is_a_number(self) -> bool {
        matches!(
            self,
            KeyKind::Count(..) | KeyKind::Number(..) | KeyKind::Channel | KeyKind::Velocity
        )
    }

    /// What may be written, with unit and range.
    pub fn describe(self) -> String {
        match self {
            KeyKind::Text => "text".into(),
            KeyKind::Flag => "true or false".into(),
            KeyKind::Time(min, max) => format!("time, {}", bounds(Nanos(min), Nanos(max))),
            KeyKind::Interval => format!("{}, or the form below", INTERVAL.describe()),
            KeyKind::Tempo => format!("beats per minute, {TEMPI}"),
            KeyKind::Rate => "tones per s or per min, 0.001 to 1000 per s".into(),
            KeyKind::Count(min, max) if max >= i64::MAX as u64 => {
                format!("whole number, from {min}")
            }
            KeyKind::Count(min, max) => format!("whole number, {min} to {max}"),
            KeyKind::Number(f64::MIN, f64::MAX) => "number".into(),
            KeyKind::Number(min, max) => format!("number, {min} to {max}"),
            KeyKind::Note => "note: 0 to 127, or C-1 to G9 (C4 = 60)".into(),
            KeyKind::Range => "one note or a range, such as \"C2..B3\"".into(),
            KeyKind::Channel => "MIDI channel, 1 to 16".into(),
            KeyKind::Velocity => "MIDI velocity, 1 to 127".into(),
            KeyKind::Choice(words) => one_of(words),
            KeyKind::Name(of) => format!("the name of {of}"),
            KeyKind::Form(text) => text.into(),
            KeyKind::Part => "a table; its keys follow".into(),
        }
    }

    /// The unit, for the table of parameters.
    pub const fn unit(self) -> &'static str {
        match self {
            KeyKind::Time(..) | KeyKind::Interval => "time",
            KeyKind::Tempo => "beats per minute",
            KeyKind::Rate => "tones per second",
            KeyKind::Count(..) => "count",
            KeyKind::Note | KeyKind::Range => "MIDI note",
            KeyKind::Channel => "MIDI channel",
            KeyKind::Velocity => "MIDI velocity",
            _ => "",
        }
    }
}

/// The words of a choice, from the table of what each means: so none can be written that means
/// nothing.
pub const fn words_of<T, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = choices[at].0;
        at += 1;
    }
    words
}

/// `"a", "b" or "c"`
pub(super) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_listed_with_commas_and_one_or() {
        assert_eq!(one_of(&["a"]), "\"a\"");
        assert_eq!(one_of(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }
}
