//! The columns that every table of a study has of its own: the plan, the table of participants and
//! that of trials. [`taken`] knows them, those of statistics and those of the tables of an analysis:
//! every name that no factor, question or field can have, because it would be a second column of
//! that name.

use chronotap_analysis::statistics::columns;
use chronotap_data::tables::is_own_column;

/// A column that the table of trials of a study has, whatever its factors and questions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    Trial,
    Step,
    Block,
    Repetition,
    Attempt,
    Counts,
    Seed,
    EventsFile,
    Staircase,
    Level,
    Answer,
    Reversal,
    Threshold,
    Language,
    OnsetUtc,
    Timing,
    Data,
    Flags,
}

/// Columns of the table of trials, before the factors.
pub const BEFORE_FACTORS: [Fixed; 6] =
    [Fixed::Trial, Fixed::Step, Fixed::Block, Fixed::Repetition, Fixed::Attempt, Fixed::Counts];

/// Columns of the table of trials, behind the factors.
pub const BEHIND_FACTORS: [Fixed; 2] = [Fixed::Seed, Fixed::EventsFile];

/// Columns of the table of trials of studies with staircases, behind the questions.
pub const OF_STAIRCASES: [Fixed; 5] =
    [Fixed::Staircase, Fixed::Level, Fixed::Answer, Fixed::Reversal, Fixed::Threshold];

/// The column of the table of trials of a study in several languages, behind the questions.
pub const OF_LANGUAGES: Fixed = Fixed::Language;

/// Columns of the table of trials, at the end.
pub const AT_THE_END: [Fixed; 4] = [Fixed::OnsetUtc, Fixed::Timing, Fixed::Data, Fixed::Flags];

impl Fixed {
    /// Its heading.
    pub fn name(self) -> &'static str {
        self.said().0
    }

    /// What it holds.
    pub fn about(self) -> &'static str {
        self.said().1
    }

    fn said(self) -> (&'static str, &'static str) {
        match self {
            Fixed::Trial => (
                "trial",
                "The planned trial within its step, from 1; a further attempt has the same number.",
            ),
            Fixed::Step => ("step", "The name of the step in the experiment file."),
            Fixed::Block => ("block", "The block within the step, from 1."),
            Fixed::Repetition => (
                "repetition",
                "Which occurrence of its condition the trial is within its block, from 1.",
            ),
            Fixed::Attempt => ("attempt", "The attempt at this planned trial, from 1."),
            Fixed::Counts => (
                "counts",
                "Whether this attempt is the one that counts for its planned trial: `true` or \
                 `false`.",
            ),
            Fixed::Seed => ("seed", "Everything random in the trial comes from it."),
            Fixed::EventsFile => {
                ("events_file", "The table of the trial's events, from the folder of the dataset.")
            }
            Fixed::Staircase => ("staircase", "The staircase that set the trial's level."),
            Fixed::Level => ("level", "The level that it set, as it stands in the trial file."),
            Fixed::Answer => ("answer", "What was answered: `correct`, `wrong` or `none`."),
            Fixed::Reversal => (
                "reversal",
                "Whether the answer changed the direction of a staircase of steps: `true` or \
                 `false`.",
            ),
            Fixed::Threshold => (
                "threshold",
                "The threshold that the staircase found, in the row of its last trial.",
            ),
            Fixed::Language => {
                ("language", "The language that the participant read, as in web pages (BCP 47).")
            }
            Fixed::OnsetUtc => ("onset_utc", "When the trial began, in UTC (ISO 8601)."),
            Fixed::Timing => ("timing", "The verdict on the trial's timing: `passed` or `failed`."),
            Fixed::Data => {
                ("data", "Whether the trial's data can be used: `usable` or `unusable`.")
            }
            Fixed::Flags => ("flags", "What is unusual about the trial, separated by semicolons."),
        }
    }
}

/// Columns of participants.tsv that are not in the table of trials.
const OF_PARTICIPANTS: [&str; 5] = ["participant_id", "k", "attrition", "excluded", "withdrawn"];

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
    let fixed = of_a_study.iter().flat_map(|some| some.iter()).any(|fixed| fixed.name() == name);
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
