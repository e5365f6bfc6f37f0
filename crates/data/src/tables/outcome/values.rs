//! The values of an outcome, one for each trial, answer or threshold.

use super::read::{Outcome, THRESHOLD};
use crate::tables::psychometric::{Fit, PSYCHOMETRIC, fits};
use crate::tables::{Analysis, Source, SourceTable, Sources, TablesError, measures, place};
use std::collections::HashMap;

/// A value of a person at a level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    /// As in participants.tsv.
    pub participant: Option<String>,
    pub level: Option<String>,
    /// The level of the second factor.
    pub second: Option<String>,
    pub value: f64,
}

/// The unit of the values, and all of them in the order of the trials.
pub(super) fn values(
    outcome: &Outcome,
    sources: &Sources,
    analysis: &Analysis,
) -> Result<(String, Vec<Value>), TablesError> {
    match measures().iter().find(|statistic| statistic.name == outcome.of) {
        Some(statistic) => {
            let at = place(statistic);
            let rows = analysis.rows.iter().filter(|row| analysis.used[row.source]);
            let rows = rows.filter(|row| {
                let fits = |wanted: &Option<String>, has: Option<&str>| {
                    wanted.is_none() || wanted.as_deref() == has
                };
                row.stretch == outcome.stretch
                    && fits(&outcome.input, Some(&row.input))
                    && fits(&outcome.against, row.against.as_deref())
            });
            let all = rows.filter_map(|row| {
                one(outcome, sources, &sources.trials[row.source], row.value(at)?)
            });
            Ok((statistic.unit.symbol().to_owned(), all.collect()))
        }
        None if outcome.of == PSYCHOMETRIC => fitted(outcome, sources),
        None => of_tables(outcome, sources),
    }
}

/// The same of thresholds by psychometric functions.
fn fitted(outcome: &Outcome, sources: &Sources) -> Result<(String, Vec<Value>), TablesError> {
    let all = fits(sources)?;
    let unit = all.first().map_or_else(String::new, |fit| fit.unit.clone());
    let here = |fit: &&Fit| outcome.step.is_none() || outcome.step == fit.step;
    let value = |fit: &Fit| {
        let level = match outcome.over.as_deref() {
            None => None,
            Some("step") => Some(fit.step.clone()?),
            Some("session") => Some(fit.session.clone()?),
            Some(_) => return None,
        };
        let value = fit.threshold.as_ref().ok()?.value;
        Some(Value { participant: fit.participant.clone(), level, second: None, value })
    };
    Ok((unit, all.iter().filter(here).filter_map(value).collect()))
}

/// The same of a threshold or an answer, which stand in the tables of trials.
fn of_tables(outcome: &Outcome, sources: &Sources) -> Result<(String, Vec<Value>), TablesError> {
    let by_file: HashMap<&str, &Source> =
        sources.trials.iter().map(|trial| (trial.shown.as_str(), trial)).collect();
    let (mut unit, mut all) = (String::new(), Vec::new());
    for table in sources.tables_of_trials()? {
        let Ok((events, column)) = columns(&table, &outcome.of) else { continue };
        for row in &table.rows {
            let trial = row[events].as_deref().and_then(|file| by_file.get(file));
            let (Some(trial), Some(cell)) = (trial, row[column].as_deref()) else { continue };
            let Some((value, of)) = number(outcome, cell) else { continue };
            unit = of.to_owned();
            all.extend(one(outcome, sources, trial, value));
        }
    }
    Ok((unit, all))
}

fn columns(table: &SourceTable, of: &str) -> Result<(usize, usize), TablesError> {
    Ok((table.column("events_file")?, table.column(of)?))
}

/// The number in a cell and its unit: 1 or 0 where the answer is one of words, else as it stands.
fn number<'a>(outcome: &Outcome, cell: &'a str) -> Option<(f64, &'a str)> {
    if let Some(is) = &outcome.is {
        return Some((f64::from(u8::from(cell == is)), ""));
    }
    let (number, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let unit = if outcome.of == THRESHOLD { unit } else { "" };
    Some((number.parse().ok().filter(|number: &f64| number.is_finite())?, unit))
}

/// A value of this trial; nothing where the trial is not one of those that count for it.
fn one(outcome: &Outcome, sources: &Sources, trial: &Source, value: f64) -> Option<Value> {
    let [_, step, ..] = &trial.place;
    if outcome.step.is_some() && outcome.step != *step {
        return None;
    }
    let level = |of: &Option<String>| match of.as_deref() {
        None => Some(None),
        Some("step") => Some(Some(step.clone()?)),
        Some("session") => Some(Some(trial.session.clone()?)),
        Some(factor) => {
            let place = sources.factors.iter().position(|name| name == factor)?;
            Some(Some(trial.levels.get(place)?.clone()?))
        }
    };
    let (participant, second) = (trial.participant_id(), level(&outcome.by)?);
    Some(Value { participant, level: level(&outcome.over)?, second, value })
}
