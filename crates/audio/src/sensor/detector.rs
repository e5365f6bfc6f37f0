//! [`Detector`]: takes the signal, a stretch of any length at a time, and tells its taps.
//!
//! Real-time contract: after construction nothing is allocated or locked, and the time for a
//! frame is bounded. The answer does not depend on how the signal is cut.

use super::filter::Band;
use super::{Hum, Polarity, Sensor, sensor_named};
use std::collections::VecDeque;

/// From here on a sample counts as clipped.
const CLIPPED: f32 = 0.999;
/// An earlier half-wave belongs to the tap if its peak is so great a share of the tap's.
const SHARE: f64 = 0.25;
/// And so many times the threshold: a peak, and that is a root of a mean square.
const ABOVE: f64 = 1.3;
/// Between which shares of its peak the flank of a tap is taken for a straight line.
const FLANK: [f64; 2] = [0.2, 0.6];
/// A tap is over when the level has stayed below its share of the threshold for so many seconds:
/// on a slow fall, noise crosses it more than once.
const OVER_S: f64 = 0.010;
/// Taps are not told before the filters have settled, in seconds; with hum, until it is known.
const SETTLE_S: [f64; 2] = [0.05, 0.5];
/// The same where a kept recording is read again. What is kept around a tap begins 25 ms before it, and
/// three times the slowest decay of a highpass that tells taps by their rise (80 Hz, Q = 1/√2: 2.8 ms)
/// leaves 3 % of what its beginning did; of a level that wanders the rest before the tap is taken off.
const SETTLE_AGAIN_S: [f64; 2] = [0.01, 0.5];
/// A tap that is read again is known so many windows after its attack at most: a slow rise is found late.
const WINDOWS_BEHIND: f64 = 3.0;

/// What is played is 30 dB below full scale or louder.
const LOOP_THRESHOLD: f64 = 0.03;
/// A tone is told from the next one that follows so many seconds later.
const LOOP_GAP_S: f64 = 0.02;

/// How a signal is listened to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listening {
    pub sensor: &'static Sensor,
    /// The level at which a tap is found, full scale being 1.
    pub threshold: f64,
    /// The share of it to which the level falls before there is another tap; in 0 to 1.
    pub release: f64,
    /// The least time between two onsets, in seconds.
    pub gap_s: f64,
    pub polarity: Polarity,
    /// The frequency of the mains, if its hum is taken off.
    pub mains_hz: Option<u32>,
}

impl Listening {
    /// To this sensor, at this threshold, and with what else is usual.
    pub fn to(sensor: &'static Sensor, threshold: f64) -> Listening {
        let (polarity, gap_s) = (sensor.polarities[0], sensor.gap_s);
        Listening { sensor, threshold, release: 0.5, gap_s, polarity, mains_hz: None }
    }

    /// To the output of a card that a cable brings back: as usual for a cable, but that tones may follow
    /// each other soon.
    pub fn to_loop() -> Listening {
        let cable = sensor_named("cable").expect("a cable is a sensor");
        Listening { gap_s: LOOP_GAP_S, ..Listening::to(cable, LOOP_THRESHOLD) }
    }

    /// How much sound before and after an onset [`Detector::again`] needs, in seconds.
    pub fn needs_s(&self) -> [f64; 2] {
        let Sensor { window_s, attack_s, .. } = *self.sensor;
        [SETTLE_AGAIN_S[hums(self)] + window_s, attack_s + WINDOWS_BEHIND * window_s]
    }
}

/// A tap that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundTap {
    /// Where it began, in frames from the first one heard.
    pub frame: f64,
    /// Its peak in the sensor's band, full scale being 1.
    pub peak: f64,
    /// Whether the signal reached full scale, so that its peak is not known.
    pub clipped: bool,
}

/// The signal as far as the band of a sensor, and its level.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    hum: Option<Hum>,
    pub band: Band,
    window: VecDeque<f64>,
    sum: f64,
    polarity: Polarity,
}

