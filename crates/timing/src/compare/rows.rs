//! The rows of a comparison: which series are the same thing.
//!
//! Series of ours that are alike in all conditions share a row. Of what is left, series of two
//! labels share one where they were asked for the same thing and nothing else could be meant:
//! what was granted and where it ran then differs, and the row says so. Series of another
//! program, which tells less, stand in every row that they do not contradict.

use super::key::{Key, refused};
use super::spread::{Run, Sample, agreement};
use super::{ComparedRow, Differing, LabelCell, MeasureDifference, MeasuredLabel};
use crate::{
    Amount, BetterWhen, Histogram, MachineMeasure, Published, Quantity, Results, SampleSeries,
    SampleStatistic, Statistics, TestFound, comparable, measures,
};
use std::collections::BTreeSet;

/// The series of one label that are the same thing; each run a file.
#[derive(Clone)]
pub(super) struct Group<'a> {
    pub(super) key: Key,
    refused: Option<String>,
    runs: Vec<Run<'a>>,
}

/// What each label has of a row.
pub(super) type Joined<'a> = Vec<Option<Group<'a>>>;

/// All rows, in the order in which their series stand in the files.
pub(super) fn joined<'a>(columns: &[Vec<&'a Results>]) -> Vec<Joined<'a>> {
    let mut rows: Vec<Joined<'a>> = Vec::new();
    for (column, files) in columns.iter().enumerate() {
        join_ours(&mut rows, (column, columns.len()), groups(files, true));
    }
    // What another program left undersaid finds its place among our own.
    for (column, files) in columns.iter().enumerate() {
        for theirs in groups(files, false) {
            join_theirs(&mut rows, (column, columns.len()), &theirs);
        }
    }
    rows
}

/// What one label has, in the order of its files.
fn groups<'a>(files: &[&'a Results], ours: bool) -> Vec<Group<'a>> {
    let mut all: Vec<Group<'a>> = Vec::new();
    for results in files.iter().filter(|results| is_ours(results) == ours) {
        let mut of_file: Vec<Group<'a>> = Vec::new();
        for (found, series) in all_series(results) {
            let key = Key::of(found, series);
            match of_file.iter_mut().find(|group| group.key.is(&key)) {
                Some(group) => group.runs[0].add(series),
                None => of_file.push(Group {
                    refused: refused(found),
                    runs: vec![Run::of(series)],
                    key,
                }),
            }
        }
        for group in of_file {
            match all.iter_mut().find(|other| other.key.is(&group.key)) {
                Some(other) => other.runs.extend(group.runs),
                None => all.push(group),
            }
        }
    }
    all
}

fn join_ours<'a>(
    rows: &mut Vec<Joined<'a>>,
    (column, columns): (usize, usize),
    groups: Vec<Group<'a>>,
) {
    let mut left = Vec::new();
    for group in groups {
        let alike = |one: &Group<'_>| one.key.is(&group.key);
        let same = |row: &&mut Joined<'_>| row[column].is_none() && row.iter().flatten().any(alike);
        match rows.iter_mut().find(same) {
            Some(row) => row[column] = Some(group),
            None => left.push(group),
        }
    }
    for group in &left {
        let asked = |one: &Group<'_>| one.key.asks_what(&group.key);
        let fits = |row: &Joined<'_>| row[column].is_none() && row.iter().flatten().any(asked);
        let rivals = left.iter().filter(|one| asked(one)).count();
        let places: Vec<usize> = (0..rows.len()).filter(|n| fits(&rows[*n])).collect();
        match places[..] {
            [place] if rivals == 1 => rows[place][column] = Some(group.clone()),
            _ => rows.push(alone(group, column, columns)),
        }
    }
}

fn join_theirs<'a>(
    rows: &mut Vec<Joined<'a>>,
    (column, columns): (usize, usize),
    theirs: &Group<'a>,
) {
    let mut found = false;
    for row in rows.iter_mut() {
        let takes = row.iter().flatten().next().is_some_and(|first| first.key.takes(&theirs.key));
        if takes {
            found = true;
            match &mut row[column] {
                Some(group) => group.runs.extend(theirs.runs.iter().cloned()),
                empty => *empty = Some(theirs.clone()),
            }
        }
    }
    if !found {
        rows.push(alone(theirs, column, columns));
    }
}

fn alone<'a>(group: &Group<'a>, column: usize, columns: usize) -> Joined<'a> {
    (0..columns).map(|n| (n == column).then(|| group.clone())).collect()
}

fn is_ours(results: &Results) -> bool {
    results.program.starts_with("chronotap")
}

fn all_series(results: &Results) -> impl Iterator<Item = (&TestFound, &SampleSeries)> {
    let pairs = results.tests.iter().flat_map(|found| std::iter::repeat(found).zip(&found.series));
    pairs.filter(|(_, series)| series.statistics.n > 0 && !series.is_of_a_clock())
}

/// A row as it is shown; `None` where nobody has anything.
pub(super) fn row(joined: &Joined<'_>, figures: &[Published]) -> Option<ComparedRow> {
    let first = joined.iter().flatten().next()?;
    let (test, quantity) = (first.key.test.clone(), first.key.quantity);
    let differing = differing(joined);
    let mut conditions = first.key.conditions.clone();
    differing.iter().for_each(|one| drop(conditions.remove(&one.condition)));
    Some(ComparedRow {
        cells: joined.iter().map(|group| Some(cell(quantity, &group.as_ref()?.runs))).collect(),
        differences: differences(quantity, joined),
        published: published(joined, figures),
        test,
        quantity,
        conditions,
        differing,
    })
}

