//! Values with their places, where NaN stands for one that is missing, such as an interval over a missed tap.

use crate::groups::times;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;

/// The times in ms that are there. One that is missing parts the neighbours on both sides of it.
pub fn placed(ms: &[f64]) -> Placed {
    let mut placed = Placed::default();
    for (place, ms) in ms.iter().enumerate().filter(|(_, ms)| !ms.is_nan()) {
        placed.push(place, Nanos::round_from_f64(ms * 1e6));
    }
    placed
}

/// The intervals in ms that are there in both lists. What is left out parts the neighbours on both sides of it.
///
/// # Errors
/// [`NoEstimate::Unequal`] with lists of two lengths, of which `what` is the second.
pub fn of_both(
    first: &[f64],
    what: &'static str,
    second: &[f64],
) -> Result<[Placed; 2], NoEstimate> {
    if first.len() != second.len() {
        return Err(NoEstimate::Unequal { what, needed: first.len(), found: second.len() });
    }
    let mut both = [Placed::default(), Placed::default()];
    let there = |place: &usize| !(first[*place].is_nan() || second[*place].is_nan());
    for place in (0..first.len()).filter(there) {
        for (list, ms) in both.iter_mut().zip([first, second]) {
            list.push(place, times(&ms[place..=place])[0]);
        }
    }
    Ok(both)
}

/// Those of taps, and all of the pacing, of which none is missing.
///
/// # Errors
/// Those of [`of_both`].
pub fn of_taps_and_pacing(taps: &[f64], pacing: &[f64]) -> Result<(Placed, Placed), NoEstimate> {
    let [tapped, _] = of_both(taps, "intervals of the pacing", pacing)?;
    Ok((tapped, Placed::all(times(pacing))))
}
