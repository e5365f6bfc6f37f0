//! `chronotap backup`: a copy of a dataset, checked.

use crate::CommandVerdict;
use crate::args::Backup;
use crate::screen::say;
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::backup::backup as copy;

pub fn backup(args: &Backup) -> Result<CommandVerdict> {
    let copied = copy(&Dataset::open(&args.dataset)?, &args.to)?;
    let to = args.to.display();
    let files = counted(copied.files, "file");
    say(format!("{files}, {} bytes copied to {to}; each is the same", copied.bytes));
    Ok(CommandVerdict::Passed)
}
