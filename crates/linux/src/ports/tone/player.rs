//! [`Player`]: the sound card's side of a port that sounds: takes what the trial has
//! placed, and plays it.
//!
//! Real-time contract: the card's thread; no allocation, lock, system call, log or panic;
//! bounded by the messages at hand and the generator's voices. The queues are wait-free.

use super::pulses::Pulses;
use super::track::Track;
use crate::cards::CardWatch;
use crate::ports::guarded;
use chronotap_audio::tone::{Cue, Feeds, Generator};
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::Played;
use rtrb::{Consumer, Producer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A sound that is to begin or to end, or a code that is to stand on the card's channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// The trial's action that it belongs to.
    pub(super) action: Action,
    /// At which frame.
    pub(super) frame: u64,
    /// What the generator is to do; nothing where the action is a code.
    pub(super) cue: Option<Cue>,
    /// When that frame was said to be at the converter, raw CLOCK_MONOTONIC.
    pub(super) said: Nanos,
}

/// A sound that was not played at the time recorded for it, and when it was; `None` if never.
/// Times are raw CLOCK_MONOTONIC.
pub(super) type Misplaced = (Action, Option<Played>);

/// What the player counts for the trial's thread.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Sounds that found no voice.
    pub(super) lost: AtomicU64,
    /// Frames that were louder than full scale.
    pub(super) clipped: AtomicU64,
    /// Frames that were no number, and were silenced.
    pub(super) silenced: AtomicU64,
    /// Frames of music that had not come in time.
    pub(super) missing: AtomicU64,
    /// Misplaced sounds that found the queue full.
    pub(super) untold: AtomicU64,
    /// Whether something sounds or waits.
    pub(super) sounds: AtomicBool,
}

/// Plays what was placed.
pub(super) struct Player {
    pub(super) feeds: Consumer<Box<Feeds>>,
    pub(super) used: Producer<Box<Feeds>>, // back to whoever frees them
    pub(super) placed: Consumer<Placed>,
    pub(super) told: Producer<Misplaced>,
    pub(super) counts: Arc<Counts>,
    pub(super) watch: Arc<CardWatch>,
    pub(super) generator: Generator,
    pub(super) pulses: Option<Pulses>, // where channels carry codes
    pub(super) track: Option<Track>,   // where one carries time code
}

impl Process for Player {
    fn process(&mut self, period: &mut Period<'_>) {
        guarded(|| self.pass(period));
    }
}

impl Player {
    fn pass(&mut self, period: &mut Period<'_>) {
        while let Ok(feeds) = self.feeds.pop() {
            // As many come as are fetched before, so that there is room for the one before.
            let _ = self.used.push(self.generator.play_from(feeds));
        }
        self.take_due(period);
        self.generator.process(period);
        if let Some(pulses) = &mut self.pulses {
            pulses.put(period);
        }
        if let Some(track) = &mut self.track {
            track.put(period);
        }
        self.counts.lost.store(self.generator.lost(), Relaxed);
        self.counts.clipped.store(self.generator.clipped(), Relaxed);
        self.counts.silenced.store(self.generator.silenced(), Relaxed);
        self.counts.missing.store(self.generator.missing(), Relaxed);
        let stands = self.pulses.as_ref().is_some_and(Pulses::stands);
        self.counts.sounds.store(stands || !self.generator.is_silent(), Relaxed);
    }

    /// Takes what is due in the period off the queue.
    ///
    /// Before each message leaves the queue it is said that something sounds: whoever sees
    /// the queue empty (the queue publishes that with `Release`) then sees this too, and does
    /// not take a sound that is being computed for silence.
    fn take_due(&mut self, period: &Period<'_>) {
        let end = period.frame + period.frames() as u64;
        let frame = Nanos(1_000_000_000 / i64::from(period.rate_hz.max(1)));
        while let Ok(placed) = self.placed.peek().copied() {
            if placed.frame >= end {
                break;
            }
            self.counts.sounds.store(true, Relaxed);
            let _ = self.placed.pop();
            self.play(&placed, period.frame, frame);
        }
    }

