//! Rules of cleaning that act before taps are matched to beats.

use chronotap_analysis::observed::Observed;
use chronotap_core::time::Nanos;

/// Marks taps that come too soon after the last one that counts.
pub(crate) fn debounce(observed: &mut Observed<'_>, minimum: Nanos) -> usize {
    let mut marked = 0;
    for input in &mut observed.taps {
        let mut last: Option<Nanos> = None;
        for tap in input.taps.iter_mut().filter(|tap| !tap.debounced) {
            if last.is_some_and(|last| tap.onset - last < minimum) {
                tap.debounced = true;
                marked += 1;
            } else {
                last = Some(tap.onset);
            }
        }
    }
    marked
}
