//! [`Sources`]: which trials are to be analyzed, and what is known of each besides its
//! events: participant, place in the experiment, levels of the factors, also of those between
//! participants.

mod table;
mod withdrawn;

use crate::tables::names;
use crate::tables::{TablesError, Wrong};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
pub use table::Table as SourceTable;
use table::Table;
pub use withdrawn::Withdrawn;

/// The trials of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// The folder of the dataset; `None` for single files.
    pub dataset: Option<PathBuf>,
    /// The factors by name, in the order of the tables of trials.
    pub factors: Vec<String>,
    /// Of each factor the levels in the order in which the study states them, as the descriptions
    /// beside the tables of trials have it; fewer or none where they do not.
    pub stated: Vec<Vec<String>>,
    /// The trials, in order.
    pub trials: Vec<Source>,
    /// Events files in the dataset that no table of trials names: a session under way.
    pub unlisted: usize,
    /// The labels of participants who withdrew and whose data were kept: their trials are left out.
    pub withdrawn: Vec<String>,
    /// The tables of trials, where they are in memory and not in a dataset.
    pub(crate) in_memory: Vec<Table>,
    /// Files of all shares in which the trials were measured, in order; none where they are read.
    pub(crate) measured: Vec<PathBuf>,
}

/// A trial to be analyzed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Its events file.
    pub path: PathBuf,
    /// The same from the dataset's folder.
    pub shown: String,
    /// The label of the participant, without `sub-`.
    pub participant: Option<String>,
    /// The label of the session.
    pub session: Option<String>,
    pub task: Option<String>,
    /// Its place in the experiment: `trial`, `step`, `block`, `repetition`, `attempt`.
    pub place: [Option<String>; 5],
    /// Whether this attempt is the one that counts.
    pub counts: bool,
    /// The level of each factor; `None` where the trial has none.
    pub levels: Vec<Option<String>>,
}

/// The columns of a table of trials that say where in the experiment a trial stands.
pub(crate) const PLACE: [&str; 5] = ["trial", "step", "block", "repetition", "attempt"];

impl Source {
    /// The participant as BIDS writes it: `sub-01`. A program that guesses what a column holds does
    /// not take it for the number 1, as it does a label.
    pub fn participant_id(&self) -> Option<String> {
        self.participant.as_ref().map(|label| participant_id(label))
    }
}

/// A label as BIDS writes it in a column; one that is written so already stays.
pub fn participant_id(label: &str) -> String {
    format!("sub-{}", label_of(label))
}

/// The label in a cell of `participant_id`.
fn label_of(cell: &str) -> &str {
    cell.strip_prefix("sub-").unwrap_or(cell)
}

impl Sources {
    /// The trials of one dataset, or of single events files.
    ///
    /// # Errors
    /// [`TablesError`] where there is nothing to be analyzed, or a table cannot be read.
    pub fn find(paths: &[PathBuf]) -> Result<Sources, TablesError> {
        if let [folder] = paths
            && folder.is_dir()
        {
            return dataset(folder);
        }
        if let Some(path) = paths.iter().find(|path| path.is_dir()) {
            return Err(TablesError::Mixed { path: path.clone() });
        }
        for path in paths {
            fs::metadata(path).map_err(|source| read(path, source))?;
        }
        let trials = paths.iter().map(|path| single(path, path)).collect();
        let mut sources = Sources { trials, ..Sources::default() };
        for path in paths {
            sources.leave_out(&Withdrawn::around(path)?, |trial| trial.path == *path);
        }
        sources.refuse_none(&paths[0])?;
        Ok(sources)
    }

    /// Leaves out the trials of those who withdrew, of all that `which` names.
    fn leave_out(&mut self, withdrawn: &Withdrawn, which: impl Fn(&Source) -> bool) {
        let out = &mut self.withdrawn;
        self.trials.retain(|trial| {
            let label = trial.participant.as_deref().filter(|label| withdrawn.has(label));
            let Some(label) = label.filter(|_| which(trial)) else { return true };
            if !out.iter().any(|known| known == label) {
                out.push(label.to_owned());
            }
            false
        });
    }

    /// An error where no trial is left.
    fn refuse_none(&self, path: &Path) -> Result<(), TablesError> {
        let path = path.to_owned();
        match (self.trials.is_empty(), self.withdrawn.is_empty()) {
            (false, _) => Ok(()),
            (true, true) => Err(TablesError::Nothing { path }),
            (true, false) => Err(TablesError::AllWithdrew { path }),
        }
    }

    /// Who is left out, in a sentence; `None` where nobody is.
    pub fn left_out(&self) -> Option<String> {
        Withdrawn::sentence(self.withdrawn.len())
    }

    /// The trials of tables in memory: each session's table of trials, and that of participants.
    ///
    /// # Errors
    /// [`TablesError::Table`] where a column is missing.
    pub fn of_tables(trials: &[Table], people: &Table) -> Result<Sources, TablesError> {
        let mut sources = Sources { in_memory: trials.to_vec(), ..Sources::default() };
        for table in trials {
            of_table(Path::new(""), table, &mut sources)?;
        }
        between_people(people, &mut sources)?;
        let factors = sources.factors.len();
        sources.trials.iter_mut().for_each(|trial| trial.levels.resize(factors, None));
        Ok(sources)
    }
}

