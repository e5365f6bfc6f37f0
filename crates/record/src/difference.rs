//! [`difference`]: whether a replay decided what the recorded trial decided.
//!
//! Everything the engine decides is compared, to the nanosecond: kinds, names,
//! numbers, notes, deadlines, instants, causes. What the machine achieved (onset,
//! duration, achieved times, lateness, stamps, lost messages) is not.

use crate::{Flag, Row};
use std::fmt;

/// The first difference between a recorded trial and its replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Line of the recorded file, from 1; `None` where the replay has a further event.
    pub line: Option<usize>,
    /// Number of the event.
    pub event_id: u64,
    /// What differs, in words.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, event {}: {}", self.event_id, self.what),
            None => write!(f, "after the last line, event {}: {}", self.event_id, self.what),
        }
    }
}

/// The first difference, by event number; `None` where there is none. `recorded`
/// stands as in its file.
pub fn difference(recorded: &[Row], replayed: &[Row]) -> Option<Difference> {
    compare(recorded, replayed, false)
}

/// The same for a recording that was cut short (see [`crate::Recovered`]): events
/// that only the replay has, and releases that were not recorded, are no difference.
pub fn difference_of_part(recorded: &[Row], replayed: &[Row]) -> Option<Difference> {
    compare(recorded, replayed, true)
}

fn compare(recorded: &[Row], replayed: &[Row], part: bool) -> Option<Difference> {
    let recorded = by_event(recorded);
    let replayed = by_event(replayed);
    let mut others = replayed.iter().peekable();
    for (line, row) in recorded {
        if part {
            while others.next_if(|(_, other)| other.event_id < row.event_id).is_some() {}
        }
        let found = |what| Difference { line: Some(line), event_id: row.event_id, what };
        match others.next() {
            None => return Some(found("recorded, but not in the replay".to_owned())),
            Some((_, other)) => {
                if let Some(what) = row_difference(row, other, part) {
                    return Some(found(what));
                }
            }
        }
    }
    let (_, extra) = others.next().filter(|_| !part)?;
    let what = format!("in the replay ({}), but not recorded", extra.trial_type.word());
    Some(Difference { line: None, event_id: extra.event_id, what })
}

/// Rows with their line in the file, in the order of their numbers.
fn by_event(rows: &[Row]) -> Vec<(usize, &Row)> {
    let mut all: Vec<_> = rows.iter().enumerate().map(|(i, row)| (i + 2, row)).collect();
    all.sort_by_key(|(_, row)| row.event_id);
    all
}

fn row_difference(row: &Row, other: &Row, part: bool) -> Option<String> {
    let cut = part && row.release_deadline.is_none();
    let other_release = if cut { None } else { other.release_deadline };
    let debounced = |row: &Row| row.flag == Some(Flag::Debounced);
    let pairs = [
        differs("event_id", &row.event_id, &other.event_id),
        differs("trial_type", &row.trial_type, &other.trial_type),
        differs("name", &row.name, &other.name),
        differs("number", &row.number, &other.number),
        differs("channel", &row.channel.map(|c| c.number()), &other.channel.map(|c| c.number())),
        differs("note", &row.note.map(|n| n.get()), &other.note.map(|n| n.get())),
        differs("velocity", &row.velocity.map(|v| v.get()), &other.velocity.map(|v| v.get())),
        differs("port", &row.port, &other.port),
        differs("cause", &row.cause, &other.cause),
        differs("deadline_ns", &row.deadline.map(|t| t.0), &other.deadline.map(|t| t.0)),
        differs(
            "release_deadline_ns",
            &row.release_deadline.map(|t| t.0),
            &other_release.map(|t| t.0),
        ),
        differs("engine_ns", &row.engine.0, &other.engine.0),
        differs("message", &row.message, &other.message),
        differs("flag debounced", &debounced(row), &debounced(other)),
        differs("detail", &row.detail, &other.detail),
    ];
    pairs.into_iter().flatten().next()
}

fn differs<T: PartialEq + fmt::Debug>(column: &str, recorded: &T, replayed: &T) -> Option<String> {
    (recorded != replayed)
        .then(|| format!("{column} is {recorded:?} in the recording, {replayed:?} in the replay"))
}
