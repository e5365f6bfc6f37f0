//! Lateness of output: achieved − deadline, signed, of everything that sounded.

use crate::moments::mean_ns;
use chronotap_core::time::Nanos;
use serde::Serialize;

/// Upper edges of the histogram, in µs: 1, 2 and 5 of every power of ten. The same
/// in every report, so that histograms can be laid upon each other.
pub const EDGES_US: [i64; 19] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000,
    200_000, 500_000, 1_000_000,
];

/// Lateness described. Times in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lateness {
    /// How many outputs.
    pub n: usize,
    pub mean_us: f64,
    /// Least; negative is early.
    pub min_us: f64,
    pub median_us: f64,
    /// 99th percentile.
    pub p99_us: f64,
    /// Greatest.
    pub max_us: f64,
    /// How many were farther than the limit from their deadline, late or early.
    pub over_limit: usize,
    /// How many fell into each bucket: early ones first, then up to each of
    /// [`EDGES_US`], then those beyond.
    pub histogram: Vec<Bucket>,
}

/// One bar of the histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// From this on, in µs; `None` for the early ones.
    pub from_us: Option<i64>,
    /// To below this, in µs; `None` for those beyond the last edge.
    pub below_us: Option<i64>,
    pub count: u64,
}

/// Describes lateness; `None` where nothing sounded.
pub fn describe(lateness: &[Nanos], limit: Nanos) -> Option<Lateness> {
    let mut sorted = lateness.to_vec();
    sorted.sort_unstable();
    Some(Lateness {
        n: sorted.len(),
        mean_us: mean_ns(&sorted)? / 1e3,
        min_us: quantile(&sorted, 0, 1)?.as_micros_f64(),
        median_us: quantile(&sorted, 1, 2)?.as_micros_f64(),
        p99_us: quantile(&sorted, 99, 100)?.as_micros_f64(),
        max_us: quantile(&sorted, 1, 1)?.as_micros_f64(),
        over_limit: sorted.iter().filter(|lateness| lateness.abs() > limit).count(),
        histogram: histogram(&sorted),
    })
}

/// The `num / den` quantile of ascending values: the least value that at least this
/// share of all values does not exceed. It is always one that occurred, never one
/// between two (definition 1 of Hyndman & Fan 1996).
pub fn quantile(sorted: &[Nanos], num: usize, den: usize) -> Option<Nanos> {
    let rank = (sorted.len() * num).div_ceil(den.max(1)).max(1);
    sorted.get(rank - 1).copied()
}

/// Counts in the fixed buckets; empty ones are kept.
pub fn histogram(lateness: &[Nanos]) -> Vec<Bucket> {
    let lower = [None, Some(0)].into_iter().chain(EDGES_US.map(Some));
    let upper = [Some(0)].into_iter().chain(EDGES_US.map(Some)).chain([None]);
    let empty = lower.zip(upper).map(|(from_us, below_us)| Bucket { from_us, below_us, count: 0 });
    let mut buckets: Vec<Bucket> = empty.collect();
    for one in lateness {
        let edges = EDGES_US.partition_point(|edge| Nanos::from_micros(*edge) <= *one);
        buckets[if one.0 < 0 { 0 } else { edges + 1 }].count += 1;
    }
    buckets
}

/// How many of these times, in microseconds, need so many whole milliseconds, early ones as late
/// ones: the form in which Finney (2001) tells of 1,320 trials. Each count is of those that need
/// no fewer.
pub fn tally_ms(times_us: impl IntoIterator<Item = f64>) -> Vec<(u64, usize)> {
    let whole = |us: f64| (us.abs() / 1e3).ceil() as u64;
    let mut all: Vec<u64> = times_us.into_iter().map(|us| whole(us).max(1)).collect();
    all.sort_unstable();
    all.chunk_by(|one, other| one == other).map(|same| (same[0], same.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred() {
        let ten: Vec<Nanos> = (1..=10).map(Nanos).collect();
        assert_eq!(quantile(&ten, 1, 2), Some(Nanos(5)));
        assert_eq!(quantile(&ten, 99, 100), Some(Nanos(10)));
        assert_eq!(quantile(&ten, 0, 1), Some(Nanos(1)));
        let hundred: Vec<Nanos> = (1..=100).map(Nanos).collect();
        assert_eq!(quantile(&hundred, 99, 100), Some(Nanos(99)));
        assert_eq!(quantile(&[], 1, 2), None);
    }

    #[test]
    fn a_tally_in_whole_milliseconds_is_that_of_the_paper() {
        let trials = (0..1_320).map(|n| match n {
            0..1_270 => 1_000.0 - f64::from(n) / 2.0,
            1_270..1_305 => -1_000.1,
            _ => 3_000.0,
        });
        assert_eq!(tally_ms(trials), [(1, 1_270), (2, 35), (3, 15)]);
        assert_eq!(tally_ms([0.0]), [(1, 1)]);
        assert_eq!(tally_ms([]), []);
    }

    #[test]
    fn buckets_begin_at_their_lower_edge() {
        let buckets = histogram(&[-1, 0, 999, 1_000, 4_999, 5_000, 2_000_000_000].map(Nanos));
        let full: Vec<_> = buckets.iter().filter(|b| b.count > 0).collect();
        let spans: Vec<_> = full.iter().map(|b| (b.from_us, b.below_us, b.count)).collect();
        let expected = [
            (None, Some(0), 1),
            (Some(0), Some(1), 2),
            (Some(1), Some(2), 1),
            (Some(2), Some(5), 1),
            (Some(5), Some(10), 1),
            (Some(1_000_000), None, 1),
        ];
        assert_eq!(spans, expected);
    }

    #[test]
    fn early_and_late_outputs_both_count_against_the_limit() {
        let lateness = [-1_500_000, 3_000, 1_000_000, 1_000_001].map(Nanos);
        let found = describe(&lateness, Nanos::from_millis(1)).unwrap();
        assert_eq!((found.over_limit, found.max_us, found.min_us), (2, 1000.001, -1500.0));
        assert_eq!(describe(&[], Nanos::ZERO), None);
    }
}
