//! Intervals of the errors of reproduction, from one round to the next.
//!
//! Background: the errors of one round are not independent: neighbouring intervals share a tap,
//! and a round is played too fast or too slow as a whole. Rounds are. So every interval is made
//! from the spread between rounds, and a single round has none: its intervals' own spread would
//! hold the truth in 60 to 99 % of trials, depending on how steady the tempo is from round to
//! round, which one round does not tell.
//!
//! - Constant error: Σ errors / Σ intervals, a ratio whose variance is R/(R − 1) Σ r²/(Σ intervals)²
//!   with r a round's sum less its share (Cochran 1977, ch. 6), by Student's t of R − 1; where
//!   rounds are complete that is the t interval over their means.
//! - Absolute error: the same, on the logarithm.
//! - Variable error: χ² of ν degrees of freedom. ν is how many the squares are pooled from times
//!   Box's ε = (tr W)²/(K tr W²), where W holds the squares and products of the K intervals about
//!   their means: 1 where intervals vary independently and alike, 1/K where they vary as one
//!   (Box 1954; Geisser & Greenhouse 1958).
//!
//! Assumes rounds that are independent, and for the variable error normal errors. ε is too small
//! where rounds are few, so that the interval is rather too wide. Limits: how often each holds
//! the truth is in [`crate::uncertainty::coverage`].

use super::Reproduction;
use crate::chi_squared;
use crate::estimate::{Estimate, LEVEL};
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use serde::Serialize;

/// Fewest rounds whose errors have intervals.
pub const FEWEST_ROUNDS: usize = 2;

/// Errors of reproduction with their intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorBounds {
    /// Rounds in which something was reproduced.
    pub rounds: usize,
    /// Of the constant error.
    pub error_ms: Estimate,
    /// Of the variable error; `None` where nothing varies.
    pub sd_ms: Option<Estimate>,
    /// Of the absolute error; `None` where there is none.
    pub absolute_error_ms: Option<Estimate>,
}

impl Reproduction {
    /// The intervals of its errors, over all intervals of the rhythm.
    pub fn bounds(&self) -> Result<ErrorBounds, NoEstimate> {
        of_rounds(&self.errors_ms)
    }

    /// The same of one interval of the rhythm, from 1.
    pub fn bounds_of(&self, number: usize) -> Result<ErrorBounds, NoEstimate> {
        let of = |round: &'_ Vec<f64>| number.checked_sub(1).filter(|place| *place < round.len());
        let all = self.errors_ms.iter().filter_map(|round| Some(&round[of(round)?..number]));
        bounds(&all.collect::<Vec<_>>())
    }
}

/// The same from errors alone, those of each round in the order of the rhythm. A round without
/// any counts as none.
pub fn of_rounds(rounds: &[Vec<f64>]) -> Result<ErrorBounds, NoEstimate> {
    let all = rounds.iter().map(Vec::as_slice);
    bounds(&all.filter(|round| !round.is_empty()).collect::<Vec<_>>())
}

/// `rounds` are the errors of each; none is empty.
fn bounds(rounds: &[&[f64]]) -> Result<ErrorBounds, NoEstimate> {
    NoEstimate::unless("rounds", rounds.len(), FEWEST_ROUNDS)?;
    let (absolute, error) = over_rounds(rounds, f64::abs);
    let freedom = rounds.len() as f64 - 1.0;
    let (constant, of_constant) = over_rounds(rounds, |error| error);
    Ok(ErrorBounds {
        rounds: rounds.len(),
        error_ms: Estimate::student(constant, of_constant, freedom),
        sd_ms: variable(rounds),
        absolute_error_ms: logarithmic(absolute, error, freedom),
    })
}

/// The mean over all intervals of all rounds, and its standard error.
fn over_rounds(rounds: &[&[f64]], of: fn(f64) -> f64) -> (f64, f64) {
    let sum = |round: &[f64]| round.iter().map(|error| of(*error)).sum::<f64>();
    let all: f64 = rounds.iter().map(|round| round.len() as f64).sum();
    let centre = rounds.iter().map(|round| sum(round)).sum::<f64>() / all;
    let residual = |round: &&[f64]| square(sum(round) - centre * round.len() as f64);
    let squares: f64 = rounds.iter().map(residual).sum();
    let n = rounds.len() as f64;
    (centre, (n / (n - 1.0) * squares).sqrt() / all)
}

fn logarithmic(value: f64, error: f64, freedom: f64) -> Option<Estimate> {
    let reach = Estimate::student(0.0, error / value, freedom).high;
    let (low, high) = (value * libm::exp(-reach), value * libm::exp(reach));
    (value > 0.0 && high.is_finite()).then_some(Estimate {
        value,
        standard_error: error,
        low,
        high,
    })
}

