//! Arguments of `chronotap pack` and `chronotap open`.

use super::exchange::RehearsalArgs;
use clap::Args;
use std::path::PathBuf;

/// Make one file of a study, or of a finished one, for another laboratory or a reviewer.
///
/// Of a study (an experiment file) it holds all files, every plan, and the tables of a rehearsal. Of a
/// dataset it holds the events of all trials, journals, the study, and the tables of the analysis, which
/// are made anew. Nothing of anybody who withdrew is packed, and nothing that was asked about persons
/// unless you say so; what is left out is named. The same input gives the same bytes. Before the file
/// is there, everything is checked as `chronotap open` does. It is a ZIP archive; see
/// docs/handing-over.md.
#[derive(Args, Debug)]
pub struct Pack {
    /// The experiment file of a study, or the folder of a dataset
    #[arg(value_name = "STUDY|DATASET")]
    pub path: PathBuf,
    /// The file to make; no existing file is replaced
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Pack what was asked about persons, too: the columns of participants.tsv behind k, and the
    /// answers in the journals
    #[arg(long)]
    pub with_persons: bool,
    /// Print only errors
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub rehearsed: RehearsalArgs,
}

/// Open a file that `chronotap pack` made, and check it.
///
/// Works out every plan, table and number again, of a study by a rehearsal, of data from events and
/// journals alone, and compares them with what was packed. Says which devices differ from those of
/// this machine. Writes everything into a new folder, with a page that shows the published effect,
/// that of a rehearsal, and that of the data. The exit status is 1 if a number differs; then table, row and
/// column are named, with both values. A file that is damaged or unsafe is refused, and leaves nothing.
#[derive(Args, Debug)]
pub struct Open {
    /// The file that was packed
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The folder to make [default: the name of the file without its ending]
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
    /// The machine file of this computer [default: ~/.config/chronotap/machine.toml if it exists]
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
    /// Print only what differs, and errors
    #[arg(long, short)]
    pub quiet: bool,
}
