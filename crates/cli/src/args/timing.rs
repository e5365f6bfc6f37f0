//! What may stand after `chronotap timing`. The comments are the help texts.

use super::LoopTest;
use chronotap_timing::{Length, Purpose};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Measure how good this machine and its ports are.
///
/// Each test says whether it can run here, and what would cure it where not. It
/// leaves NAME.json (the results with raw histograms), NAME.csv and
/// NAME_histograms.csv, and NAME.html (a page with plots) in ./timing, and prints a
/// summary and a verdict. Ctrl-C ends a test and keeps what was measured. The exit
/// status is 1 where the verdict is: unfit.
#[derive(Args, Debug)]
pub struct Timing {
    #[command(subcommand)]
    pub test: TimingTest,
}

#[derive(Debug, Subcommand)]
pub enum TimingTest {
    /// How well each way to wait keeps its time
    Waits(Waits),
    /// How late threads wake up, on every core
    Wakeup(WakeupArgs),
    /// Let messages circulate from an output to an input and back
    Loop(LoopTest),
    /// Every test that can run here, one after the other
    All(AllTests),
    /// Put results side by side, with published figures
    Compare(Compare),
    /// Write the page of results again
    Report(Report),
}

/// How long the tests go on, what they are called, and where the results go.
#[derive(Args, Debug)]
pub struct Suite {
    #[command(flatten)]
    pub length: Lengths,
    /// What the machine does meanwhile; several may be given, and each test runs once
    /// under each of them
    #[arg(long = "load", value_name = "NAME", default_value = "none")]
    pub loads: Vec<String>,
    /// A name for the machine or the tuning, for legends; files of the same label are
    /// compared as runs of the same thing [default: the host's name]
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// What the verdict is for: `tapping` (exact to 1 ms), or audio in periods, as in
    /// `audio:64@48000` (frames, Hz)
    #[arg(long = "for", value_name = "PURPOSE", default_value = "tapping")]
    pub purpose: Purpose,
    /// Directory for the results; made where it is missing, nothing is overwritten
    #[arg(long, value_name = "DIR", default_value = "timing", help_heading = "Output")]
    pub out: PathBuf,
    /// Print the results as JSON instead of the summary
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// How long.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub struct Lengths {
    /// Some seconds for each test: does it work, and about how well
    #[arg(long)]
    pub quick: bool,
    /// A minute or two for each test; the default
    #[arg(long)]
    pub normal: bool,
    /// As long as in the study that a test comes from, or until rare events show
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

/// How well each way to wait keeps its time (Finney 2001, and all that came since).
///
/// setitimer, nanosleep, timerfd, poll, /dev/rtc, sleeping and then spinning, and
/// others, as an ordinary and as a real-time thread, for 50 us to 20 ms.
#[derive(Args, Debug)]
pub struct Waits {
    #[command(flatten)]
    pub suite: Suite,
}

/// How late threads wake up, on every core, as cyclictest measures it.
///
/// One thread for each core sleeps until absolute deadlines. Missed periods are
/// counted apart, and a corrected histogram stands beside the raw one.
#[derive(Args, Debug)]
pub struct WakeupArgs {
    #[command(flatten)]
    pub suite: Suite,
    /// From one deadline to the next, in microseconds, 50 to 1000000
    #[arg(long, value_name = "US", default_value_t = 1_000, value_parser = clap::value_parser!(i64).range(50..=1_000_000))]
    pub interval_us: i64,
    /// How much later than its neighbour each core begins, in microseconds
    #[arg(long, value_name = "US", default_value_t = 500, value_parser = clap::value_parser!(i64).range(0..=1_000_000))]
    pub distance_us: i64,
    /// SCHED_FIFO priority to ask for, 1 to 98
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(i32).range(1..=98))]
    pub priority: i32,
    /// Run as ordinary threads: ask for no real-time rights
    #[arg(long, conflicts_with = "priority")]
    pub ordinary: bool,
    /// Processors to measure on, from 0, as in 0,2 [default: all that may be used]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub cores: Vec<usize>,
    /// How long each run takes, in seconds [default: what the length says]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    pub seconds: Option<i64>,
}

/// Every test that can run here, one after the other.
///
/// The loop test goes over the virtual wire. It sends nothing to a device unless
/// --looped names it: what is not known to be looped might play what it is sent.
#[derive(Args, Debug)]
pub struct AllTests {
    #[command(flatten)]
    pub suite: Suite,
    /// A port whose output is connected to its input, for the loop test, as in
    /// `alsa:Drum Pad`; IN=OUT where they are two; may be given several times
    #[arg(long, value_name = "PORT")]
    pub looped: Vec<String>,
}

/// Put results side by side, with published figures.
///
/// Says what is better, by how much, and whether the difference is more than the
/// runs differ among themselves. Files with the same label count as runs of the same
/// thing: four of each tell most.
#[derive(Args, Debug)]
pub struct Compare {
    /// Results files (NAME.json)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Write a page with the histograms overlaid; an existing file is not replaced
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Write the page of results again, as after an update of this program.
#[derive(Args, Debug)]
pub struct Report {
    /// A results file (NAME.json), or several, whose plots are then overlaid
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What the verdict is for
    #[arg(long = "for", value_name = "PURPOSE", default_value = "tapping")]
    pub purpose: Purpose,
    /// The page to write; an existing file is not replaced
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
}
