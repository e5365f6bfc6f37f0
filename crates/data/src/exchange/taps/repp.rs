//! Analyses of REPP (Anglada-Tort, Harrison & Jacoby, 2022) as JSON: the object with
//! `resp_onsets_detected`, by itself or within whatever holds it, such as a list of trials, or the cells of a table.
//!
//! Taps count from the start of the recording, and stimuli from its first marker, so that both are
//! brought onto the time of the first marker. Python writes what is missing as `NaN`, which is no JSON.

use super::cells::{Cells, Row};
use super::error::{NumberError, TapsError};
use super::{Events, ImportOptions, Onsets, Read, SourceFile, SourceOnset, Taken, TimeUnit};
use crate::record::OriginColumn;
use chronotap_core::text::most_like;
use chronotap_core::time::Nanos;
use serde_json::{Map, Value};

const TAPS: &str = "resp_onsets_detected";
const STIMULI: &str = "stim_onsets_detected";
const MARKER: &str = "first_marker_detected";
const MARKERS: &str = "markers_onsets_detected";
const KIND: &str = "JSON of REPP";

pub(super) fn looks_like(text: &str) -> bool {
    text.contains(TAPS) && (is_json(text) || has_json(text))
}

fn is_json(text: &str) -> bool {
    let begins = text.trim_start();
    ["{", "[", "\"{", "\"["].into_iter().any(|begin| begins.starts_with(begin))
}

/// Whether the taps are a key of an object in it: a table may have a column of that name, too.
fn has_json(text: &str) -> bool {
    text.match_indices(TAPS).any(|(at, _)| {
        let behind = text[at + TAPS.len()..].trim_start_matches(['"', '\\']);
        text[..at].ends_with('"') && behind.trim_start().starts_with(':')
    })
}

pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let text = file.text()?;
    let broken = |why: String| TapsError::Broken { name: file.name.clone(), kind: KIND, why };
    let mut whole: Value = match is_json(&text) {
        true => {
            serde_json::from_str(&without_nan(&text)).map_err(|error| broken(error.to_string()))?
        }
        false => rows(file, &text)?,
    };
    take_out(&mut whole, DEEPEST);
    let mut found = Vec::new();
    collect(&whole, &mut Vec::new(), &mut found);
    if is_left(&whole) || found.is_empty() {
        return Err(broken(format!("a text in it has {TAPS} and is no JSON")));
    }
    let mut read = Read { columns: columns(), step_ns: 10_000, ..Read::default() };
    for (around, object) in found {
        read.trials.push(taken(file, how, &around, object)?);
    }
    Ok(read)
}

/// A table whose cells hold the analyses, as PsyNet exports it: an object for each row, with the other cells
/// around.
fn rows(file: &SourceFile, text: &str) -> Result<Value, TapsError> {
    let cells = Cells::of(file, text)?;
    let row = |row: Row| {
        let named = cells.names.iter().cloned().zip(row.cells);
        named.map(|(name, cell)| (name, Value::from(cell))).collect::<Map<_, _>>()
    };
    Ok(cells.rows.into_iter().map(row).map(Value::Object).collect())
}

fn columns() -> Vec<OriginColumn> {
    let of = |holds: &str, column: String| OriginColumn {
        holds: holds.into(),
        column,
        unit: "ms".into(),
    };
    vec![of("taps", format!("{TAPS} less {MARKER}")), of("stimuli", STIMULI.to_owned())]
}

/// What is no number is missing; texts stay as they are.
fn without_nan(text: &str) -> String {
    let (mut out, mut rest, mut quoted) = (String::with_capacity(text.len()), text, false);
    while let Some(letter) = rest.chars().next() {
        let word = ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| rest.starts_with(word));
        let take = match (quoted, word, letter) {
            (false, Some(word), _) => {
                out.push_str("null");
                rest = &rest[word.len()..];
                continue;
            }
            (true, _, '\\') => rest.chars().take(2).map(char::len_utf8).sum(),
            _ => letter.len_utf8(),
        };
        quoted ^= letter == '"';
        out.push_str(&rest[..take]);
        rest = &rest[take..];
    }
    out
}

/// How deep texts of JSON may stand within each other.
const DEEPEST: usize = 4;

