//! Two people who tap together: whose intervals follow whose ([`following()`]), and how far apart their
//! taps are (Konvalinka et al. 2010; Keller, Novembre & Hove 2014).

use crate::circular::{self, Circular};
use crate::described::Described;
pub use crate::following::{
    Coupling, FEWEST, Following, Windowed, cross_correlation, following, windowed,
};
use crate::intervals::{Placed, between};
use crate::matching::{Matching, WINDOW, match_taps};
use crate::observed::ObservedStream;
use crate::statistics::of_asynchronies::MEAN_ABSOLUTE_ASYNCHRONY;
use crate::statistics::of_intervals::MEAN_INTERVAL;
use chronotap_core::time::Nanos;

/// How far apart the taps of two people are.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// Which tap of the second (as tap) answers which of the first (as beat).
    pub matching: Matching,
    /// Second − first; negative where the second is early. `None` where no two match.
    pub asynchrony: Option<Described>,
    /// The mean distance, early or late, counted for both alike, divided by the first's mean
    /// interval.
    pub relative_distance: Option<f64>,
    /// The second's taps as directions on the circle of the first's intervals.
    pub circular: Option<Circular>,
}

/// Matches the taps of the second with those of the first, both ascending, within
/// [`WINDOW`] of the first's local interval.
pub fn together(first: &[Nanos], second: &[Nanos]) -> Together {
    let stream = ObservedStream::steady("first", first.iter().copied());
    let matching = match_taps(&stream, second, WINDOW);
    let asynchrony = Described::asynchronies(&Placed::all(matching.asynchronies()));
    let interval = Described::intervals(&Placed::all(between(first)));
    let interval =
        interval.and_then(|interval| interval.of(&MEAN_INTERVAL)).filter(|mean| *mean > 0.0);
    let relative = |a: &Described| Some(a.of(&MEAN_ABSOLUTE_ASYNCHRONY)? / interval?);
    let positions = crate::metre::positions(first, second);
    let angles = crate::metre::angles(&positions, crate::metre::LEVELS[0]);
    let relative_distance = asynchrony.as_ref().and_then(relative);
    Together { matching, asynchrony, relative_distance, circular: circular::describe(&angles) }
}

/// Each pair of a group, by place, with what they tap together.
pub fn group(tappers: &[Vec<Nanos>]) -> Vec<(usize, usize, Together)> {
    let pairs = (0..tappers.len()).flat_map(|a| (a + 1..tappers.len()).map(move |b| (a, b)));
    pairs.map(|(a, b)| (a, b, together(&tappers[a], &tappers[b]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use crate::statistics::of_asynchronies::MEAN_ASYNCHRONY;

    #[test]
    fn taps_together_have_asynchrony_and_direction() {
        let first: Vec<Nanos> = (0..20).map(|k| Nanos::from_millis(500 * k)).collect();
        let second: Vec<Nanos> = first.iter().map(|tap| *tap - Nanos::from_millis(25)).collect();
        let found = together(&first, &second);
        near(found.asynchrony.unwrap().of(&MEAN_ASYNCHRONY).unwrap(), -25.0, 1e-9);
        near(found.relative_distance.unwrap(), 0.05, 1e-12);
        near(found.circular.unwrap().resultant, 1.0, 1e-9);
        assert_eq!(group(&[first, second, Vec::new()]).len(), 3);
    }

    #[test]
    fn who_does_not_tap_is_not_apart_from_anybody() {
        assert_eq!(together(&[], &[]).asynchrony, None);
    }
}
