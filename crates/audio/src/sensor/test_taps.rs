//! [`TestTaps`]: which threshold fits a sensor, from what a hand shows of it: rest, soft taps, hard
//! taps, and tones to which nobody taps.
//!
//! Background: with a threshold that is too low, noise counts as taps, and so does a metronome that a
//! microphone hears; one that is too high misses soft taps. Solution: each is listened to by itself,
//! and compared as [`Detector`](super::Detector) compares: by the root of the mean square over the
//! sensor's window, in its band.
//!
//! `threshold = max((quiet + softest) / 2, softest - 20)`, in dB of full scale. `quiet` is the greatest
//! level at rest, or of the tones where that is more. Half-way is as far from one as from the other;
//! no more than 20 dB below the softest tap, since what is weaker than a tenth of it is no tap. Nothing
//! is proposed where less than 12 dB lie between both, so that 6 dB remain on each side.

use super::detector::{Chain, frames};
use super::{Listening, db_of};

/// Until the filters have settled, levels do not count, in seconds.
const SETTLE_S: f64 = 0.5;
/// A test tap is found this much above the greatest level at rest, and above -80 dB.
const ABOVE_REST: f64 = 2.0;
const LEAST: f64 = 1e-4;
/// From here on a sample is at full scale.
const FULL: f32 = 0.999;
/// What lies between what is quiet and the softest tap, at least, and between this and the threshold
/// at most, in dB.
const APART_DB: f64 = 12.0;
const BELOW_DB: f64 = 20.0;

/// What is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestPart {
    Rest,
    /// Between two others: what comes in does not count.
    Pause,
    Soft,
    Hard,
    Tones,
}

/// A test tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestTap {
    /// The greatest level in it, full scale being 1.
    pub level: f64,
    /// Whether the signal reached full scale.
    pub clipped: bool,
}

/// Listens to the parts, one after another.
#[derive(Clone, Debug)]
pub struct TestTaps {
    chain: Chain,
    part: TestPart,
    settle: u64,
    gap: u64,
    armed: bool,
    begun: Option<(u64, TestTap)>, // and the frames until its gap is over
    rest: f64,
    tones: Option<f64>,
    soft: Vec<TestTap>,
    hard: Vec<TestTap>,
    most: f64,
}

/// Why no threshold fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoLevelBetween {
    /// Nobody tapped softly, or nothing of it came in.
    NoTaps,
    /// The softest tap is too near to rest.
    NearRest,
    /// It is too near to the tones; but for these, the threshold would be this, in dB.
    NearTones(f64),
}

impl TestTaps {
    /// Of a signal that is listened to in this way; its threshold does not matter.
    pub fn new(listening: &Listening, rate_hz: u32) -> TestTaps {
        TestTaps {
            chain: Chain::new(listening, rate_hz),
            part: TestPart::Rest,
            settle: frames(SETTLE_S, rate_hz) as u64,
            gap: frames(listening.gap_s, rate_hz) as u64,
            armed: false,
            begun: None,
            rest: 0.0,
            tones: None,
            soft: Vec::new(),
            hard: Vec::new(),
            most: 0.0,
        }
    }

    /// From now on this part is listened to. The first is rest.
    pub fn begin(&mut self, part: TestPart) {
        (self.part, self.begun, self.armed) = (part, None, false);
    }

    /// Takes the next stretch.
    pub fn hear(&mut self, input: &[f32]) {
        for sample in input {
            let (_, level) = self.chain.take(*sample);
            if self.settle > 0 {
                self.settle -= 1;
                continue;
            }
            self.most = self.most.max(level);
            match self.part {
                TestPart::Rest => self.rest = self.rest.max(level),
                TestPart::Tones => self.tones = Some(self.tones.unwrap_or(0.0).max(level)),
                TestPart::Soft | TestPart::Hard => self.tapped(level, sample.abs() >= FULL),
                TestPart::Pause => {}
            }
        }
    }

    fn tapped(&mut self, level: f64, clipped: bool) {
        if let Some((left, tap)) = &mut self.begun {
            tap.level = tap.level.max(level);
            tap.clipped |= clipped;
            *left -= 1;
            if *left == 0 {
                let (_, tap) = self.begun.take().expect("a tap has begun");
                let hard = self.part == TestPart::Hard;
                (if hard { &mut self.hard } else { &mut self.soft }).push(tap);
                self.armed = false;
            }
        } else if level < self.found_from() / 2.0 {
            self.armed = true;
        } else if self.armed && level >= self.found_from() {
            self.begun = Some((self.gap.max(1), TestTap { level, clipped }));
        }
    }

    /// The level from which on test taps are found, full scale being 1.
    pub fn found_from(&self) -> f64 {
        (ABOVE_REST * self.rest).max(LEAST)
    }

    /// The greatest level since this was asked last.
    pub fn loudest(&mut self) -> f64 {
        std::mem::take(&mut self.most)
    }

    /// The greatest level at rest.
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// The greatest level beside tones, where this was listened to.
    pub fn tones(&self) -> Option<f64> {
        self.tones
    }

