//! The table of conditions: for each participant, session, step and condition the means of
//! the trials that count, and phase correction pooled over them.

use crate::tables::in_order::in_order;
use crate::tables::measures::{measures, place};
use crate::tables::{Source, Sources, TrialRow};
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::correction::coupling::coupling;
use chronotap_analysis::correction::pooled::pooled;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::joined::{Scale, SecondOrder, second_order};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::statistics::of_directions::{DIRECTION, RESULTANT};
use chronotap_analysis::statistics::{Join, Statistic};
use chronotap_analysis::student;
use std::collections::HashMap;
use std::ops::Range;

/// One participant in one condition; an input, against a stream or by itself, in one
/// stretch or in whole trials.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionRow {
    /// Participant, session, task and step.
    pub who: [Option<String>; 4],
    /// The level of each factor.
    pub levels: Vec<Option<String>>,
    pub input: String,
    /// The stream that it is measured against.
    pub against: Option<String>,
    /// The stretch; `None` for whole trials.
    pub stretch: Option<String>,
    /// Trials that count.
    pub trials: usize,
    /// Of each measure.
    pub means: Vec<Mean>,
    /// The mean vectors of the trials together; `None` where no trial has any.
    pub directions: Option<SecondOrder>,
    /// Phase correction of all these trials together, each with a mean and a drift of its own; towards another's taps
    /// that of people whom nothing paces, which may be none.
    pub alpha: Result<Estimate, NoEstimate>,
}

impl ConditionRow {
    /// A statistic over the trials that have it.
    pub fn of(&self, statistic: &Statistic) -> Mean {
        self.means[place(statistic)]
    }
}

/// A measure over the trials that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// Trials that have it.
    pub n: usize,
    /// Its mean, each trial counted once; of directions that of their mean vectors, and none of
    /// what cannot be averaged.
    pub mean: Option<f64>,
    /// Its standard deviation between trials, with n - 1; of directions the circular one.
    pub sd: Option<f64>,
    /// The interval of the mean, trials taken as independent; `None` below ten of them.
    pub interval: Option<Estimate>,
}

