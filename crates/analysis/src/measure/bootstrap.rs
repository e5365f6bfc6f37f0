//! Intervals by resampling, for statistics of one run of taps whose neighbours depend on
//! each other.
//!
//! The moving-block bootstrap (Künsch 1989; Liu & Singh 1992): a run as long as the data is
//! put together from blocks of neighbours that begin at random places, again and again; the
//! interval reaches from the 2.5th to the 97.5th percentile of the statistic over these runs.
//! A block of ⌈n^⅓⌉ values is the usual length. The seed belongs to the result: the same
//! seed gives the same interval on every machine.
//!
//! Assumes that the run is stationary (take a drift off first). Limits: intervals of a
//! mean hold the truth in 89 % of runs of 30 independent values, and with a lag-one correlation
//! of 0.5 in 81 % of runs of 30, 86 % of 100 and 91 % of 400; what a statistic measures across the joints of blocks (autocorrelation) is
//! drawn towards zero. Not for DFA.

use crate::estimate::{Estimate, LEVEL};
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use chronotap_engine::random::Random;
use serde::Serialize;

/// Fewest values that are resampled.
pub const FEWEST: usize = 10;

/// How to resample. All of it belongs to the record of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Resampling {
    /// What the draws are made from.
    pub seed: u64,
    /// How many runs are drawn.
    pub runs: usize,
    /// Values in a block.
    pub block: usize,
}

impl Resampling {
    /// 2,000 runs of blocks of ⌈n^⅓⌉ of `n` values.
    pub fn of(n: usize, seed: u64) -> Resampling {
        let block = libm::ceil(libm::cbrt(n as f64)).max(1.0) as usize;
        Resampling { seed, runs: 2_000, block }
    }
}

/// The estimate of a statistic of `n` values with its interval. The statistic is given the
/// places of the values in one run; where it has no value for a drawn run, that run does not
/// count, and where this befalls one in twenty there is no interval.
pub fn interval(
    n: usize,
    how: Resampling,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Result<Estimate, NoEstimate> {
    NoEstimate::unless("values", n, FEWEST)?;
    let all: Vec<usize> = (0..n).collect();
    let value = statistic(&all).ok_or(NoEstimate::NothingVaries("values"))?;
    let mut random = Random::named(how.seed, "moving blocks");
    let mut places = Vec::with_capacity(n + how.block);
    let mut found: Vec<f64> = Vec::with_capacity(how.runs);
    for _ in 0..how.runs {
        draw(&mut random, n, how.block, &mut places);
        found.extend(statistic(&places));
    }
    NoEstimate::unless("resampled runs", found.len(), how.runs - how.runs / 20)?;
    found.sort_by(f64::total_cmp);
    let centre = mean(&found).unwrap_or(value);
    let squares: f64 = found.iter().map(|x| square(x - centre)).sum();
    Ok(Estimate {
        value,
        standard_error: (squares / (found.len() as f64 - 1.0)).sqrt(),
        low: percentile(&found, (1.0 - LEVEL) / 2.0),
        high: percentile(&found, (1.0 + LEVEL) / 2.0),
    })
}

fn draw(random: &mut Random, n: usize, block: usize, places: &mut Vec<usize>) {
    let block = block.clamp(1, n);
    let last = u32::try_from(n - block).unwrap_or(u32::MAX);
    places.clear();
    while places.len() < n {
        let from = random.between(0, last) as usize;
        places.extend(from..from + block);
    }
    places.truncate(n);
}

/// Between the values on both sides, in proportion; `sorted` is not empty.
pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_at<'a>(values: &'a [f64]) -> impl Fn(&[usize]) -> Option<f64> + 'a {
        |places| Some(places.iter().map(|place| values[*place]).sum::<f64>() / places.len() as f64)
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..50).map(|k| f64::from(k * 7 % 11)).collect();
        let found = |seed| interval(50, Resampling::of(50, seed), mean_at(&values)).unwrap();
        assert_eq!(found(1), found(1));
        assert_ne!(found(1), found(2));
        assert!(found(1).low < found(1).value && found(1).value < found(1).high);
    }

    #[test]
    fn independent_values_have_the_standard_error_of_the_formula() {
        let mut random = Random::named(3, "bootstrap");
        let values: Vec<f64> = (0..400).map(|_| random.normal()).collect();
        let how = Resampling { block: 1, ..Resampling::of(400, 1) };
        let found = interval(400, how, mean_at(&values)).unwrap();
        assert!((found.standard_error - 0.05).abs() < 0.006, "{found:?}");
    }

    #[test]
    fn too_few_values_or_too_few_runs_give_no_interval() {
        let few = interval(9, Resampling::of(9, 1), |_| Some(1.0));
        assert!(matches!(few, Err(NoEstimate::TooFew { what: "values", .. })));
        let seldom = |places: &[usize]| (places[0] < 5).then_some(1.0);
        assert!(interval(50, Resampling::of(50, 1), seldom).is_err());
    }
}
