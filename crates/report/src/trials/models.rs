//! The models of a participant with their intervals, a row for each condition: phase
//! correction, timekeeper and motor SD, clock and motor variance.

use super::Recorded;
use super::words::{bounded, cell, estimate, number, pair, place};
use crate::html::Table;
use chronotap_analysis::estimate::Estimate;
use chronotap_tables::Condition;

/// The table, with the models that have a value; empty where none has.
pub(super) fn table(of: &Recorded<'_>, label: Option<&str>) -> String {
    let theirs = |row: &&Condition| row.who[0].as_deref() == label;
    let rows: Vec<&Condition> = of.analysis.conditions.iter().filter(theirs).collect();
    let has = |measure: &str| rows.iter().any(|row| row.means[place(measure)].mean.is_some());
    let models: Vec<_> = MODELS.into_iter().filter(|(_, measure)| has(measure)).collect();
    let mut head = vec!["condition", "trials", "phase correction α"];
    head.extend(models.iter().map(|(heading, _)| heading));
    let mut table = Table::new("Models, with 95 % intervals", &head);
    for row in rows {
        let valued = models.iter().any(|(_, measure)| row.means[place(measure)].mean.is_some());
        if row.alpha.is_ok() || valued {
            let mut cells = first_cells(of, row);
            cells.extend(models.iter().map(|(_, measure)| over_trials(row, measure)));
            table.row(cells);
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

const MODELS: [(&str, &str); 4] = [
    ("timekeeper SD (ms)", "timekeeper_sd_ms"),
    ("motor SD (ms)", "motor_sd_ms"),
    ("clock variance (ms²)", "clock_variance_ms2"),
    ("motor variance (ms²)", "motor_variance_ms2"),
];

/// The condition, how many trials, phase correction.
fn first_cells(of: &Recorded<'_>, row: &Condition) -> Vec<String> {
    let alpha = match &row.alpha {
        Ok(found) => estimate(found, 3),
        Err(_) => "-".into(),
    };
    let name = [
        cell(of.sources, row.who[3].as_deref(), &row.levels),
        pair(&row.input, row.against.as_deref()),
        row.stretch.clone().map_or(String::new(), |stretch| format!("in {stretch}")),
    ];
    let name: Vec<String> = name.into_iter().filter(|part| !part.is_empty()).collect();
    vec![name.join(", "), row.trials.to_string(), alpha]
}

/// The mean over trials; with an interval where there are two.
fn over_trials(row: &Condition, measure: &str) -> String {
    let of = row.means[place(measure)];
    match (of.mean, of.sd) {
        (Some(mean), Some(sd)) => {
            let error = sd / (of.n as f64).sqrt();
            let found = Estimate::student(mean, error, of.n as f64 - 1.0);
            estimate(&bounded(measure, found), 1)
        }
        (Some(mean), None) => number(mean, 1),
        (None, _) => "-".into(),
    }
}
