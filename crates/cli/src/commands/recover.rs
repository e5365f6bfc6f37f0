//! `chronotap recover`: data files of a journal that was left behind.

use crate::args::Recover;
use crate::{Verdict, data};
use anyhow::Result;

/// Runs the command.
pub fn recover(args: &Recover) -> Result<Verdict> {
    let saved = chronotap_recorder::recover(&args.file)?;
    data::say_saved(&saved);
    Ok(Verdict::Passed)
}
