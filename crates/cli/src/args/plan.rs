//! Arguments of `chronotap plan`.

use clap::Args;
use std::path::PathBuf;

/// Print which trials a participant of a study does, in which order.
///
/// Without a dataset: participants 1, 2, ... are assigned in order, so that the plan is
/// the one that a study gets whose participants come in that order. A label that is no
/// number is assigned as the first.
#[derive(Args, Debug)]
pub struct Plan {
    /// The experiment file
    #[arg(value_name = "STUDY", required_unless_present = "reference")]
    pub study: Option<PathBuf>,
    /// The participant's label: letters and digits
    #[arg(long, value_name = "LABEL", required_unless_present = "reference")]
    pub participant: Option<String>,
    /// The session
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub session: u32,
    /// A level between participants, which else is assigned: FACTOR=LEVEL; may stand
    /// several times
    #[arg(long, value_name = "FACTOR=LEVEL", value_parser = pair)]
    pub between: Vec<(String, String)>,
    /// Print as tab-separated values: trial, step, block, repetition, each factor, seed
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Print as JSON, with everything that is set in each trial
    #[arg(long)]
    pub json: bool,
    /// Print every key an experiment file may hold: meaning, unit, default, range
    #[arg(long)]
    pub reference: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let split = text.split_once('=').filter(|(name, level)| !name.is_empty() && !level.is_empty());
    let (name, level) = split.ok_or("write FACTOR=LEVEL, such as hand=left")?;
    Ok((name.trim().to_owned(), level.trim().to_owned()))
}
