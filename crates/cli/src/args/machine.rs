//! The arguments of commands that concern the machine and its ports.

use super::options::{ports, whole_seconds};
use crate::says::parsed;
use chronotap_linux::cards::CardName;
use clap::Args;
use std::path::PathBuf;

/// List the ports that this machine offers.
#[derive(Args, Debug)]
#[command(after_long_help = ports())]
pub struct PortsArgs {
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Show what arrives at a port until Ctrl-C.
///
/// Prints one line per message: time since the start, interval since the last press, kind,
/// channel, note, velocity. The column `stamp` says where the time was taken. If the device is
/// unplugged, the command waits and continues when it is plugged in again.
#[derive(Args, Debug)]
#[command(after_long_help = ports())]
pub struct Monitor {
    /// The port, such as raw:/dev/snd/midiC1D0
    #[arg(long = "in", value_name = "PORT")]
    pub input: String,
}

/// Give the machine something to do while it is measured.
///
/// These are the loads of the studies that the timing tests come from: arithmetic, disk, /proc,
/// drawing, stress-ng, effects of sound. Without a name they are listed, with the reason if one
/// cannot run here. Each runs with ordinary priority (the sound of `effects` at SCHED_FIFO 70, or
/// as its server has it), ends by itself and leaves no files behind. At its end it says how much it
/// did.
#[derive(Args, Debug)]
pub struct LoadArguments {
    /// The load
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// End after this time, 1 s to a day; a number alone counts s
    #[arg(long = "duration", alias = "seconds", value_name = "TIME", default_value = "60 s", value_parser = whole_seconds)]
    pub seconds: u32,
    /// Processor to run on, from 0 [default: any]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// Directory for the files of a disk load [default: /var/tmp]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Size of each file in MB of 10^6 bytes [default: 500 for varoquaux, else 350]
    #[arg(long = "size", value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub size_mb: Option<u64>,
    /// Wait after each write of 1 MB until it is on the disk, as the fourth argument of
    /// latencytest's do_tests asks (senoner loads that write) [default: at the end of each file]
    #[arg(long)]
    pub sync: bool,
    /// The card through which `effects` are computed: `jack`, `alsa:hw:CARD,DEVICE`, or `virtual`,
    /// a timer
    #[arg(long, value_name = "CARD", default_value = "virtual", value_parser = parsed::<CardName>)]
    pub card: CardName,
    /// End when standard input closes, as happens when the program that started it has gone
    #[arg(long)]
    pub until_input_ends: bool,
    /// Print as JSON, one line when it has begun and one at the end
    #[arg(long)]
    pub json: bool,
}

/// Say what on this machine spoils timing, and how to cure it.
///
/// Looks at rights, kernel, clock, processors, background noise, memory, sound and USB, and
/// answers OK, NOTE, BAD or UNKNOWN. Each answer has the reason, the command that cures it,
/// whether that needs a restart, and the command that undoes it. Changes nothing without --fix.
/// The exit status is 1 if anything is BAD, and with --fix if the cure did not help.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Print facts and findings as JSON
    #[arg(long)]
    pub json: bool,
    /// Carry out the cure of this check, until the next restart of the machine; can be given
    /// several times. First shows and stores how to undo it, then prints the value before and
    /// after. Cures that are not safe on a running machine are refused
    #[arg(long, value_name = "NAME")]
    pub fix: Vec<String>,
    /// Take back what the last --fix changed that was not taken back yet, by the commands that it
    /// stored; with --measure, before and after
    #[arg(long, conflicts_with_all = ["fix", "facts"])]
    pub undo: bool,
    /// Measure the lateness of wake-ups for 5 s; with --fix, before and after
    #[arg(long)]
    pub measure: bool,
    /// Judge the machine described in this file: the output of --json there, or a result of
    /// `chronotap timing`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "measure"])]
    pub facts: Option<PathBuf>,
}
