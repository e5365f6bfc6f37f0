//! What may stand after `chronotap timing`. The comments are the help texts.

mod looped;
mod names;
mod passport;
mod scheduled;
mod sound;
mod suite;
mod tap_to_sound;

pub use looped::LoopTest;
pub use names::LoadName;
pub use passport::{PARTS, PassportArgs};
pub use sound::{DspArgs, FragmentsArgs, PlayerArgs, RoundtripArgs};
pub use suite::{PrintedAs, Suite};
pub use tap_to_sound::TapToSoundArgs;

use super::options::{bounded, lasting, time};
use chronotap_core::time::Nanos;
use chronotap_report::Vignati;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use scheduled::Scheduled;
use std::path::PathBuf;
use suite::Purposes;

/// Measure how good this machine and its ports are.
///
/// Each test says whether it can run here and, if not, how to cure that. It leaves four files
/// in ./timing: LABEL_TEST_run-NN.json (the results with raw histograms and every fact of the
/// machine), .html (a page with plots), .csv and _histograms.csv, and prints a summary and a
/// verdict. Ctrl-C ends a test and keeps what was measured. The exit status is 1 if the verdict
/// is "unfit". Begin with `chronotap timing all --quick`.
#[derive(Args, Debug)]
pub struct Timing {
    #[command(subcommand)]
    pub test: TimingTest,
}

/// The tests. Their arguments have the comments, so that `--help` shows all of each.
#[derive(Debug, Subcommand)]
pub enum TimingTest {
    Clock(ClockArgs),
    Waits(WaitsArgs),
    Wakeup(WakeupArgs),
    Noise(NoiseArgs),
    Periodic(PeriodicArgs),
    Servo(ServoArgs),
    Dsp(DspArgs),
    Fragments(FragmentsArgs),
    Roundtrip(RoundtripArgs),
    TapToSound(TapToSoundArgs),
    Player(PlayerArgs),
    Loop(LoopTest),
    All(AllTests),
    Compare(Compare),
    Report(Report),
}

/// How fine the clock is, and how long a program that only reads it is stopped (Finney 2001,
/// Table 1).
///
/// Reads the clock a million times, ten times over: as an ordinary thread, at nice -20 and at
/// SCHED_FIFO, each without load, beside three arithmetic loops, and beside three on each
/// processor. Also shows how fine each clock of the system is and how long one reading takes.
#[derive(Args, Debug)]
pub struct ClockArgs {
    #[command(flatten)]
    pub suite: Suite,
}

/// How well each way to wait keeps its time (Finney 2001, and newer ways).
///
/// setitimer, nanosleep, timerfd, poll, /dev/rtc, sleeping and then spinning, and others, as an
/// ordinary and as a real-time thread, for 50 us to 20 ms.
#[derive(Args, Debug)]
pub struct WaitsArgs {
    /// Pauses to ask for, 1 us to 1 s, such as "5 us,1 ms"; devices that tick keep their own
    /// [default: 50 us to 20 ms, in a quick test 100 us, 1 ms and 10 ms]
    #[arg(long, value_name = "TIME,...", value_delimiter = ',', value_parser = time)]
    pub pauses: Vec<Nanos>,
    #[command(flatten)]
    pub suite: Suite,
}

