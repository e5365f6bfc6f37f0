//! Columns that several tables have: which trial, which input, stream and stretch.

use crate::cells::text;
use crate::source::PLACE;
use crate::{Sources, factor_columns};
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
    let before = before.map(str::to_owned);
    let factors = factor_columns(&sources.factors);
    before.chain(factors).chain(["events_file".to_owned()]).collect()
}

pub(super) fn about_which(sources: &Sources) -> Map<String, Value> {
    let mut about = Map::new();
    let mut factors = sources.factors.iter();
    for name in which(sources) {
        let of_factor;
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
            column => {
                of_factor = about_factor(column, factors.next().map_or(column, String::as_str));
                &*of_factor
            }
        };
        about.insert(name, described(what, ""));
    }
    about
}

fn about_factor(column: &str, factor: &str) -> String {
    if column == factor {
        return "A factor of the experiment.".to_owned();
    }
    format!(
        "The factor `{factor}` of the experiment; the tables have a column `{factor}` of their own."
    )
}

/// The description of a column.
pub(super) fn described(what: &str, units: &str) -> Value {
    if units.is_empty() {
        json!({ "Description": what })
    } else {
        json!({ "Description": what, "Units": units })
    }
}
