//! [`Part`]: one table of an experiment file together with the keys that it may hold.

use crate::field::Field;
use crate::keys;
use crate::mistakes::Page;
use chronotap_experiment::reading::{Table, Value, brief};
use chronotap_text::nearest;

/// A table whose keys are known.
#[derive(Clone)]
pub(crate) struct Part<'p> {
    pub page: &'p Page<'p>,
    pub table: &'p Table,
    pub at: usize,
    /// As it is said: `step main`.
    pub path: String,
    pub section: &'static str,
}

impl<'p> Part<'p> {
    /// Opens a table and reports the keys that do not belong in it.
    pub fn open(
        page: &'p Page<'p>,
        table: &'p Table,
        at: usize,
        path: String,
        section: &'static str,
    ) -> Part<'p> {
        for entry in &table.entries {
            if keys::find(section, &entry.key).is_none() {
                unknown_key(page, entry.at, &entry.key, &path, section);
            }
        }
        Part { page, table, at, path, section }
    }

    /// The table that a field is.
    pub fn of(field: &Field<'p>, section: &'static str) -> Option<Part<'p>> {
        match field.node.table() {
            Some(table) => {
                let path = field.path.clone();
                Some(Part::open(field.page, table, field.node.at, path, section))
            }
            None => field.wrong("a table", &keys::example(section)),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.table.has(name)
    }

    /// The place of a key's value, or of the table where it is not given.
    pub fn at(&self, name: &str) -> usize {
        self.table.get(name).map_or(self.at, |entry| entry.node.at)
    }

    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The value of a key that is given.
    pub fn field(&self, name: &str) -> Option<Field<'p>> {
        let entry = self.table.get(name)?;
        Some(Field { page: self.page, node: &entry.node, path: self.path_of(name) })
    }

    /// Reads a key that is given; a wrong value is reported and reads as none.
    pub fn read<T>(&self, name: &str, read: impl Fn(&Field<'p>) -> Option<T>) -> Option<T> {
        read(&self.field(name)?)
    }

    /// Reads a key that must be given.
    pub fn must<T>(&self, name: &str, read: impl Fn(&Field<'p>) -> Option<T>) -> Option<T> {
        if !self.has(name) {
            // A misspelt one is reported as such, and that is enough.
            let strange =
                self.table.entries.iter().filter(|e| keys::find(self.section, &e.key).is_none());
            if !strange.into_iter().any(|e| nearest(&e.key, [name]).is_some()) {
                let key = keys::find(self.section, name);
                let cure = key.map_or(String::new(), |key| format!("write {}", key.example));
                self.page.cured(self.at, format!("{} lacks {name}", self.said()), cure);
            }
        }
        self.read(name, read)
    }

    /// The named tables under a key, such as `[question.NAME]`: each name with its value.
    pub fn named(&self, name: &str) -> Vec<(&'p str, usize, Field<'p>)> {
        let Some(entry) = self.table.get(name) else { return Vec::new() };
        let Some(table) = entry.node.table() else {
            let cure = format!("write [{name}] with names of your own below it");
            self.page.cured(entry.node.at, format!("{name} must be a table"), cure);
            return Vec::new();
        };
        let field = |inner: &'p chronotap_experiment::reading::Entry| {
            let path = format!("{name}.{}", inner.key);
            let field = Field { page: self.page, node: &inner.node, path };
            (inner.key.as_str(), inner.at, field)
        };
        table.entries.iter().map(field).collect()
    }

    /// The tables of `[[name]]`, each with its place and number from 1.
    pub fn tables(&self, name: &str) -> Vec<(usize, usize, &'p Table)> {
        let Some(entry) = self.table.get(name) else { return Vec::new() };
        let Value::List(list) = &entry.node.value else {
            let cure = format!("write [[{name}]] with double brackets");
            self.page.cured(entry.at, format!("{name} must be a list of tables"), cure);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, node) in list.iter().enumerate() {
            match node.table() {
                Some(table) => tables.push((index + 1, node.at, table)),
                None => {
                    let cure = format!("write [[{name}]] with keys below it");
                    self.page.cured(node.at, format!("{name} must be a list of tables"), cure);
                }
            }
        }
        tables
    }

    /// The part as a heading.
    pub fn said(&self) -> String {
        if self.path.is_empty() { "the file".into() } else { self.path.clone() }
    }
}

fn unknown_key(page: &Page<'_>, at: usize, name: &str, path: &str, section: &str) {
    let place =
        if path.is_empty() { "at the top of the file".into() } else { format!("in {path}") };
    let message = format!("unknown key \"{}\" {place}", brief(name));
    let here: Vec<&str> = keys::within(section).map(|key| key.name).collect();
    let near = nearest(name, here.iter().copied());
    match keys::ALL.iter().find(|key| key.name == name && near.is_none()) {
        Some(elsewhere) => {
            page.cured(at, message, format!("{name} belongs in {}", heading(elsewhere.section)));
        }
        None => page.unknown(at, message, name, here),
    }
}

fn heading(section: &str) -> String {
    match section {
        "" => "the top of the file, before the first [".to_owned(),
        "step" => "[[step]]".to_owned(),
        section => format!("[{section}]"),
    }
}
