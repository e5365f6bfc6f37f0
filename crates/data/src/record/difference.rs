//! [`difference`]: whether a replay decided what the recorded trial decided.
//!
//! Everything the engine decides is compared, to the nanosecond: kinds, names,
//! numbers, notes, deadlines, instants, causes. What the machine achieved (achieved
//! times, stamps, lost messages) is not; what follows from both (onset, duration,
//! lateness) is compared by [`crate::record::Recording::contradiction`].

use crate::record::{COLUMNS, Flag, Row, tsv};
use chronotap_analysis::observed::OnsetSource;
use std::fmt;

/// The first difference between a recorded trial and its replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// Line of the recorded file, from 1; `None` where the replay has a further event.
    pub line: Option<usize>,
    /// Number of the event.
    pub event_id: u64,
    /// What differs, in words.
    pub what: String,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, event {}: {}", self.event_id, self.what),
            None => write!(f, "after the last line, event {}: {}", self.event_id, self.what),
        }
    }
}

/// The first difference, by event number; `None` where there is none. `recorded`
/// stands as in its file.
pub fn difference(recorded: &[Row], replayed: &[Row]) -> Option<ReplayDifference> {
    compare(recorded, replayed, false)
}

/// The same for a recording that was cut short (see [`crate::record::Recovered`]): events
/// that only the replay has, and releases that were not recorded, are no difference.
pub fn difference_of_part(recorded: &[Row], replayed: &[Row]) -> Option<ReplayDifference> {
    compare(recorded, replayed, true)
}

fn compare(recorded: &[Row], replayed: &[Row], part: bool) -> Option<ReplayDifference> {
    let recorded = by_event(recorded);
    let replayed = by_event(replayed);
    let mut others = replayed.iter().peekable();
    for (line, row) in recorded {
        if part {
            while others.next_if(|(_, other)| other.event_id < row.event_id).is_some() {}
        }
        let found = |what| ReplayDifference { line: Some(line), event_id: row.event_id, what };
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
    Some(ReplayDifference { line: None, event_id: extra.event_id, what })
}

/// Rows with their line in the file, in the order of their numbers. What was found only afterwards in kept
/// sound was not decided.
fn by_event(rows: &[Row]) -> Vec<(usize, &Row)> {
    let decided = |(_, row): &(usize, &Row)| row.onset_source != Some(OnsetSource::Afterwards);
    let mut all: Vec<_> = (2..).zip(rows).filter(decided).collect();
    all.sort_by_key(|(_, row)| row.event_id);
    all
}

/// The columns that the engine decides, in the order in which a difference is told.
const DECIDED: [&str; 15] = [
    "event_id",
    "trial_type",
    "name",
    "number",
    "midi_channel",
    "note",
    "velocity",
    "port",
    "cause",
    "deadline_ns",
    "release_deadline_ns",
    "engine_ns",
    "message",
    "detail",
    "perturbation",
];

fn row_difference(row: &Row, other: &Row, part: bool) -> Option<String> {
    let (found, decided) = (tsv::cells(row), tsv::cells(other));
    let differs = |column: &&str| {
        let place = COLUMNS.iter().position(|known| known == column)?;
        let cut = part && *column == "release_deadline_ns" && row.release_deadline.is_none();
        let (found, decided) = (&found[place], &decided[place]);
        (!cut && found != decided).then(|| said(column, found, decided))
    };
    if row.flag == Some(Flag::BehindGap) {
        return DECIDED.iter().find_map(differs); // it stands instead of any other flag
    }
    let [was, is] = [row, other].map(decided_flag);
    let word = |flag: Option<Flag>| flag.map_or("none that the engine decides", Flag::word);
    let flags = || (was != is).then(|| said("flag", word(was), word(is)));
    DECIDED.iter().find_map(differs).or_else(flags)
}

/// The flag, where the engine decides it and not the machine.
fn decided_flag(row: &Row) -> Option<Flag> {
    use Flag::{Debounced, Inaudible, Muted, Overwritten, Rest};
    row.flag.filter(|flag| matches!(flag, Debounced | Rest | Inaudible | Muted | Overwritten))
}

fn said(column: &str, recorded: &str, replayed: &str) -> String {
    format!("{column} is {recorded} in the recording, {replayed} in the replay")
}
