//! Trial files: read, checked and resolved to what the engine runs, and explained
//! to the experimenter before anything is run.
//!
//! `docs/trial-files.md` says how they read, `docs/trial-meaning.md` what they mean; the table of keys
//! in this crate says which there are. Running a trial is not here, nor are whole
//! experiments: `chronotap-design` has them.

mod answers;
mod attached;
mod build;
mod changing;
mod collisions;
mod details;
mod ending;
mod explain;
mod file;
mod foresee;
mod hed;
mod keys;
mod meetings;
mod overlaps;
mod page;
pub mod performers;
pub mod reading;
mod recording;
mod say;

pub use answers::{InputAnswers, ReproducedStream};
pub use attached::{
    Further, files_in, files_of, places_of, sound_files_in, table_of_beats, with_files,
    with_further_files,
};
pub use ending::{TrialEnds, ends, never_ends};
pub use explain::{Explanation, Moment, explain, explain_with};
pub use file::TrialFile;
pub use foresee::settled;
pub use keys::reference;
pub use reading::{Parameter, Problem, Problems};
pub use recording::SoundRecording;
