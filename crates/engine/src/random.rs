//! [`Random`]: the engine's generator. Every stream and channel has its own, made
//! from the trial's seed and its name, so that adding one does not change another.
//!
//! xoshiro256++ (Blackman & Vigna 2019, "Scrambled linear pseudorandom number
//! generators"), its state filled by SplitMix64 as its authors advise. It stands
//! here and not in a library because a recorded trial must replay to the
//! nanosecond under every later version: these numbers never change. Logarithms
//! and the like come from `libm`, which gives the same bits on every machine.

use crate::trial::Spread;
use chronotap_core::time::Nanos;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
    spare: Option<f64>, // the second of the pair that Box and Muller's method gives
}

impl Random {
    /// The generator of `name` in a trial with this seed.
    pub fn named(seed: u64, name: &str) -> Random {
        let mut mix = seed ^ fnv1a(name);
        Random { state: [0; 4].map(|_: u64| split_mix(&mut mix)), spare: None }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in 0.0..1.0, in steps of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number in `low..=high`; the bias of the multiplication is below 2⁻³².
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        let span = u64::from(high.saturating_sub(low)) + 1;
        low + (((self.next_u64() >> 32) * span) >> 32) as u32
    }

    /// Standard normal (Box & Muller 1958).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let angle = 2.0 * std::f64::consts::PI * self.uniform();
        self.spare = Some(radius * libm::sin(angle));
        radius * libm::cos(angle)
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.uniform())
    }

    /// A time from a distribution, to the nearest nanosecond.
    pub fn time(&mut self, spread: Spread) -> Nanos {
        match spread {
            Spread::Uniform { low, high } => {
                low + Nanos::round_from_f64(self.uniform() * (high - low).0 as f64)
            }
            Spread::Normal { mean, sd, low, high } => self.bounded_normal(mean, sd, low, high),
        }
    }

    /// Draws again until within the bounds; a bound that a hundred draws miss is
    /// taken itself, so that the time this takes is bounded.
    fn bounded_normal(&mut self, mean: Nanos, sd: Nanos, low: Nanos, high: Nanos) -> Nanos {
        for _ in 0..100 {
            let drawn = mean + Nanos::round_from_f64(self.normal() * sd.0 as f64);
            if drawn >= low && drawn <= high {
                return drawn;
            }
        }
        mean.max(low).min(high)
    }
}

/// 64-bit FNV-1a (Fowler, Noll & Vo), to turn a name into a number.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// SplitMix64 (Steele, Lea & Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_its_published_numbers() {
        let mut state = 1_234_567;
        let first: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first, expected);
    }

    #[test]
    fn xoshiro_gives_its_published_numbers() {
        let mut random = Random { state: [1, 2, 3, 4], spare: None };
        let first: Vec<u64> = (0..4).map(|_| random.next_u64()).collect();
        assert_eq!(first, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    #[test]
    fn a_name_has_its_own_numbers() {
        let (mut a, mut b) = (Random::named(7, "pacing.left"), Random::named(7, "pacing.right"));
        assert_ne!(a.next_u64(), b.next_u64());
        assert_eq!(Random::named(7, "x").next_u64(), Random::named(7, "x").next_u64());
    }

    #[test]
    fn draws_keep_their_bounds_and_moments() {
        let mut random = Random::named(1, "moments");
        let draws: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let spread =
            Spread::Normal { mean: Nanos(0), sd: Nanos(50), low: Nanos(-60), high: Nanos(40) };
        for _ in 0..10_000 {
            assert!((-60..=40).contains(&random.time(spread).0));
            assert!((8..=12).contains(&random.between(8, 12)));
        }
    }
}
