//! [`Computing`]: tracks that are computed in a sound card's callback, and [`DspReadings`], what
//! others see of them.
//!
//! The first track is the card's own thread's; each other one is a worker's (`workers.rs`), who
//! begins with the callback and for whom it waits, as SUSHI's pool of workers does.
//!
//! The card's first calls are not counted: caches are cold, and a server joins its ports.
//! From the first period that the card misses, or a cycle so long that it must miss one,
//! nothing more is computed, so that a load that is too great lasts a few periods. What
//! is computed is not put out: the card plays silence.
//!
//! Real-time contract of [`Computing::process`]: the card's thread; no allocation, lock
//! or panic, and no system call but the clock's and, where there are workers, the relay's; in the
//! very first call also those that read the thread's scheduling and bind it to its core. It waits
//! for its workers no longer than the card's buffer lasts; after that it never waits again.

use super::{DspTrack, Relay, WorkerOrder};
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardShape, CardWatch};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::{Policy, adopt, bind, policy_of};
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Calls that are not counted, at least, and for how long.
const SETTLING: (u64, Nanos) = (16, Nanos::from_millis(50));
/// No call as yet.
const NONE: u64 = u64::MAX;

/// What the card's thread lets others see.
#[derive(Debug)]
pub struct DspReadings {
    settling: u64,            // calls that are not counted
    missed_before: AtomicU64, // xruns when the first call was counted; NONE before it
    last: AtomicU64,          // the call after which nothing more is computed; NONE without
    policy: OnceLock<Policy>,
    unequal: AtomicBool,
}

impl DspReadings {
    /// Nothing, of a card of this shape.
    pub fn new(shape: &CardShape) -> DspReadings {
        let (calls, time) = SETTLING;
        let settling = calls.max((time.0 / shape.period().0.max(1)).max(0) as u64);
        let (missed_before, last) = (AtomicU64::new(NONE), AtomicU64::new(NONE));
        let (policy, unequal) = (OnceLock::new(), AtomicBool::new(false));
        DspReadings { settling, missed_before, last, policy, unequal }
    }

    /// Whether a call is one of those that count.
    pub fn counts(&self, call: u64) -> bool {
        call >= self.settling
    }

    /// Whether the track was computed in a call that has ended.
    pub fn computed(&self, call: u64) -> bool {
        call <= self.last.load(Acquire)
    }

    /// Whether it has given up.
    pub fn gave_up(&self) -> bool {
        self.last.load(Acquire) != NONE
    }

    /// Xruns of the card before the first call that counts, once that has come.
    pub fn missed_before(&self) -> Option<u64> {
        Some(self.missed_before.load(Acquire)).filter(|missed| *missed != NONE)
    }

    /// How the card's thread is scheduled, once it has called.
    pub fn policy(&self) -> Option<Policy> {
        self.policy.get().copied()
    }

    /// Whether a track's thread could not have the priority of the card's, or its core.
    pub fn unequal(&self) -> bool {
        self.unequal.load(Ordering::Relaxed)
    }

    /// A worker, in its first cycle: takes the priority that the card's thread has.
    pub fn become_alike(&self) {
        let adopted = self.policy().is_some_and(|policy| adopt(policy).is_ok());
        self.unequal.fetch_or(!adopted, Ordering::Relaxed);
    }
}

/// The process of a card.
pub struct Computing {
    track: DspTrack,
    relay: Arc<Relay>,
    core: Option<usize>,
    seen: Arc<DspReadings>,
    watch: Arc<CardWatch>,
    longest: Nanos, // a cycle beyond this leaves nothing to play
    call: u64,
}

impl Computing {
    /// A track that has been prepared for periods of this shape, and nobody besides.
    pub fn new(
        track: DspTrack,
        shape: &CardShape,
        watch: &Arc<CardWatch>,
        seen: &Arc<DspReadings>,
    ) -> Computing {
        let longest = shape.period() * i64::from(shape.periods.max(2));
        let (seen, watch) = (Arc::clone(seen), Arc::clone(watch));
        let (relay, core) = (Arc::new(Relay::new(0)), None);
        Computing { track, relay, core, seen, watch, longest, call: 0 }
    }

    /// The same with workers, all of whom are there, while the card's thread has a core of its own.
    #[must_use]
    pub fn beside(self, relay: &Arc<Relay>, core: usize) -> Computing {
        Computing { relay: Arc::clone(relay), core: Some(core), ..self }
    }

    fn begin(&self) {
        if self.call == 0
            && let Ok(policy) = policy_of(0)
        {
            let _ = self.seen.policy.set(policy);
        }
        if let Some(core) = self.core.filter(|_| self.call == 0) {
            self.seen.unequal.fetch_or(bind(core).is_err(), Ordering::Relaxed);
        }
        if self.call == self.seen.settling {
            self.seen.missed_before.store(self.watch.xruns(), Release);
        }
    }

    fn missed(&self) -> bool {
        let before = self.seen.missed_before.load(Ordering::Relaxed);
        before != NONE && self.watch.xruns() > before
    }
}

impl Process for Computing {
    fn process(&mut self, _: &mut Period<'_>) {
        self.begin();
        if !self.seen.gave_up() {
            let begin = MonotonicClock::raw();
            let (relay, track) = (&self.relay, &mut self.track);
            let done = relay.together_within(self.longest, WorkerOrder::Cycle, || track.cycle());
            let took = MonotonicClock::raw() - begin;
            if !done || took > self.longest || self.missed() {
                self.seen.last.store(self.call, Release);
            }
        }
        self.call += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::dsp::{Plugin, TrackLayout};
    use chronotap_linux::cards::{Card, CardName, CardRequest};

    #[test]
    fn the_first_calls_are_those_of_a_twentieth_of_a_second_and_sixteen_at_least() {
        let seen = |period_frames| {
            DspReadings::new(&CardShape { rate_hz: 48_000, period_frames, ..CardShape::default() })
        };
        assert!(!seen(64).counts(36) && seen(64).counts(37));
        assert!(!seen(4_096).counts(15) && seen(4_096).counts(16));
        assert!(seen(64).computed(1_000) && !seen(64).gave_up());
        assert_eq!(seen(64).missed_before(), None);
    }

    /// A card that was opened only for its watch: a track of its own is called by hand.
    #[test]
    fn after_a_cycle_that_leaves_nothing_to_play_nothing_more_is_computed() {
        let name = CardName::Virtual(None);
        let card = Card::open(&name, &CardRequest::default(), |_, _| Box::new(()))
            .expect("a virtual card");
        let shape =
            CardShape { rate_hz: 48_000, period_frames: 1, periods: 2, ..CardShape::default() };
        let seen = Arc::new(DspReadings::new(&shape));
        let factory = Plugin::Cpu.load(8_192, 48_000).expect("our own");
        let mut track = DspTrack::new(factory, 8_192, TrackLayout::Parallel);
        track.prepare(10).expect("our own"); // some milliseconds, where two frames are 42 us
        let mut computing = Computing::new(track, &shape, card.watch(), &seen);
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs: &mut [] };
        (0..3).for_each(|_| computing.process(&mut period));
        assert!(seen.gave_up() && seen.computed(0) && !seen.computed(1));
        assert!(seen.policy().is_some());
    }
}
