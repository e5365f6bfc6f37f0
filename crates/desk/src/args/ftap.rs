//! The arguments that concern configuration files of FTAP.

use clap::Args;
use std::path::PathBuf;

/// Make a trial file from a configuration file of FTAP, or a recorded trial from its data file.
///
/// What a trial file can say is translated. Every other line is refused with its number, until
/// --without says by name that it may be dropped; it is then kept as a comment, and reported.
/// Where FTAP's documents leave a meaning open, --reading chooses it, and the trial file records
/// the choice. `check`, `run`, `simulate` and `render` take a configuration file as it is.
///
/// A data file (.abs) becomes NAME_events.tsv with its .json in --data, which `summary`,
/// `analyze`, `report`, `play` and `export` read. --columns says which of its columns holds what,
/// unless the file says it itself; docs/ftap.md has more.
///
/// Of a folder everything is read: configuration files become trial files, data files recorded
/// trials, in the new folder --output, with one list of what was read how (imported.txt). Where a
/// file cannot be read, all mistakes are told and nothing is written.
#[derive(Args, Debug)]
#[command(after_long_help = readings())]
pub struct ImportFtap {
    /// The configuration file of FTAP, its data file (.abs), or a folder of them
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The trial file to write; an existing file is refused [default: standard output]. Of a
    /// folder: the new folder
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Of a data file: directory for the events files; created if missing [default: data]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Of a data file: what its columns hold, from the left: time (ms), kind, press, channel,
    /// note, velocity, id; - for one that is not read
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub columns: Vec<String>,
    /// Of a data file: what the columns of triggers hold, where they have fewer than others and it
    /// is not certain which
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(requires = "columns")]
    pub trigger_columns: Vec<String>,
    #[command(flatten)]
    pub ftap: OfFtap,
}

/// How a configuration file of FTAP is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of FTAP")]
pub struct OfFtap {
    /// How to read what FTAP's documents leave open, or a value missing in the file; can be
    /// given several times; see `import-ftap --help`
    #[arg(long = "reading", value_name = "NAME=VALUE")]
    pub readings: Vec<String>,
    /// Drop this part of the file, which no trial file can say, instead of refusing it; can be
    /// given several times; see `import-ftap --help`
    #[arg(long, value_name = "PART")]
    pub without: Vec<String>,
}

/// What can be read in more than one way.
fn readings() -> String {
    let all = chronotap_config::ftap::Readings::help();
    let parts = chronotap_config::ftap::parts_help();
    format!(
        "Readings (--reading NAME=VALUE); the first of each is the usual one:\n{all}\n\n\
         What can be dropped (--without PART); it is refused otherwise:\n{}",
        parts.trim_end()
    )
}
