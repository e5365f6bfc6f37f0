//! [`Player`]: the sound card's side of a port that sounds: takes what the trial has
//! placed, and plays it.
//!
//! Real-time contract: the card's thread; no allocation, lock, system call, log or panic;
//! bounded by the messages at hand and the generator's voices. The queues are wait-free.

use crate::guarded;
use chronotap_audio::tone::{Cue, Generator};
use chronotap_audio::{Period, Process};
use chronotap_cards::Watch;
use chronotap_engine::action::Action;
use chronotap_signal::Played;
use chronotap_time::Nanos;
use rtrb::{Consumer, Producer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A sound that is to begin or to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// The trial's action that it belongs to.
    pub(super) action: Action,
    /// What is to happen at which frame.
    pub(super) cue: Cue,
    /// When that frame was said to be at the converter, raw CLOCK_MONOTONIC.
    pub(super) said: Nanos,
}

/// What became of a message other than was said. Times are raw CLOCK_MONOTONIC.
pub(super) type Outcome = (Action, Option<Played>);

/// What the player counts for the trial's thread.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Sounds that found no voice.
    pub(super) lost: AtomicU64,
    /// Frames that were louder than full scale.
    pub(super) clipped: AtomicU64,
    /// Outcomes that found the queue full.
    pub(super) untold: AtomicU64,
    /// Whether something sounds or waits.
    pub(super) sounds: AtomicBool,
}

/// Plays what was placed.
pub(super) struct Player {
    pub(super) placed: Consumer<Placed>,
    pub(super) told: Producer<Outcome>,
    pub(super) counts: Arc<Counts>,
    pub(super) watch: Arc<Watch>,
    pub(super) generator: Generator,
}

impl Process for Player {
    fn process(&mut self, period: &mut Period<'_>) {
        guarded(|| self.pass(period));
    }
}

impl Player {
    fn pass(&mut self, period: &mut Period<'_>) {
        let end = period.frame + period.frames() as u64;
        let frame = Nanos(1_000_000_000 / i64::from(period.rate_hz.max(1)));
        while let Ok(placed) = self.placed.peek().copied() {
            if placed.cue.frame >= end {
                break;
            }
            let _ = self.placed.pop();
            self.play(&placed, period.frame, frame);
        }
        self.generator.process(period);
        self.counts.lost.store(self.generator.lost(), Relaxed);
        self.counts.clipped.store(self.generator.clipped(), Relaxed);
        self.counts.sounds.store(!self.generator.is_silent(), Relaxed);
    }

    /// Plays one. What is played more than a frame away from what was said, or never, is
    /// told.
    fn play(&mut self, placed: &Placed, first: u64, frame: Nanos) {
        let number = placed.cue.frame.max(first);
        let lost = self.generator.lost();
        self.generator.cue(&Cue { frame: number, ..placed.cue });
        let taken = self.generator.lost() == lost;
        // Known: this is the thread that tells the watch of each period.
        let place = self.watch.place_of(number).filter(|_| taken);
        let played = place.map(|place| Played { at: place.at, frame: Some(place.frame) });
        if played.is_none_or(|played| (played.at - placed.said).abs() > frame) {
            let full = self.told.push((placed.action, played)).is_err();
            self.counts.untold.fetch_add(u64::from(full), Relaxed);
        }
    }
}
