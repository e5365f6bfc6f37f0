//! Columns that several tables have: which trial, which input, stream and stretch.

use crate::Sources;
use crate::cells::text;
use crate::source::PLACE;
use serde_json::{Map, Value, json};

/// The cells of the input, the stream and the stretch.
pub(super) fn put_part(
    out: &mut Vec<u8>,
    input: &str,
    against: Option<&str>,
    stretch: Option<&str>,
) {
    text(out, Some(input));
    text(out, against);
    text(out, Some(stretch.unwrap_or("all")));
}

pub(super) fn about_part() -> [(String, Value); 3] {
    [
        ("input", "The input, by its name in the trial file."),
        ("against", "The pacing stream that it is measured against."),
        ("stretch", "The stretch of the trial, or `all` for the whole trial."),
    ]
    .map(|(name, what)| (name.to_owned(), described(what, "")))
}

/// The columns that say which trial it is.
pub(super) fn which(sources: &Sources) -> Vec<String> {
    let before = ["participant_id", "session", "task"].into_iter().chain(PLACE).chain(["counts"]);
    let factors = sources.factors.iter().map(String::as_str);
    before.chain(factors).chain(["events_file"]).map(str::to_owned).collect()
}

pub(super) fn about_which(sources: &Sources) -> Map<String, Value> {
    let mut about = Map::new();
    for name in which(sources) {
        let what = match &*name {
            "participant_id" => "The participant, as in participants.tsv.",
            "session" => "The label of the session.",
            "task" => "The task.",
            "trial" => "The planned trial within its step, from 1.",
            "step" => "The step of the experiment.",
            "block" => "The block within the step, from 1.",
            "repetition" => "Which occurrence of its condition it is.",
            "attempt" => "The attempt at this planned trial, from 1.",
            "counts" => "Whether this attempt is the one that counts.",
            "events_file" => "The events of the trial, from the dataset's folder.",
            _ => "A factor of the experiment.",
        };
        about.insert(name, described(what, ""));
    }
    about
}

/// The description of a column.
pub(super) fn described(what: &str, units: &str) -> Value {
    if units.is_empty() {
        json!({ "Description": what })
    } else {
        json!({ "Description": what, "Units": units })
    }
}