/// Analyses that are kept as text, as PsyNet keeps them, become what the text says.
fn take_out(value: &mut Value, deepest: usize) {
    match value {
        Value::Object(object) => object.values_mut().for_each(|value| take_out(value, deepest)),
        Value::Array(all) => all.iter_mut().for_each(|value| take_out(value, deepest)),
        Value::String(text) if deepest > 0 && looks_like(text) => {
            if let Ok(mut inner) = serde_json::from_str::<Value>(&without_nan(text)) {
                take_out(&mut inner, deepest - 1);
                *value = inner;
            }
        }
        _ => {}
    }
}

/// Whether an analysis is left as a text that is no JSON.
fn is_left(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.values().any(is_left),
        Value::Array(all) => all.iter().any(is_left),
        Value::String(text) => looks_like(text),
        _ => false,
    }
}

type Found<'v> = (Vec<&'v Map<String, Value>>, &'v Map<String, Value>);

/// The objects with taps, each with the objects around it.
fn collect<'v>(
    value: &'v Value,
    around: &mut Vec<&'v Map<String, Value>>,
    found: &mut Vec<Found<'v>>,
) {
    match value {
        Value::Object(object) if object.contains_key(TAPS) => found.push((around.clone(), object)),
        Value::Object(object) => {
            around.push(object);
            object.values().for_each(|value| collect(value, around, found));
            around.pop();
        }
        Value::Array(all) => all.iter().for_each(|value| collect(value, around, found)),
        _ => {}
    }
}

fn taken(
    file: &SourceFile,
    how: &ImportOptions,
    around: &[&Map<String, Value>],
    object: &Map<String, Value>,
) -> Result<Taken, TapsError> {
    let broken = |why: String| TapsError::Broken { name: file.name.clone(), kind: KIND, why };
    let times = |key: &str| times(object.get(key)).map_err(|why| broken(format!("{key}: {why}")));
    let taps = times(TAPS)?;
    let stimuli = times(STIMULI)?;
    let marker = match object.get(MARKER).filter(|marker| !marker.is_null()) {
        Some(marker) => time(marker).map_err(|why| broken(format!("{MARKER}: {why}")))?,
        None => times(MARKERS)?.first().copied(),
    };
    let marker = match marker {
        Some(marker) => marker,
        None if stimuli.is_empty() => Nanos::ZERO,
        None => return Err(broken(format!("{MARKER} is missing"))),
    };
    let word = |name: &String| {
        let all = std::iter::once(object).chain(around.iter().rev().copied());
        let mut keys = all.clone().filter_map(|object| object.get(name));
        let value = keys.find(|value| !value.is_array() && !value.is_object());
        let columns: Vec<String> = all.flat_map(|object| object.keys().cloned()).collect();
        let near = most_like(name, &columns).map(str::to_owned);
        let (file, column) = (file.name.clone(), name.clone());
        let missing = TapsError::NoColumn { name: file, line: 1, column, columns, near };
        value.map(words).ok_or(missing)
    };
    let named =
        |name: &Option<String>| Ok::<_, TapsError>(name.as_ref().map(word).transpose()?.flatten());
    let onset = |at: &Nanos| SourceOnset::of(*at);
    let onsets = Onsets {
        taps: taps.iter().map(|at| SourceOnset::of(*at - marker)).collect(),
        stimuli: stimuli.iter().map(onset).collect(),
        ..Onsets::default()
    };
    Ok(Taken {
        participant: named(&how.participant_column)?.or_else(|| how.participant.clone()),
        trial: named(&how.trial_column)?,
        levels: how.condition_columns.iter().map(word).collect::<Result<_, _>>()?,
        line: 0,
        events: Events::Onsets(onsets),
    })
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A list of times in milliseconds without what is missing; nothing where there is no list.
fn times(list: Option<&Value>) -> Result<Vec<Nanos>, String> {
    let all = match list {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(all)) => all,
        Some(_) => return Err("it is no list".into()),
    };
    let all = all.iter().map(time).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

fn time(value: &Value) -> Result<Option<Nanos>, String> {
    match value {
        Value::Null => Ok(None),
        Value::Number(number) => {
            let time = TimeUnit::Milliseconds.time(&number.to_string());
            time.map(Some).map_err(|wrong: NumberError| format!("{number}: {wrong}"))
        }
        other => Err(format!("{other} is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_writes_for_no_number_is_missing_and_texts_stay() {
        let text = r#"{"a": [NaN, -Infinity, 1.5], "NaN": "a \" NaN"}"#;
        assert_eq!(without_nan(text), r#"{"a": [null, null, 1.5], "NaN": "a \" NaN"}"#);
    }
}
