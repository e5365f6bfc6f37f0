//! [`tracks`]: the levels that the staircases of a dataset went through, as its tables of trials have them.

use crate::tables::names::THRESHOLD;
use crate::tables::{Source, SourceTable, Sources, TablesError};
use std::collections::HashMap;

/// One staircase of one participant's session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// As in participants.tsv.
    pub participant: Option<String>,
    pub session: Option<String>,
    pub step: Option<String>,
    pub staircase: String,
    /// The unit of the levels; empty of plain numbers.
    pub unit: String,
    /// Its trials that count, in order.
    pub trials: Vec<Tracked>,
    /// What it found, in the unit of the levels.
    pub threshold: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracked {
    pub level: f64,
    /// Whether the answer was right; `None` without one.
    pub correct: Option<bool>,
    pub reversal: bool,
}

/// All staircases, in the order in which they begin.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn tracks(sources: &Sources) -> Result<Vec<Track>, TablesError> {
    let by_file: HashMap<&str, &Source> =
        sources.trials.iter().map(|trial| (trial.shown.as_str(), trial)).collect();
    let mut all: Vec<Track> = Vec::new();
    for table in sources.tables_of_trials()? {
        let Ok(columns) = columns(&table) else { continue };
        for row in &table.rows {
            let cell = |place: usize| row[place].as_deref();
            let trial = cell(columns[0]).and_then(|file| by_file.get(file));
            let (Some(trial), Some(staircase)) = (trial, cell(columns[1])) else { continue };
            let Some((level, unit)) = cell(columns[2]).and_then(number) else { continue };
            if !trial.counts {
                continue;
            }
            let track = of(&mut all, trial, staircase, unit);
            track.trials.push(Tracked {
                level,
                correct: cell(columns[3])
                    .filter(|answer| *answer != "none")
                    .map(|a| a == "correct"),
                reversal: cell(columns[4]) == Some("true"),
            });
            track.threshold =
                cell(columns[5]).and_then(number).map(|(value, _)| value).or(track.threshold);
        }
    }
    Ok(all)
}

/// The file of the trial, and what is said of its staircase.
fn columns(table: &SourceTable) -> Result<[usize; 6], TablesError> {
    let place = |name| table.column(name);
    Ok([
        place("events_file")?,
        place("staircase")?,
        place("level")?,
        place("answer")?,
        place("reversal")?,
        place(THRESHOLD)?,
    ])
}

/// The track that a trial belongs to.
fn of<'a>(all: &'a mut Vec<Track>, trial: &Source, staircase: &str, unit: &str) -> &'a mut Track {
    let (participant, [_, step, ..]) = (trial.participant_id(), &trial.place);
    let is = |track: &Track| {
        track.participant == participant
            && track.session == trial.session
            && track.step == *step
            && track.staircase == staircase
    };
    let place = all.iter().rposition(is).unwrap_or_else(|| {
        all.push(Track {
            participant: participant.clone(),
            session: trial.session.clone(),
            step: step.clone(),
            staircase: staircase.to_owned(),
            unit: unit.to_owned(),
            ..Track::default()
        });
        all.len() - 1
    });
    &mut all[place]
}

/// A number and its unit.
fn number(cell: &str) -> Option<(f64, &str)> {
    let (number, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    Some((number.parse().ok().filter(|number: &f64| number.is_finite())?, unit))
}