/// The conditions that are not the same in all that share the row, and the rights.
fn differing(joined: &Joined<'_>) -> Vec<Differing> {
    let groups = || joined.iter().flatten();
    let names: BTreeSet<&String> = groups().flat_map(|group| group.key.conditions.keys()).collect();
    let of = |name: &str| {
        let value = |group: &Group<'_>| group.key.conditions.get(name).cloned();
        joined.iter().map(|group| group.as_ref().and_then(value)).collect::<Vec<_>>()
    };
    // What another program does not tell is no difference.
    let differs = |values: &[Option<String>]| {
        let told: BTreeSet<&String> = values.iter().flatten().collect();
        told.len() > 1
    };
    let named = names.into_iter().map(|name| (name.clone(), of(name)));
    let rights = joined.iter().map(|group| group.as_ref()?.refused.clone());
    let rights = ("refused".to_owned(), rights.collect::<Vec<_>>());
    named
        .chain([rights])
        .filter(|(_, values)| differs(values))
        .map(|(condition, values)| Differing { condition, values })
        .collect()
}

fn published(joined: &Joined<'_>, figures: &[Published]) -> Vec<Published> {
    let mut all: Vec<Published> = Vec::new();
    for Group { key, .. } in joined.iter().flatten() {
        let like = SampleSeries {
            conditions: key.conditions.clone(),
            ..SampleSeries::of(key.quantity, &[], Histogram::new())
        };
        let new = comparable(figures, &key.test, &like);
        all.extend(new.into_iter().filter(|figure| !all.contains(figure)).collect::<Vec<_>>());
    }
    all
}

fn cell(quantity: Quantity, runs: &[Run<'_>]) -> LabelCell {
    let mut all = Histogram::new();
    runs.iter().for_each(|run| all.merge(&run.histogram));
    let of_statistic = |which: SampleStatistic| {
        let mut values: Vec<f64> =
            runs.iter().filter_map(|run| which.of(&Statistics::of(&run.histogram))).collect();
        values.sort_by(f64::total_cmp);
        // Where one is not known, neither is their order.
        let all_known = values.len() == runs.len() && !values.is_empty();
        all_known.then(|| (which.name(), [values[0], middle(&values), values[values.len() - 1]]))
    };
    LabelCell {
        statistics: Statistics::of(&all),
        over_runs: SampleStatistic::ALL.into_iter().filter_map(of_statistic).collect(),
        runs: runs.len(),
        measures: measures(quantity).iter().filter_map(|one| measured(one, runs)).collect(),
    }
}

fn measured(measure: &MachineMeasure, runs: &[Run<'_>]) -> Option<MeasuredLabel> {
    let sample = Sample::of(measure, runs)?;
    Some(MeasuredLabel {
        measure: measure.name(),
        title: measure.title,
        unit: measure.unit,
        better: measure.better,
        values: runs.iter().filter_map(|run| run.value(measure)).collect(),
        least: sample.least,
        median: sample.median,
        greatest: sample.greatest,
    })
}

/// Of sorted values, of which there is one at least.
pub(super) fn middle(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    }
}

fn differences(quantity: Quantity, joined: &Joined<'_>) -> Vec<MeasureDifference> {
    let mut columns = joined.iter().enumerate();
    let mut columns = columns.by_ref().filter_map(|(n, group)| Some((n, &group.as_ref()?.runs)));
    let Some((reference, ours)) = columns.next() else { return Vec::new() };
    let mut all = Vec::new();
    for (other, theirs) in columns {
        let one = |measure: &MachineMeasure| {
            let (a, b) = (Sample::of(measure, ours)?, Sample::of(measure, theirs)?);
            difference(measure, (reference, &a), (other, &b))
        };
        all.extend(measures(quantity).iter().filter_map(one));
    }
    all
}

/// `None` where it is not known which is more: of neither more than that it lies beyond a table,
/// or of one no more than that, where the other lies farther out (`> 400 us` against 900 us).
fn difference(
    measure: &MachineMeasure,
    (reference, a): (usize, &Sample),
    (other, b): (usize, &Sample),
) -> Option<MeasureDifference> {
    let (ours, theirs) = (a.median, b.median);
    let hidden =
        |one: Amount, other: Amount| one.beyond && (other.beyond || other.value > one.value);
    if hidden(ours, theirs) || hidden(theirs, ours) {
        return None;
    }
    let told = agreement(measure, a, b)?;
    let less = match (ours.beyond, theirs.beyond) {
        (true, _) => other,
        (_, true) => reference,
        _ if ours.value < theirs.value => reference,
        _ => other,
    };
    let more = if less == reference { other } else { reference };
    let directed = told.tells_direction();
    let known = directed && !ours.beyond && !theirs.beyond;
    let (low, high) = (ours.value.min(theirs.value), ours.value.max(theirs.value));
    Some(MeasureDifference {
        reference,
        other,
        measure: measure.name(),
        title: measure.title,
        unit: measure.unit,
        reference_value: ours,
        other_value: theirs,
        less: directed.then_some(less),
        better: measure.better.filter(|_| directed).map(|better| match better {
            BetterWhen::Less => less,
            BetterWhen::More => more,
        }),
        ratio: (known && low > 0.0).then(|| high / low),
        agreement: told,
    })
}
