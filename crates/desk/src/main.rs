#![forbid(unsafe_code)]
//! The program `chronotap` where there is no Linux: every command that opens no device.

use chronotap_desk::surroundings::Anywhere;
use std::process::ExitCode;

fn main() -> ExitCode {
    chronotap_desk::main(&Anywhere)
}
