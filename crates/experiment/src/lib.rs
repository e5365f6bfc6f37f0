#![forbid(unsafe_code)]
//! Trial files: read, checked and resolved to what the engine runs, and explained
//! to the experimenter before anything is run.
//!
//! `docs/trial-files.md` says how they read and what they mean; the table of keys
//! in this crate says which there are. Running a trial is not here, nor are whole
//! experiments: `chronotap-design` has them.

mod answers;
mod attached;
mod build;
mod check;
mod collisions;
mod details;
mod ending;
mod explain;
mod field;
mod file;
mod foresee;
mod keys;
mod node;
mod note;
mod overlaps;
mod page;
mod part;
pub mod performers;
mod problem;
mod quantity;
pub mod reading;
mod recording;
mod reference;
mod say;
mod unknown;

pub use answers::{Answers, Response};
pub use attached::{Further, files_of, table_of_beats, with_files, with_further_files};
pub use check::Parameter;
pub use ending::{Ends, ends, never_ends};
pub use explain::{Explanation, Moment, explain, explain_with};
pub use file::TrialFile;
pub use problem::{Problem, Problems};
pub use recording::Recording;
pub use reference::{indented, reference};
