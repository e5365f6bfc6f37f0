//! What `chronotap import-taps` may be told.

use crate::says::parsed;
use chronotap_data::exchange::taps::{Interval, KINDS, Kind, Place, Unit, kind_named};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Make a dataset of taps that another program recorded.
///
/// Reads tables (tabs, commas or semicolons between cells), logs of TeensyTap and Tap Arduino, REPP's
/// analyses, data files of FTAP, and Standard MIDI Files. The kind of file is told by its content, and said. The
/// dataset is new; `analyze`, `report`, `gather`, `summary`, `export`, `status`, `verify` and
/// `withdraw` take it like one of your own studies. It says that another program recorded it, from which file
/// each trial comes, and what is not known; the verdict on the timing is `unknown`.
///
/// Of a table, say which columns have what, and in which unit: s, ms, us, ns, or samples at 44100 Hz. A
/// file with a line for each event also needs the rows that count: --taps "time in ms where event = tap".
/// See docs/other-data.md.
#[derive(Args, Debug)]
#[command(after_long_help = kinds())]
pub struct ImportTaps {
    /// The files; all of one kind
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The folder of the new dataset; it must be empty or not exist
    #[arg(long, value_name = "DATASET")]
    pub data: PathBuf,
    /// The kind of files [default: told by their content]
    #[arg(long = "as", value_name = "KIND", value_parser = words())]
    pub kind: Option<String>,
    /// Title of the dataset [default: the name of its folder]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Name of the task, of letters and digits, in the names of files
    #[arg(long, value_name = "LABEL", default_value = "tapping")]
    pub task: String,
    /// Onsets of taps: a column and its unit; of a MIDI file a track, channel or note
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, help_heading = "Where things are")]
    pub taps: Option<Place>,
    /// Onsets of stimuli, the same way
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, help_heading = "Where things are")]
    pub stimuli: Option<Place>,
    /// A file with the stimuli of FILE; with several FILEs give it for each, in their order, or once
    /// for all
    #[arg(long, value_name = "FILE", help_heading = "Where things are")]
    pub stimuli_file: Vec<PathBuf>,
    /// Asynchronies, in place of onsets; needs --interval
    #[arg(long, value_name = "COLUMN in UNIT", value_parser = parsed::<Place>, requires = "interval",
        conflicts_with_all = ["taps", "stimuli"], help_heading = "Where things are")]
    pub asynchronies: Option<Place>,
    /// Time between stimuli: one for all, as "600 ms", or a column and its unit
    #[arg(long, value_name = "TIME|COLUMN in UNIT", value_parser = parsed::<Interval>, requires = "asynchronies",
        help_heading = "Where things are")]
    pub interval: Option<Interval>,
    /// Column with the number of the stimulus, from 1, of each asynchrony [default: each row is the next one]
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "asynchronies",
        help_heading = "Where things are"
    )]
    pub beat_column: Option<String>,
    /// Whose taps all of these are
    #[arg(
        long,
        value_name = "LABEL",
        conflicts_with = "participant_column",
        help_heading = "Where things are"
    )]
    pub participant: Option<String>,
    /// Column that says whose taps they are
    #[arg(long, value_name = "COLUMN", help_heading = "Where things are")]
    pub participant_column: Option<String>,
    /// Column with the number or name of the trial
    #[arg(long, value_name = "COLUMN", help_heading = "Where things are")]
    pub trial_column: Option<String>,
    /// Columns with conditions, which `analyze` then groups by
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Where things are")]
    pub condition_columns: Vec<String>,
    /// A comma is the decimal sign
    #[arg(long, help_heading = "Where things are")]
    pub decimal_comma: bool,
    /// The rows of a trial are not in the order of time
    #[arg(long, help_heading = "Where things are")]
    pub unsorted: bool,
    /// Of FTAP's data files: what their columns hold, as for `import-ftap`
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Where things are"
    )]
    pub columns: Vec<String>,
    /// Of Tap Arduino: the unit of its times, ms or us
    #[arg(long, value_name = "UNIT", value_parser = unit, help_heading = "Where things are")]
    pub unit: Option<Unit>,
    /// Of Tap Arduino: the reading above which a tap begins [default: 5, as in its sketch]
    #[arg(long, value_name = "N", help_heading = "Where things are")]
    pub threshold: Option<u32>,
}

impl ImportTaps {
    /// The kind that was named.
    pub fn kind(&self) -> Option<&'static Kind> {
        self.kind.as_deref().and_then(kind_named)
    }
}

fn words() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|kind| kind.word))
}

fn unit(words: &str) -> Result<Unit, String> {
    Unit::of(words).ok_or_else(|| "units are s, ms, us and ns".to_owned())
}

/// Every kind of file.
fn kinds() -> String {
    let row = |kind: &Kind| format!("  {:<12} {}\n", kind.word, kind.about);
    let rows: String = KINDS.iter().map(row).collect();
    format!("Kinds of files (--as):\n{}", rows.trim_end())
}
