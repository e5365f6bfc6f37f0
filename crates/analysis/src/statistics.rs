//! The statistics of a summary by name: `STATISTIC [of INPUT] [against STREAM]
//! [in STRETCH]`, as in "mean asynchrony of pad against metronome in metronome 2". For
//! those who want one number of a trial: criteria of an experiment, columns of its tables.

mod values;

use chronotap_time::Nanos;
use std::fmt::{Display, Formatter};

/// A statistic that every summary has, with or without a value; those of a
/// [response](Of::Response) every summary of a trial with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name, such as `mean asynchrony`.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// What it is a statistic of.
    pub of: Of,
    /// Whether it is there for single stretches as well.
    pub in_stretch: bool,
}

/// The unit of a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many.
    Count,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Milliseconds by which each interval is longer than the one before.
    MillisecondsPerInterval,
    /// Square milliseconds.
    SquareMilliseconds,
    /// A plain number.
    Ratio,
}

/// What a statistic is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The trial.
    Trial,
    /// An input.
    Input,
    /// An input against a stream.
    Pair,
    /// An input against a stream that it listens to and then reproduces.
    Response,
}

/// A statistic of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic<'a> {
    /// Which.
    pub known: Known,
    /// The input that it is of.
    pub input: Option<&'a str>,
    /// The stream that the input is measured against.
    pub against: Option<&'a str>,
    /// The stretch; `None` for the whole trial.
    pub stretch: Option<&'a str>,
    /// Its value in its unit; `None` where the data have none.
    pub value: Option<f64>,
}

const fn known(name: &'static str, unit: Unit, of: Of, in_stretch: bool) -> Known {
    Known { name, unit, of, in_stretch }
}

use Of::{Input, Pair, Response, Trial};
use Unit::{Count, Microseconds, Milliseconds, MillisecondsPerInterval, Ratio, SquareMilliseconds};

/// Every statistic, in the order of the tables. Variances are those without the bias of
/// short runs; they have no value where the model of Wing and Kristofferson does not hold.
pub const STATISTICS: [Known; 38] = [
    known("taps", Count, Input, true),
    known("debounced taps", Count, Input, false),
    known("intervals", Count, Input, true),
    known("median interval", Milliseconds, Input, true),
    known("mean interval", Milliseconds, Input, true),
    known("sd interval", Milliseconds, Input, true),
    known("cv interval", Ratio, Input, true),
    known("rmssd interval", Milliseconds, Input, true),
    known("drift", MillisecondsPerInterval, Input, true),
    known("npvi", Ratio, Input, true),
    known("clock variance", SquareMilliseconds, Input, true),
    known("motor variance", SquareMilliseconds, Input, true),
    known("detrended clock variance", SquareMilliseconds, Input, true),
    known("detrended motor variance", SquareMilliseconds, Input, true),
    known("lag one", Ratio, Input, true),
    known("excluded intervals", Count, Input, true),
    known("beats", Count, Pair, true),
    known("matched", Count, Pair, true),
    known("missed", Count, Pair, true),
    known("extra", Count, Pair, true),
    known("unpaced", Count, Pair, false),
    known("hit rate", Ratio, Pair, true),
    known("mean asynchrony", Milliseconds, Pair, true),
    known("median asynchrony", Milliseconds, Pair, true),
    known("sd asynchrony", Milliseconds, Pair, true),
    known("mean absolute asynchrony", Milliseconds, Pair, true),
    known("rms asynchrony", Milliseconds, Pair, true),
    known("response rounds", Count, Response, false),
    known("complete responses", Count, Response, false),
    known("missing response taps", Count, Response, false),
    known("extra response taps", Count, Response, false),
    known("reproduced intervals", Count, Response, false),
    known("mean reproduction error", Milliseconds, Response, false),
    known("sd reproduction error", Milliseconds, Response, false),
    known("mean absolute reproduction error", Milliseconds, Response, false),
    known("median lateness", Microseconds, Trial, false),
    known("p99 lateness", Microseconds, Trial, false),
    known("greatest lateness", Microseconds, Trial, false),
];

impl Known {
    /// The statistic of this name.
    pub fn find(name: &str) -> Option<Known> {
        STATISTICS.into_iter().find(|known| known.name == name)
    }

    /// Whether it is estimated, with an interval. Counts are not, and of lateness every message
    /// is known.
    pub fn is_estimated(&self) -> bool {
        self.unit != Count && self.of != Trial
    }

    /// The heading of its column: the name with its unit, such as `mean_asynchrony_ms`.
    pub fn column(&self) -> String {
        let unit = match self.unit {
            Count | Ratio => "",
            Milliseconds => "_ms",
            Microseconds => "_us",
            MillisecondsPerInterval => "_ms_per_interval",
            SquareMilliseconds => "_ms2",
        };
        format!("{}{unit}", self.name.replace(' ', "_"))
    }
}

