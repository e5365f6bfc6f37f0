//! Psychometric functions: how often an answer is given as a stimulus grows (Wichmann & Hill 2001;
//! Schütt, Harmeling, Macke & Wichmann 2016).
//!
//! ```text
//! Ψ(x) = γ + (1 − γ − λ) F((x − m) / s)
//! ```
//!
//! F is the logistic or the normal distribution function, m the level at which F is ½, s its scale, γ the
//! guess rate and λ the lapse rate. γ is stated: 1/m of m choices, 0 where the answer says which of two is
//! more. λ is stated, too, or estimated with a Beta(1, 10) before it, as Schütt et al. have it.
//!
//! The likelihood is worked out over a grid of m and ln s (and λ), with a flat prior over the range of the
//! levels for m, and for s over [`SCALES`] of that range one halfway between even in s and in ln s;
//! estimates are the medians of their posterior distributions and intervals its central 95 %. Data without a slope leave s at the edge of its grid:
//! then there is no estimate.

use crate::estimate::Estimate;
use crate::no_estimate::NoEstimate;
use crate::student::{normal_above, normal_quantile};

/// The distribution function of a psychometric function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Logistic,
    Normal,
}

/// What is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub shape: Shape,
    /// The guess rate γ.
    pub guess: f64,
    /// The lapse rate λ; `None` estimates it.
    pub lapse: Option<f64>,
    /// The share of F, between guess and lapse, whose level is the threshold: 0.5 is m.
    pub share: f64,
}

/// What was answered at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    pub level: f64,
    /// Answers of the kind that grows with the level.
    pub yes: usize,
    pub of: usize,
}

/// A fitted psychometric function.
#[derive(Clone, Debug, PartialEq)]
pub struct Psychometric {
    /// The level at which F is ½: of two choices the point of subjective equality.
    pub pse: Estimate,
    /// The level at which F is the share that was asked for.
    pub threshold: Estimate,
    /// Half the distance between the levels at which F is ¼ and ¾: the just noticeable difference.
    pub jnd: Estimate,
    /// The lapse rate; without an interval where it was stated.
    pub lapse: Estimate,
    /// Answers in all.
    pub n: usize,
}

/// Answers, at least.
pub const FEWEST: usize = 20;
/// The scale of the function as a share of the range of the levels: from, to.
const SCALES: (f64, f64) = (0.005, 1.5);
/// Points of a grid along m, ln s and λ; the first grid is over all, the second where there is weight.
const POINTS: [usize; 3] = [61, 51, 13];
/// Log weights so far below the greatest are none.
const NO_WEIGHT: f64 = 12.0;
/// The greatest lapse rate that is estimated.
const MOST_LAPSES: f64 = 0.3;
/// More of the posterior at the greatest scales than this: no slope is seen.
const AT_THE_EDGE: f64 = 0.1;

impl Psychometric {
    /// How often the interval of the just noticeable difference held the truth in simulations, where that
    /// is to be said: below 60 answers to which there is no wrong one (`tests/psychometric_coverage.rs`).
    pub fn jnd_held(&self) -> Option<f64> {
        (self.n < 60).then_some(0.919)
    }
}

impl Shape {
    fn of(self, z: f64) -> f64 {
        match self {
            Shape::Logistic => 1.0 / (1.0 + libm::exp(-z)),
            Shape::Normal => normal_above(-z),
        }
    }

    /// The z at which it is this share.
    fn quantile(self, share: f64) -> f64 {
        match self {
            Shape::Logistic => libm::log(share / (1.0 - share)),
            Shape::Normal => normal_quantile(share),
        }
    }
}

/// A point of the grid with its weight.
struct Point {
    m: f64,
    scale: f64,
    lapse: f64,
    log: f64,
}

