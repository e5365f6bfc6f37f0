//! The taps of two people whom nothing paces, one beside the other: what their correction towards
//! each other is estimated from.
//!
//! The window in which taps are matched ends no run. Of two who do not listen and drift apart it
//! would keep the part that stays together, and that looks like correction: of simulated adults who
//! heard nobody 11 % were told to follow, where about 5 % may be.

use crate::intervals::between;
use crate::matching::Pair;
use chronotap_core::time::Nanos;
use std::ops::Range;

/// Medians of intervals whose ratio is farther from 1 are different rates.
const SAME_RATE: f64 = 1.5;

/// Of each run the places of the first's taps and of the second's, as many of both: from a pair that
/// the window finds until one of them misses or doubles a tap.
pub fn in_step(
    first: &[Nanos],
    second: &[Nanos],
    pairs: &[Pair],
) -> Vec<(Range<usize>, Range<usize>)> {
    let (first_goes_on, second_goes_on) = (go_on(first), go_on(second));
    let (mut runs, mut free) = (Vec::new(), (0, 0));
    for &Pair { beat, tap, .. } in pairs {
        if beat < free.0 || tap < free.1 {
            continue;
        }
        let rest = first_goes_on[beat + 1..].iter().zip(&second_goes_on[tap + 1..]);
        let count = 1 + rest.take_while(|(one, other)| **one && **other).count();
        free = (beat + count, tap + count);
        runs.push((beat..free.0, tap..free.1));
    }
    runs.retain(|(places, _)| places.len() > 1);
    runs
}

/// Of each tap, whether one interval lies between it and the one before: neither a missed tap nor
/// half of a doubled one.
fn go_on(onsets: &[Nanos]) -> Vec<bool> {
    let median = middle(onsets).unwrap_or(0.0);
    let is_one = |of: Nanos| (0.5..=1.5).contains(&(of.0 as f64 / median));
    let each = between(onsets).into_iter().map(is_one);
    std::iter::once(false).chain(each).take(onsets.len()).collect()
}

/// Whether both tap at about the same rate.
pub fn at_one_rate(first: &[Nanos], second: &[Nanos]) -> bool {
    let ratio = middle(first).zip(middle(second)).map_or(0.0, |(first, second)| second / first);
    (1.0 / SAME_RATE..=SAME_RATE).contains(&ratio)
}

/// The middle one of the intervals, in nanoseconds; of an even number the later of both.
fn middle(onsets: &[Nanos]) -> Option<f64> {
    let mut intervals = between(onsets);
    intervals.sort_unstable();
    intervals.get(intervals.len() / 2).map(|middle| middle.0 as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(interval_ms: i64, count: i64) -> Vec<Nanos> {
        (0..count).map(|k| Nanos::from_millis(1_000 + k * interval_ms)).collect()
    }

    fn pair((beat, tap): (usize, usize)) -> Pair {
        Pair { beat, tap, asynchrony: Nanos(0) }
    }

    /// 540 ms against 500 ms: from the sixth tap on they are farther apart than the window reaches.
    #[test]
    fn who_drifts_apart_stays_beside_the_other_tap_by_tap() {
        let pairs = [(0, 0), (1, 1), (13, 12)].map(pair);
        assert_eq!(in_step(&every(500, 20), &every(540, 20), &pairs), [(0..20, 0..20)]);
    }

    #[test]
    fn a_tap_that_one_misses_or_doubles_ends_the_run() {
        let (beats, mut taps) = (every(500, 20), every(500, 20));
        taps.remove(8);
        taps.insert(15, taps[14] + Nanos::from_millis(40));
        let pairs: Vec<Pair> = (0..8)
            .map(|k| (k, k))
            .chain((9..16).map(|k| (k, k - 1)))
            .chain((16..20).map(|k| (k, k)))
            .map(pair)
            .collect();
        let lengths: Vec<usize> =
            in_step(&beats, &taps, &pairs).iter().map(|(of, _)| of.len()).collect();
        assert_eq!(lengths, [8, 7, 4]);
        assert_eq!(in_step(&beats[..1], &taps[..1], &pairs[..1]), []);
        assert_eq!(in_step(&[], &[], &[]), []);
    }

    #[test]
    fn who_taps_twice_as_fast_taps_at_another_rate() {
        assert!(at_one_rate(&every(500, 9), &every(740, 9)));
        assert!(!at_one_rate(&every(500, 9), &every(250, 9)));
        assert!(!at_one_rate(&every(500, 9), &[]));
    }
}
