//! [`MEASURES`]: what is measured of an input in a stretch of a trial, by name; and how. Each
//! estimate among them comes with its interval.

mod measured;

use chronotap_analysis::correction::Run;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::joined::Scale;
use chronotap_analysis::reproduction::Reproduction;
use chronotap_analysis::uncertainty::coverage;
use chronotap_time::Nanos;

/// A column of the table of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name with its unit.
    pub name: &'static str,
    /// Its unit as BIDS has it; empty for plain numbers and counts.
    pub units: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Where it is an estimate with an interval: its name among the coverages, and the measure
    /// that says from how many values it is.
    pub interval: Option<(&'static str, &'static str)>,
}

/// Measures that have no mean over trials: the probability of a test, and the SD of motor delays by
/// trial, which is 0 in about half of them because it can hardly be told from correction there.
pub(crate) const NOT_AVERAGED: [&str; 2] = ["rayleigh_p", "motor_sd_ms"];

/// The place of a measure by its name.
pub(crate) fn place(name: &str) -> usize {
    let named = |measure: &Measure| measure.name == name;
    MEASURES.iter().position(named).expect("the name is that of a measure")
}

const fn measure(name: &'static str, units: &'static str, about: &'static str) -> Measure {
    Measure { name, units, about, interval: None }
}

impl Measure {
    const fn with(self, coverage: &'static str, values: &'static str) -> Measure {
        Measure { interval: Some((coverage, values)), ..self }
    }

    /// On which scale the interval of its mean over trials or people is taken.
    pub fn scale(&self) -> Scale {
        let spread =
            ["sd_", "cv_", "rmssd_", "rms_", "mean_absolute_", "timekeeper_sd", "motor_sd"];
        match self.name {
            "hit_rate" | "resultant" => Scale::Share,
            "interval_lag_one" | "asynchrony_lag_one" => Scale::Correlation,
            "npvi" => Scale::Positive,
            name if spread.iter().any(|start| name.starts_with(start)) => Scale::Positive,
            _ => Scale::Plain,
        }
    }

    /// What stands of its interval in the descriptions of columns: how often it held the truth in
    /// simulations, where that is less often than in 93 %.
    pub fn doubts(&self) -> Option<String> {
        let (name, values) = self.interval?;
        let shares = coverage::COVERAGE.iter().find(|held| held.of == name)?.shares;
        let below = shares.iter().filter(|(_, share)| *share < coverage::LEAST);
        let below: Vec<String> =
            below.map(|(n, share)| format!("{:.1} % at {n}", 100.0 * share)).collect();
        let held = "In simulations it held the truth in";
        let said =
            format!("{held} (by the number of {}) {}.", values.replace('_', " "), below.join(", "));
        (!below.is_empty()).then_some(said)
    }
}

/// How many there are.
pub(crate) const COUNT: usize = 52;

/// How many of them, the last, are of a response.
const OF_A_RESPONSE: usize = 8;

