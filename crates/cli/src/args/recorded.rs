//! The arguments of commands that take recorded trials: replay, summary, recover.

use clap::Args;
use std::path::PathBuf;

/// Put a recorded trial's inputs through the engine again and compare.
///
/// The actions must be the recorded ones to the nanosecond. Every column that follows
/// from others is worked out anew, and so is the summary; the table must have the
/// checksum that was written with it. The first difference is shown and the exit status
/// is 1. Not checked: the recorded times themselves, and what the .json says of the machine,
/// its ports and what they counted, which only the machine knew.
#[derive(Args, Debug)]
pub struct Replay {
    /// The events file of the trial, NAME_events.tsv, its .json beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Sum up recorded trials from their events files.
///
/// For one file the text is that which stands on the screen after a trial, and below it
/// every estimate with its interval for 95 %; a trial that was recovered from its journal
/// has it only from here. For several: a line for each
/// trial, means over the trials of each trial file, and how many trials had which
/// greatest lateness. Files that cannot be read are named, and the others summed up.
/// Ctrl-C ends with what is done.
#[derive(Args, Debug)]
pub struct SummaryArgs {
    /// Events files, NAME_events.tsv, each with its .json beside it; of a directory all
    /// that are in it
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print a table for a statistics program: every statistic by its name, with the ends
    /// of its interval (NAME_low, NAME_high), a line for each trial, input and stream
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// In the table, a further line for each stretch of the trial
    #[arg(long, requires = "tsv")]
    pub stretches: bool,
    /// Print as JSON, one line for each trial
    #[arg(long)]
    pub json: bool,
    /// Say after the summary of a single trial what its words mean
    #[arg(long, conflicts_with_all = ["json", "tsv"])]
    pub notation: bool,
}

/// Make data files of the journal of a trial that was cut short.
///
/// Reads NAME.journal, drops a last line that was torn by a crash or power cut, writes
/// NAME_events.tsv and NAME_events.json beside it, and removes the journal once
/// both are on the disk. Where more of it is damaged it goes on behind the damage,
/// marks those rows, keeps the journal, and exits with 1. Nothing is overwritten.
#[derive(Args, Debug)]
pub struct Recover {
    /// The journal, NAME.journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
