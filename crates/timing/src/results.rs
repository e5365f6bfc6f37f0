//! [`Results`]: what was measured on one machine in one go, as the file that plots,
//! comparisons and verdicts are made of.
//!
//! Every test leaves the same form: series of one quantity under named conditions,
//! each with its raw histogram. So whoever reads a file need not know which test made
//! a series in order to plot, compare or export it.

mod older;

use crate::{Histogram, Length};
use chronotap_core::time::Nanos;
use chronotap_machine::grant::Grant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the file; raised when a key changes its meaning.
pub const RESULTS_VERSION: u32 = 1;
/// What `kind` says in every such file.
const KIND: &str = "chronotap timing results";

/// The figure of the whole loop, from which a calibration was subtracted.
pub const WHOLE: &str = "whole_loop_frames";

/// What was measured on one machine in one go. The file is this as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Always `chronotap timing results`.
    pub kind: String,
    /// [`RESULTS_VERSION`].
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// A name for the machine or the tuning, for legends.
    pub label: String,
    /// When it began: RFC 3339, UTC.
    pub began: String,
    /// How long the tests were to go on.
    pub length: Length,
    /// Whether Ctrl-C ended it early.
    pub interrupted: bool,
    /// The machine as it was (the facts of `chronotap doctor`).
    pub machine: Option<chronotap_machine::facts::Facts>,
    /// What was tested, in the words of whoever tested it: `pad` to its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub about: BTreeMap<String, String>,
    /// In the order in which they ran.
    pub tests: Vec<TestFound>,
}

/// A file is no results file.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// Not JSON, or a key is missing. Was it cut short?
    #[error("this is no file of results: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Another file of ours, or anyone's. Give one that `chronotap timing --json` wrote.
    #[error("this is {0:?}, and no file of results")]
    Kind(String),
    /// Written by a later program. Use that one.
    #[error("this file has version {0}; this program reads up to {RESULTS_VERSION}")]
    Version(u32),
}

impl Results {
    /// Of a machine, without tests as yet.
    pub fn begin(program: &str, label: &str, began: &str, length: Length) -> Results {
        Results {
            kind: KIND.into(),
            version: RESULTS_VERSION,
            program: program.into(),
            label: label.into(),
            began: began.into(),
            length,
            interrupted: false,
            machine: None,
            about: BTreeMap::new(),
            tests: Vec::new(),
        }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// [`ResultsError`].
    pub fn parse(text: &str) -> Result<Results, ResultsError> {
        #[derive(Deserialize)]
        struct Head {
            kind: String,
            version: u32,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.kind != KIND {
            return Err(ResultsError::Kind(head.kind));
        }
        if head.version > RESULTS_VERSION {
            return Err(ResultsError::Version(head.version));
        }
        let mut results: Results = serde_json::from_str(text)?;
        let series = results.tests.iter_mut().flat_map(|found| &mut found.series);
        series.for_each(older::corrected);
        Ok(results)
    }

    /// All series of a quantity, with the test that each belongs to.
    pub fn series(&self, quantity: Quantity) -> impl Iterator<Item = (&TestFound, &SampleSeries)> {
        let of = move |found| (found, quantity);
        self.tests.iter().map(of).flat_map(|(found, quantity)| {
            let wanted = found.series.iter().filter(move |series| series.quantity == quantity);
            wanted.map(move |series| (found, series))
        })
    }
}

/// What one test found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestFound {
    /// Its name, as in `chronotap timing NAME`.
    pub test: String,
    /// Why it could not run, with the cure; then there are no series.
    pub unavailable: Option<String>,
    /// Whether it was ended early.
    pub interrupted: bool,
    pub series: Vec<SampleSeries>,
    /// Real-time rights asked for and granted, for the threads that measured.
    pub grant: Option<Grant>,
    /// Doubts and findings about the whole test, a sentence each: rights refused,
    /// artefacts known by their signature, what a figure does not contain.
    pub notes: Vec<String>,
}

impl TestFound {
    /// What a test has found that begins.
    pub fn of(test: &str) -> TestFound {
        TestFound { test: test.into(), ..TestFound::default() }
    }

