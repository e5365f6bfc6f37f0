//! What several trials amount to together: means, verdicts, and how many trials had which
//! greatest lateness. For trials in virtual time and for recorded ones.

use crate::screen::wrapped;
use chronotap_analysis::lateness::{Bucket, Lateness, histogram, tally_ms};
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_analysis::statistics::of_intervals::{MEAN_INTERVAL, SD_INTERVAL};
use chronotap_analysis::summary::Summary;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use std::fmt::{Display, Formatter, Result};

/// Means over trials of one trial file, for each input and stream.
pub fn means(trials: &[&Summary]) -> String {
    let mut means = MeansOverTrials::default();
    trials.iter().for_each(|trial| means.add(trial));
    means.to_string()
}

/// The same of trials one after the other, of which none is kept: any number of them fits into
/// the memory.
#[derive(Clone, Debug, Default)]
pub struct MeansOverTrials {
    trials: usize,
    title: String,
    length: Mean,
    taps: Vec<TapMeans>,
    synchronization: Vec<PairMeans>,
    failed: usize,
    unknown: usize,
    unusable: usize,
}

#[derive(Clone, Debug, Default)]
struct TapMeans {
    input: String,
    count: Mean,
    interval: Mean,
    sd: Mean,
}

#[derive(Clone, Debug, Default)]
struct PairMeans {
    input: String,
    pacing: String,
    matched: Mean,
    missed: Mean,
    asynchrony: Mean,
    sd: Mean,
}

impl MeansOverTrials {
    /// Takes in a trial.
    pub fn add(&mut self, trial: &Summary) {
        self.trials += 1;
        self.title.clone_from(&trial.title);
        self.length.add(Some(trial.length_s));
        self.failed += usize::from(trial.verdict.failed());
        self.unknown += usize::from(trial.verdict.passed.is_none());
        self.unusable += usize::from(!trial.data.usable);
        self.taps.resize_with(trial.taps.len().max(self.taps.len()), TapMeans::default);
        for (mean, taps) in self.taps.iter_mut().zip(&trial.taps) {
            mean.input.clone_from(&taps.input);
            mean.count.add(Some(taps.taps as f64));
            mean.interval.add(taps.intervals.as_ref().and_then(|x| x.of(&MEAN_INTERVAL)));
            mean.sd.add(taps.intervals.as_ref().and_then(|x| x.of(&SD_INTERVAL)));
        }
        let pairs = trial.synchronization.len().max(self.synchronization.len());
        self.synchronization.resize_with(pairs, PairMeans::default);
        for (mean, pair) in self.synchronization.iter_mut().zip(&trial.synchronization) {
            mean.input.clone_from(&pair.input);
            mean.pacing.clone_from(&pair.pacing);
            mean.matched.add(Some(pair.matched as f64));
            mean.missed.add(Some(pair.missed as f64));
            mean.asynchrony.add(pair.asynchrony.as_ref().and_then(|x| x.of(&MEAN_ASYNCHRONY)));
            mean.sd.add(pair.asynchrony.as_ref().and_then(|x| x.of(&SD_ASYNCHRONY)));
        }
    }
}

impl Display for MeansOverTrials {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let MeansOverTrials { trials, title, length, failed, unusable, .. } = self;
        let trials_of = counted(trials, "trial");
        let heading = format!("{trials_of} of \"{title}\", means over the trials");
        writeln!(f, "{}\n  length {length} s", wrapped(&heading, ""))?;
        for TapMeans { input, count, interval, sd } in &self.taps {
            writeln!(f, "  {input}: {}", counted(count, "tap"))?;
            writeln!(f, "    inter-tap interval: mean {interval} ms, SD {sd} ms")?;
        }
        for PairMeans { input, pacing, matched, missed, asynchrony, sd } in &self.synchronization {
            let line = format!("{input} with {pacing}: matched {matched}, missed {missed}");
            writeln!(f, "{}", wrapped(&line, "  "))?;
            writeln!(f, "    asynchrony: mean {asynchrony} ms, SD {sd} ms")?;
        }
        let unknown = match self.unknown {
            0 => String::new(),
            n => format!(", {n} unknown"),
        };
        let passed = trials - failed - self.unknown;
        writeln!(f, "  timing verdict: {passed} passed, {failed} failed{unknown}")?;
        write!(f, "  data: {} usable, {unusable} not usable", trials - unusable)
    }
}

/// The mean of those that have a value, with one decimal; a dash where none has.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    n: usize,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        let Some(value) = value else { return };
        self.sum += value;
        self.n += 1;
    }
}

impl Display for Mean {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.n {
            0 => f.write_str("-"),
            n => write!(f, "{:.1}", self.sum / n as f64),
        }
    }
}

/// How many trials had a greatest lateness in each range: the form in which Finney (2001)
/// reports 1320 trials. Ranges without a trial are left out.
pub fn greatest_lateness<'a>(trials: impl IntoIterator<Item = &'a Summary>) -> Vec<Bucket> {
    let greatest = |trial: &Summary| Some(trial.lateness.as_ref()?.max_us);
    let in_ns = |us: f64| Nanos::round_from_f64(us * 1e3);
    let all: Vec<Nanos> = trials.into_iter().filter_map(greatest).map(in_ns).collect();
    histogram(&all).into_iter().filter(|bucket| bucket.count > 0).collect()
}

