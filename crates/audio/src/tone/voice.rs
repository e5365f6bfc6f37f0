//! [`Voice`]: one sound of the generator, from its frame to its end.
//!
//! Real-time contract: as the generator's.

use super::noise::Noise;
use super::struck::{CLICK, DRUM, Struck, WOODBLOCK};
use super::{Cue, Feeds, Sample, Sound, Timbre};
use chronotap_core::time::Nanos;
use std::f64::consts::{PI, TAU};

/// Harmonics of a complex tone.
const HARMONICS: u32 = 6;
/// What the sum of sin(nx)/n over the harmonics is at most.
const COMPLEX_PEAK: f64 = 1.622_2;

/// A sound that waits for its frame, sounds, or fades.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    key: u64,
    begin: u64,
    end: Option<u64>,
    rise: u64, // in frames
    fall: u64,
    gains: [f32; 2],
    source: Source,
}

/// Where a voice's frames come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Sine { cycles: f64 }, // a frame
    Complex { cycles: f64, harmonics: u32 },
    Struck(Struck),
    White(Noise),
    Pink(Noise),
    Sample { index: u16, next: usize },
    Part { recording: u16, from: u64 },
}

/// What is played from files.
#[derive(Debug)]
pub(super) struct Stock<'a> {
    pub(super) samples: &'a [Sample],
    pub(super) feeds: &'a mut Feeds,
}

impl Voice {
    pub(super) fn new(cue: &Cue, sound: &Sound, rate_hz: u32) -> Voice {
        let cycles = |hz: f64| hz / f64::from(rate_hz);
        let source = match sound.timbre {
            Timbre::Sine(hz) => Source::Sine { cycles: cycles(hz) },
            Timbre::Complex(hz) => Source::Complex {
                cycles: cycles(hz),
                harmonics: HARMONICS.min((0.5 / cycles(hz)) as u32).max(1),
            },
            Timbre::Click => Source::Struck(Struck::new(&CLICK, 3_000.0, rate_hz)),
            Timbre::Woodblock(hz) => Source::Struck(Struck::new(&WOODBLOCK, hz, rate_hz)),
            Timbre::Drum(hz) => Source::Struck(Struck::new(&DRUM, hz, rate_hz)),
            Timbre::White => Source::White(Noise::new(cue.key)),
            Timbre::Pink => Source::Pink(Noise::new(cue.key)),
            Timbre::Sample(index) => Source::Sample { index, next: 0 },
            Timbre::Part { recording, from } => Source::Part { recording, from },
        };
        let frames = |time: Nanos| (time.0.max(0) as u64 * u64::from(rate_hz)) / 1_000_000_000;
        let gains = sound.gains();
        let (rise, fall) = (frames(sound.rise), frames(sound.fall));
        Voice { key: cue.key, begin: cue.frame, end: None, rise, fall, gains, source }
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// It falls silent from this frame on, if it has not been ended before.
    pub(super) fn end(&mut self, frame: u64) {
        self.end.get_or_insert(frame.max(self.begin));
    }

    /// Adds what sounds in the period from frame `first` on; whether more is to come.
    pub(super) fn add(
        &mut self,
        first: u64,
        frames: usize,
        stock: &mut Stock<'_>,
        outputs: &mut [&mut [f32]],
    ) -> bool {
        let waits = self.begin.saturating_sub(first);
        if waits >= frames as u64 {
            return true;
        }
        for i in waits as usize..frames {
            let age = (first + i as u64).saturating_sub(self.begin);
            let Some(level) = self.envelope(age) else { return false };
            let Some(sound) = self.source.next(age, self.key, stock) else { return false };
            put(outputs, i, [sound[0] * level * self.gains[0], sound[1] * level * self.gains[1]]);
        }
        true
    }

    /// The ramps, so many frames after the beginning; nothing after the end. What was
    /// struck, or recorded, has an envelope of its own; a sample can be cut short.
    fn envelope(&self, age: u64) -> Option<f32> {
        if matches!(self.source, Source::Struck(_)) {
            return Some(1.0);
        }
        let sampled = matches!(self.source, Source::Sample { .. });
        let rising = age < self.rise && !sampled;
        let rise = if rising { ramp(age, self.rise) } else { 1.0 };
        let faded = self.end.and_then(|end| (age + self.begin).checked_sub(end));
        match faded {
            None => Some(rise),
            Some(since) if since < self.fall => Some(rise * (1.0 - ramp(since, self.fall))),
            Some(_) => None,
        }
    }
}

/// Half a period of a cosine from 0 to 1, at the middle of a frame.
fn ramp(frame: u64, frames: u64) -> f32 {
    let share = (frame as f64 + 0.5) / frames as f64;
    (0.5 - 0.5 * libm::cos(PI * share)) as f32
}

/// Adds a frame to the left and the right output; to the only one where there is one.
fn put(outputs: &mut [&mut [f32]], i: usize, [left, right]: [f32; 2]) {
    match outputs {
        [both] => both[i] += if left == 0.0 { right } else { left },
        [first, second, ..] => {
            first[i] += left;
            second[i] += right;
        }
        [] => {}
    }
}

impl Source {
    /// The frame of that age, left and right; nothing once it has fallen silent.
    fn next(&mut self, age: u64, key: u64, stock: &mut Stock<'_>) -> Option<[f32; 2]> {
        let both = |sample: f32| Some([sample; 2]);
        match self {
            // The phase is that of the frame's middle, so that the first frame is not
            // silent, and comes from the age, so that no error adds up.
            Source::Sine { cycles } => both(libm::sin(TAU * phase(age, *cycles)) as f32),
            Source::Complex { cycles, harmonics } => both(complex(phase(age, *cycles), *harmonics)),
            Source::Struck(struck) => both(struck.next()?),
            Source::White(noise) => both(noise.white()),
            Source::Pink(noise) => both(noise.pink()),
            Source::Sample { index, next } => {
                let frame = stock.samples.get(usize::from(*index))?.frame(*next)?;
                *next += 1;
                Some(frame)
            }
            // From the age, so that music is at its right time after a gap of the card.
            Source::Part { recording, from } => stock.feeds.frame(*recording, *from + age, key),
        }
    }
}

/// The phase in the middle of the frame of that age, in cycles.
fn phase(age: u64, cycles: f64) -> f64 {
    ((age as f64 + 0.5) * cycles).fract()
}

/// The sum of sin(nx)/n: each sine from the two before, 2·cos(x)·sin(nx) = sin((n+1)x) +
/// sin((n-1)x).
fn complex(cycle: f64, harmonics: u32) -> f32 {
    let (sin, cos) = libm::sincos(TAU * cycle);
    let (mut before, mut now, mut sum) = (0.0, sin, 0.0);
    for n in 1..=harmonics {
        sum += now / f64::from(n);
        (before, now) = (now, 2.0 * cos * now - before);
    }
    (sum / COMPLEX_PEAK) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complex_tone_peaks_at_its_level() {
        let all = (0..100_000).map(|i| complex(f64::from(i) / 1e5, HARMONICS));
        let peak = all.map(f32::abs).fold(0.0, f32::max);
        assert!((0.99..=1.0).contains(&peak), "{peak}");
    }

    #[test]
    fn a_ramp_is_symmetric_and_never_at_its_ends() {
        let all: Vec<f32> = (0..240).map(|frame| ramp(frame, 240)).collect();
        assert!(all[0] > 0.0 && all[239] < 1.0);
        assert!(all.iter().zip(all.iter().rev()).all(|(a, b)| (a + b - 1.0).abs() < 1e-6));
    }
}
