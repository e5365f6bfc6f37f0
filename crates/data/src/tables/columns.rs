//! The columns that the tables of an analysis have, whatever the factors are; which have them in which
//! order, is in [`crate::tables::files`].

use crate::tables::cells::text;
use crate::tables::{ValueKind, measures};
use chronotap_analysis::statistics::{Join, Statistic};
use serde_json::{Value, json};

/// The cells of the input, the stream and the stretch.
pub(crate) fn put_part(
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
    pub kind: ValueKind,
    /// As BIDS has them; empty where there are none.
    pub units: &'static str,
    pub about: &'static str,
}

impl Column {
    pub const fn new(name: &'static str, kind: ValueKind, about: &'static str) -> Column {
        Column { name, kind, units: "", about }
    }

    /// A time in whole nanoseconds.
    pub const fn ns(name: &'static str, about: &'static str) -> Column {
        Column { units: "ns", ..Column::new(name, ValueKind::Integer, about) }
    }

    /// Its name and description.
    pub fn described(&self) -> (String, Value) {
        (self.name.to_owned(), described(self.about, self.units))
    }
}

/// The columns of the input, the stream and the stretch.
pub(crate) const PART: [Column; 3] = [
    Column::new("input", ValueKind::Text, "The input, by its name in the trial file."),
    Column::new("against", ValueKind::Text, "The pacing stream that it is measured against."),
    Column::new(
        "stretch",
        ValueKind::Text,
        "The stretch of the trial, or `all` for the whole trial.",
    ),
];

pub(crate) fn about_part() -> [(String, Value); 3] {
    PART.each_ref().map(Column::described)
}

/// The columns that say which trial it is, before the factors.
pub(crate) const WHICH: [Column; 9] = [
    Column::new("participant_id", ValueKind::Text, "The participant, as in participants.tsv."),
    Column::new("session", ValueKind::Text, "The label of the session."),
    Column::new("task", ValueKind::Text, "The task."),
    Column::new("trial", ValueKind::Integer, "The planned trial within its step, from 1."),
    Column::new("step", ValueKind::Text, "The step of the experiment."),
    Column::new("block", ValueKind::Integer, "The block within the step, from 1."),
    Column::new("repetition", ValueKind::Integer, "Which occurrence of its condition it is."),
    Column::new("attempt", ValueKind::Integer, "The attempt at this planned trial, from 1."),
    Column::new("counts", ValueKind::Truth, "Whether this attempt is the one that counts."),
];

/// The one behind them.
pub(crate) const EVENTS: Column = Column::new(
    "events_file",
    ValueKind::Text,
    "The events of the trial, from the dataset's folder.",
);

/// The columns behind those that say which trial it is, with their units and what they are.
pub(crate) const OF_TAPS: [Column; 17] = [
    Column::new("input", ValueKind::Text, "The input, by its name in the trial file."),
    Column::new(
        "tap",
        ValueKind::Integer,
        "The tap's number at this input, from 1, debounced ones included.",
    ),
    Column::new("event_id", ValueKind::Integer, "The event in the events file."),
    Column::ns("onset_ns", "When it was, since the start of the trial."),
    Column::new("stretch", ValueKind::Text, "The stretch of the trial that it lies in."),
    Column::ns("interval_ns", "Since the tap before it that counts."),
    Column::new(
        "fate",
        ValueKind::Text,
        "What became of it: matched, debounced, doubled, response, extra, unpaced, or unmeasured.",
    ),
    Column::new("against", ValueKind::Text, "The stream whose beat it answers."),
    Column::new("beat", ValueKind::Integer, "The number of that beat."),
    Column::ns("asynchrony_ns", "Tap - beat; negative is early."),
    Column::new("tap_left_out", ValueKind::Text, "The rule that left out the tap."),
    Column::new(
        "interval_left_out",
        ValueKind::Text,
        "The rule that left out the interval that ends with it.",
    ),
    Column::new("asynchrony_left_out", ValueKind::Text, "The rule that left out its asynchrony."),
    Column::new(
        "peak_force",
        ValueKind::Integer,
        "The greatest value of force within it, in the units of the sensor that felt it.",
    ),
    Column::ns("rise_ns", "From its onset to that value."),
    Column::ns("dwell_ns", "From its onset to its release, where a sensor felt its force."),
    Column::new(
        "onset_source",
        ValueKind::Text,
        "Whence onset_ns is, where the input heard taps and kept their sound: refined (by the sound, \
         refined_ns of the events file), live (as it was told while the trial ran, achieved_ns; the \
         sound around it is not whole), or unconfirmed (the same; it is not found in the sound).",
    ),
];

