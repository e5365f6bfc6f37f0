//! [`compare`]: results of several machines, kernels or tunings side by side, and
//! whether a difference is more than the runs differ among themselves.
//!
//! Background: a p99 of 25 us here and of 31 us there may be two machines, or two
//! Tuesdays. Solution: files with the same label are repeated runs of one thing. Where
//! both things were run several times, their ranges are looked at; where not, only how
//! well each single run fixes its own figure is known, and that is said. The rule is
//! [`RULE`], in words. Figures from the literature stand beside each row and are never
//! counted in it.

mod key;
mod rows;
mod spread;

pub use spread::{Agreement, RULE};

use crate::{Conditions, Published, Quantity, Results, Statistic, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;

/// Results side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Always `chronotap timing comparison`.
    pub kind: &'static str,
    /// Version of this form.
    pub version: u32,
    /// The labels, in the order in which they were given; the first is the reference.
    pub labels: Vec<String>,
    /// How many files have each.
    pub runs: Vec<usize>,
    /// What was measured, one row for each test, quantity and set of conditions.
    pub rows: Vec<Row>,
    /// The rule by which differences are judged.
    pub rule: &'static str,
}

/// One quantity of one test under one set of conditions. The cores of a machine count
/// together, and so do the runs of a test within a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The test.
    pub test: String,
    /// The quantity.
    pub quantity: Quantity,
    /// The conditions.
    pub conditions: Conditions,
    /// What each label has; `None` where it was not measured.
    pub cells: Vec<Option<Cell>>,
    /// How each later label that has it differs from the first that has it.
    pub differences: Vec<Difference>,
    /// What others found.
    pub published: Vec<Published>,
}

/// What one label has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Of all its runs together.
    pub statistics: Statistics,
    /// Least, median and greatest of each statistic over the runs, in nanoseconds.
    pub over_runs: BTreeMap<&'static str, [f64; 3]>,
    /// How many runs.
    pub runs: usize,
}

/// How a figure differs from the same figure of the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Index of the reference's label.
    pub reference: usize,
    /// Index of the other label.
    pub other: usize,
    /// Which figure.
    pub statistic: Statistic,
    /// The reference's, in nanoseconds: the median over its runs.
    pub reference_ns: f64,
    /// The other's.
    pub other_ns: f64,
    /// What can be said of it.
    pub agreement: Agreement,
}

impl Difference {
    /// Index of the label that has less of it; `None` where they are equal.
    pub fn better(&self) -> Option<usize> {
        match self.reference_ns.total_cmp(&self.other_ns) {
            std::cmp::Ordering::Less => Some(self.reference),
            std::cmp::Ordering::Greater => Some(self.other),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// How many times the better one goes into the other, where both are above 0.
    pub fn ratio(&self) -> Option<f64> {
        let (less, more) =
            (self.reference_ns.min(self.other_ns), self.reference_ns.max(self.other_ns));
        (less > 0.0).then(|| more / less)
    }
}

/// Compares results. Those with the same label are runs of the same thing. Beside each
/// row stand those of the published `figures` that are comparable with it.
pub fn compare(all: &[Results], figures: &[Published]) -> Comparison {
    let mut labels: Vec<String> = Vec::new();
    for results in all {
        if !labels.contains(&results.label) {
            labels.push(results.label.clone());
        }
    }
    let of = |label: &String| all.iter().filter(|results| results.label == *label).collect();
    let columns: Vec<Vec<&Results>> = labels.iter().map(of).collect();
    Comparison {
        kind: "chronotap timing comparison",
        version: 1,
        runs: columns.iter().map(Vec::len).collect(),
        rows: rows::rows(&columns, figures),
        labels,
        rule: RULE,
    }
}

#[cfg(test)]
mod tests;
