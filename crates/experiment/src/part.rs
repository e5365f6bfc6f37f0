//! [`Part`]: one table of a trial file together with the keys it may hold.
//! Opening a part reports its unknown keys; a field of it that the file does not
//! give takes its default from the table of keys.

use crate::check::Check;
use crate::field::Field;
use crate::keys::{self, Default, Key, Kind};
use crate::node::{Node, Table, Value};
use crate::note;
use crate::unknown::{ALSO_CALLED, unknown_key};
use chronotap_text::nearest;
use std::borrow::Cow;

/// A table and the section of keys that belongs to it.
#[derive(Clone)]
pub(crate) struct Part<'c> {
    pub check: &'c Check<'c>,
    pub table: &'c Table,
    pub at: usize,
    /// As in the file: `pacing.metronome`.
    pub path: String,
    /// As in the table of keys: `pacing.NAME`.
    pub section: &'static str,
}

static NOTHING: Table = Table::EMPTY;

impl<'c> Part<'c> {
    /// Opens a table and reports the keys that do not belong in it.
    pub fn open(
        check: &'c Check<'c>,
        table: &'c Table,
        at: usize,
        path: String,
        section: &'static str,
    ) -> Part<'c> {
        for entry in &table.entries {
            if keys::find(section, &entry.key).is_none() {
                unknown_key(check, entry.at, &entry.key, &path, section);
            }
        }
        Part { check, table, at, path, section }
    }

    /// A table within this one; empty where it is not given.
    pub fn part(&self, name: &str, section: &'static str) -> Part<'c> {
        let path = self.path_of(name);
        let Some(entry) = self.table.get(name) else {
            return Part { check: self.check, table: &NOTHING, at: self.at, path, section };
        };
        match entry.node.table() {
            Some(table) => Part::open(self.check, table, entry.at, path, section),
            None => {
                let keys: Vec<&str> = keys::within(section).map(|key| key.name).collect();
                self.check.cured(
                    entry.node.at,
                    format!("{path} must be a table"),
                    format!("write {name} = {{ ... }} with {}", keys.join(", ")),
                );
                Part { check: self.check, table: &NOTHING, at: entry.at, path, section }
            }
        }
    }

    /// The tables of `[[PATH.name]]`.
    pub fn parts(&self, name: &str, section: &'static str) -> Vec<Part<'c>> {
        let Some(entry) = self.table.get(name) else { return Vec::new() };
        let path = self.path_of(name);
        let single = || {
            let cure = format!("write [[{path}]] with double brackets");
            self.check.cured(entry.at, format!("{path} must be a list of tables"), cure);
        };
        let Value::List(list) = &entry.node.value else {
            single();
            return Vec::new();
        };
        let mut parts = Vec::new();
        for (index, node) in list.iter().enumerate() {
            match node.table() {
                Some(table) => {
                    let path = format!("{path} {}", index + 1);
                    parts.push(Part::open(self.check, table, node.at, path, section));
                }
                None => single(),
            }
        }
        parts
    }

    pub fn has(&self, name: &str) -> bool {
        self.table.has(name)
    }

    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The place of a key, or of the table where it is not given.
    pub fn at(&self, name: &str) -> usize {
        self.table.get(name).map_or(self.at, |entry| entry.node.at)
    }

    /// The value of a key: given, or its default, or none.
    pub fn field(&self, name: &str) -> Option<Field<'c>> {
        let key = keys::find(self.section, name)?;
        let path = self.path_of(name);
        let given = self.table.get(name);
        let node = match (given, key.default) {
            (Some(entry), _) => Cow::Borrowed(&entry.node),
            (None, Default::Is(_)) => {
                Cow::Owned(Node { at: self.at, ..keys::default(key)?.clone() })
            }
            (None, Default::Not(words)) => {
                self.check.record(&path, words.to_owned(), "", None);
                return None;
            }
        };
        self.check.record(&path, shown(&node, key), key.kind.unit(), given.map(|g| g.at));
        Some(Field { check: self.check, node, path, key })
    }

    /// Reads a key that has a value; `None` where it has none or a wrong one.
    pub fn read<T>(&self, name: &str, read: impl Fn(&Field<'c>) -> Option<T>) -> Option<T> {
        read(&self.field(name)?)
    }

    /// Reads a key only where the file gives it, and records nothing.
    pub fn given<T>(&self, name: &str, read: impl Fn(&Field<'c>) -> Option<T>) -> Option<T> {
        if !self.has(name) {
            return None;
        }
        self.check.quietly(|| self.read(name, read))
    }

    /// Of several keys of which one must stand: that one's name. Reports none and several.
    pub fn exactly_one(&self, names: &[&'static str]) -> Option<&'static str> {
        let given: Vec<&'static str> = names.iter().copied().filter(|n| self.has(n)).collect();
        match given[..] {
            [one] => Some(one),
            // A misspelt one is reported as such, and that is enough.
            [] if self.misspells(names) => None,
            [] => {
                let message = format!("{} lacks one of {}", self.said(), names.join(", "));
                self.check.cured(self.at, message, example(self.section, names[0]));
                None
            }
            [first, second, ..] => {
                self.check.cured(
                    self.at(second),
                    format!("{} gives both {first} and {second}", self.said()),
                    "keep one of them",
                );
                None
            }
        }
    }

    fn misspells(&self, names: &[&'static str]) -> bool {
        let strange =
            self.table.entries.iter().filter(|e| keys::find(self.section, &e.key).is_none());
        strange.into_iter().any(|e| {
            let meant = |(other, key): &(&str, &str)| *other == e.key && names.contains(key);
            ALSO_CALLED.iter().any(meant) || nearest(&e.key, names.iter().copied()).is_some()
        })
    }

    /// The part's path as a heading.
    pub fn said(&self) -> String {
        if self.path.is_empty() { "the file".into() } else { format!("[{}]", self.path) }
    }
}

fn example(section: &str, name: &str) -> String {
    keys::find(section, name).map_or(String::new(), |key| format!("write {}", key.example))
}

/// A value for the table of parameters; notes with number and name.
fn shown(node: &Node, key: &Key) -> String {
    match (&node.value, key.kind) {
        (Value::Text(text), Kind::Note) => match note::note(text) {
            Ok(it) if it.to_string() != *text => format!("{text} ({it})"),
            _ => text.clone(),
        },
        (Value::Integer(n), Kind::Note) => match note::numbered(*n) {
            Ok(it) => format!("{n} ({})", note::say(it)),
            Err(_) => n.to_string(),
        },
        _ => node.to_string(),
    }
}
