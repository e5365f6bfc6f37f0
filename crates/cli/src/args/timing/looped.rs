//! What may stand after `chronotap timing loop`, which tests ports, not the machine, and
//! so shares little with the other tests.

use super::suite::Lengths;
use crate::args::RealTime;
use crate::says::parsed;
use chronotap_bench::studies::Load;
use clap::Args;
use std::path::PathBuf;

/// Let messages circulate from an output to an input and back (Finney 2001).
///
/// Connect the output to the input by a cable, or name `wire` for both. One note-on and one
/// note-off, 1 ms apart, go round until enough have come in (--inputs). Says how fast and how
/// evenly they travelled, what was lost, doubled or changed, and what limits the rate. The exit
/// status is 1 if the ports are unfit for an experiment. Ctrl-C ends the test and keeps what
/// was measured. --repeat runs it again and again, as the hundred runs of the study, and prints
/// the maximum of each; --also tests further ports and sets all side by side.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_linux::ports::PortKinds::standard().help())]
pub struct LoopTest {
    /// The input's port, as in `chronotap run`
    #[arg(long = "in", value_name = "PORT")]
    pub input: String,
    /// The output's port
    #[arg(long = "out", value_name = "PORT")]
    pub output: String,
    #[command(flatten)]
    pub length: Lengths,
    /// How many messages must come in [default: 10000; 1000 with --quick, 1000000 with --full,
    /// which are the hundred runs of the study]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub inputs: Option<u32>,
    /// How many times the test runs, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub repeat: u32,
    /// Test these ports too, PORT or IN=OUT, such as another card or the same one with another
    /// driver; can be given several times
    #[arg(long, value_name = "PORT")]
    pub also: Vec<String>,
    /// Send single messages with random waits between them, and time each
    #[arg(long)]
    pub single: bool,
    /// How many single messages [default: 1000; 100 with --quick, 10000 with --full]
    #[arg(long, value_name = "N", requires = "single", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub samples: Option<u32>,
    /// What the machine does meanwhile: a name that `chronotap load` lists
    #[arg(long, value_name = "NAME", default_value = "none", hide_default_value = true, value_parser = parsed::<Load>)]
    pub load: Load,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Also leave files of results in this directory, for `chronotap timing compare`; nothing
    /// is overwritten
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// A name for the machine or the ports in them [default: the host's name]
    #[arg(long, value_name = "TEXT", requires = "results")]
    pub label: Option<String>,
    #[command(flatten)]
    pub realtime: RealTime,
}
