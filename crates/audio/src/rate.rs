//! [`AtRate`]: a sound at another rate, as it comes in.
//!
//! Each frame is a sum of its neighbours, weighted by a sinc under a Hann window, which is
//! also what keeps out frequencies that the lower rate does not have. Between usual rates the
//! weights repeat, and are kept. Offline: it allocates.

use std::f64::consts::PI;

/// Kernels that are kept: between usual rates there are no more.
const PHASES: u64 = 1_024;
/// Crossings of zero of the kernel on each side.
const WIDTH: f64 = 16.0;

/// Brings frames from one rate to another.
#[derive(Clone, Debug)]
pub struct AtRate {
    from_hz: u64,
    to_hz: u64,
    cut: f64,
    reach: u64,
    phases: u64, // after so many frames the weights begin again
    weights: Vec<Vec<f64>>,
    window: Vec<[f32; 2]>, // frames that came in, from `first` on
    first: u64,            // counted from `reach` frames before the beginning
    next: u64,             // the next frame that goes out
    taken: u64,
}

impl AtRate {
    /// From one rate to another, in frames a second.
    pub fn new(from_hz: u32, to_hz: u32) -> AtRate {
        let (from_hz, to_hz) = (u64::from(from_hz.max(1)), u64::from(to_hz.max(1)));
        let cut = (to_hz as f64 / from_hz as f64).min(1.0);
        let reach = (WIDTH / cut).ceil() as u64;
        let phases = to_hz / common(from_hz, to_hz);
        let window = vec![[0.0; 2]; reach as usize];
        let (weights, first, next, taken) = (Vec::new(), 0, 0, 0);
        let mut new =
            AtRate { from_hz, to_hz, cut, reach, phases, weights, window, first, next, taken };
        if phases <= PHASES && from_hz != to_hz {
            new.weights = (0..phases).map(|k| new.weights_of(k)).collect();
        }
        new
    }

    /// How many frames so many become.
    pub fn frames(&self, came: u64) -> u64 {
        let frames = (u128::from(came) * u128::from(self.to_hz)).div_ceil(self.from_hz.into());
        u64::try_from(frames).unwrap_or(u64::MAX)
    }

    /// Takes frames, and adds to `out` those that can be worked out.
    pub fn push(&mut self, frames: &[[f32; 2]], out: &mut Vec<[f32; 2]>) {
        self.taken += frames.len() as u64;
        if self.from_hz == self.to_hz {
            return out.extend_from_slice(frames);
        }
        self.window.extend_from_slice(frames);
        self.work(u64::MAX, out);
    }

    /// The last frames, after which there is silence.
    pub fn finish(mut self, out: &mut Vec<[f32; 2]>) {
        if self.from_hz != self.to_hz {
            let silence = 2 * self.reach as usize + 2;
            self.window.resize(self.window.len() + silence, [0.0; 2]);
            self.work(self.frames(self.taken), out);
        }
    }

    /// Works out frames before `end`, as far as what they need has come in.
    fn work(&mut self, end: u64, out: &mut Vec<[f32; 2]>) {
        let needed = 2 * self.reach as usize + 2;
        while self.next < end {
            // In whole numbers, so that no error adds up.
            let from = (self.next * self.from_hz / self.to_hz - self.first) as usize;
            let Some(near) = self.window.get(from..from + needed) else { break };
            let own = self.weights.is_empty().then(|| self.weights_of(self.next));
            let kept = (self.next % self.phases) as usize;
            out.push(sum(near, own.as_ref().unwrap_or_else(|| &self.weights[kept])));
            self.next += 1;
        }
        let from = (self.next * self.from_hz / self.to_hz).max(self.first) - self.first;
        let done = (from as usize).min(self.window.len());
        self.window.drain(..done);
        self.first += done as u64;
    }

    /// The weights of the neighbours of frame `k`.
    fn weights_of(&self, k: u64) -> Vec<f64> {
        let at = (k * self.from_hz % self.to_hz) as f64 / self.to_hz as f64;
        let weight = |i: u64| kernel((i as f64 - self.reach as f64 - at) * self.cut) * self.cut;
        (0..=2 * self.reach + 1).map(weight).collect()
    }
}

fn sum(frames: &[[f32; 2]], weights: &[f64]) -> [f32; 2] {
    let mut sum = [0.0_f64; 2];
    for (frame, weight) in frames.iter().zip(weights) {
        sum[0] += weight * f64::from(frame[0]);
        sum[1] += weight * f64::from(frame[1]);
    }
    sum.map(|sample| sample as f32)
}

/// The greatest common divisor.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}

/// A sinc under a Hann window; 1 at 0, 0 from `WIDTH` on.
fn kernel(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    if x.abs() >= WIDTH {
        return 0.0;
    }
    libm::sin(PI * x) / (PI * x) * (0.5 + 0.5 * libm::cos(PI * x / WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signal of so many frames at another rate, taken in pieces of this length.
    fn changed(rates: (u32, u32), frames: &[[f32; 2]], pieces: usize) -> Vec<[f32; 2]> {
        let (mut rate, mut out) = (AtRate::new(rates.0, rates.1), Vec::new());
        let expected = rate.frames(frames.len() as u64);
        frames.chunks(pieces).for_each(|piece| rate.push(piece, &mut out));
        rate.finish(&mut out);
        assert_eq!(out.len() as u64, expected);
        out
    }

    #[test]
    fn it_does_not_matter_in_which_pieces_a_sound_comes() {
        let sound: Vec<_> = (0..3_000).map(|i| [(i as f32 * 0.01).sin(), i as f32 / 3e3]).collect();
        for rates in [(44_100, 48_000), (48_000, 44_100), (48_000, 8_000), (44_101, 48_000), (5, 5)]
        {
            let whole = changed(rates, &sound, 3_000);
            assert_eq!(changed(rates, &sound, 1), whole, "{rates:?}");
            assert_eq!(changed(rates, &sound, 997), whole, "{rates:?}");
        }
    }

    #[test]
    fn an_hour_keeps_its_length_to_the_frame() {
        assert_eq!(AtRate::new(44_100, 48_000).frames(44_100 * 3_600), 48_000 * 3_600);
        assert_eq!(AtRate::new(44_100, 48_000).frames(u64::from(u32::MAX)), 4_674_794_335);
    }
}