/// Fits a psychometric function.
///
/// # Errors
/// [`NoEstimate`] with fewer than [`FEWEST`] answers or two levels, and where the answers do not change
/// with the level.
pub fn psychometric(blocks: &[Block], known: &Known) -> Result<Psychometric, NoEstimate> {
    let n = blocks.iter().map(|block| block.of).sum();
    NoEstimate::unless("answers", n, FEWEST)?;
    let used: Vec<Block> = blocks.iter().copied().filter(|block| block.of > 0).collect();
    let least = used.iter().map(|block| block.level).fold(f64::INFINITY, f64::min);
    let most = used.iter().map(|block| block.level).fold(f64::NEG_INFINITY, f64::max);
    if most <= least {
        return Err(NoEstimate::NothingVaries("levels"));
    }
    let range = most - least;
    let wide = Grid {
        m: (least, most),
        scale: (range * SCALES.0, range * SCALES.1),
        lapse: known.lapse.map_or((0.0, MOST_LAPSES), |lapse| (lapse, lapse)),
    };
    let points = wide.closer(&wide.points(&used, known)).points(&used, known);
    let greatest = greatest(&points);
    let weights: Vec<f64> = points.iter().map(|point| libm::exp(point.log - greatest)).collect();
    let edge = SCALES.1 * range * 0.8;
    let all: f64 = weights.iter().sum();
    let flat: f64 =
        points.iter().zip(&weights).filter(|(p, _)| p.scale > edge).map(|(_, w)| w).sum();
    if flat > AT_THE_EDGE * all {
        return Err(NoEstimate::NothingVaries("answers with the level"));
    }
    let at = |z: f64| move |point: &Point| point.m + z * point.scale;
    let estimate = |of: &dyn Fn(&Point) -> f64| posterior(&points, &weights, of);
    let quarter = known.shape.quantile(0.75);
    Ok(Psychometric {
        pse: estimate(&at(0.0)),
        threshold: estimate(&at(known.shape.quantile(known.share))),
        jnd: estimate(&|point: &Point| quarter * point.scale),
        lapse: match known.lapse {
            Some(lapse) => Estimate { value: lapse, standard_error: 0.0, low: lapse, high: lapse },
            None => estimate(&|point: &Point| point.lapse),
        },
        n,
    })
}

/// The range of each parameter.
#[derive(Clone, Copy)]
struct Grid {
    m: (f64, f64),
    scale: (f64, f64),
    lapse: (f64, f64),
}

impl Grid {
    fn points(&self, blocks: &[Block], known: &Known) -> Vec<Point> {
        let [ms, scales, lapses] = POINTS;
        let lapses = if known.lapse.is_some() { 1 } else { lapses };
        let along = |k: usize, of: usize| k as f64 / (of - 1).max(1) as f64;
        let between = |(from, to): (f64, f64), share: f64| from + (to - from) * share;
        // The grid is even in ln s; the prior lies halfway to one that is even in s.
        let scales: Vec<(f64, f64)> = (0..scales)
            .map(|k| self.scale.0 * libm::pow(self.scale.1 / self.scale.0, along(k, scales)))
            .map(|scale| (scale, 0.5 * libm::log(scale)))
            .collect();
        let beta = |lapse: f64| if lapses > 1 { 9.0 * libm::log1p(-lapse) } else { 0.0 };
        let lapses: Vec<(f64, f64)> = (0..lapses)
            .map(|k| between(self.lapse, along(k, lapses)))
            .map(|lapse| (lapse, beta(lapse)))
            .collect();
        let mut all = Vec::with_capacity(ms * scales.len() * lapses.len());
        let mut shares = vec![0.0; blocks.len()];
        for m in (0..ms).map(|k| between(self.m, along(k, ms))) {
            for (scale, of_scale) in &scales {
                for (share, block) in shares.iter_mut().zip(blocks) {
                    *share = known.shape.of((block.level - m) / scale);
                }
                for (lapse, of_lapse) in &lapses {
                    let likelihood = likelihood(blocks, &shares, known.guess, *lapse);
                    let log = of_lapse + of_scale + likelihood;
                    all.push(Point { m, scale: *scale, lapse: *lapse, log });
                }
            }
        }
        all
    }

