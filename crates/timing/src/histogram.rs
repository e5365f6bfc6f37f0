//! [`Histogram`]: signed times in bins that are exact below 2 us and within a
//! thousandth above, so that a million clock reads of 20 ns and one stall of a second
//! lie in the same few kilobytes.
//!
//! Background: a test may take 10⁸ samples, more than can be kept one by one.
//! Solution: a time belongs to a bin of width 1 ns where its amount is below 2,048 ns,
//! and of width 2^k where it lies from 2^(10+k) to 2^(11+k) ns; negative times
//! likewise, mirrored. Count, sum, sum of squares, least and greatest are kept apart
//! and exactly.
//! Why it works: mean and SD do not depend on bins, and a quantile is given as the
//! lower edge of its bin, at most a 1,024th of its amount from the true one.
//! Where no more is recorded, [`Histogram::packed`] keeps the bins in use alone: a whole
//! test has hundreds of series, and a page is made of several tests.
//! Of another program's table it may be known of some samples only that they lie beyond its
//! end ([`Beyond`]): they count, and are in no bin; what cannot be told without them is not.
//! Example: 5,000 ns lies in the bin from 5,000 to 5,003 (width 4, since 4,096 ≤ 5,000).
//!
//! Real-time contract of [`Histogram::record`]: any thread; no allocation, lock or
//! system call; a dozen instructions.

mod written;

use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// Amounts below this have bins of their own.
const EXACT: u64 = 2_048;
/// Bins of one width.
const ROW: usize = 1_024;
/// Widths above 1 ns: amounts from 2^42 ns, an hour and more, go into the last bin.
const ROWS: usize = 31;
const SIDE: usize = EXACT as usize + ROWS * ROW;

/// Times in bins.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// Of every bin: negative amounts first, each side by rising amount; empty where
    /// packed.
    counts: Vec<u64>,
    /// Of the bins in use, in rising order of their times: place in `counts`, and count.
    in_use: Vec<(u32, u64)>,
    n: u64,
    sum: i128,
    squares: u128,
    min: i64,
    max: i64,
    beyond: Option<Beyond>,
}

/// Samples of which it is known only that they are not less than a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beyond {
    pub count: u64,
    /// The limit, in nanoseconds; of several the least.
    pub from_ns: i64,
    /// Whether the mean of all samples is known.
    pub mean_known: bool,
    /// Whether the greatest is.
    pub max_known: bool,
}

/// One bin that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// The least time in it, in nanoseconds.
    pub from_ns: i64,
    /// How many nanoseconds wide, from 1.
    pub width_ns: i64,
    /// How many samples.
    pub count: u64,
}

/// A histogram read from a file is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bin from {from_ns} ns of {width_ns} ns is none of this histogram's")]
pub struct HistogramError {
    /// Where the bin begins.
    pub from_ns: i64,
    /// How wide it is.
    pub width_ns: i64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram::new()
    }
}

impl Histogram {
    /// An empty one. Allocates all that it will ever need, half a megabyte, and
    /// touches it, so that recording meets no page fault.
    pub fn new() -> Histogram {
        let mut counts = vec![1; 2 * SIDE];
        counts.fill(0);
        Histogram { counts, ..Histogram::EMPTY }
    }

    const EMPTY: Histogram = Histogram {
        counts: Vec::new(),
        in_use: Vec::new(),
        n: 0,
        sum: 0,
        squares: 0,
        min: i64::MAX,
        max: i64::MIN,
        beyond: None,
    };

    /// Of times with how often each was counted, packed from the beginning: what another program
    /// printed has a few lines, and half a megabyte for each of its columns would take longer
    /// than reading them.
    pub fn counted(times: impl IntoIterator<Item = (Nanos, u64)>) -> Histogram {
        let mut histogram = Histogram::EMPTY;
        for (time, count) in times.into_iter().filter(|(_, count)| *count > 0) {
            histogram.add(time.0, count);
            histogram.in_use.push((place(time.0) as u32, count));
        }
        histogram.in_use.sort_unstable_by_key(|(place, _)| first(*place as usize));
        histogram.in_use.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        histogram
    }

