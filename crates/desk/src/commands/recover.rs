//! `chronotap recover`: data files of a journal that was left behind.

use crate::args::Recover;
use crate::screen::complain;
use crate::{CommandVerdict, data};
use anyhow::Result;
use chronotap_data::record::MOST_JUDGED;

/// Runs the command. A journal that is damaged in its middle is a failed check.
pub fn recover(args: &Recover) -> Result<CommandVerdict> {
    let recovery = chronotap_recorder::recover(&args.file)?;
    data::say_saved(&recovery.saved);
    if !recovery.judged && recovery.kept.is_none() {
        complain(&format!(
            "what became of each tap is not told: the trial has more than {MOST_JUDGED} taps and \
             beats"
        ));
    }
    let Some(kept) = &recovery.kept else { return Ok(CommandVerdict::Passed) };
    let kept = kept.display();
    complain(&format!(
        "{kept}: damaged, and therefore kept; the events files hold what could be read, rows \
         behind the damage flagged `behind gap`; copy the journal before you do more with it"
    ));
    recovery.missing.iter().for_each(|one| complain(&format!("missing: {one}")));
    Ok(CommandVerdict::Failed)
}
