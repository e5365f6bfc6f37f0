//! [`sensitivity`]: how finely a difference is told, from right and wrong answers about which of two it
//! was, at several sizes x > 0 of the difference (Green & Swets 1966).
//!
//! ```text
//! P(right) = γ + (1 − γ − w) (2 Φ(x / σ) − 1)
//! ```
//!
//! A difference of nothing is told by chance, γ, and of a great one the share w is told wrong; both are
//! stated. So the
//! function has one parameter: σ, the noise with which a difference is heard. Of one of two, γ = ½, it is
//! w + (1 − 2 w) Φ(x / σ). The threshold is σ Φ⁻¹(share): the difference that one of two is told in this
//! share of the trials
//! but for lapses, and the same share of the way from chance to all right where γ is another. The likelihood
//! is worked out over a grid of
//! ln σ with a flat prior; the estimate is the median of the posterior distribution, its interval the
//! central 95 %.
//!
//! Assumes that both answers are equally likely to be right, and that bias toward one of them is
//! balanced: it makes the threshold greater. For functions with a midpoint of their own see
//! [`crate::psychometric`].

use crate::estimate::Estimate;
use crate::no_estimate::NoEstimate;
use crate::psychometric::Block;
use crate::student::{normal_above, normal_quantile};

/// The threshold, and how many answers it is from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// In the unit of the levels.
    pub threshold: Estimate,
    pub answers: usize,
}

/// What is known of answers beforehand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The share that is right where nothing is told.
    pub guess: f64,
    /// The share that is wrong however great the difference is.
    pub wrong: f64,
}

impl Chance {
    fn right(&self, told: f64) -> f64 {
        self.guess + (1.0 - self.guess - self.wrong) * (2.0 * told - 1.0)
    }
}

/// Fewest answers.
pub const FEWEST: usize = 10;
/// Points of the grid along ln σ.
const POINTS: usize = 600;
/// σ is looked for from the least level by this, to the greatest times this.
const BEYOND: f64 = 20.0;
/// More of the posterior than this at either end of the grid: the answers do not change with the level.
const AT_THE_EDGE: f64 = 0.025;

/// The difference of which one of two is told in this `share` of the trials, but for lapses; `yes` of a block
/// are right
/// answers. Levels that are not above 0 are left out.
///
/// # Errors
/// [`NoEstimate`] with fewer than [`FEWEST`] answers, and where all answers are right or as good as
/// guessed.
pub fn sensitivity(
    blocks: &[Block],
    chance: &Chance,
    share: f64,
) -> Result<Sensitivity, NoEstimate> {
    let used: Vec<Block> =
        blocks.iter().copied().filter(|of| of.level > 0.0 && of.of > 0).collect();
    let answers = used.iter().map(|block| block.of).sum();
    NoEstimate::unless("answers", answers, FEWEST)?;
    let least = used.iter().map(|block| block.level).fold(f64::INFINITY, f64::min) / BEYOND;
    let most = used.iter().map(|block| block.level).fold(0.0, f64::max) * BEYOND;
    let step = libm::log(most / least) / (POINTS - 1) as f64;
    let sigmas: Vec<f64> = (0..POINTS).map(|k| least * libm::exp(step * k as f64)).collect();
    let logs: Vec<f64> = sigmas.iter().map(|sigma| likelihood(&used, *sigma, chance)).collect();
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - greatest)).collect();
    let all: f64 = weights.iter().sum();
    let edge = POINTS / 20;
    let at_edge = |part: &[f64]| part.iter().sum::<f64>() > AT_THE_EDGE * all;
    if at_edge(&weights[..edge]) || at_edge(&weights[POINTS - edge..]) {
        return Err(NoEstimate::NothingVaries("answers with the level"));
    }
    let z = normal_quantile(share);
    Ok(Sensitivity { threshold: posterior(&sigmas, &weights, z), answers })
}

fn likelihood(blocks: &[Block], sigma: f64, chance: &Chance) -> f64 {
    let one = |block: &Block| {
        let right = chance.right(normal_above(-block.level / sigma));
        let right = right.clamp(1e-12, 1.0 - 1e-12);
        let (yes, no) = (block.yes as f64, (block.of - block.yes) as f64);
        yes * libm::log(right) + no * libm::log1p(-right)
    };
    blocks.iter().map(one).sum()
}

