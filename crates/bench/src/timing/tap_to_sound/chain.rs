//! [`TapChain`]: the times of one tap from the pad to the sound, on one clock.
//!
//! Background: what is heard is counted in frames of the card, what the program does in
//! nanoseconds of the computer's clock, and every period of the card says anew which
//! frame is when, a little differently each time. Solution: one such saying, that of the
//! period in which the sound was heard, places every frame of the chain. Why it works:
//! then the steps add up to the total to the nanosecond, and the total between two onsets
//! is their distance in frames, in which no clock has a part.

use chronotap_core::time::Nanos;
use chronotap_linux::cards::CardShape;
use chronotap_timing::PathStep;

/// An answered tap as the trial knows it. Times are those of the trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnsweredTap {
    /// The stamp of its message.
    pub stamp: Nanos,
    /// When the program had read it.
    pub read: Nanos,
    /// When it handed over the answer.
    pub handed: Nanos,
    /// The first frame of the answer.
    pub frame: u64,
    /// When that frame was said to be at the converter.
    pub said: Nanos,
}

/// Where an onset was heard: its frame, and when that was due, in the trial's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnsetFrame {
    pub frame: f64,
    /// When it was due.
    pub due: Nanos,
}

/// What lies between a frame's being due and its being at a converter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latencies {
    /// Frames a second.
    pub rate_hz: u32,
    /// Of an output: it is there so much later.
    pub playback: Nanos,
    /// Of an input: it was there so much earlier.
    pub capture: Nanos,
}

impl Latencies {
    /// As the card tells them.
    pub fn of(shape: &CardShape) -> Latencies {
        let (playback, capture) = (shape.playback_latency(), shape.capture_latency());
        Latencies { rate_hz: shape.rate_hz, playback, capture }
    }

    /// So many frames as a time.
    pub(super) fn length(&self, frames: f64) -> Nanos {
        Nanos::round_from_f64(frames * 1e9 / f64::from(self.rate_hz.max(1)))
    }
}

/// The times of one tap, in the trial's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapChain {
    /// When the tap was at the input's converter, where there is an input for taps.
    pub tap_heard: Option<Nanos>,
    /// The stamp of its message.
    pub stamp: Nanos,
    /// When the program had read it.
    pub read: Nanos,
    /// When it handed over the answer.
    pub handed: Nanos,
    /// When the answer's first frame was at the output's converter.
    pub played: Nanos,
    /// When the answer was at the input's converter.
    pub sound_heard: Nanos,
    /// The place of the answer's first frame in time, as it was said beforehand, minus
    /// the same as it is placed here: by so much the card's sayings differ.
    pub disagreement: Nanos,
}

impl TapChain {
    /// Of a tap, the sound that answered it, and the tap's own sound in frames.
    pub fn of(
        tapped: &AnsweredTap,
        sound: OnsetFrame,
        tap: Option<f64>,
        card: &Latencies,
    ) -> TapChain {
        let sound_heard = sound.due - card.capture;
        let played = sound.due - card.length(sound.frame - tapped.frame as f64) + card.playback;
        TapChain {
            tap_heard: tap.map(|tap| sound_heard - card.length(sound.frame - tap)),
            stamp: tapped.stamp,
            read: tapped.read,
            handed: tapped.handed,
            played,
            sound_heard,
            disagreement: tapped.said - played,
        }
    }

    /// How long a step took; nothing where its beginning was not heard.
    pub fn step(&self, step: PathStep) -> Option<Nanos> {
        Some(match step {
            PathStep::Pad => self.stamp - self.tap_heard?,
            PathStep::Kernel => self.read - self.stamp,
            PathStep::Program => self.handed - self.read,
            PathStep::Card => self.played - self.handed,
            PathStep::Cable => self.sound_heard - self.played,
            PathStep::Total => self.sound_heard - self.tap_heard.unwrap_or(self.stamp),
        })
    }
}
