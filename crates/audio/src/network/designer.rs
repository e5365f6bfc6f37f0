//! [`Designer`]: the same reverberator in the form of the study's own, frame by frame and line
//! by line.
//!
//! Background: the study (Vignati et al. 2022) counted instances of what Faust's compiler makes
//! of `reverbDesigner`. A [`Network`](super::Network) costs a sixth of one, since it computes four
//! lines at once; its counts cannot stand beside the study's.
//! Solution: the work that the study's plugin does for a frame, in its order: lines as long as
//! powers of primes, 22 filters for each, every filter on its own and with all its factors.
//! Why it works: a test holds its answer to an impulse against that of Faust's own C++, and
//! `benchmarks/faust.sh` its cost against that code's.
//! Example: at 48 kHz the first of 8 lines is 2¹³ frames long, the seventh 17³.
//!
//! Faust's library gives no line more than 8,192 frames; a longer one is cut there, but loses
//! for all its length. That is kept. Not here: the noise and the impulses that Faust's
//! demonstration can make itself, about a hundredth of its work.

use super::bank::{BANDS, CROSSOVERS_HZ};
use super::lengths::{SOUND_M_S, WAY_M};
use super::{LEVEL, mix, weights};
use std::f64::consts::PI;

/// The longest delay that Faust's library gives a line, in frames.
const LONGEST: usize = 8_192;
/// Words of a line's ring, as many as that library takes.
const RING: usize = 2 * LONGEST;
/// A line's length is a power of its own prime.
const PRIMES: [usize; 16] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];

/// Faust's `reverbDesigner` with `N` delay lines (8 or 16 in the study), 5 bands and filters of
/// order 3.
///
/// Real-time contract of [`Designer::process`]: as the network's.
#[derive(Clone, Debug)]
pub struct Designer<const N: usize> {
    corners: [Corner; BANDS - 1],
    lines: Vec<Line>,
    /// What comes back into each line with the next frame.
    back: [f32; N],
    at: usize,
    norm: f32,
}

#[derive(Clone, Debug)]
struct Line {
    ring: Vec<f32>,
    delay: usize,
    splits: [Split; BANDS - 1],
    weights: [f32; BANDS], // from the highest band
}

/// The filters of one crossover, from the top.
#[derive(Clone, Copy, Debug)]
struct Corner {
    high: (First, Second),
    low: (First, Second),
    /// Their sum, an all-pass, for the bands above.
    level: Second,
}

/// What they remember in one line. The levels are those of the crossovers below.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    high: [[f32; 2]; 2],
    low: [[f32; 2]; 2],
    levels: [[f32; 2]; BANDS - 2],
}

/// A filter of order 1.
#[derive(Clone, Copy, Debug)]
struct First {
    b: [f32; 2],
    a: f32,
}

/// A filter of order 2.
#[derive(Clone, Copy, Debug)]
struct Second {
    b: [f32; 3],
    a: [f32; 2],
}

impl<const N: usize> Designer<N> {
    /// For sound of this rate, silent. Allocates all that it will ever need.
    pub fn new(rate_hz: f64) -> Designer<N> {
        const { assert!(N.is_power_of_two() && 2 <= N && N <= PRIMES.len(), "a prime for each") };
        Designer {
            corners: CROSSOVERS_HZ.map(|hz| Corner::new(libm::tan(PI * hz / rate_hz))),
            lines: (0..N).map(|n| Line::new(length(n, N, rate_hz), rate_hz)).collect(),
            back: [0.0; N],
            at: 0,
            norm: 1.0 / (N as f32).sqrt(),
        }
    }

    /// Silence again, as after [`Designer::new`].
    pub fn reset(&mut self) {
        self.back = [0.0; N];
        for line in &mut self.lines {
            line.ring.fill(0.0);
            line.splits = Default::default();
        }
    }

    /// Two channels, in place. Both have the same length.
    pub fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.iter_mut().zip(right) {
            [*left, *right] = self.frame([*left, *right]);
        }
    }

    fn frame(&mut self, input: [f32; 2]) -> [f32; 2] {
        let mut output = [0.0; 2];
        mix(&mut self.back);
        for (n, (line, back)) in self.lines.iter_mut().zip(&mut self.back).enumerate() {
            let sample = line.delayed(self.at, input[n % 2] + *back);
            output[n % 2] += sample;
            *back = line.damped(&self.corners, sample) * self.norm;
        }
        self.at = (self.at + 1) % RING;
        output.map(|sample| sample * LEVEL)
    }
}

