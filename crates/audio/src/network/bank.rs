//! [`Bank`]: splits every line into five bands, weights each, and sums them.
//!
//! At each crossover, from the top, a Butterworth high-pass of order 3 takes a band off
//! and a low-pass passes the rest on. The two sum to an all-pass of order 2, since
//! (1 + s³) / ((1 + s)(1 + s + s²)) = (1 - s + s²) / (1 + s + s²); the bands above pass
//! through that all-pass for every crossover below them, so that all five sum flat.
//! Filters are made by the bilinear transform with the corner pre-warped (Oppenheim &
//! Schafer, Discrete-Time Signal Processing, chapter 7), in transposed direct form 2;
//! the factors of their numerators are taken out and applied once.
//!
//! A block of frames goes through one filter after the other, four lines at a time:
//! then the state of a filter stays in vector registers for the whole block, and the
//! next frame does not wait for the last one's way through all of them.

use std::f64::consts::PI;

pub const BANDS: usize = 5;
/// The greatest number of frames that go through at once.
pub(super) const BLOCK: usize = 16;
/// Lines in one vector: what every 64-bit processor's vectors hold.
const LANES: usize = 4;
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
    corner: Corner,
    high: Third<N>,
    low: Third<N>,
    /// For each band taken off above.
    level: [Second<N>; BANDS - 2],
}

/// The coefficients that all filters of one crossover share.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// Of the pole of order 1.
    a: f32,
    /// Of the poles of order 2.
    a1: f32,
    a2: f32,
    /// What the low-pass's numerator (1 + z⁻¹)³ is multiplied by.
    low: f32,
    /// What the high-pass's numerator (1 - z⁻¹)³ is multiplied by.
    high: f32,
}

/// The state of a section of order 1 and one of order 2 behind it.
#[derive(Clone, Debug)]
struct Third<const N: usize> {
    first: [f32; N],
    second: Second<N>,
}

/// The state of a section of order 2.
#[derive(Clone, Debug)]
struct Second<const N: usize> {
    near: [f32; N],
    far: [f32; N],
}

impl<const N: usize> Bank<N> {
    /// With the weights of each line, from its lowest band.
    pub(super) fn new(rate_hz: f64, weights: &[[f32; BANDS]; N]) -> Bank<N> {
        const { assert!(N.is_multiple_of(LANES), "lines are computed four at a time") };
        let splits: [Split<N>; BANDS - 1] =
            CROSSOVERS_HZ.map(|hz| Split::new(Corner::new(libm::tan(PI * hz / rate_hz))));
        // The lowest band has no high-pass whose factor could be applied with its weight.
        let factor = |band: usize| splits.get(band).map_or(1.0, |split| split.corner.high);
        let weights = std::array::from_fn(|band| {
            std::array::from_fn(|line| weights[line][BANDS - 1 - band] * factor(band))
        });
        Bank { splits, weights }
    }

    pub(super) fn reset(&mut self) {
        self.splits.iter_mut().for_each(|split| *split = Split::new(split.corner));
    }

    /// Up to [`BLOCK`] frames of every line, in place.
    pub(super) fn process(&mut self, block: &mut [[f32; N]]) {
        let frames = block.len();
        let mut bands = [[[0.0; N]; BLOCK]; BANDS - 1];
        for (n, split) in self.splits.iter_mut().enumerate() {
            let (above, below) = bands.split_at_mut(n);
            for (level, band) in split.level.iter_mut().zip(above) {
                level.level(split.corner, &mut band[..frames]);
            }
            split.part(block, &mut below[0][..frames]);
        }
        self.sum(block, &bands);
    }

    /// The bands together; the lowest is what `block` holds.
    fn sum(&self, block: &mut [[f32; N]], bands: &[[[f32; N]; BLOCK]; BANDS - 1]) {
        for (n, lines) in block.iter_mut().enumerate() {
            for (line, sample) in lines.iter_mut().enumerate() {
                let highs = bands.iter().zip(&self.weights);
                let high: f32 = highs.map(|(band, weights)| band[n][line] * weights[line]).sum();
                *sample = *sample * self.weights[BANDS - 1][line] + high;
            }
        }
    }
}

