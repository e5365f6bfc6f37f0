//! [`Column`]: one column of a table of latencies, as the printed ones are, and the
//! series that it becomes.
//!
//! A table counts whole units cut down, so a sample stands for up to one unit more;
//! it is taken at the unit's lower edge, as the program that printed it took it.

use crate::timing::{Found, Histogram, Quantity, Series};
use chronotap_core::time::Nanos;

/// No latency is an hour, and no run takes a trillion samples: a file that says so is
/// damaged. Within these bounds no sum overflows.
const LONGEST: u64 = 3_600_000_000_000;
const MOST: u64 = 1_000_000_000_000;
/// More cores than that would fill the memory with histograms.
pub(super) const MOST_COLUMNS: usize = 1_024;

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
    /// Counts so many samples of a value in its row.
    pub fn count(&mut self, value: u64, count: u64) {
        self.rows.extend((count > 0).then_some((value, count)));
        self.end = self.end.max(value.saturating_add(1));
    }

    /// Adds its series to what was found, and what is to be said of it by its name.
    pub fn add(
        &self,
        name: &str,
        conditions: &[(&str, &str)],
        found: &mut Found,
    ) -> Result<(), &'static str> {
        found.series.push(self.series(conditions)?);
        found.notes.extend(self.note(name));
        Ok(())
    }

    /// The series, or what is impossible about the column. Where samples lie beyond the
    /// table, its rows give neither mean nor SD: the mean is the printed one.
    fn series(&self, conditions: &[(&str, &str)]) -> Result<Series, &'static str> {
        let all = self.rows.iter().try_fold(self.beyond, |n, (_, count)| n.checked_add(*count));
        all.filter(|n| *n <= MOST).ok_or("at most 10^12 samples")?;
        let counted = self.rows.iter().map(|(value, count)| Ok((self.time(*value)?, *count)));
        let counts = counted.collect::<Result<Vec<(Nanos, u64)>, &'static str>>()?;
        let max = self.max.map(|max| self.time(max)).transpose()?;
        let mean_ns = self.mean.map(|mean| mean * self.unit_ns as f64);
        let beyond = (self.beyond, self.time(self.end)?);
        let histogram = Histogram::counted(counts).with_beyond(beyond, mean_ns, max);
        let series = Series::of(Quantity::Lateness, conditions, histogram)
            .with("beyond_the_table", self.beyond as f64);
        Ok(match mean_ns {
            Some(mean) => series.with("reported_mean_ns", mean),
            None => series,
        })
    }

    fn time(&self, value: u64) -> Result<Nanos, &'static str> {
        let ns = value.checked_mul(self.unit_ns).filter(|ns| *ns < LONGEST);
        Ok(Nanos(ns.ok_or("a latency below an hour")? as i64))
    }

    /// What a reader of the figures must know.
    fn note(&self, name: &str) -> Option<String> {
        let ms = (self.end as f64 * self.unit_ns as f64) / 1e6;
        (self.beyond > 0).then(|| {
            format!(
                "{name}: {} samples lie beyond the table, which ends at {ms} ms: quantiles among \
                 them are more than that, the mean is the printed one, and there is no SD",
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
        assert!(column.note("thread 0").unwrap().contains("ends at 0.06 ms"));
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
