//! [`Survey`]: what a whole recording is like, before taps are looked for in it: how strong
//! its noise and its taps are, and whether it hums. In bounded memory, whatever its length.

use super::detector::{Chain, frames};
use super::{Listening, Polarity, Sensor};
use std::collections::VecDeque;

/// Levels are counted in steps of a quarter of a decibel, from -140 dB up.
const STEPS_OF_DB: f64 = 4.0;
const LOWEST_DB: f64 = -140.0;
const STEPS: usize = 680;
/// The threshold is at least this share of the taps' level (-20 dB), and this level (-80 dB).
const OF_TAPS: f64 = 0.1;
const LEAST: f64 = 1e-4;
/// Hum is taken off where the noise then falls to this share, by 3 dB.
const HUM_HELPS: f64 = 0.708;
/// Until the hum is known, levels do not count, in seconds.
const SETTLE_S: f64 = 0.5;

/// What a recording is like, full scale being 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surveyed {
    /// The frequency of the mains whose hum is to be taken off.
    pub mains_hz: Option<u32>,
    /// Which way taps go.
    pub polarity: Polarity,
    /// The strength of the noise: the median difference from a window before, less the 3 dB that
    /// a difference has more. A level at rest that wanders is none.
    pub noise: f64,
    /// The level of taps: the upper quartile of the greatest levels of each second.
    pub taps: f64,
    /// The threshold that follows from both.
    pub threshold: f64,
}

/// Listens to a recording.
#[derive(Clone, Debug)]
pub struct Survey {
    sensor: &'static Sensor,
    ways: Vec<Way>,
}

impl Survey {
    /// Of the signal of a sensor, with these polarities and these frequencies of the mains;
    /// of several those that fit it are found.
    pub fn new(
        sensor: &'static Sensor,
        polarities: &[Polarity],
        mains: &[Option<u32>],
        rate_hz: u32,
    ) -> Survey {
        let both =
            polarities.iter().flat_map(|polarity| mains.iter().map(move |m| (*polarity, *m)));
        let way = |(polarity, mains_hz)| {
            let listening = Listening { polarity, mains_hz, ..Listening::to(sensor, 1.0) };
            Way::new(&listening, rate_hz)
        };
        Survey { sensor, ways: both.map(way).collect() }
    }

    /// Takes the next stretch.
    pub fn hear(&mut self, input: &[f32]) {
        for way in &mut self.ways {
            input.iter().for_each(|sample| way.take(*sample));
        }
    }

    /// What the recording is like: of the polarity with the stronger taps, and with the hum
    /// taken off that makes the noise less.
    pub fn rest(&self) -> Surveyed {
        let all: Vec<Surveyed> = self.ways.iter().map(|way| way.rest(self.sensor)).collect();
        let nothing = Surveyed {
            mains_hz: None,
            polarity: Polarity::Either,
            noise: 0.0,
            taps: 0.0,
            threshold: LEAST,
        };
        let strongest = all
            .iter()
            .copied()
            .reduce(|one, other| if other.taps > one.taps { other } else { one });
        let polarity = strongest.unwrap_or(nothing).polarity;
        let quieter = |one: Surveyed, other: Surveyed| {
            if other.noise < HUM_HELPS * one.noise { other } else { one }
        };
        all.into_iter().filter(|rest| rest.polarity == polarity).reduce(quieter).unwrap_or(nothing)
    }
}

/// A way to listen.
#[derive(Clone, Debug)]
struct Way {
    mains_hz: Option<u32>,
    polarity: Polarity,
    chain: Chain,
    window: usize,
    second: usize,
    settle: usize,
    heard: usize,
    most: f64,
    before: VecDeque<f64>,
    differences: f64,
    noise: Levels,
    greatest: Levels,
}

impl Way {
    fn new(listening: &Listening, rate_hz: u32) -> Way {
        let window = frames(listening.sensor.window_s, rate_hz);
        Way {
            mains_hz: listening.mains_hz,
            polarity: listening.polarity,
            chain: Chain::new(listening, rate_hz),
            window,
            second: frames(1.0, rate_hz),
            settle: frames(SETTLE_S, rate_hz),
            heard: 0,
            most: 0.0,
            before: std::iter::repeat_n(0.0, window).collect(),
            differences: 0.0,
            noise: Levels::new(),
            greatest: Levels::new(),
        }
    }

    fn rest(&self, sensor: &Sensor) -> Surveyed {
        let (noise, taps) = (self.noise.at(0.5), self.greatest.at(0.75));
        let threshold = (sensor.above_noise * noise).max(OF_TAPS * taps).max(LEAST);
        Surveyed { mains_hz: self.mains_hz, polarity: self.polarity, noise, taps, threshold }
    }

    fn take(&mut self, sample: f32) {
        let (value, level) = self.chain.take(sample);
        self.differences += (value - self.before.pop_front().unwrap_or(0.0)).powi(2);
        self.before.push_back(value);
        self.heard += 1;
        let Some(heard) = self.heard.checked_sub(self.settle) else { return };
        self.most = self.most.max(level);
        if heard.is_multiple_of(self.window) {
            let mean = std::mem::take(&mut self.differences) / self.window as f64;
            self.noise.count((mean / 2.0).sqrt());
        }
        if heard % self.second == self.second - 1 {
            self.greatest.count(std::mem::take(&mut self.most));
        }
    }
}

/// How often which level was there.
#[derive(Clone, Debug)]
struct Levels {
    counts: Vec<u64>,
}

impl Levels {
    fn new() -> Levels {
        Levels { counts: vec![0; STEPS] }
    }

    fn count(&mut self, level: f64) {
        let step = (20.0 * libm::log10(level.max(1e-9)) - LOWEST_DB) * STEPS_OF_DB;
        self.counts[(step.max(0.0) as usize).min(STEPS - 1)] += 1;
    }

    /// The level below which this share lies; 0 where none was counted.
    fn at(&self, share: f64) -> f64 {
        let all: u64 = self.counts.iter().sum();
        let mut left = (all as f64 * share) as u64;
        let step = self.counts.iter().position(|count| {
            let here = left < *count;
            left = left.saturating_sub(*count);
            here
        });
        let db = |step: usize| LOWEST_DB + (step as f64 + 0.5) / STEPS_OF_DB;
        step.map_or(0.0, |step| libm::pow(10.0, db(step) / 20.0))
    }
}
