//! [`Staircase`]: what `[staircase.NAME]` says. What it does after each answer is in
//! `climb.rs`.

use crate::derive::written;
use chronotap_midi::U7;

/// One staircase: a parameter that follows the answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Staircase {
    /// Its name.
    pub name: String,
    /// The key of the trial file that it sets.
    pub path: Vec<String>,
    /// Whether levels are times in nanoseconds; else plain numbers.
    pub timed: bool,
    /// The level of the first trial.
    pub start: f64,
    /// So many correct answers in a row take the level down.
    pub down: u32,
    /// So many wrong answers in a row take the level up.
    pub up: u32,
    /// Sizes of a step, one on at each reversal; the last stays.
    pub sizes: Vec<f64>,
    /// A step up is so many times a step down (Kaernbach's weighted rule); 1 for equal steps.
    pub weight: f64,
    /// Least and greatest level.
    pub between: (f64, f64),
    /// When it has its threshold.
    pub stop: Stop,
    /// Trials after which it stops in any case.
    pub at_most: u32,
    /// Which answer is correct.
    pub correct: AnswerCounts,
    /// Whether no answer counts as wrong; else the level is tried again.
    pub none_is_wrong: bool,
}

/// When a staircase has its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// After so many reversals.
    Reversals(u32),
    /// After so many answered trials.
    Trials(u32),
}

/// Which answer counts as correct. Any other tap is a wrong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerCounts {
    /// A tap on this note.
    Note(U7),
}

impl Staircase {
    /// A level as it stands in a trial file: a time with its unit, or a plain number.
    pub fn toml(&self, level: f64) -> String {
        let written = written(level, self.timed);
        if self.timed { toml_edit::Value::from(written).to_string() } else { written }
    }
}
