//! [`agreement`]: whether two figures differ by more than the runs do.
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

use crate::{Histogram, Statistic, Statistics};
use serde::Serialize;

/// The rule in words, as pages and comparisons show it.
pub const RULE: &str = "Files with the same label are repeated runs. A difference exceeds the \
     runs' own spread where every run of the one lies below every run of the other, and chance \
     alone would bring that about at most once in twenty times: 2 / C(m + n, m) with m and n \
     runs, so from four runs of each (Mann and Whitney, 1947). With fewer runs that lie apart, \
     more are needed to tell. With a single run on either side only the 95 % interval of each \
     figure within its run is known (order statistics; mean +- 1.96 SD / sqrt n): where these \
     are apart the two runs differ, and whether their machines do is not known. Of a single \
     run's maximum, and of its SD, nothing can be told.";

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
}

impl Agreement {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Agreement::Same => "the same",
            Agreement::Exceeds => "more than the runs differ among themselves",
            Agreement::Apart => "all runs apart, too few to exclude chance",
            Agreement::Within => "within the runs' own spread",
            Agreement::SingleApart => "these two runs differ; repeat to know more",
            Agreement::SingleWithin => "within what a single run leaves open",
            Agreement::Untold => "cannot be told from single runs",
        }
    }
}

/// A statistic over the runs of one label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub least: f64,
    pub median: f64,
    pub greatest: f64,
    runs: u64,
    /// Within a single run, with 95 % confidence.
    interval: Option<(f64, f64)>,
}

impl Sample {
    /// Of a statistic; `None` where no run has it.
    pub fn of(statistic: Statistic, runs: &[Histogram]) -> Option<Sample> {
        let value = |run: &Histogram| statistic.of(&Statistics::of(run));
        let mut values: Vec<f64> = runs.iter().filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median = match values.len() {
            0 => return None,
            n if n % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
            _ => values[middle],
        };
        let single = if let [run] = runs { interval(statistic, run) } else { None };
        Some(Sample {
            least: values[0],
            median,
            greatest: values[values.len() - 1],
            runs: values.len() as u64,
            interval: single,
        })
    }
}

/// What can be said of the difference of two samples.
pub(super) fn agreement(statistic: Statistic, a: &Sample, b: &Sample) -> Agreement {
    let resolved = if statistic.quantile().is_some() { RESOLUTION } else { 0.0 };
    let apart = |a: (f64, f64), b: (f64, f64)| a.1 < b.0 || b.1 < a.0;
    if (a.median - b.median).abs() <= resolved * a.median.abs().max(b.median.abs()) {
        return Agreement::Same;
    }
    if a.runs > 1 && b.runs > 1 {
        return match apart((a.least, a.greatest), (b.least, b.greatest)) {
            false => Agreement::Within,
            true if 2.0 / binomial(a.runs + b.runs, a.runs) <= CHANCE => Agreement::Exceeds,
            true => Agreement::Apart,
        };
    }
    let own = |sample: &Sample| sample.interval.unwrap_or((sample.least, sample.greatest));
    match statistic {
        Statistic::Min | Statistic::Max | Statistic::Sd => Agreement::Untold,
        _ if apart(own(a), own(b)) => Agreement::SingleApart,
        _ => Agreement::SingleWithin,
    }
}

/// The 95 % interval of a statistic within one run; `None` where there is none.
fn interval(statistic: Statistic, run: &Histogram) -> Option<(f64, f64)> {
    let n = run.n() as f64;
    if statistic == Statistic::Mean {
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
    use chronotap_time::Nanos;

    fn run(around: i64) -> Histogram {
        Histogram::of((0..1_000).map(|i| Nanos(around + i % 100)))
    }

    fn told(a: &[i64], b: &[i64]) -> Agreement {
        let of = |all: &[i64]| {
            let runs: Vec<Histogram> = all.iter().map(|around| run(*around)).collect();
            Sample::of(Statistic::Median, &runs).unwrap()
        };
        agreement(Statistic::Median, &of(a), &of(b))
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
        let of = |around| Sample::of(Statistic::Max, &[run(around)]).unwrap();
        assert_eq!(agreement(Statistic::Max, &of(1_000), &of(9_000)), Agreement::Untold);
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
            let (low, high) = interval(Statistic::P90, &run).unwrap();
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
