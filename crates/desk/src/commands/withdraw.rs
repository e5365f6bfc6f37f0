//! `chronotap withdraw`: a participant is taken out of a study.

use crate::CommandVerdict;
use crate::args::Withdraw;
use crate::commands::remove_unfinished;
use crate::says::{Terminal, done_to};
use crate::screen::say;
use crate::surroundings::here;
use anyhow::{Result, bail};
use chronotap_core::files::real;
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::spare::known;
use chronotap_session::withdraw::{Manner, TakenOut, withdraw as take_out};
use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};

pub fn withdraw(args: &Withdraw) -> Result<CommandVerdict> {
    let dataset = Dataset::open(&args.dataset)?;
    remove_unfinished(&real(&args.dataset).unwrap_or_else(|_| args.dataset.clone()));
    remove_unfinished(Path::new("pack"));
    let manner = if args.keep { Manner::Mark } else { Manner::Remove };
    let label = args.participant.trim_start_matches("sub-");
    if !args.yes && !agreed(label, manner)? {
        say("Nothing was changed.");
        return Ok(CommandVerdict::Failed);
    }
    let spare: Vec<PathBuf> = known().into_iter().chain(args.spare_data.clone()).collect();
    let done = take_out(&dataset, label, manner, &spare)?;
    here().forget_last_session();
    tell(label, manner, &done);
    Ok(CommandVerdict::of(done.left.is_empty()))
}

/// What was done, what is left to do, and what no program can reach.
fn tell(label: &str, manner: Manner, done: &TakenOut) {
    let files = counted(done.files, "file");
    match manner {
        Manner::Remove => say(format!("participant {label}: {files} removed")),
        Manner::Mark => {
            let stay = if done.files == 1 { "stays" } else { "stay" };
            say(format!("participant {label} is marked as withdrawn; {files} {stay}"))
        }
    }
    done.told.iter().for_each(|step| say(format!("  {}", done_to(step, Terminal))));
    if !done.left.is_empty() {
        say("Still there, for you to remove:");
        done.left.iter().for_each(|left| say(format!("  {left}")));
    }
    if manner == Manner::Remove {
        say(
            "Not reached, for you to remove: copies of this dataset, and exports, reports and tables that",
        );
        say("went to other folders, other computers or other people.");
    }
    done.look.iter().for_each(|look| say(format!("  {look}")));
}

/// Asks at a terminal.
fn agreed(label: &str, manner: Manner) -> Result<bool> {
    if !stdin().is_terminal() {
        bail!("nobody is there to be asked; confirm with --yes");
    }
    match manner {
        Manner::Remove => say(format!(
            "Remove all data of participant {label}, for good, and those of trial runs \
                 (DATASET-pilot)? (yes or no)"
        )),
        Manner::Mark => say(format!("Mark participant {label} as withdrawn? (yes or no)")),
    }
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(answer.trim() == "yes")
}
