//! [`Published`]: a figure from the literature, and which series it is comparable with.
//!
//! Such figures stand beside what was measured, in the page and in comparisons. A figure
//! is never a limit, and its machine is named with it. The figures themselves are
//! beside this file: the table is in `figures.rs`.

mod figures;
mod finney;

pub use figures::{PUBLISHED, published};
pub use finney::{TableRow, finney_2001};

use crate::{MeasureSource, MeasureUnit, Quantity, SampleSeries};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// A figure from the literature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Who and when.
    pub source: &'static str,
    /// Where in it: its table, figure or section.
    pub place: &'static str,
    /// On which machine and system.
    pub system: &'static str,
    /// Beside which load, at what interval and by which clock or program, as far as the source tells it
    /// and [`Published::conditions`] do not; else empty.
    pub under: &'static str,
    /// The test of this program that measures the same.
    pub test: &'static str,
    pub quantity: Quantity,
    /// Which of its numbers.
    #[serde(serialize_with = "name", rename = "measure")]
    pub of: MeasureSource,
    /// Words before the number, such as `<` or `almost`, where the source says no more; else empty.
    pub bound: &'static str,
    /// The number, in its unit.
    pub value: f64,
    /// The unit, that of the source.
    pub unit: MeasureUnit,
    /// Why it cannot be compared with ours, where it cannot.
    pub not_comparable: Option<&'static str>,
    /// Which conditions a series must have to stand beside it.
    #[serde(skip)]
    pub conditions: &'static [(&'static str, Like)],
}

fn name<S: Serializer>(of: &MeasureSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(of.name())
}

/// What the value of a condition must be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// This word.
    Is(&'static str),
    /// Anything that begins so, as `SCHED_FIFO` with any priority.
    Begins(&'static str),
    /// Anything in which both stand, in small letters or capitals.
    Has(&'static str, &'static str),
}

impl Like {
    fn holds(self, value: &str) -> bool {
        match self {
            Like::Is(word) => value == word,
            Like::Begins(word) => value.starts_with(word),
            Like::Has(one, other) => {
                let value = value.to_lowercase();
                value.contains(one) && value.contains(other)
            }
        }
    }
}

/// As a person reads it: `SCHED_FIFO`, or `reverbdesigner light`.
impl Display for Like {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Like::Is(word) | Like::Begins(word) => f.write_str(word),
            Like::Has(one, other) => write!(f, "{one} {other}"),
        }
    }
}

impl Published {
    /// Whether a series of a test measured the same.
    pub fn matches(&self, test: &str, series: &SampleSeries) -> bool {
        let agrees = |(name, like): &(&str, Like)| {
            series.condition(name).is_some_and(|value| like.holds(value))
        };
        test == self.test && series.quantity == self.quantity && self.conditions.iter().all(agrees)
    }

    /// The number as people read it: `< 4.00 ms`.
    pub fn said(&self) -> String {
        let space = if self.bound.is_empty() { "" } else { " " };
        format!("{}{space}{}", self.bound, self.unit.said(self.value))
    }
}

/// Those of the figures that stand beside a series of a test.
pub fn comparable(figures: &[Published], test: &str, series: &SampleSeries) -> Vec<Published> {
    figures.iter().copied().filter(|figure| figure.matches(test, series)).collect()
}