    /// What a test that could not run leaves.
    pub fn unavailable(test: &str, why: impl Into<String>) -> TestFound {
        TestFound { unavailable: Some(why.into()), ..TestFound::of(test) }
    }
}

/// Under which conditions a series was measured: name to value, as in `load` to
/// `arithmetic`. Names and units are those of docs/timing.md: `scheduling`, `load`,
/// `core`, `mechanism`, `requested_us`, `rate_hz`, `source`, `cure`, `clock`, `run`.
pub type Conditions = BTreeMap<String, String>;

/// The figure of messages that went wrong.
pub const FAULTS: &str = "faults";

/// Conditions over which series count together: the cores of a machine, the runs of a test.
pub const POOLED: [&str; 3] = ["core", "run", "thread"];
/// How the condition `scheduling` of a real-time thread begins.
pub const FIFO: &str = "SCHED_FIFO";

/// Samples of one quantity under one set of conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleSeries {
    pub quantity: Quantity,
    /// Under which conditions.
    pub conditions: Conditions,
    /// The samples in a few numbers.
    pub statistics: Statistics,
    /// The samples.
    pub histogram: Histogram,
    /// Further figures by name, the unit at the end of it: `missed_periods`,
    /// `cpu_share`, `resolution_ns`, `overhead_ns`, `minor_faults`.
    pub figures: BTreeMap<String, f64>,
    /// The greatest samples with what happened around them, greatest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<Worst>,
    /// Points of a curve that belongs to the series, as a spectrum: `[x, y]`, units
    /// in the keys of `figures` or in docs/timing.md.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(f64, f64)>,
}

impl SampleSeries {
    pub fn of(
        quantity: Quantity,
        conditions: &[(&str, &str)],
        histogram: Histogram,
    ) -> SampleSeries {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        SampleSeries {
            quantity,
            conditions: conditions.iter().map(owned).collect(),
            statistics: Statistics::of(&histogram),
            histogram: histogram.packed(),
            figures: BTreeMap::new(),
            worst: Vec::new(),
            curve: Vec::new(),
        }
    }

    /// The same with one more figure.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> SampleSeries {
        self.figures.insert(name.to_owned(), value);
        self
    }

    /// The value of a condition.
    pub fn condition(&self, name: &str) -> Option<&str> {
        self.conditions.get(name).map(String::as_str)
    }

    /// Goes on with what another stretch of the same measured, which began `after` this one did:
    /// samples and counts are added, a cost that each stretch measures anew (`_ns`) stays the first
    /// one's, and of the greatest samples there are no more than before.
    pub fn go_on(&mut self, later: SampleSeries, after: Nanos) {
        self.histogram.merge(&later.histogram);
        self.statistics = Statistics::of(&self.histogram);
        for (name, value) in later.figures {
            let counts = !name.ends_with("_ns");
            let known = self.figures.entry(name);
            known.and_modify(|known| *known += if counts { value } else { 0.0 }).or_insert(value);
        }
        let room = self.worst.len().max(later.worst.len());
        let moved = |worst: Worst| Worst { at_ns: worst.at_ns + after.0, ..worst };
        self.worst.extend(later.worst.into_iter().map(moved));
        self.worst.sort_by_key(|worst| (-worst.value_ns, worst.at_ns));
        self.worst.truncate(room);
    }

    /// Whether a thread with real-time priority measured it.
    pub(crate) fn is_real_time(&self) -> bool {
        self.condition("scheduling").is_some_and(|how| how.starts_with(FIFO))
    }

    /// Whether it describes a clock of the system: its steps are the clock's, not a machine's,
    /// and comparing them says nothing.
    pub fn is_of_a_clock(&self) -> bool {
        self.figures.contains_key("resolution_ns")
    }
}

/// What a series is a sample of. All are times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// From one clock read to the next.
    ClockStep,
    /// A wake-up minus the time asked for.
    Lateness,
    /// The same, with the samples that a stall kept from being taken put in, one for
    /// each missed period (Tene's correction of coordinated omission).
    CorrectedLateness,
    /// The length of a pause, from the call to the return.
    Pause,
    /// The interval between two periodic interrupts minus the nominal one.
    IntervalDeviation,
    /// Between two messages of the loop test.
    MessageInterval,
    /// From a message's write to its return.
    RoundTrip,
    /// From the start of a period's computing to its end.
    DspCycle,
    /// From one write's return to the next.
    FragmentCycle,
    /// A fixed amount of computing.
    FragmentLoop,
    /// From an output of a sound card to an input.
    AudioRoundTrip,
    /// From a tap to its sound, or a step on that way.
    TapToSound,
    /// From a strike on a pad to the stamp of its first message.
    PadDelay,
    /// Time taken from a thread that wants all of it.
    Gap,
}

impl Quantity {
    /// In words, with its definition.
    pub fn describe(self) -> &'static str {
        match self {
            Quantity::ClockStep => "clock step: from one clock read to the next",
            Quantity::Lateness => "lateness: wake-up minus the time asked for",
            Quantity::CorrectedLateness => {
                "corrected lateness: with one sample for each period that a late wake-up missed"
            }
            Quantity::Pause => "pause: from the call to its return",
            Quantity::IntervalDeviation => {
                "interval deviation: from one interrupt to the next, minus 1/f"
            }
            Quantity::MessageInterval => "message interval: from one message in to the next",
            Quantity::RoundTrip => "round trip: from the end of the write to the stamp",
            Quantity::DspCycle => "DSP cycle: from the start of a period's computing to its end",
            Quantity::FragmentCycle => "fragment cycle: from one write's return to the next",
            Quantity::FragmentLoop => "fragment loop: a fixed amount of computing",
            Quantity::AudioRoundTrip => "audio round trip: from an output to an input",
            Quantity::TapToSound => "tap to sound: from a tap to its sound, step by step",
            Quantity::PadDelay => "pad delay: from a strike as it is heard to its first message",
            Quantity::Gap => "gap: a step of the clock in which a busy thread could not run",
        }
    }
}

