//! [`Bank`]: splits every line into five bands, weights each, and sums them.
//!
//! At each crossover, from the top, a Butterworth high-pass of order 3 takes a band off
//! and a low-pass passes the rest on. The two sum to an all-pass of order 2, since
//! (1 + s³) / ((1 + s)(1 + s + s²)) = (1 - s + s²) / (1 + s + s²); the bands above pass
//! through that all-pass for every crossover below them, so that all five sum flat.
//! Filters are made by the bilinear transform with the corner pre-warped (Oppenheim &
//! Schafer, Discrete-Time Signal Processing, chapter 7), in transposed direct form 2.

use std::f64::consts::PI;

/// Bands.
pub const BANDS: usize = 5;
/// Where they part, from the top.
pub const CROSSOVERS_HZ: [f64; BANDS - 1] = [4_000.0, 2_000.0, 1_000.0, 500.0];

/// The filter bank of `N` lines at once.
#[derive(Clone, Debug)]
pub(super) struct Bank<const N: usize> {
    splits: [Split<N>; BANDS - 1],
    weights: [[f32; N]; BANDS], // from the highest band
}

/// What happens at one crossover.
#[derive(Clone, Debug)]
struct Split<const N: usize> {
    high: (First<N>, Second<N>),
    low: (First<N>, Second<N>),
    /// For each band taken off above.
    level: [Second<N>; BANDS - 2],
}

impl<const N: usize> Bank<N> {
    /// With the weights of each line, from its lowest band.
    pub(super) fn new(rate_hz: f64, weights: &[[f32; BANDS]; N]) -> Bank<N> {
        Bank {
            splits: CROSSOVERS_HZ.map(|hz| Split::new((PI * hz / rate_hz).tan())),
            weights: std::array::from_fn(|band| {
                std::array::from_fn(|line| weights[line][BANDS - 1 - band])
            }),
        }
    }

    pub(super) fn reset(&mut self) {
        self.splits.iter_mut().for_each(Split::reset);
    }

    /// One frame of every line.
    #[inline]
    pub(super) fn process(&mut self, input: [f32; N]) -> [f32; N] {
        let mut rest = input;
        let mut bands = [[0.0; N]; BANDS];
        for (n, split) in self.splits.iter_mut().enumerate() {
            for (level, band) in split.level.iter_mut().zip(&mut bands[..n]) {
                *band = level.process(*band);
            }
            bands[n] = split.high.1.process(split.high.0.process(rest));
            rest = split.low.1.process(split.low.0.process(rest));
        }
        bands[BANDS - 1] = rest;
        let mut sum = [0.0; N];
        for (band, weights) in bands.iter().zip(&self.weights) {
            for ((sum, sample), weight) in sum.iter_mut().zip(band).zip(weights) {
                *sum += sample * weight;
            }
        }
        sum
    }
}

impl<const N: usize> Split<N> {
    /// At a corner given as tan(π·f/fs), `w`; s becomes (1 - z⁻¹) / (w·(1 + z⁻¹)).
    fn new(w: f64) -> Split<N> {
        let first = 1.0 + w;
        let second = 1.0 + w + w * w;
        let pole = (w - 1.0) / first;
        let (a1, a2) = (2.0 * (w * w - 1.0) / second, (1.0 - w + w * w) / second);
        Split {
            high: (
                First::new([1.0 / first, -1.0 / first], pole),
                Second::new([1.0 / second, -2.0 / second, 1.0 / second], [a1, a2]),
            ),
            low: (
                First::new([w / first, w / first], pole),
                Second::new([1.0, 2.0, 1.0].map(|b| b * w * w / second), [a1, a2]),
            ),
            level: std::array::from_fn(|_| Second::new([a2, a1, 1.0], [a1, a2])),
        }
    }

    fn reset(&mut self) {
        let Split { high, low, level } = self;
        for first in [&mut high.0, &mut low.0] {
            first.state = [0.0; N];
        }
        for second in [&mut high.1, &mut low.1].into_iter().chain(level) {
            second.state = [[0.0; N]; 2];
        }
    }
}

/// A filter of order 1, the same for all lines.
#[derive(Clone, Debug)]
struct First<const N: usize> {
    b: [f32; 2],
    a: f32,
    state: [f32; N],
}

impl<const N: usize> First<N> {
    fn new(b: [f64; 2], a: f64) -> First<N> {
        First { b: b.map(|b| b as f32), a: a as f32, state: [0.0; N] }
    }

    #[inline]
    fn process(&mut self, input: [f32; N]) -> [f32; N] {
        let ([b0, b1], a) = (self.b, self.a);
        let mut output = [0.0; N];
        for n in 0..N {
            output[n] = b0 * input[n] + self.state[n];
            self.state[n] = b1 * input[n] - a * output[n];
        }
        output
    }
}

/// A filter of order 2, the same for all lines.
#[derive(Clone, Debug)]
struct Second<const N: usize> {
    b: [f32; 3],
    a: [f32; 2],
    state: [[f32; N]; 2],
}

impl<const N: usize> Second<N> {
    fn new(b: [f64; 3], a: [f64; 2]) -> Second<N> {
        Second { b: b.map(|b| b as f32), a: a.map(|a| a as f32), state: [[0.0; N]; 2] }
    }

    #[inline]
    fn process(&mut self, input: [f32; N]) -> [f32; N] {
        let ([b0, b1, b2], [a1, a2]) = (self.b, self.a);
        let [near, far] = &mut self.state;
        let mut output = [0.0; N];
        for n in 0..N {
            output[n] = b0 * input[n] + near[n];
            near[n] = b1 * input[n] - a1 * output[n] + far[n];
            far[n] = b2 * input[n] - a2 * output[n];
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_equal_weight_sum_to_an_all_pass() {
        let mut bank = Bank::<2>::new(48_000.0, &[[1.0; BANDS]; 2]);
        let mut energy = 0.0;
        for n in 0..20_000 {
            let impulse = if n == 0 { 1.0 } else { 0.0 };
            let [out, silent] = bank.process([impulse, 0.0]);
            energy += f64::from(out) * f64::from(out);
            assert_eq!(silent, 0.0);
        }
        assert!((energy - 1.0).abs() < 1e-4, "{energy}");
    }
}