/// What a trial is tallied by, in whole milliseconds: the key in JSON, the heading, and the time in
/// microseconds.
struct Tallied {
    key: &'static str,
    heading: &'static str,
    time: fn(&Summary) -> Option<f64>,
    /// What was published of the same, in lines.
    published: &'static str,
}

static TALLIED: [Tallied; 3] = [
    Tallied {
        key: "worst_lateness",
        heading: "Worst lateness of each trial",
        time: |trial| Some(worst(trial.lateness.as_ref()?)),
        published: "",
    },
    Tallied {
        key: "p99_lateness",
        heading: "p99 of the lateness of each trial",
        time: |trial| Some(trial.lateness.as_ref()?.p99_us),
        published: "",
    },
    Tallied {
        key: "between_services",
        heading: "Longest time between services of each trial",
        time: |trial| Some(often_served(trial)?.max_us),
        published: FINNEY,
    },
];

/// Scheduling test of the journal article; a pause of 0.49 ms was built into the loop (its note 3).
const FINNEY: &str = "
  Finney (2001), Pentium II 350 MHz, Linux 2.2, no load told: at most 1 ms in
  1,270, 2 ms in 35, 3 ms in 15 of 1,320 trials; mean 0.49 ms, by a pause";

/// Where the engine was to be served at least each millisecond. Elsewhere the program slept because
/// nothing was due.
fn often_served(trial: &Summary) -> Option<ServiceIntervals> {
    trial.services.filter(|services| services.over_1_ms.is_some())
}

/// The farthest of an output from its deadline, late or early.
fn worst(lateness: &Lateness) -> f64 {
    lateness.max_us.max(-lateness.min_us)
}

/// How many trials needed how many whole milliseconds, as Finney (2001) tells it.
pub fn tallies(trials: &[&Summary]) -> serde_json::Value {
    let of = |one: &Tallied| {
        let tally = tally_ms(trials.iter().filter_map(|trial| (one.time)(trial)));
        let tally =
            tally.into_iter().map(|(ms, count)| serde_json::json!({ "ms": ms, "trials": count }));
        (one.key.to_owned(), tally.collect())
    };
    serde_json::Value::Object(TALLIED.iter().map(of).collect())
}

/// The same in words; a tally of no trial is left out.
pub fn tally_lines(trials: &[&Summary]) -> String {
    let of = |one: &Tallied| {
        let tally = tally_ms(trials.iter().filter_map(|trial| (one.time)(trial)));
        let all: usize = tally.iter().map(|(_, count)| count).sum();
        let line = |(ms, count): &(u64, usize)| {
            let share = *count as f64 / all as f64 * 100.0;
            format!("  at most {ms:>4} ms {count:>18} of {all} trials ({share:.1} %)")
        };
        let lines = tally.iter().map(line).collect::<Vec<_>>().join("\n");
        let (heading, mean, published) = (one.heading, mean_between(one, trials), one.published);
        (all > 0).then(|| format!("{heading}, in whole milliseconds\n{lines}{mean}{published}"))
    };
    TALLIED.iter().filter_map(of).collect::<Vec<_>>().join("\n\n")
}

/// The mean time between services over these trials, in a line, where theirs is published.
fn mean_between(of: &Tallied, trials: &[&Summary]) -> String {
    if of.published.is_empty() {
        return String::new();
    }
    let means = trials.iter().filter_map(|trial| Some(often_served(trial)?.mean_us / 1e3));
    let means: Vec<f64> = means.collect();
    let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
    format!("\n  mean {mean:.2} ms")
}

/// The same in words.
pub fn greatest_lateness_lines(buckets: &[Bucket]) -> String {
    let of: u64 = buckets.iter().map(|bucket| bucket.count).sum();
    let mut lines = vec!["Greatest lateness of each trial".to_owned()];
    for Bucket { from_us, below_us, count } in buckets {
        let range = match (from_us, below_us) {
            (None, _) => "early".to_owned(),
            (Some(from), None) => format!("from {from} us"),
            (Some(from), Some(below)) => format!("{from} to below {below} us"),
        };
        let share = *count as f64 / of.max(1) as f64 * 100.0;
        lines.push(format!("  {range:<26} {count:>6} of {of} trials ({share:.1} %)"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_analysis::observed::Observed;

    /// A trial whose engine was served at least each millisecond, the longest time apart from the mean.
    fn trial(mean_us: f64, max_us: f64) -> Summary {
        let services = ServiceIntervals { n: 1_000, mean_us, max_us, over_1_ms: Some(0) };
        Summary::of(&Observed { services: Some(services), ..Observed::default() })
    }

    #[test]
    fn finneys_tally_stands_below_that_of_the_times_between_services() {
        let trials = [trial(400.0, 900.0), trial(600.0, 1_400.0)];
        let said = tally_lines(&trials.iter().collect::<Vec<_>>());
        let (_, said) = said.split_once("Longest time between services").unwrap_or_default();
        let lines: Vec<&str> = said.lines().skip(1).map(str::trim).collect();
        assert!(lines[0].starts_with("at most    1 ms") && lines[0].contains("1 of 2"), "{said}");
        assert!(lines[1].starts_with("at most    2 ms") && lines[1].contains("1 of 2"), "{said}");
        assert_eq!(lines[2], "mean 0.50 ms");
        assert!(lines[3].starts_with("Finney (2001)") && lines[4].starts_with("1,270,"), "{said}");
        assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    }
}