/// How late threads wake up, on every core, as cyclictest measures it.
///
/// One thread on each core sleeps until absolute deadlines. Missed periods are counted
/// separately, and there is a corrected histogram beside the raw one. A full test is as long as
/// that of Vignati et al. (2022), 10^8 wake-ups on each core; it is on the disk every 5 minutes,
/// and --resume goes on with it after Ctrl-C or a crash.
#[derive(Args, Debug)]
pub struct WakeupArgs {
    /// Time from one deadline to the next, 50 us to 1 s; a number alone counts us [default: 1 ms,
    /// in a full test 200 us]
    #[arg(long, alias = "interval-us", value_name = "TIME", value_parser = interval)]
    pub interval: Option<Nanos>,
    /// How much later each core begins than the one before, up to 1 s; a number alone counts us
    #[arg(long, alias = "distance-us", value_name = "TIME", default_value = "500 us", value_parser = distance)]
    pub distance: Nanos,
    #[command(flatten)]
    pub scheduled: Scheduled,
    /// Ask for the deadline class of the kernel instead (SCHED_DEADLINE): so much of a processor
    /// in each interval, such as "100 us". The kernel then chooses where each thread runs; a
    /// number alone counts us
    #[arg(long, value_name = "TIME", value_parser = interval_share, conflicts_with_all = ["priority", "ordinary", "cores"])]
    pub deadline: Option<Nanos>,
    /// End each run at the first wake-up that is later than this, and tell what ran there, as
    /// cyclictest --breaktrace does; the exit status is then 1; a number alone counts us
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub stop_above: Option<Nanos>,
    /// Processors to measure on, from 0, such as 0,2 [default: all that can be used]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub cores: Vec<usize>,
    /// How long each run takes, such as "10 min"; a number alone counts s [default: by --quick,
    /// --normal or --full]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    /// Go on with the run in this results file, which ended early; give the options of that run.
    /// The new files hold both
    #[arg(long, value_name = "FILE")]
    pub resume: Option<String>,
    #[command(flatten)]
    pub suite: Suite,
}

fn interval(text: &str) -> Result<Nanos, String> {
    let us = Nanos::from_micros(1);
    bounded(text, us, Nanos::from_micros(50)..=Nanos::from_secs(1))
}

fn distance(text: &str) -> Result<Nanos, String> {
    bounded(text, Nanos::from_micros(1), Nanos::ZERO..=Nanos::from_secs(1))
}

/// What takes time from a thread that wants all of it (rtla osnoise, hwlatdetect).
///
/// One thread on each core reads the clock without a pause; a step that is too long is a gap. Gives
/// how much of its time was taken, the greatest gap, what the kernel counted on the core meanwhile,
/// and how often the firmware took it (SMI), if the processor counts that. Real-time threads of
/// other programs wait meanwhile.
#[derive(Args, Debug)]
pub struct NoiseArgs {
    /// Steps of the clock beyond this are gaps, 0.2 us to 100 ms
    #[arg(long, value_name = "TIME", default_value = "5 us", value_parser = time)]
    pub gap: Nanos,
    /// How much of each second a thread is busy, 1 to 90 %; the kernel stops one that never sleeps
    #[arg(long, value_name = "PERCENT", default_value_t = 80)]
    pub busy: u32,
    /// End at the first gap beyond this, and tell what ran there; the exit status is then 1; a
    /// number alone counts us
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub stop_above: Option<Nanos>,
    #[command(flatten)]
    pub scheduled: Scheduled,
    /// Processors to measure on, from 0, such as 0,2 [default: all that can be used]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub cores: Vec<usize>,
    /// How long it takes, such as "10 min"; a number alone counts s [default: 5 s, 1 min or 30 min
    /// by length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    #[command(flatten)]
    pub suite: Suite,
}

/// Lateness or a gap at which a test ends.
fn limit(text: &str) -> Result<Nanos, String> {
    let us = Nanos::from_micros(1);
    bounded(text, us, us..=Nanos::from_secs(10))
}

/// A part of an interval.
fn interval_share(text: &str) -> Result<Nanos, String> {
    let us = Nanos::from_micros(1);
    bounded(text, us, Nanos::from_micros(2)..=Nanos::from_millis(900))
}

/// How evenly periodic interrupts come (Varoquaux 2006).
///
/// From /dev/rtc, /dev/hpet, a timer file and absolute sleeps: the interval minus 1/f,
/// as in the study, the lateness beside it, and the line of the oscillator that they
/// make; with and without his cure of jitter.
#[derive(Args, Debug)]
pub struct PeriodicArgs {
    /// Rates in Hz, 1 to 8192 [default: 64 to 8192 by powers of two; three of them for
    /// a quick test]
    #[arg(long, value_name = "HZ,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=8_192))]
    pub rates_hz: Vec<u32>,
    /// Run as an ordinary thread: ask for no real-time rights
    #[arg(long)]
    pub ordinary: bool,
    /// How long each run takes, such as "10 min"; a number alone counts s [default: by --quick,
    /// --normal or --full]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    #[command(flatten)]
    pub suite: Suite,
}

