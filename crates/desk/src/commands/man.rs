//! `chronotap man`: manual pages of the program and of each command; made of the same text as
//! the help.

use crate::CommandVerdict;
use crate::args::Man;
use crate::screen::say;
use crate::surroundings::whole_command;
use anyhow::{Result, anyhow};

pub fn man(args: &Man) -> Result<CommandVerdict> {
    let folder = args.folder.display();
    let failed = |error| anyhow!("{folder}: cannot write there: {error}; name another folder");
    chronotap_core::files::create_folder(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(whole_command(), &args.folder).map_err(failed)?;
    say(format!("Manual pages in {folder}; `man {folder}/chronotap.1` shows the first"));
    Ok(CommandVerdict::Passed)
}
