//! Arguments of `chronotap new`.

use clap::Args;
use std::path::PathBuf;

/// Write a ready-made study, to be changed and run; without a name, list them.
///
/// Each is an experiment file, its trial files and its instructions, with usual
/// parameters and their sources. Nothing that is there is overwritten.
#[derive(Args, Debug)]
pub struct New {
    /// The paradigm
    #[arg(value_name = "PARADIGM")]
    pub paradigm: Option<String>,
    /// The folder to write; made where it is missing [default: the paradigm's name]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}
