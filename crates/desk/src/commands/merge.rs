//! `chronotap merge`: the shares of a simulation as one dataset.

use crate::CommandVerdict;
use crate::args::Merge;
use crate::commands::{remove_unfinished, take_over_ctrl_c};
use crate::screen::say;
use anyhow::{Result, bail};
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::merge::merge as put_together;

pub fn merge(args: &Merge) -> Result<CommandVerdict> {
    if let Some(file) = args.shares.iter().find(|share| share.is_file()) {
        bail!(
            "{}: a file, and merge takes the datasets that `simulate --shard` made; give a share of \
             `analyze` or `power` to the same command with --shares",
            file.display()
        );
    }
    let shares: Vec<Dataset> =
        args.shares.iter().map(|share| Dataset::open(share)).collect::<Result<_, _>>()?;
    remove_unfinished(&args.whole);
    let interrupt = take_over_ctrl_c()?;
    let merged = put_together(&shares, &args.whole, &|| interrupt.requested())?;
    if !args.quiet {
        let (shares, people) =
            (counted(shares.len(), "share"), counted(merged.participants, "participant"));
        say(format!("{shares}, {people}, {}", counted(merged.files, "file")));
        say(args.whole.display());
    }
    Ok(CommandVerdict::Passed)
}
