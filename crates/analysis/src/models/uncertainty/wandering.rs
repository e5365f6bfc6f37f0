//! How far a correlation of two runs goes by chance where the level of each wanders.
//!
//! Of two independent runs, the variance of r is Σ p\[k\] q\[k\], where p and q are the shares of their variance that
//! lie in each cosine wave (Bartlett 1935). Intervals of people whom nothing paces are a random walk, the tempo, and
//! noise with a correlation ρ of neighbours (Wing & Kristofferson 1973), of which wave k has
//! λ/(2 − 2 cos ω) + 1 + 2ρ cos ω, ω = πk/n: these waves are those of a random walk less its mean. The shares are
//! weighed over all λ and ρ by their likelihood (Whittle 1953), the size integrated out.
//!
//! Assumes a level that wanders by steps of one size. Of more than 2,000 values the first 2,000 stand for all, for the
//! time that it takes: the interval is then rather too wide.
//! The waves of one run see only a part of a wandering: by them alone, 0 lay outside half of the intervals of two
//! adults who do not hear each other, at 400 taps.

use crate::moments::{mean, square};
use std::f64::consts::PI;

/// λ, the step's variance over the noise's; 0 is a level that holds still.
const STEPS: [f64; 16] = [
    0.0, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0,
    8.0,
];

/// ρ.
const NEIGHBOURS: [f64; 8] = [-0.48, -0.4, -0.3, -0.2, -0.1, 0.0, 0.2, 0.4];

/// So many values are looked at.
const MOST: usize = 2_000;

/// The SD of the correlation of two runs of one length that are independent.
pub(super) fn by_chance(x: &[f64], y: &[f64]) -> f64 {
    let [x, y] = [x, y].map(|of| &of[..of.len().min(MOST)]);
    let products = shares(x).iter().zip(shares(y)).map(|(p, q)| p * q).sum::<f64>();
    products.sqrt()
}

/// What each wave has of the variance.
fn shares(values: &[f64]) -> Vec<f64> {
    let squares = squares(values);
    let n = squares.len();
    let models: Vec<Vec<f64>> =
        STEPS.iter().flat_map(|step| NEIGHBOURS.map(|rho| spectrum(*step, rho, n))).collect();
    let likely: Vec<f64> = models.iter().map(|of| likelihood(of, &squares)).collect();
    let most = likely.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = likely.iter().map(|one| libm::exp(one - most)).collect();
    let all: f64 = weights.iter().sum();
    let mut shares = vec![0.0; n];
    for (of, weight) in models.iter().zip(weights) {
        let whole = of.iter().sum::<f64>() * all;
        shares.iter_mut().zip(of).for_each(|(share, part)| *share += weight * part / whole);
    }
    shares
}

/// Of each wave but the constant one, the square of its part.
fn squares(values: &[f64]) -> Vec<f64> {
    let (n, centre) = (values.len(), mean(values).unwrap_or(0.0));
    let table: Vec<f64> = (0..4 * n).map(|i| libm::cos(PI * i as f64 / (2 * n) as f64)).collect();
    let part = |k: usize| -> f64 {
        let wave = |i: usize| table[k * (2 * i + 1) % (4 * n)];
        values.iter().enumerate().map(|(i, value)| (value - centre) * wave(i)).sum()
    };
    (1..n).map(|k| square(part(k))).collect()
}

fn spectrum(step: f64, rho: f64, waves: usize) -> Vec<f64> {
    let cosine = |k: usize| libm::cos(PI * k as f64 / (waves + 1) as f64);
    let of = |cosine: f64| step / (2.0 - 2.0 * cosine) + 1.0 + 2.0 * rho * cosine;
    (1..=waves).map(|k| of(cosine(k))).collect()
}

/// Its logarithm, whatever the size of the whole.
fn likelihood(model: &[f64], squares: &[f64]) -> f64 {
    let logarithms: f64 = model.iter().map(|of| libm::log(*of)).sum();
    let size: f64 = model.iter().zip(squares).map(|(of, square)| square / of).sum();
    -0.5 * (logarithms + model.len() as f64 * libm::log(size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::random::Random;

    fn run(random: &mut Random, n: usize, step: f64, noise: f64) -> Vec<f64> {
        let mut level = 0.0;
        let mut next = |_| {
            level += step * random.normal();
            level + noise * random.normal()
        };
        (0..n).map(&mut next).collect()
    }

    /// 1/√n of independent values; √0.4 of random walks: Σ k⁻⁴ over the square of Σ k⁻².
    #[test]
    fn noise_and_random_walks_have_the_sd_that_theory_says() {
        let mut random = Random::named(45, "wandering");
        let mut of = |step, noise| {
            let x = run(&mut random, 400, step, noise);
            by_chance(&x, &run(&mut random, 400, step, noise))
        };
        let (noise, walk) = (of(0.0, 1.0), of(1.0, 0.0));
        assert!((noise - 0.05).abs() < 0.005, "{noise}");
        assert!((walk - 0.4_f64.sqrt()).abs() < 0.05, "{walk}");
    }
}
