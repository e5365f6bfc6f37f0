//! Throttling: a stall of 40 to 60 ms about once a second.
//!
//! The kernel lets real-time threads of a processor run 950 ms of each second and
//! then stops them for 50. Rule: stalls are runs of samples above 20 ms that follow
//! each other within 100 ms (a loop that catches up shows 50, 49, 48 ... ms); at least
//! three have their greatest value between 40 and 60 ms, and of the times between
//! those at least two, and half of all, are 0.9 to 1.1 s. Stalls that are shorter than
//! these, or go on for 100 ms, are not more than these: noise with so many delays of 40
//! to 60 ms has far more of 20 to 40.

use super::{Artefact, Signature, StampedValue};
use chronotap_core::time::Nanos;

const STALL: Nanos = Nanos::from_millis(20);
const SAME_STALL: Nanos = Nanos::from_millis(100);
const PAUSE: std::ops::RangeInclusive<Nanos> = Nanos::from_millis(40)..=Nanos::from_millis(60);
const SECOND: std::ops::RangeInclusive<Nanos> = Nanos::from_millis(900)..=Nanos::from_millis(1_100);

/// Whether the samples of one core show it.
pub fn throttling(samples: &[StampedValue]) -> Option<Signature> {
    let stalls = stalls(samples);
    let pauses: Vec<&Stall> = stalls.iter().filter(|stall| stall.is_a_pause()).collect();
    let others = stalls.iter().filter(|stall| stall.is_noise()).count();
    let between = || pauses.windows(2).map(|pair| pair[1].begin - pair[0].begin);
    let regular = between().filter(|span| SECOND.contains(span)).count();
    let enough = pauses.len() >= 3.max(others) && regular >= 2 && regular * 2 >= between().count();
    enough.then(|| {
        let evidence = format!("{} pauses of 40 to 60 ms, about one second apart", pauses.len());
        Signature::of(Artefact::Throttling, evidence)
    })
}

/// Delays that follow each other closely.
struct Stall {
    begin: Nanos,
    end: Nanos,
    longest: Nanos,
}

impl Stall {
    fn is_a_pause(&self) -> bool {
        self.end - self.begin < SAME_STALL && PAUSE.contains(&self.longest)
    }

    /// Shorter than a pause, or one delay after the other for longer than a pause.
    fn is_noise(&self) -> bool {
        self.end - self.begin >= SAME_STALL || self.longest < *PAUSE.start()
    }
}

fn stalls(samples: &[StampedValue]) -> Vec<Stall> {
    let mut stalls: Vec<Stall> = Vec::new();
    for (seen, value) in samples.iter().copied().filter(|(_, value)| *value >= STALL) {
        match stalls.last_mut() {
            Some(stall) if seen - stall.end < SAME_STALL => {
                (stall.end, stall.longest) = (seen, value.max(stall.longest));
            }
            _ => stalls.push(Stall { begin: seen, end: seen, longest: value }),
        }
    }
    stalls
}
