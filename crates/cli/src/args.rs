//! What may stand on the command line. The comments are the help texts.

mod analyze;
mod audio_tests;
mod level;
mod new;
mod plan;
mod study;
mod tap_to_sound;
mod timing;

pub use analyze::Analyze;
pub use audio_tests::{DspArgs, FragmentsArgs, RoundtripArgs};
pub use level::Level;
pub use new::New;
pub use plan::Plan;
pub use study::{Backup, SessionArgs, Status, Verify, Withdraw};
pub use tap_to_sound::TapToSoundArgs;
pub use timing::{
    AllTests, Compare, Form, LoadName, LoopTest, PeriodicArgs, Report, Suite, Timing, TimingTest,
    WakeupArgs,
};

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tapping and music-performance experiments with proven timing.
///
/// A trial is one readable file. Check it, rehearse it with a simulated
/// participant, run it in real time; every event is recorded with the time asked
/// for and the time achieved.
///
/// Exit status: 0 it went well, 1 a check or timing verdict failed, 2 the program
/// could not do its work.
#[derive(Debug, Parser)]
#[command(name = "chronotap", version, max_term_width = 80)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

// Without comments of their own the commands take those of their arguments: the
// first line for the list, all of it for their own help.
#[derive(Debug, Subcommand)]
#[allow(missing_docs)]
pub enum Command {
    Demo(Demo),
    New(New),
    Check(Check),
    Plan(Plan),
    Run(Run),
    Simulate(Simulate),
    Render(Render),
    Level(Level),
    Replay(Replay),
    Summary(SummaryArgs),
    Recover(Recover),
    Analyze(Analyze),
    ImportFtap(ImportFtap),
    Status(Status),
    Verify(Verify),
    Backup(Backup),
    Withdraw(Withdraw),
    Ports(Ports),
    Monitor(Monitor),
    Timing(Timing),
    Load(LoadArguments),
    Doctor(Doctor),
}

/// Run a 20 s trial in real time with a simulated participant.
///
/// Twenty tones of a metronome at 500 ms go out over a virtual MIDI wire; a
/// simulated participant taps to them, hears a tone with each tap, and goes on
/// when the metronome falls silent. Where there is a sound card that can
/// be used, the tones sound on it. Needs no device and no rights; takes the real-time
/// rights it is given and says which.
#[derive(Args, Debug)]
pub struct Demo {
    /// Directory for the data files; made where it is missing
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Seed of everything random; drawn and recorded where not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub realtime: RealTime,
    #[command(flatten)]
    pub show: Show,
}

/// Explain a trial or experiment file, or say what is wrong with it.
///
/// Runs nothing. Of a trial it prints what happens when, and every parameter with its
/// value and where it comes from; of an experiment, which is known by its steps,
/// conditions, number and length of trials, the time of a session, every planned
/// participant's order, and what is not balanced. A mistake is reported with file, line, what was expected and
/// the nearest valid name; then the exit status is 1.
#[derive(Args, Debug)]
pub struct Check {
    /// The trial or experiment file, or a configuration file of FTAP
    #[arg(value_name = "FILE", required_unless_present = "reference")]
    pub file: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Print every key a trial file may hold: meaning, unit, default, range
    #[arg(long)]
    pub reference: bool,
    /// Tell what is drawn with this seed: perturbed beats and taps, jittered times
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub ftap: OfFtap,
}