impl Line {
    fn new(frames: usize, rate_hz: f64) -> Line {
        let mut weights = weights(frames, rate_hz);
        weights.reverse();
        // The way back takes one frame.
        let delay = (frames - 1).min(LONGEST);
        Line { ring: vec![0.0; RING], delay, splits: Default::default(), weights }
    }

    fn delayed(&mut self, at: usize, sample: f32) -> f32 {
        self.ring[at % RING] = sample;
        self.ring[(at + RING - self.delay) % RING]
    }

    /// Each band weighted for its decay, all of them together.
    fn damped(&mut self, corners: &[Corner; BANDS - 1], sample: f32) -> f32 {
        let (mut rest, mut sum) = (sample, 0.0);
        for (n, split) in self.splits.iter_mut().enumerate() {
            let corner = &corners[n];
            let mut band = third(&corner.high, &mut split.high, rest);
            for (below, state) in corners[n + 1..].iter().zip(&mut split.levels) {
                band = below.level.step(state, band);
            }
            sum += band * self.weights[n];
            rest = third(&corner.low, &mut split.low, rest);
        }
        sum + rest * self.weights[BANDS - 1]
    }
}

impl Corner {
    /// At tan(π·f/fs), `w`; s becomes (1 - z⁻¹) / (w·(1 + z⁻¹)).
    fn new(w: f64) -> Corner {
        let (first, second) = (1.0 + w, 1.0 + w + w * w);
        let (a1, a2) = (2.0 * (w * w - 1.0) / second, (1.0 - w + w * w) / second);
        let order_1 = |b0: f64, b1: f64| First {
            b: [b0, b1].map(|b| (b / first) as f32),
            a: ((w - 1.0) / first) as f32,
        };
        let order_2 = |b: [f64; 3]| Second { b: b.map(|b| b as f32), a: [a1 as f32, a2 as f32] };
        let over = |b: [f64; 3]| order_2(b.map(|b| b / second));
        Corner {
            high: (order_1(1.0, -1.0), over([1.0, -2.0, 1.0])),
            low: (order_1(w, w), over([w * w, 2.0 * w * w, w * w])),
            level: order_2([a2, a1, 1.0]),
        }
    }
}

/// Order 3.
#[inline(always)]
fn third(filters: &(First, Second), state: &mut [[f32; 2]; 2], sample: f32) -> f32 {
    let [first, second] = state;
    filters.1.step(second, filters.0.step(first, sample))
}

impl First {
    #[inline(always)]
    fn step(&self, state: &mut [f32; 2], x: f32) -> f32 {
        let y = self.b[0] * x + self.b[1] * state[0] - self.a * state[1];
        *state = [x, y];
        y
    }
}

impl Second {
    #[inline(always)]
    fn step(&self, state: &mut [f32; 2], x: f32) -> f32 {
        let [near, far] = *state;
        let now = x - self.a[0] * near - self.a[1] * far;
        *state = [now, near];
        self.b[0] * now + self.b[1] * near + self.b[2] * far
    }
}

/// Frames of line `n`: the power of its prime that is nearest, in proportion, to a length between
/// the two ways.
fn length(n: usize, lines: usize, rate_hz: f64) -> usize {
    let share = n as f64 / (lines - 1) as f64;
    let metres = WAY_M.0 * libm::pow(WAY_M.1 / WAY_M.0, share);
    let prime = PRIMES[n];
    let power = libm::round(libm::log(metres / SOUND_M_S * rate_hz) / libm::log(prime as f64));
    prime.pow(power as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 46 m are 6,437 frames, 63 m 8,816.
    #[test]
    fn a_line_is_as_long_as_a_power_of_its_prime() {
        let found: Vec<usize> = (0..8).map(|n| length(n, 8, 48_000.0)).collect();
        assert_eq!(found, [8_192, 6_561, 15_625, 16_807, 14_641, 28_561, 4_913, 6_859]);
    }
}