    /// The part of the grid in which there is any weight, with a step around it.
    fn closer(&self, points: &[Point]) -> Grid {
        let least = greatest(points) - NO_WEIGHT;
        let with_weight = || points.iter().filter(|point| point.log >= least);
        let ends = |of: fn(&Point) -> f64| {
            let low = with_weight().map(of).fold(f64::INFINITY, f64::min);
            (low, with_weight().map(of).fold(f64::NEG_INFINITY, f64::max))
        };
        let step = |(from, to): (f64, f64), points: usize| (to - from) / (points - 1) as f64;
        let around = |(low, high): (f64, f64), whole: (f64, f64), step: f64| {
            ((low - step).max(whole.0), (high + step).min(whole.1))
        };
        let ratio = libm::pow(self.scale.1 / self.scale.0, 1.0 / (POINTS[1] - 1) as f64);
        let (low, high) = ends(|point| point.scale);
        Grid {
            m: around(ends(|point| point.m), self.m, step(self.m, POINTS[0])),
            scale: ((low / ratio).max(self.scale.0), (high * ratio).min(self.scale.1)),
            lapse: around(ends(|point| point.lapse), self.lapse, step(self.lapse, POINTS[2])),
        }
    }
}

fn greatest(points: &[Point]) -> f64 {
    points.iter().map(|point| point.log).fold(f64::NEG_INFINITY, f64::max)
}

/// The logarithm of the product of all answers' probabilities: one for many factors, since it takes longer than they.
fn likelihood(blocks: &[Block], shares: &[f64], guess: f64, lapse: f64) -> f64 {
    const SMALL: f64 = 1e-100;
    let (mut sum, mut product) = (0.0, 1.0);
    for (block, share) in blocks.iter().zip(shares) {
        let p = guess + (1.0 - guess - lapse) * share;
        let p = p.clamp(1e-12, 1.0 - 1e-12);
        let (yes, no) = (block.yes, block.of - block.yes);
        let factor = power(p, yes) * power(1.0 - p, no);
        if factor < SMALL {
            // A product that would be lost.
            sum += yes as f64 * libm::log(p) + no as f64 * libm::log1p(-p);
            continue;
        }
        product *= factor;
        if product < SMALL {
            sum += libm::log(product);
            product = 1.0;
        }
    }
    sum + libm::log(product)
}

/// p to the n, by squares.
fn power(p: f64, n: usize) -> f64 {
    let (mut square, mut rest, mut all) = (p, n, 1.0);
    while rest > 0 {
        if rest & 1 == 1 {
            all *= square;
        }
        square *= square;
        rest >>= 1;
    }
    all
}