/// Median, standard deviation and central 95 % of σ z.
fn posterior(sigmas: &[f64], weights: &[f64], z: f64) -> Estimate {
    let all: f64 = weights.iter().sum();
    let of = |value: &dyn Fn(f64) -> f64| {
        sigmas.iter().zip(weights).map(|(sigma, weight)| value(sigma * z) * weight).sum::<f64>()
            / all
    };
    let mean = of(&|value| value);
    let variance = of(&|value| (value - mean) * (value - mean));
    let below = |share: f64| {
        let mut sum = 0.0;
        let place = weights.iter().position(|weight| {
            sum += weight;
            sum - 0.5 * weight >= share * all
        });
        place.map_or(mean, |place| sigmas[place] * z)
    };
    let standard_error = libm::sqrt(variance);
    Estimate { value: below(0.5), standard_error, low: below(0.025), high: below(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::random::Random;

    /// Φ(60 / 110.11) = 0.7071.
    const SIGMA: f64 = 110.11;

    const TWO: Chance = Chance { guess: 0.5, wrong: 0.01 };

    fn observed(random: &mut Random, levels: &[f64], each: usize, chance: &Chance) -> Vec<Block> {
        let mut block = |level: f64| {
            let right = chance.right(normal_above(-level / SIGMA));
            let yes = (0..each).filter(|_| random.uniform() < right).count();
            Block { level, yes, of: each }
        };
        levels.iter().map(|level| block(*level)).collect()
    }

    #[test]
    fn the_threshold_is_found_and_its_interval_holds_it_in_95_of_100() {
        let mut random = Random::named(7, "sensitivity");
        let levels = [15.0, 30.0, 60.0, 120.0, 240.0];
        let fits: Vec<Sensitivity> = (0..2_000)
            .filter_map(|_| {
                let answers = observed(&mut random, &levels, 16, &TWO);
                sensitivity(&answers, &TWO, std::f64::consts::FRAC_1_SQRT_2).ok()
            })
            .collect();
        let mean = fits.iter().map(|fit| fit.threshold.value).sum::<f64>() / fits.len() as f64;
        let held = fits.iter().filter(|fit| fit.threshold.holds(60.0)).count() as f64;
        let held = held / fits.len() as f64;
        assert!(fits.len() > 1_990 && (mean / 60.0 - 1.0).abs() < 0.05, "{mean} of {}", fits.len());
        assert!((0.93..0.97).contains(&held), "{held}");
    }

    /// One of four, one in ten wrong at any level.
    #[test]
    fn the_guess_rate_and_the_lapses_are_those_that_are_stated() {
        let chance = Chance { guess: 0.25, wrong: 0.1 };
        let mut random = Random::named(8, "sensitivity");
        let answers = observed(&mut random, &[15.0, 30.0, 60.0, 120.0, 240.0], 4_000, &chance);
        let of = |chance| {
            sensitivity(&answers, chance, std::f64::consts::FRAC_1_SQRT_2).unwrap().threshold.value
        };
        assert!((of(&chance) / 60.0 - 1.0).abs() < 0.03, "{}", of(&chance));
        assert!((of(&TWO) / 60.0 - 1.0).abs() > 0.2, "{}", of(&TWO));
        assert!((Chance { guess: 0.5, wrong: 0.01 }.right(0.75) - 0.745).abs() < 1e-12);
    }

    #[test]
    fn answers_that_are_all_right_or_guessed_have_no_threshold() {
        let block = |level: f64, yes: usize| Block { level, yes, of: 20 };
        let none =
            |all: &[Block]| sensitivity(all, &TWO, std::f64::consts::FRAC_1_SQRT_2).unwrap_err();
        assert!(matches!(none(&[block(30.0, 20), block(60.0, 20)]), NoEstimate::NothingVaries(_)));
        assert!(matches!(none(&[block(30.0, 10), block(60.0, 9)]), NoEstimate::NothingVaries(_)));
        assert!(matches!(none(&[Block { level: 9.0, yes: 2, of: 4 }]), NoEstimate::TooFew { .. }));
    }
}
