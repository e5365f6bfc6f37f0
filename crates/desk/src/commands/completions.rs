//! `chronotap completions`: what a shell needs to complete the program's commands and
//! options; made of the same text as the help.

use crate::CommandVerdict;
use crate::args::Completions;
use crate::screen::say_raw;
use crate::surroundings::whole_command;
use anyhow::Result;

pub fn completions(args: &Completions) -> Result<CommandVerdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole_command(), "chronotap", &mut script);
    say_raw(&String::from_utf8(script)?);
    Ok(CommandVerdict::Passed)
}
