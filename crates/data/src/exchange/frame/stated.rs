//! [`Stated`]: what a study says of columns beforehand, which is the levels of its factors and the words
//! of its answers. A table of one session holds some of them, and what these look like says nothing of
//! the others: `1` and `1b` are text, also where a session has met `1` alone.

use super::kind::{self, ValueKind};
use crate::tables::names::PARTICIPANTS;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

/// The levels of columns, each in the order of the study.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    levels: HashMap<String, Vec<String>>,
    /// The description that was read last: most tables of a dataset have the same.
    last: String,
}

impl Stated {
    /// Adds levels of a column behind those that are known.
    pub fn add<'l>(&mut self, name: &str, levels: impl IntoIterator<Item = &'l str>) {
        let known = self.levels.entry(name.to_owned()).or_default();
        for level in levels {
            if !known.iter().any(|one| one == level) {
                known.push(level.to_owned());
            }
        }
    }

    /// Adds what the description beside a table of a dataset states. Other tables, and those without one,
    /// state nothing.
    pub fn take_beside(&mut self, table: &Path) {
        let name = table.file_name().unwrap_or_default().to_string_lossy();
        if name != PARTICIPANTS && !name.ends_with("_beh.tsv") {
            return;
        }
        let text = chronotap_core::files::read_to_string(&table.with_extension("json"));
        let Some(text) = text.ok().filter(|text| *text != self.last) else { return };
        let about: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
        for (name, about) in &about {
            if let Some(levels) = about["Levels"].as_object() {
                self.add(name, levels.keys().map(String::as_str));
            }
        }
        self.last = text;
    }

    /// The levels of a column; none of one that may hold anything.
    pub fn levels(&self, name: &str) -> &[String] {
        self.levels.get(name).map_or(&[], Vec::as_slice)
    }

    /// The kind of a column of levels; a factor of which nothing is stated is text.
    pub(super) fn kind(&self, name: &str, cells: &[&str]) -> ValueKind {
        let levels: Vec<&str> = self.levels(name).iter().map(String::as_str).collect();
        kind::of_levels(&levels, cells)
    }
}

/// The columns of factors, by their places: in a dataset's table of trials, in a plan, in the tables of an
/// analysis, and in participants.tsv.
pub(super) fn factors<'a>(names: &[&'a str]) -> Vec<&'a str> {
    const BETWEEN: [(&str, &str); 5] = [
        ("counts", "seed"),
        ("counts", "events_file"),
        ("repetition", "seed"),
        ("participant_id", "k"),
        ("step", "input"),
    ];
    let place = |name: &str| names.iter().position(|one| *one == name);
    let between = |(first, last): (&str, &str)| Some((place(first)? + 1, place(last)?));
    let found = BETWEEN.into_iter().filter_map(between).find(|(first, last)| first <= last);
    found.map_or_else(Vec::new, |(first, last)| names[first..last].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_stand_between_columns_that_every_table_has() {
        let of = |names: &str| factors(&names.split(' ').collect::<Vec<_>>()).join(" ");
        assert_eq!(of("trial step block repetition attempt counts a b seed events_file"), "a b");
        assert_eq!(of("participant_id session task trial step counts a events_file input"), "a");
        assert_eq!(of("trial step block repetition a seed"), "a");
        assert_eq!(of("participant_id hand k age"), "hand");
        assert_eq!(of("participant_id session task step a b input against"), "a b");
        assert_eq!(of("participant_id k age"), "");
        assert_eq!(of("onset duration seed"), "");
    }
}
