//! [`Sources`]: which trials are to be analyzed, and what is known of each besides its
//! events: participant, place in the experiment, levels of the factors, also of those between
//! participants.

mod around;
mod layout;
mod planned;
mod same;
mod withdrawn;

use crate::tables::aside::{Aside, Why};
use crate::tables::exclude::{Excluded, Excluding};
use crate::tables::names;
use crate::tables::study_says::StudySays;
pub use crate::tables::table::Table as SourceTable;
use crate::tables::table::{Table, entity, label_of};
use crate::tables::{OutOfTurn, TablesError, Wrong};
pub use around::Around;
use around::Labels;
use chronotap_core::files::real;
pub(crate) use layout::Layout;
pub use layout::{aside_below, placed_tables};
pub use planned::refuse_exchanged;
pub use same::same_files;
pub(crate) use same::same_trials;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
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
    /// Copies and other data that are no part of the dataset, in order: their trials are left out.
    pub aside: Vec<Aside>,
    /// The labels of participants who withdrew and whose data were kept: their trials are left out.
    pub withdrawn: Vec<String>,
    /// Whom the study leaves out by their answers: their trials are left out.
    pub excluded: Excluded,
    /// Sessions that were begun although the study has them begin at another time.
    pub out_of_turn: Vec<OutOfTurn>,
    /// Who left the study otherwise, by label, and the word of participants.tsv for how.
    pub left: BTreeMap<String, String>,
    /// What the study says that stands in no table.
    pub said: StudySays,
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
        let mut known: HashMap<PathBuf, Excluded> = HashMap::new();
        for path in paths {
            sources.leave_out(&Withdrawn::around(path)?, |trial| trial.path == *path);
            let Some(dataset) = dataset_of(path) else { continue };
            if !known.contains_key(&dataset) {
                known.insert(dataset.clone(), Excluded::of_dataset(&dataset)?);
            }
            sources.exclude(&known[&dataset], |trial| trial.path == *path);
        }
        sources.leave_out_the_same();
        sources.refuse_none(&paths[0])?;
        Ok(sources)
    }

    /// Who of those whose trials are here withdrew since these were found: what was made of them meanwhile must
    /// not stay. Ask when it is written: whoever withdraws after that removes it.
    ///
    /// # Errors
    /// [`TablesError`] where the note cannot be read.
    pub fn withdrew_meanwhile(&self) -> Result<Vec<String>, TablesError> {
        self.labels().withdrew()
    }

    /// Everybody who is in what is made of these: whose trials are here, and who is named as left out.
    fn labels(&self) -> Labels {
        let mut labels = Labels::default();
        for trial in &self.trials {
            let Some(label) = &trial.participant else { continue };
            labels
                .add(self.dataset.as_deref().or(trial.path.parent()).unwrap_or(&trial.path), label);
        }
        let Some(dataset) = &self.dataset else { return labels };
        let named = self.excluded.people.keys().chain(self.left.keys());
        let named = named.chain(self.out_of_turn.iter().map(|one| &one.participant));
        named.for_each(|label| labels.add(dataset, label));
        labels
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

    /// Leaves out trials that are byte for byte an earlier one, and keeps which.
    fn leave_out_the_same(&mut self) {
        let same = same_trials(&self.trials.iter().collect::<Vec<_>>()).into_iter();
        let mut aside: Vec<(PathBuf, Aside)> = Vec::new();
        let all = std::mem::take(&mut self.trials);
        let mut out = vec![None; all.len()];
        same.for_each(|(place, of)| out[place] = Some(of));
        for (trial, of) in all.iter().zip(&out) {
            let Some(of) = of.and_then(|of: usize| all.get(of)) else { continue };
            let folder = trial.path.parent().unwrap_or(Path::new("")).to_owned();
            match aside.last_mut() {
                Some((last, Aside { why: Why::Same { trials, .. }, .. })) if *last == folder => {
                    *trials += 1;
                }
                _ => {
                    let why = Why::Same { of: of.shown.clone(), trials: 1 };
                    aside.push((folder, Aside { shown: trial.shown.clone(), why }));
                }
            }
        }
        self.aside.extend(aside.into_iter().map(|(_, aside)| aside));
        let kept = all.into_iter().zip(out).filter(|(_, of)| of.is_none());
        self.trials = kept.map(|(trial, _)| trial).collect();
    }

    /// Leaves out the trials of those whom the study leaves out by their answers, of all that `which` names.
    fn exclude(&mut self, excluded: &Excluded, which: impl Fn(&Source) -> bool) {
        let out = &mut self.excluded.people;
        self.trials.retain(|trial| {
            let label = trial.participant.as_deref().filter(|_| which(trial));
            let reason = label.and_then(|label| excluded.people.get_key_value(label));
            out.extend(reason.map(|(label, reason)| (label.clone(), reason.clone())));
            reason.is_none()
        });
    }

    /// An error where no trial is left.
    fn refuse_none(&self, path: &Path) -> Result<(), TablesError> {
        let path = path.to_owned();
        match (self.trials.is_empty(), self.withdrawn.is_empty()) {
            (false, _) => Ok(()),
            (true, _) if !self.excluded.people.is_empty() => Err(TablesError::AllExcluded { path }),
            (true, true) => Err(TablesError::Nothing { path }),
            (true, false) => Err(TablesError::AllWithdrew { path }),
        }
    }

    /// Who is left out, in a sentence; `None` where nobody is.
    pub fn left_out(&self) -> Option<String> {
        let both = [Withdrawn::sentence(self.withdrawn.len()), self.excluded.sentence()];
        let said: Vec<String> = both.into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join("; "))
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

    /// All levels of each factor, those that the study states and no trial has among them.
    pub(crate) fn levels(&self) -> Vec<BTreeSet<&str>> {
        let mut all = vec![BTreeSet::new(); self.factors.len()];
        for (known, stated) in all.iter_mut().zip(&self.stated) {
            known.extend(stated.iter().map(String::as_str));
        }
        for trial in &self.trials {
            for (known, level) in all.iter_mut().zip(&trial.levels) {
                known.extend(level.as_deref());
            }
        }
        all
    }

    /// The tables of trials of the dataset, whole; none for single files.
    pub(crate) fn tables_of_trials(&self) -> Result<Vec<Table>, TablesError> {
        let Some(folder) = &self.dataset else { return Ok(self.in_memory.clone()) };
        let tables = Layout::of(folder)?.tables;
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
    let Layout { events, tables, aside, datasets, placed } = Layout::of(folder)?;
    if !layout::is_dataset(folder) {
        refuse_around(folder, &tables, &datasets, &aside)?;
    }
    if tables.is_empty()
        && let Some(lost) = aside.iter().find(|aside| aside.is_a_loss())
    {
        return Err(TablesError::Astray { path: folder.to_owned(), aside: lost.clone() });
    }
    layout::refuse_unfinished(folder)?;
    let withdrawn = Withdrawn::around(folder)?;
    let said = StudySays::of_dataset(folder);
    let mut sources =
        Sources { dataset: Some(folder.to_owned()), aside, said, ..Sources::default() };
    let mut excluding = Excluding::of_dataset(folder);
    for path in &tables {
        let table = Table::read(path)?;
        planned::refuse(&table)?;
        of_table(folder, &table, &mut sources)?;
        excluding.take(&table);
        sources.take_levels(path);
    }
    if sources.trials.is_empty() {
        let from = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
        sources.trials = events.iter().map(|path| single(path, &from(path))).collect();
    } else {
        let listed: HashSet<&PathBuf> = sources.trials.iter().map(|trial| &trial.path).collect();
        let of_somebody =
            |path: &&PathBuf| !entity(path, "sub-").is_some_and(|label| withdrawn.has(&label));
        let unlisted = placed.iter().filter(of_somebody).filter(|path| !listed.contains(path));
        sources.unlisted = unlisted.count();
    }
    sources.leave_out(&withdrawn, |_| true);
    sources.leave_out_the_same();
    sources.exclude(&excluding.done(folder)?, |_| true);
    sources.refuse_none(folder)?;
    sources.out_of_turn = OutOfTurn::of_dataset(folder);
    sources.out_of_turn.retain(|one| !withdrawn.has(&one.participant));
    between(folder, &mut sources)?;
    sources.take_levels(&folder.join(names::PARTICIPANTS));
    let factors = sources.factors.len();
    sources.trials.iter_mut().for_each(|trial| trial.levels.resize(factors, None));
    Ok(sources)
}

/// A folder above a dataset, or within one, is none: the paths in its tables begin elsewhere.
fn refuse_around(
    folder: &Path,
    tables: &[PathBuf],
    datasets: &[PathBuf],
    aside: &[Aside],
) -> Result<(), TablesError> {
    if !tables.is_empty() || aside.is_empty() {
        return Ok(());
    }
    let path = folder.to_owned();
    if !datasets.is_empty() {
        return Err(TablesError::Above { path, datasets: datasets.to_vec() });
    }
    let whole = real(folder).unwrap_or_else(|_| path.clone());
    match whole.ancestors().skip(1).find(|above| layout::is_dataset(above)) {
        Some(dataset) => Err(TablesError::Within { path, dataset: dataset.to_owned() }),
        None => Ok(()),
    }
}

/// Adds the factors between participants: the columns of participants.tsv up to `k`, each
/// participant's level in all of their trials.
fn between(folder: &Path, sources: &mut Sources) -> Result<(), TablesError> {
    let path = folder.join(names::PARTICIPANTS);
    if !chronotap_core::files::is_there(&path) {
        return Ok(());
    }
    let people = Table::read(&path)?;
    sources.left = left(&people);
    between_people(&people, sources)
}

/// Who left the study, and how, where the table of participants says it.
fn left(people: &Table) -> BTreeMap<String, String> {
    let columns = people.column("participant_id").ok().zip(people.column(names::ATTRITION).ok());
    let Some((id, how)) = columns else { return BTreeMap::new() };
    let of = |row: &Vec<Option<String>>| {
        Some((label_of(row[id].as_deref()?).to_owned(), row[how].clone()?))
    };
    people.rows.iter().filter_map(of).collect()
}

/// The dataset that a file lies in.
fn dataset_of(path: &Path) -> Option<PathBuf> {
    let whole = real(path).unwrap_or_else(|_| path.to_owned());
    let mut folders = whole.ancestors().filter(|folder| folder.join(names::SOURCE).is_dir());
    folders.next().map(Path::to_owned)
}

impl Excluded {
    /// Those of a dataset.
    ///
    /// # Errors
    /// [`TablesError`] where a table cannot be read.
    pub fn of_dataset(dataset: &Path) -> Result<Excluded, TablesError> {
        let mut excluding = Excluding::of_dataset(dataset);
        if !excluding.rules.is_empty() {
            for table in &Layout::of(dataset)?.tables {
                excluding.take(&Table::read(table)?);
            }
        }
        excluding.done(dataset)
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

/// The trials of a table of trials. The factors are the columns between `counts` and `seed`.
fn of_table(folder: &Path, table: &Table, sources: &mut Sources) -> Result<(), TablesError> {
    let [counts, seed, events] = ["counts", "seed", "events_file"].map(|name| table.column(name));
    let (counts, seed, events) = (counts?, seed?, events?);
    let places = PLACE.map(|name| table.column(name).ok());
    let factors: Vec<usize> = (counts + 1..seed).collect();
    let named = |column: &usize| factor(&mut sources.factors, &table.columns[*column]);
    let of_factor: Vec<usize> = factors.iter().map(named).collect();
    let mut known = HashSet::new();
    for (line, row) in (2..).zip(&table.rows) {
        let Some(shown) = &row[events] else { continue };
        if !is_within(Path::new(shown)) {
            return Err(table.wrong(line, Wrong::Outside(shown.clone())));
        }
        if sources.dataset.is_some() && !is_named_like(&folder.join(shown), &table.path) {
            return Err(table.wrong(line, Wrong::OfAnother(shown.clone())));
        }
        if !known.insert(shown) {
            return Err(table.wrong(line, Wrong::Twice(shown.clone())));
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

/// Whether an events file stands beside a table of trials and is of the same session by its name.
fn is_named_like(events: &Path, table: &Path) -> bool {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (events_name, table_name) = (name(events), name(table));
    let session = table_name.strip_suffix("beh.tsv").unwrap_or(&table_name);
    let beside = events.parent().map(|path| path.components());
    events_name.starts_with(session) && table.parent().map(|path| path.components()) == beside
}

/// The place of a factor among all; a new one is added.
fn factor(factors: &mut Vec<String>, name: &str) -> usize {
    factors.iter().position(|factor| factor == name).unwrap_or_else(|| {
        factors.push(name.to_owned());
        factors.len() - 1
    })
}