    /// Of these times.
    pub fn of(times: impl IntoIterator<Item = Nanos>) -> Histogram {
        let mut histogram = Histogram::new();
        times.into_iter().for_each(|time| histogram.record(time));
        histogram
    }

    /// The same in a few kilobytes. Recording into it is possible, and unpacks it first:
    /// not in a measuring loop.
    #[must_use]
    pub fn packed(self) -> Histogram {
        let in_use = self.in_use().map(|(place, count)| (place as u32, count)).collect();
        Histogram { counts: Vec::new(), in_use, ..self }
    }

    /// The same with so many more samples of `from` or more, with the mean and the greatest of
    /// all samples where these are known.
    #[must_use]
    pub fn with_beyond(
        self,
        (count, from): (u64, Nanos),
        mean_ns: Option<f64>,
        max: Option<Nanos>,
    ) -> Histogram {
        if count == 0 {
            return self;
        }
        let (n, max) = (self.n + count, max.filter(|max| *max >= from));
        let sum = mean_ns.map_or(0, |mean| (mean * n as f64).round() as i128);
        let beyond = Beyond {
            count,
            from_ns: from.0,
            mean_known: mean_ns.is_some(),
            max_known: max.is_some(),
        };
        let (min, max) = (self.min.min(from.0), max.unwrap_or(from).0);
        Histogram { n, sum, min, max, beyond: Some(beyond), ..self }
    }

    /// The same with the least, the mean and the greatest of all samples, where these are known more finely than the
    /// bins are: the spread stays that of the bins.
    #[must_use]
    pub fn with_printed(self, least: Nanos, mean_ns: f64, greatest: Nanos) -> Histogram {
        if self.n == 0 {
            return self;
        }
        let n = self.n as f64;
        let by = mean_ns - self.sum as f64 / n;
        let squares = self.squares as f64 + 2.0 * by * self.sum as f64 + n * by * by;
        let sum = (mean_ns * n).round() as i128;
        let max = self.max.max(greatest.0);
        let min = least.0.min(max);
        Histogram { sum, squares: squares.max(0.0) as u128, min, max, ..self }
    }

    /// The samples that are in no bin, where there are such.
    pub fn beyond(&self) -> Option<Beyond> {
        self.beyond
    }

    /// Counts one time.
    pub fn record(&mut self, time: Nanos) {
        self.record_many(time, 1);
    }

    /// Counts a time as often as told.
    pub fn record_many(&mut self, time: Nanos, count: u64) {
        if count == 0 {
            return;
        }
        self.all()[place(time.0)] += count;
        self.add(time.0, count);
    }

    /// To what is kept besides the bins.
    fn add(&mut self, ns: i64, count: u64) {
        let amount = u128::from(ns.unsigned_abs());
        self.n += count;
        self.sum += i128::from(ns) * i128::from(count);
        self.squares += amount * amount * u128::from(count);
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
    }

    /// Adds what another one counted.
    pub fn merge(&mut self, other: &Histogram) {
        let all = self.all();
        for (place, count) in other.in_use() {
            all[place] += count;
        }
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.beyond = match (self.beyond, other.beyond) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }

    /// The same with each sample so much later; those of a bin as far as it tells.
    pub(crate) fn moved(&self, by: Nanos) -> Histogram {
        let by = by.0;
        let place_of = |bin: Bin| Nanos(bin.from_ns.clamp(self.min, self.max) + by);
        let bins = Histogram::counted(self.bins().map(|bin| (place_of(bin), bin.count)));
        let (sum, n) = (self.sum + i128::from(by) * i128::from(self.n), i128::from(self.n));
        let squares =
            self.squares as i128 + 2 * i128::from(by) * self.sum + n * i128::from(by).pow(2);
        let squares = u128::try_from(squares).unwrap_or_default();
        let (min, max) = (self.min.saturating_add(by), self.max.saturating_add(by));
        Histogram { n: self.n, sum, squares, min, max, beyond: self.beyond, ..bins }
    }

