//! [`TapShape`]: taps as sensors see them, whose onset is known exactly: the time of the first
//! contact, before which the signal is 0.

use std::f64::consts::{FRAC_PI_2, PI};

/// The course of a tap.
#[derive(Clone, Copy, Debug)]
pub struct TapShape {
    /// Its word on the command line.
    pub word: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// The word of the sensor that sees such taps.
    pub sensor: &'static str,
    /// The band in which nearly all of it lies, in Hz; noise is told in it.
    pub band_hz: [f64; 2],
    /// How long it rises to the peak of its first half-wave, in seconds.
    pub rise_s: f64,
    /// How long it lasts, in seconds.
    pub lasts_s: f64,
    /// Its value so many seconds after the first contact, from 0 on; about 1 at its peak.
    at: fn(f64) -> f64,
}

impl TapShape {
    /// Its value so many seconds after the first contact.
    pub fn at(&self, seconds: f64) -> f64 {
        match (0.0..=self.lasts_s).contains(&seconds) {
            true => (self.at)(seconds),
            false => 0.0,
        }
    }

    /// Adds a tap of this peak that begins at this frame, which may lie between two.
    pub fn add(&self, signal: &mut [f32], frame: f64, peak: f64, rate_hz: u32) {
        let rate = f64::from(rate_hz);
        let first = frame.ceil().max(0.0) as usize;
        let behind = (frame + self.lasts_s * rate).ceil().max(0.0) as usize;
        let behind = behind.min(signal.len());
        for (at, sample) in signal.iter_mut().enumerate().take(behind).skip(first) {
            *sample += (peak * self.at((at as f64 - frame) / rate)) as f32;
        }
    }
}

/// Every shape.
pub static TAP_SHAPES: [TapShape; 5] = [
    TapShape {
        word: "click",
        about: "a contact that closes: at its peak at once",
        sensor: "contact",
        band_hz: [200.0, 6_000.0],
        rise_s: 0.0,
        lasts_s: 0.02,
        at: |t| decay(t, 0.002) * libm::cos(2.0 * PI * 2_500.0 * t),
    },
    TapShape {
        word: "ring",
        about: "a piezo that rings at 1.8 and 3.1 kHz",
        sensor: "contact",
        band_hz: [200.0, 6_000.0],
        rise_s: 0.000_2,
        lasts_s: 0.06,
        at: |t| {
            let both = libm::sin(2.0 * PI * 1_800.0 * t) + 0.4 * libm::sin(2.0 * PI * 3_100.0 * t);
            0.85 * decay(t, 0.006) * both
        },
    },
    TapShape {
        word: "force",
        about: "the force of a finger: it rises for 4 ms and lasts 0.1 s",
        sensor: "force",
        band_hz: [2.0, 500.0],
        rise_s: 0.004,
        lasts_s: 0.1,
        at: |t| match t < 0.004 {
            true => libm::sin(FRAC_PI_2 * t / 0.004),
            false => libm::cos(FRAC_PI_2 * (t - 0.004) / 0.096),
        },
    },
    TapShape {
        word: "thump",
        about: "the sound in air: 220 Hz, which dies away",
        sensor: "air",
        band_hz: [80.0, 500.0],
        rise_s: 0.001_1,
        lasts_s: 0.08,
        at: |t| 1.05 * decay(t, 0.015) * libm::sin(2.0 * PI * 220.0 * t),
    },
    TapShape {
        word: "soft",
        about: "a soft tap on a force sensor: it rises for 8 ms as a raised cosine",
        sensor: "force",
        band_hz: [2.0, 500.0],
        rise_s: 0.008,
        lasts_s: 0.12,
        at: |t| match t < 0.008 {
            true => (1.0 - libm::cos(PI * t / 0.008)) / 2.0,
            false => libm::cos(FRAC_PI_2 * (t - 0.008) / 0.112),
        },
    },
];

fn decay(t: f64, time: f64) -> f64 {
    libm::exp(-t / time)
}