impl Corner {
    /// At tan(π·f/fs), `w`; s becomes (1 - z⁻¹) / (w·(1 + z⁻¹)).
    fn new(w: f64) -> Corner {
        let (first, second) = (1.0 + w, 1.0 + w + w * w);
        Corner {
            a: ((w - 1.0) / first) as f32,
            a1: (2.0 * (w * w - 1.0) / second) as f32,
            a2: ((1.0 - w + w * w) / second) as f32,
            low: (w * w * w / (first * second)) as f32,
            high: (1.0 / (first * second)) as f32,
        }
    }
}

impl<const N: usize> Split<N> {
    fn new(corner: Corner) -> Split<N> {
        Split {
            corner,
            high: Third::new(),
            low: Third::new(),
            level: std::array::from_fn(|_| Second::new()),
        }
    }

    /// Takes the high band, but for its factor, and leaves the low one.
    fn part(&mut self, block: &mut [[f32; N]], band: &mut [[f32; N]]) {
        for at in (0..N).step_by(LANES) {
            let (mut high, mut low) = (self.high.lanes(at), self.low.lanes(at));
            for (rest, band) in block.iter_mut().zip(band.iter_mut()) {
                let input = lanes(rest, at);
                put(band, at, high.step(self.corner, input, -1.0));
                put(rest, at, low.step(self.corner, input.map(|x| x * self.corner.low), 1.0));
            }
            self.high.put(at, &high);
            self.low.put(at, &low);
        }
    }
}

impl<const N: usize> Third<N> {
    fn new() -> Third<N> {
        Third { first: [0.0; N], second: Second::new() }
    }

    fn lanes(&self, at: usize) -> Third<LANES> {
        Third { first: lanes(&self.first, at), second: self.second.lanes(at) }
    }

    fn put(&mut self, at: usize, state: &Third<LANES>) {
        put(&mut self.first, at, state.first);
        self.second.put(at, &state.second);
    }

    /// One frame through a numerator of (1 + sign·z⁻¹)³.
    #[inline(always)]
    fn step(&mut self, corner: Corner, input: [f32; N], sign: f32) -> [f32; N] {
        let mut output = [0.0; N];
        for n in 0..N {
            let (x, y) = (input[n], input[n] + self.first[n]);
            self.first[n] = sign * x - corner.a * y;
            let out = y + self.second.near[n];
            self.second.near[n] = (sign * (y + y) + self.second.far[n]) - corner.a1 * out;
            self.second.far[n] = y - corner.a2 * out;
            output[n] = out;
        }
        output
    }
}

impl<const N: usize> Second<N> {
    fn new() -> Second<N> {
        Second { near: [0.0; N], far: [0.0; N] }
    }

    fn lanes(&self, at: usize) -> Second<LANES> {
        Second { near: lanes(&self.near, at), far: lanes(&self.far, at) }
    }

    fn put(&mut self, at: usize, state: &Second<LANES>) {
        put(&mut self.near, at, state.near);
        put(&mut self.far, at, state.far);
    }

    /// The all-pass of a crossover, on a band from above it.
    fn level(&mut self, corner: Corner, band: &mut [[f32; N]]) {
        let Corner { a1, a2, .. } = corner;
        let Second { near, far } = self;
        for lines in band {
            for n in 0..N {
                let x = lines[n];
                let y = a2 * x + near[n];
                near[n] = (a1 * x + far[n]) - a1 * y;
                far[n] = x - a2 * y;
                lines[n] = y;
            }
        }
    }
}

#[inline(always)]
fn lanes<const N: usize>(lines: &[f32; N], at: usize) -> [f32; LANES] {
    std::array::from_fn(|n| lines[at + n])
}

#[inline(always)]
fn put<const N: usize>(lines: &mut [f32; N], at: usize, lanes: [f32; LANES]) {
    lines[at..at + LANES].copy_from_slice(&lanes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_equal_weight_sum_to_an_all_pass() {
        let mut bank = Bank::<4>::new(48_000.0, &[[1.0; BANDS]; 4]);
        let mut energy = 0.0;
        for n in 0..20_000 {
            let impulse = if n == 0 { 1.0 } else { 0.0 };
            let mut block = [[impulse, 0.0, 0.0, 0.0]];
            bank.process(&mut block);
            energy += f64::from(block[0][0]).powi(2);
            assert_eq!(block[0][1..], [0.0; 3]);
        }
        assert!((energy - 1.0).abs() < 1e-4, "{energy}");
    }
}
