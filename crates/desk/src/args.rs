//! What may stand on the command line. The comments are the help texts.

mod align;
mod analyze;
mod exchange;
mod ftap;
mod import_taps;
mod new;
pub mod options;
mod pack;
mod plan;
mod power;
mod recorded;
mod report;
mod shell;
mod study;

pub use align::Align;
pub use analyze::{Analyze, Rules};
pub use exchange::{Export, Format, Gather, Merge, RehearsalArgs};
pub use ftap::{ImportFtap, OfFtap};
pub use import_taps::ImportTaps;
pub use new::New;
pub use options::{PortOptions, Show, TapperOptions};
pub use pack::{Open, Pack};
pub use plan::PlanArgs;
pub use power::PowerArgs;
pub use recorded::{EarArgs, Recover, Replay, SummaryArgs};
pub use report::TrialsReport;
pub use shell::{Completions, Man};
pub use study::{Backup, Correct, Dropout, Repair, SessionArgs, StatusArgs, Verify, Withdraw};

use chronotap_audio::sensor::{TAP_SHAPES, TapShape};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser};
use options::{frames_per_second, limit, longest, shard};
use std::path::PathBuf;

/// Tapping and music-performance experiments with proven timing.
///
/// A trial is one readable file. Check it, rehearse it with a simulated
/// participant, run it in real time; every event is recorded with the time asked
/// for and the time achieved.
///
/// Begin with `chronotap demo` (on Linux) and `chronotap new`; docs/first-study.md leads from
/// there to a figure. `chronotap FILE` says what can be done with a file or a dataset.
///
/// Exit status: 0 it went well, 1 a check or timing verdict failed, 2 the program
/// could not do its work.
#[derive(Debug, Parser)]
#[command(name = "chronotap", max_term_width = 80)]
pub struct Arguments {}

/// Explain a trial or experiment file, or say what is wrong with it.
///
/// Runs nothing. For a trial file it prints what happens when, and every parameter with its
/// value and where the value comes from. For an experiment file (it has steps) it prints the
/// conditions, the number and length of trials, the time of a session, every planned
/// participant's order, and what is not balanced. A mistake is reported with file, line, what
/// was expected and the nearest valid name; the exit status is then 1. Several files are
/// explained one after the other, each under its name.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Trial or experiment files, or configuration files of FTAP
    #[arg(value_name = "FILE", required_unless_present = "reference")]
    pub files: Vec<PathBuf>,
    /// Print as JSON; with several files, one line for each with its name
    #[arg(long)]
    pub json: bool,
    /// Print every key that a trial file can have: meaning, unit, default, range
    #[arg(long)]
    pub reference: bool,
    /// Show what is drawn with this seed: perturbed beats and taps, jittered times
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Draw the trial, as a simulated person taps in it, into this SVG file; an existing file is
    /// refused
    #[arg(long, value_name = "FILE.svg")]
    pub picture: Option<PathBuf>,
    /// Of an experiment file, draw the first trial of this step [default: the first with trials]
    #[arg(long, value_name = "NAME", requires = "picture")]
    pub step: Option<String>,
    /// Replace an existing picture
    #[arg(long, requires = "picture")]
    pub force: bool,
    #[command(flatten)]
    pub ftap: OfFtap,
}