    /// How many samples.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The least sample.
    pub fn min(&self) -> Option<Nanos> {
        (self.n > 0).then_some(Nanos(self.min))
    }

    /// The greatest sample; `None` where it is not known.
    pub fn max(&self) -> Option<Nanos> {
        let known = self.beyond.is_none_or(|beyond| beyond.max_known);
        (self.n > 0 && known).then_some(Nanos(self.max))
    }

    /// Their mean in nanoseconds; `None` where it is not known.
    pub fn mean_ns(&self) -> Option<f64> {
        let known = self.beyond.is_none_or(|beyond| beyond.mean_known);
        (self.n > 0 && known).then(|| self.sum as f64 / self.n as f64)
    }

    /// Their standard deviation with n - 1, in nanoseconds; `None` below two, and where some
    /// are in no bin.
    pub fn sd_ns(&self) -> Option<f64> {
        if self.n < 2 || self.beyond.is_some() {
            return None;
        }
        // n Σx² - (Σx)², in whole numbers where they fit, so that no digits cancel.
        let n = u128::from(self.n);
        let square_of_sum = self.sum.unsigned_abs().checked_pow(2);
        let spread = match (self.squares.checked_mul(n), square_of_sum) {
            (Some(all), Some(of_sum)) => all.saturating_sub(of_sum) as f64,
            _ => self.squares as f64 * n as f64 - (self.sum as f64).powi(2),
        };
        Some((spread.max(0.0) / (n as f64 * (n as f64 - 1.0))).sqrt())
    }

    /// The quantile `num / den`: the lower edge of the bin of the least sample that at
    /// least this share of all does not exceed; never outside least and greatest. `None` where
    /// that sample is in no bin.
    pub fn quantile(&self, num: u64, den: u64) -> Option<Nanos> {
        let share = u128::from(self.n) * u128::from(num);
        let rank = share.div_ceil(u128::from(den.max(1))).max(1) as u64;
        let mut seen = 0;
        let bin = self.bins().find(|bin| {
            seen += bin.count;
            seen >= rank
        })?;
        if self.beyond.is_some_and(|beyond| bin.from_ns >= beyond.from_ns) {
            return None;
        }
        Some(Nanos(bin.from_ns.clamp(self.min, self.max)))
    }

    /// How many samples are `limit` or more; exact where `limit` is a bin's edge. Those in no
    /// bin count unless the greatest is known to be less: so many it may be.
    pub fn at_least(&self, limit: Nanos) -> u64 {
        let less = self.max().is_some_and(|max| max < limit);
        let beyond = self.beyond.filter(|_| !less).map_or(0, |beyond| beyond.count);
        let in_bins = self.bins().filter(|bin| bin.from_ns >= limit.0).map(|bin| bin.count);
        in_bins.sum::<u64>() + beyond
    }

    /// The bins that are not empty, in rising order.
    pub fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        self.in_use().map(|(place, count)| {
            let (from_ns, width_ns) = (first(place), edge(place % SIDE).1);
            Bin { from_ns, width_ns, count }
        })
    }

    /// Place and count of the bins in use, in rising order of their times.
    fn in_use(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let all = || self.counts.iter().copied().enumerate();
        let counts = all().take(SIDE).rev().chain(all().skip(SIDE));
        let packed = self.in_use.iter().map(|(place, count)| (*place as usize, *count));
        counts.filter(|(_, count)| *count > 0).chain(packed)
    }

    /// The counts of all bins; allocates where it was packed.
    fn all(&mut self) -> &mut [u64] {
        if self.counts.is_empty() {
            self.counts = vec![0; 2 * SIDE];
            for (place, count) in self.in_use.drain(..) {
                self.counts[place as usize] = count;
            }
        }
        &mut self.counts
    }
}

