//! [`Noise`]: white and pink noise, for masking.
//!
//! Pink noise is Voss's sum (Gardner 1978) as McCartney spread it over time: sixteen
//! random numbers, of which each is drawn half as often as the one before, and a white one. Any
//! key gives the same noise again, on every machine.

/// Octaves below half the rate that pink noise is pink in.
const ROWS: usize = 16;

/// A source of noise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    random: u64,
    rows: [f32; ROWS],
    sum: f32,
    count: u32,
}

impl Noise {
    /// The noise of a key.
    pub(super) fn new(key: u64) -> Noise {
        // Neighbouring keys must not give neighbouring numbers: Steele's mix of 64 bits.
        let mixed = (key ^ (key >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let random = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1;
        let mut noise = Noise { random, rows: [0.0; ROWS], sum: 0.0, count: 0 };
        (0..8).for_each(|_| {
            noise.uniform(); // the first ones still resemble the key
        });
        noise.rows = std::array::from_fn(|_| noise.uniform());
        noise.sum = noise.rows.iter().sum();
        noise
    }

    /// A frame of white noise, as strong as a sine of peak 1.
    pub(super) fn white(&mut self) -> f32 {
        self.uniform() * 1.5_f32.sqrt()
    }

    /// A frame of pink noise, as strong as a sine of peak 1.
    pub(super) fn pink(&mut self) -> f32 {
        // A row's share of the variance is 1/3, and there are 17; the sine's is 1/2.
        const SHARE: f32 = 3.0 / (2.0 * (ROWS as f32 + 1.0));
        self.count = self.count.wrapping_add(1);
        let row = self.count.trailing_zeros() as usize;
        if row < ROWS {
            self.rows[row] = self.uniform();
            self.sum = self.rows.iter().sum(); // anew, so that no error adds up
        }
        (self.sum + self.uniform()) * SHARE.sqrt()
    }

    /// Evenly in -1..1 (xorshift64*, Vigna 2016).
    fn uniform(&mut self) -> f32 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let high = (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32 as i32;
        high as f32 / 2_147_483_648.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: usize = 1 << 18;

    fn power(sound: &[f32]) -> f64 {
        sound.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / sound.len() as f64
    }

    /// Power of the difference between the means of neighbouring stretches of so many
    /// frames: for white noise it halves with each doubling, for pink noise it stays.
    fn at_scale(sound: &[f32], frames: usize) -> f64 {
        let mean = |part: &[f32]| part.iter().map(|s| f64::from(*s)).sum::<f64>() / frames as f64;
        let pairs = sound.chunks_exact(2 * frames);
        let n = pairs.len() as f64;
        pairs.map(|two| (mean(&two[..frames]) - mean(&two[frames..])).powi(2)).sum::<f64>() / n
    }

    #[test]
    fn both_are_as_strong_as_a_sine() {
        let mut noise = Noise::new(7);
        let white: Vec<f32> = (0..FRAMES).map(|_| noise.white()).collect();
        let pink: Vec<f32> = (0..FRAMES).map(|_| noise.pink()).collect();
        assert!((power(&white) - 0.5).abs() < 0.005, "{}", power(&white));
        assert!((power(&pink) - 0.5).abs() < 0.05, "{}", power(&pink));
    }

    #[test]
    fn white_noise_halves_from_octave_to_octave_and_pink_noise_stays() {
        let mut noise = Noise::new(8);
        let white: Vec<f32> = (0..FRAMES).map(|_| noise.white()).collect();
        let pink: Vec<f32> = (0..FRAMES).map(|_| noise.pink()).collect();
        for scale in [2, 4, 8, 16, 32, 64, 128] {
            let ratio = |sound| at_scale(sound, 2 * scale) / at_scale(sound, scale);
            assert!((ratio(&white) - 0.5).abs() < 0.08, "{scale}: {}", ratio(&white));
            assert!((ratio(&pink) - 1.0).abs() < 0.25, "{scale}: {}", ratio(&pink));
        }
    }

    #[test]
    fn a_key_gives_the_same_noise_again_and_another_key_another_one() {
        let first = |key| Noise::new(key).white().to_bits();
        assert_eq!(first(3), first(3));
        assert_ne!(first(3), first(4));
        assert_ne!(first(0), first(1));
    }
}
