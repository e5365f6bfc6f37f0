//! [`Generator`]: tones, clicks, drums, noise and samples, each begun at its frame.
//!
//! A [`Cue`] says which sound begins or ends at which frame; the generator adds what is
//! sounding to each period, so that an onset falls on its frame wherever the borders of
//! the periods are. The [`Kit`] decides which note makes which sound; the card knows at
//! what time a frame is heard.
//!
//! Real-time contract of [`Generator::cue`] and [`Generator::process`]: the audio
//! thread; no allocation, lock or system call; bounded by [`VOICES`] and the period.

mod feed;
mod kit;
mod noise;
mod recording;
mod sample;
mod score;
mod sound;
mod soundfont;
mod steady;
mod struck;
mod voice;

pub use crate::sound_file::SampleError;
pub use feed::{AHEAD, Feed, Frames, HEAD, Pump, feed};
pub use kit::{Instrument, Kit, Patch};
pub use recording::{Feeds, Recordings};
pub use sample::Sample;
pub use score::Score;
pub use sound::{Ears, Sound, Timbre};
pub use soundfont::{KeyMap, Preset, Selection, SoundFont, SoundFontError};
pub use steady::{Steady, SteadyEnding};

use crate::{Period, Process, Unfit};
use voice::{Stock, Voice};

/// Sounds that may overlap or wait for their frame; more are lost and counted.
pub const VOICES: usize = 128;

/// Something to do at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// Which frame, as the card numbers them.
    pub frame: u64,
    /// Which sound: one that begins may be ended under the same key.
    pub key: u64,
    /// The sound that begins, or nothing where the one of that key ends.
    pub sound: Option<Sound>,
}

impl Cue {
    /// Whether it makes no sound: a recording goes on unheard.
    pub fn is_unheard(&self) -> bool {
        self.sound.is_some_and(|sound| sound.level_db == f32::NEG_INFINITY)
    }
}

/// Makes the sounds it is told to make.
#[derive(Debug)]
pub struct Generator {
    voices: Vec<Voice>,
    samples: Vec<Sample>,
    feeds: Box<Feeds>,
    rate_hz: u32,
    lost: u64,
    missing: u64,
    unfit: Unfit,
}

impl Generator {
    /// Silent; plays at this rate, to which the samples have been brought.
    pub fn new(rate_hz: u32, samples: Vec<Sample>) -> Generator {
        let voices = Vec::with_capacity(VOICES);
        let (feeds, unfit) = (Box::default(), Unfit::default());
        Generator { voices, samples, feeds, rate_hz, lost: 0, missing: 0, unfit }
    }

    /// From now on parts are those of these recordings; gives those before back, so that who
    /// plays need not free them.
    pub fn play_from(&mut self, feeds: Box<Feeds>) -> Box<Feeds> {
        std::mem::replace(&mut self.feeds, feeds)
    }

    /// Takes in a cue. One whose frame has passed acts on the next frame there is.
    pub fn cue(&mut self, cue: &Cue) {
        if let Some(Sound { timbre: Timbre::Part { recording, from }, .. }) = cue.sound {
            self.feeds.begin(recording, cue.key, from);
        }
        if cue.is_unheard() {
            return;
        }
        match cue.sound {
            Some(_) if self.voices.len() == VOICES => self.lost += 1,
            Some(sound) => self.voices.push(Voice::new(cue, &sound, self.rate_hz)),
            None => {
                let ended = self.voices.iter_mut().filter(|voice| voice.key() == cue.key);
                ended.for_each(|voice| voice.end(cue.frame));
            }
        }
    }

    /// Sounds that found no room.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Frames that were louder than full scale, and cut off.
    pub fn clipped(&self) -> u64 {
        self.unfit.clipped
    }

    /// Frames that were no number or infinite, and silenced.
    pub fn silenced(&self) -> u64 {
        self.unfit.silenced
    }

    /// Frames of recordings that had not come when they were due, and were silent.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Whether nothing sounds and nothing waits.
    pub fn is_silent(&self) -> bool {
        self.voices.is_empty()
    }
}

impl Process for Generator {
    fn process(&mut self, period: &mut Period<'_>) {
        let Generator { voices, samples, feeds, missing, unfit, .. } = self;
        let mut stock = Stock { samples, feeds };
        let (first, frames) = (period.frame, period.frames());
        voices.retain_mut(|voice| voice.add(first, frames, &mut stock, period.outputs));
        *missing += feeds.pass(frames);
        let Unfit { clipped, silenced } = period.make_fit();
        unfit.clipped += clipped;
        unfit.silenced += silenced;
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tiny;
