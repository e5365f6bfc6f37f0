//! Timer slack: an ordinary thread wakes up by the slack (50 us) later than a
//! real-time one.
//!
//! The kernel may fire the timer anywhere between the deadline and the slack after
//! it, and waits to the end unless some other interrupt comes first. So most samples
//! lie in a narrow heap at the slack and a little more, and some anywhere before it.
//! Rule, with the samples of a real-time thread: the medians differ by the slack,
//! give or take a fifth. Without: the median is one to three times the slack; between
//! 0.2 and 40 % of the samples lie more than five standard deviations of the heap
//! (from its quartiles) below the median; and none lies more than the slack and five
//! of them below. Normal noise has one in three million there, exponential noise has
//! no narrow heap.

use super::{Artefact, Signature, StampedValue, percentile, sorted};
use chronotap_core::time::Nanos;

const LEAST_SAMPLES: usize = 500;

/// Whether an ordinary thread's samples show its slack; a real-time thread's, taken on
/// the same machine, make it certain.
pub fn timer_slack(
    ordinary: &[StampedValue],
    realtime: Option<&[StampedValue]>,
    slack: Nanos,
) -> Option<Signature> {
    if slack <= Nanos::ZERO || ordinary.len() < LEAST_SAMPLES {
        return None;
    }
    let values = sorted(ordinary);
    let median = percentile(&values, 50);
    let offset = match realtime {
        Some(reference) => beside(median, reference, slack)?,
        None => alone(&values, slack)?,
    };
    let us = |time: Nanos| time.as_micros_f64().round();
    let evidence =
        format!("median lateness {} us, of it some {} us of slack", us(median), us(offset));
    Some(Signature::of(Artefact::TimerSlack, evidence))
}

fn beside(median: Nanos, reference: &[StampedValue], slack: Nanos) -> Option<Nanos> {
    let offset = median - percentile(&sorted(reference), 50);
    let near = (offset - slack).abs() * 5 <= slack;
    (reference.len() >= LEAST_SAMPLES && near).then_some(offset)
}

fn alone(sorted: &[Nanos], slack: Nanos) -> Option<Nanos> {
    let median = percentile(sorted, 50);
    let quartiles = percentile(sorted, 75) - percentile(sorted, 25);
    let five_sd = Nanos((quartiles.0 * 1_000 / 1_349).max(1_000) * 5); // IQR = 1.349 SD
    let early = sorted.iter().filter(|value| **value < median - five_sd).count();
    let least = *sorted.first()?;
    let fits = (slack..=slack * 3).contains(&median)
        && early * 500 >= sorted.len() // 0.2 %
        && early * 5 <= sorted.len() * 2 // 40 %
        && least >= median - slack - five_sd;
    fits.then(|| slack.min(median))
}
