#![forbid(unsafe_code)]
//! The program `chronotap` on Linux: the commands with devices, beside those of `chronotap_desk`, which has the way from
//! the arguments to the exit status.

mod args;
mod bound;
mod commands;
mod linux;
#[cfg(test)]
mod refusals;
mod says;
mod screen;
mod terminal_frontend;
mod this_program;
#[cfg(feature = "lsl")]
mod whole_lines;

use chronotap_desk::{CommandVerdict, data, trial_file, who_taps};
use std::process::ExitCode;

fn main() -> ExitCode {
    chronotap_desk::main(&linux::Linux)
}
