//! What `run` does where the file is an experiment file: a session of a study.

mod pad_check;
mod paged;
mod ready;
mod run;

pub use chronotap_desk::commands::study::{is_study, label, pairs, read};
pub use run::run;
