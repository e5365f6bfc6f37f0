//! [`Ran`]: every attempt of a dataset as it came, one after the other, with what its table of trials says beside its
//! levels: what a plan says is what was to come, and repeats, further practice and breaks change that.

use crate::record::moment;
use crate::tables::{Source, Sources, TablesError, natural};
use std::collections::{HashMap, HashSet};

/// An attempt, whether it counts or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran<'a> {
    pub trial: &'a Source,
    /// When it began, in microseconds since 1970.
    pub began: Option<i64>,
    /// In which language it was, where the study has several.
    pub language: Option<String>,
    /// What was unusual, in words.
    pub flags: Option<String>,
}

impl Ran<'_> {
    /// The name of its step.
    pub fn step(&self) -> Option<&str> {
        self.trial.place[1].as_deref()
    }

    /// Whose it is, in which session, step and block: attempts of these follow each other.
    pub fn sequence(&self) -> [Option<&str>; 4] {
        let [_, step, block, ..] = &self.trial.place;
        [&self.trial.participant, &self.trial.session, step, block].map(Option::as_deref)
    }
}

impl Sources {
    /// Of each trial, whether it does not count and no other attempt does in its place: it was cut short, and not
    /// begun again.
    pub fn cut_short(&self) -> Vec<bool> {
        let planned = |trial: &Source| {
            let [number, step, ..] = trial.place.clone();
            [trial.participant.clone(), trial.session.clone(), step, number]
        };
        let counting: HashSet<[Option<String>; 4]> =
            self.trials.iter().filter(|trial| trial.counts).map(planned).collect();
        let is_cut = |trial: &Source| !trial.counts && !counting.contains(&planned(trial));
        self.trials.iter().map(is_cut).collect()
    }

    /// All attempts, in the order in which each person had them.
    ///
    /// # Errors
    /// [`TablesError`] where a table of trials cannot be read.
    pub fn ran(&self) -> Result<Vec<Ran<'_>>, TablesError> {
        let mut beside: HashMap<String, [Option<String>; 3]> = HashMap::new();
        for table in self.tables_of_trials()? {
            let Ok(events) = table.column("events_file") else { continue };
            let columns = ["onset_utc", "language", "flags"].map(|name| table.column(name).ok());
            for row in &table.rows {
                let cells = columns.map(|column| column.and_then(|column| row[column].clone()));
                beside.extend(row[events].clone().map(|file| (file, cells)));
            }
        }
        let of = |trial| Ran { trial, began: None, language: None, flags: None };
        let mut all: Vec<Ran<'_>> = self.trials.iter().map(of).collect();
        for ran in &mut all {
            let Some([began, language, flags]) = beside.get(&ran.trial.shown).cloned() else {
                continue;
            };
            ran.began = began.and_then(|cell| moment::micros(&cell));
            (ran.language, ran.flags) = (language, flags);
        }
        // A run's number goes on through a session, whatever step it is of.
        all.sort_by(|a, b| natural(&a.trial.shown).cmp(&natural(&b.trial.shown)));
        Ok(all)
    }
}
