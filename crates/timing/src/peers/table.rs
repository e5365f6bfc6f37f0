//! [`Column`]: one column of a table of latencies, as the printed ones are, and the
//! series that it becomes.
//!
//! A table counts whole units cut down, so a sample stands for up to one unit more;
//! it is taken at the unit's lower edge, as the program that printed it took it.

use crate::{Histogram, Quantity, Series, Statistics};
use chronotap_time::Nanos;

/// No latency is an hour, and no run takes a trillion samples: a file that says so is
/// damaged. Within these bounds no sum overflows.
const LONGEST: u64 = 3_600_000_000_000;
const MOST: u64 = 1_000_000_000_000;
/// More cores than that would fill the memory with histograms.
pub(super) const MOST_COLUMNS: usize = 1_024;

/// One column.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// How many nanoseconds one unit of the table is.
    pub unit_ns: u64,
    /// Value and count, in units.
    pub rows: Vec<(u64, u64)>,
    /// How many samples lie beyond the table.
    pub beyond: u64,
    /// The first value beyond the table, in units.
    pub end: u64,
    /// Greatest sample in units, where the file tells it.
    pub max: Option<u64>,
    /// Mean in units, where the file tells it.
    pub mean: Option<f64>,
}

impl Column {
    /// The series, or what is impossible about the column.
    pub fn series(&self, conditions: &[(&str, &str)]) -> Result<Series, &'static str> {
        let (mut n, mut counts) = (0_u64, Vec::with_capacity(self.rows.len() + 2));
        for &(value, count) in self.rows.iter().chain(&self.beyond()) {
            let ns = value.checked_mul(self.unit_ns).filter(|ns| *ns < LONGEST);
            let ns = ns.ok_or("a latency below an hour")?;
            n = n.checked_add(count).filter(|n| *n <= MOST).ok_or("at most 10^12 samples")?;
            counts.push((Nanos(ns as i64), count));
        }
        let histogram = Histogram::counted(counts);
        let mut series = Series::of(Quantity::Lateness, conditions, histogram)
            .with("beyond_the_table", self.beyond as f64);
        if self.beyond > 0 {
            self.leave_out_what_is_not_known(&mut series.statistics);
        }
        Ok(match self.mean {
            Some(mean) => series.with("reported_mean_ns", mean * self.unit_ns as f64),
            None => series,
        })
    }

    /// Where samples lie beyond the table, its rows give neither mean nor SD, and no quantile
    /// that falls among them: the mean is the printed one.
    fn leave_out_what_is_not_known(&self, statistics: &mut Statistics) {
        let end = i64::try_from(self.end.saturating_mul(self.unit_ns)).unwrap_or(i64::MAX);
        // A bin of the histogram begins up to a thousandth before what it holds.
        let within = |ns: Option<i64>| ns.filter(|ns| *ns < end - end / 1_024);
        statistics.mean_ns = self.mean.map(|mean| mean * self.unit_ns as f64);
        statistics.sd_ns = None;
        statistics.median_ns = within(statistics.median_ns);
        statistics.p90_ns = within(statistics.p90_ns);
        statistics.p99_ns = within(statistics.p99_ns);
        statistics.p999_ns = within(statistics.p999_ns);
        if self.max.is_none() {
            statistics.max_ns = None;
        }
    }

    /// Of the samples beyond the table one is the greatest, and the others are at
    /// least at its end.
    fn beyond(&self) -> Vec<(u64, u64)> {
        match (self.beyond, self.max) {
            (0, _) => Vec::new(),
            (n, Some(max)) if max >= self.end => vec![(self.end, n - 1), (max, 1)],
            (n, _) => vec![(self.end, n)],
        }
    }

    /// What a reader of the figures must know.
    pub fn note(&self, name: &str) -> Option<String> {
        let ms = (self.end as f64 * self.unit_ns as f64) / 1e6;
        (self.beyond > 0).then(|| {
            format!(
                "{name}: {} samples lie beyond the table, which ends at {ms} ms: quantiles that \
                 are not given are > {ms} ms, the mean is the printed one, and there is no SD",
                self.beyond
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_beyond_the_table_keep_the_greatest_and_bound_the_rest() {
        let rows = vec![(14, 90), (20, 7)];
        let column =
            Column { unit_ns: 1_000, rows, beyond: 3, end: 60, max: Some(848), mean: Some(20.5) };
        let series = column.series(&[("thread", "0")]).unwrap();
        assert_eq!((series.statistics.n, series.statistics.max_ns), (100, Some(848_000)));
        assert!(column.note("thread 0").unwrap().contains("3 samples"));
        assert_eq!(series.figures["reported_mean_ns"], 20_500.0);
        let statistics = series.statistics;
        assert_eq!((statistics.p99_ns, statistics.p90_ns), (None, Some(14_000)));
        assert_eq!((statistics.mean_ns, statistics.sd_ns), (Some(20_500.0), None));
        assert!(column.note("thread 0").unwrap().contains("> 0.06 ms"));
    }

    #[test]
    fn impossible_counts_are_refused() {
        let of = |rows: Vec<(u64, u64)>| {
            Column { unit_ns: 1_000, rows, ..Column::default() }.series(&[]).map(|_| ())
        };
        assert!(of(vec![(u64::MAX, 1)]).is_err());
        assert!(of(vec![(1, u64::MAX), (1, u64::MAX)]).is_err());
        assert!(of(vec![(1, MOST), (2, 1)]).is_err());
        assert_eq!(of(vec![(3_599_999_999, MOST)]), Ok(()));
    }
}
