//! The thirteen tones, and their oscillators.

use std::f64::consts::TAU;

/// How many tones.
pub const TONES: usize = 13;
/// Frames after which all tones begin again together.
pub(super) const CYCLE: u32 = 65_536;

/// Phase per frame in 65,536ths of a cycle. The first is 2^12; the i-th has exactly 12-i
/// trailing zero bits. Chosen between 860 and 4,500 Hz at 48 kHz, at least 170 Hz apart,
/// none a multiple of mains hum's first harmonics.
pub const INCREMENTS: [u32; TONES] =
    [4096, 6144, 5120, 3584, 2816, 1920, 4416, 2336, 5424, 3272, 1484, 5794, 1175];

/// Amplitudes, full scale being 1: the main tone must be timed finely, the others only
/// to a quarter of a cycle. Together they stay below 0.4.
pub(super) const AMPLITUDES: [f64; TONES] = {
    let mut all = [0.015; TONES];
    all[0] = 0.2;
    all
};

/// Cosine and sine of every tone at one frame.
#[derive(Clone, Debug)]
pub(super) struct Oscillators {
    frame: u32, // of the cycle
    pub(super) cosines: [f64; TONES],
    pub(super) sines: [f64; TONES],
    turns: [(f64, f64); TONES],
}

impl Oscillators {
    /// At frame 0.
    pub(super) fn new() -> Oscillators {
        let turns = INCREMENTS.map(|p| {
            let angle = TAU * f64::from(p) / f64::from(CYCLE);
            (libm::cos(angle), libm::sin(angle))
        });
        Oscillators { frame: 0, cosines: [1.0; TONES], sines: [0.0; TONES], turns }
    }

    /// Goes on by a frame. Rounding cannot build up: every cycle begins anew.
    pub(super) fn step(&mut self) {
        self.frame = (self.frame + 1) % CYCLE;
        if self.frame == 0 {
            (self.cosines, self.sines) = ([1.0; TONES], [0.0; TONES]);
            return;
        }
        for ((cosine, sine), (c, s)) in
            self.cosines.iter_mut().zip(&mut self.sines).zip(&self.turns)
        {
            (*cosine, *sine) = (*cosine * c - *sine * s, *cosine * s + *sine * c);
        }
    }
}

/// The signal that goes out: the sum of the sines.
#[derive(Clone, Debug)]
pub struct SineSum {
    oscillators: Oscillators,
}

impl Default for SineSum {
    fn default() -> SineSum {
        SineSum::new()
    }
}

impl SineSum {
    /// At its first frame.
    pub fn new() -> SineSum {
        SineSum { oscillators: Oscillators::new() }
    }

    /// Writes the next frames.
    pub fn render(&mut self, output: &mut [f32]) {
        for sample in output {
            let tones = self.oscillators.sines.iter().zip(&AMPLITUDES);
            *sample = tones.map(|(sine, amplitude)| sine * amplitude).sum::<f64>() as f32;
            self.oscillators.step();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_increment_gives_the_next_binary_digit() {
        for (i, increment) in INCREMENTS.iter().enumerate() {
            assert_eq!(increment.trailing_zeros() as usize, 12 - i, "tone {i}");
        }
    }

    #[test]
    fn the_tones_lie_apart_and_within_every_sound_cards_band() {
        let mut hz = INCREMENTS.map(|p| f64::from(p) / f64::from(CYCLE) * 48_000.0);
        hz.sort_by(f64::total_cmp);
        assert!(hz[0] > 800.0 && hz[TONES - 1] < 5_000.0, "{hz:?}");
        assert!(hz.windows(2).all(|two| two[1] - two[0] > 150.0), "{hz:?}");
    }

    #[test]
    fn the_signal_never_clips() {
        assert!(AMPLITUDES.iter().sum::<f64>() < 0.4);
        let mut cycle = vec![0.0; CYCLE as usize];
        SineSum::new().render(&mut cycle);
        assert!(cycle.iter().all(|sample| sample.abs() < 0.4));
    }
}
