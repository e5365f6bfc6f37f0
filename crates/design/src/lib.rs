#![forbid(unsafe_code)]
//! Experiment files: which trials a participant does, in which order, and what comes
//! between them. The text of a file becomes a checked [`Experiment`], and that becomes the
//! [`Plan`] of one participant and session. What decides within a session is here too: the
//! criterion of practice, the rules of redoing, staircases.
//!
//! Everything here is a pure function of files, seed, label and session. Running a plan,
//! journals and datasets are not here.
//! `docs/experiment-files.md` says how experiment files read, `docs/experiment-recipes.md` what they mean.

mod assign;
mod check;
pub mod columns;
mod derive;
mod draw;
mod expected;
mod experiment;
mod factor;
mod files;
mod ftap;
mod group;
mod judge;
mod keys;
mod measure;
mod origin;
mod overview;
mod paradigms;
mod pictures;
mod plan;
mod planner;
mod quest;
pub mod question;
mod read;
mod sections;
mod setting;
mod squares;
mod staircase;
mod staircase_run;
mod step;
mod text;
mod titles;
mod translation;
mod words;

pub use assign::{AssignError, Participant};
pub use derive::{Supplied, TrialError};
pub use expected::{Claim, EXPECTED, Expected, InRehearsal, Is, Published, Size, expected};
pub use experiment::{Assign, Credits, DueVisit, Experiment, SessionFactor, Translation};
pub use factor::{Condition, Factor, Level, List};
pub use files::{ClosedFolder, Files, Folder, RecordedFolder};
pub use judge::{Finished, counting, hits};
pub use keys::{reference, reference_asking};
pub use measure::{Comparison, Measure, Test};
pub use origin::{Answers, Needed, Origin};
pub use overview::{CellOverview, OrderOverview, Overview, StepOverview, overview};
pub use paradigms::{NOT_YET, PARADIGMS, Paradigm};
pub use pictures::pictures_in;
pub use plan::{Given, Method, Plan, PlannedBlock, PlannedSetting, PlannedStep, PlannedTrial};
pub use planner::PlanError;
pub use question::{Answer, Field, OnlyIf, Question};
pub use setting::{Carried, Setting, Source, Times};
pub use staircase::{AnswerCounts, AnswersFrom, Quest, Staircase, StaircaseRule, Stop, UpDown};
pub use staircase_run::{Ending, Heard, NoThreshold, StaircaseRun, Threshold};
pub use step::{
    Blocks, Constraint, Criterion, Doing, Ends, Every, Go, HITS, Interleave, Keep, Limited, Order,
    Otherwise, Practice, Redo, RedoTime, Rest, Step, StopIf, Trials,
};
pub use text::{Text, with_results};
pub use titles::{OUTCOME, TITLES, Title};
pub use words::Words;