impl Chain {
    pub fn new(listening: &Listening, rate_hz: u32) -> Chain {
        let window = frames(listening.sensor.window_s, rate_hz);
        Chain {
            hum: listening.mains_hz.map(|mains_hz| Hum::new(mains_hz, rate_hz)),
            band: Band::new(listening.sensor.band_hz, rate_hz),
            window: std::iter::repeat_n(0.0, window).collect(),
            sum: 0.0,
            polarity: listening.polarity,
        }
    }

    /// What is left of the next sample, and the level with it.
    pub fn take(&mut self, sample: f32) -> (f64, f64) {
        let sample = f64::from(if sample.is_finite() { sample } else { 0.0 });
        let value = self.band.take(sample);
        let value = self.hum.as_mut().map_or(value, |hum| hum.take(value));
        let square = self.polarity.of(value).powi(2);
        self.sum += square - self.window.pop_front().unwrap_or(0.0);
        self.window.push_back(square);
        (value, (self.sum.max(0.0) / self.window.len() as f64).sqrt())
    }
}

/// Finds taps, a stretch of the signal at a time.
#[derive(Clone, Debug)]
pub struct Detector {
    chain: Chain,
    threshold: f64,
    release: f64,
    gap: u64,
    over: u64,
    attack: u64,
    window: u64,
    settle: u64,
    wanders: bool,
    /// The last values, up to the longest time before a tap's telling at which it may begin.
    values: VecDeque<f64>,
    next: u64,
    clipped: Option<u64>,
    state: Awaited,
}

/// What is waited for.
#[derive(Clone, Copy, Debug)]
enum Awaited {
    /// A tap.
    Tap,
    /// The end of its rise; it was found at this frame.
    Peak { found: u64 },
    /// Its end, and this frame.
    Rest { until: u64 },
}

impl Detector {
    /// For this rate, from 1,000 Hz.
    pub fn new(listening: &Listening, rate_hz: u32) -> Detector {
        let Sensor { window_s, attack_s, .. } = *listening.sensor;
        let of = |seconds| frames(seconds, rate_hz) as u64;
        let (window, attack) = (of(window_s), of(attack_s));
        let settle = of(SETTLE_S[hums(listening)]);
        let kept = (3 * window + attack + 2) as usize;
        Detector {
            chain: Chain::new(listening, rate_hz),
            threshold: listening.threshold,
            release: listening.release * listening.threshold,
            gap: of(listening.gap_s),
            over: of(OVER_S),
            attack,
            window,
            settle,
            wanders: listening.sensor.wanders,
            values: std::iter::repeat_n(0.0, kept).collect(),
            next: 0,
            clipped: None,
            state: Awaited::Rest { until: settle },
        }
    }

    /// The same, but a tap is told a frame after it was found, while it may still rise: for whoever
    /// must answer it. The peak is that of its rise so far.
    pub fn live(listening: &Listening, rate_hz: u32) -> Detector {
        Detector { attack: 0, ..Detector::new(listening, rate_hz) }
    }

    /// The same for a stretch of a recording that was kept, which may begin shortly before a tap.
    pub fn again(listening: &Listening, rate_hz: u32) -> Detector {
        let settle = frames(SETTLE_AGAIN_S[hums(listening)], rate_hz) as u64;
        let state = Awaited::Rest { until: settle };
        Detector { settle, state, ..Detector::new(listening, rate_hz) }
    }

    /// Takes the signal from this frame on. Where frames are missing before it, what was under way
    /// is forgotten, and nothing is a tap before the filters have settled.
    pub fn hear_from(&mut self, frame: u64, input: &[f32], found: &mut dyn FnMut(FoundTap)) {
        if frame != self.next {
            let until = frame + self.settle;
            (self.next, self.clipped, self.state) = (frame, None, Awaited::Rest { until });
        }
        self.hear(input, found);
    }

