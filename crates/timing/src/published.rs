//! [`PUBLISHED`]: figures from the literature, and which series each is comparable with.
//!
//! They stand beside what was measured, in the page and in comparisons. A figure is
//! never a limit, and its machine is named with it. Figures that no test here could
//! give (round trips through sound cards, tap to sound) are deliberately not in it;
//! nor are figures of which only an abstract could be read.

use crate::{Quantity, Series, Statistic};
use serde::Serialize;

mod table;

pub use table::PUBLISHED;

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

/// The figures that a series of a test can be compared with.
pub fn published(test: &str, series: &Series) -> Vec<Published> {
    PUBLISHED.iter().copied().filter(|figure| figure.matches(test, series)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn steps(scheduling: &str, load: &str) -> Vec<Published> {
        let conditions = [("scheduling", scheduling), ("load", load), ("variant", "runs")];
        published("clock", &Series::of(Quantity::ClockStep, &conditions, Histogram::new()))
    }

    #[test]
    fn each_cell_of_table_1_stands_beside_its_own_conditions() {
        let max = |found: Vec<Published>| {
            assert_eq!(found.len(), 3, "{found:?}");
            found.iter().find(|one| one.statistic == Statistic::Max).unwrap().value_ns
        };
        assert_eq!(max(steps("ordinary", "none")), 246_000.0);
        assert_eq!(max(steps("ordinary", "contending")), 840_019_000.0);
        assert_eq!(max(steps("nice -20, memory locked", "none")), 322_000.0);
        assert_eq!(max(steps("SCHED_FIFO 80, memory locked", "contending")), 69_000.0);
        assert!(steps("deadline", "none").is_empty());
    }

    #[test]
    fn figures_of_one_test_stand_beside_no_other() {
        let conditions = [("scheduling", "SCHED_FIFO 90, memory locked"), ("load", "none")];
        let series = Series::of(Quantity::Lateness, &conditions, Histogram::new());
        assert!(!published("wakeup", &series).is_empty());
        assert!(published("waits", &series).is_empty());
    }
}