    /// Plays one. What is played more than a frame away from what was said, or never, is
    /// told.
    fn play(&mut self, placed: &Placed, first: u64, frame: Nanos) {
        let number = placed.frame.max(first);
        let taken = self.begin(placed, number);
        if placed.cue.as_ref().is_some_and(Cue::is_unheard) {
            return; // nobody was told that it sounds
        }
        // Known: this is the thread that tells the watch of each period.
        let place = self.watch.place_of(number).filter(|_| taken);
        let played = place.map(|place| Played { at: place.at, frame: Some(place.frame) });
        if played.is_none_or(|played| (played.at - placed.said).abs() > frame) {
            let full = self.told.push((placed.action, played)).is_err();
            self.counts.untold.fetch_add(u64::from(full), Relaxed);
        }
    }

    /// Begins a sound or a code at this frame; false where there is no room for it.
    fn begin(&mut self, placed: &Placed, frame: u64) -> bool {
        if let Some(cue) = placed.cue {
            let lost = self.generator.lost();
            self.generator.cue(&Cue { frame, ..cue });
            return self.generator.lost() == lost;
        }
        let code = placed.action.code().unwrap_or(0);
        self.pulses.as_mut().is_some_and(|pulses| pulses.change(frame, code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, CardRequest};
    use chronotap_audio::tone::{Sound, Timbre};
    use chronotap_engine::action::ActionKind;
    use chronotap_engine::perturbation::Perturbation;
    use rtrb::RingBuffer;

    const FRAMES: usize = 64;

    /// A player whose card is played by the test, and where messages for it go.
    fn player() -> (Player, Producer<Placed>) {
        let mut watch = None;
        let seen = &mut watch;
        Card::open(&"virtual".parse().unwrap(), &CardRequest::default(), |_, watch| {
            *seen = Some(Arc::clone(watch));
            Box::new(())
        })
        .unwrap();
        let (into, placed) = RingBuffer::new(4);
        let (told, _) = RingBuffer::new(4);
        let (counts, generator) = (Arc::default(), Generator::new(48_000, Vec::new()));
        let ((_, feeds), (used, _)) = (RingBuffer::new(1), RingBuffer::new(1));
        let watch = watch.unwrap();
        let (pulses, track) = (None, None);
        (Player { feeds, used, placed, told, counts, watch, generator, pulses, track }, into)
    }

    fn click(frame: u64, level_db: f32) -> Placed {
        let action = Action {
            id: 1,
            kind: ActionKind::Pacing(0),
            number: 1,
            cause: 0,
            deadline: Nanos::ZERO,
            instant: Nanos::ZERO,
            port: 0,
            message: None,
            perturbation: Perturbation::NONE,
        };
        let sound = Some(Sound { level_db, ..Sound::new(Timbre::Click) });
        let cue = Some(Cue { frame, key: 1, sound });
        Placed { action, frame, cue, said: Nanos::ZERO }
    }

    /// A period from this frame on; what becomes of it.
    fn period(frame: u64, work: impl FnOnce(&mut Period<'_>)) -> [f32; FRAMES] {
        let mut only = [0.0; FRAMES];
        let outputs = &mut [&mut only[..]];
        work(&mut Period { frame, rate_hz: 48_000, inputs: &[], outputs });
        only
    }

    #[test]
    fn a_sound_that_has_left_the_queue_is_known_to_sound_before_it_is_computed() {
        let (mut player, mut into) = player();
        into.push(click(7, -12.0)).unwrap();
        period(0, |period| player.take_due(period));
        assert!(into.slots() == 4 && player.counts.sounds.load(Relaxed));
        // A click of 1 ms is over in the second period.
        (0..3).for_each(|n| _ = period(n * FRAMES as u64, |period| player.pass(period)));
        assert!(!player.counts.sounds.load(Relaxed));
    }

    #[test]
    fn what_is_no_number_is_silent_and_counted() {
        let (mut player, mut into) = player();
        into.push(click(7, f32::NAN)).unwrap();
        assert_eq!(period(0, |period| player.pass(period)), [0.0; FRAMES]);
        assert!(player.counts.silenced.load(Relaxed) > 40);
    }
}
