//! The rows of a comparison: which series are the same thing.

use super::key::Key;
use super::spread::{Sample, agreement};
use super::{Cell, Difference, Row};
use crate::{
    Found, Histogram, Published, Quantity, Results, Series, Statistic, Statistics, comparable,
};

/// All rows, in the order in which their series stand in the files.
pub(super) fn rows(columns: &[Vec<&Results>], figures: &[Published]) -> Vec<Row> {
    let mut keys: Vec<Key> = Vec::new();
    // What another program left undersaid finds its place among our own.
    for ours in [true, false] {
        let files = columns.iter().flatten().filter(|results| is_ours(results) == ours);
        for (found, series) in files.flat_map(|results| all_series(results)) {
            let key = Key::of(found, series);
            if !keys.iter().any(|known| known.takes(&key, ours)) {
                keys.push(key);
            }
        }
    }
    keys.iter().map(|key| row(key, columns, figures)).collect()
}

fn is_ours(results: &Results) -> bool {
    results.program.starts_with("chronotap")
}

fn all_series(results: &Results) -> impl Iterator<Item = (&Found, &Series)> {
    let pairs = results.tests.iter().flat_map(|found| std::iter::repeat(found).zip(&found.series));
    pairs.filter(|(_, series)| series.statistics.n > 0 && !is_clock(series))
}

/// Whether it describes a clock of the system: its steps are the clock's, not a
/// machine's, and comparing them says nothing.
fn is_clock(series: &Series) -> bool {
    series.figures.contains_key("resolution_ns")
}

fn row(key: &Key, columns: &[Vec<&Results>], figures: &[Published]) -> Row {
    let samples: Vec<Vec<Histogram>> = columns
        .iter()
        .map(|runs| runs.iter().filter_map(|run| pooled(key, run)).collect())
        .collect();
    let like = Series {
        conditions: key.conditions.clone(),
        ..Series::of(key.quantity, &[], Histogram::new())
    };
    Row {
        test: key.test.clone(),
        quantity: key.quantity,
        conditions: key.conditions.clone(),
        cells: samples.iter().map(|runs| cell(runs)).collect(),
        differences: differences(key.quantity, &samples),
        published: comparable(figures, &key.test, &like),
    }
}

/// What a file has of a row, all cores and runs of the test together.
fn pooled(key: &Key, results: &Results) -> Option<Histogram> {
    let mut all: Option<Histogram> = None;
    for (found, series) in all_series(results) {
        if key.takes(&Key::of(found, series), is_ours(results)) {
            all.get_or_insert_with(Histogram::new).merge(&series.histogram);
        }
    }
    all
}

fn cell(runs: &[Histogram]) -> Option<Cell> {
    let mut all = runs.first()?.clone();
    runs[1..].iter().for_each(|run| all.merge(run));
    let over_runs = Statistic::ALL.into_iter().filter_map(|which| {
        let sample = Sample::of(which, runs)?;
        Some((which.name(), [sample.least, sample.median, sample.greatest]))
    });
    Some(Cell {
        statistics: Statistics::of(&all),
        over_runs: over_runs.collect(),
        runs: runs.len(),
    })
}

fn differences(quantity: Quantity, samples: &[Vec<Histogram>]) -> Vec<Difference> {
    let Some(reference) = samples.iter().position(|runs| !runs.is_empty()) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (other, runs) in samples.iter().enumerate().skip(reference + 1) {
        for statistic in Statistic::compared(quantity).iter().copied() {
            let (Some(a), Some(b)) =
                (Sample::of(statistic, &samples[reference]), Sample::of(statistic, runs))
            else {
                continue;
            };
            all.push(Difference {
                reference,
                other,
                statistic,
                reference_ns: a.median,
                other_ns: b.median,
                agreement: agreement(statistic, &a, &b),
            });
        }
    }
    all
}