/// The computer as a servo loop, up to 1 kHz (Varoquaux 2006).
///
/// At each beat the loop wakes up, reads the clock, computes and acts: open, and closed, where it
/// asks to be woken as much earlier as it finds itself late. Gives phase and jitter of both.
#[derive(Args, Debug)]
pub struct ServoArgs {
    /// Rates of the loop in Hz, 1 to 8192 [default: 10,100,1000; in a quick test the last two]
    #[arg(long, value_name = "HZ,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=8_192))]
    pub rates_hz: Vec<u32>,
    /// Run as an ordinary thread: ask for no real-time rights
    #[arg(long)]
    pub ordinary: bool,
    /// How long each run takes, such as "10 min"; a number alone counts s [default: 2 s, 10 s or 1
    /// min by length]
    #[arg(long, alias = "seconds", value_name = "TIME", value_parser = lasting)]
    pub duration: Option<Nanos>,
    #[command(flatten)]
    pub suite: Suite,
}

/// Every test that can run here, one after the other.
///
/// --quick takes about two minutes, --normal about seven; --full repeats every test beside
/// every load that can run here and takes a night. It says how long it will take before it
/// begins. Without --load, wake-ups are measured on the idle machine and beside the load
/// `contending`, because a verdict needs both. The loop test uses the virtual wire. It sends
/// messages to a device only if --looped names it, because a device without a cable might play
/// them.
#[derive(Args, Debug)]
pub struct AllTests {
    /// A port whose output is connected to its input, for the loop test, such as `alsa:Drum
    /// Pad`; write IN=OUT if they are two ports; can be given several times
    #[arg(long, value_name = "PORT")]
    pub looped: Vec<String>,
    #[command(flatten)]
    pub suite: Suite,
}

/// Put results side by side, with published figures.
///
/// Says what is better, by how much, and whether the difference is greater than the differences
/// between equal runs. Files with the same label count as runs of the same thing; four of each
/// are best. Results of other programs are read too: cyclictest (--histogram, --histofall,
/// --histfile, --json), rtla timerlat hist, and Xenomai's latency (-h).
#[derive(Args, Debug)]
pub struct Compare {
    /// Results files (NAME.json, or what another program printed), as
    /// `LABEL=FILE` to give one a label
    #[arg(value_name = "[LABEL=]FILE", required = true)]
    pub files: Vec<String>,
    /// Print a figure or a table of Vignati et al. (2022) instead, of the systems in the files
    /// with theirs below: figure 2 (`dsp`), figure 3 (`wakeup`), Table 1 (`roundtrip`)
    #[arg(long = "as", value_name = "FIGURE", value_parser = figures(), conflicts_with_all = ["json", "csv", "html"], help_heading = "Output")]
    pub figure: Option<Vignati>,
    /// Write a page with the plots overlaid; an existing file is not replaced
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub form: PrintedAs,
}

/// By the names of [`Vignati::ALL`].
fn figures() -> impl TypedValueParser<Value = Vignati> {
    let of = |name: String| {
        let named = Vignati::ALL.into_iter().find(|(known, _)| *known == name);
        named.map_or(Vignati::Figure2, |(_, figure)| figure)
    };
    PossibleValuesParser::new(Vignati::ALL.map(|(name, _)| name)).map(of)
}

/// Write the page of results again, for example after an update of this program.
#[derive(Args, Debug)]
pub struct Report {
    /// Results files (NAME.json, or what another program printed), as
    /// `LABEL=FILE` to give one a label; the plots of several are overlaid
    #[arg(value_name = "[LABEL=]FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub purposes: Purposes,
    /// The page to write; an existing file is not replaced
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub form: PrintedAs,
}