/// Run a trial, or a session of a study, in real time.
///
/// FILE is a trial file, or an experiment file (it has steps). A session of a study begins,
/// or goes on where it was, with `--participant` and the folder of its dataset in `--data`;
/// see docs/experiments.md.
///
/// Inputs and outputs of the trial are bound to ports by name, as in
/// `--in pad=raw:/dev/snd/midiC1D0`; where the trial has only one, the name may be
/// left out. The names of ports stand below; `chronotap ports` lists those present.
/// With --simulate or --performer everything goes over a virtual wire unless ports
/// are given.
///
/// Ctrl-C ends the trial and keeps its data. The exit status is 1 where the timing
/// verdict fails or the data are not usable (no taps, an input that closed, losses).
#[derive(Args, Debug)]
#[command(after_long_help = format!("{}\n{}", ports(), chronotap_experiment::performers::models()))]
pub struct Run {
    /// The trial file, a configuration file of FTAP, or an experiment file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Directory for the data files; made where it is missing
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// First part of the data files' names [default: that of the trial file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Seed of everything random [default: the trial file's, else drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub ports: PortNames,
    /// A machine file, with ports of inputs and outputs that are not given above
    /// [default: ~/.config/chronotap/machine.toml where it exists]
    #[arg(long, value_name = "FILE", help_heading = "Ports")]
    pub machine: Option<PathBuf>,
    /// Write each event as a line of JSON, as it happens, to this pipe or Unix socket, or
    /// to standard output (-); may stand several times; see docs/following.md
    #[arg(long, value_name = "PATH")]
    pub follow: Vec<PathBuf>,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub sitting: SessionArgs,
    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub realtime: RealTime,
    #[command(flatten)]
    pub show: Show,
}

/// Run a trial, or a whole study, in virtual time, thousands of times faster than life.
///
/// FILE is a trial file, or an experiment file (it has steps). Of a study all participants
/// are simulated, with the dataset that people would leave; see docs/experiments.md.
///
/// The same engine as in real time, on a clock that jumps from event to event: for
/// rehearsals, power analyses and tests. Trial k of several has the seed S + k - 1.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_experiment::performers::models())]
pub struct Simulate {
    /// The trial file, a configuration file of FTAP, or an experiment file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How many participants of a study [default: as many as it plans]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub participants: Option<u32>,
    /// How many trials
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Seed of the first trial [default: the trial file's, else drawn]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Directory for the data files; made where it is missing
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Write no data files
    #[arg(long, conflicts_with = "data")]
    pub no_data: bool,
    /// First part of the data files' names [default: that of the trial file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Longest virtual time of a trial, in seconds; it ends there
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 3600)]
    pub longest_s: u32,
    /// Limit of the timing verdict in microseconds [default: the trial file's]
    #[arg(long, value_name = "US", value_parser = clap::value_parser!(i64).range(1..))]
    pub limit_us: Option<i64>,
    #[command(flatten)]
    pub ports: PortNames,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub show: Show,
}

/// Play a trial into a WAV file.
///
/// Runs the trial in virtual time with a simulated participant and writes what it
/// sounds like: every tone begins at the frame nearest to its time, and frame 0 is the
/// start of the trial. The exit status is 1 where more sounds overlapped than there is
/// room for (128).
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_experiment::performers::models())]
pub struct Render {
    /// The trial file, or a configuration file of FTAP
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The WAV file to write; one that exists is replaced
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Which note makes which sound; see docs/sound.md [default: percussion on channel
    /// 10, tones on the others]
    #[arg(long, value_name = "FILE")]
    pub sounds: Option<PathBuf>,
    /// Frames a second
    #[arg(long = "rate", value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(8_000..=192_000))]
    pub rate_hz: u32,
    /// Seed of everything random [default: the trial file's, else drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Longest virtual time of the trial, in seconds; it ends there
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 3600)]
    pub longest_s: u32,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub show: Show,
}

