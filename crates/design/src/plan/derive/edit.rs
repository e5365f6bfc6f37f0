//! One key of a trial file's text gets another value.

use chronotap_config::trial_files::reading::{QuantityFault, brief};
use chronotap_core::text::nearest;
use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

/// Sections whose tables have names of the experimenter's own.
const NAMED: [&str; 5] = ["pacing", "feedback", "masking", "input", "output"];

/// Keys of which a table can have one only: setting one takes the others away.
const EXCLUSIVE: [(&[&str], &[&str]); 3] = [
    (&["pacing"], &["interval", "tempo", "onsets", "beats_from", "interval_step"]),
    (&["pacing", "feedback"], &["at", "every", "chance"]),
    (&["pacing"], &["normal", "uniform"]),
];

/// Keys whose tables hold one form only.
const FORMS: [&str; 3] = ["pitch", "velocity", "delay"];

/// A text that can be edited.
pub(crate) fn document(text: &str) -> Result<DocumentMut, QuantityFault> {
    text.parse()
        .map_err(|_| QuantityFault::new("the trial file is no TOML", "check the trial file"))
}

/// Sets the key at a path to a value, which is TOML.
pub(crate) fn set(
    document: &mut DocumentMut,
    path: &[String],
    value: &str,
) -> Result<(), QuantityFault> {
    let value: Value =
        value.parse().map_err(|_| QuantityFault::new("the value is no TOML", "write another"))?;
    is_named(document, path)?;
    place(document.as_table_mut(), path, 0, value)
}

/// Leaves out the files that no pacing stream names: those of other conditions.
pub(super) fn leave_out_files(document: &mut DocumentMut) {
    let streams = document.get("pacing").and_then(Item::as_table_like);
    let named = |stream: &Item| {
        let table = stream.as_table_like();
        let file = |key| table.and_then(|table| table.get(key)?.as_str().map(str::to_owned));
        ["audio", "beats_from"].map(file)
    };
    let named: Vec<String> = streams
        .into_iter()
        .flat_map(|streams| streams.iter().flat_map(|(_, stream)| named(stream)))
        .flatten()
        .collect();
    let Some(files) = document.get_mut("file").and_then(Item::as_table_like_mut) else { return };
    let all: Vec<String> = files.iter().map(|(name, _)| name.to_owned()).collect();
    for name in all.iter().filter(|name| !named.contains(name)) {
        files.remove(name);
    }
}

/// A tone that is given as a text, such as the name of a sound, is no form of its table.
fn is_no_text(table: &dyn TableLike, key: &str) -> Result<(), QuantityFault> {
    match table.get(key).and_then(Item::as_str).filter(|_| key == "tone") {
        Some(text) => Err(QuantityFault::new(
            format!("{key} is \"{}\" in the trial file, and no table", brief(text)),
            "write its keys there, as in tone = { channel = 10, note = 76 }",
        )),
        None => Ok(()),
    }
}

/// A table of `[pacing.NAME]` and the like must be there: a misspelt one would be another.
fn is_named(document: &DocumentMut, path: &[String]) -> Result<(), QuantityFault> {
    let kind = path.first().map_or("", String::as_str);
    if !NAMED.contains(&kind) {
        return Ok(());
    }
    let Some(name) = path.get(1).filter(|_| path.len() > 2) else {
        let cure = format!("write set.{kind}.NAME.KEY, as in the trial file");
        return Err(QuantityFault::new(format!("{kind} is set without a name and a key"), cure));
    };
    let section = document.get(kind).and_then(Item::as_table_like);
    let names: Vec<&str> = section.into_iter().flat_map(|t| t.iter().map(|(k, _)| k)).collect();
    // An input or output that is not declared has the name of its kind.
    let undeclared = names.is_empty() && matches!(kind, "input" | "output") && name == kind;
    if names.contains(&name.as_str()) || undeclared {
        return Ok(());
    }
    let message = format!("the trial file has no [{kind}.{}]", brief(name));
    let cure = headed(document, kind, name).unwrap_or_else(|| known(name, &names));
    Err(QuantityFault::new(message, cure))
}

