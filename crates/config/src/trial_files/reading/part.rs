//! [`Part`]: one table of a file together with the keys that it may hold. Opening a part
//! reports its unknown keys; a field of it that the file does not give takes its default from
//! the table of keys.

use super::field::{Field, example_of};
use super::keys::{Default, Key, KeyKind, Keys, words_of};
use super::node::{Node, TomlEntry, TomlTable, Value};
use super::note;
use super::page::{Mistakes, Page};
use super::problem::Problems;
use super::tree::document;
use super::unknown::{a_recording, means_one_of, unknown_key};

/// A table and the section of keys that belongs to it.
#[derive(Clone, Debug)]
pub struct Part<'p> {
    pub page: &'p Page<'p>,
    /// What it holds.
    pub table: &'p TomlTable,
    /// The byte at which it begins.
    pub at: usize,
    /// As in the file: `pacing.metronome`, `step main`.
    pub path: String,
    /// As in the table of keys: `pacing.NAME`.
    pub section: &'static str,
    /// Whether its path is what stands in the brackets over it.
    headed: bool,
}

/// Reads the text of a file called `name` by the table of its keys.
///
/// # Errors
/// All its mistakes: what is no TOML, and whatever `of_top` reports.
pub fn read<T>(
    keys: &Keys,
    name: &str,
    text: &str,
    of_top: impl FnOnce(&Part<'_>) -> T,
) -> Result<T, Problems> {
    let mistakes = Mistakes::default();
    let page = Page::new(&mistakes, keys, name, text);
    let table = document(&page, text);
    let read = table.map(|table| of_top(&Part::open(&page, &table, 0, String::new(), "")));
    mistakes.into_warnings()?;
    Ok(read.expect("a text that is no TOML is a mistake"))
}

static NOTHING: TomlTable = TomlTable::EMPTY;

impl<'p> Part<'p> {
    /// Opens a table under a heading and reports the keys that do not belong in it.
    pub fn open(
        page: &'p Page<'p>,
        table: &'p TomlTable,
        at: usize,
        path: String,
        section: &'static str,
    ) -> Part<'p> {
        for entry in &table.entries {
            if page.keys.find(section, &entry.key).is_none() {
                unknown_key(page, entry, &path, section);
            }
        }
        Part { page, table, at, path, section, headed: true }
    }

    /// Opens a table that is told by other words than its heading.
    pub fn called(
        page: &'p Page<'p>,
        table: &'p TomlTable,
        at: usize,
        path: String,
        section: &'static str,
    ) -> Part<'p> {
        Part { headed: false, ..Part::open(page, table, at, path, section) }
    }

    /// The whole of a file that was opened already.
    pub fn reopened(page: &'p Page<'p>, table: &'p TomlTable) -> Part<'p> {
        Part { page, table, at: 0, path: String::new(), section: "", headed: true }
    }

    /// Another table under the same rules, whose keys were looked at already.
    pub fn with(&self, table: &'p TomlTable, at: usize, path: String) -> Part<'p> {
        Part { table, at, path, ..*self }
    }

    /// A table that the file does not have: every key has its default.
    pub fn absent(page: &'p Page<'p>, at: usize, path: String, section: &'static str) -> Part<'p> {
        Part { page, table: &NOTHING, at, path, section, headed: true }
    }

    /// The table that a field is.
    pub fn of(field: &Field<'p>, section: &'static str) -> Option<Part<'p>> {
        let several = field.page.keys.find(field.key.section, &format!("{}s", field.key.name));
        match (field.node.table(), &field.node.value, several) {
            (Some(table), ..) => {
                Some(Part::called(field.page, table, field.at, field.path.clone(), section))
            }
            (None, Value::Integer(_), Some(key)) => {
                let message = format!("{} is a table", field.path);
                field.page.near(field.at, message, key.name.to_owned());
                None
            }
            _ => field.wrong(table_or(field.key.kind).as_str()),
        }
    }

    /// A table within this one; empty where it is not given.
    pub fn part(&self, name: &str, section: &'static str) -> Part<'p> {
        let path = self.path_of(name);
        let Some(entry) = self.table.get(name) else {
            return Part::absent(self.page, self.at, path, section);
        };
        if let Some(table) = entry.node.table() {
            return Part::open(self.page, table, entry.at, path, section);
        }
        let keys = |of| self.page.keys.within(of).map(|key| key.name);
        let known: Vec<&str> = keys(section).chain(keys(self.section)).collect();
        let cure = a_recording(entry, &known).unwrap_or_else(|| {
            let keys = keys(section).collect::<Vec<_>>().join(", ");
            format!("write {name} = {{ ... }} with {keys}")
        });
        self.page.cured(entry.node.at, format!("{path} must be a table"), cure);
        Part::absent(self.page, entry.at, path, section)
    }

    /// The tables of `[[PATH.name]]`.
    pub fn parts(&self, name: &str, section: &'static str) -> Vec<Part<'p>> {
        let path = self.path_of(name);
        let part = |(number, node, table): (usize, &'p Node, &'p TomlTable)| {
            Part::open(self.page, table, node.at, format!("{path} {number}"), section)
        };
        self.tables(name).into_iter().map(part).collect()
    }

    /// The same unopened: each with its number from 1.
    pub fn tables(&self, name: &str) -> Vec<(usize, &'p Node, &'p TomlTable)> {
        let Some(entry) = self.table.get(name) else { return Vec::new() };
        let path = self.path_of(name);
        let single = |at: usize| {
            let cure = format!("write [[{path}]] with double brackets");
            self.page.cured(at, format!("{path} must be a list of tables"), cure);
        };
        let Value::List(list) = &entry.node.value else {
            single(entry.at);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (number, node) in (1..).zip(list) {
            match node.table() {
                Some(table) => tables.push((number, node, table)),
                None => single(node.at),
            }
        }
        tables
    }

    /// The named tables under a key, such as `[question.NAME]`: each name with its place and
    /// its value.
    pub fn named(&self, name: &str) -> Vec<(&'p str, usize, Field<'p>)> {
        let Some(of) = self.get(name) else { return Vec::new() };
        let Some(table) = of.node.table() else {
            let several = self.page.keys.find(self.section, &format!("{name}s"));
            if let Some(key) = several.filter(|_| !matches!(of.node.value, Value::List(_))) {
                let message = format!("{} is a table of names", of.path);
                self.page.near(of.at, message, key.name.to_owned());
                return Vec::new();
            }
            let cure = match of.node.value {
                Value::List(_) => {
                    format!("write [{}.NAME] for each, with a name of its own", of.path)
                }
                _ => format!("write [{}] with names of your own below it", of.path),
            };
            self.page.cured(of.at, format!("{} must be a table", of.path), cure);
            return Vec::new();
        };
        let field = |inner: &'p TomlEntry| {
            let path = format!("{}.{}", of.path, inner.key);
            (inner.key.as_str(), inner.at, Field { path, ..of.with(&inner.node) })
        };
        table.entries.iter().map(field).collect()
    }

    /// Whether the file gives a key.
    pub fn has(&self, name: &str) -> bool {
        self.table.has(name)
    }

    /// A key of this part as messages name it.
    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The place of a key's value, or of the table where it is not given.
    pub fn at(&self, name: &str) -> usize {
        self.table.get(name).map_or(self.at, |entry| entry.node.at)
    }

    /// The value of a key: given, or its default, or none.
    pub fn field(&self, name: &str) -> Option<Field<'p>> {
        let key = self.page.keys.find(self.section, name)?;
        let path = self.path_of(name);
        let given = self.table.get(name);
        let (node, at) = match (given, key.default) {
            (Some(entry), _) => (&entry.node, entry.node.at),
            (None, Default::Is(_)) => (self.page.keys.default(key)?, self.at),
            (None, Default::Not(words)) => {
                self.page.record(&path, words.to_owned(), "", None);
                return None;
            }
        };
        if self.page.records() {
            self.page.record(&path, shown(node, key), key.kind.unit(), given.map(|g| g.at));
        }
        Some(Field { page: self.page, node, at, path, key })
    }

    /// The value of a key that the file gives; nothing is recorded.
    pub fn get(&self, name: &str) -> Option<Field<'p>> {
        let key = self.page.keys.find(self.section, name)?;
        let node = &self.table.get(name)?.node;
        Some(Field { page: self.page, node, at: node.at, path: self.path_of(name), key })
    }

    /// Reads a key that has a value; `None` where it has none or a wrong one.
    pub fn read<T>(&self, name: &str, read: impl Fn(&Field<'p>) -> Option<T>) -> Option<T> {
        read(&self.field(name)?)
    }

    /// Reads a key only where the file gives it, and records nothing.
    pub fn given<T>(&self, name: &str, read: impl Fn(&Field<'p>) -> Option<T>) -> Option<T> {
        self.page.quietly(|| read(&self.get(name)?))
    }

    /// Reads a key that must be given; reported where it is not.
    pub fn must<T>(&self, name: &str, read: impl Fn(&Field<'p>) -> Option<T>) -> Option<T> {
        read(&self.needs(name)?)
    }

    /// A field that must be given; reported where it is not.
    pub fn needs(&self, name: &str) -> Option<Field<'p>> {
        // A misspelt one is reported as such, and that is enough.
        if !self.has(name) && !self.misspells(&[name]) {
            let message = format!("{} lacks {name}", self.said());
            self.page.cured(self.at, message, self.example(name));
        }
        self.get(name)
    }

    /// Of several keys of which one must stand: that one's name. Reports none and several.
    pub fn exactly_one<T: Copy, const N: usize>(&self, of: &[(&'static str, T); N]) -> Option<T> {
        let names = &words_of(of);
        let given: Vec<_> = of.iter().filter(|(name, _)| self.has(name)).collect();
        match given[..] {
            [(_, one)] => Some(*one),
            [] if self.misspells(names) => None,
            [] => {
                let message = format!("{} lacks one of {}", self.said(), names.join(", "));
                self.page.cured(self.at, message, self.example(names[0]));
                None
            }
            [(first, _), (second, _), ..] => {
                self.gives_both(first, second);
                None
            }
        }
    }

    /// Reports two keys of which one is to be kept.
    pub fn gives_both(&self, first: &str, second: &str) {
        let message = format!("{} gives both {first} and {second}", self.said());
        self.page.cured(self.at(second), message, "keep one of them");
    }

    /// The part as a heading.
    pub fn said(&self) -> String {
        match self.path.as_str() {
            "" => "the file".into(),
            path if self.headed => format!("[{path}]"),
            path => path.to_owned(),
        }
    }

    /// Whether a key that it may not have is meant as one of these.
    pub fn misspells(&self, names: &[&str]) -> bool {
        let known = |entry: &&TomlEntry| self.page.keys.find(self.section, &entry.key).is_some();
        let mut strange = self.table.entries.iter().filter(|entry| !known(entry));
        strange.any(|entry| means_one_of(entry, names))
    }

    /// Whether it has a key that it may not have and that is meant as none of these.
    pub fn has_strange(&self, names: &[&str]) -> bool {
        let known = |entry: &&TomlEntry| self.page.keys.find(self.section, &entry.key).is_some();
        let mut strange = self.table.entries.iter().filter(|entry| !known(entry));
        strange.any(|entry| !means_one_of(entry, names))
    }

    fn example(&self, name: &str) -> String {
        let key = self.page.keys.find(self.section, name);
        key.map_or(String::new(), |key| format!("write {}", example_of(key, &self.path)))
    }
}

/// What a value that must be a table may be as well.
fn table_or(kind: KeyKind) -> String {
    match kind {
        KeyKind::Form(form) => form.to_owned(),
        _ => "a table".to_owned(),
    }
}

/// A value for the table of parameters; notes with number and name.
fn shown(node: &Node, key: &Key) -> String {
    match (&node.value, key.kind) {
        (Value::Text(text), KeyKind::Note) => match note::note(text) {
            Ok(it) if it.to_string() != *text => format!("{text} ({it})"),
            _ => text.clone(),
        },
        (Value::Integer(n), KeyKind::Note) => match note::numbered(*n) {
            Ok(it) => format!("{n} ({})", note::say(it)),
            Err(_) => n.to_string(),
        },
        _ => node.to_string(),
    }
}

impl<'p> Field<'p> {
    /// The one field of a table of which each key is a form of its own. The outer
    /// `None` is a reported mistake, the inner one no table.
    pub fn one_form<T: Copy>(
        &self,
        section: &'static str,
        forms: &[(&'static str, T)],
    ) -> Option<Option<(T, Field<'p>)>> {
        let Some(table) = self.node.table() else { return Some(None) };
        let part = Part::of(self, section)?;
        let given: Vec<Field<'p>> =
            table.entries.iter().filter_map(|entry| part.get(&entry.key)).collect();
        let form = |one: &Field<'_>| forms.iter().find(|(name, _)| *name == one.key.name);
        match (&given[..], given.first().and_then(form)) {
            _ if given.len() < table.entries.len() => None,
            ([one], Some((_, form))) => Some(Some((*form, one.clone()))),
            (given, _) => {
                let forms: Vec<&str> = self.page.keys.within(section).map(|key| key.name).collect();
                let said = if given.is_empty() { "names no form" } else { "names several forms" };
                self.problem(said, format!("write one of {}", forms.join(", ")))
            }
        }
    }
}