impl Sources {
    /// Which of two conditions stands first: by the first factor in which they differ, in the order
    /// in which the study states its levels. Levels that it does not state come behind, by their
    /// numbers or letters; a trial without a level before all.
    pub fn compare_levels(&self, a: &[Option<String>], b: &[Option<String>]) -> Ordering {
        let stated = |factor: usize, level: &str| {
            let all = self.stated.get(factor)?;
            all.iter().position(|one| one == level)
        };
        let rank = |factor: usize, level: Option<&str>| match level {
            None => (0, 0),
            Some(level) => stated(factor, level).map_or((2, 0), |place| (1, place)),
        };
        let pairs = a.iter().zip(b).enumerate().map(|(factor, (a, b))| {
            let (a, b) = (a.as_deref(), b.as_deref());
            let by_words = || a.map(natural).cmp(&b.map(natural));
            rank(factor, a).cmp(&rank(factor, b)).then_with(by_words)
        });
        pairs.fold(Ordering::Equal, Ordering::then)
    }

    /// All levels of each factor.
    pub(crate) fn levels(&self) -> Vec<BTreeSet<&str>> {
        let mut all = vec![BTreeSet::new(); self.factors.len()];
        for trial in &self.trials {
            for (known, level) in all.iter_mut().zip(&trial.levels) {
                known.extend(level.as_deref());
            }
        }
        all
    }

    /// The tables of trials of the dataset, whole; none for single files.
    pub(crate) fn tables_of_trials(&self) -> Result<Vec<Table>, TablesError> {
        let (mut events, mut tables) = (Vec::new(), Vec::new());
        if self.dataset.is_none() {
            return Ok(self.in_memory.clone());
        }
        if let Some(folder) = &self.dataset {
            list(folder, &mut events, &mut tables)?;
        }
        tables.iter().map(|table| Table::read(table)).collect()
    }

    /// The table of participants of the dataset, whole, where there is one.
    ///
    /// # Errors
    /// [`TablesError`] where it cannot be read.
    pub fn people(&self) -> Result<Option<Table>, TablesError> {
        let path = self.dataset.as_ref().map(|folder| folder.join(names::PARTICIPANTS));
        let there = path.filter(|path| chronotap_core::files::is_there(path));
        there.map(|path| Table::read(&path)).transpose()
    }

    /// Takes in the levels that the description beside a table states. They say in which order
    /// conditions are told, and nothing else, so that what is no description is passed over.
    fn take_levels(&mut self, table: &Path) {
        let text = chronotap_core::files::read_to_string(&table.with_extension("json"));
        let about: Option<Value> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        let Some(about) = about else { return };
        self.stated.resize(self.factors.len(), Vec::new());
        for (factor, stated) in self.factors.iter().zip(&mut self.stated) {
            let levels = about[factor]["Levels"].as_object();
            for level in levels.into_iter().flat_map(|levels| levels.keys()) {
                if !stated.contains(level) {
                    stated.push(level.clone());
                }
            }
        }
    }
}

/// What sorts words by the numbers in them, so that `70 ms` stands before `200 ms`: the words
/// before each number, and the number in millionths.
pub fn natural(words: &str) -> Vec<(&str, i64)> {
    let mut rest = words;
    let mut key = Vec::new();
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let end = number.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (number, after) = number.split_at(end.unwrap_or(number.len()));
        let millionths = (number.parse().unwrap_or(0.0) * 1e6) as i64;
        key.push(match before.strip_suffix('-') {
            Some(before) => (before, -millionths),
            None => (before, millionths),
        });
        rest = after;
    }
    key.push((rest, 0));
    key
}

fn read(path: &Path, source: std::io::Error) -> TablesError {
    TablesError::Read { path: path.to_owned(), source }
}

fn dataset(folder: &Path) -> Result<Sources, TablesError> {
    let (mut events, mut tables) = (Vec::new(), Vec::new());
    list(folder, &mut events, &mut tables)?;
    let withdrawn = Withdrawn::around(folder)?;
    let mut sources = Sources { dataset: Some(folder.to_owned()), ..Sources::default() };
    for table in &tables {
        of_table(folder, &Table::read(table)?, &mut sources)?;
        sources.take_levels(table);
    }
    if sources.trials.is_empty() {
        let from = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
        sources.trials = events.iter().map(|path| single(path, &from(path))).collect();
    } else {
        let listed: HashSet<&PathBuf> = sources.trials.iter().map(|trial| &trial.path).collect();
        let of_somebody =
            |path: &&PathBuf| !entity(path, "sub-").is_some_and(|label| withdrawn.has(&label));
        let unlisted = events.iter().filter(of_somebody).filter(|path| !listed.contains(path));
        sources.unlisted = unlisted.count();
    }
    sources.leave_out(&withdrawn, |_| true);
    sources.refuse_none(folder)?;
    between(folder, &mut sources)?;
    sources.take_levels(&folder.join(names::PARTICIPANTS));
    let factors = sources.factors.len();
    sources.trials.iter_mut().for_each(|trial| trial.levels.resize(factors, None));
    Ok(sources)
}

