//! What `chronotap export` and `chronotap gather` may be told.

use super::analyze::Rules;
use super::options::longest;
use chronotap_core::time::Nanos;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Write tables for other programs, as CSV, Parquet or a workbook, and recorded trials as MIDI or FTAP files.
///
/// Takes single tab-separated tables or a dataset. Every table of a dataset (participants,
/// trials, events, results of the analysis) becomes a file of the same name in the new folder.
/// Columns keep their names. Columns that end in `_ns` are whole numbers, labels stay text even
/// if they look like numbers, and `n/a` becomes a missing value. In CSV, text that a spreadsheet
/// would compute (`=1+1`) has an apostrophe before it, and so has text that begins with one: drop
/// the first apostrophe to have it as it was. Numbers are not changed.
#[derive(Args, Debug)]
pub struct Export {
    /// A dataset, or tables (.tsv)
    #[arg(value_name = "DATASET|TABLE", required = true)]
    pub paths: Vec<PathBuf>,
    /// The folder for the files; created if missing. No existing file is replaced
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
    /// The format
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = Format::Csv)]
    pub format: Format,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated, as in RFC 4180.
    Csv,
    /// Apache Parquet, compressed by LZ4.
    Parquet,
    /// One workbook of a dataset for spreadsheets, JASP and jamovi: trials, conditions, outcome,
    /// contrasts and participants, each on a sheet, and what every column holds. It needs
    /// `chronotap analyze` first
    Xlsx,
    /// Standard MIDI Files from events files, each with its .json beside it; other tables are
    /// skipped.
    Midi,
    /// Data files of FTAP (.abs) from events files, in columns that docs/ftap.md describes.
    Ftap,
}

impl Format {
    /// Whether it is made of recorded trials, and of no other tables.
    pub fn is_of_trials(self) -> bool {
        matches!(self, Format::Midi | Format::Ftap)
    }

    /// What its files end in, and its name behind `--as`.
    pub fn ending(self) -> (&'static str, &'static str) {
        match self {
            Format::Csv => ("csv", "csv"),
            Format::Parquet => ("parquet", "parquet"),
            Format::Midi => ("mid", "midi"),
            Format::Ftap => ("abs", "ftap"),
            Format::Xlsx => ("xlsx", "xlsx"),
        }
    }
}

/// Gather many datasets into partitioned Parquet, for queries over all of them.
///
/// Analyzes each dataset and writes three tables, with the same columns from every dataset:
/// taps, trials (with all measures) and participants. Each has a folder `dataset=NAME` for each
/// dataset. Times are whole nanoseconds. You can name an experiment file instead of a dataset;
/// the study is then rehearsed in memory, without files for its trials.
/// docs/scripts-and-clusters.md has queries for polars, DuckDB and Dask. The exit status is 1 if
/// a trial could not be read, or was still running at its bound (--for).
#[derive(Args, Debug)]
pub struct Gather {
    /// The datasets, or experiment files
    #[arg(value_name = "DATASET|STUDY", required = true)]
    pub datasets: Vec<PathBuf>,
    /// The folder to create
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub rehearsed: RehearsalArgs,
}

/// Put together the shares of a simulation that several computers made.
///
/// Each share is the dataset of `chronotap simulate STUDY --shard I/N`. The whole is the dataset that one
/// computer would have made, byte for byte, however the work was shared. Shares of different studies or
/// numbers of participants, one that is named twice, and one that is missing are refused, and nothing is
/// left of the whole. docs/scripts-and-clusters.md has an example for a cluster.
///
/// The shares of `analyze` and `power` are files: give them to the same command, with --shares.
#[derive(Args, Debug)]
pub struct Merge {
    /// The datasets of all shares
    #[arg(value_name = "SHARE", required = true)]
    pub shares: Vec<PathBuf>,
    /// The folder to create
    #[arg(value_name = "WHOLE")]
    pub whole: PathBuf,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// How studies are rehearsed that are gathered.
#[derive(Args, Debug)]
#[command(next_help_heading = "Experiment files")]
pub struct RehearsalArgs {
    /// How many participants a study has [default: as many as the study plans]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub participants: Option<u32>,
    /// Who taps, such as "tapper, mean = -30 +- 10 ms"; see docs/participants.md
    #[arg(long, value_name = "MODEL")]
    pub simulate: Option<String>,
    /// Longest virtual time of a trial, such as "90 s" or "5 min"; the trial ends there; a number
    /// alone counts s [default: 60 min; a trial that nothing ends needs one]
    #[arg(long = "for", value_name = "TIME", value_parser = longest)]
    pub longest: Option<Nanos>,
}