impl Statistic<'_> {
    /// The value as a time, where it is one: to the nanosecond, as a result that a later
    /// trial takes up needs it.
    pub fn time(&self) -> Option<Nanos> {
        let ns_in_unit = match self.known.unit {
            Milliseconds => 1e6,
            Microseconds => 1e3,
            _ => return None,
        };
        self.value.map(|value| Nanos::round_from_f64(value * ns_in_unit))
    }
}

impl Display for Statistic<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.known.name)?;
        let parts = [(" of ", self.input), (" against ", self.against), (" in ", self.stretch)];
        parts.iter().try_for_each(|(word, name)| match name {
            Some(name) => write!(f, "{word}{name}"),
            None => Ok(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{self, Observed, Stream};
    use crate::summary::Summary;
    use std::collections::HashSet;

    fn summary() -> Summary {
        let beats = (0..20).map(|k| Nanos::from_millis(1_000 + 500 * k));
        let taps = (0..50).map(|k| Nanos::from_millis(970 + 500 * k) + Nanos(k % 2));
        let model = [30_000, 30_600, 31_100].map(Nanos::from_millis);
        let copied = [32_000, 32_610, 33_090].map(Nanos::from_millis);
        let response =
            observed::Response { stream: 1, after: Nanos::ZERO, within: None, beats: None };
        Summary::of(&Observed {
            length: Nanos::from_secs(40),
            pacing: vec![Stream::steady("metronome", beats), Stream::steady("model", model)],
            taps: vec![
                observed::Input::tapped("pad", taps),
                observed::Input::tapped("key", copied),
            ],
            answers: observed::Answers {
                pairs: Some(vec![(0, 0), (1, 1)]),
                responses: vec![response],
                ..observed::Answers::default()
            },
            ..Observed::default()
        })
    }

    fn value(summary: &Summary, full: &str) -> Option<f64> {
        let all = summary.statistics();
        let found = all.iter().find(|statistic| statistic.to_string() == full);
        found.unwrap_or_else(|| panic!("no {full}")).value
    }

    #[test]
    fn each_statistic_has_one_full_name() {
        let summary = summary();
        let all = summary.statistics();
        let names: HashSet<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), all.len());
        for known in STATISTICS {
            let of_it = || all.iter().filter(|statistic| statistic.known == known);
            assert!(of_it().any(|s| s.stretch.is_none()), "{}", known.name);
            assert_eq!(of_it().any(|s| s.stretch.is_some()), known.in_stretch, "{}", known.name);
            assert_eq!(
                of_it().all(|s| s.against.is_some()),
                matches!(known.of, Of::Pair | Of::Response),
                "{}",
                known.name
            );
        }
    }

    #[test]
    fn statistics_are_found_by_input_stream_and_stretch() {
        let summary = summary();
        assert_eq!(value(&summary, "taps of pad"), Some(50.0));
        assert_eq!(value(&summary, "taps of pad in metronome"), Some(20.0));
        assert_eq!(value(&summary, "matched of pad against metronome"), Some(20.0));
        let asynchrony = value(&summary, "mean asynchrony of pad against metronome in metronome");
        assert_eq!(asynchrony.map(f64::round), Some(-30.0));
        assert_eq!(value(&summary, "greatest lateness"), None);
    }

    #[test]
    fn what_was_reproduced_is_found_by_input_and_stream() {
        let summary = summary();
        let of = |name: &str| value(&summary, &format!("{name} of key against model"));
        assert_eq!((of("response rounds"), of("complete responses")), (Some(1.0), Some(1.0)));
        assert_eq!(
            (of("missing response taps"), of("extra response taps")),
            (Some(0.0), Some(0.0))
        );
        // 610 for 600 ms, and 480 for 500.
        assert_eq!(
            (of("reproduced intervals"), of("mean reproduction error")),
            (Some(2.0), Some(-5.0))
        );
        assert_eq!(of("mean absolute reproduction error"), Some(15.0));
        assert_eq!(of("sd reproduction error"), None, "nothing was reproduced twice");
        let column = Known::find("mean reproduction error").unwrap().column();
        assert_eq!(column, "mean_reproduction_error_ms");
    }

    #[test]
    fn the_median_interval_is_exact_to_the_nanosecond() {
        let summary = summary();
        let all = summary.statistics();
        let median = all.iter().find(|s| s.known.name == "median interval" && s.stretch.is_none());
        // 25 intervals are 1 ns longer than 500 ms and 24 are 1 ns shorter.
        assert_eq!(median.unwrap().time(), Some(Nanos(500_000_001)));
        assert_eq!(median.unwrap().known.column(), "median_interval_ms");
    }
}