/// The events files and the tables of trials below, but for what was derived and what is no part of
/// the data. Name by name, so that nothing needs to be sorted that has the same folder.
fn list(
    folder: &Path,
    events: &mut Vec<PathBuf>,
    tables: &mut Vec<PathBuf>,
) -> Result<(), TablesError> {
    let mut inside = Vec::new();
    for item in fs::read_dir(folder).map_err(|source| read(folder, source))? {
        let item = item.map_err(|source| read(folder, source))?;
        let name = item.file_name();
        let ends = |end: &str| name.as_encoded_bytes().ends_with(end.as_bytes());
        let (of_events, of_trials) = (ends("_events.tsv"), ends("_beh.tsv"));
        // A link to a folder is not followed: it may lead back.
        if item.file_type().is_ok_and(|kind| kind.is_dir()) {
            let apart = name == "derivatives" || name == names::SOURCE;
            inside.extend(
                (!apart && !name.as_encoded_bytes().starts_with(b".")).then_some((name, None)),
            );
        } else if of_events || of_trials {
            inside.push((name, Some(of_events)));
        }
    }
    inside.sort();
    for (name, of_events) in inside {
        let path = folder.join(name);
        match of_events {
            None => list(&path, events, tables)?,
            Some(true) => events.push(path),
            Some(false) => tables.push(path),
        }
    }
    Ok(())
}

/// Adds the factors between participants: the columns of participants.tsv up to `k`, each
/// participant's level in all of their trials.
fn between(folder: &Path, sources: &mut Sources) -> Result<(), TablesError> {
    let path = folder.join(names::PARTICIPANTS);
    match chronotap_core::files::is_there(&path) {
        true => between_people(&Table::read(&path)?, sources),
        false => Ok(()),
    }
}

fn between_people(people: &Table, sources: &mut Sources) -> Result<(), TablesError> {
    let (id, k) = (people.column("participant_id")?, people.column("k").unwrap_or(0));
    let columns: Vec<(usize, usize)> = (id + 1..k)
        .map(|column| (column, factor(&mut sources.factors, &people.columns[column])))
        .collect();
    let label = |row: &&Vec<Option<String>>| Some(label_of(row[id].as_deref()?).to_owned());
    let people: HashMap<String, &Vec<Option<String>>> =
        people.rows.iter().filter_map(|row| Some((label(&row)?, row))).collect();
    for trial in &mut sources.trials {
        let row = trial.participant.as_ref().and_then(|label| people.get(label));
        let Some(row) = row else { continue };
        for (column, factor) in &columns {
            trial.levels.resize(trial.levels.len().max(factor + 1), None);
            trial.levels[*factor].clone_from(&row[*column]);
        }
    }
    Ok(())
}

/// A trial of which only the name of its file is known.
fn single(path: &Path, shown: &Path) -> Source {
    Source {
        path: path.to_owned(),
        shown: shown.to_string_lossy().into_owned(),
        participant: entity(path, "sub-"),
        session: entity(path, "ses-"),
        task: entity(path, "task-"),
        counts: true,
        ..Source::default()
    }
}

/// A part of a file's name, as BIDS has it: `sub-07_task-delay_…`.
fn entity(path: &Path, key: &str) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    name.split('_').find_map(|part| part.strip_prefix(key)).map(str::to_owned)
}

/// The trials of a table of trials. The factors are the columns between `counts` and `seed`.
fn of_table(folder: &Path, table: &Table, sources: &mut Sources) -> Result<(), TablesError> {
    let [counts, seed, events] = ["counts", "seed", "events_file"].map(|name| table.column(name));
    let (counts, seed, events) = (counts?, seed?, events?);
    let places = PLACE.map(|name| table.column(name).ok());
    let factors: Vec<usize> = (counts + 1..seed).collect();
    let named = |column: &usize| factor(&mut sources.factors, &table.columns[*column]);
    let of_factor: Vec<usize> = factors.iter().map(named).collect();
    for (line, row) in (2..).zip(&table.rows) {
        let Some(shown) = &row[events] else { continue };
        if !is_within(Path::new(shown)) {
            return Err(table.wrong(line, Wrong::Outside(shown.clone())));
        }
        let mut trial = single(&folder.join(shown), Path::new(shown));
        trial.place = places.map(|place| place.and_then(|column| row[column].clone()));
        trial.counts = row[counts].as_deref() != Some("false");
        trial.levels = vec![None; sources.factors.len()];
        for (column, factor) in factors.iter().zip(&of_factor) {
            trial.levels[*factor].clone_from(&row[*column]);
        }
        sources.trials.push(trial);
    }
    Ok(())
}

/// Whether a path from the dataset's folder stays in it.
fn is_within(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The place of a factor among all; a new one is added.
fn factor(factors: &mut Vec<String>, name: &str) -> usize {
    factors.iter().position(|factor| factor == name).unwrap_or_else(|| {
        factors.push(name.to_owned());
        factors.len() - 1
    })
}