/// The columns of the recorded verdicts, and of whether the trial is used.
pub(crate) const VERDICTS: [Column; 3] = [
    Column::new("timing", ValueKind::Text, "The recorded verdict on the timing."),
    Column::new("data", ValueKind::Text, "Whether the data were recorded as usable."),
    Column::new("used", ValueKind::Truth, "Whether the trial goes into the conditions."),
];

/// The columns of words behind the measures.
pub(crate) const SAID: [Column; 2] = [
    Column::new(
        DOUBTS,
        ValueKind::Text,
        "Estimates whose 95 % intervals contained the true value in less than 93 % of simulated runs \
         of this length, each with that share.",
    ),
    Column::new(
        MARKS,
        ValueKind::Text,
        "What casts doubt on a plain reading of the row, separated by semicolons",
    ),
];

/// The column that says which intervals hold the truth too seldom.
pub const DOUBTS: &str = "interval_doubts";
/// The column that says what casts doubt on a plain reading of a row.
pub const MARKS: &str = "marks";

/// The measures that have a mean.
pub(crate) fn joined() -> impl Iterator<Item = (usize, &'static Statistic)> {
    let all = measures().iter().copied().enumerate();
    all.filter(|(_, measure)| measure.join != Join::Never)
}

/// The columns of the mean direction's test.
pub(crate) const SECOND_ORDER: [Column; 3] = [
    Column::new(
        "second_order_resultant",
        ValueKind::Number,
        "Length of the mean of the trials' mean vectors, whose direction is `direction_rad`.",
    ),
    Column::new(
        "second_order_f",
        ValueKind::Number,
        "F of Hotelling's test of second order that the trials' mean vectors have no common direction; 2 and `direction_rad_n` - 2 degrees of freedom.",
    ),
    Column::new("second_order_p", ValueKind::Number, "p of the same."),
];

/// The columns of phase correction over trials, and of why there is none.
pub(crate) const POOLED: [Column; 4] = [
    Column::new("pooled_alpha", ValueKind::Number, OVER_TRIALS),
    Column::new("pooled_alpha_low", ValueKind::Number, OVER_TRIALS),
    Column::new("pooled_alpha_high", ValueKind::Number, OVER_TRIALS),
    Column::new("no_alpha", ValueKind::Text, "Why there is no pooled alpha."),
];
const OVER_TRIALS: &str = "Phase correction of all trials together, each with a mean of its own about which it drifts; towards the taps of \
     another, the share of the distance that is corrected, which may be 0; 95 % interval.";

/// The column of how many trials there are.
pub(crate) const TRIALS: Column =
    Column::new("trials", ValueKind::Integer, "Trials that count and are used.");

/// What follows a statistic's name in the columns of its mean, and what these hold.
pub(crate) fn ends(of: &Statistic) -> &'static [(&'static str, ValueKind)] {
    const ALL: [(&str, ValueKind); 5] = [
        ("", ValueKind::Number),
        ("_sd", ValueKind::Number),
        ("_n", ValueKind::Integer),
        ("_low", ValueKind::Number),
        ("_high", ValueKind::Number),
    ];
    if of.is_estimated() { &ALL } else { &ALL[..3] }
}

/// The description of a column.
pub(crate) fn described(what: &str, units: &str) -> Value {
    if units.is_empty() {
        json!({ "Description": what })
    } else {
        json!({ "Description": what, "Units": units })
    }
}
