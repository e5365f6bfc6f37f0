//! Columns that several tables have: which trial, which input, stream and stretch.

use crate::tables::cells::text;
use crate::tables::{Kind, Sources, factor_columns};
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

/// A column that a table has in every analysis.
pub(crate) struct Column {
    pub name: &'static str,
    /// What its cells are.
    pub kind: Kind,
    /// As BIDS has them; empty where there are none.
    pub units: &'static str,
    pub about: &'static str,
}

impl Column {
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Column {
        Column { name, kind, units: "", about }
    }

    /// A time in whole nanoseconds.
    pub const fn ns(name: &'static str, about: &'static str) -> Column {
        Column { units: "ns", ..Column::new(name, Kind::Integer, about) }
    }

    /// Its name and description.
    pub fn described(&self) -> (String, Value) {
        (self.name.to_owned(), described(self.about, self.units))
    }
}

/// The columns of the input, the stream and the stretch.
pub(super) const PART: [Column; 3] = [
    Column::new("input", Kind::Text, "The input, by its name in the trial file."),
    Column::new("against", Kind::Text, "The pacing stream that it is measured against."),
    Column::new("stretch", Kind::Text, "The stretch of the trial, or `all` for the whole trial."),
];

pub(super) fn about_part() -> [(String, Value); 3] {
    PART.each_ref().map(Column::described)
}

/// The columns that say which trial it is, before the factors.
pub(super) const WHICH: [Column; 9] = [
    Column::new("participant_id", Kind::Text, "The participant, as in participants.tsv."),
    Column::new("session", Kind::Text, "The label of the session."),
    Column::new("task", Kind::Text, "The task."),
    Column::new("trial", Kind::Integer, "The planned trial within its step, from 1."),
    Column::new("step", Kind::Text, "The step of the experiment."),
    Column::new("block", Kind::Integer, "The block within the step, from 1."),
    Column::new("repetition", Kind::Integer, "Which occurrence of its condition it is."),
    Column::new("attempt", Kind::Integer, "The attempt at this planned trial, from 1."),
    Column::new("counts", Kind::Truth, "Whether this attempt is the one that counts."),
];

/// The one behind them.
pub(super) const EVENTS: Column =
    Column::new("events_file", Kind::Text, "The events of the trial, from the dataset's folder.");

/// The columns that say which trial it is.
pub(super) fn which(sources: &Sources) -> Vec<String> {
    let before = WHICH.iter().map(|column| column.name.to_owned());
    let factors = factor_columns(&sources.factors);
    before.chain(factors).chain([EVENTS.name.to_owned()]).collect()
}

pub(super) fn about_which(sources: &Sources) -> Map<String, Value> {
    let mut about: Map<String, Value> = WHICH.iter().map(Column::described).collect();
    for (column, factor) in factor_columns(&sources.factors).into_iter().zip(&sources.factors) {
        let what = about_factor(&column, factor);
        about.insert(column, described(&what, ""));
    }
    about.extend([EVENTS.described()]);
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
pub(crate) fn described(what: &str, units: &str) -> Value {
    if units.is_empty() {
        json!({ "Description": what })
    } else {
        json!({ "Description": what, "Units": units })
    }
}
