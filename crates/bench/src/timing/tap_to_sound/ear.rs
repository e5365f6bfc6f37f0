//! [`Ear`]: what the card calls with what comes in; and [`Hearing`], who looks for onsets
//! in it outside of the card's thread.
//!
//! Real-time contract of the ear: the card's thread; no allocation, lock or system call;
//! bounded by the period. A period that finds no room is dropped as a whole and counted;
//! frames are then missing, and no tap is measured across them.

use super::Channels;
use super::scripted::Strikes;
use chronotap_audio::onset::{Onset, OnsetFinder, QuietStretch};
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Frames that may wait: more than a second at 192 kHz.
const WAITING: usize = 1 << 18;
/// Converters need so long until what they put out for nothing has settled; it is not
/// listened to.
const SETTLING_S: f64 = 0.25;
/// Periods that may wait.
const PERIODS: usize = 1 << 14;

/// A period that came in.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    frame: u64,
    frames: usize,
    due: Nanos,
}

/// Passes on the inputs in which taps and sounds are heard.
pub struct Ear {
    channels: Channels,
    due: Box<dyn Fn() -> Nanos + Send>,
    stretches: Producer<Stretch>,
    samples: Producer<[f32; 2]>, // sound, tap
    dropped: Arc<AtomicU64>,
    strikes: Option<Strikes>, // of a scripted pad
}

/// The other end.
pub struct Hearing {
    stretches: Consumer<Stretch>,
    samples: Consumer<[f32; 2]>,
    dropped: Arc<AtomicU64>,
    rate_hz: u32,
    sound: OnsetFinder,
    tap: Option<OnsetFinder>,
    next: Option<u64>,    // the frame that comes next where none is missing
    settled: Option<u64>, // the first frame that is listened to
    heard: HeardOnsets,
}

/// An onset, and when its frame was due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    pub onset: Onset,
    /// When that frame's place in its period was due, raw CLOCK_MONOTONIC: the period's
    /// beginning and the frames since. The converter had it earlier, by the latency.
    pub due: Nanos,
}

/// What was heard, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeardOnsets {
    /// Onsets of the sound.
    pub sounds: Vec<Located>,
    /// Onsets of the taps.
    pub taps: Vec<Located>,
    /// Frames before which frames are missing.
    pub gaps: Vec<u64>,
    /// Of the sound's input before the first tap.
    pub silence: Option<QuietStretch>,
    /// Of the taps' input.
    pub tap_silence: Option<QuietStretch>,
    /// Frames that found no room.
    pub dropped_frames: u64,
}

/// Both ends, for a card of this rate. `due` says in the card's thread when the period
/// under way was due.
pub fn pair(
    channels: Channels,
    rate_hz: u32,
    threshold: Option<f32>,
    due: Box<dyn Fn() -> Nanos + Send>,
) -> (Ear, Hearing) {
    let (stretches, stretches_out) = RingBuffer::new(PERIODS);
    let (samples, samples_out) = RingBuffer::new(WAITING);
    let dropped = Arc::new(AtomicU64::new(0));
    let ear =
        Ear { channels, due, stretches, samples, dropped: Arc::clone(&dropped), strikes: None };
    let hearing = Hearing {
        stretches: stretches_out,
        samples: samples_out,
        dropped,
        rate_hz,
        sound: OnsetFinder::new(rate_hz, threshold),
        tap: channels.tap.map(|_| OnsetFinder::new(rate_hz, threshold)),
        next: None,
        settled: None,
        heard: HeardOnsets::default(),
    };
    (ear, hearing)
}

impl Ear {
    /// The same, where the strikes of a scripted pad sound at the input of the taps.
    #[must_use]
    pub(super) fn with(self, strikes: Option<Strikes>) -> Ear {
        Ear { strikes, ..self }
    }
}

impl Process for Ear {
    fn process(&mut self, period: &mut Period<'_>) {
        let (frames, due) = (period.frames(), (self.due)());
        if let Some(strikes) = &mut self.strikes {
            strikes.begin(period.frame, frames, due);
        }
        if self.samples.slots() < frames || self.stretches.is_full() {
            self.dropped.fetch_add(frames as u64, Relaxed);
            return;
        }
        let input = |channel: usize| period.inputs.get(channel).copied().unwrap_or_default();
        let sound = input(self.channels.sound);
        let tap = self.channels.tap.map(input).unwrap_or_default();
        for n in 0..frames {
            let at = |channel: &[f32]| channel.get(n).copied().unwrap_or(0.0);
            let struck = self.strikes.as_ref().map_or(0.0, |all| all.at(period.frame + n as u64));
            let _ = self.samples.push([at(sound), at(tap) + struck]); // there is room
        }
        let _ = self.stretches.push(Stretch { frame: period.frame, frames, due });
    }
}

impl Hearing {
    /// Looks for onsets in what came in since.
    pub fn listen(&mut self) -> &HeardOnsets {
        while let Ok(stretch) = self.stretches.pop() {
            if self.next.is_some_and(|next| next != stretch.frame) {
                self.heard.gaps.push(stretch.frame);
            }
            self.next = Some(stretch.frame + stretch.frames as u64);
            self.take(&stretch);
        }
        self.heard.silence = self.sound.silence();
        self.heard.tap_silence = self.tap.as_ref().and_then(OnsetFinder::silence);
        self.heard.dropped_frames = self.dropped.load(Relaxed);
        &self.heard
    }

    fn take(&mut self, stretch: &Stretch) {
        // The samples of a period are in the queue before the period is.
        let Ok(chunk) = self.samples.read_chunk(stretch.frames) else { return };
        let (sound, tap): (Vec<f32>, Vec<f32>) =
            chunk.into_iter().map(|[sound, tap]| (sound, tap)).unzip();
        let settling = (SETTLING_S * f64::from(self.rate_hz)) as u64;
        if stretch.frame < *self.settled.get_or_insert(stretch.frame + settling) {
            return;
        }
        let Hearing { heard: HeardOnsets { sounds, taps, .. }, rate_hz, .. } = self;
        let located = |onset: Onset| {
            let ahead = (onset.frame - stretch.frame as f64) * 1e9 / f64::from(*rate_hz);
            Located { onset, due: stretch.due + Nanos::round_from_f64(ahead) }
        };
        self.sound.hear(stretch.frame, &sound, &mut |onset| sounds.push(located(onset)));
        if let Some(onsets) = &mut self.tap {
            onsets.hear(stretch.frame, &tap, &mut |onset| taps.push(located(onset)));
        }
    }
}
