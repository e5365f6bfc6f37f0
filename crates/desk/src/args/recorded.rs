//! The arguments of commands that take recorded trials: replay, ear, summary, recover.

use clap::Args;
use std::path::PathBuf;

/// Repeat the decisions of a recorded trial and compare.
///
/// The recorded inputs go through the engine again, and every action must be the recorded one,
/// to the nanosecond. Every derived column is worked out again, and so is the summary. The
/// table must have the checksum that was written with it. If anything differs, the first
/// difference is shown and the exit status is 1. Not checked, because only the machine knew
/// them: the recorded times themselves, and what the .json says about the machine, its ports
/// and their counts.
#[derive(Args, Debug)]
pub struct Replay {
    /// The events file of the trial, NAME_events.tsv, with its .json beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Read the recorded sound of taps once more and compare.
///
/// For trials with an input `ear:` whose sound was kept. Each tap has the onset that was heard
/// while the trial ran; when the trial was over, its sound was read once more for a more exact
/// one. This does it again, and says how many taps are found, and how far their onsets are from
/// the live ones. If anything is not as the events file has it, or the sound is not there, the
/// exit status is 1. Nothing is changed.
#[derive(Args, Debug)]
pub struct EarArgs {
    /// Events files, NAME_events.tsv, each with its .json beside it; for a directory, all
    /// events files in it, or below it if it has none, as a dataset. The sound is in `sourcedata`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// Summarize recorded trials from their events files.
///
/// For one file it prints the summary shown after a trial, and below it every estimate with its
/// 95 % interval. For a trial that was recovered from its journal, this is the only way to see
/// it. For several files it prints a line for each trial, means over the trials of each trial
/// file, and how many trials had which greatest lateness. Files that cannot be read are named,
/// and the others are summarized. Ctrl-C stops and prints what is done so far.
#[derive(Args, Debug)]
pub struct SummaryArgs {
    /// Events files, NAME_events.tsv, each with its .json beside it; for a directory, all
    /// events files in it, or below it if it has none, as a dataset
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print a table for a statistics program: every statistic under its name with the ends of
    /// its interval (NAME_low, NAME_high), one line for each trial, input and stream
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// Add a line to the table for each stretch of the trial
    #[arg(long, requires = "tsv")]
    pub stretches: bool,
    /// Print as JSON, one line for each trial
    #[arg(long)]
    pub json: bool,
    /// Explain the terms below the summary of a single trial
    #[arg(long, conflicts_with_all = ["json", "tsv"])]
    pub notation: bool,
}

/// Make data files from the journal of a trial that was cut short.
///
/// Reads NAME.journal, drops the last line if a crash or power cut left it incomplete, and
/// writes NAME_events.tsv and NAME_events.json beside it. Once both are on the disk, it removes
/// the journal. If more of the journal is damaged, it continues after the damage, marks those
/// rows, keeps the journal, and exits with 1. Nothing is overwritten.
#[derive(Args, Debug)]
pub struct Recover {
    /// The journal, NAME.journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
