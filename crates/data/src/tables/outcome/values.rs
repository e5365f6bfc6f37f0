//! The values of an outcome, one for each trial, answer or threshold.

use super::read::Outcome;
use crate::tables::names::THRESHOLD;
use crate::tables::psychometric::{Fit, PSYCHOMETRIC, fits};
use crate::tables::{Analysis, Source, SourceTable, Sources, TablesError, measures, place};
use chronotap_analysis::statistics::Statistic;
use std::collections::HashMap;

/// A value of a person at a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Value {
    /// As in participants.tsv.
    pub participant: Option<String>,
    pub level: Option<String>,
    /// The level of the second factor.
    pub second: Option<String>,
    /// The levels of all factors: trials with the same are a cell.
    pub cell: Vec<Option<String>>,
    pub value: f64,
}

/// The statistics of trials whose values these outcomes take. Answers and thresholds are none.
pub fn statistics_of(outcomes: &[Outcome]) -> Vec<&'static Statistic> {
    let names = outcomes.iter().flat_map(|outcome| outcome.also.iter().chain([&outcome.of]));
    names.filter_map(|name| statistic(name)).collect()
}

fn statistic(name: &str) -> Option<&'static Statistic> {
    measures().iter().copied().find(|statistic| statistic.name == name)
}

/// The unit of the values, and all of them in the order of the trials.
pub(super) fn values(
    outcome: &Outcome,
    sources: &Sources,
    analysis: &Analysis,
) -> Result<(String, Vec<Value>), TablesError> {
    match statistic(&outcome.of) {
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
    let here = |fit: &&Fit| counts(outcome, sources, fit.step.as_deref());
    let value = |fit: &Fit| {
        let level = match outcome.over.as_deref() {
            None => None,
            Some("step") => Some(fit.step.clone()?),
            Some("session") => Some(fit.session.clone()?),
            Some(_) => return None,
        };
        let value = fit.threshold.as_ref().ok()?.value;
        Some(Value { participant: fit.participant.clone(), level, value, ..Value::default() })
    };
    Ok((unit, all.iter().filter(here).filter_map(value).collect()))
}

/// The same of a threshold or an answer, which stand in the tables of trials, of the attempts that count.
fn of_tables(outcome: &Outcome, sources: &Sources) -> Result<(String, Vec<Value>), TablesError> {
    let by_file: HashMap<&str, &Source> =
        sources.trials.iter().map(|trial| (trial.shown.as_str(), trial)).collect();
    let (mut unit, mut all) = (String::new(), Vec::new());
    for table in sources.tables_of_trials()? {
        let Ok((events, column)) = columns(&table, &outcome.of) else { continue };
        for row in &table.rows {
            let trial = row[events].as_deref().and_then(|file| by_file.get(file));
            let trial = trial.filter(|trial| trial.counts);
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

/// Whether the trials of a step count: where the outcome names none, those of all but practice.
fn counts(outcome: &Outcome, sources: &Sources, step: Option<&str>) -> bool {
    match (&outcome.step, step) {
        (Some(named), _) => step == Some(named),
        (None, Some(step)) => compares(outcome, step) || !sources.said.is_practice(step),
        (None, None) => true,
    }
}

/// Whether the outcome names a step as one of its levels.
fn compares(outcome: &Outcome, step: &str) -> bool {
    let is_over = |of: &Option<String>| of.as_deref() == Some("step");
    let mut over = outcome.levels.iter().flatten().chain(&outcome.level);
    let mut by = outcome.by_levels.iter().flatten();
    is_over(&outcome.over) && over.any(|level| level == step)
        || is_over(&outcome.by) && by.any(|level| level == step)
}

/// A value of this trial; nothing where the trial is not one of those that count for it.
fn one(outcome: &Outcome, sources: &Sources, trial: &Source, value: f64) -> Option<Value> {
    let [_, step, ..] = &trial.place;
    if !counts(outcome, sources, step.as_deref()) {
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
    let cell = trial.levels.clone();
    Some(Value { participant, level: level(&outcome.over)?, second, cell, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::StudySays;

    /// A trial of one attempt each: whether it counts, and what was answered.
    fn answered(attempts: &[(bool, &str)]) -> Sources {
        let shown = |k: usize| format!("sub-01/beh/sub-01_run-{k:02}_events.tsv");
        let source = |(k, (counts, _)): (usize, &(bool, &str))| Source {
            shown: shown(k),
            participant: Some("01".to_owned()),
            counts: *counts,
            levels: vec![Some("tone".to_owned())],
            ..Source::default()
        };
        let row = |(k, (_, answer)): (usize, &(bool, &str))| {
            vec![Some(shown(k)), Some((*answer).to_owned())]
        };
        Sources {
            factors: vec!["signal".to_owned()],
            trials: attempts.iter().enumerate().map(source).collect(),
            in_memory: vec![SourceTable {
                path: "sub-01_beh.tsv".into(),
                columns: vec!["events_file".to_owned(), "rating".to_owned()],
                rows: attempts.iter().enumerate().map(row).collect(),
            }],
            ..Sources::default()
        }
    }

    fn of(outcome: &Outcome, attempts: &[(bool, &str)]) -> Vec<f64> {
        let (_, values) = of_tables(outcome, &answered(attempts)).unwrap();
        values.iter().map(|value| value.value).collect()
    }

    /// Of sixteen attempts ten did not count, and their answers were averaged with the rest.
    #[test]
    fn the_answers_of_attempts_that_do_not_count_are_in_no_outcome() {
        let rating = Outcome { of: "rating".to_owned(), ..Outcome::default() };
        let attempts = [(false, "7"), (true, "3"), (false, "1"), (true, "4")];
        assert_eq!(of(&rating, &attempts), [3.0, 4.0]);
        let words = [(false, "yes"), (true, "no"), (true, "yes")];
        let share = Outcome { is: Some("yes".to_owned()), ..rating.clone() };
        assert_eq!(of(&share, &words), [0.0, 1.0]);
        let told =
            Outcome { signal: Some("tone".to_owned()), over: Some("signal".to_owned()), ..share };
        assert_eq!(of(&told, &words), [0.0, 1.0]);
    }

    /// Practice of a few trials, each one of those that count, was averaged with the rest.
    #[test]
    fn practice_is_in_no_outcome_that_does_not_name_it() {
        let mut sources = answered(&[(true, "9"), (true, "3"), (true, "4")]);
        let steps = ["try", "main", "main"].map(|step| Some(step.to_owned()));
        for (trial, step) in sources.trials.iter_mut().zip(steps) {
            trial.place[1] = step;
        }
        let study =
            "[[step]]\nname = \"try\"\nuntil = { hits = 3, of = 4 }\n[[step]]\nname = \"main\"\n";
        sources.said = StudySays::of_text(study).unwrap();
        let of = |outcome: Outcome| {
            let (_, values) = of_tables(&outcome, &sources).unwrap();
            values.iter().map(|value| value.value).collect::<Vec<f64>>()
        };
        let rating = Outcome { of: "rating".to_owned(), ..Outcome::default() };
        assert_eq!(of(rating.clone()), [3.0, 4.0]);
        assert_eq!(of(Outcome { step: Some("try".to_owned()), ..rating.clone() }), [9.0]);
        let steps = Outcome { over: Some("step".to_owned()), ..rating };
        assert_eq!(of(steps.clone()), [3.0, 4.0]);
        let levels = Some(["main", "try"].map(str::to_owned));
        assert_eq!(of(Outcome { levels, ..steps }), [9.0, 3.0, 4.0]);
    }
}
