//! [`Suite`]: what may stand after every timing test. The comments are the help texts.

use super::LoadName;
use crate::says::parsed;
use chronotap_bench::studies::loads::LoadLimits;
use chronotap_bench::timing::{Length, Purpose};
use chronotap_linux::cards::CardName;
use clap::Args;
use std::path::PathBuf;

/// How long the tests go on, what they are called, and where the results go.
#[derive(Args, Debug)]
pub struct Suite {
    #[command(flatten)]
    pub length: Lengths,
    /// What the machine does meanwhile: names as `chronotap load` lists them, with commas, or
    /// `all`; each test runs once beside each [default: none; `clock` has three of its own, for
    /// `all` see its help]
    #[arg(long = "load", value_name = "NAME,...", value_delimiter = ',')]
    pub loads: Vec<LoadName>,
    /// Size of each file of a disk load, in MB of 10^6 bytes [default: 500 for varoquaux, else
    /// 350]
    #[arg(long, value_name = "MB", requires = "loads", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub load_size: Option<u64>,
    /// Have each write of a senoner load wait until it is on the disk (the fourth argument of
    /// latencytest's do_tests)
    #[arg(long, requires = "loads")]
    pub load_sync: bool,
    /// The card of the load `effects`, as `chronotap load` takes it [default: virtual, a timer]
    #[arg(long, value_name = "CARD", requires = "loads", value_parser = parsed::<CardName>)]
    pub load_card: Option<CardName>,
    /// A name for the machine or the tuning, for legends; files of the same label are
    /// compared as runs of the same thing [default: the host's name]
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    #[command(flatten)]
    pub purposes: Purposes,
    /// Directory for the results; created if missing; nothing is overwritten
    #[arg(long, value_name = "DIR", default_value = "timing", help_heading = "Output")]
    pub output: PathBuf,
    #[command(flatten)]
    pub form: PrintedAs,
}

impl Suite {
    /// How its loads are done.
    pub fn limits(&self) -> LoadLimits {
        let usual = LoadLimits::default();
        let card = self.load_card.clone().unwrap_or_else(|| usual.card.clone());
        LoadLimits { size_mb: self.load_size, sync: self.load_sync, card, ..usual }
    }
}

/// What the verdicts are for.
#[derive(Args, Debug)]
pub struct Purposes {
    /// What the machine is for, with commas: `tapping` (exact to 1 ms), or audio in periods,
    /// such as `audio:64@48000` (frames, Hz). There is a verdict for each; the exit status is
    /// that of the first
    #[arg(long = "for", value_name = "PURPOSE,...", value_delimiter = ',', default_values = ["tapping", "audio:64@48000"], value_parser = parsed::<Purpose>)]
    pub purposes: Vec<Purpose>,
}

/// What is printed.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(multiple = false)]
#[command(next_help_heading = "Output")]
pub struct PrintedAs {
    /// Print the results as JSON instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print the statistics as comma-separated values instead, each with its unit
    #[arg(long)]
    pub csv: bool,
    /// Print the page instead
    #[arg(long)]
    pub html: bool,
    /// Print a paragraph and a table for the methods section of a paper instead, in Markdown
    #[arg(long)]
    pub methods: bool,
}

/// How long.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub struct Lengths {
    /// A few seconds for each test: does it work, and roughly how well
    #[arg(long)]
    pub quick: bool,
    /// A minute or two for each test (the default)
    #[arg(long)]
    pub normal: bool,
    /// As long as in the study that the test comes from, or until rare events show
    #[arg(long)]
    pub full: bool,
}

impl Lengths {
    /// The one that was chosen.
    pub fn chosen(self) -> Length {
        match (self.quick, self.full) {
            (true, _) => Length::Quick,
            (_, true) => Length::Full,
            _ => Length::Normal,
        }
    }
}
