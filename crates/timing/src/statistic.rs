//! [`SampleStatistic`]: the names of the numbers in [`Statistics`], for whoever shows, compares
//! or matches one of them; and [`spoken`], a time with its unit as people read it.

use crate::Statistics;
use serde::{Deserialize, Serialize};

/// One of the numbers that describe samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleStatistic {
    /// Least.
    Min,
    Mean,
    /// Standard deviation.
    Sd,
    Median,
    /// What 90 % do not exceed.
    P90,
    /// 99 %.
    P99,
    /// 99.9 %.
    P999,
    /// Greatest.
    Max,
}

impl SampleStatistic {
    /// All, in the order of tables.
    pub const ALL: [SampleStatistic; 8] = [
        SampleStatistic::Min,
        SampleStatistic::Mean,
        SampleStatistic::Sd,
        SampleStatistic::Median,
        SampleStatistic::P90,
        SampleStatistic::P99,
        SampleStatistic::P999,
        SampleStatistic::Max,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            SampleStatistic::Min => "min",
            SampleStatistic::Mean => "mean",
            SampleStatistic::Sd => "SD",
            SampleStatistic::Median => "median",
            SampleStatistic::P90 => "p90",
            SampleStatistic::P99 => "p99",
            SampleStatistic::P999 => "p99.9",
            SampleStatistic::Max => "max",
        }
    }

    /// Its value in nanoseconds; `None` where there are too few samples.
    pub fn of(self, all: &Statistics) -> Option<f64> {
        let whole = |ns: Option<i64>| ns.map(|ns| ns as f64);
        match self {
            SampleStatistic::Min => whole(all.min_ns),
            SampleStatistic::Mean => all.mean_ns,
            SampleStatistic::Sd => all.sd_ns,
            SampleStatistic::Median => whole(all.median_ns),
            SampleStatistic::P90 => whole(all.p90_ns),
            SampleStatistic::P99 => whole(all.p99_ns),
            SampleStatistic::P999 => whole(all.p999_ns),
            SampleStatistic::Max => whole(all.max_ns),
        }
    }

    /// Its value as people read it: `25.3 us`; `> 400 us` where it is only known to lie beyond
    /// a table's end, `-` where it is not known.
    pub fn said(self, all: &Statistics) -> String {
        match (self.of(all), self.limit(all)) {
            (Some(ns), _) => spoken(ns),
            (None, Some(ns)) => spoken_limit(ns),
            (None, None) => "-".into(),
        }
    }

    /// What it exceeds, where no more is known of it.
    pub fn limit(self, all: &Statistics) -> Option<f64> {
        let ranked = self.quantile().is_some() || self == SampleStatistic::Max;
        let limit = all.beyond_ns.filter(|_| ranked && self.of(all).is_none());
        limit.map(|ns| ns as f64)
    }

    /// The quantile that it is, as a fraction of all samples.
    pub fn quantile(self) -> Option<(u64, u64)> {
        match self {
            SampleStatistic::Median => Some((1, 2)),
            SampleStatistic::P90 => Some((9, 10)),
            SampleStatistic::P99 => Some((99, 100)),
            SampleStatistic::P999 => Some((999, 1_000)),
            _ => None,
        }
    }
}

/// The standard deviation of numbers, with n - 1.
pub fn sd(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (n - 1.0).max(1.0)).sqrt()
}

/// A time as people read it, with three or four digits and its unit: `25.3 us`.
pub fn spoken(ns: f64) -> String {
    let amount = ns.abs();
    let (value, unit) = match amount {
        a if a < 999.5 => (ns, "ns"),
        a if a < 999_950.0 => (ns / 1e3, "us"),
        a if a < 999_950_000.0 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value.abs() {
        v if unit == "ns" && v >= 10.0 => 0,
        v if v < 9.995 => 2,
        _ => 1,
    };
    format!("{value:.digits$} {unit}")
}

/// What is only known to be more than a time: `> 400 us`.
pub fn spoken_limit(ns: f64) -> String {
    format!("> {}", spoken(ns).replace(".00 ", " ").replace(".0 ", " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;
    use chronotap_core::time::Nanos;

    #[test]
    fn times_are_spoken_with_three_or_four_digits_and_a_unit() {
        let said = [0.0, 20.4, 999.4, 1_250.0, 25_300.0, 840_019_000.0, 1.5e9, -7_000.0];
        let expected =
            ["0.00 ns", "20 ns", "999 ns", "1.25 us", "25.3 us", "840.0 ms", "1.50 s", "-7.00 us"];
        assert_eq!(said.map(spoken), expected);
    }

    #[test]
    fn every_statistic_is_found_under_its_name() {
        let all = Statistics::of(&Histogram::of((1..=1_000).map(Nanos)));
        let values = SampleStatistic::ALL.map(|which| which.of(&all).unwrap().round());
        assert_eq!(values, [1.0, 501.0, 289.0, 500.0, 900.0, 990.0, 999.0, 1_000.0]);
    }
}
