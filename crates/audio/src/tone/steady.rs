//! [`Steady`]: one sound from the first period on until it is told to end, for whoever
//! measures its level.
//!
//! Real-time contract: as the generator's.

use super::{Cue, Generator, Sound};
use crate::{Period, Process};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// A sound that goes on.
#[derive(Debug)]
pub struct Steady {
    generator: Generator,
    sound: Option<Sound>, // until it begins
    ending: Arc<AtomicBool>,
    silent: Arc<AtomicBool>,
}

/// Ends a steady sound.
#[derive(Clone, Debug)]
pub struct SteadyEnding {
    ending: Arc<AtomicBool>,
    silent: Arc<AtomicBool>,
}

impl Steady {
    /// Sounds at this rate, until the ending says otherwise.
    pub fn new(rate_hz: u32, sound: Sound) -> (Steady, SteadyEnding) {
        let ending = SteadyEnding { ending: Arc::default(), silent: Arc::default() };
        let SteadyEnding { ending: end, silent } = ending.clone();
        let generator = Generator::new(rate_hz, Vec::new());
        (Steady { generator, sound: Some(sound), ending: end, silent }, ending)
    }
}

impl SteadyEnding {
    /// The sound fades.
    pub fn end(&self) {
        self.ending.store(true, Relaxed);
    }

    /// Whether it has faded.
    pub fn is_silent(&self) -> bool {
        self.silent.load(Relaxed)
    }
}

impl Process for Steady {
    fn process(&mut self, period: &mut Period<'_>) {
        let (frame, key) = (period.frame, 0);
        if self.sound.is_some() {
            self.generator.cue(&Cue { frame, key, sound: self.sound.take() });
        }
        if self.ending.load(Relaxed) {
            self.generator.cue(&Cue { frame, key, sound: None });
        }
        self.generator.process(period);
        self.silent.store(self.generator.is_silent(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tone::{Ears, Timbre};
    use assert_no_alloc::assert_no_alloc;

    #[test]
    fn it_sounds_at_its_level_in_its_ear_until_it_is_told_to_end_and_fades() {
        let sound =
            Sound { level_db: -20.0, ears: Ears::Left, ..Sound::new(Timbre::Sine(1_000.0)) };
        let (mut steady, ending) = Steady::new(48_000, sound);
        let mut heard = Vec::new();
        for turn in 7_000..7_100_u64 {
            let [mut left, mut right] = [[0.0; 64]; 2];
            if turn == 7_090 {
                ending.end();
            }
            let outputs = &mut [&mut left[..], &mut right[..]];
            let mut period = Period { frame: turn * 64, rate_hz: 48_000, inputs: &[], outputs };
            assert_no_alloc(|| steady.process(&mut period));
            assert_eq!(right, [0.0; 64]);
            heard.extend(left);
        }
        let power = heard[480..4_800].iter().map(|s| s * s).sum::<f32>() / 4_320.0;
        assert!((10.0 * (2.0 * power).log10() + 20.0).abs() < 0.01, "{power}");
        assert!(ending.is_silent() && heard[90 * 64 + 240..].iter().all(|s| *s == 0.0));
    }
}
