#![forbid(unsafe_code)]
//! Experiment files: which trials a participant does, in which order, and what comes
//! between them. The text of a file becomes a checked [`Experiment`], and that becomes the
//! [`Plan`] of one participant and session. What decides within a session is here too: the
//! criterion of practice, the rules of redoing, staircases.
//!
//! Everything here is a pure function of files, seed, label and session. Running a plan,
//! journals and datasets are not here.
//! `docs/experiment-files.md` says how experiment files read, `docs/experiment-recipes.md` what they mean.

mod file;
mod judge;
mod plan;
mod study;

pub use file::files::{ClosedFolder, Files, Folder, RecordedFolder};
pub use file::keys::{reference, reference_asking};
pub use judge::staircase_run::{
    NoThreshold, StaircaseEnding, StaircaseRun, Threshold, TrialAnswer,
};
pub use judge::{Finished, counting, hits};
pub use plan::assign::{AssignError, Participant};
pub use plan::derive::{Supplied, TrialError};
pub use plan::overview::{CellOverview, OrderOverview, Overview, StepOverview, overview};
pub use plan::planner::PlanError;
pub use plan::{GivenValue, Method, Plan, PlannedBlock, PlannedSetting, PlannedStep, PlannedTrial};
pub use study::expected::{
    Claim, EXPECTED, ExpectedFinding, InRehearsal, IntervalLies, PublishedClaim, Size, expected,
};
pub use study::experiment::{Assign, Credits, DueVisit, Experiment, SessionFactor, Translation};
pub use study::factor::{Condition, Factor, Level, List};
pub use study::measure::{Measure, NumberComparison, TrialTest};
pub use study::origin::{FieldAnswers, Needed, Origin};
pub use study::paradigms::{NOT_YET, PARADIGMS, Paradigm};
pub use study::pictures::pictures_in;
pub use study::question::{Answer, OnlyIf, ParticipantField, Question};
pub use study::setting::{Carried, Setting, SettingSource, Times};
pub use study::staircase::{
    AnswerCounts, AnswersFrom, Quest, Staircase, StaircaseRule, StaircaseStop, UpDown,
};
pub use study::step::{
    Blocks, Constraint, Criterion, Doing, Ends, Every, Go, HITS, Interleave, Keep, Limited, Order,
    Otherwise, Practice, Redo, RedoTime, Rest, Step, StopIf, Trials,
};
pub use study::text::{Text, with_results};
pub use study::titles::{OUTCOME, TITLES, Title};
pub use study::words::Words;
pub use study::{columns, question};