/// Every measure, in the order of the columns. The statistics that a summary has bear the
/// same names here.
pub const MEASURES: [Measure; COUNT] = [
    measure("taps", "", "Taps that count."),
    measure("left_out_taps", "", "Taps left out by a rule of the analysis."),
    measure("debounced_taps", "", "Taps that came too soon after the last one to count."),
    measure("intervals", "", "Inter-tap intervals that count."),
    measure("left_out_intervals", "", "Intervals left out by a rule of the analysis."),
    measure("mean_interval_ms", "ms", "Mean inter-tap interval.").with("mean interval", "intervals"),
    measure("median_interval_ms", "ms", "Median inter-tap interval.").with("median interval", "intervals"),
    measure("sd_interval_ms", "ms", "Standard deviation of the intervals, with n - 1.").with("sd interval", "intervals"),
    measure("cv_interval", "", "SD / mean of the intervals.").with("cv interval", "intervals"),
    measure("raw_cv_interval", "", "The same of all intervals, whatever the rules of the analysis leave out."),
    measure("clean_cv_interval", "", "The same without slips: intervals above 1.5 times their median, and those below half of it with the other part of the same interval."),
    measure("rmssd_interval_ms", "ms", "Root of the mean square of successive differences; none across an interval that was left out.").with("rmssd interval", "intervals"),
    measure("drift_ms_per_interval", "ms", "Least-squares slope of the interval on its number, in ms per interval.").with("drift", "intervals"),
    measure("npvi", "", "Normalized pairwise variability index; of pairs with nothing left out between.").with("npvi", "intervals"),
    measure("interval_lag_one", "", "Lag-1 autocorrelation of the intervals, with 1/n; over pairs with nothing left out between.").with("interval lag one", "intervals"),
    measure(
        "clock_variance_ms2",
        "ms^2",
        "Clock variance (Wing & Kristofferson), without the bias of short runs; where nothing paces and the model holds.",
    ).with("clock variance", "intervals"),
    measure("motor_variance_ms2", "ms^2", "Motor variance of the same.").with("motor variance", "intervals"),
    measure("beats", "", "Beats that sounded."),
    measure("matched", "", "Beats with a tap."),
    measure("missed", "", "Beats without a tap."),
    measure("listened", "", "Beats that were over before the first tap; they are not missed."),
    measure("extra", "", "Taps without a beat while the stream was pacing."),
    measure("doubled", "", "Of these, taps in the window of a beat that an earlier tap answers."),
    measure("outside_window", "", "Of these, taps in the window of no beat, which are in no asynchrony."),
    measure("hit_rate", "", "Matched beats / (matched + missed).").with("hit rate", "beats"),
    measure("matched_share", "", "Matched taps / (matched + extra): the share of the taps that the asynchronies are of."),
    measure("asynchronies", "", "Asynchronies that count."),
    measure("left_out_asynchronies", "", "Asynchronies left out by a rule of the analysis."),
    measure("mean_asynchrony_ms", "ms", "Mean of tap - beat; negative is early.").with("mean asynchrony", "asynchronies"),
    measure("median_asynchrony_ms", "ms", "Median of tap - beat.").with("median asynchrony", "asynchronies"),
    measure("sd_asynchrony_ms", "ms", "Standard deviation of the asynchronies, with n - 1.").with("sd asynchrony", "asynchronies"),
    measure("mean_absolute_asynchrony_ms", "ms", "Mean distance from the beat.").with("mean absolute asynchrony", "asynchronies"),
    measure("rms_asynchrony_ms", "ms", "Root of the mean square of the asynchronies.").with("rms asynchrony", "asynchronies"),
    measure("asynchrony_lag_one", "", "Lag-1 autocorrelation of the asynchronies, with 1/n; over pairs of beats that follow each other, never across one without an asynchrony.").with("asynchrony lag one", "asynchronies"),
    measure("directions", "", "Taps that R is taken of."),
    measure(
        "resultant",
        "",
        "R of all taps on the circle of the stream's intervals, matched or not; before the first beat and behind the last the interval beside it goes on for half of itself.",
    ).with("resultant", "directions"),
    measure("direction_rad", "rad", "Mean direction of the same; negative is early.").with("direction", "directions"),
    measure("rayleigh_p", "", "p of Rayleigh's test of the same, by Zar's approximation."),
    measure("phase_drift_rad", "rad", "How far the directions move from the first to the last, along their least-squares line; half a cycle is 3.14."),
    measure(
        "alpha",
        "",
        "Phase correction by bGLS, where one tempo paces; biased upward in short runs.",
    ).with("alpha", "corrected_intervals"),
    measure("timekeeper_sd_ms", "ms", "SD of the timekeeper, by bGLS.").with("timekeeper sd", "corrected_intervals"),
    measure("motor_sd_ms", "ms", "SD of the motor delays, by bGLS.").with("motor sd", "corrected_intervals"),
    measure("corrected_intervals", "", "Intervals that phase correction was estimated from."),
    measure(
        "unpaced",
        "",
        "Taps without a beat while the stream was not pacing; over the whole trial.",
    ),
    measure("response_rounds", "", "How often the stream was to be reproduced."),
    measure("complete_responses", "", "Rounds with as many taps as beats."),
    measure("missing_response_taps", "", "Taps that were wanting, over all rounds."),
    measure("extra_response_taps", "", "Taps beyond the last beat, over all rounds."),
    measure("reproduced_intervals", "", "Intervals that were reproduced, over all rounds."),
    measure(
        "mean_reproduction_error_ms",
        "ms",
        "Mean of reproduced - heard over them: the constant error; positive is too long.",
    ).with("mean reproduction error", "response_rounds"),
    measure(
        "sd_reproduction_error_ms",
        "ms",
        "The variable error: SD of the errors about the mean of each interval of the rhythm, pooled.",
    ).with("sd reproduction error", "response_rounds"),
    measure("mean_absolute_reproduction_error_ms", "ms", "Mean size of the errors.").with("mean absolute reproduction error", "response_rounds"),
];

