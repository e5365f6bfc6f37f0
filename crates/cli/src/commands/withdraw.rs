//! `chronotap withdraw`: a participant is taken out of a study.

use crate::Verdict;
use crate::args::Withdraw;
use crate::screen::say;
use anyhow::{Result, bail};
use chronotap_session::Dataset;
use chronotap_session::withdraw::{Manner, withdraw as take_out};
use std::io::{IsTerminal, stdin};

/// Runs the command.
pub fn withdraw(args: &Withdraw) -> Result<Verdict> {
    let dataset = Dataset::open(&args.dataset)?;
    let manner = if args.keep { Manner::Mark } else { Manner::Remove };
    let label = args.participant.trim_start_matches("sub-");
    if !args.yes && !agreed(label, manner)? {
        say("Nothing was changed.");
        return Ok(Verdict::Failed);
    }
    let files = take_out(&dataset, label, manner)?;
    match manner {
        Manner::Remove => say(format!("participant {label}: {files} files removed")),
        Manner::Mark => {
            say(format!("participant {label} is marked as withdrawn; {files} files stay"))
        }
    }
    Ok(Verdict::Passed)
}

/// Asks at a terminal.
fn agreed(label: &str, manner: Manner) -> Result<bool> {
    if !stdin().is_terminal() {
        bail!("nobody is there to be asked; confirm with --yes");
    }
    match manner {
        Manner::Remove => {
            say(format!("Remove all data of participant {label}, for good? (yes or no)"))
        }
        Manner::Mark => say(format!("Mark participant {label} as withdrawn? (yes or no)")),
    }
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(answer.trim() == "yes")
}
