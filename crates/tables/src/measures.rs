//! [`MEASURES`]: what is measured of an input in a stretch of a trial, by name; and how.

use chronotap_analysis::asynchrony::{self, Asynchrony};
use chronotap_analysis::autocorrelation::autocorrelation;
use chronotap_analysis::circular::{self, Circular};
use chronotap_analysis::correction::{Correction, Means, Run, phase};
use chronotap_analysis::intervals::{self, Intervals};
use chronotap_analysis::reproduction::Reproduction;
use chronotap_analysis::summary::LEVELS_INTERVALS;
use chronotap_analysis::wing_kristofferson::estimate_without_slips;
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
}

const fn measure(name: &'static str, units: &'static str, about: &'static str) -> Measure {
    Measure { name, units, about }
}

/// How many there are.
pub(crate) const COUNT: usize = 45;

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
    measure("mean_interval_ms", "ms", "Mean inter-tap interval."),
    measure("median_interval_ms", "ms", "Median inter-tap interval."),
    measure("sd_interval_ms", "ms", "Standard deviation of the intervals, with n - 1."),
    measure("cv_interval", "", "SD / mean of the intervals."),
    measure("rmssd_interval_ms", "ms", "Root of the mean square of successive differences."),
    measure("drift_ms_per_interval", "ms", "Least-squares slope of the interval on its number."),
    measure("npvi", "", "Normalized pairwise variability index."),
    measure("interval_lag_one", "", "Lag-1 autocorrelation of the intervals, with 1/n."),
    measure(
        "clock_variance_ms2",
        "ms^2",
        "Clock variance (Wing & Kristofferson), without the bias of short runs; where nothing paces and the model holds.",
    ),
    measure("motor_variance_ms2", "ms^2", "Motor variance of the same."),
    measure("beats", "", "Beats that sounded."),
    measure("matched", "", "Beats with a tap."),
    measure("missed", "", "Beats without a tap."),
    measure("extra", "", "Taps without a beat while the stream was pacing."),
    measure("hit_rate", "", "Matched beats / beats."),
    measure("asynchronies", "", "Asynchronies that count."),
    measure("left_out_asynchronies", "", "Asynchronies left out by a rule of the analysis."),
    measure("mean_asynchrony_ms", "ms", "Mean of tap - beat; negative is early."),
    measure("sd_asynchrony_ms", "ms", "Standard deviation of the asynchronies, with n - 1."),
    measure("mean_absolute_asynchrony_ms", "ms", "Mean distance from the beat."),
    measure("rms_asynchrony_ms", "ms", "Root of the mean square of the asynchronies."),
    measure("asynchrony_lag_one", "", "Lag-1 autocorrelation of the asynchronies, with 1/n."),
    measure(
        "resultant",
        "",
        "R of all taps on the circle of the stream's intervals, matched or not.",
    ),
    measure("direction_rad", "rad", "Mean direction of the same; negative is early."),
    measure("rayleigh_p", "", "p of Rayleigh's test of the same, by Zar's approximation."),
    measure(
        "alpha",
        "",
        "Phase correction by bGLS, where one tempo paces; biased upward in short runs.",
    ),
    measure("alpha_low", "", "Lower end of its 95 % interval."),
    measure("alpha_high", "", "Upper end of its 95 % interval."),
    measure("timekeeper_sd_ms", "ms", "SD of the timekeeper, by bGLS."),
    measure("motor_sd_ms", "ms", "SD of the motor delays, by bGLS."),
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
    ),
    measure(
        "sd_reproduction_error_ms",
        "ms",
        "The variable error: SD of the errors about the mean of each interval of the rhythm, pooled.",
    ),
    measure("mean_absolute_reproduction_error_ms", "ms", "Mean size of the errors."),
];

/// What the measures of one row are taken from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    pub taps: usize,
    pub left_out_taps: usize,
    pub debounced: usize,
    /// Intervals that count.
    pub intervals: Vec<Nanos>,
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
    pub extra: usize,
    pub unpaced: Option<usize>,
    /// Asynchronies that count.
    pub asynchronies: Vec<Nanos>,
    pub left_out: usize,
    /// Directions of all taps that count.
    pub angles: Vec<f64>,
    /// Unbroken runs at one tempo.
    pub runs: Vec<Run>,
}

/// The measures, in the order of [`MEASURES`].
pub(crate) fn measures(data: &Data) -> [Option<f64>; COUNT] {
    let count = |n: usize| Some(n as f64);
    let mut all: Vec<Option<f64>> =
        vec![count(data.taps), count(data.left_out_taps), count(data.debounced)];
    all.extend([count(data.intervals.len()), count(data.left_out_intervals)]);
    all.extend(of_intervals(intervals::describe(&data.intervals)));
    all.push(lag_one(&data.intervals));
    all.extend(of_levels(data));
    match &data.pair {
        Some(pair) => all.extend(of_pair(pair)),
        None => all.resize(COUNT - OF_A_RESPONSE, None),
    }
    all.extend(of_response(data.response.as_ref()));
    all.try_into().expect("every measure has its place")
}

