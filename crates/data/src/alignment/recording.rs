//! The events of trials as a table of BIDS beside the recording of another device, such as
//! `eeg/sub-01_task-sync_events.tsv`: onsets count from the recording's first sample, and events before it or after the
//! last are left out, because that recording does not have them.
//!
//! Not here: where the table is put, and the recording itself.

use super::{AlignedTrial, PlacedEvent, put_became, put_optional, put_row_until_trial};
use crate::record::text::{put_i64, put_seconds};
use crate::record::{TrialType, description_of, hed};
use chronotap_core::time::Nanos;
use serde_json::{Map, Value, json};

/// The columns of the table.
const COLUMNS: [&str; 10] = [
    "onset",
    "duration",
    "trial_type",
    "value",
    "name",
    "number",
    "event_id",
    "trial",
    "onset_in_trial",
    "recorded",
];

/// The table, in the order of time. `length` is that of the recording, where it is known.
pub fn bids_events(placed: &[PlacedEvent<'_>], length: Option<Nanos>) -> Vec<u8> {
    let is_recorded = |one: &&PlacedEvent<'_>| {
        one.onset >= Nanos::ZERO && length.is_none_or(|length| one.onset < length)
    };
    let mut within: Vec<&PlacedEvent<'_>> = placed.iter().filter(is_recorded).collect();
    within.sort_by_key(|one| one.onset);
    let mut out = COLUMNS.join("\t").into_bytes();
    out.push(b'\n');
    within.iter().for_each(|one| put_row(&mut out, one));
    out
}

fn put_row(out: &mut Vec<u8>, placed: &PlacedEvent<'_>) {
    let code = placed.row.number.filter(|_| placed.row.trial_type == TrialType::Code);
    put_seconds(out, placed.onset);
    put_row_until_trial(out, placed, |out| put_optional(out, code.map(i64::from), put_i64));
    put_became(out, placed);
}

/// The description of the table of these trials, for its .json. `program` is the program with its version.
pub fn bids_description<'a>(
    program: &str,
    trials: impl Iterator<Item = &'a AlignedTrial> + Clone,
) -> Vec<u8> {
    let mut all: Map<String, Value> =
        COLUMNS.iter().map(|name| ((*name).to_owned(), described(name))).collect();
    hed::add(&mut all, &hed::Own::of(trials.map(|trial| &trial.header)));
    let (name, version) = program.split_once(' ').unwrap_or((program, ""));
    let by = json!({ "SoftwareName": name, "SoftwareVersion": version });
    all.insert("StimulusPresentation".to_owned(), by);
    let mut out = serde_json::to_vec_pretty(&all).expect("a value in memory is JSON");
    out.push(b'\n');
    out
}

/// The description of a column: that of the events file, where the column is one of its.
fn described(column: &str) -> Value {
    let seconds =
        |long: &str, text: &str| json!({ "LongName": long, "Description": text, "Units": "s" });
    match column {
        "onset" => seconds(
            "Onset",
            "When the event happened, from the first sample of the recording, by the clock of the recorder.",
        ),
        "value" => json!({
            "LongName": "Code",
            "Description": "Of a code: the number that the recorder was sent.",
        }),
        "trial" => json!({
            "LongName": "Trial",
            "Description": "The events file of the trial that the event is of.",
        }),
        "onset_in_trial" => seconds(
            "Onset in the trial",
            "When it happened, from the start of the trial, by the clock of the trial's computer.",
        ),
        "recorded" => json!({
            "LongName": "Recorded",
            "Description": "Of events that were looked for in the recording: the onset that it has for it, in seconds; missing where it has none; outside where it was recorded before or after.",
        }),
        column => description_of(column),
    }
}
