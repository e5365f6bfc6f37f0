//! The table of the outcome: a row for each person and level, which programs for statistics take as it is.

use super::columns::described;
use crate::tables::cells::{end, heading, integer, number, text};
use crate::tables::outcome::{Found, Row};
use serde_json::{Map, Value};

/// The headings before the value.
const WHO: &str = "participant_id";
/// The level where the outcome is compared over none.
const ALL: &str = "all";

pub(super) fn table(found: &Found) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, headings(found));
    for Row { participant, level, value, trials } in &found.rows {
        text(&mut out, participant.as_deref());
        text(&mut out, Some(level.as_deref().unwrap_or(ALL)));
        number(&mut out, Some(*value));
        integer(&mut out, Some(*trials as i64));
        end(&mut out);
    }
    out
}

/// The column of the levels bears the factor's name.
fn headings(found: &Found) -> [String; 4] {
    let over = found.outcome.over.clone().unwrap_or_else(|| "level".to_owned());
    [WHO.to_owned(), over, "outcome".to_owned(), "trials".to_owned()]
}

pub(super) fn about(found: &Found) -> Value {
    let about = [
        described("The participant, as in participants.tsv.", ""),
        described("The level over which the outcome is compared.", ""),
        described(&format!("{}: the mean over the trials.", found.outcome), &found.unit),
        described("How many trials, answers or thresholds it is the mean of.", ""),
    ];
    let all = headings(found).into_iter().zip(about);
    Value::Object(all.collect::<Map<String, Value>>())
}