/// What the measures of one row are taken from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    pub taps: usize,
    pub left_out_taps: usize,
    pub debounced: usize,
    /// Intervals that count.
    pub intervals: Placed,
    /// All intervals between taps that were not debounced.
    pub raw_intervals: Vec<Nanos>,
    pub left_out_intervals: usize,
    /// Whether clock and motor variance have a meaning.
    pub self_paced: bool,
    /// Against a stream.
    pub pair: Option<PairData>,
    /// Against a stream that is reproduced.
    pub response: Option<Reproduction>,
}

/// The same against a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairData {
    pub beats: usize,
    pub matched: usize,
    pub listened: usize,
    pub extra: usize,
    /// Of the extra taps those near a beat that another tap answers.
    pub doubled: usize,
    pub unpaced: Option<usize>,
    /// Asynchronies that count; two of them are neighbours where their beats are.
    pub asynchronies: Placed,
    pub left_out: usize,
    /// Directions of all taps that count.
    pub angles: Vec<f64>,
    /// Unbroken runs at one tempo.
    pub runs: Vec<Run>,
}

pub(crate) use measured::measures;

#[cfg(test)]
mod tests {
    use super::measured::Measured;
    use super::*;
    use chronotap_analysis::reproduction::{Round, describe};
    use chronotap_engine::random::Random;

    #[test]
    fn every_measure_has_its_column_and_its_value() {
        let ms = |times: &[i64]| times.iter().copied().map(Nanos::from_millis).collect::<Vec<_>>();
        let pair = PairData {
            beats: 4,
            matched: 3,
            asynchronies: Placed::all(ms(&[-20, -30, -10])),
            listened: 1,
            extra: 3,
            doubled: 1,
            unpaced: Some(7),
            ..PairData::default()
        };
        let intervals = Placed::all(ms(&[500, 510, 490]));
        let found = measures(&Data { taps: 4, intervals, pair: Some(pair), ..Data::default() });
        let of = |name: &str| found[MEASURES.iter().position(|m| m.name == name).unwrap()].value;
        assert_eq!(of("taps"), Some(4.0));
        assert_eq!(of("mean_interval_ms"), Some(500.0));
        assert_eq!(
            (of("missed"), of("listened"), of("hit_rate")),
            (Some(0.0), Some(1.0), Some(1.0))
        );
        assert_eq!((of("doubled"), of("outside_window")), (Some(1.0), Some(2.0)));
        assert_eq!(of("matched_share"), Some(0.5));
        assert_eq!(of("mean_asynchrony_ms"), Some(-20.0));
        assert_eq!((of("alpha"), of("unpaced")), (None, Some(7.0)));
        assert_eq!(measures(&Data::default())[COUNT - 1].value, None);
    }

    /// A run of a tapper to a metronome, or by himself.
    fn run(paced: bool) -> Data {
        let mut random = Random::named(3, "measures");
        let ns = |ms: f64| Nanos::round_from_f64(ms * 1e6);
        let mut clock = 0.0;
        let mut onset = |k: i32| {
            clock = if paced { 0.5 * clock } else { clock } + 15.0 * random.normal();
            ns(500.0 * f64::from(k) + clock + 10.0 * random.normal())
        };
        let taps: Vec<Nanos> = (0..60).map(&mut onset).collect();
        let beats: Vec<Nanos> = (0..60).map(|k| ns(500.0 * f64::from(k))).collect();
        let asynchronies: Vec<Nanos> = taps.iter().zip(&beats).map(|(t, b)| *t - *b).collect();
        let angles = chronotap_analysis::circular::angles(&asynchronies, ns(500.0));
        let asynchronies = Placed::all(asynchronies);
        let runs = vec![Run { taps: taps.clone(), partners: vec![beats] }];
        let pair =
            PairData { beats: 64, matched: 60, asynchronies, angles, runs, ..PairData::default() };
        let intervals = Placed::all(chronotap_analysis::intervals::between(&taps));
        Data {
            taps: 60,
            intervals,
            self_paced: !paced,
            pair: paced.then_some(pair),
            ..Data::default()
        }
    }

