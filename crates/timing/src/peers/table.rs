//! [`Column`]: one column of a table of latencies, as the printed ones are, and the
//! series that it becomes.
//!
//! A table counts whole units cut down, so a sample stands for up to one unit more;
//! it is taken at the unit's lower edge, as the program that printed it took it.

use super::Lacks;
use crate::{Histogram, Quantity, SampleSeries, TestFound};
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
    /// What else the file prints of the column, which its rows must give again.
    pub printed: Printed,
    /// The least sample in units, where mean, least and greatest are printed more finely than the rows are.
    pub finer_least: Option<i64>,
}

/// What a program prints below its table of what stands in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Printed {
    /// How many samples are in the rows.
    pub counted: Option<u64>,
    /// The least sample in units.
    pub least: Option<u64>,
    /// How far above and below the printed mean the mean lies, in units; nothing where it is not compared.
    pub mean: Option<(f64, f64)>,
}

/// Why a column becomes no series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Its numbers cannot be; what should stand there.
    Impossible(&'static str),
    /// What is printed below the table is not what stands in it.
    Disagrees { what: &'static str, printed: String, rows: String },
}

impl Wrong {
    /// As what a file lacks; `of` names the column.
    pub fn lacks(self, of: &str, impossible: impl FnOnce(&'static str) -> Lacks) -> Lacks {
        match self {
            Wrong::Impossible(expected) => impossible(expected),
            Wrong::Disagrees { what, printed, rows } => {
                Lacks::Agreement { of: of.to_owned(), what, printed, rows }
            }
        }
    }
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
        found: &mut TestFound,
    ) -> Result<(), Wrong> {
        self.compare()?;
        found.series.push(self.series(conditions).map_err(Wrong::Impossible)?);
        found.notes.extend(self.note(name));
        Ok(())
    }

    /// The series, or what is impossible about the column. Where samples lie beyond the
    /// table, its rows give neither mean nor SD: the mean is the printed one.
    fn series(&self, conditions: &[(&str, &str)]) -> Result<SampleSeries, &'static str> {
        let all = self.rows.iter().try_fold(self.beyond, |n, (_, count)| n.checked_add(*count));
        all.filter(|n| *n <= MOST).ok_or("at most 10^12 samples")?;
        let counted = self.rows.iter().map(|(value, count)| Ok((self.time(*value)?, *count)));
        let counts = counted.collect::<Result<Vec<(Nanos, u64)>, &'static str>>()?;
        let max = self.max.map(|max| self.time(max)).transpose()?;
        let mean_ns = self.mean.map(|mean| mean * self.unit_ns as f64);
        let beyond = (self.beyond, self.time(self.end)?);
        let mut histogram = Histogram::counted(counts).with_beyond(beyond, mean_ns, max);
        if let (Some(least), Some(mean), Some(max)) = (self.finer_least, mean_ns, max) {
            histogram = histogram.with_printed(Nanos(least), mean, max);
        }
        let series = SampleSeries::of(Quantity::Lateness, conditions, histogram)
            .with("beyond_the_table", self.beyond as f64);
        Ok(match mean_ns {
            Some(mean) => series.with("reported_mean_ns", mean),
            None => series,
        })
    }

    /// Holds what is printed below the table against its rows: number, least, greatest and mean.
    fn compare(&self) -> Result<(), Wrong> {
        let disagrees =
            |what, printed: String, rows: String| Err(Wrong::Disagrees { what, printed, rows });
        let counted = self.rows.iter().fold(0_u64, |n, (_, count)| n.saturating_add(*count));
        if let Some(printed) = self.printed.counted.filter(|printed| *printed != counted) {
            return disagrees("the number of samples", printed.to_string(), counted.to_string());
        }
        let used = || self.rows.iter().filter(|(_, count)| *count > 0).map(|(value, _)| *value);
        let (first, last) = (used().min(), used().max());
        let end = (self.beyond > 0).then_some(self.end);
        if let (Some(printed), Some(row)) = (self.printed.least, first.or(end)) {
            let fits = if first.is_some() { printed == row } else { printed >= row };
            if !fits {
                return disagrees("the least", printed.to_string(), row.to_string());
            }
        }
        let compared = self.printed.least.is_some() || self.printed.mean.is_some();
        if let (true, Some(printed), Some(row)) = (compared, self.max, end.or(last)) {
            let fits = if end.is_some() { printed >= row } else { printed == row };
            if !fits {
                return disagrees("the greatest", printed.to_string(), row.to_string());
            }
        }
        self.compare_mean(counted)
    }

    /// Samples beyond the table lie between its end and the greatest.
    fn compare_mean(&self, counted: u64) -> Result<(), Wrong> {
        let (Some((above, below)), Some(printed)) = (self.printed.mean, self.mean) else {
            return Ok(());
        };
        let all = counted as f64 + self.beyond as f64;
        let sum: f64 = self.rows.iter().map(|(value, n)| *value as f64 * *n as f64).sum();
        let with = |each: u64| (sum + each as f64 * self.beyond as f64) / all;
        let (least, most) = (with(self.end), with(self.max.unwrap_or(u64::MAX).max(self.end)));
        // A rounding error of the sums.
        let slack = 1e-9 * most;
        if all == 0.0 || printed + above + slack >= least && printed - below <= most + slack {
            return Ok(());
        }
        let rows = match self.beyond {
            0 => format!("{least:.2}"),
            _ => format!("{least:.2} to {most:.2}"),
        };
        Err(Wrong::Disagrees { what: "the mean", printed: printed.to_string(), rows })
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
        let column = Column {
            unit_ns: 1_000,
            rows,
            beyond: 3,
            end: 60,
            max: Some(848),
            mean: Some(20.5),
            ..Column::default()
        };
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
    fn what_is_printed_below_a_table_must_be_what_stands_in_it() {
        let right = Column {
            unit_ns: 1_000,
            rows: vec![(14, 90), (20, 10)],
            max: Some(20),
            mean: Some(14.0),
            printed: Printed { counted: Some(100), least: Some(14), mean: Some((1.0, 0.0)) },
            ..Column::default()
        };
        assert_eq!(right.compare(), Ok(()));
        let refused = |wrong: Column| match wrong.compare() {
            Err(Wrong::Disagrees { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        let of = |printed| Column { printed, ..right.clone() };
        let counted = Printed { counted: Some(101), ..right.printed };
        assert_eq!(refused(of(counted)), "the number of samples");
        assert_eq!(refused(of(Printed { least: Some(13), ..right.printed })), "the least");
        assert_eq!(refused(Column { max: Some(76), ..right.clone() }), "the greatest");
        assert_eq!(refused(Column { mean: Some(15.0), ..right.clone() }), "the mean");
        assert_eq!(refused(Column { mean: Some(13.0), ..right.clone() }), "the mean");
        // Three samples from 60 to 848: a mean from 15.9 to 38.9.
        let open = Column { beyond: 3, end: 60, max: Some(848), ..right.clone() };
        let with = |mean| Column { mean: Some(mean), ..open.clone() };
        assert_eq!((with(15.0).compare(), with(38.0).compare()), (Ok(()), Ok(())));
        assert_eq!((refused(with(14.0)), refused(with(39.0))), ("the mean", "the mean"));
        assert_eq!(refused(Column { max: Some(59), ..open.clone() }), "the greatest");
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