type Key<'a> =
    ([Option<&'a str>; 4], &'a [Option<String>], &'a str, Option<&'a str>, Option<&'a str>);

/// The conditions: people, sessions, tasks and steps in the order in which they first occur, and
/// levels as the study states them. Of these rows those count whose trials are `used`.
pub(crate) fn conditions(sources: &Sources, rows: &[TrialRow], used: &[bool]) -> Vec<ConditionRow> {
    let mut places: HashMap<Key<'_>, usize> = HashMap::new();
    let mut groups: Vec<(Key<'_>, Vec<&TrialRow>)> = Vec::new();
    for row in rows.iter().filter(|row| used[row.source]) {
        let key = key(sources, row);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(row);
    }
    let orders = Orders::of(sources);
    groups.sort_by(|((a, a_levels, ..), _), ((b, b_levels, ..), _)| {
        let by_levels = || sources.compare_levels(a_levels, b_levels);
        orders.places(a).cmp(&orders.places(b)).then_with(by_levels)
    });
    let mut conditions = Vec::with_capacity(groups.len());
    let of = |range: Range<usize>| condition(&groups[range.start].0, &groups[range.start].1);
    in_order(groups.len(), 1, of, |condition| {
        conditions.push(condition);
        true
    });
    conditions
}

/// The order in which participants, sessions, tasks and steps first occur.
struct Orders<'a>([HashMap<Option<&'a str>, usize>; 4]);

impl<'a> Orders<'a> {
    fn of(sources: &'a Sources) -> Orders<'a> {
        let mut orders = Orders(std::array::from_fn(|_| HashMap::new()));
        for source in &sources.trials {
            for (order, part) in orders.0.iter_mut().zip(who(source)) {
                let next = order.len();
                order.entry(part).or_insert(next);
            }
        }
        orders
    }

    fn places(&self, who: &[Option<&str>; 4]) -> [Option<usize>; 4] {
        std::array::from_fn(|part| self.0[part].get(&who[part]).copied())
    }
}

/// Participant, session, task and step of a trial.
fn who(source: &Source) -> [Option<&str>; 4] {
    let [_, step, ..] = &source.place;
    [&source.participant, &source.session, &source.task, step].map(Option::as_deref)
}

fn key<'a>(sources: &'a Sources, row: &'a TrialRow) -> Key<'a> {
    let source = &sources.trials[row.source];
    (who(source), &source.levels, &row.input, row.against.as_deref(), row.stretch.as_deref())
}

fn condition(key: &Key<'_>, rows: &[&TrialRow]) -> ConditionRow {
    let (who, levels, input, against, stretch) = key;
    let trials: Vec<&[TapRun]> = rows.iter().map(|row| &row.runs[..]).collect();
    let directions = directions(rows);
    ConditionRow {
        who: who.map(|part| part.map(str::to_owned)),
        levels: levels.to_vec(),
        input: (*input).to_owned(),
        against: against.map(str::to_owned),
        stretch: stretch.map(str::to_owned),
        trials: rows.len(),
        means: means(rows, directions.as_ref()),
        directions,
        alpha: match rows.iter().any(|row| row.of_partners) {
            true => coupling(&trials),
            false => pooled(&trials).map(|found| found.alpha),
        },
    }
}

/// Of each measure. A row is looked at once for all of them: there may be a hundred thousand.
fn means(rows: &[&TrialRow], directions: Option<&SecondOrder>) -> Vec<Mean> {
    let nothing: f64 = [0.0; 0].iter().sum();
    let all = measures();
    let (mut counts, mut sums) = (vec![0; all.len()], vec![nothing; all.len()]);
    each(rows, |measure, value| {
        counts[measure] += 1;
        sums[measure] += value;
    });
    let centre = |measure: usize| sums[measure] / counts[measure] as f64;
    let centres: Vec<f64> = (0..all.len()).map(centre).collect();
    let mut squares = vec![nothing; all.len()];
    each(rows, |measure, value| {
        let deviation = value - centres[measure];
        squares[measure] += deviation * deviation;
    });
    let on_the_line = |measure: usize, scale: Scale| {
        let n = counts[measure];
        let sd = (n > 1).then(|| (squares[measure] / (n - 1) as f64).sqrt());
        let interval = sd.and_then(|sd| scale.interval(n, centres[measure], sd));
        Mean { n, mean: (n > 0).then(|| centres[measure]), sd, interval }
    };
    let mean = |(measure, of): (usize, &&'static Statistic)| match of.join {
        Join::Line(scale) => on_the_line(measure, scale),
        Join::Circle => directions.map_or(Mean::default(), direction),
        Join::Never => Mean { n: counts[measure], ..Mean::default() },
    };
    all.iter().enumerate().map(mean).collect()
}

/// Directions go round: they have no mean on the line.
fn direction(found: &SecondOrder) -> Mean {
    let estimate = |(value, [low, high]): (f64, [f64; 2])| Estimate {
        value,
        standard_error: (high - low) / 2.0 / student::quantile(0.975, found.n as f64 - 1.0),
        low,
        high,
    };
    Mean {
        n: found.n,
        mean: found.direction_rad,
        sd: found.sd_rad.filter(|_| found.n > 1),
        interval: found.direction_rad.zip(found.bounds).map(estimate),
    }
}

/// The mean vectors of trials together.
fn directions(rows: &[&TrialRow]) -> Option<SecondOrder> {
    let [resultant, direction] = [&RESULTANT, &DIRECTION].map(place);
    let vector = |row: &&TrialRow| row.value(resultant).zip(row.value(direction));
    second_order(&rows.iter().filter_map(vector).collect::<Vec<(f64, f64)>>())
}

fn each(rows: &[&TrialRow], mut take: impl FnMut(usize, f64)) {
    for row in rows {
        for measure in 0..measures().len() {
            if let Some(value) = row.value(measure) {
                take(measure, value);
            }
        }
    }
}
