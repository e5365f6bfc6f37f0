//! Tidy tables of recorded trials, at three levels: one row for each tap, one for each trial
//! (input, stream and stretch), one for each participant and condition.
//!
//! Trials are found in a dataset or named one by one ([`Sources`]), read and measured
//! ([`analyze`]), and written with a description of every column and a record of what was
//! done ([`write`]). The statistics themselves are in `chronotap-analysis`; where a summary
//! of a trial has the same number, it is the same function. Nothing is printed here, and
//! nothing is measured of machines.

mod analyze;
mod aside;
mod cells;
mod columns;
mod compared;
mod conditions;
mod debounce;
mod error;
mod evidence;
mod exclude;
mod factorial;
mod files;
mod headings;
mod in_order;
mod marks;
mod measures;
pub mod names;
mod numbers;
mod of_input;
mod out_of_turn;
mod outcome;
mod own;
mod partners;
mod psychometric;
pub(crate) mod quantity;
mod ran;
mod reading;
mod render;
mod share;
pub(crate) mod source;
mod study_files;
mod study_says;
mod swapped;
mod table;
mod taps;
mod time_course;
mod tracked;
mod tracks;
mod trial;
mod unknown;

pub use analyze::{Analysis, Counts, Unread, analyze, analyze_into, analyze_with_courses};
pub use aside::{Aside, Why};
pub use chronotap_analysis::statistics::ValueKind;
pub use columns::{DOUBTS, MARKS};
pub use compared::{Compared, compared};
pub use conditions::{ConditionRow, Mean};
pub use error::{TablesError, Wrong};
pub use evidence::{Device, TrialEvidence};
pub use exclude::{EXCLUDED, ExcludeRule, Excluded, Need, Sign};
pub use factorial::{Cell, Factorial, Intervals, OfPerson, Varied, factorial};
pub use files::{
    AnalysisRecord, DATA, FileSum, RECORD, WrittenTables, table_names, table_of_tests, trials_of,
    wide_of, write, write_measured, write_others, write_record, write_taps,
};
pub use headings::{factor_columns, is_own_column, kind_of};
pub use marks::Mark;
pub use measures::{measures, place};
pub use names::THRESHOLD;
pub use out_of_turn::OutOfTurn;
pub use outcome::{
    Contrast, Effect, FOUND, LeftOut, LevelMean, Missing, Outcome, OutcomeFound, OutcomeQuestion,
    OutcomeRow, Plain, Slope, Stands, check_asked, is_numeric, named, outcome_of, outcomes,
    outcomes_of, statistics_of,
};
pub use psychometric::{Fit, NoFit, PSYCHOMETRIC, fits};
pub use quantity::{AsNumbers, as_numbers};
pub use ran::Ran;
pub use reading::{TrialVerdicts, UnreadError, measure, measure_values};
pub use render::render;
pub use share::{reread_share_line, write_share};
pub(crate) use source::same_trials;
pub use source::{
    Around, Source, SourceTable, Sources, Withdrawn, aside_below, natural, participant_id,
    placed_tables, refuse_exchanged, same_files,
};
pub use study_files::study_files;
pub use study_says::StudySays;
pub use taps::{NoTaps, TapRow, TapSink};
pub use time_course::{PairCourse, TapAt, TimeCourse};
pub use tracks::{Track, Tracked, tracks};
pub use trial::TrialRow;
pub use unknown::{ContrastError, Named, UnknownLevel, unknown_level};

use chronotap_analysis::cleaning::CleaningRule;

/// Version of the tables and of the record of an analysis; raised when a column or key
/// changes its meaning.
pub const TABLES_VERSION: u32 = 2;

/// What is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysisOptions {
    /// Rules of cleaning, in order. A `debounce` acts before taps are matched to beats.
    pub rules: Vec<CleaningRule>,
    /// Whether trials whose data are said to be unusable go into the conditions all the same.
    pub with_unusable: bool,
    /// The share of the interval within which taps answer a beat, in place of what the trial files
    /// say.
    pub window: Option<f64>,
    /// Contrasts that are asked besides those of the study.
    pub asked: Vec<Outcome>,
}
