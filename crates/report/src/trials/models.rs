//! The models of a participant with their intervals, a row for each condition: phase
//! correction, timekeeper and motor SD, clock and motor variance.

use super::Recorded;
use super::words::{condition, estimate, number, pair, place};
use crate::html::Table;
use chronotap_analysis::estimate::Estimate;
use chronotap_tables::{Condition, Mean};

/// The table; empty where no model has a value.
pub(super) fn table(of: &Recorded<'_>, label: Option<&str>) -> String {
    let head = [
        "condition",
        "trials",
        "phase correction α",
        "timekeeper SD (ms)",
        "motor SD (ms)",
        "clock variance (ms²)",
        "motor variance (ms²)",
    ];
    let mut table = Table::new("Models, with 95 % intervals", &head);
    let theirs = |row: &&Condition| row.who[0].as_deref() == label;
    for row in of.analysis.conditions.iter().filter(theirs) {
        let models = MODELS.map(|measure| row.means[place(measure)]);
        if row.alpha.is_ok() || models.iter().any(|mean| mean.mean.is_some()) {
            table.row(cells(of, row, models));
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

const MODELS: [&str; 4] =
    ["timekeeper_sd_ms", "motor_sd_ms", "clock_variance_ms2", "motor_variance_ms2"];

fn cells(of: &Recorded<'_>, row: &Condition, models: [Mean; 4]) -> Vec<String> {
    let alpha = match &row.alpha {
        Ok(found) => estimate(found, 3),
        Err(_) => "-".into(),
    };
    let name = [
        condition(of.sources, &row.levels),
        pair(&row.input, row.against.as_deref()),
        row.stretch.clone().map_or(String::new(), |stretch| format!("in {stretch}")),
    ];
    let name: Vec<String> = name.into_iter().filter(|part| !part.is_empty()).collect();
    let mut cells = vec![name.join(", "), row.trials.to_string(), alpha];
    cells.extend(models.map(over_trials));
    cells
}

/// The mean over trials; with an interval where there are two.
fn over_trials(of: Mean) -> String {
    match (of.mean, of.sd) {
        (Some(mean), Some(sd)) => {
            let error = sd / (of.n as f64).sqrt();
            estimate(&Estimate::student(mean, error, of.n as f64 - 1.0), 1)
        }
        (Some(mean), None) => number(mean, 1),
        (None, _) => "-".into(),
    }
}