    /// The taps of the part with soft ones, and of that with hard ones.
    pub fn taps(&self) -> [&[TestTap]; 2] {
        [&self.soft, &self.hard]
    }

    /// The threshold that fits, in whole dB of full scale.
    ///
    /// # Errors
    /// [`NoLevelBetween`].
    pub fn threshold_db(&self) -> Result<f64, NoLevelBetween> {
        let softest = self.soft.iter().map(|tap| db_of(tap.level)).reduce(f64::min);
        let softest = softest.ok_or(NoLevelBetween::NoTaps)?;
        let between = |quiet: f64| f64::midpoint(quiet, softest).max(softest - BELOW_DB).round();
        let rest = db_of(self.rest);
        let tones = self.tones.map_or(rest, |level| db_of(level).max(rest));
        if softest - rest < APART_DB {
            Err(NoLevelBetween::NearRest)
        } else if softest - tones < APART_DB {
            Err(NoLevelBetween::NearTones(between(rest)))
        } else {
            Ok(between(tones))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SENSORS, TAP_SHAPES, full_scale_of};
    use super::*;

    const RATE_HZ: u32 = 48_000;

    /// What is at rest, in noise of this peak, and with taps of these peaks half a second apart.
    fn sound(seconds: f64, noise_db: f64, peaks_db: &[f64]) -> Vec<f32> {
        let noise = full_scale_of(noise_db);
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        };
        let frames = (seconds * f64::from(RATE_HZ)) as usize;
        let mut sound: Vec<f32> = (0..frames).map(|_| (noise * random()) as f32).collect();
        for (at, peak) in peaks_db.iter().enumerate() {
            let frame = (0.25 + 0.5 * at as f64) * f64::from(RATE_HZ);
            TAP_SHAPES[1].add(&mut sound, frame, full_scale_of(*peak), RATE_HZ);
        }
        sound.iter().map(|sample| sample.clamp(-1.0, 1.0)).collect()
    }

    fn tried(noise_db: f64, soft_db: &[f64], hard_db: &[f64], tones_db: Option<f64>) -> TestTaps {
        let mut test = TestTaps::new(&Listening::to(&SENSORS[0], 1.0), RATE_HZ);
        test.hear(&sound(3.0, noise_db, &[]));
        for (part, peaks) in [(TestPart::Soft, soft_db), (TestPart::Hard, hard_db)] {
            test.begin(TestPart::Pause);
            test.hear(&sound(1.0, noise_db, &[-3.0])); // the hand is moved
            test.begin(part);
            test.hear(&sound(4.0, noise_db, peaks));
        }
        if let Some(tones) = tones_db {
            test.begin(TestPart::Tones);
            test.hear(&sound(2.0, noise_db, &[tones; 3]));
        }
        test
    }

    #[test]
    fn the_threshold_is_half_way_between_rest_and_the_softest_tap() {
        let test = tried(-50.0, &[-10.0, -16.0, -12.0], &[-4.0, -1.0], None);
        let [soft, hard] = test.taps().map(<[TestTap]>::len);
        assert_eq!((soft, hard), (3, 2), "what was heard in between is no tap");
        // A ring of -16 dB has its greatest level 4 to 6 dB below its peak, noise its greatest 3 to 10.
        let (rest, softest) = (db_of(test.rest()), db_of(test.taps()[0][1].level));
        assert!((-60.0..-50.0).contains(&rest), "{rest}");
        assert!((-23.0..-18.0).contains(&softest), "{softest}");
        let half_way = f64::midpoint(rest, softest).max(softest - 20.0).round();
        assert_eq!(test.threshold_db(), Ok(half_way));
    }

    #[test]
    fn the_threshold_is_at_most_20_db_below_the_softest_tap() {
        let test = tried(-90.0, &[-16.0], &[-4.0], None);
        let softest = db_of(test.taps()[0][0].level);
        assert_eq!(test.threshold_db(), Ok((softest - 20.0).round()));
    }

    #[test]
    fn taps_that_are_hardly_louder_than_rest_have_no_threshold() {
        assert_eq!(tried(-30.0, &[-22.0], &[], None).threshold_db(), Err(NoLevelBetween::NearRest));
        assert_eq!(tried(-60.0, &[], &[-3.0], None).threshold_db(), Err(NoLevelBetween::NoTaps));
    }

    #[test]
    fn tones_that_the_microphone_hears_raise_it_or_leave_none() {
        let alone = tried(-70.0, &[-20.0], &[-4.0], None).threshold_db().unwrap();
        let raised = tried(-70.0, &[-20.0], &[-4.0], Some(-40.0)).threshold_db();
        assert!(raised.unwrap() > alone, "{raised:?}, {alone}");
        let near = tried(-70.0, &[-20.0], &[-4.0], Some(-25.0)).threshold_db();
        assert_eq!(near, Err(NoLevelBetween::NearTones(alone)));
    }

    #[test]
    fn a_tap_at_full_scale_is_known_as_one() {
        let test = tried(-60.0, &[-20.0], &[-6.0, 6.0], None);
        let clipped: Vec<bool> = test.taps()[1].iter().map(|tap| tap.clipped).collect();
        assert_eq!(clipped, [false, true]);
    }
}