impl PartialEq for Histogram {
    fn eq(&self, other: &Histogram) -> bool {
        let of = |one: &Histogram| (one.n, one.sum, one.squares, one.min, one.max, one.beyond);
        of(self) == of(other) && self.in_use().eq(other.in_use())
    }
}

impl Beyond {
    /// Both: what is not known of one is not known of both.
    fn and(self, other: Beyond) -> Beyond {
        Beyond {
            count: self.count + other.count,
            from_ns: self.from_ns.min(other.from_ns),
            mean_known: self.mean_known && other.mean_known,
            max_known: self.max_known && other.max_known,
        }
    }
}

/// Where a time is counted.
fn place(ns: i64) -> usize {
    let amount = ns.unsigned_abs();
    let index = if amount < EXACT {
        amount as usize
    } else {
        let k = (63 - amount.leading_zeros()) as usize - 10; // from 1
        let row = (amount >> k) as usize - ROW;
        if k > ROWS { SIDE - 1 } else { EXACT as usize + (k - 1) * ROW + row }
    };
    if ns < 0 { index } else { SIDE + index }
}

/// The least amount in a bin of one side, and its width.
fn edge(index: usize) -> (i64, i64) {
    match index.checked_sub(EXACT as usize) {
        None => (index as i64, 1),
        Some(beyond) => {
            let k = beyond / ROW + 1;
            (((ROW + beyond % ROW) as i64) << k, 1 << k)
        }
    }
}

