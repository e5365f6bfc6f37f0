//! Arguments of `chronotap plan`.

use clap::Args;
use std::path::PathBuf;

/// Print which trials a participant of a study does, in which order.
///
/// The plan assumes that participants 1, 2, ... come in this order, because it looks at no
/// dataset. A label that is not a number is treated as the first participant.
#[derive(Args, Debug)]
pub struct PlanArgs {
    /// The experiment file
    #[arg(value_name = "STUDY", required_unless_present = "reference")]
    pub study: Option<PathBuf>,
    /// The participant's label: letters and digits
    #[arg(long, value_name = "LABEL", required_unless_present = "reference")]
    pub participant: Option<String>,
    /// The session
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub session: u32,
    /// The participant's level of a factor between participants, instead of assigning it:
    /// FACTOR=LEVEL; can be given several times
    #[arg(long, value_name = "FACTOR=LEVEL", value_parser = pair)]
    pub between: Vec<(String, String)>,
    /// Print as tab-separated values: trial, step, block, repetition, each factor, seed
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Print as JSON, with everything that is set in each trial
    #[arg(long)]
    pub json: bool,
    /// Print every key that an experiment file can have: meaning, unit, default, range
    #[arg(long)]
    pub reference: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let split = text.split_once('=').filter(|(name, level)| !name.is_empty() && !level.is_empty());
    let (name, level) = split.ok_or("write FACTOR=LEVEL, such as hand=left")?;
    Ok((name.trim().to_owned(), level.trim().to_owned()))
}
