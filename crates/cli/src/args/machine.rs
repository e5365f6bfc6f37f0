//! The arguments of commands that concern the machine and its ports.

use super::options::{ports, whole_seconds};
use clap::Args;
use std::path::PathBuf;

/// List the ports that this machine offers.
#[derive(Args, Debug)]
#[command(after_long_help = ports())]
pub struct Ports {
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Show what arrives at a port until Ctrl-C.
///
/// One line per message: time since the start, interval since the last press, kind,
/// channel, note, velocity. Who took the time stands in the column `stamp`. A device
/// that is unplugged is looked for, and shown again once it is plugged in.
#[derive(Args, Debug)]
#[command(after_long_help = ports())]
pub struct Monitor {
    /// The port, as in raw:/dev/snd/midiC1D0
    #[arg(long = "in", value_name = "PORT")]
    pub input: String,
}

/// Give the machine something to do while it is measured.
///
/// The loads of the studies that the timing tests come from: arithmetic, disk, /proc,
/// drawing, stress-ng. Without a name they are listed, and those that cannot run here
/// say why. Each runs with ordinary priority, ends by itself, and leaves no file
/// behind, however it ends; then it says how much it did.
#[derive(Args, Debug)]
pub struct LoadArguments {
    /// Which one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Ends after this time, 1 s to a day
    #[arg(long = "duration", alias = "seconds", value_name = "TIME", default_value = "60 s", value_parser = whole_seconds)]
    pub seconds: u32,
    /// Processor to keep to, from 0 [default: any]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// Directory of the files of a disk load [default: /var/tmp]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Size of each file in MB of 10^6 bytes [default: 500 for varoquaux, else 350]
    #[arg(long = "size", value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub size_mb: Option<u64>,
    /// End when standard input closes, as it does when whoever started it is gone
    #[arg(long)]
    pub until_input_ends: bool,
    /// Print as JSON, one line when it has begun and one at the end
    #[arg(long)]
    pub json: bool,
}

/// Say what on this machine spoils timing, and what cures it.
///
/// Looks at rights, kernel, clock, processors, background noise, memory, sound and
/// USB, and answers OK, NOTE, BAD or UNKNOWN: with the reason, the command that
/// cures it, whether that needs a restart, and the command that undoes it. Changes
/// nothing unless --fix says so. The exit status is 1 where anything is BAD, and with
/// --fix where the cure did not help.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Print facts and findings as JSON
    #[arg(long)]
    pub json: bool,
    /// Carry out the cure of this check, until the next restart of the machine; may be
    /// given several times. Says and stores how to undo it before anything changes, then
    /// prints what was and what is. Refused for what is not safe while the machine runs
    #[arg(long, value_name = "NAME")]
    pub fix: Vec<String>,
    /// Measure the lateness of wake-ups for 5 s; with --fix before and after it
    #[arg(long)]
    pub measure: bool,
    /// Judge the machine in this file: what --json printed there, or a result of
    /// `chronotap timing`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "measure"])]
    pub facts: Option<PathBuf>,
}