/// The least time in the bin at this place.
fn first(place: usize) -> i64 {
    let (low, width) = edge(place % SIDE);
    if place < SIDE { -(low + width - 1) } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_times_are_exact_and_signed() {
        let found = Histogram::of([-3, 20, 20, 21].map(Nanos));
        let bins: Vec<(i64, u64)> = found.bins().map(|bin| (bin.from_ns, bin.count)).collect();
        assert_eq!(bins, [(-3, 1), (20, 2), (21, 1)]);
        assert_eq!(found.mean_ns(), Some(14.5));
        assert_eq!(found.quantile(1, 2), Some(Nanos(20)));
        assert!((found.sd_ns().unwrap() - 11.676_186_592_091_33).abs() < 1e-12);
    }

    #[test]
    fn one_of_counts_is_the_same_as_one_that_was_recorded() {
        let counts = [(5_000, 2), (-3, 1), (5_001, 4), (7, 0), (20, 3), (i64::MAX, 1)];
        let counts = counts.map(|(ns, count)| (Nanos(ns), count));
        let mut recorded = Histogram::new();
        counts.iter().for_each(|(time, count)| recorded.record_many(*time, *count));
        let counted = Histogram::counted(counts);
        assert_eq!(counted, recorded);
        assert_eq!(counted.quantile(1, 2), recorded.quantile(1, 2));
        assert_eq!(Histogram::counted([]), Histogram::new());
    }

    #[test]
    fn an_empty_one_has_no_figures() {
        let empty = Histogram::new();
        assert_eq!((empty.min(), empty.mean_ns(), empty.sd_ns()), (None, None, None));
        assert_eq!(empty.quantile(1, 2), None);
    }

    #[test]
    fn a_day_is_counted_in_the_last_bin_and_its_amount_kept() {
        let found = Histogram::of([Nanos::from_secs(86_400)]);
        assert_eq!(found.max(), Some(Nanos::from_secs(86_400)));
        assert_eq!(found.bins().count(), 1);
    }

    #[test]
    fn samples_beyond_a_table_count_and_hide_what_they_decide() {
        let rows = Histogram::counted([(Nanos(14_000), 90), (Nanos(20_000), 7)]);
        let max = Some(Nanos(848_000));
        let found = rows.with_beyond((3, Nanos(60_000)), Some(20_500.0), max);
        assert_eq!((found.n(), found.max(), found.mean_ns()), (100, max, Some(20_500.0)));
        assert_eq!((found.quantile(9, 10).is_some(), found.quantile(99, 100)), (true, None));
        assert_eq!((found.sd_ns(), found.bins().count()), (None, 2));
        assert_eq!((found.at_least(Nanos(500_000)), found.at_least(Nanos(900_000))), (3, 0));
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), found);
        let mut both = found.clone();
        both.merge(&Histogram::of([Nanos(70_000); 900]));
        assert_eq!((both.n(), both.quantile(1, 2)), (1_000, None), "70 us is beyond 60 us");
        assert_eq!(both.mean_ns(), Some(65_050.0));
        let unknown = Histogram::of([Nanos(5)]).with_beyond((1, Nanos(9)), None, None);
        assert_eq!((unknown.max(), unknown.mean_ns()), (None, None));
        both.merge(&unknown);
        assert_eq!((both.max(), both.mean_ns(), both.n()), (None, None, 1_002));
    }

    proptest! {
        #[test]
        fn a_bin_holds_its_times_and_is_within_a_thousandth(ns in -(1i64 << 41)..(1i64 << 41)) {
            let found = Histogram::of([Nanos(ns)]);
            let bin = found.bins().next().unwrap();
            prop_assert!(bin.from_ns <= ns && ns < bin.from_ns + bin.width_ns);
            prop_assert!(bin.width_ns == 1 || bin.width_ns * 1_024 <= ns.abs());
        }

        #[test]
        fn what_was_written_is_read_again(times in prop::collection::vec(-5_000_000i64..5_000_000, 0..50)) {
            let found = Histogram::of(times.into_iter().map(Nanos));
            let text = serde_json::to_string(&found).unwrap();
            prop_assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), found);
        }

        #[test]
        fn a_packed_one_is_the_same_and_goes_on(times in prop::collection::vec(-5_000_000i64..5_000_000, 0..50), later in prop::collection::vec(-9_000i64..9_000, 0..9)) {
            let mut open = Histogram::of(times.into_iter().map(Nanos));
            let mut packed = open.clone().packed();
            prop_assert_eq!(&packed, &open);
            prop_assert!(packed.bins().eq(open.bins()));
            for ns in later {
                open.record(Nanos(ns));
                packed.record(Nanos(ns));
            }
            prop_assert_eq!(packed, open);
        }

        #[test]
        fn a_merged_one_is_that_of_all_times(a in prop::collection::vec(-9_000i64..900_000, 0..30), b in prop::collection::vec(-9_000i64..900_000, 0..30)) {
            let of = |times: &[i64]| Histogram::of(times.iter().copied().map(Nanos));
            let mut merged = of(&a);
            merged.merge(&of(&b));
            prop_assert_eq!(merged, of(&[a, b].concat()));
        }

        #[test]
        fn a_time_counted_often_is_that_many_times(ns in -9_000_000i64..9_000_000, count in 0u64..50) {
            let mut often = Histogram::of([Nanos(7)]);
            let mut many = often.clone();
            (0..count).for_each(|_| often.record(Nanos(ns)));
            many.record_many(Nanos(ns), count);
            prop_assert!(often == many);
        }

        #[test]
        fn quantiles_are_within_a_bin_of_the_exact_ones(mut times in prop::collection::vec(-900_000i64..90_000_000, 1..200), num in 1u64..1000) {
            let found = Histogram::of(times.iter().copied().map(Nanos)).quantile(num, 1_000).unwrap();
            times.sort_unstable();
            let rank = (times.len() as u64 * num).div_ceil(1_000).max(1) as usize;
            let exact = times[rank - 1];
            prop_assert!((exact - found.0).abs() * 1_024 <= exact.abs().max(2_048 * 1_024));
        }
    }
}
