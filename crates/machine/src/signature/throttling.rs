//! Throttling: a stall of 40 to 60 ms about once a second.
//!
//! The kernel lets real-time threads of a processor run 950 ms of each second and
//! then stops them for 50. Rule: stalls are runs of samples above 20 ms that follow
//! each other within 100 ms (a loop that catches up shows 50, 49, 48 ... ms); at least
//! three have their greatest value between 40 and 60 ms, and of the times between
//! those at least two, and half of all, are 0.9 to 1.1 s.

use super::{Artefact, Sample, Signature};
use chronotap_time::Nanos;

const STALL: Nanos = Nanos::from_millis(20);
const SAME_STALL: Nanos = Nanos::from_millis(100);
const PAUSE: std::ops::RangeInclusive<Nanos> = Nanos::from_millis(40)..=Nanos::from_millis(60);
const SECOND: std::ops::RangeInclusive<Nanos> = Nanos::from_millis(900)..=Nanos::from_millis(1_100);

/// Whether the samples of one core show it.
pub fn throttling(samples: &[Sample]) -> Option<Signature> {
    let pauses: Vec<Sample> =
        stalls(samples).into_iter().filter(|(_, longest)| PAUSE.contains(longest)).collect();
    let between = || pauses.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let regular = between().filter(|span| SECOND.contains(span)).count();
    let enough = pauses.len() >= 3 && regular >= 2 && regular * 2 >= between().count();
    enough.then(|| {
        let evidence = format!("{} pauses of 40 to 60 ms, about one second apart", pauses.len());
        Signature::of(Artefact::Throttling, evidence)
    })
}

/// When each stall began to be seen, and its greatest value.
fn stalls(samples: &[Sample]) -> Vec<Sample> {
    let mut stalls: Vec<Sample> = Vec::new();
    let mut last_seen = Nanos::MIN;
    for (seen, value) in samples.iter().copied().filter(|(_, value)| *value >= STALL) {
        match stalls.last_mut() {
            Some((_, longest)) if seen - last_seen < SAME_STALL => *longest = value.max(*longest),
            _ => stalls.push((seen, value)),
        }
        last_seen = seen;
    }
    stalls
}
