//! What `run` and `simulate` do where the file is an experiment file: a session of a study,
//! or a whole study in virtual time.

mod pad_check;
mod paged;
mod ready;
mod run;
mod simulate;

pub use chronotap_desk::commands::study::{is_study, label, pairs, read};
pub use run::run;
pub use simulate::simulate;