/// Samples in a few numbers. Mean and SD (n - 1) are exact; quantiles are those of the
/// histogram, exact below 2 us and within a 1,024th above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// How many samples; where none, the rest is missing.
    pub n: u64,
    /// Least, in nanoseconds, as all that follow.
    pub min_ns: Option<i64>,
    pub mean_ns: Option<f64>,
    /// Standard deviation.
    pub sd_ns: Option<f64>,
    pub median_ns: Option<i64>,
    /// The value that 90 % do not exceed.
    pub p90_ns: Option<i64>,
    /// 99 %.
    pub p99_ns: Option<i64>,
    /// 99.9 %.
    pub p999_ns: Option<i64>,
    /// Greatest.
    pub max_ns: Option<i64>,
    /// Where a quantile or the greatest is missing although there are samples: it is more than
    /// this, which is where the table of another program ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_ns: Option<i64>,
}

impl Statistics {
    pub fn of(histogram: &Histogram) -> Statistics {
        let quantile = |num, den| histogram.quantile(num, den).map(|time| time.0);
        Statistics {
            n: histogram.n(),
            min_ns: histogram.min().map(|time| time.0),
            mean_ns: histogram.mean_ns(),
            sd_ns: histogram.sd_ns(),
            median_ns: quantile(1, 2),
            p90_ns: quantile(9, 10),
            p99_ns: quantile(99, 100),
            p999_ns: quantile(999, 1_000),
            max_ns: histogram.max().map(|time| time.0),
            beyond_ns: histogram.beyond().map(|beyond| beyond.from_ns),
        }
    }
}

/// One of the greatest samples, and what happened around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worst {
    /// When, in nanoseconds since the test began.
    pub at_ns: i64,
    /// The sample.
    pub value_ns: i64,
    /// The core on which it was seen.
    pub core: Option<usize>,
    /// What happened meanwhile, in words: interrupts, switches, steal.
    pub around: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let histogram = Histogram::of([5, 7, 9].map(Nanos));
        let series = SampleSeries::of(Quantity::Lateness, &[("core", "0")], histogram);
        let found =
            TestFound { test: "wakeup".into(), series: vec![series], ..TestFound::default() };
        let mut results =
            Results::begin("chronotap 0", "this", "2026-01-01T00:00:00Z", Length::Quick);
        results.tests = vec![found, TestFound::unavailable("periodic", "no /dev/rtc")];
        results
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = serde_json::to_string_pretty(&results()).unwrap();
        assert_eq!(Results::parse(&text).unwrap(), results());
        assert_eq!(results().series(Quantity::Lateness).count(), 1);
    }

    #[test]
    fn a_later_stretch_adds_its_samples_and_counts_and_keeps_the_greatest() {
        let stretch = |ns: [i64; 2], missed: f64, cost: f64| {
            let series = SampleSeries::of(Quantity::Lateness, &[], Histogram::of(ns.map(Nanos)))
                .with("missed_periods", missed)
                .with("overhead_ns", cost);
            let worst = |value_ns| Worst { at_ns: value_ns, value_ns, ..Worst::default() };
            SampleSeries { worst: vec![worst(ns[1]), worst(ns[0])], ..series }
        };
        let mut all = stretch([5, 9], 2.0, 40.0);
        all.go_on(stretch([7, 11], 1.0, 60.0), Nanos(1_000));
        assert_eq!((all.statistics.n, all.statistics.mean_ns), (4, Some(8.0)));
        assert_eq!((all.figures["missed_periods"], all.figures["overhead_ns"]), (3.0, 40.0));
        let worst: Vec<_> = all.worst.iter().map(|one| (one.at_ns, one.value_ns)).collect();
        assert_eq!(worst, [(1_011, 11), (9, 9)]);
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let of = |text: &str| Results::parse(text).unwrap_err();
        assert!(matches!(of("{"), ResultsError::Unreadable(_)));
        let trial = of(r#"{"kind": "trial", "version": 1}"#);
        assert!(matches!(&trial, ResultsError::Kind(kind) if kind == "trial"), "{trial:?}");
        let later = of(&format!(r#"{{"kind": "{KIND}", "version": 99}}"#));
        assert!(matches!(later, ResultsError::Version(99)), "{later:?}");
    }
}
