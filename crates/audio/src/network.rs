//! [`Network`]: a feedback delay network, the workload of the DSP tests; [`Designer`], the
//! study's own, which costs six times as much.
//!
//! Background: Vignati et al. (2022) loaded their audio system with instances of a
//! reverberator, Faust's `reverbDesigner` with 8 or 16 delay lines, 5 bands and filters
//! of order 3. Its cost for a frame does not depend on the signal.
//! Solution: the same structure, written anew. Two inputs are spread over N delay lines;
//! what leaves a line is split into five bands, each weighted for its decay time; the
//! lines are mixed by a Hadamard matrix over √N and fed back; their sum is the output.
//! Why it works: the bands sum to an all-pass and the matrix is orthogonal, so that with
//! weights of 1 the loop neither gains nor loses; a weight of 10^(-3·L/(T60·fs)) in a line
//! of L frames lets a band decay by 60 dB in T60 (Jot & Chaigne 1991).
//! Example: at 48 kHz a line of 6,449 frames passes 8.4 s of decay by 0.895.
//!
//! Every array is as wide as the network has lines, so that a compiler makes vector
//! instructions of it. Real-time contract of [`Network::process`]: the audio thread; no
//! allocation, lock or system call; the same work for every frame. Denormal numbers are
//! not dealt with here: a thread that computes sound flushes them to zero itself.

mod bank;
mod designer;
mod lengths;

pub use bank::{BANDS, CROSSOVERS_HZ};
pub use designer::Designer;
pub use lengths::lengths;

use bank::{BLOCK, Bank};

/// Eight lines: the study's light plugin.
pub type Light = Network<8>;
/// Sixteen lines: the study's heavy plugin.
pub type Heavy = Network<16>;

/// Time in seconds in which each band decays by 60 dB, from the lowest.
pub const DECAY_S: [f64; BANDS] = [8.4, 6.5, 5.0, 3.8, 2.7];
/// Level of the output, -40 dB.
const LEVEL: f32 = 0.01;

/// A network of `N` delay lines, a power of two.
#[derive(Clone, Debug)]
pub struct Network<const N: usize> {
    lines: Vec<Line>,
    bank: Bank<N>,
    norm: f32,
}

/// A delay line: a ring as long as its delay.
#[derive(Clone, Debug)]
struct Line {
    ring: Vec<f32>,
    at: usize,
}

impl<const N: usize> Network<N> {
    /// For sound of this rate, silent. Allocates all that it will ever need.
    pub fn new(rate_hz: f64) -> Network<N> {
        const { assert!(N.is_power_of_two() && N >= 2, "the lines are mixed in pairs") };
        let lengths = lengths::<N>(rate_hz);
        Network {
            lines: lengths.iter().map(|frames| Line::new(*frames)).collect(),
            bank: Bank::new(rate_hz, &lengths.map(|frames| weights(frames, rate_hz))),
            norm: 1.0 / (N as f32).sqrt(),
        }
    }

    /// Silence again, as after [`Network::new`].
    pub fn reset(&mut self) {
        self.lines.iter_mut().for_each(|line| line.ring.fill(0.0));
        self.bank.reset();
    }

    /// Two channels, in place. Both have the same length.
    pub fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.chunks_mut(BLOCK).zip(right.chunks_mut(BLOCK)) {
            self.block(left, right);
        }
    }

    /// Up to [`BLOCK`] frames, which is less than the delay of any line.
    fn block(&mut self, left: &mut [f32], right: &mut [f32]) {
        let mut block = [[0.0; N]; BLOCK];
        let block = &mut block[..left.len()];
        for (n, line) in self.lines.iter().enumerate() {
            line.read(block.iter_mut().map(|frame| &mut frame[n]));
        }
        self.bank.process(block);
        for (frame, (left, right)) in block.iter_mut().zip(left.iter_mut().zip(right)) {
            mix(frame);
            [*left, *right] = self.feed(frame, [*left, *right]);
        }
        for (n, line) in self.lines.iter_mut().enumerate() {
            line.write(block.iter().map(|frame| frame[n]));
        }
    }

    /// What goes into the lines next, in place of what came out of them; gives their sum.
    fn feed(&self, frame: &mut [f32; N], input: [f32; 2]) -> [f32; 2] {
        let mut output = [0.0; 2];
        for (n, lane) in frame.iter_mut().enumerate() {
            *lane = input[n % 2] + *lane * self.norm;
            output[n % 2] += *lane;
        }
        output.map(|sample| sample * LEVEL)
    }
}

impl Line {
    /// Silent. A rate at which a block outlasts a line is none for sound; the line is
    /// made longer then.
    fn new(frames: usize) -> Line {
        Line { ring: vec![0.0; frames.max(BLOCK)], at: 0 }
    }

    /// What went in a whole delay ago.
    fn read<'a>(&self, frames: impl Iterator<Item = &'a mut f32>) {
        let (behind, ahead) = self.ring.split_at(self.at);
        for (frame, sample) in frames.zip(ahead.iter().chain(behind)) {
            *frame = *sample;
        }
    }

    fn write(&mut self, frames: impl Iterator<Item = f32>) {
        for frame in frames {
            self.ring[self.at] = frame;
            self.at += 1;
            if self.at == self.ring.len() {
                self.at = 0;
            }
        }
    }
}

/// What a line passes of each band each time round.
fn weights(frames: usize, rate_hz: f64) -> [f32; BANDS] {
    DECAY_S.map(|t60| libm::pow(10.0, -3.0 * frames as f64 / (t60 * rate_hz)) as f32)
}

/// Hadamard's matrix times the lanes: log2 N rounds of sums and differences.
fn mix<const N: usize>(lanes: &mut [f32; N]) {
    let mut half = 1;
    while half < N {
        for pair in lanes.chunks_exact_mut(2 * half) {
            let (sums, differences) = pair.split_at_mut(half);
            for (a, b) in sums.iter_mut().zip(differences) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_keeps_the_energy() {
        let mut lanes: [f32; 8] = [1.0, -2.0, 3.5, 0.0, 0.25, 7.0, -1.0, 2.0];
        let before: f32 = lanes.iter().map(|x| x * x).sum();
        mix(&mut lanes);
        let after: f32 = lanes.iter().map(|x| x * x / 8.0).sum();
        assert!((before / after - 1.0).abs() < 1e-6);
    }
}