/// The heading to write in a trial file whose own has the kind alone, or the name alone.
fn headed(document: &DocumentMut, kind: &str, name: &str) -> Option<String> {
    let table = |key: &str| document.get(key).and_then(Item::as_table_like);
    // Below the kind stand tables, each with its name: other values are those of a stream without one.
    let is_nameless = |of: &dyn TableLike| of.iter().any(|(_, item)| !item.is_table_like());
    let written = match table(name) {
        Some(_) => name,
        None => table(kind).filter(|of| is_nameless(*of)).map(|_| kind)?,
    };
    Some(format!("write [{kind}.{}] there in place of [{}]", brief(name), brief(written)))
}

/// What was probably meant, or all that there is.
fn known(written: &str, names: &[&str]) -> String {
    match nearest(written, names.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if names.is_empty() => "it has none of this kind".to_owned(),
        None => format!("it has: {}", names.join(", ")),
    }
}

fn place(
    table: &mut dyn TableLike,
    path: &[String],
    at: usize,
    value: Value,
) -> Result<(), QuantityFault> {
    let key = path[at].as_str();
    make_way(table, path, at);
    if at + 1 == path.len() {
        put(table, key, value);
        return Ok(());
    }
    is_no_text(table, key)?;
    if table
        .get(key)
        .is_none_or(|item| item.is_value() && !item.is_array() && !item.is_inline_table())
    {
        table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
    }
    let Some(item) = table.get_mut(key) else { return Ok(()) };
    if let Some(inner) = item.as_table_like_mut() {
        return place(inner, path, at + 1, value);
    }
    let element = path.get(at + 1).map_or("", String::as_str);
    if at + 2 >= path.len() {
        let message = format!("{key} is a list, of which \"{}\" names an element", brief(element));
        return Err(QuantityFault::new(message, format!("write {key}.NAME.KEY")));
    }
    match item {
        Item::ArrayOfTables(list) => {
            let names: Vec<String> =
                list.iter().enumerate().map(|(index, table)| name_of(table, key, index)).collect();
            let index = one(&names, element, key)?;
            list.get_mut(index).map_or(Ok(()), |table| place(table, path, at + 2, value))
        }
        Item::Value(Value::Array(list)) => {
            let tables = list.iter().enumerate();
            let name = |(index, value): (usize, &Value)| match value.as_inline_table() {
                Some(table) => name_of(table, key, index),
                None => String::new(),
            };
            let names: Vec<String> = tables.map(name).collect();
            let index = one(&names, element, key)?;
            let table = list.get_mut(index).and_then(Value::as_inline_table_mut);
            table.map_or(Ok(()), |table| place(table, path, at + 2, value))
        }
        _ => Ok(()),
    }
}

/// Takes away what cannot stand beside the key that is to be set.
fn make_way(table: &mut dyn TableLike, path: &[String], at: usize) {
    let key = path[at].as_str();
    let before = at.checked_sub(1).map_or("", |before| path[before].as_str());
    let others: Vec<String> = table
        .iter()
        .map(|(other, _)| other)
        .filter(|other| *other != key)
        .filter(|other| {
            let apart = |(sections, keys): &(&[&str], &[&str])| {
                sections.contains(&path[0].as_str()) && keys.contains(&key) && keys.contains(other)
            };
            let form = at > 2 && path[0] == "feedback" && FORMS.contains(&before);
            form || EXCLUSIVE.iter().any(apart)
        })
        .map(str::to_owned)
        .collect();
    for other in others {
        table.remove(&other);
    }
}

/// The value in its place; what stands around the old one, such as a comment, stays.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// The name of an element of a list. Rules have one even where none is given.
fn name_of(table: &dyn TableLike, list: &str, index: usize) -> String {
    let given = table.get("name").and_then(Item::as_str).map(str::to_owned);
    given.unwrap_or_else(
        || if list == "when" { format!("when-{}", index + 1) } else { String::new() },
    )
}