fn of_intervals(found: Option<Intervals>) -> [Option<f64>; 7] {
    [
        found.map(|i| i.mean_ms),
        found.map(|i| i.median_ms),
        found.and_then(|i| i.sd_ms),
        found.and_then(|i| i.cv),
        found.and_then(|i| i.rmssd_ms),
        found.and_then(|i| i.drift_ms_per_interval),
        found.and_then(|i| i.npvi),
    ]
}

fn lag_one(values: &[Nanos]) -> Option<f64> {
    let ms: Vec<f64> = values.iter().map(|value| (*value - values[0]).as_millis_f64()).collect();
    autocorrelation(&ms, 1)
}

fn of_levels(data: &Data) -> [Option<f64>; 2] {
    let levels = Some(&data.intervals).filter(|_| data.self_paced);
    let levels = levels.and_then(|intervals| estimate_without_slips(intervals));
    let levels = levels.filter(|found| found.n >= LEVELS_INTERVALS && found.admissible);
    [levels.map(|l| l.clock_unbiased_ms2), levels.map(|l| l.motor_unbiased_ms2)]
}

fn of_pair(pair: &PairData) -> Vec<Option<f64>> {
    let count = |n: usize| Some(n as f64);
    let hit_rate = (pair.beats > 0).then(|| pair.matched as f64 / pair.beats as f64);
    let mut all = vec![count(pair.beats), count(pair.matched)];
    all.extend([count(pair.beats - pair.matched), count(pair.extra), hit_rate]);
    all.extend([count(pair.asynchronies.len()), count(pair.left_out)]);
    all.extend(of_asynchrony(asynchrony::describe(&pair.asynchronies)));
    all.push(lag_one(&pair.asynchronies));
    all.extend(of_circular(circular::describe(&pair.angles)));
    all.extend(of_correction(phase(&pair.runs, &Means::Pooled).ok()));
    all.push(pair.unpaced.and_then(count));
    all
}

fn of_response(found: Option<&Reproduction>) -> [Option<f64>; OF_A_RESPONSE] {
    let Some(found) = found else { return [None; OF_A_RESPONSE] };
    let Reproduction { rounds, complete, missing, extra, .. } = *found;
    let overall = found.overall();
    let [rounds, complete, missing, extra, intervals] =
        [rounds, complete, missing, extra, overall.intervals].map(|n| Some(n as f64));
    let (error, sd, absolute) = (overall.error_ms, overall.sd_ms, overall.absolute_error_ms);
    [rounds, complete, missing, extra, intervals, error, sd, absolute]
}

fn of_asynchrony(found: Option<Asynchrony>) -> [Option<f64>; 4] {
    [
        found.map(|a| a.mean_ms),
        found.and_then(|a| a.sd_ms),
        found.map(|a| a.mean_absolute_ms),
        found.map(|a| a.rms_ms),
    ]
}

fn of_circular(found: Option<Circular>) -> [Option<f64>; 3] {
    [
        found.map(|c| c.resultant),
        found.and_then(|c| c.direction_rad),
        found.and_then(|c| c.rayleigh).map(|r| r.p),
    ]
}

fn of_correction(found: Option<Correction>) -> [Option<f64>; 6] {
    let Some(found) = found else { return [None; 6] };
    let alpha = found.alpha[0];
    let sds = (found.timekeeper_sd_ms, found.motor_sd_ms);
    let n = found.intervals as f64;
    [alpha.value, alpha.low, alpha.high, sds.0, sds.1, n].map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_its_column_and_its_value() {
        let ms = |times: &[i64]| times.iter().copied().map(Nanos::from_millis).collect::<Vec<_>>();
        let pair = PairData {
            beats: 4,
            matched: 3,
            asynchronies: ms(&[-20, -30, -10]),
            unpaced: Some(7),
            ..PairData::default()
        };
        let intervals = ms(&[500, 510, 490]);
        let found = measures(&Data { taps: 4, intervals, pair: Some(pair), ..Data::default() });
        let of = |name: &str| found[MEASURES.iter().position(|m| m.name == name).unwrap()];
        assert_eq!(of("taps"), Some(4.0));
        assert_eq!(of("mean_interval_ms"), Some(500.0));
        assert_eq!(of("missed"), Some(1.0));
        assert_eq!(of("mean_asynchrony_ms"), Some(-20.0));
        assert_eq!((of("alpha"), of("unpaced")), (None, Some(7.0)));
        assert_eq!(measures(&Data::default())[COUNT - 1], None);
    }
}