    /// Six reproductions of two intervals.
    fn copied() -> Data {
        let ms =
            |times: [i64; 3], at: i64| times.map(|time| Nanos::from_millis(time + at)).to_vec();
        let round = |k: i64| Round {
            heard: ms([0, 600, 1_100], 5_000 * k),
            opens: Nanos::from_millis(5_000 * k + 1_200),
            closes: Nanos::from_millis(5_000 * k + 4_999),
        };
        let taps = |k: i64| ms([0, 600 + 7 * (k % 4), 1_090 + 11 * (k % 3)], 5_000 * k + 2_000);
        let rounds: Vec<Round> = (0..6).map(round).collect();
        let taps: Vec<Nanos> = (0..6).flat_map(taps).collect();
        Data { response: Some(describe("key", "model", &rounds, &taps)), ..Data::default() }
    }

    #[test]
    fn every_estimate_has_its_interval_and_its_coverage() {
        let all = [run(true), run(false), copied()].map(|data| measures(&data));
        for (place, measure) in MEASURES.iter().enumerate() {
            let found = all.map(|measured| measured[place]);
            let bounded = found.iter().any(|one| one.bounds.is_some());
            assert_eq!(bounded, measure.interval.is_some(), "{}", measure.name);
            for Measured { value, bounds } in found {
                let Some([low, high]) = bounds else { continue };
                assert!(value.is_some_and(|v| low <= v && v <= high), "{} {value:?}", measure.name);
            }
            let Some((name, values)) = measure.interval else { continue };
            assert!(coverage::held(name, 50).is_some(), "{name}");
            assert!(MEASURES.iter().any(|other| other.name == values), "{values}");
        }
    }

    /// What is not estimated: counts, the probability of a test, and what only says whether a
    /// trial is to be looked at.
    #[test]
    fn what_has_no_interval_is_a_count_a_test_or_a_mark() {
        let counts = |name: &str| {
            let ends = ["taps", "intervals", "asynchronies", "directions", "rounds", "responses"];
            let marks =
                ["matched_share", "phase_drift_rad", "raw_cv_interval", "clean_cv_interval"];
            let of_beats = ["beats", "matched", "missed", "listened", "extra", "doubled"];
            of_beats.contains(&name)
                || ["outside_window", "unpaced", "rayleigh_p"].contains(&name)
                || marks.contains(&name)
                || ends.iter().any(|end| name.ends_with(end))
        };
        for measure in MEASURES.iter().filter(|measure| measure.interval.is_none()) {
            assert!(counts(measure.name), "{}", measure.name);
        }
    }

    #[test]
    fn what_cannot_be_negative_and_what_ends_at_one_have_scales_that_do() {
        let of = |name: &str| MEASURES[place(name)].scale();
        for name in ["sd_interval_ms", "cv_interval", "rms_asynchrony_ms", "motor_sd_ms", "npvi"] {
            assert_eq!(of(name), Scale::Positive, "{name}");
        }
        assert_eq!((of("hit_rate"), of("resultant")), (Scale::Share, Scale::Share));
        assert_eq!(of("asynchrony_lag_one"), Scale::Correlation);
        assert_eq!(
            (of("mean_asynchrony_ms"), of("drift_ms_per_interval")),
            (Scale::Plain, Scale::Plain)
        );
    }

    #[test]
    fn the_description_says_where_an_interval_holds_too_seldom() {
        for measure in MEASURES {
            let Some((name, _)) = measure.interval else { continue };
            let seldom = coverage::COVERAGE.iter().find(|held| held.of == name).unwrap();
            let seldom = seldom.shares.iter().any(|(_, share)| *share < coverage::LEAST);
            assert_eq!(measure.doubts().is_some(), seldom, "{name}");
        }
    }
}