/// Put a recorded trial's inputs through the engine again and compare.
///
/// The actions must be the recorded ones to the nanosecond. Every column that follows
/// from others is worked out anew, and so is the summary; the table must have the
/// checksum that was written with it. The first difference is shown and the exit status
/// is 1. Not checked: the recorded times themselves, which only the machine knew.
#[derive(Args, Debug)]
pub struct Replay {
    /// The events file of the trial, NAME_events.tsv, its .json beside it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Sum up recorded trials from their events files.
///
/// For one file the text is that which stands on the screen after a trial; a trial that
/// was recovered from its journal has it only from here. For several: a line for each
/// trial, means over the trials of each trial file, and how many trials had which
/// greatest lateness. Files that cannot be read are named, and the others summed up.
/// Ctrl-C ends with what is done.
#[derive(Args, Debug)]
pub struct SummaryArgs {
    /// Events files, NAME_events.tsv, each with its .json beside it; of a directory all
    /// that are in it
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print a table for a statistics program: every statistic by its name, a line for
    /// each trial, input and stream
    #[arg(long, conflicts_with = "json")]
    pub tsv: bool,
    /// In the table, a further line for each stretch of the trial
    #[arg(long, requires = "tsv")]
    pub stretches: bool,
    /// Print as JSON, one line for each trial
    #[arg(long)]
    pub json: bool,
}

/// Make data files of the journal of a trial that was cut short.
///
/// Reads NAME.journal, drops what was torn by a crash or power cut, writes
/// NAME_events.tsv and NAME_events.json beside it, and removes the journal once
/// both are on the disk. Nothing is overwritten.
#[derive(Args, Debug)]
pub struct Recover {
    /// The journal, NAME.journal
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Make a trial file of a configuration file of FTAP.
///
/// Every keyword that FTAP's public documents explain is acted on; every other line is kept
/// as a comment with its number, and said. What those documents leave open is read as
/// --reading says, and the trial file tells which reading was taken. `check`, `run`,
/// `simulate` and `render` take a configuration file as it is.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_ftap::Readings::help())]
pub struct ImportFtap {
    /// The configuration file of FTAP
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The trial file to write; one that exists is kept [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write over a file that exists
    #[arg(long, requires = "output")]
    pub force: bool,
    #[command(flatten)]
    pub ftap: OfFtap,
}

/// How a configuration file of FTAP is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files of FTAP")]
pub struct OfFtap {
    /// How to read what FTAP's documents leave open, or a value that the file lacks; may
    /// stand several times; see `import-ftap --help`
    #[arg(long = "reading", value_name = "NAME=VALUE")]
    pub readings: Vec<String>,
}

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
    /// Ends after so many seconds, 1 to 86400
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
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
    /// given several times. Prints what was, what is, and the command that undoes it.
    /// Refused for what is not safe while the machine runs
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

/// What the help says of the names of ports.
fn ports() -> String {
    chronotap_ports::Kinds::standard().help()
}

/// Which ports the trial's inputs and outputs are bound to.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Ports")]
pub struct PortNames {
    /// An input's port, with the input's name where there are several
    #[arg(long = "in", value_name = "[NAME=]PORT")]
    pub inputs: Vec<String>,
    /// An output's port, with the output's name where there are several
    #[arg(long = "out", value_name = "[NAME=]PORT")]
    pub outputs: Vec<String>,
}

impl PortNames {
    /// As the laboratory takes them.
    pub fn names(&self) -> chronotap_laboratory::PortNames {
        let PortNames { inputs, outputs } = self.clone();
        chronotap_laboratory::PortNames { inputs, outputs }
    }
}

/// Who taps, where it is not a person.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Performer")]
pub struct Who {
    /// A simulated participant, as in "tapper" or "tapper, mean = -40 ms"; see
    /// docs/participants.md
    #[arg(long, value_name = "MODEL", conflicts_with = "performer")]
    pub simulate: Option<String>,
    /// A table of key presses to play: onset, duration, note, velocity; or the
    /// events file of a recorded trial
    #[arg(long, value_name = "FILE")]
    pub performer: Option<PathBuf>,
}

/// How the real-time thread runs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Real time")]
pub struct RealTime {
    /// Limit of the timing verdict in microseconds [default: the trial file's, 1000]
    #[arg(long, value_name = "US", value_parser = clap::value_parser!(i64).range(1..))]
    pub limit_us: Option<i64>,
    /// SCHED_FIFO priority to ask for, 1 to 98
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(i32).range(1..=98))]
    pub priority: i32,
    /// Run as an ordinary thread: ask for no real-time rights
    #[arg(long)]
    pub ordinary: bool,
    /// Processor to run on, from 0 [default: any]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// Sleep right up to each deadline instead of spinning for the last stretch
    #[arg(long)]
    pub no_spin: bool,
}

/// What is printed.
#[derive(Args, Debug, Clone, Copy, Default)]
#[command(next_help_heading = "Output")]
pub struct Show {
    /// Print the summary as JSON, one line for each trial
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
}
