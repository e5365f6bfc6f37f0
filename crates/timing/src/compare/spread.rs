//! [`agreement`]: whether two measures differ by more than the runs do.
//!
//! Several runs of each: were both things the same, every way of dividing the runs
//! between them would be as likely, and that all m of one lie below all n of the other,
//! or above, has the chance 2 / C(m + n, m). That is the extreme case of the rank-sum
//! test (Mann and Whitney, 1947): it asks nothing of how runs are distributed.
//!
//! Single runs: the order statistics of ranks np ± 1.96 sqrt(np(1 - p)) hold a quantile
//! with 95 % confidence, whatever the distribution (Conover, Practical Nonparametric
//! Statistics, 3.2), the mean lies within 1.96 SD / sqrt n; and neither knows how much
//! a second run would differ. The greatest of a run has no such interval at all.

use crate::{
    Amount, Histogram, MachineMeasure, MeasureSource, MeasureUnit, SampleSeries, SampleStatistic,
    Statistics,
};
use serde::Serialize;
use std::cmp::Ordering::Equal;

/// The rule in words, as pages and comparisons show it.
pub const RULE: &str = "Files with the same label are repeated runs. A difference exceeds the \
     runs' own spread where every run of the one lies below every run of the other, and chance \
     alone would bring that about at most once in twenty times: 2 / C(m + n, m) with m and n \
     runs, so from four runs of each (Mann and Whitney, 1947). With fewer runs that lie apart, \
     more are needed to tell. With a single run on either side only the 95 % interval of each \
     figure within its run is known (order statistics; mean +- 1.96 SD / sqrt n): where these \
     are apart the two runs differ, and whether their machines do is not known. Of a share of \
     the samples the interval is Wilson's, of instances what the run's searches found. Of a \
     single run's maximum, of its SD and of its load, nothing can be told. Which way is better \
     is a matter of each measure's definition: more instances are, less lateness is; of a DSP \
     load and of the time that a cycle takes it cannot be said.";

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.96;
/// What chance alone may bring about.
const CHANCE: f64 = 0.05;
/// Quantiles are known to a 1,024th of their amount.
const RESOLUTION: f64 = 1.0 / 1_000.0;

/// What can be said of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// They are the same within what is resolved.
    Same,
    /// More than the runs differ among themselves.
    Exceeds,
    /// All runs lie apart, but they are too few to exclude chance.
    Apart,
    /// Not more than the runs differ among themselves.
    Within,
    /// Single runs differ by more than each is uncertain.
    SingleApart,
    /// Single runs differ by less than they are uncertain.
    SingleWithin,
    /// A figure of a single run without any interval.
    Untold,
    /// Counts of runs that are not equally long.
    Lengths,
}

impl Agreement {
    pub fn describe(self) -> &'static str {
        match self {
            Agreement::Same => "the same",
            Agreement::Exceeds => "more than the runs differ among themselves",
            Agreement::Apart => "all runs apart, too few to exclude chance",
            Agreement::Within => "within the runs' own spread",
            Agreement::SingleApart => "these two runs differ; repeat to know more",
            Agreement::SingleWithin => "within what a single run leaves open",
            Agreement::Untold => "cannot be told from single runs",
            Agreement::Lengths => "runs of different length, whose counts do not compare",
        }
    }

    /// Whether it can be said which is better.
    pub(super) fn tells_direction(self) -> bool {
        !matches!(self, Agreement::Same | Agreement::Lengths)
    }
}

/// A run of a test: its samples, of all cores together, and the series that they came from.
#[derive(Clone)]
pub(super) struct Run<'a> {
    pub(super) histogram: Histogram,
    series: Vec<&'a SampleSeries>,
}

impl<'a> Run<'a> {
    pub(super) fn of(series: &'a SampleSeries) -> Run<'a> {
        Run { histogram: series.histogram.clone(), series: vec![series] }
    }

    pub(super) fn add(&mut self, series: &'a SampleSeries) {
        self.histogram.merge(&series.histogram);
        self.series.push(series);
    }

    /// A figure: of several cores the sum of what is counted, else the mean by samples.
    fn figure(&self, name: &str, unit: MeasureUnit) -> Option<f64> {
        let of =
            |series: &&SampleSeries| Some((*series.figures.get(name)?, series.statistics.n as f64));
        let all: Vec<(f64, f64)> = self.series.iter().filter_map(of).collect();
        let weights: f64 = all.iter().map(|(_, n)| n).sum();
        match unit {
            _ if all.is_empty() => None,
            MeasureUnit::CountOfSamples => Some(all.iter().map(|(value, _)| value).sum()),
            _ => Some(all.iter().map(|(value, n)| value * n).sum::<f64>() / weights.max(1.0)),
        }
    }

    /// The value of a measure in its unit.
    pub(super) fn value(&self, measure: &MachineMeasure) -> Option<Amount> {
        let rate_hz = self.series[0].condition("rate_hz").and_then(|rate| rate.parse().ok());
        let figure = |name: &str| self.figure(name, measure.unit);
        measure.of(&Statistics::of(&self.histogram), figure, rate_hz)
    }
}

/// A measure over the runs of one label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub least: Amount,
    pub median: Amount,
    pub greatest: Amount,
    runs: u64,
    /// Samples of all runs, for numbers that grow with them.
    n: u64,
    /// Within a single run, with 95 % confidence.
    interval: Option<(f64, f64)>,
}

