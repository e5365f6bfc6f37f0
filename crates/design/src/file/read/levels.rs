//! Levels of factors, as a file writes them.

use crate::study::factor::Level;
use chronotap_config::trial_files::reading::{Field, Value, brief, time};
use std::collections::HashSet;

/// More levels than this are a mistake, and combinations of them would fill the memory.
pub(super) const LEVELS_MAX: usize = 10_000;

/// So many levels are compared with each other as times.
const LOOKED_MAX: usize = 200;

/// Those of one factor.
pub(super) fn levels(field: &Field<'_>) -> Option<Vec<Level>> {
    let list = field.list("levels")?;
    if list.len() > LEVELS_MAX {
        return field.problem("has more than 10000 levels", "write fewer");
    }
    let levels: Option<Vec<Level>> = list.iter().map(level_of).collect();
    let levels = levels?;
    let mut seen = HashSet::new();
    match levels.iter().find(|level| !seen.insert(level.to_string())) {
        Some(twice) => {
            let message = format!("names the level \"{twice}\" twice");
            let cure = "name each once; `weight` in a table of conditions repeats one";
            field.problem::<()>(&message, cure);
            // The factor is there, so that nothing else is told to lack it.
            let mut once = HashSet::new();
            Some(levels.iter().filter(|l| once.insert(l.to_string())).cloned().collect())
        }
        None => Some(levels),
    }
}

/// `0.01 s` and `10 ms` are one level.
pub(super) fn same_times(field: &Field<'_>, levels: &[Level]) {
    let texts = levels.iter().map(Level::to_string).take(LOOKED_MAX);
    let times: Vec<_> = texts.filter_map(|text| Some((time(&text).ok()?.round(), text))).collect();
    let twice = times.iter().enumerate().find_map(|(place, (one, text))| {
        times[..place].iter().find(|(other, _)| other == one).map(|(_, before)| (before, text))
    });
    if let Some((one, other)) = twice {
        let message = format!("names one level twice, as \"{one}\" and \"{other}\"");
        field.problem::<()>(&message, "name each once");
    }
}

/// A level as a file or a table writes it.
pub(super) fn level_of(field: &Field<'_>) -> Option<Level> {
    match &field.node.value {
        Value::Text(text) if text.trim().is_empty() || text.chars().any(char::is_control) => {
            field.problem("must not be empty, nor hold tabs", "write what stands in the column")
        }
        Value::Text(text) if text.trim() != text => {
            let cure = format!("write \"{}\"", brief(text.trim()));
            field.problem(&format!("has a space at an end of \"{}\"", brief(text)), &cure)
        }
        Value::Text(text) => Some(Level::Text(text.clone())),
        Value::Integer(n) => match i64::try_from(*n) {
            Ok(n) => Some(Level::Whole(n)),
            Err(_) => field.wrong("a smaller number"),
        },
        Value::Decimal(text) => Some(Level::Decimal(text.clone())),
        Value::Flag(flag) => Some(Level::Flag(*flag)),
        _ => field.wrong("a level: text, a number, true or false"),
    }
}
