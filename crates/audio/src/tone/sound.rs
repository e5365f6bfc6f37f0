//! [`Sound`]: what sounds, how loud, in which ear.
//!
//! Levels are in dB full scale. Of tones, strokes and samples it is the peak: at 0 dB the
//! greatest sample is 1. Of noise it is the power, and 0 dB is that of a sine of peak 1
//! (AES17), so that a tone and a noise of the same level carry the same power.

use chronotap_core::time::Nanos;

/// A sound, as it is to be heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sound {
    /// What it sounds like.
    pub timbre: Timbre,
    /// Level in dB full scale, at most 0; of a recording that goes on unheard minus infinity.
    pub level_db: f32,
    /// Where it is heard.
    pub ears: Ears,
    /// What each ear, left and right, has more than the level, in dB; at most 0.
    pub balance_db: [f32; 2],
    /// How long it takes to reach its level (half a period of a cosine); tones and
    /// noise only.
    pub rise: Nanos,
    /// How long it takes to fall silent once it is ended.
    pub fall: Nanos,
}

impl Sound {
    /// At -12 dB in both ears, with ramps of 5 ms.
    pub const fn new(timbre: Timbre) -> Sound {
        let ramp = Nanos::from_millis(5);
        let (ears, balance_db) = (Ears::Both, [0.0; 2]);
        Sound { timbre, level_db: -12.0, ears, balance_db, rise: ramp, fall: ramp }
    }

    /// What 0 dB is multiplied with, left and right.
    pub(super) fn gains(&self) -> [f32; 2] {
        let gain = |db: f32| libm::powf(10.0, (self.level_db + db) / 20.0);
        let [left, right] = self.ears.gains();
        [left * gain(self.balance_db[0]), right * gain(self.balance_db[1])]
    }
}

/// What a sound is made of. Pitches are in Hz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timbre {
    Sine(f64),
    /// Six harmonics, the nth 1/n as strong.
    Complex(f64),
    /// A click of 1 ms around 3 kHz; at its level from the first frame on.
    Click,
    /// A struck bar, which rings for 50 ms; at its level from the first frame on.
    Woodblock(f64),
    /// A struck membrane, which rings for a second; at its level from the first frame on.
    Drum(f64),
    /// White noise.
    White,
    /// Pink noise: the same power in every octave.
    Pink,
    /// A sample of the generator, by its place in the list.
    Sample(u16),
    /// A recording, from this frame of it on.
    Part {
        /// Its place among the trial's.
        recording: u16,
        /// The first frame that sounds.
        from: u64,
    },
}

/// Where a sound is heard: the first output is the left one, the second the right one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ears {
    /// In both.
    #[default]
    Both,
    /// In the left one alone.
    Left,
    /// In the right one alone.
    Right,
}

impl Ears {
    /// What the left and the right output are multiplied with.
    pub(super) const fn gains(self) -> [f32; 2] {
        match self {
            Ears::Both => [1.0, 1.0],
            Ears::Left => [1.0, 0.0],
            Ears::Right => [0.0, 1.0],
        }
    }
}