impl Sample {
    /// Of a measure; `None` where no run has it.
    pub fn of(measure: &MachineMeasure, runs: &[Run<'_>]) -> Option<Sample> {
        let mut values: Vec<Amount> = runs.iter().filter_map(|run| run.value(measure)).collect();
        // What lies beyond a table is more than any row of it.
        values
            .sort_by(|a, b| (a.beyond, a.value).partial_cmp(&(b.beyond, b.value)).unwrap_or(Equal));
        let (least, greatest) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let upper = values[middle];
        let lower = if values.len().is_multiple_of(2) { values[middle - 1] } else { upper };
        let between = Amount { value: f64::midpoint(lower.value, upper.value), ..upper };
        let median = if upper.beyond { upper } else { between };
        let single = if let [run] = runs { interval(measure, run) } else { None };
        let n = runs.iter().map(|run| run.histogram.n()).sum();
        Some(Sample { least, median, greatest, runs: values.len() as u64, n, interval: single })
    }
}

/// What can be said of the difference of two samples; nothing where a value is no number.
pub(super) fn agreement(measure: &MachineMeasure, a: &Sample, b: &Sample) -> Option<Agreement> {
    let apart = |a: (f64, f64), b: (f64, f64)| a.1 < b.0 || b.1 < a.0;
    if !a.median.value.is_finite() || !b.median.value.is_finite() {
        return None;
    }
    if same(measure, a.median, b.median) {
        return Some(Agreement::Same);
    }
    if measure.unit == MeasureUnit::CountOfSamples && are_of_different_length(a, b) {
        return Some(Agreement::Lengths);
    }
    if a.runs > 1 && b.runs > 1 {
        let range = |sample: &Sample| (sample.least.value, sample.greatest.value);
        return Some(match apart(range(a), range(b)) {
            false => Agreement::Within,
            true if 2.0 / binomial(a.runs + b.runs, a.runs) <= CHANCE => Agreement::Exceeds,
            true => Agreement::Apart,
        });
    }
    // Of several runs beside a single one their range is what is known.
    let own = |sample: &Sample| {
        let range = (sample.runs > 1).then_some((sample.least.value, sample.greatest.value));
        sample.interval.or(range)
    };
    Some(match (own(a), own(b)) {
        _ if measure.is_of_the_extremes() => Agreement::Untold,
        (Some(a), Some(b)) if apart(a, b) => Agreement::SingleApart,
        (Some(_), Some(_)) => Agreement::SingleWithin,
        _ => Agreement::Untold,
    })
}

/// Whether two values are one within what is resolved.
fn same(measure: &MachineMeasure, a: Amount, b: Amount) -> bool {
    let of_bins =
        matches!(measure.source, MeasureSource::Statistic(which) if which.quantile().is_some());
    let resolved = if of_bins { RESOLUTION } else { 0.0 };
    let apart = (a.value - b.value).abs();
    a.beyond == b.beyond && apart <= resolved * a.value.abs().max(b.value.abs())
}

/// Whether the runs' lengths differ by more than a tenth, so that counts tell nothing.
fn are_of_different_length(a: &Sample, b: &Sample) -> bool {
    let of_a_run = |sample: &Sample| sample.n as f64 / sample.runs.max(1) as f64;
    let (a, b) = (of_a_run(a), of_a_run(b));
    (a - b).abs() > 0.1 * a.max(b)
}

/// The 95 % interval of a measure within one run, in its unit; `None` where there is none.
fn interval(measure: &MachineMeasure, run: &Run<'_>) -> Option<(f64, f64)> {
    let n = run.histogram.n() as f64;
    let figure = |name: &str| run.figure(name, measure.unit);
    let MeasureSource::Statistic(statistic) = measure.source else {
        let value = run.value(measure)?.value;
        return match (measure.source, measure.unit) {
            // The searches of one run.
            (MeasureSource::Figure("instances_per_track"), _) => {
                figure("least_instances").zip(figure("most_instances"))
            }
            (MeasureSource::Figure(name), MeasureUnit::Percent) if is_of_samples(name) => {
                Some(wilson(value / 100.0, n, 100.0))
            }
            (_, MeasureUnit::CountOfSamples) => Some(wilson((value / n).min(1.0), n, n)),
            (MeasureSource::Figure("round_trip_frames" | "round_trip_ns"), _) => {
                let half = Z * figure("sd_frames")? * value / figure("round_trip_frames")?;
                Some((value - half.abs(), value + half.abs()))
            }
            _ => None,
        };
    };
    let (low, high) = within(statistic, &run.histogram)?;
    // The same statistic of one sample at each end, in the measure's unit.
    let at = |ns: f64| measure.in_unit(ns, run.series[0]);
    at(low).zip(at(high))
}

/// Shares of a run's samples, unlike shares of its time.
fn is_of_samples(name: &str) -> bool {
    name.starts_with("within_") || name.starts_with("beyond_")
}

/// Wilson's interval of a share of n samples, times a factor.
fn wilson(p: f64, n: f64, factor: f64) -> (f64, f64) {
    let (square, n) = (Z * Z, n.max(1.0));
    let centre = p + square / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    let at = |bound: f64| factor * (bound / (1.0 + square / n)).clamp(0.0, 1.0);
    (at(centre - half), at(centre + half))
}

/// The 95 % interval of a statistic within one run, in nanoseconds; `None` where there is none.
fn within(statistic: SampleStatistic, run: &Histogram) -> Option<(f64, f64)> {
    let n = run.n() as f64;
    if statistic == SampleStatistic::Mean {
        let (mean, half) = (run.mean_ns()?, Z * run.sd_ns()? / n.sqrt());
        return Some((mean - half, mean + half));
    }
    let (num, den) = statistic.quantile()?;
    let p = num as f64 / den as f64;
    let half = Z * (n * p * (1.0 - p)).sqrt();
    let rank = |rank: f64| {
        let rank = rank.clamp(1.0, n) as u64;
        run.quantile(rank, run.n()).map(|time| time.0 as f64)
    };
    Some((rank((n * p - half).floor())?, rank((n * p + half).ceil())?))
}

/// C(n, k), exact below 2^53.
fn binomial(n: u64, k: u64) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;

