//! `chronotap correct`: what was entered about a participant is put right.

use super::study::pairs;
use crate::CommandVerdict;
use crate::args::Correct;
use crate::screen::{say, wrapped};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::correct::{CorrectionOutcome, ParticipantCorrection, correct as put_right};

pub fn correct(args: &Correct) -> Result<CommandVerdict> {
    let dataset = Dataset::open(&args.dataset)?;
    let label = args.participant.trim_start_matches("sub-").to_owned();
    let values = pairs("--set", &args.set)?;
    let (reason, by) = (args.reason.clone(), args.by.clone());
    let correction = ParticipantCorrection { label, values, reason, by };
    tell(&correction.label, &put_right(&dataset, &correction)?);
    Ok(CommandVerdict::Passed)
}

/// What changed, and what is to be made again.
fn tell(label: &str, done: &CorrectionOutcome) {
    say(format!("participant {label}"));
    for (name, was, is) in &done.changed {
        let was = if was.is_empty() { "nothing" } else { was };
        say(format!("  {name}: {is} (was {was})"));
    }
    let sessions = counted(done.planned, "session");
    match done.trials {
        0 if done.planned == 0 => {} // the group is as it was
        0 => say(format!("  {sessions} planned anew")),
        n => say(wrapped(
            &format!(
                "{} of {sessions} are the same in both groups and stay; analyses, reports and exports \
                 made before have what it was: make them again",
                counted(n, "trial")
            ),
            "  ",
        )),
    }
}
