//! [`compare`]: results of several machines, kernels or tunings side by side, and
//! whether a difference is more than the runs differ among themselves.
//!
//! Background: a p99 of 25 us here and of 31 us there may be two machines, or two
//! Tuesdays. Solution: files with the same label are repeated runs of one thing. Where
//! both things were run several times, their ranges are looked at; where not, only how
//! well each single run fixes its own figure is known, and that is said. The rule is
//! [`RULE`], in words. Figures from the literature stand beside each row and are never
//! counted in it.

mod apart;
mod key;
mod rows;
mod spread;

pub use key::{SEEN_BY, is_user};
pub use spread::{Agreement, RULE};

use crate::{
    Amount, BetterWhen, Conditions, MeasureUnit, Published, Quantity, Results, Statistics,
};
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
    pub rows: Vec<ComparedRow>,
    /// What two labels have both and nothing was compared of, and why.
    pub apart: Vec<Apart>,
    /// The rule by which differences are judged.
    pub rule: &'static str,
}

/// One quantity of one test under one set of conditions. The cores of a machine count
/// together, and so do the runs of a test within a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    pub test: String,
    pub quantity: Quantity,
    /// The conditions, those that are the same in all cells.
    pub conditions: Conditions,
    /// Those that are not: what was granted, and where it ran.
    pub differing: Vec<Differing>,
    /// What each label has; `None` where it was not measured.
    pub cells: Vec<Option<LabelCell>>,
    /// How each later label that has it differs from the first that has it.
    pub differences: Vec<MeasureDifference>,
    /// What others found.
    pub published: Vec<Published>,
}

/// A condition that is not the same in all cells of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    /// Its name; `refused` names rights that were asked for and not granted.
    pub condition: String,
    /// What it is for each label; `None` where that is not told.
    pub values: Vec<Option<String>>,
}

/// What one label has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelCell {
    /// The measures by which it is compared, the papers' own first.
    pub measures: Vec<MeasuredLabel>,
    /// Of all its runs together.
    pub statistics: Statistics,
    /// Least, median and greatest of each statistic over the runs, in nanoseconds.
    pub over_runs: BTreeMap<&'static str, [f64; 3]>,
    /// How many runs.
    pub runs: usize,
}

/// A measure of what one label has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredLabel {
    /// Its name, which tells the unit.
    pub measure: String,
    pub title: &'static str,
    pub unit: MeasureUnit,
    /// Which way is better, where that can be said.
    pub better: Option<BetterWhen>,
    /// Of each run, in the order of the files.
    pub values: Vec<Amount>,
    /// The least over the runs.
    pub least: Amount,
    /// The median over the runs.
    pub median: Amount,
    /// The greatest over the runs.
    pub greatest: Amount,
}

/// How a measure differs from the same measure of the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureDifference {
    /// Index of the reference's label.
    pub reference: usize,
    /// Index of the other label.
    pub other: usize,
    pub measure: String,
    pub title: &'static str,
    pub unit: MeasureUnit,
    /// The reference's: the median over its runs.
    pub reference_value: Amount,
    /// The other's.
    pub other_value: Amount,
    /// Index of the label that has less of it; `None` where they are equal.
    pub less: Option<usize>,
    /// Index of the better label; `None` where they are equal, or where it cannot be said.
    pub better: Option<usize>,
    /// How many times the lesser goes into the greater, where it is above 0.
    pub ratio: Option<f64>,
    /// What can be said of it.
    pub agreement: Agreement,
}

/// Why two labels that have the same quantity share no row of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Apart {
    pub test: String,
    pub quantity: Quantity,
    /// Index of the reference's label.
    pub reference: usize,
    /// Index of the other label.
    pub other: usize,
    /// The conditions in which the nearest of their series differ, with what either has; none
    /// where several would fit.
    pub conditions: Vec<(String, Option<String>, Option<String>)>,
}

/// Compares results. Those with the same label are runs of the same thing. Beside each
/// row stand those of the published `figures` that measured the same.
pub fn compare(all: &[Results], figures: &[Published]) -> Comparison {
    let mut labels: Vec<String> = Vec::new();
    for results in all {
        if !labels.contains(&results.label) {
            labels.push(results.label.clone());
        }
    }
    let of = |label: &String| all.iter().filter(|results| results.label == *label).collect();
    let columns: Vec<Vec<&Results>> = labels.iter().map(of).collect();
    let joined = rows::joined(&columns);
    Comparison {
        kind: "chronotap timing comparison",
        version: 2,
        runs: columns.iter().map(Vec::len).collect(),
        rows: joined.iter().filter_map(|row| rows::row(row, figures)).collect(),
        apart: apart::apart(&joined, labels.len()),
        labels,
        rule: RULE,
    }
}

#[cfg(test)]
mod tests;
