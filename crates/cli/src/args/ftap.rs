//! The arguments that concern configuration files of FTAP.

use clap::Args;
use std::path::PathBuf;

/// Make a trial file from a configuration file of FTAP.
///
/// Every keyword that FTAP's public documents explain is translated. Every other line is kept
/// as a comment with its number, and reported. Where the documents leave a meaning open,
/// --reading chooses it, and the trial file records the choice. `check`, `run`, `simulate` and
/// `render` take a configuration file as it is.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_ftap::Readings::help())]
pub struct ImportFtap {
    /// The configuration file of FTAP
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The trial file to write; an existing file is refused [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
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
}
