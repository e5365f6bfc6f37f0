//! [`Rows`]: what the models of correction are fitted to, from runs of taps. In ms.

use super::{Baseline, Means, TapRun};
use crate::moments::mean;
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use std::borrow::Borrow;

/// One run: the intervals, and for each parameter what it multiplies.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// R\[k+1\] − R\[k\].
    pub response: Vec<f64>,
    /// One column for each parameter, as long as the response.
    pub columns: Vec<Vec<f64>>,
}

/// The asynchronies to each partner.
pub(super) fn of_phase(
    runs: &[impl Borrow<TapRun>],
    means: &Means,
) -> Result<Vec<Rows>, NoEstimate> {
    let rows = runs.iter().map(|run| asynchronies(run.borrow()));
    let mut rows: Vec<Rows> = rows.collect::<Result<_, _>>()?;
    let partners = rows.first().map_or(0, |rows| rows.columns.len());
    for run in &rows {
        NoEstimate::unless_equal("partners", run.columns.len(), partners)?;
    }
    match means {
        Means::OfEachRun => rows.iter_mut().for_each(centre),
        Means::Pooled => centre_all(&mut rows),
        Means::Known(interval, asynchronies) => {
            NoEstimate::unless_equal("known means", asynchronies.len(), partners)?;
            for run in &mut rows {
                less(&mut run.response, interval.as_millis_f64());
                for (column, known) in run.columns.iter_mut().zip(asynchronies) {
                    less(column, known.as_millis_f64());
                }
            }
        }
    }
    Ok(rows)
}

/// Asynchronies and their sums, each less its mean in the run: the period that a run begins
/// with is a constant. Summed asynchronies less an unknown baseline are those with it and a
/// line.
pub(super) fn of_phase_and_period(
    runs: &[TapRun],
    baseline: Baseline,
) -> Result<Vec<Rows>, NoEstimate> {
    let rows = runs.iter().map(|run| {
        let mut rows = asynchronies(run)?;
        NoEstimate::unless_equal("partners", rows.columns.len(), 1)?;
        if let Baseline::Known(known) = baseline {
            less(&mut rows.columns[0], known.as_millis_f64());
        }
        let mut sum = 0.0;
        let summed = rows.columns[0].iter().map(|asynchrony| {
            sum += asynchrony;
            sum
        });
        let summed = summed.collect();
        rows.columns.push(summed);
        if baseline == Baseline::Estimated {
            rows.columns.push((0..rows.response.len()).map(|k| k as f64).collect());
        }
        centre(&mut rows);
        Ok(rows)
    });
    rows.collect()
}

/// Asynchronies, their sums, the last interval of the pacing, its change, and a line for the
/// mean asynchrony, each less its mean in the run. The first two taps have no such past.
pub(super) fn of_anticipation(runs: &[TapRun]) -> Result<Vec<Rows>, NoEstimate> {
    let rows = runs.iter().map(|run| {
        let Rows { response, columns } = asynchronies(run)?;
        NoEstimate::unless_equal("partners", columns.len(), 1)?;
        let onsets: Vec<f64> =
            run.partners[0].iter().map(|onset| (*onset - run.taps[0]).as_millis_f64()).collect();
        let interval = |k: usize| onsets[k] - onsets[k - 1];
        let mut sum = 0.0;
        let sums = columns[0].iter().map(|asynchrony| {
            sum += asynchrony;
            sum
        });
        let sums: Vec<f64> = sums.collect();
        let places = || 2..response.len();
        let mut rows = Rows {
            response: places().map(|k| response[k]).collect(),
            columns: vec![
                places().map(|k| columns[0][k]).collect(),
                places().map(|k| sums[k]).collect(),
                places().map(interval).collect(),
                places().map(|k| interval(k) - interval(k - 1)).collect(),
                places().map(|k| k as f64).collect(),
            ],
        };
        centre(&mut rows);
        Ok(rows)
    });
    rows.collect()
}

fn asynchronies(run: &TapRun) -> Result<Rows, NoEstimate> {
    let count = run.taps.len().saturating_sub(1);
    let column = |onsets: &Vec<Nanos>| {
        NoEstimate::unless_equal("onsets of a partner", onsets.len(), run.taps.len())?;
        let pairs = run.taps.iter().zip(onsets).take(count);
        Ok(pairs.map(|(tap, onset)| (*tap - *onset).as_millis_f64()).collect())
    };
    let columns = run.partners.iter().map(column).collect::<Result<_, NoEstimate>>()?;
    let response = run.taps.windows(2).map(|pair| (pair[1] - pair[0]).as_millis_f64()).collect();
    Ok(Rows { response, columns })
}

fn centre(rows: &mut Rows) {
    for values in rows.columns.iter_mut().chain([&mut rows.response]) {
        let centre = mean(values).unwrap_or(0.0);
        less(values, centre);
    }
}

fn centre_all(rows: &mut [Rows]) {
    let columns = rows.first().map_or(0, |rows| rows.columns.len());
    for place in 0..=columns {
        let of = |rows: &Rows| rows.columns.get(place).unwrap_or(&rows.response).clone();
        let all: Vec<f64> = rows.iter().flat_map(of).collect();
        let centre = mean(&all).unwrap_or(0.0);
        for run in rows.iter_mut() {
            less(run.columns.get_mut(place).unwrap_or(&mut run.response), centre);
        }
    }
}

fn less(values: &mut [f64], constant: f64) {
    values.iter_mut().for_each(|value| *value -= constant);
}
