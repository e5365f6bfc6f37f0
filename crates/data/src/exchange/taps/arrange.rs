//! [`arrange`]: whose the trials of all files are, in which order, and which of their levels are of a
//! participant and which of a trial. Labels are those of BIDS: letters and digits.

use super::error::TapsError;
use super::{Read, SourceFile, Taken};
use std::collections::{BTreeMap, HashMap, HashSet};

/// All trials that are imported.
#[derive(Debug, Default)]
pub struct Arranged {
    /// Each participant's label, and what the source calls them; in the order of the source.
    pub people: Vec<(String, String)>,
    /// The conditions that differ between participants alone, with each participant's level.
    pub between: Vec<(String, BTreeMap<String, String>)>,
    /// The conditions of trials, by their names.
    pub factors: Vec<String>,
    pub trials: Vec<ArrangedTrial>,
}

/// A trial with its place.
#[derive(Debug)]
pub struct ArrangedTrial {
    /// The participant's label.
    pub label: String,
    /// From 1, of each participant.
    pub run: u32,
    /// The number that the source gives it.
    pub number: Option<String>,
    /// Its level of each of [`Arranged::factors`].
    pub levels: Vec<Option<String>>,
    /// Which file it comes from.
    pub file: usize,
    /// The trial itself.
    pub taken: Taken,
}

/// Arranges the trials that were read from these files; `conditions` are the columns of levels.
///
/// # Errors
/// [`TapsError`] where nobody knows whose a trial is, or one stands twice.
pub fn arrange(
    files: &[SourceFile],
    reads: Vec<Read>,
    conditions: &[String],
) -> Result<Arranged, TapsError> {
    refuse_same(files)?;
    let mut all = Arranged::default();
    let (mut labels, mut known, mut runs) = (HashMap::new(), HashSet::new(), HashMap::new());
    for (file, read) in reads.into_iter().enumerate() {
        let name = || files[file].name.clone();
        for taken in read.trials {
            let line = taken.line;
            let whose = taken.participant.clone().or_else(|| in_name(files[file].short()));
            let whose = whose.ok_or_else(|| TapsError::Nobody { name: name(), line })?;
            let label = label(&whose).ok_or_else(|| TapsError::Label {
                name: name(),
                line,
                label: whose.clone(),
            })?;
            // Some disks do not tell capital letters from small ones.
            let first = labels.entry(label.to_ascii_lowercase()).or_insert_with(|| whose.clone());
            if *first != whose {
                let (one, other) = (first.clone(), whose);
                return Err(TapsError::SameLabel { name: name(), line, one, other, label });
            }
            if all.people.iter().all(|(known, _)| *known != label) {
                all.people.push((label.clone(), whose.clone()));
            }
            let which = (label.clone(), taken.trial.clone(), taken.levels.clone());
            if let (Some(trial), false) = (taken.trial.clone(), known.insert(which)) {
                return Err(TapsError::Again { name: name(), line, trial, participant: whose });
            }
            let run = runs.entry(label.clone()).and_modify(|run| *run += 1).or_insert(1);
            let (number, levels) = (taken.trial.clone(), taken.levels.clone());
            all.trials.push(ArrangedTrial { label, run: *run, number, levels, file, taken });
        }
    }
    part_factors(&mut all, conditions);
    Ok(all)
}

/// No file is imported twice, whatever its names.
fn refuse_same(files: &[SourceFile]) -> Result<(), TapsError> {
    let mut known: HashMap<String, &str> = HashMap::new();
    for file in files {
        if let Some(other) = known.insert(file.sha256(), &file.name) {
            let (name, other) = (file.name.clone(), other.to_owned());
            return Err(TapsError::SameFile { name, other });
        }
    }
    Ok(())
}

/// Letters and digits of what a source calls somebody; `sub-` before them is no part of it.
fn label(whose: &str) -> Option<String> {
    let whose = whose.strip_prefix("sub-").unwrap_or(whose);
    let label: String = whose.chars().filter(char::is_ascii_alphanumeric).collect();
    (!label.is_empty()).then_some(label)
}

/// The participant in a name of BIDS.
fn in_name(file: &str) -> Option<String> {
    let part = file.split(['_', '.']).find_map(|part| part.strip_prefix("sub-"))?;
    (!part.is_empty()).then(|| part.to_owned())
}

/// A condition of which everybody has one level alone, and not all the same, is one between participants.
fn part_factors(all: &mut Arranged, conditions: &[String]) {
    let (mut between, mut within) = (Vec::new(), Vec::new());
    for (place, name) in conditions.iter().enumerate() {
        match levels_of_people(all, place) {
            Some(levels) => between.push((place, name.clone(), levels)),
            None => within.push((place, name.clone())),
        }
    }
    for trial in &mut all.trials {
        let all = std::mem::take(&mut trial.levels);
        trial.levels = within.iter().map(|(place, _)| all.get(*place).cloned().flatten()).collect();
    }
    all.between = between.into_iter().map(|(_, name, levels)| (name, levels)).collect();
    all.factors = within.into_iter().map(|(_, name)| name).collect();
}

fn levels_of_people(all: &Arranged, place: usize) -> Option<BTreeMap<String, String>> {
    let mut levels: BTreeMap<String, String> = BTreeMap::new();
    for trial in &all.trials {
        let level = trial.levels.get(place)?.clone()?;
        let known = levels.entry(trial.label.clone()).or_insert_with(|| level.clone());
        if *known != level {
            return None;
        }
    }
    let different: HashSet<&String> = levels.values().collect();
    (different.len() > 1).then_some(levels)
}
