//! The columns that every table of a study has of its own: the plan, the table of participants and
//! that of trials. [`taken`] knows them, those of statistics and those of the tables of an analysis:
//! every name that no factor, question or field can have, because it would be a second column of
//! that name.

use chronotap_analysis::statistics::columns;
use chronotap_data::tables::is_own_column;

/// Columns of the table of trials, before the factors.
pub const BEFORE_FACTORS: [(&str, &str); 6] = [
    ("trial", "The planned trial within its step, from 1; a further attempt has the same number."),
    ("step", "The name of the step in the experiment file."),
    ("block", "The block within the step, from 1."),
    ("repetition", "Which occurrence of its condition the trial is within its block, from 1."),
    ("attempt", "The attempt at this planned trial, from 1."),
    (
        "counts",
        "Whether this attempt is the one that counts for its planned trial: `true` or `false`.",
    ),
];

/// Columns of the table of trials, behind the factors.
pub const BEHIND_FACTORS: [(&str, &str); 2] = [
    ("seed", "Everything random in the trial comes from it."),
    ("events_file", "The table of the trial's events, from the folder of the dataset."),
];

/// Columns of the table of trials of studies with staircases, behind the questions.
pub const OF_STAIRCASES: [(&str, &str); 5] = [
    ("staircase", "The staircase that set the trial's level."),
    ("level", "The level that it set, as it stands in the trial file."),
    ("answer", "What was answered: `correct`, `wrong` or `none`."),
    (
        "reversal",
        "Whether the answer changed the direction of a staircase of steps: `true` or `false`.",
    ),
    ("threshold", "The threshold that the staircase found, in the row of its last trial."),
];

/// The column of the table of trials of a study in several languages, behind the questions.
pub const OF_LANGUAGES: (&str, &str) =
    ("language", "The language that the participant read, as in web pages (BCP 47).");

/// Columns of the table of trials, at the end.
pub const AT_THE_END: [(&str, &str); 4] = [
    ("onset_utc", "When the trial began, in UTC (ISO 8601)."),
    ("timing", "The verdict on the trial's timing: `passed` or `failed`."),
    ("data", "Whether the trial's data can be used: `usable` or `unusable`."),
    ("flags", "What is unusual about the trial, separated by semicolons."),
];

/// Columns of participants.tsv that are not in the table of trials.
const OF_PARTICIPANTS: [&str; 3] = ["participant_id", "k", "withdrawn"];

/// What a name is already, where it is the name of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// A column of the tables of every study.
    Fixed,
    /// A statistic, or its column.
    Statistic,
    /// A column of the tables of an analysis.
    Analysis,
}

/// What this name is already; `None` where a study can have it.
pub(crate) fn taken(name: &str) -> Option<Taken> {
    let of_a_study = [&BEFORE_FACTORS[..], &BEHIND_FACTORS, &OF_STAIRCASES, &AT_THE_END];
    let fixed = of_a_study.iter().flat_map(|some| some.iter()).any(|(fixed, _)| *fixed == name);
    match () {
        () if fixed || OF_PARTICIPANTS.contains(&name) => Some(Taken::Fixed),
        () if is_of_a_statistic(name) => Some(Taken::Statistic),
        () if is_own_column(name) => Some(Taken::Analysis),
        () => None,
    }
}

/// Whether it is a statistic, its column, or one of its columns where a trial has several inputs,
/// such as `taps_of_left`.
fn is_of_a_statistic(name: &str) -> bool {
    columns().iter().any(|known| {
        let of_an_input = name.strip_prefix(&known.column());
        name == known.name || of_an_input.is_some_and(|of| of.is_empty() || of.starts_with("_of_"))
    })
}