/// Run a trial, or a whole study, in virtual time, thousands of times faster than life.
///
/// FILE is a trial file, or an experiment file (it has steps). For a study, all participants
/// are simulated, and the dataset has all the files that real participants would leave; see
/// docs/running.md.
///
/// This is the same engine as in real time, with a clock that jumps from event to event. Use it
/// for rehearsals, power analyses and tests. With --repeat, trial k has the seed S + k - 1.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_config::trial_files::performers::models())]
pub struct Simulate {
    /// The trial file, a configuration file of FTAP, or an experiment file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How many participants of a study [default: as many as the study plans]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub participants: Option<u32>,
    /// Simulate a share of a study's participants, such as 2/8 for the second of eight computers;
    /// `chronotap merge` puts the shares together
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// How a parameter of a study's participants differs at one level, such as "delay 200 ms: mean -
    /// 15 +- 5 ms" or "group old: clock + 10 ms" (the second number is the SD between participants);
    /// can be given several times
    #[arg(long, value_name = "FACTOR LEVEL: PARAMETER + AMOUNT")]
    pub difference: Vec<String>,
    /// The language of what simulated participants read and choose from, where the study has
    /// several, such as de [default: the study's own]
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// How many trials
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Seed of the first trial [default: the trial file's, otherwise drawn]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Directory for the data files; created if missing. More than 1000 trials are put into a
    /// folder of their own there, with a subfolder for each 1000
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// Write no data files
    #[arg(long, conflicts_with = "data")]
    pub no_data: bool,
    /// First part of the data files' names [default: the name of the trial file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Longest virtual time of a trial, such as "90 s" or "5 min"; the trial ends there; a number
    /// alone counts s [default: 60 min; a trial that nothing ends needs one]
    #[arg(long = "for", value_name = "TIME", value_parser = longest)]
    pub longest: Option<Nanos>,
    /// Limit of the timing verdict, such as "500 us"; a number alone counts us [default: the trial
    /// file's]
    #[arg(long, alias = "limit-us", value_name = "TIME", value_parser = limit)]
    pub limit: Option<Nanos>,
    #[command(flatten)]
    pub ports: PortOptions,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub who: TapperOptions,
    #[command(flatten)]
    pub show: Show,
}

/// Play a trial into a WAV file.
///
/// Runs the trial in virtual time with a simulated participant and writes what it sounds like:
/// every tone begins at the frame nearest to its time, and frame 0 is the start of the trial.
/// From a recorded trial (NAME_events.tsv) it writes what sounded then, each tone at the time
/// achieved; nothing is simulated or drawn. The exit status is 1 if more than 128 sounds
/// overlapped, because some are then missing.
#[derive(Args, Debug)]
#[command(after_long_help = chronotap_config::trial_files::performers::models())]
pub struct Render {
    /// The trial file, a configuration file of FTAP, or the events file of a recorded trial
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The WAV file to write; an existing file is refused
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace an existing file, but never the trial itself
    #[arg(long)]
    pub force: bool,
    /// File that says which note makes which sound; see docs/sound.md [default: percussion on
    /// channel 10, tones on the others]
    #[arg(long, value_name = "FILE")]
    pub sounds: Option<PathBuf>,
    /// Frames per second
    #[arg(long = "rate", value_name = "HZ", default_value_t = 48_000, allow_negative_numbers = true, value_parser = frames_per_second)]
    pub rate_hz: u32,
    /// Seed of everything random [default: the trial file's, otherwise drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Longest virtual time of the trial, such as "90 s" or "5 min"; the trial ends there; a
    /// number alone counts s [default: 60 min; a trial that nothing ends needs one]
    #[arg(long = "for", value_name = "TIME", value_parser = longest)]
    pub longest: Option<Nanos>,
    /// Play each beat of the music as the tone of its stream, if the music file is missing
    #[arg(long)]
    pub tones_for_music: bool,
    /// Write what a sound card would record: on the left channel all that was played, on the right
    /// one a sensor of the taps, each of this shape; the trial starts after 1 s. `import-taps` reads it
    #[arg(long, value_name = "SHAPE", value_parser = shapes())]
    pub taps_as: Option<String>,
    #[command(flatten)]
    pub ftap: OfFtap,
    #[command(flatten)]
    pub who: TapperOptions,
    #[command(flatten)]
    pub show: Show,
}

fn shapes() -> PossibleValuesParser {
    let value = |shape: &TapShape| PossibleValue::new(shape.word).help(shape.about);
    PossibleValuesParser::new(TAP_SHAPES.iter().map(value))
}
