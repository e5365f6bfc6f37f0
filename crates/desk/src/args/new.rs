//! Arguments of `chronotap new`.

use clap::Args;
use std::path::PathBuf;

/// Write a ready-made study for you to change and run; without a name, list them.
///
/// Each is an experiment file with its trial files and instructions, with usual parameters and
/// their sources. No existing file is overwritten.
#[derive(Args, Debug)]
pub struct New {
    /// The paradigm, one of those in the list
    #[arg(value_name = "PARADIGM")]
    pub paradigm: Option<String>,
    /// The folder to write into; created if missing [default: the paradigm's name]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}
