//! [`SoundSystem`]: cards, who uses them, which servers run, which timer the sequencer has.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sound cards and what goes with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SoundSystem {
    /// Cards; `None` where the kernel has no sound system loaded.
    pub cards: Option<Vec<CardFacts>>,
    /// Streams that are open.
    pub streams: Option<Vec<OpenStream>>,
    /// Programs that hold a device of /dev/snd open; others' can be seen by root only.
    pub holders: Option<Vec<Holder>>,
    /// Sound servers that run.
    pub servers: Option<Vec<String>>,
    /// Timers of the sound system, one a line as in /proc/asound/timers.
    pub timers: Option<Vec<String>>,
    /// Parameters of the driver snd_usb_audio, where it is loaded.
    pub usb_driver: Option<BTreeMap<String, String>>,
}

/// A sound card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CardFacts {
    pub number: u32,
    /// Its short name.
    pub id: String,
    /// Its driver and long name.
    pub name: String,
}

/// A stream that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenStream {
    /// card/stream/substream, as card0/pcm0p/sub0.
    pub name: String,
    /// RUNNING, PREPARED, SETUP, ...
    pub state: String,
    /// The process that opened it.
    pub owner_pid: Option<u32>,
    /// Frames a second, frames of a period and of the buffer.
    pub rate_hz: Option<u32>,
    /// Frames of a period.
    pub period_frames: Option<u32>,
    /// Frames of the buffer.
    pub buffer_frames: Option<u32>,
}

/// A program that holds a device open.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    pub device: String,
    /// The process.
    pub pid: u32,
    pub program: String,
}

impl SoundSystem {
    /// Whether the sound system has a high-resolution timer.
    pub fn has_hrtimer(&self) -> Option<bool> {
        Some(self.timers.as_ref()?.iter().any(|line| line.contains("HR timer")))
    }
}
