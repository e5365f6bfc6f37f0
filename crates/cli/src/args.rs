//! What may stand on the command line of the commands that need Linux; that of all others stands in
//! `chronotap_desk::args`. The comments are the help texts.

mod console;
mod level;
#[cfg(feature = "lsl")]
mod listen;
#[cfg(feature = "lsl")]
mod lsl;
mod machine;
mod options;
mod playback;
mod threshold;
mod timing;

pub use chronotap_desk::args::*;
pub use console::Console;
pub use level::LevelArgs;
#[cfg(feature = "lsl")]
pub use listen::{Listen, Noted};
#[cfg(feature = "lsl")]
pub use lsl::Lsl;
pub use machine::{Doctor, LoadArguments, Monitor, PortsArgs};
pub use options::RealTime;
pub use playback::Play;
pub use threshold::ThresholdArgs;
pub use timing::{
    AllTests, Compare, DspArgs, FragmentsArgs, LoadName, LoopTest, NoiseArgs, PARTS, PassportArgs,
    PeriodicArgs, PlayerArgs, PrintedAs, Report, RoundtripArgs, ServoArgs, Suite, TapToSoundArgs,
    Timing, TimingTest, WaitsArgs, WakeupArgs,
};

use clap::Args;
use options::ports;
use std::path::PathBuf;

/// Run a 20 s trial in real time with a simulated participant.
///
/// A metronome sends twenty tones, 500 ms apart, over a virtual MIDI wire. A simulated
/// participant taps to them, hears a tone with each tap, and continues when the metronome falls
/// silent. If there is a usable sound card, you hear the tones. Needs no device and no rights.
/// If real-time rights are granted, it uses them and says which.
#[derive(Args, Debug)]
pub struct Demo {
    /// Directory for the data files; created if missing
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Seed of everything random [default: drawn, and recorded in the data]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub realtime: RealTime,
    #[command(flatten)]
    pub show: Show,
}

/// Run a trial, or a session of a study, in real time.
///
/// FILE is a trial file, or an experiment file (it has steps). To begin a session of a study,
/// or to continue one where it stopped, give `--participant` and, in `--data`, the folder of
/// the study's dataset; see docs/running.md.
///
/// Say which port each input and output of the trial uses, for example `--in
/// pad=raw:/dev/snd/midiC1D0`. If the trial has only one, its name can be left out. The kinds
/// of ports are listed below; `chronotap ports` lists those on this machine. With --simulate or
/// --performer everything goes over a virtual wire unless you name ports.
///
/// Ctrl-C ends the trial and keeps its data. The exit status is 1 if the timing verdict fails
/// or the data are not usable (no taps, an input that closed, losses).
#[derive(Args, Debug)]
#[command(after_long_help = format!("{}\n{}", ports(), chronotap_config::trial_files::performers::models()))]
pub struct RunArgs {
    /// The trial file, a configuration file of FTAP, or an experiment file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Directory for the data files; created if missing
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Directory for the data files if --data cannot take them at the end of the trial (full,
    /// read-only, removed) [default: $XDG_STATE_HOME/chronotap, otherwise
    /// ~/.local/state/chronotap; always tried last]
    #[arg(long, value_name = "DIR")]
    pub spare_data: Option<PathBuf>,
    /// First part of the data files' names [default: the name of the trial file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Seed of everything random [default: the trial file's, otherwise drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub ports: PortOptions,
    /// A machine file, with the ports of inputs and outputs that you do not give above
    /// [default: ~/.config/chronotap/machine.toml if it exists]
    #[arg(long, value_name = "FILE", help_heading = "Ports")]
    pub machine: Option<PathBuf>,
    /// Write each event as a line of JSON, as it happens, to this pipe or Unix socket, or to
    /// standard output (-); can be given several times; see docs/following.md
    #[arg(long, value_name = "PATH")]
    pub follow: Vec<PathBuf>,
    /// Publish the events as LSL streams, NAME-events and, of trials with codes, NAME-codes, by a
    /// process of its own; see docs/recorders.md [default NAME: Chronotap]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true,
        default_missing_value = "Chronotap", value_parser = stream_name)]
    pub lsl: Option<String>,
    /// With --lsl: start and stop LabRecorder there by its remote control, and name its file
    #[arg(long, value_name = "HOST[:PORT]", requires = "lsl")]
    pub labrecorder: Option<String>,
    /// With --lsl: keep all events back until so many programs read each stream, 1 to 64; the trial does not wait
    #[arg(long, value_name = "N", requires = "lsl", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub wait_for_consumers: Option<u8>,
    /// Record this LSL stream of another program beside the data, with both clocks, by a process of its own; can be
    /// given several times; see docs/recorders.md
    #[arg(long, value_name = "STREAM")]
    pub listen: Vec<String>,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub session: SessionArgs,
    #[command(flatten)]
    pub who: TapperOptions,
    #[command(flatten)]
    pub realtime: RealTime,
    #[command(flatten)]
    pub show: Show,
}

/// It is part of what recorders find the streams by.
fn stream_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    match (1..=40).contains(&text.chars().count()) && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("write a name of up to 40 letters, digits, - and _".to_owned()),
    }
}