/// The element of this name.
fn one(names: &[String], written: &str, list: &str) -> Result<usize, QuantityFault> {
    let found: Vec<usize> = (0..names.len()).filter(|index| names[*index] == written).collect();
    match found[..] {
        [index] => Ok(index),
        [] => {
            let message = format!("no element of {list} has the name \"{}\"", brief(written));
            let named: Vec<&str> =
                names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
            let cure = match named.is_empty() {
                true => {
                    format!("write name = \"{}\" in the element of the trial file", brief(written))
                }
                false => known(written, &named),
            };
            Err(QuantityFault::new(message, cure))
        }
        _ => {
            let message =
                format!("several elements of {list} have the name \"{}\"", brief(written));
            Err(QuantityFault::new(message, "give each its own name in the trial file"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIAL: &str = "# a comment\n[pacing.metronome]\ntempo = \"100 bpm\" # as usual\n\n\
                         [[pacing.metronome.change]]\nname = \"probe\"\nat = 15\n\
                         onset_shift = \"30 ms\"\n\n[feedback.tone]\npitch = { fixed = \"E4\" }\n\n\
                         [[when]]\nbeat = 21\nend = true\n";

    fn with(path: &str, value: &str) -> Result<String, QuantityFault> {
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let mut document = document(TRIAL)?;
        set(&mut document, &path, value)?;
        Ok(document.to_string())
    }

    #[test]
    fn a_key_gets_another_value_and_the_rest_of_the_text_stays() {
        let text = with("pacing.metronome.tempo", "\"120 bpm\"").unwrap();
        assert_eq!(text, TRIAL.replace("100 bpm", "120 bpm"));
    }

    #[test]
    fn what_excludes_the_key_is_taken_away() {
        let text = with("pacing.metronome.interval", "\"500 ms\"").unwrap();
        assert!(text.contains("interval = \"500 ms\"") && !text.contains("tempo"), "{text}");
        let text = with("feedback.tone.pitch.shift", "-1").unwrap();
        assert!(text.contains("shift") && !text.contains("fixed"), "{text}");
        let text = with("feedback.tone.delay.fraction", "0.5").unwrap();
        assert!(text.contains("delay = { fraction = 0.5 }"), "{text}");
    }

    #[test]
    fn elements_of_lists_are_reached_by_their_name() {
        let text = with("pacing.metronome.change.probe.onset_shift", "\"50 ms\"").unwrap();
        assert_eq!(text, TRIAL.replace("30 ms", "50 ms"));
        let text = with("when.when-1.beat", "51").unwrap();
        assert_eq!(text, TRIAL.replace("beat = 21", "beat = 51"));
    }

    #[test]
    fn a_tone_that_is_a_sound_is_not_silently_another() {
        let text = "[pacing.metronome]\ninterval = \"1 s\"\ntone = \"click.wav\"\n";
        let mut document = document(text).unwrap();
        let path = ["pacing", "metronome", "tone", "velocity"].map(str::to_owned);
        let refused = set(&mut document, &path, "90").unwrap_err();
        assert!(refused.message.contains("\"click.wav\" in the trial file"), "{refused:?}");
    }

    #[test]
    fn names_that_are_not_there_are_refused_with_the_nearest() {
        let refused = with("pacing.metronom.interval", "\"1 s\"").unwrap_err();
        assert_eq!(refused.cure, "did you mean \"metronome\"?");
        let refused = with("pacing.metronome.change.prob.at", "3").unwrap_err();
        assert_eq!(refused.cure, "did you mean \"probe\"?");
        assert!(with("pacing.metronome", "3").is_err());
        assert!(with("masking.noise.sounding", "true").is_err());
    }

    #[test]
    fn a_key_that_the_file_does_not_give_is_added_to_its_table() {
        let text = with("pacing.metronome.tone.note", "60").unwrap();
        assert!(text.contains("tone = { note = 60 }\n\n[[pacing"), "{text}");
        let text = with("limit", "\"2 ms\"").unwrap();
        assert!(chronotap_config::trial_files::TrialFile::parse(&text, "x").is_ok(), "{text}");
    }
}
