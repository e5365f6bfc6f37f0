//! [`Observer`]: a simulated participant who judges: it listens to the end and presses one key. Which,
//! is decided before the trial by [`Observer::is_right`]; [`Answer`](super::KeyAnswer) presses it.
//!
//! The model is that of signal detection with two alternatives (Green & Swets 1966): what is heard
//! is the difference x with normal noise, and the answer is right where that is above 0. The
//! threshold is the x at which that is so in 70.7 % of the trials, what "2 down 1 up" finds (Levitt
//! 1971). In the share `lapse` of the trials the answer is guessed. `bias` is added to x where the
//! lowest of the keys is right and taken off where another is.

use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// The standard normal deviate below which 70.7 % lie.
const Z: f64 = 0.544_952;
/// A level of a staircase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StaircaseLevel {
    #[serde(serialize_with = "ns")]
    Time(Nanos),
    Number(f64),
}

impl StaircaseLevel {
    /// As a number: nanoseconds of a time.
    pub fn value(self) -> f64 {
        match self {
            StaircaseLevel::Time(time) => time.0 as f64,
            StaircaseLevel::Number(number) => number,
        }
    }

    pub fn is_time(self) -> bool {
        matches!(self, StaircaseLevel::Time(_))
    }
}

impl Display for StaircaseLevel {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            StaircaseLevel::Time(time) => write!(f, "{} ms", time.as_millis_f64()),
            StaircaseLevel::Number(number) => number.fmt(f),
        }
    }
}

/// How a simulated participant judges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Observer {
    /// What is heard in 70.7 % of the trials; `None` is a quarter of a staircase's first level.
    pub threshold: Option<StaircaseLevel>,
    /// The same where none is stated and an interval is judged, as a share of it; 0 is none. Several equal
    /// intervals make it smaller by the root of their number.
    pub discern: f64,
    /// Share of trials in which the answer is guessed.
    pub lapse: f64,
    /// What the lowest key is liked better by, in the unit of the threshold.
    pub bias: Option<StaircaseLevel>,
    /// Mean time from the last tone to the answer.
    #[serde(rename = "reaction_ns", serialize_with = "ns")]
    pub reaction: Nanos,
}

impl Observer {
    pub(super) const USUAL: Observer = Observer {
        threshold: None,
        discern: 0.0,
        lapse: 0.0,
        bias: None,
        reaction: Nanos::from_millis(500),
    };

    /// Whether the answer at this level is right; `start` is the first level, and `lowest` says
    /// whether the lowest key is the right one. Both levels are above 0.
    pub fn is_right(&self, level: f64, start: f64, lowest: bool, random: &mut Random) -> bool {
        let (guesses, guess, noise) = (random.uniform(), random.uniform(), random.normal());
        if guesses < self.lapse {
            return guess < 0.5;
        }
        let threshold = self.threshold.map_or(start / 4.0, StaircaseLevel::value);
        let bias = self.bias.map_or(0.0, StaircaseLevel::value) * if lowest { 1.0 } else { -1.0 };
        noise < Z * (level + bias) / threshold
    }
}

pub(super) fn ns<S: serde::Serializer>(time: &Nanos, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(time.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_1_SQRT_2;

    fn share(observer: Observer, level: f64, lowest: bool) -> f64 {
        let mut random = Random::named(1, "observer");
        let right = |_: &u32| observer.is_right(level, 240.0, lowest, &mut random);
        f64::from((0..200_000).filter(right).count() as u32) / 200_000.0
    }

    #[test]
    fn at_the_threshold_71_percent_of_the_answers_are_right_and_without_a_difference_half() {
        let observer =
            Observer { threshold: Some(StaircaseLevel::Number(60.0)), ..Observer::USUAL };
        assert!((share(observer, 60.0, true) - FRAC_1_SQRT_2).abs() < 0.005);
        assert!((share(observer, 0.0, true) - 0.5).abs() < 0.005);
        assert!(
            (share(Observer::USUAL, 60.0, false) - FRAC_1_SQRT_2).abs() < 0.005,
            "a quarter of 240"
        );
    }

    #[test]
    fn lapses_are_guessed_and_a_bias_helps_one_answer_as_it_hinders_the_other() {
        let sure = Observer { lapse: 0.1, ..Observer::USUAL };
        assert!((share(sure, 1e6, true) - 0.95).abs() < 0.005);
        let bias = Some(StaircaseLevel::Number(60.0));
        let biased = Observer { bias, ..Observer::USUAL };
        // Phi(2 z) and Phi(0).
        assert!((share(biased, 60.0, true) - 0.8622).abs() < 0.005);
        assert!((share(biased, 60.0, false) - 0.5).abs() < 0.005);
    }
}
