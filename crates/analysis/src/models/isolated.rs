//! Isolated perturbations of feedback: what one altered tone (late, silent, of another pitch,
//! louder) does to the next intervals, at lag 0, 1, 2, …, against taps at the same place
//! whose feedback was not altered (Furuya & Soechting 2010).
//!
//! Lag 0 is the interval that begins with the tap whose tone was altered, lag 1 the one after
//! it. From each such interval the mean of the unperturbed intervals with the same match is
//! taken off: the same place in the melody, the same finger, or one match for all in even
//! tapping. Unperturbed is an interval that begins more than [`CLEAR`] taps after every
//! altered one and not at one. The estimate is the mean over perturbations, with Student's
//! interval of n − 1 degrees of freedom. Its standard error is √(s²/n + Σ (n\[m\]/n)² u²/N\[m\]):
//! s is the SD of the n differences, n\[m\] how many of them have the match m, N\[m\] the number of
//! unperturbed intervals of that match, and u their SD about the means of their matches. The second
//! part is the error of those means, which all differences of a match share.
//!
//! Assumes perturbations far enough apart to be independent. A perturbation without a match is
//! counted and not used.

use crate::estimate::{Estimate, of_mean};
use crate::moments::square;
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
    let usual = Unperturbed::of(intervals, matches, altered);
    let difference = |place: usize| {
        let interval = intervals.get(place)?.as_millis_f64();
        let of = matches[place];
        Some((of, interval - usual.means.get(&of)?.mean))
    };
    let at = |lag: usize| {
        let found: Vec<(u32, f64)> =
            altered.iter().filter_map(|place| difference(place + lag)).collect();
        AtLag {
            lag,
            matched: found.len(),
            unmatched: altered.len() - found.len(),
            difference_ms: usual.mean_difference(&found),
        }
    };
    Ok((0..=last_lag).map(at).collect())
}

/// The unperturbed intervals, in ms.
struct Unperturbed {
    /// Of each match.
    means: BTreeMap<u32, Usual>,
    /// Their variance about the means of their matches; 0 where no match has two.
    variance: f64,
}

/// Those of one match.
#[derive(Clone, Copy, Default)]
struct Usual {
    n: f64,
    mean: f64,
    /// Squares of what they differ from the mean by.
    squares: f64,
}

impl Usual {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        let off = value - self.mean;
        self.mean += off / self.n;
        self.squares += off * (value - self.mean);
    }
}

impl Unperturbed {
    fn of(intervals: &[Nanos], matches: &[u32], altered: &[usize]) -> Unperturbed {
        let means = unperturbed(intervals, matches, altered);
        let sum = |of: fn(&Usual) -> f64| means.values().map(of).sum::<f64>();
        let (squares, freedom) = (sum(|of| of.squares), sum(|of| of.n - 1.0));
        Unperturbed { variance: if freedom > 0.0 { squares / freedom } else { 0.0 }, means }
    }

    /// The mean of differences, each with its match.
    fn mean_difference(&self, found: &[(u32, f64)]) -> Result<Estimate, NoEstimate> {
        let values: Vec<f64> = found.iter().map(|(_, difference)| *difference).collect();
        let mean = of_mean("matched perturbations", &values)?;
        let n = values.len() as f64;
        let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
        found.iter().for_each(|(of, _)| *counts.entry(*of).or_default() += 1.0);
        let share = |(of, count): (&u32, &f64)| square(count / n) / self.means[of].n;
        let shared = self.variance * counts.iter().map(share).sum::<f64>();
        let error = libm::sqrt(square(mean.standard_error) + shared);
        Ok(Estimate::student(mean.value, error, n - 1.0))
    }
}

fn unperturbed(intervals: &[Nanos], matches: &[u32], altered: &[usize]) -> BTreeMap<u32, Usual> {
    let mut touched = vec![false; intervals.len()];
    for place in altered {
        let end = (place + CLEAR + 1).min(intervals.len());
        touched.iter_mut().take(end).skip(*place).for_each(|touched| *touched = true);
    }
    let mut means: BTreeMap<u32, Usual> = BTreeMap::new();
    for (place, interval) in intervals.iter().enumerate().filter(|(place, _)| !touched[*place]) {
        means.entry(matches[place]).or_default().add(interval.as_millis_f64());
    }
    means
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

    /// Differences of 10 and 14 from a usual 100 of ten intervals 99 and 101: s²/n = 8/2, the means'
    /// error 10/9/10.
    #[test]
    fn the_error_of_the_usual_interval_is_a_part_of_that_of_the_difference() {
        let mut all: Vec<i64> = (0..10).map(|k| if k % 2 == 0 { 99 } else { 101 }).collect();
        all.extend([110, 100, 100, 100, 114, 100, 100, 100]);
        let intervals: Vec<Nanos> = all.into_iter().map(Nanos::from_millis).collect();
        let found = responses(&intervals, &[0; 18], &[10, 14], 0).unwrap();
        let found = found[0].difference_ms.as_ref().unwrap();
        near(found.value, 12.0, 1e-9);
        near(found.standard_error, (4.0_f64 + 1.0 / 9.0).sqrt(), 1e-9);
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
