//! Tags of HED: what kinds of events mean, in the words of whoever wrote the trial.

use super::Names;
use crate::trial_files::hed::well_formed;
use crate::trial_files::reading::{Field, Node, Part, TomlEntry, Value};
use chronotap_engine::trial::Rule;
use std::collections::BTreeMap;

/// Reads `[hed]`: the tags by the kind of events in the data, such as `pacing`, or by that and a name, such as
/// `pacing.metronome`.
pub(super) fn tags(top: &Part<'_>, names: &Names, rules: &[Rule]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    if !top.has("hed") {
        return all;
    }
    let part = top.part("hed", "hed");
    let rules: Vec<String> = rules.iter().map(|rule| rule.name.clone()).collect();
    let (streams, channels) =
        (("pacing stream", &names.pacing), ("feedback channel", &names.feedback));
    let inputs = ("input", &names.inputs);
    for (key, (what, known)) in [
        ("pacing", streams),
        ("silent", streams),
        ("tap", inputs),
        ("release", inputs),
        ("feedback", channels),
        ("muted", channels),
        ("cancelled", channels),
        ("masking", ("masking stream", &names.masking)),
        ("rule", ("rule", &rules)),
    ] {
        let Some(field) = part.field(key) else { continue };
        match field.node.value {
            Value::Table(_) => named(&field, (what, known), &mut all),
            _ => all.extend(text(&field).map(|tags| (kind(key).to_owned(), tags))),
        }
    }
    for key in ["copy", "marker", "control", "sysex", "code", "end"] {
        all.extend(part.read(key, text).map(|tags| (key.to_owned(), tags)));
    }
    all
}

/// The word of the data for a kind.
fn kind(key: &str) -> &str {
    if key == "rule" { "trigger" } else { key }
}

fn text(field: &Field<'_>) -> Option<String> {
    let text = field.text()?;
    match well_formed(&text) {
        Ok(()) => Some(text),
        Err((what, cure)) => field.problem(&format!("is no HED: the tags {what}"), cure),
    }
}

/// `pacing = { metronome = "Label/Standard" }`
fn named(field: &Field<'_>, (what, known): (&str, &[String]), all: &mut BTreeMap<String, String>) {
    let entries = field.node.table().map_or(&[][..], |table| &table.entries);
    for entry in entries {
        if let Some(tags) = of_name(field, entry, (what, known)) {
            taken(field, entry, all);
            all.insert(format!("{}.{}", kind(field.key.name), entry.key), tags);
        }
    }
}

fn of_name(
    field: &Field<'_>,
    entry: &TomlEntry,
    (what, known): (&str, &[String]),
) -> Option<String> {
    let name = Node { at: entry.at, value: Value::Text(entry.key.clone()) };
    Field { at: entry.at, ..field.with(&name) }.named(what, known)?;
    let path = format!("{}.{}", field.path, entry.key);
    text(&Field { path, ..field.with(&entry.node) })
}

/// The tags of a name are those of the name, whatever has it: so two kinds cannot give it some each.
fn taken(field: &Field<'_>, entry: &TomlEntry, all: &BTreeMap<String, String>) {
    let other =
        all.keys().find(|key| key.split_once('.').is_some_and(|(_, name)| name == entry.key));
    if let Some(other) = other {
        let path = format!("{}.{}", field.path, entry.key);
        let message =
            format!("{path}: tags are given to the name {} already, as {other}", entry.key);
        field.page.cured(
            entry.at,
            message,
            "give one of the two another name, or tags to its kind",
        );
    }
}