fn variable(rounds: &[&[f64]]) -> Option<Estimate> {
    let longest = rounds.iter().map(|round| round.len()).max()?;
    let at = |place: usize| rounds.iter().filter_map(move |round| round.get(place).copied());
    let errors: Vec<Vec<f64>> = (0..longest).map(|place| at(place).collect()).collect();
    let centres: Vec<f64> = errors.iter().filter_map(|errors| mean(errors)).collect();
    let repeated = || errors.iter().filter(|errors| errors.len() > 1);
    let freedom: f64 = repeated().map(|errors| errors.len() as f64 - 1.0).sum();
    let product = |one: &[f64], other: &[f64]| -> f64 {
        let both = one.iter().zip(other).zip(&centres);
        both.map(|((one, other), centre)| (one - centre) * (other - centre)).sum()
    };
    // W and the products of the rounds have the same trace, and so have their squares.
    let own: f64 = rounds.iter().map(|round| product(round, round)).sum();
    let pairs = rounds.iter().flat_map(|one| rounds.iter().map(move |other| (one, other)));
    let squares: f64 = pairs.map(|(one, other)| square(product(one, other))).sum();
    let alike = square(own) / (repeated().count() as f64 * squares);
    (own > 0.0 && squares > 0.0).then(|| of_sd((own / freedom).sqrt(), freedom * alike))
}

/// A standard deviation of normal values whose square has so many degrees of freedom.
fn of_sd(value: f64, freedom: f64) -> Estimate {
    let end = |share: f64| value * (freedom / chi_squared::quantile(share, freedom)).sqrt();
    Estimate {
        value,
        standard_error: value / (2.0 * freedom).sqrt(),
        low: end(0.5 + LEVEL / 2.0),
        high: end(0.5 - LEVEL / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn complete_rounds_have_students_interval_of_their_means() {
        let rounds: [&[f64]; 4] = [&[10.0, -6.0], &[4.0, 2.0], &[12.0, 0.0], &[-3.0, -1.0]];
        let found = bounds(&rounds).unwrap();
        let means = crate::estimate::of_mean("rounds", &[2.0, 3.0, 6.0, -2.0]).unwrap();
        near(found.error_ms.value, means.value, 1e-12);
        near(found.error_ms.low, means.low, 1e-9);
        let absolute = found.absolute_error_ms.unwrap();
        near(absolute.value, 4.75, 1e-12);
        near(absolute.value / absolute.low, absolute.high / absolute.value, 1e-9);
    }

    #[test]
    fn a_single_interval_has_the_usual_interval_of_its_sd() {
        let rounds: [&[f64]; 5] = [&[1.0], &[2.0], &[3.0], &[4.0], &[5.0]];
        let sd = bounds(&rounds).unwrap().sd_ms.unwrap();
        near(sd.value, 2.5_f64.sqrt(), 1e-12);
        // √(4 · 2.5 / 11.143286781878) and √(4 · 2.5 / 0.484418557088)
        near(sd.low, (10.0_f64 / 11.143_286_781_878).sqrt(), 1e-9);
        near(sd.high, (10.0_f64 / 0.484_418_557_088).sqrt(), 1e-9);
    }

    #[test]
    fn intervals_that_vary_as_one_count_as_one() {
        let alone: [&[f64]; 3] = [&[1.0], &[5.0], &[3.0]];
        let as_one: [&[f64]; 3] = [&[1.0, 11.0], &[5.0, 15.0], &[3.0, 13.0]];
        let of = |rounds: &[&[f64]]| bounds(rounds).unwrap().sd_ms.unwrap();
        near(of(&as_one).high, of(&alone).high, 1e-9);
    }

    #[test]
    fn rounds_that_break_off_count_for_what_they_have() {
        let rounds: [&[f64]; 3] = [&[10.0, 20.0, 30.0], &[14.0], &[12.0, 22.0]];
        let found = bounds(&rounds).unwrap();
        near(found.error_ms.value, 108.0 / 6.0, 1e-12);
        let sd = found.sd_ms.unwrap();
        // Squares 8 and 2, by 2 + 1 degrees of freedom.
        near(sd.value, (10.0_f64 / 3.0).sqrt(), 1e-12);
        assert!(sd.low < sd.value && sd.value < sd.high && sd.high.is_finite(), "{sd:?}");
    }

    #[test]
    fn one_round_and_errors_that_do_not_vary_pretend_nothing() {
        let why = bounds(&[&[1.0, 2.0, 3.0]]).unwrap_err();
        assert_eq!(why.to_string(), "1 rounds are too few: at least 2 are needed");
        let none = bounds(&[&[0.0, 0.0], &[0.0, 0.0]]).unwrap();
        assert_eq!((none.sd_ms, none.absolute_error_ms), (None, None));
        assert_eq!((none.error_ms.low, none.error_ms.high), (0.0, 0.0));
    }
}
