//! [`NoticedChanges`]: what other programs change at a server while this one is its client: its period, its
//! rate, what it says of latencies, and who is connected with whom; and [`Lone`]: of which of this
//! program's own ports somebody took the connections away.
//!
//! A server asks nobody before it changes any of this. Its notices come in threads of its own, more
//! than one of which may come at a time; the trial's thread looks four times a second at least.
//!
//! Real-time contract: every access is bounded, from any thread; no allocation, lock or system call.
//! Who sees a count (`Acquire`) sees the time that was stored before it (`Release`), or a later one.

use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI64, AtomicU64};

const KINDS: usize = OutsideChange::ALL.len();

/// What changed, and when that was last noticed.
#[derive(Debug, Default)]
pub struct NoticedChanges([Noticed; KINDS]);

#[derive(Debug, Default)]
struct Noticed {
    times: AtomicU64,
    last: AtomicI64, // raw CLOCK_MONOTONIC
}

/// How often each had been noticed when somebody last looked.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownCounts([u64; KINDS]);

impl NoticedChanges {
    /// It changed, as is noticed now (raw CLOCK_MONOTONIC).
    pub fn note(&self, change: OutsideChange, now: Nanos) {
        let noticed = &self.0[change as usize];
        noticed.last.store(now.0, Relaxed);
        noticed.times.fetch_add(1, Release);
    }

    /// All that was noticed up to now.
    pub fn known(&self) -> KnownCounts {
        KnownCounts(std::array::from_fn(|kind| self.0[kind].times.load(Acquire)))
    }

    /// Tells each that was noticed since, once, with the last time (raw CLOCK_MONOTONIC).
    pub fn tell_since(&self, known: &mut KnownCounts, mut tell: impl FnMut(Nanos, OutsideChange)) {
        let now = self.known();
        for change in OutsideChange::ALL {
            if now.0[change as usize] != known.0[change as usize] {
                tell(Nanos(self.0[change as usize].last.load(Relaxed)), change);
            }
        }
        *known = now;
    }
}

/// Which inputs and outputs of a client, of which the first 64 are followed, were connected and are
/// not connected any more. Each is read for itself.
#[derive(Debug, Default)]
pub struct Lone {
    inputs: AtomicU64, // a bit for each
    outputs: AtomicU64,
}

impl Lone {
    /// The inputs, each as the bit of its place.
    pub fn inputs(&self) -> u64 {
        self.inputs.load(Acquire)
    }

    /// The same of outputs.
    pub fn outputs(&self) -> u64 {
        self.outputs.load(Acquire)
    }

    /// How it is now.
    pub fn show(&self, inputs: u64, outputs: u64) {
        self.inputs.store(inputs, Release);
        self.outputs.store(outputs, Release);
    }
}

/// The bit of the input or output at a place; none from the 65th on.
pub fn bit(place: usize) -> u64 {
    u32::try_from(place).ok().and_then(|place| 1_u64.checked_shl(place)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    #[test]
    fn what_changed_since_one_looked_is_told_once_with_its_last_time() {
        let (changes, mut told) = (NoticedChanges::default(), Vec::with_capacity(8));
        changes.note(OutsideChange::Graph, Nanos(1));
        let mut known = changes.known();
        assert_no_alloc(|| {
            changes.note(OutsideChange::Period, Nanos(2));
            changes.note(OutsideChange::Period, Nanos(3));
            changes.note(OutsideChange::Disconnected, Nanos(4));
            changes.tell_since(&mut known, |at, change| told.push((at, change)));
            changes.tell_since(&mut known, |at, change| told.push((at, change)));
        });
        assert_eq!(
            told,
            [(Nanos(3), OutsideChange::Period), (Nanos(4), OutsideChange::Disconnected)]
        );
    }
}
