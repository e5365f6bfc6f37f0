//! `--taps-as`: a recording as a sound card makes it, with what was played looped into the left
//! channel and a sensor of the taps on the right one.

use chronotap_audio::sensor::TapShape;
use chronotap_data::record::Entry;
use chronotap_engine::action::ActionKind;

/// How long the recording goes on before the trial and behind its last tap, in seconds: who
/// records begins before.
pub const AROUND_S: u32 = 1;
/// The peak of a tap, full scale being 1.
const PEAK: f64 = 0.5;

/// The taps of a trial, as a sensor sees them.
pub struct Sensed {
    shape: &'static TapShape,
    rate_hz: u32,
    /// The onsets in frames, in their order.
    onsets: Vec<f64>,
    /// The first that is not over.
    first: usize,
}

impl Sensed {
    /// All taps of these entries.
    pub fn of(entries: &[Entry], shape: &'static TapShape, rate_hz: u32) -> Sensed {
        let taps = entries.iter().filter(|entry| matches!(entry.action.kind, ActionKind::Tap(_)));
        let frame = |entry: &Entry| {
            let at = entry.achieved.unwrap_or(entry.action.deadline);
            (at.0 as f64 / 1e9 + f64::from(AROUND_S)) * f64::from(rate_hz)
        };
        let mut onsets: Vec<f64> = taps.map(frame).collect();
        onsets.sort_by(f64::total_cmp);
        Sensed { shape, rate_hz, onsets, first: 0 }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.onsets.len()
    }

    /// Frames before the trial.
    pub fn before(&self) -> u64 {
        u64::from(AROUND_S * self.rate_hz)
    }

    /// The frame with which the recording may end.
    pub fn end(&self) -> u64 {
        let last = self.onsets.last().copied().unwrap_or(0.0);
        last.max(0.0) as u64 + self.before()
    }

    /// The sample of a frame; frames are asked for in their order.
    pub fn sample(&mut self, frame: u64) -> f32 {
        let (rate, frame) = (f64::from(self.rate_hz), frame as f64);
        let lasts = self.shape.lasts_s * rate;
        while self.onsets.get(self.first).is_some_and(|onset| onset + lasts < frame) {
            self.first += 1;
        }
        let begun = self.onsets.iter().skip(self.first).take_while(|onset| **onset <= frame);
        let sum: f64 = begun.map(|onset| self.shape.at((frame - onset) / rate)).sum();
        (PEAK * sum) as f32
    }
}
