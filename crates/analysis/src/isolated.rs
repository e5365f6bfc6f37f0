//! Isolated perturbations of feedback: what one altered tone (late, silent, of another pitch,
//! louder) does to the next intervals, at lag 0, 1, 2, …, against taps at the same place
//! whose feedback was not altered (Furuya & Soechting 2010).
//!
//! Lag 0 is the interval that begins with the tap whose tone was altered, lag 1 the one after
//! it. From each such interval the mean of the unperturbed intervals with the same match is
//! taken off: the same place in the melody, the same finger, or one match for all in even
//! tapping. Unperturbed is an interval that begins more than [`CLEAR`] taps after every
//! altered one and not at one. The estimate is the mean over perturbations, with Student's
//! interval.
//!
//! Assumes perturbations far enough apart to be independent, and enough unperturbed
//! intervals that their means are known far better than one interval is. A perturbation without
//! a match is counted and not used.

use crate::estimate::{Estimate, of_mean};
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use std::collections::BTreeMap;

/// An interval this many taps after an altered tone may still show it.
pub const CLEAR: usize = 3;

/// The response at one lag.
#[derive(Clone, Debug, PartialEq)]
pub struct AtLag {
    /// Intervals since the altered tone.
    pub lag: usize,
    /// Perturbations that had a match.
    pub matched: usize,
    /// Perturbations without one, or too near to the end.
    pub unmatched: usize,
    /// The interval less its unperturbed match, in ms; positive is slowing.
    pub difference_ms: Result<Estimate, NoEstimate>,
}

/// The responses at lags 0 to `last_lag`. `matches` has for each interval the match that it
/// belongs to; `altered` the places of the taps, and so of the intervals, with altered tones.
pub fn responses(
    intervals: &[Nanos],
    matches: &[u32],
    altered: &[usize],
    last_lag: usize,
) -> Result<Vec<AtLag>, NoEstimate> {
    NoEstimate::unless_equal("matches", matches.len(), intervals.len())?;
    let usual = unperturbed(intervals, matches, altered);
    let difference = |place: usize| {
        let interval = intervals.get(place)?.as_millis_f64();
        Some(interval - usual.get(&matches[place])?)
    };
    let at = |lag: usize| {
        let found: Vec<f64> = altered.iter().filter_map(|place| difference(place + lag)).collect();
        AtLag {
            lag,
            matched: found.len(),
            unmatched: altered.len() - found.len(),
            difference_ms: of_mean("matched perturbations", &found),
        }
    };
    Ok((0..=last_lag).map(at).collect())
}

/// The mean unperturbed interval of each match, in ms.
fn unperturbed(intervals: &[Nanos], matches: &[u32], altered: &[usize]) -> BTreeMap<u32, f64> {
    let mut touched = vec![false; intervals.len()];
    for place in altered {
        let end = (place + CLEAR + 1).min(intervals.len());
        touched.iter_mut().take(end).skip(*place).for_each(|touched| *touched = true);
    }
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (place, interval) in intervals.iter().enumerate().filter(|(place, _)| !touched[*place]) {
        let (sum, n) = sums.entry(matches[place]).or_default();
        *sum += interval.as_millis_f64();
        *n += 1.0;
    }
    sums.into_iter().map(|(of, (sum, n))| (of, sum / n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    /// A melody of four notes with lengths of its own; an altered tone lengthens the interval
    /// that it begins by 20 ms and shortens the next by 8.
    fn melody(altered: &[usize]) -> (Vec<Nanos>, Vec<u32>) {
        let matches: Vec<u32> = (0..60).map(|k| k % 4).collect();
        let interval = |k: usize| {
            let usual = 300 + 40 * (k as i64 % 4);
            let lag = |lag: usize| k >= lag && altered.contains(&(k - lag));
            let change = if lag(0) { 20 } else { 0 } - if lag(1) { 8 } else { 0 };
            Nanos::from_millis(usual + change)
        };
        ((0..60).map(interval).collect(), matches)
    }

    #[test]
    fn each_lag_is_compared_with_the_same_place_of_the_melody() {
        let altered = [9, 22, 35, 48];
        let (intervals, matches) = melody(&altered);
        let found = responses(&intervals, &matches, &altered, 2).unwrap();
        for (at, expected) in found.iter().zip([20.0, -8.0, 0.0]) {
            near(at.difference_ms.as_ref().unwrap().value, expected, 1e-9);
            assert_eq!((at.matched, at.unmatched), (4, 0));
        }
    }

    #[test]
    fn what_has_no_match_is_counted_and_not_used() {
        let (intervals, mut matches) = melody(&[59]);
        matches[9] = 77;
        let found = responses(&intervals, &matches, &[9, 59], 1).unwrap();
        assert_eq!((found[0].matched, found[0].unmatched), (1, 1));
        assert!(found[0].difference_ms.is_err());
        assert!(responses(&intervals, &matches[..5], &[9], 1).is_err());
        assert!(responses(&[], &[], &[], 2).unwrap().iter().all(|at| at.matched == 0));
    }
}
