//! The table of conditions: for each participant, session, step and condition the means of
//! the trials that count, and phase correction pooled over them.

use crate::in_order::in_order;
use crate::measures::COUNT;
use crate::{Analysis, Sources, TrialRow};
use chronotap_analysis::correction::{Means, Run, phase};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use std::collections::HashMap;
use std::ops::Range;

/// One participant in one condition; an input, against a stream or by itself, in one
/// stretch or in whole trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Participant, session, task and step.
    pub who: [Option<String>; 4],
    /// The level of each factor.
    pub levels: Vec<Option<String>>,
    /// The input.
    pub input: String,
    /// The stream that it is measured against.
    pub against: Option<String>,
    /// The stretch; `None` for whole trials.
    pub stretch: Option<String>,
    /// Trials that count.
    pub trials: usize,
    /// Of each measure.
    pub means: Vec<Mean>,
    /// Phase correction of all these trials together, their means pooled.
    pub alpha: Result<Estimate, NoEstimate>,
}

/// A measure over the trials that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// Trials that have it.
    pub n: usize,
    /// Its mean.
    pub mean: Option<f64>,
    /// Its standard deviation between trials, with n - 1.
    pub sd: Option<f64>,
}

impl Mean {
    /// The mean with Student's interval over trials, which are taken as independent; of two
    /// trials at least.
    pub fn interval(&self) -> Option<Estimate> {
        let (mean, sd) = (self.mean?, self.sd?);
        Some(Estimate::student(mean, sd / (self.n as f64).sqrt(), self.n as f64 - 1.0))
    }
}

type Key<'a> =
    ([Option<&'a str>; 4], &'a [Option<String>], &'a str, Option<&'a str>, Option<&'a str>);

/// The conditions, in the order in which they first occur.
pub(crate) fn conditions(sources: &Sources, analysis: &Analysis) -> Vec<Condition> {
    let mut places: HashMap<Key<'_>, usize> = HashMap::new();
    let mut groups: Vec<(Key<'_>, Vec<&TrialRow>)> = Vec::new();
    for row in analysis.rows.iter().filter(|row| analysis.used[row.source]) {
        let key = key(sources, row);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(row);
    }
    let mut conditions = Vec::with_capacity(groups.len());
    let of = |range: Range<usize>| condition(&groups[range.start].0, &groups[range.start].1);
    in_order(groups.len(), 1, of, |condition| {
        conditions.push(condition);
        true
    });
    conditions
}

fn key<'a>(sources: &'a Sources, row: &'a TrialRow) -> Key<'a> {
    let source = &sources.trials[row.source];
    let [_, step, ..] = &source.place;
    let who = [&source.participant, &source.session, &source.task, step].map(Option::as_deref);
    (who, &source.levels, &row.input, row.against.as_deref(), row.stretch.as_deref())
}

fn condition(key: &Key<'_>, rows: &[&TrialRow]) -> Condition {
    let (who, levels, input, against, stretch) = key;
    let runs: Vec<&Run> = rows.iter().flat_map(|row| &row.runs).collect();
    Condition {
        who: who.map(|part| part.map(str::to_owned)),
        levels: levels.to_vec(),
        input: (*input).to_owned(),
        against: against.map(str::to_owned),
        stretch: stretch.map(str::to_owned),
        trials: rows.len(),
        means: means(rows),
        alpha: phase(&runs, &Means::Pooled).map(|found| found.alpha[0]),
    }
}

/// Of each measure. A row is looked at once for all of them: there may be a hundred thousand.
fn means(rows: &[&TrialRow]) -> Vec<Mean> {
    let nothing: f64 = [0.0; 0].iter().sum();
    let (mut counts, mut sums) = ([0; COUNT], [nothing; COUNT]);
    each(rows, |measure, value| {
        counts[measure] += 1;
        sums[measure] += value;
    });
    let centre = |measure: usize| sums[measure] / counts[measure] as f64;
    let centres: Vec<f64> = (0..COUNT).map(centre).collect();
    let mut squares = [nothing; COUNT];
    each(rows, |measure, value| {
        let deviation = value - centres[measure];
        squares[measure] += deviation * deviation;
    });
    let mean = |measure: usize| {
        let n = counts[measure];
        let sd = (n > 1).then(|| (squares[measure] / (n - 1) as f64).sqrt());
        Mean { n, mean: (n > 0).then(|| centres[measure]), sd }
    };
    (0..COUNT).map(mean).collect()
}

fn each(rows: &[&TrialRow], mut take: impl FnMut(usize, f64)) {
    for row in rows {
        for measure in 0..COUNT {
            if let Some(value) = row.value(measure) {
                take(measure, value);
            }
        }
    }
}
