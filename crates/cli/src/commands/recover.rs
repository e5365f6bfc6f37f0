//! `chronotap recover`: data files of a journal that was left behind.

use crate::Verdict;
use crate::args::Recover;
use crate::screen::say;
use anyhow::Result;

/// Runs the command.
pub fn recover(args: &Recover) -> Result<Verdict> {
    let saved = chronotap_record::recover(&args.file)?;
    say(format!("Data: {} ({} events)", saved.tsv.display(), saved.rows));
    say(format!("      {}", saved.json.display()));
    Ok(Verdict::Passed)
}