    /// Takes the next stretch of the signal.
    pub fn hear(&mut self, input: &[f32], found: &mut dyn FnMut(FoundTap)) {
        for sample in input {
            if let Some(tap) = self.take(*sample) {
                found(tap);
            }
        }
    }

    fn take(&mut self, sample: f32) -> Option<FoundTap> {
        let (value, level) = self.chain.take(sample);
        self.values.pop_front();
        self.values.push_back(value);
        let frame = self.next;
        self.next += 1;
        if sample.abs() >= CLIPPED {
            self.clipped = Some(frame);
        }
        match self.state {
            Awaited::Tap if level >= self.threshold => self.state = Awaited::Peak { found: frame },
            Awaited::Peak { found } if frame >= found + self.attack => {
                self.state = Awaited::Rest { until: found + self.gap };
                return Some(self.located(frame, found));
            }
            Awaited::Rest { until } if level > self.release => {
                self.state = Awaited::Rest { until: until.max(frame + self.over) };
            }
            Awaited::Rest { until } if frame >= until => self.state = Awaited::Tap,
            _ => {}
        }
        None
    }

    /// The tap that was found at a frame, now that its rise is over.
    fn located(&self, now: u64, found: u64) -> FoundTap {
        let (window, values) = (self.window as usize, self.values.len());
        let first = values.saturating_sub(1 + (now - found) as usize + 2 * window);
        let course = Course { values: &self.values, rest: self.rest_before(first) };
        let peak = (first + window..values).map(|at| course.at(at).abs()).fold(0.0, f64::max);
        let least = (SHARE * peak).max(ABOVE * self.threshold).min(peak);
        let top = course.first_top(first, least);
        let [low, high] = FLANK.map(|share| course.rises(top, share));
        let onset = low - (high - low) * FLANK[0] / (FLANK[1] - FLANK[0]);
        let newest = values as f64 - 1.0 + self.chain.band.delay_frames;
        let clipped = self.clipped.is_some_and(|clipped| clipped + self.window >= found);
        FoundTap { frame: now as f64 - newest + onset + 0.5, peak, clipped }
    }

    /// Where the signal was in the window before this place, if that wanders.
    fn rest_before(&self, place: usize) -> f64 {
        let first = place.saturating_sub(self.window as usize);
        let all = self.values.iter().take(place).skip(first);
        let mean = all.sum::<f64>() / (place - first).max(1) as f64;
        if self.wanders { mean } else { 0.0 }
    }
}

/// The last values, from where the signal was at rest.
struct Course<'a> {
    values: &'a VecDeque<f64>,
    rest: f64,
}

impl Course<'_> {
    fn at(&self, place: usize) -> f64 {
        self.values[place] - self.rest
    }

    /// The place of the peak of the first half-wave that reaches this.
    fn first_top(&self, first: usize, least: f64) -> usize {
        let last = self.values.len() - 1;
        let mut top = (first..last).find(|at| self.at(*at).abs() >= least).unwrap_or(last);
        let sign = self.at(top).signum();
        for at in (top..=last).take_while(|at| self.at(*at) * sign > 0.0) {
            if self.at(at).abs() > self.at(top).abs() {
                top = at;
            }
        }
        top
    }

    /// Where the flank before a peak passes this share of it, between values.
    fn rises(&self, top: usize, share: f64) -> f64 {
        let (sign, level) = (self.at(top).signum(), self.at(top).abs() * share);
        let height = |at: usize| self.at(at) * sign;
        let Some(below) = (0..top).rev().find(|at| height(*at) < level) else { return 0.0 };
        let (before, after) = (height(below), height(below + 1));
        below as f64 + ((level - before) / (after - before)).clamp(0.0, 1.0)
    }
}

fn hums(listening: &Listening) -> usize {
    usize::from(listening.mains_hz.is_some())
}

/// How many frames a time has, at least 2.
pub(super) fn frames(seconds: f64, rate_hz: u32) -> usize {
    (seconds * f64::from(rate_hz)).ceil().max(2.0) as usize
}
