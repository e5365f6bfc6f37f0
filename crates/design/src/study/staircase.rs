//! [`Staircase`]: what `[staircase.NAME]` says. What it does after each answer is in
//! `run.rs`.

use crate::study::setting::toml;
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;

/// One staircase: a parameter that follows the answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Staircase {
    pub name: String,
    /// The key of the trial file that it sets.
    pub path: Vec<String>,
    /// Whether levels are times in nanoseconds; else plain numbers.
    pub timed: bool,
    /// The level of the first trial.
    pub start: f64,
    /// What an answer does to the level.
    pub rule: StaircaseRule,
    /// Least and greatest level.
    pub between: (f64, f64),
    /// When it has its threshold.
    pub stop: StaircaseStop,
    /// Trials after which it stops in any case.
    pub at_most: u32,
    /// Which answer is correct.
    pub correct: AnswerCounts,
    /// From when on a tap is an answer.
    pub answer: AnswersFrom,
    /// Whether no answer counts as wrong; else the level is tried again.
    pub none_is_wrong: bool,
}

/// What an answer does to the level of a staircase.
#[derive(Clone, Debug, PartialEq)]
pub enum StaircaseRule {
    /// It goes up or down by steps.
    UpDown(UpDown),
    /// It goes to where the next answer tells most.
    Quest(Quest),
}

/// A staircase that goes up and down by steps.
#[derive(Clone, Debug, PartialEq)]
pub struct UpDown {
    /// So many correct answers in a row take the level down.
    pub down: u32,
    /// So many wrong answers in a row take the level up.
    pub up: u32,
    /// Sizes of a step, one on at each reversal; the last stays.
    pub sizes: Vec<f64>,
    /// Whether the sizes are factors, by which a level is multiplied or divided; else they are
    /// added or taken off.
    pub factors: bool,
    /// A step up is so many times a step down (Kaernbach's weighted rule); 1 for equal steps. Of
    /// a factor it is the power.
    pub weight: f64,
}

/// A Bayesian staircase: what it takes for granted of the psychometric function, which is
/// logistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quest {
    /// The distance of levels over which answers go from 5 % to 95 % of their way.
    pub width: f64,
    /// The share of correct answers far below the threshold.
    pub guess: f64,
    /// The share of wrong answers far above it.
    pub lapse: f64,
    /// How far thresholds are thought to spread around the level of the first trial: a standard
    /// deviation; `None` where all between the bounds are equally likely.
    pub prior_sd: Option<f64>,
}

/// When a staircase has its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StaircaseStop {
    /// After so many reversals.
    Reversals(u32),
    /// After so many answered trials.
    Trials(u32),
    /// As soon as the threshold's standard deviation is below this; of a Bayesian one.
    Sd(f64),
}

/// From when on a tap of a trial is an answer; a tap before that is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// From the last tone of the stream that ends last; from the start of the trial where no
    /// stream ends.
    #[default]
    LastTone,
    /// So long after the last tone of a stream.
    After {
        stream: String,
        delay: Nanos,
        /// The line of the experiment file that says so.
        line: usize,
    },
    /// From this time of the trial.
    Time(Nanos),
}

/// Which answer counts as correct. Any other tap is a wrong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerCounts {
    /// A tap on this note.
    Note(U7),
}

impl UpDown {
    /// The share of correct answers at which the level goes neither up nor down on average: `down` correct answers in a
    /// row come as often as `weight` times `up` wrong ones (Levitt 1971; Kaernbach 1991).
    pub fn aim(&self) -> f64 {
        let (mut least, mut most) = (0.0, 1.0);
        for _ in 0..60 {
            let share = (least + most) / 2.0;
            let goes_up = self.falls(share) < self.weight * (1.0 - self.falls(share));
            if goes_up { least = share } else { most = share }
        }
        (least + most) / 2.0
    }

    /// How often the next move is one down, where answers are correct so often (Feller 1968, XIII.8).
    fn falls(&self, share: f64) -> f64 {
        let power = |of: f64, n: u32| libm::pow(of, f64::from(n));
        let down = power(share, self.down.saturating_sub(1));
        let up = power(1.0 - share, self.up.saturating_sub(1));
        down * (1.0 - power(1.0 - share, self.up)) / (down + up - down * up)
    }
}

impl Staircase {
    /// A level as it stands in a trial file: a time with its unit, or a plain number.
    pub fn toml(&self, level: f64) -> String {
        toml(level, self.timed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levitt (1971), Table I: 2 down 1 up 70.7 %, 3 down 1 up 79.4 %, 1 down 2 up 29.3 %, 4 down 1 up 84.1 %. Kaernbach
    /// (1991): steps up three times as large find 75 %.
    #[test]
    fn rules_aim_at_the_shares_of_the_literature() {
        for (down, up, weight, share) in [
            (1, 1, 1.0, 0.5),
            (2, 1, 1.0, 0.707),
            (3, 1, 1.0, 0.794),
            (4, 1, 1.0, 0.841),
            (1, 2, 1.0, 0.293),
            (1, 1, 3.0, 0.75),
        ] {
            let rule = UpDown { down, up, sizes: vec![1.0], factors: false, weight };
            assert!((rule.aim() - share).abs() < 5e-4, "{down} {up} {weight}: {}", rule.aim());
        }
    }
}
