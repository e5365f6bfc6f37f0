//! What `chronotap report` may be told.

use super::analyze::Rules;
use clap::Args;
use std::path::PathBuf;

/// Write a report of recorded trials: one page that needs no network.
///
/// Says first whether the data can be used and what is odd about them. Then the design, the
/// conditions compared, each participant's taps, asynchronies, intervals, directions and
/// responses to perturbations with the models behind them, the timing of every trial with the
/// rights it had, what was left out and why, and a paragraph for the methods section with the
/// figures of these very data. Only an earlier report is replaced. The exit status is 1 where
/// a trial could not be read, or was changed since it was written.
#[derive(Args, Debug)]
pub struct TrialsReport {
    /// A dataset, or events files of trials, NAME_events.tsv
    #[arg(value_name = "DATASET|FILE", required = true)]
    pub paths: Vec<PathBuf>,
    /// The page [default: derivatives/chronotap/report.html in the dataset; of a single
    /// trial NAME_report.html in the current folder]
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Only the trials of this participant; may stand several times
    #[arg(long, value_name = "LABEL")]
    pub participant: Vec<String>,
    /// Only the trials of this session
    #[arg(long, value_name = "LABEL")]
    pub session: Option<String>,
    #[command(flatten)]
    pub rules: Rules,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}
