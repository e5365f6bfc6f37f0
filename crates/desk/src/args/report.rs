//! What `chronotap report` may be told.

use super::analyze::Rules;
use clap::Args;
use std::path::PathBuf;

/// Write a report of recorded trials: one page that needs no network.
///
/// The page first says whether the data can be used and what is unusual about them. Then come
/// the design, the conditions compared, each participant's results with the models behind them,
/// the timing and rights of every trial, what was left out and why, and a paragraph for your
/// methods section with the figures of these data. Only an earlier report is replaced. The exit
/// status is 1 if a trial could not be read or was changed after it was written.
#[derive(Args, Debug)]
pub struct TrialsReport {
    /// A dataset, or events files of trials, NAME_events.tsv
    #[arg(value_name = "DATASET|FILE", required = true)]
    pub paths: Vec<PathBuf>,
    /// The page [default: derivatives/chronotap/report.html in the dataset; for a single trial,
    /// NAME_report.html in the current folder]
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Also write each figure of the page into this folder, as an SVG and a PDF file; it must lie
    /// outside the dataset
    #[arg(long, value_name = "FOLDER")]
    pub figures: Option<PathBuf>,
    /// Only the trials of this participant; can be given several times
    #[arg(long, value_name = "LABEL")]
    pub participant: Vec<String>,
    /// Only the trials of this session
    #[arg(long, value_name = "LABEL")]
    pub session: Option<String>,
    #[command(flatten)]
    pub rules: Rules,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
}
