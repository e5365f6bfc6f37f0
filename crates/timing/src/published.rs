//! [`Published`]: a figure from the literature, and which series it is comparable with.
//!
//! Such figures stand beside what was measured, in the page and in comparisons. A figure
//! is never a limit, and its machine is named with it. The figures themselves are
//! deliberately not here: the table is in `chronotap-studies`.

use crate::{Quantity, Series, Statistic};
use serde::Serialize;

/// A figure from the literature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Who and when.
    pub source: &'static str,
    /// Where it can be read.
    pub place: &'static str,
    /// On which machine and system.
    pub system: &'static str,
    /// The test of this program that measures the same.
    pub test: &'static str,
    /// What was measured.
    pub quantity: Quantity,
    /// Which of its numbers.
    pub statistic: Statistic,
    /// The number, in nanoseconds.
    pub value_ns: f64,
    /// Which conditions a series must have to be compared with it.
    #[serde(skip)]
    pub conditions: &'static [(&'static str, Like)],
}

/// What the value of a condition must be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// This word.
    Is(&'static str),
    /// Anything that begins so, as `SCHED_FIFO` with any priority.
    Begins(&'static str),
}

impl Like {
    fn holds(self, value: &str) -> bool {
        match self {
            Like::Is(word) => value == word,
            Like::Begins(word) => value.starts_with(word),
        }
    }
}

impl Published {
    /// Whether a series of a test measured the same.
    pub fn matches(&self, test: &str, series: &Series) -> bool {
        let agrees = |(name, like): &(&str, Like)| {
            series.condition(name).is_some_and(|value| like.holds(value))
        };
        test == self.test && series.quantity == self.quantity && self.conditions.iter().all(agrees)
    }
}

/// Those of the figures that a series of a test can be compared with.
pub fn comparable(figures: &[Published], test: &str, series: &Series) -> Vec<Published> {
    figures.iter().copied().filter(|figure| figure.matches(test, series)).collect()
}
