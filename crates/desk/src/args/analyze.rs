//! What `chronotap analyze` may be told.

use super::options::{debounce, shard};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use clap::Args;
use std::path::PathBuf;

/// Make tidy tables of recorded trials: taps, trials, conditions.
///
/// Reads a dataset (its tables sub-*_beh.tsv list the trials and their conditions) or single
/// events files. Writes three tab-separated tables, with one row for each tap, for each trial,
/// and for each participant and condition. Also writes a description of every column and a
/// record of what was done; the same command gives the same bytes again. Only an earlier
/// analysis is replaced. Only the options below leave anything out, and what they leave out is
/// marked in the tables and counted. The exit status is 1 if a trial could not be read or was
/// changed after it was written.
#[derive(Args, Debug)]
pub struct Analyze {
    /// A dataset, or events files of trials, NAME_events.tsv
    #[arg(value_name = "DATASET|FILE", required = true)]
    pub paths: Vec<PathBuf>,
    /// Folder for the tables [default: derivatives/chronotap in the dataset]
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// A contrast besides those of the study, in the words of `chronotap power`: `STATISTIC: FACTOR LEVEL -
    /// LEVEL [by FACTOR LEVEL - LEVEL]`, `STATISTIC: slope over FACTOR` (or each, curve, least, greatest), or
    /// `STATISTIC: [FACTOR LEVEL] against VALUE`; marked as not planned, and not
    /// corrected for their number; can be given several times
    #[arg(long, value_name = "CONTRAST")]
    pub contrast: Vec<String>,
    /// Measure a share of the trials, such as 2/8, the second eighth of them, and keep what was found
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "output", conflicts_with_all = ["to", "contrast"])]
    pub shard: Option<Shard>,
    /// File to be made of the share
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub output: Option<PathBuf>,
    /// Make the tables from all shares; name the same trials and leave out the same
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "shard")]
    pub shares: Vec<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
}

/// What is left out of an analysis.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "What is left out")]
pub struct Rules {
    /// Leave out taps that come sooner than this after the last one, before matching; a number
    /// alone counts ms
    #[arg(long, alias = "debounce-ms", value_name = "TIME", value_parser = debounce)]
    pub debounce: Option<Nanos>,
    /// Leave out the first N taps of each input
    #[arg(long, value_name = "N")]
    pub first_taps: Option<usize>,
    /// Leave out intervals over missed taps, and the parts of doubled ones
    #[arg(long)]
    pub slips: bool,
    /// Leave out intervals more than this many interquartile ranges outside the quartiles
    #[arg(long, value_name = "IQR")]
    pub interval_outliers: Option<f64>,
    /// Leave out asynchronies more than this many SD from their mean
    #[arg(long, value_name = "SD")]
    pub asynchrony_outliers: Option<f64>,
    /// Match taps within this share of the interval around each beat, in all trials: 0.05 to 0.5
    /// [default: the `window` of each stream in its trial file, otherwise 0.4]
    #[arg(long, value_name = "SHARE")]
    pub window: Option<f64>,
    /// Use trials even if their data were recorded as unusable
    #[arg(long)]
    pub with_unusable: bool,
}
