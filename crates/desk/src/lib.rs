#![forbid(unsafe_code)]
//! Arguments, then a command, then an exit status: the commands that need no device and no Linux, the table of all
//! commands, and the way from a command line to an exit status ([`main`]). The program of Linux (`crates/cli`) adds the
//! commands with devices; elsewhere this is all of it.
//!
//! Status 0: it went well. 1: a check or a verdict failed. 2: the program could
//! not do its work, and the last line says why and what to do.

pub mod args;
mod called;
pub mod commands;
pub mod data;
pub mod deed;
mod defect;
pub mod ears;
pub mod longest;
pub mod over_trials;
pub mod rehearsed;
pub mod rules;
pub mod says;
pub mod screen;
pub mod surroundings;
mod table;
pub mod trial_file;
pub mod usage;
pub mod who_taps;

pub use table::given;

use std::process::ExitCode;
use surroundings::Surroundings;

/// States where the program runs, before anything is asked of it.
pub fn begin(here: &'static dyn Surroundings) {
    surroundings::begin(here, table::command);
}

/// From the command line to the exit status, in these surroundings.
pub fn main(here: &'static dyn Surroundings) -> ExitCode {
    begin(here);
    let (given, deed) = match table::given(std::env::args_os()) {
        Ok(given) => given,
        Err(error) => return usage::refuse(&error),
    };
    let in_full = here.words(&given);
    // Within: where a thread died of a defect, the command's own error says where the data are.
    let done =
        defect::without_defect(|| deed().map_err(|error| screen::complain(&in_full(&error))));
    let cut_short = screen::is_cut_short() || here.is_unread();
    match done {
        Some(Ok(_)) if cut_short => ExitCode::from(2),
        Some(Ok(CommandVerdict::Passed)) => ExitCode::SUCCESS,
        Some(Ok(CommandVerdict::Failed)) => ExitCode::from(1),
        Some(Err(())) | None => ExitCode::from(2),
    }
}

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandVerdict {
    /// Nothing to complain of.
    Passed,
    /// A check, comparison or timing verdict failed.
    Failed,
}

impl CommandVerdict {
    /// Passed where `passed`.
    pub fn of(passed: bool) -> CommandVerdict {
        if passed { CommandVerdict::Passed } else { CommandVerdict::Failed }
    }
}
