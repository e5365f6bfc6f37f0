//! What the terminal says of an error: [`in_full`]. The sentences stand in `chronotap_words` and,
//! of the console's own errors, in `chronotap_console::says`. Here is what only the command line
//! has: what a page of its sessions says, verdicts, and what a first build leaves out; the rest stands in
//! `chronotap_desk`.

pub mod demo_build;
mod pages;
mod verdict;

pub use pages::{begun_from_a_page, for_a_page};
pub use verdict::verdict;

pub use chronotap_desk::says::{Says, Terminal, command, ended, parsed};

use std::error::Error;

/// What the terminal says of an error that may be of any type.
pub fn of(error: &(dyn Error + 'static)) -> String {
    chronotap_console::says::of(error, Terminal)
}

/// An error and its causes, each said once.
pub fn in_full(error: &anyhow::Error) -> String {
    chronotap_words::in_full(error.chain(), of)
}
