//! [`CardShape`]: how a card runs.

use chronotap_core::time::Nanos;

/// How a card runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardShape {
    /// What it is, in words.
    pub card: String,
    /// Frames a second.
    pub rate_hz: u32,
    /// Frames of a period.
    pub period_frames: u32,
    /// Periods of the buffer.
    pub periods: u32,
    pub inputs: usize,
    pub outputs: usize,
    /// Frames from the time at which a period is due to when its first frame is at the
    /// converter, as far as the card knows it.
    pub playback_latency_frames: u32,
    /// Frames from when a frame is at the converter of an input to the time at which the
    /// period that begins with it is due, as far as the card knows it; a period at least.
    pub capture_latency_frames: u32,
}

impl CardShape {
    /// The length of so many frames, to the nanosecond.
    pub fn length(&self, frames: u32) -> Nanos {
        let rate = i64::from(self.rate_hz.max(1));
        Nanos((i64::from(frames) * 1_000_000_000 + rate / 2) / rate)
    }

    /// A period's length.
    pub fn period(&self) -> Nanos {
        self.length(self.period_frames)
    }

    /// [`CardShape::playback_latency_frames`] as a time.
    pub fn playback_latency(&self) -> Nanos {
        self.length(self.playback_latency_frames)
    }

    /// [`CardShape::capture_latency_frames`] as a time.
    pub fn capture_latency(&self) -> Nanos {
        self.length(self.capture_latency_frames)
    }
}
