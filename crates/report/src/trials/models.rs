//! The estimates of a participant with their intervals, a row for each condition: what describes
//! asynchronies and intervals; the errors of what was reproduced; and the models, phase correction, timekeeper SD, clock and
//! motor variance.

use super::RecordedTrials;
use super::words::{cell, doubt, estimate, number, pair};
use crate::html::HtmlTable;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::statistics::{Needs, ShownAs, Statistic};
use chronotap_data::tables::{ConditionRow, TrialRow, measures};

/// A column of a table: the heading, the statistic and its decimals.
type Column = (&'static str, &'static Statistic, usize);

/// What somebody's taps are like: what describes asynchronies, then directions and intervals.
const TAPPED: &[fn(&Needs) -> bool] = &[
    |needs| matches!(needs, Needs::Asynchronies(..) | Needs::Beats(..)),
    |needs| matches!(needs, Needs::Directions(..)),
    |needs| matches!(needs, Needs::Intervals(..) | Needs::Taps(..)),
];
/// The models, that of phase correction first.
const MODELS: &[fn(&Needs) -> bool] =
    &[|needs| matches!(needs, Needs::Correction(..)), |needs| matches!(needs, Needs::Levels(..))];
/// What was reproduced.
const REPRODUCED: &[fn(&Needs) -> bool] = &[|needs| matches!(needs, Needs::Response(..))];

/// The statistics that a table shows, by what they need and in the order of the tables.
fn columns(table: &[fn(&Needs) -> bool]) -> Vec<Column> {
    let shown = |of: &&'static Statistic| match of.shown {
        ShownAs::Column(heading, decimals) => Some((heading, *of, decimals)),
        ShownAs::Elsewhere | ShownAs::Nowhere => None,
    };
    let of = |needs: &fn(&Needs) -> bool| {
        let needs = *needs;
        measures().iter().filter(move |of| needs(&of.needs)).filter_map(shown)
    };
    table.iter().flat_map(of).collect()
}

/// The tables, with the columns that have a value; empty where none has.
pub(super) fn tables(of: &RecordedTrials<'_>, label: Option<&str>) -> String {
    let theirs = |row: &&ConditionRow| row.who[0].as_deref() == label;
    let rows: Vec<&ConditionRow> = of.analysis.conditions.iter().filter(theirs).collect();
    let tapped = "Asynchronies and intervals, with 95 % intervals";
    table(of, &rows, tapped, TAPPED, false)
        + &table(of, &rows, "Reproduced rhythms, with 95 % intervals", REPRODUCED, false)
        + &table(of, &rows, "Models, with 95 % intervals", MODELS, true)
}

fn table(
    of: &RecordedTrials<'_>,
    rows: &[&ConditionRow],
    title: &str,
    shown: &[fn(&Needs) -> bool],
    correction: bool,
) -> String {
    let has = |row: &ConditionRow, measure: &Statistic| row.of(measure).mean.is_some();
    let there = |measure: &Statistic| rows.iter().any(|row| has(row, measure));
    let mut columns = columns(shown);
    columns.retain(|(_, measure, _)| there(measure));
    let mut head = vec!["condition", "trials"];
    head.extend(correction.then_some("phase correction α"));
    head.extend(columns.iter().map(|(heading, ..)| heading));
    let mut table = HtmlTable::new(title, &head);
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
fn first_cells(of: &RecordedTrials<'_>, row: &ConditionRow) -> Vec<String> {
    let own = |one: &&ConditionRow| one.who[0] == row.who[0];
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
fn alpha(row: &ConditionRow) -> String {
    match &row.alpha {
        Ok(found) => estimate(found, 3),
        Err(_) => "-".into(),
    }
}

/// The mean over trials with its interval, where there are ten; of a single trial that of its taps.
pub(super) fn over_trials(
    of: &RecordedTrials<'_>,
    row: &ConditionRow,
    measure: &Statistic,
    decimals: usize,
) -> String {
    let mean = row.of(measure);
    match (mean.mean, mean.interval) {
        (Some(_), Some(found)) => estimate(&found, decimals),
        (Some(value), None) if mean.n > 1 => number(value, decimals),
        (Some(value), None) => in_one_trial(of, row, measure, value, decimals),
        (None, _) => "-".into(),
    }
}

fn in_one_trial(
    of: &RecordedTrials<'_>,
    row: &ConditionRow,
    measure: &Statistic,
    value: f64,
    decimals: usize,
) -> String {
    let trial =
        of.analysis.rows.iter().find(|trial| is_of(of, trial, row) && trial.of(measure).is_some());
    let Some((trial, [low, high])) =
        trial.and_then(|t| Some((t, t.bounds(chronotap_data::tables::place(measure))?)))
    else {
        return number(value, decimals);
    };
    let said = estimate(&Estimate { value, standard_error: 0.0, low, high }, decimals);
    let n = measure.values(|count| trial.of(count));
    let doubts = n.and_then(|n| doubt(measure.doubted(n)));
    said + &doubts.unwrap_or_default()
}

/// Whether a row of the table of trials goes into this one of conditions.
fn is_of(of: &RecordedTrials<'_>, trial: &TrialRow, row: &ConditionRow) -> bool {
    let source = &of.sources.trials[trial.source];
    let [_, step, ..] = &source.place;
    let who = [&source.participant, &source.session, &source.task, step];
    of.analysis.used[trial.source]
        && who.into_iter().eq(&row.who)
        && source.levels == row.levels
        && (&trial.input, &trial.against, &trial.stretch)
            == (&row.input, &row.against, &row.stretch)
}