    fn run(around: i64) -> Histogram {
        Histogram::of((0..1_000).map(|i| Nanos(around + i % 100)))
    }

    fn told(a: &[i64], b: &[i64]) -> Agreement {
        let of = |all: &[i64]| {
            sample(
                SampleStatistic::Median,
                &all.iter().map(|around| run(*around)).collect::<Vec<_>>(),
            )
        };
        agreement(&lateness(SampleStatistic::Median), &of(a), &of(b)).unwrap()
    }

    fn lateness(which: SampleStatistic) -> MachineMeasure {
        let source = MeasureSource::Statistic(which);
        *crate::measures(crate::Quantity::Lateness).iter().find(|m| m.source == source).unwrap()
    }

    fn sample(which: SampleStatistic, runs: &[Histogram]) -> Sample {
        let series =
            |run: &Histogram| SampleSeries::of(crate::Quantity::Lateness, &[], run.clone());
        let series: Vec<SampleSeries> = runs.iter().map(series).collect();
        let runs: Vec<Run<'_>> = series.iter().map(Run::of).collect();
        Sample::of(&lateness(which), &runs).unwrap()
    }

    #[test]
    fn four_runs_of_each_that_lie_apart_exceed_their_spread() {
        assert_eq!(
            told(&[1_000, 1_010, 1_020, 1_030], &[1_100, 1_110, 1_120, 1_130]),
            Agreement::Exceeds
        );
        assert_eq!(told(&[1_000, 1_010, 1_020], &[1_100, 1_110, 1_120]), Agreement::Apart);
        assert_eq!(
            told(&[1_000, 1_010, 1_120, 1_030], &[1_100, 1_110, 1_120, 1_130]),
            Agreement::Within
        );
    }

    #[test]
    fn single_runs_tell_of_themselves_only() {
        assert_eq!(told(&[1_000], &[2_000]), Agreement::SingleApart);
        assert_eq!(told(&[1_000], &[1_002]), Agreement::SingleWithin);
        assert_eq!(told(&[1_000], &[1_000]), Agreement::Same);
        let of = |around| sample(SampleStatistic::Max, &[run(around)]);
        let told = agreement(&lateness(SampleStatistic::Max), &of(1_000), &of(9_000));
        assert_eq!(told, Some(Agreement::Untold));
    }

    #[test]
    fn an_interval_holds_the_true_quantile_nineteen_times_in_twenty() {
        let mut state = 7u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            Nanos((state >> 33) as i64 % 2_000)
        };
        let held = (0..500).filter(|_| {
            let run = Histogram::of((0..400).map(|_| uniform()));
            let (low, high) = within(SampleStatistic::P90, &run).unwrap();
            (low..=high).contains(&1_800.0)
        });
        let held = held.count();
        assert!((465..=495).contains(&held), "{held} of 500");
    }

    #[test]
    fn ways_of_choosing_are_counted() {
        assert_eq!((binomial(8, 4), binomial(6, 3), binomial(5, 1)), (70.0, 20.0, 5.0));
    }
}
