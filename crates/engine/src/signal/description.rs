//! [`Description`]: what a port is, to be shown, recorded, and reckoned with.

use crate::signal::SoundKept;
use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// What a port says of itself once it is open. It changes only where the port is asked again
/// ([`ServerSide::ask_again`](crate::signal::ServerSide::ask_again)), not while a trial runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    /// The period of the audio server or sound card behind it, where there is one.
    pub period: Option<AudioPeriod>,
    /// The constant by which everything is played after its deadline; stated apart from
    /// lateness.
    pub latency: Nanos,
    /// The sound card, in words, where the port itself sounds.
    pub card: Option<String>,
    /// The text of the file of sounds, where one was named.
    pub sounds: Option<String>,
    /// What it plays from SoundFonts, in words.
    pub instruments: Vec<String>,
    /// The keyboard that is kept from every other program while a trial runs, and only then.
    pub keyboard: Option<String>,
    /// The sensor of force, where it is one.
    pub sensor: Option<SensorFacts>,
    /// The sketch of another laboratory that tells of taps, where it is one.
    pub sketch: Option<SketchFacts>,
    /// The time code on a channel of the sound card, where there is some.
    pub ltc: Option<TimeCodeTrack>,
    /// How it hears taps, where it is a channel of a sound card.
    pub ear: Option<HearingEar>,
}

/// A channel of a sound card on which taps are heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HearingEar {
    /// The channel, from 1.
    pub channel: u8,
    /// How it listens, in words.
    pub settings: String,
    /// How much of the sound is kept.
    pub kept: SoundKept,
    /// How long after its first frame was at the converter a period is heard.
    pub behind: Nanos,
    /// By how much the time of a frame may be wrong.
    pub uncertainty: Nanos,
}

/// A sensor of force, by its greeting and by what was found of it since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorFacts {
    /// The board that it runs on.
    pub board: String,
    /// Readings a second.
    pub rate_hz: u32,
    /// The greatest reading.
    pub full_scale: u16,
    /// The reading at rest, when the device began.
    pub rest: u16,
    /// The reading at which a tap begins.
    pub on: u16,
    /// The reading below which it ends.
    pub off: u16,
    /// Whether the driver hands over each byte at once.
    pub low_latency: LowLatency,
    /// How much faster the computer's clock runs than the device's, in parts in a million.
    pub clock_drift_ppm: f64,
    /// How far the device's clock may be off once it is mapped, in nanoseconds.
    pub clock_within_ns: u64,
}

/// A sensor with a sketch of another laboratory, which tells less than this project's firmware.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SketchFacts {
    /// What the sketch is called.
    pub name: String,
    /// When it tells of a tap, in words.
    pub told: String,
    /// How exactly it tells its times, in nanoseconds.
    pub resolution_ns: u64,
    /// How much faster the computer's clock runs than the device's, in parts in a million, where the
    /// device had said a time when the trial began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_drift_ppm: Option<f64>,
    /// How far the device's clock may be off once it is mapped, in nanoseconds, where it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_within_ns: Option<u64>,
}

/// Whether a driver hands over each byte at once, which it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LowLatency {
    /// It says that it will.
    Granted,
    /// It says that it will not.
    Refused,
    /// It does not know the question.
    Unknown,
}

/// Linear time code on a channel of a sound card, and by which frame of the card one knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeCodeTrack {
    /// The channel, from 1.
    pub channel: u8,
    /// Frames of time code a second.
    pub frames_per_second: u32,
    /// The first frame of time code, as `HH:MM:SS:FF`.
    pub first: String,
    /// The frame of the card with which it begins.
    pub first_frame: u64,
}

impl Description {
    /// A port of an audio server, which plays everything a period after its deadline.
    pub fn of_period(period: AudioPeriod) -> Description {
        Description { period: Some(period), latency: period.length(), ..Description::default() }
    }
}

/// The period of an audio server or sound card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AudioPeriod {
    /// Its length in frames.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
}

impl AudioPeriod {
    /// Its length, to the nanosecond.
    pub fn length(self) -> Nanos {
        let rate = i64::from(self.rate_hz.max(1));
        Nanos((i64::from(self.frames) * 1_000_000_000 + rate / 2) / rate)
    }
}

impl std::fmt::Display for AudioPeriod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (frames, rate, ms) = (self.frames, self.rate_hz, self.length().as_millis_f64());
        write!(f, "{frames} frames at {rate} Hz, {ms:.2} ms")
    }
}