/// Median, standard deviation and central 95 % of what is taken of each point.
fn posterior(points: &[Point], weights: &[f64], of: &dyn Fn(&Point) -> f64) -> Estimate {
    let mut values: Vec<(f64, f64)> = points.iter().map(of).zip(weights.iter().copied()).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: f64 = weights.iter().sum();
    let mean = values.iter().map(|(value, weight)| value * weight).sum::<f64>() / all;
    let spread = values.iter().map(|(value, weight)| weight * (value - mean) * (value - mean));
    let standard_error = (spread.sum::<f64>() / all).sqrt();
    // Half of a point's weight lies below it.
    let below = |share: f64| {
        let mut sum = 0.0;
        let reached = |(_, weight): &&(f64, f64)| {
            sum += weight;
            sum - 0.5 * weight >= share * all
        };
        values.iter().find(reached).map_or(mean, |(value, _)| *value)
    };
    Estimate { value: below(0.5), standard_error, low: below(0.025), high: below(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    const KNOWN: Known = Known { shape: Shape::Normal, guess: 0.5, lapse: None, share: 0.5 };

    /// Of few answers and of so many that their product is lost, of all kinds and of one alone.
    #[test]
    fn the_logarithm_of_the_product_is_the_sum_of_the_logarithms() {
        for (yes, of) in [(3, 7), (0, 4), (5, 5), (150, 400), (0, 2_000), (900, 1_000)] {
            let blocks = [Block { level: 0.0, yes, of }; 3];
            let shares = [0.0, 0.3, 1.0];
            let one = |share: &f64| {
                let p = (0.25 + 0.7 * share).clamp(1e-12, 1.0 - 1e-12);
                yes as f64 * libm::log(p) + (of - yes) as f64 * libm::log1p(-p)
            };
            let sum: f64 = shares.iter().map(one).sum();
            near(likelihood(&blocks, &shares, 0.25, 0.05), sum, 1e-9);
        }
        let surely = [Block { level: 0.0, yes: 0, of: 100 }];
        near(likelihood(&surely, &[1.0], 0.0, 0.0), 100.0 * libm::log(1e-12), 1e-2);
    }

    fn blocks(all: &[(f64, usize, usize)]) -> Vec<Block> {
        all.iter().map(|&(level, yes, of)| Block { level, yes, of }).collect()
    }

    /// Of two choices; psignifit 4.3 gives thresholds of 41.45 (normal) and 41.51 (logistic) as means of
    /// the posterior distribution, and 28.2 to 52.3 as their range.
    #[test]
    fn the_threshold_is_that_of_psignifit() {
        let given = blocks(&[
            (20.0, 22, 40),
            (30.0, 24, 40),
            (40.0, 30, 40),
            (60.0, 35, 40),
            (80.0, 39, 40),
            (120.0, 39, 40),
        ]);
        for (shape, theirs) in [(Shape::Normal, 41.45), (Shape::Logistic, 41.51)] {
            let found = psychometric(&given, &Known { shape, ..KNOWN }).unwrap();
            assert!((found.pse.value / theirs - 1.0).abs() < 0.03, "{found:?}");
            assert!(found.pse.low > 28.0 && found.pse.high < 53.0, "{found:?}");
            assert_eq!(found.n, 240);
        }
    }

    /// Answers as often as the function says: it is found again, whatever share is asked for.
    #[test]
    fn a_function_without_chance_is_found_again() {
        for (shape, guess, lapse) in
            [(Shape::Normal, 0.0, 0.0), (Shape::Logistic, 0.5, 0.02), (Shape::Normal, 0.5, 0.05)]
        {
            let known = Known { shape, guess, lapse: Some(lapse), share: 0.8 };
            let block = |level: f64| {
                let p = guess + (1.0 - guess - lapse) * shape.of((level - 60.0) / 20.0);
                Block { level, yes: (p * 1e4).round() as usize, of: 10_000 }
            };
            let given: Vec<Block> = (0..12).map(|k| block(10.0 * f64::from(k))).collect();
            let found = psychometric(&given, &known).unwrap();
            near(found.pse.value, 60.0, 0.5);
            near(found.jnd.value, 20.0 * shape.quantile(0.75), 0.5);
            near(found.threshold.value, 60.0 + 20.0 * shape.quantile(0.8), 0.7);
            assert_eq!(found.lapse.value, lapse);
        }
    }

    #[test]
    fn what_has_no_slope_has_no_estimate() {
        let flat = blocks(&[(10.0, 10, 20), (20.0, 11, 20), (30.0, 10, 20)]);
        let why = |given: &[Block]| psychometric(given, &KNOWN).unwrap_err();
        assert_eq!(why(&flat), NoEstimate::NothingVaries("answers with the level"));
        assert_eq!(why(&blocks(&[(10.0, 15, 30)])), NoEstimate::NothingVaries("levels"));
        let few = NoEstimate::TooFew { what: "answers", needed: FEWEST, found: 10 };
        assert_eq!(why(&blocks(&[(10.0, 2, 5), (20.0, 5, 5)])), few);
    }
}
