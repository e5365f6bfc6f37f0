//! `chronotap dropout`: somebody will not come back, and their place is free.

use crate::CommandVerdict;
use crate::args::Dropout;
use crate::screen::{say, wrapped};
use anyhow::Result;
use chronotap_session::dropout::{DropOut, drop_out};
use chronotap_session::{Attrition, Dataset};

pub fn dropout(args: &Dropout) -> Result<CommandVerdict> {
    let dataset = Dataset::open(&args.dataset)?;
    let label = args.participant.trim_start_matches("sub-").to_owned();
    let (reason, by, back) = (args.reason.clone(), args.by.clone(), args.undo);
    let said = DropOut { label, reason, by, back };
    let now = drop_out(&dataset, &said)?;
    say(wrapped(&format!("participant {} {}", said.label, state_of(now)), ""));
    Ok(CommandVerdict::Passed)
}

/// What holds now.
fn state_of(now: Option<Attrition>) -> &'static str {
    match now {
        Some(Attrition::DroppedOut) => {
            "dropped out: the data stay, and the place in the group is given again"
        }
        Some(Attrition::Declined | Attrition::Ended) => {
            "is back as before: an answer had ended the participation"
        }
        None => "takes part again",
    }
}
