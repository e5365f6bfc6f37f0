//! [`TestHand`]: a simulated hand at a virtual card, which does what it is asked, as fast as it is listened to.

use chronotap_audio::sensor::{TapShape, TestPart, full_scale_of};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use chronotap_engine::signal::{HeardPart, HeardSound, SoundKept};
use std::sync::{Arc, Mutex};

const RATE_HZ: u32 = 48_000;
const FRAMES: usize = 24_000;
/// The peak of the noise, and of taps that are soft and hard, each up to `VARIES_DB` louder.
const NOISE_DB: f64 = -70.0;
const SOFT_DB: f64 = -24.0;
const HARD_DB: f64 = -9.0;
const VARIES_DB: f64 = 6.0;
const BEGINS: f64 = 2_400.5;

pub struct TestHand {
    shape: &'static TapShape,
    asked: AskedOfHand,
    random: Random,
    frame: u64,
    is_next: bool, // every second time there is nothing yet
}

/// What is asked of it.
#[derive(Clone)]
pub struct AskedOfHand(Arc<Mutex<TestPart>>);

impl AskedOfHand {
    pub fn ask(&self, part: TestPart) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = part;
    }

    fn part(&self) -> TestPart {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl TestHand {
    pub fn new(shape: &'static TapShape) -> (TestHand, AskedOfHand) {
        let asked = AskedOfHand(Arc::new(Mutex::new(TestPart::Rest)));
        let random = Random::named(1, "hand");
        (TestHand { shape, asked: asked.clone(), random, frame: 0, is_next: false }, asked)
    }
}

impl HeardSound for TestHand {
    fn rate_hz(&self) -> u32 {
        RATE_HZ
    }

    fn kept(&self) -> SoundKept {
        SoundKept::All
    }

    /// Half a second with a tap in it, where one is asked for.
    fn next(&mut self, samples: &mut Vec<f32>) -> Option<HeardPart> {
        self.is_next = !self.is_next;
        if !self.is_next {
            return None;
        }
        let share = &mut self.random;
        let noise = full_scale_of(NOISE_DB);
        let mut sound: Vec<f32> =
            (0..FRAMES).map(|_| (noise * (2.0 * share.uniform() - 1.0)) as f32).collect();
        let least = match self.asked.part() {
            TestPart::Soft => Some(SOFT_DB),
            TestPart::Hard => Some(HARD_DB),
            _ => None,
        };
        if let Some(least) = least {
            self.shape.add(
                &mut sound,
                BEGINS,
                full_scale_of(least + VARIES_DB * share.uniform()),
                RATE_HZ,
            );
        }
        samples.extend(sound);
        let frame = self.frame;
        self.frame += FRAMES as u64;
        Some(HeardPart::Period { frame, frames: FRAMES as u32, at: Nanos::ZERO })
    }

    fn lost(&self) -> u64 {
        0
    }

    fn origin(&self) -> Option<Nanos> {
        None
    }
}
