//! [`Block`]: what is kept of a stretch of input, and [`Fit`]: the tones in it.
//!
//! The input is modelled as Σ aᵢ·cos + bᵢ·sin plus noise. Least squares needs the sums
//! of input times each cosine and sine, which a block holds and which blocks simply
//! add, and the sums of the products of the tones with each other, which are geometric
//! series and need no input. See Kay, Fundamentals of Statistical Signal Processing
//! (1993), chapter 4 on the linear model and chapter 3 on the bound of a phase.

use super::is_clipped;
use super::tones::{CYCLE, INCREMENTS, Oscillators, TONES};
use std::f64::consts::TAU;

/// Unknowns: a cosine and a sine for each tone.
const N: usize = 2 * TONES;

/// Sums over a stretch of input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    frames: usize,
    power: f64,
    clipped: u64,
    products: [f64; N], // with the cosines, then with the sines
}

impl Block {
    pub(super) const fn new() -> Block {
        Block { frames: 0, power: 0.0, clipped: 0, products: [0.0; N] }
    }

    /// Adds one frame.
    pub(super) fn add(&mut self, sample: f32, reference: &Oscillators) {
        let x = f64::from(sample);
        self.frames += 1;
        self.power += x * x;
        self.clipped += u64::from(is_clipped(sample));
        let (cosines, sines) = self.products.split_at_mut(TONES);
        for (sum, cosine) in cosines.iter_mut().zip(&reference.cosines) {
            *sum += x * cosine;
        }
        for (sum, sine) in sines.iter_mut().zip(&reference.sines) {
            *sum += x * sine;
        }
    }

    /// Adds the stretch that follows.
    pub(super) fn join(&mut self, next: &Block) {
        self.frames += next.frames;
        self.power += next.power;
        self.clipped += next.clipped;
        for (sum, more) in self.products.iter_mut().zip(&next.products) {
            *sum += more;
        }
    }

    pub(super) const fn frames(&self) -> usize {
        self.frames
    }

    pub(super) const fn clipped(&self) -> u64 {
        self.clipped
    }
}

/// The tones that a stretch of input holds.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    weights: [f64; N],
    noise: f64,
    frames: usize,
}

impl Fit {
    /// Of a stretch that begins at this frame.
    pub(super) fn of(block: &Block, first: u64) -> Fit {
        let weights = solve(&gram(first, block.frames), &block.products);
        let explained: f64 = weights.iter().zip(&block.products).map(|(w, p)| w * p).sum();
        let free = block.frames.saturating_sub(N).max(1) as f64;
        let noise = ((block.power - explained).max(0.0) / free).sqrt();
        Fit { weights, noise, frames: block.frames }
    }

    pub(super) fn amplitude(&self, tone: usize) -> f64 {
        libm::hypot(self.weights[tone], self.weights[TONES + tone])
    }

    /// How far each tone lags behind what was sent (a sine), in cycles.
    pub(super) fn phases(&self) -> [f64; TONES] {
        std::array::from_fn(|tone| {
            let (a, b) = (self.weights[tone], self.weights[TONES + tone]);
            libm::atan2(-a, b) / TAU // sin(x - θ) = cos θ sin x - sin θ cos x
        })
    }

    /// Root mean square of what the tones do not explain.
    pub(super) const fn noise(&self) -> f64 {
        self.noise
    }

    /// Standard deviation of a tone's phase in cycles: √(2/n)·σ/A radians, the
    /// Cramér-Rao bound of a phase in white noise.
    pub(super) fn sd_of_phase(&self, tone: usize) -> f64 {
        (2.0 / self.frames as f64).sqrt() * self.noise / self.amplitude(tone) / TAU
    }
}

/// Sums of the products of the tones over so many frames from `first` on.
fn gram(first: u64, frames: usize) -> [[f64; N]; N] {
    let mut all = [[0.0; N]; N];
    for i in 0..TONES {
        for j in 0..TONES {
            let minus = wave(INCREMENTS[i].wrapping_sub(INCREMENTS[j]), first, frames);
            let plus = wave(INCREMENTS[i] + INCREMENTS[j], first, frames);
            all[i][j] = (minus.0 + plus.0) / 2.0; // cos·cos
            all[TONES + i][TONES + j] = (minus.0 - plus.0) / 2.0; // sin·sin
            all[TONES + i][j] = (plus.1 + minus.1) / 2.0; // sin·cos
            all[j][TONES + i] = all[TONES + i][j];
        }
    }
    all
}

/// Σ cos and Σ sin of a tone over so many frames from `first` on: the sum of a geometric
/// series, sin(n·w/2)/sin(w/2) at the phase of the middle.
fn wave(increment: u32, first: u64, frames: usize) -> (f64, f64) {
    let increment = u64::from(increment % CYCLE);
    if increment == 0 {
        return (frames as f64, 0.0);
    }
    let half_cycles = u64::from(2 * CYCLE); // of half-phases, so that the middle is exact
    let middle = (2 * first + frames as u64 - 1) % half_cycles * increment % half_cycles;
    let length = |twice: u64| TAU * (twice % half_cycles) as f64 / half_cycles as f64;
    let ratio = libm::sin(length(increment * frames as u64)) / libm::sin(length(increment));
    let phase = length(middle);
    (ratio * libm::cos(phase), ratio * libm::sin(phase))
}

/// Solves the normal equations by Cholesky's decomposition; a window of a few
/// milliseconds already holds the tones apart, so the matrix is positive definite.
fn solve(matrix: &[[f64; N]; N], right: &[f64; N]) -> [f64; N] {
    let lower = cholesky(matrix);
    let mut x = *right;
    for i in 0..N {
        let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i][i];
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|k| lower[k][i] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i][i];
    }
    x
}

fn cholesky(matrix: &[[f64; N]; N]) -> [[f64; N]; N] {
    let mut lower = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            lower[i][j] = if i == j {
                (matrix[i][i] - known).max(f64::MIN_POSITIVE).sqrt()
            } else {
                (matrix[i][j] - known) / lower[j][j]
            };
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_are_those_summed_term_by_term() {
        for (increment, first, frames) in [(4096, 0, 100), (1175, 70_001, 999), (65_535, 3, 7)] {
            let angle = |n: u64| TAU * ((n * u64::from(increment)) % 65_536) as f64 / 65_536.0;
            let frames_of = || first..first + frames as u64;
            let summed: (f64, f64) = (
                frames_of().map(|n| angle(n).cos()).sum(),
                frames_of().map(|n| angle(n).sin()).sum(),
            );
            let found = wave(increment, first, frames);
            assert!((found.0 - summed.0).abs() < 1e-8 && (found.1 - summed.1).abs() < 1e-8);
        }
    }
}
