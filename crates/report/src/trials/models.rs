//! The estimates of a participant with their intervals, a row for each condition: what describes
//! asynchronies and intervals; the errors of what was reproduced; and the models, phase correction, timekeeper SD, clock and
//! motor variance.

use super::Recorded;
use super::words::{cell, doubt, estimate, number, pair, place};
use crate::html::Table;
use chronotap_analysis::estimate::Estimate;
use chronotap_tables::{Condition, MEASURES, TrialRow};

/// Columns of a table: the heading, the measure and its decimals.
type Columns = &'static [(&'static str, &'static str, usize)];

const TAPPED: Columns = &[
    ("mean asynchrony (ms)", "mean_asynchrony_ms", 1),
    ("median asynchrony (ms)", "median_asynchrony_ms", 1),
    ("SD of asynchronies (ms)", "sd_asynchrony_ms", 1),
    ("R", "resultant", 3),
    ("mean direction (rad)", "direction_rad", 3),
    ("mean interval (ms)", "mean_interval_ms", 1),
    ("SD of intervals (ms)", "sd_interval_ms", 1),
    ("CV of intervals", "cv_interval", 4),
];

const MODELS: Columns = &[
    ("timekeeper SD (ms)", "timekeeper_sd_ms", 1),
    ("clock variance (ms²)", "clock_variance_ms2", 1),
    ("motor variance (ms²)", "motor_variance_ms2", 1),
];

const REPRODUCED: Columns = &[
    ("constant error (ms)", "mean_reproduction_error_ms", 1),
    ("variable error (ms)", "sd_reproduction_error_ms", 1),
    ("absolute error (ms)", "mean_absolute_reproduction_error_ms", 1),
];

/// The tables, with the columns that have a value; empty where none has.
pub(super) fn tables(of: &Recorded<'_>, label: Option<&str>) -> String {
    let theirs = |row: &&Condition| row.who[0].as_deref() == label;
    let rows: Vec<&Condition> = of.analysis.conditions.iter().filter(theirs).collect();
    let tapped = "Asynchronies and intervals, with 95 % intervals";
    table(of, &rows, tapped, TAPPED, false)
        + &table(of, &rows, "Reproduced rhythms, with 95 % intervals", REPRODUCED, false)
        + &table(of, &rows, "Models, with 95 % intervals", MODELS, true)
}

fn table(
    of: &Recorded<'_>,
    rows: &[&Condition],
    title: &str,
    columns: Columns,
    correction: bool,
) -> String {
    let has = |row: &Condition, measure: &str| row.means[place(measure)].mean.is_some();
    let there = |measure: &str| rows.iter().any(|row| has(row, measure));
    let columns: Vec<_> = columns.iter().filter(|(_, measure, _)| there(measure)).collect();
    let mut head = vec!["condition", "trials"];
    head.extend(correction.then_some("phase correction α"));
    head.extend(columns.iter().map(|(heading, ..)| heading));
    let mut table = Table::new(title, &head);
    for row in rows {
        let valued = columns.iter().any(|(_, measure, _)| has(row, measure));
        if (correction && row.alpha.is_ok()) || valued {
            let mut cells = first_cells(of, row);
            cells.extend(correction.then(|| alpha(row)));
            cells.extend(
                columns
                    .iter()
                    .map(|(_, measure, decimals)| over_trials(of, row, measure, *decimals)),
            );
            table.row(cells);
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// The condition and how many trials.
fn first_cells(of: &Recorded<'_>, row: &Condition) -> Vec<String> {
    let own = |one: &&Condition| one.who[0] == row.who[0];
    let mut others = of.analysis.conditions.iter().filter(own);
    let several = others.any(|other| other.who[1] != row.who[1]);
    let session = row.who[1].as_ref().filter(|_| several);
    let name = [
        session.map_or(String::new(), |session| format!("session {session}")),
        cell(of.sources, row.who[3].as_deref(), &row.levels),
        pair(&row.input, row.against.as_deref()),
        row.stretch.clone().map_or(String::new(), |stretch| format!("in {stretch}")),
    ];
    let name: Vec<String> = name.into_iter().filter(|part| !part.is_empty()).collect();
    vec![name.join(", "), row.trials.to_string()]
}

/// Phase correction of all trials of the condition together.
fn alpha(row: &Condition) -> String {
    match &row.alpha {
        Ok(found) => estimate(found, 3),
        Err(_) => "-".into(),
    }
}

/// The mean over trials with its interval, where there are ten; of a single trial that of its taps.
pub(super) fn over_trials(
    of: &Recorded<'_>,
    row: &Condition,
    measure: &str,
    decimals: usize,
) -> String {
    let mean = row.means[place(measure)];
    match (mean.mean, mean.interval) {
        (Some(_), Some(found)) => estimate(&found, decimals),
        (Some(value), None) if mean.n > 1 => number(value, decimals),
        (Some(value), None) => in_one_trial(of, row, measure, value, decimals),
        (None, _) => "-".into(),
    }
}

fn in_one_trial(
    of: &Recorded<'_>,
    row: &Condition,
    measure: &str,
    value: f64,
    decimals: usize,
) -> String {
    let trial = of
        .analysis
        .rows
        .iter()
        .find(|trial| is_of(of, trial, row) && trial.value(place(measure)).is_some());
    let Some((trial, [low, high])) = trial.and_then(|t| Some((t, t.bounds(place(measure))?)))
    else {
        return number(value, decimals);
    };
    let said = estimate(&Estimate { value, standard_error: 0.0, low, high }, decimals);
    let doubts = MEASURES[place(measure)]
        .interval
        .and_then(|(name, values)| doubt(name, trial.value(place(values))? as usize));
    said + &doubts.unwrap_or_default()
}

/// Whether a row of the table of trials goes into this one of conditions.
fn is_of(of: &Recorded<'_>, trial: &TrialRow, row: &Condition) -> bool {
    let source = &of.sources.trials[trial.source];
    let [_, step, ..] = &source.place;
    let who = [&source.participant, &source.session, &source.task, step];
    of.analysis.used[trial.source]
        && who.into_iter().eq(&row.who)
        && source.levels == row.levels
        && (&trial.input, &trial.against, &trial.stretch)
            == (&row.input, &row.against, &row.stretch)
}
