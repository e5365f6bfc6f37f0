//! [`verify`]: whether a dataset is what it says: every checksum, every replay, every plan,
//! and every table against the journal that it was made from. Nothing is written.

mod analyzed;

use crate::checksum::{parse_list, sha256};
use crate::dataset::{Dataset, DatasetError, others};
use crate::held::{OtherLevels, other_levels};
use crate::import::people_of;
use crate::kept::{KeptError, KeptSession, astray, journals, unfinished_correction};
use crate::line::{Line, TrialBegan, fields};
use crate::study::Study;
use crate::table::TsvTable;
use crate::withdraw::{DERIVED, Kind, Trace, records, traces, walk, withdrew};
use analyzed::Plans;
use chronotap_config::trial_files::Problems;
use chronotap_core::files::{Disk as AnyDisk, is_dropping, real};
use chronotap_data::record::{PROGRAM, ReadError, read_events_on, summary_difference};
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE};
use chronotap_data::tables::{FileSum, table_names};
use chronotap_simulate::prove;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// What was looked at, and what was wrong.
#[derive(Debug, Default, Serialize)]
pub struct Verified {
    pub sessions: usize,
    /// Trials that were replayed.
    pub trials: usize,
    /// Trials of another program, which were read and worked out again.
    #[serde(skip_serializing_if = "is_zero")]
    pub imported: usize,
    /// Files whose checksum was compared.
    pub files: usize,
    /// What is wrong. Whoever shows it says it in words.
    #[serde(skip)]
    pub problems: Vec<DatasetProblem>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// One thing that is wrong.
#[derive(Debug, thiserror::Error)]
pub enum DatasetProblem {
    /// A session cannot be read.
    #[error(transparent)]
    Kept(#[from] KeptError),
    /// The table of participants cannot be read.
    #[error("participants.tsv: {0}")]
    People(DatasetError),
    /// The events file of a trial cannot be read.
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    /// The events file of a trial cannot be replayed.
    #[error("{}: {source}", path.display())]
    Recorded { path: PathBuf, source: Problems },
    /// Somebody has a row, and no session.
    #[error("participants.tsv: {id}: has a row, and no session of theirs began")]
    NoSession { id: String },
    /// A table of an analysis is not what the analysis wrote. Analyze again.
    #[error("{}: {what}", path.display())]
    Analysis {
        /// The table or its record.
        path: PathBuf,
        what: String,
    },
    /// Something still tells of somebody who withdrew.
    #[error("{}: tells of participant {label}, who withdrew", path.display())]
    Trace {
        path: PathBuf,
        label: String,
        /// Whether their data were to stay.
        kept: bool,
    },
    /// The table of participants has a row of somebody who withdrew.
    #[error("participants.tsv: has a row of participant {label}, who withdrew")]
    Row { label: String },
    /// A listed file is none of the dataset's.
    #[error("{path}: lies outside of the dataset")]
    Outside {
        /// As it is listed.
        path: String,
    },
    /// A table of trials has levels of factors that the plan has otherwise.
    #[error("{}: {}", path.display(), others(factors, *rows))]
    Levels {
        path: PathBuf,
        /// The factors whose columns they are.
        factors: Vec<String>,
        /// In so many rows.
        rows: usize,
    },
    /// A file or table is not what it should be.
    #[error("{path}: {what}")]
    Wrong {
        path: String,
        /// What is wrong with it.
        what: String,
    },
}

impl DatasetProblem {
    fn wrong(path: &Path, what: impl Into<String>) -> DatasetProblem {
        DatasetProblem::Wrong { path: path.display().to_string(), what: what.into() }
    }
}

/// Checks a dataset.
///
/// # Errors
/// [`DatasetError`] where it cannot be read at all.
pub fn verify<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Verified, DatasetError> {
    verify_telling(dataset, &mut |_, _| {})
}

/// The same; `progress` is told of how many participants all sessions were checked, and of how many
/// there are.
///
/// # Errors
/// [`DatasetError`] where it cannot be read at all.
pub fn verify_telling<D: AnyDisk>(
    dataset: &Dataset<D>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Verified, DatasetError> {
    let mut found = Verified::default();
    let mut listed = BTreeSet::new();
    let journals = journals(dataset)?;
    match dataset.imported_from() {
        Some(_) => imported(dataset, &mut found, &mut listed)?,
        None => rows(dataset, &journals, &mut found)?,
    }
    let mut plans = Plans::default();
    let people: Vec<&[PathBuf]> =
        journals.chunk_by(|one, next| whose(one) == whose(next)).collect();
    for (done, theirs) in people.iter().enumerate() {
        let mut each = |journal| journaled(dataset, journal, &mut found, &mut listed, &mut plans);
        theirs.iter().for_each(|journal| each(journal));
        progress(done + 1, people.len());
    }
    found.problems.extend(unfinished_correction(dataset).map(Into::into));
    for path in astray(dataset)? {
        found.problems.push(DatasetProblem::wrong(&path, "stands elsewhere than its name says"));
    }
    unlisted(dataset, Path::new(""), &listed, &mut found)?;
    analyses(dataset, &plans, &mut found)?;
    withdrawn(dataset, &mut found)?;
    Ok(found)
}

/// Every file of a dataset of another program's trials has its checksum, and every trial says what
/// follows from its events. What its program decided cannot be repeated here.
fn imported<D: AnyDisk>(
    dataset: &Dataset<D>,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
) -> Result<(), DatasetError> {
    let mut known = BTreeSet::new();
    for place in people_of(dataset)? {
        let list = place.checksums();
        if !known.insert(place.label.clone()) {
            let what = format!("{}: has more than one row", place.participant());
            found.problems.push(DatasetProblem::wrong(Path::new(PARTICIPANTS), what));
        } else if !dataset.has(&list) {
            found
                .problems
                .push(DatasetProblem::wrong(&list, "there are no checksums of this participant"));
        }
        sums_of(dataset, &list, found, listed);
        let table = dataset.table(&place.table())?.unwrap_or_default();
        let named = table.rows.iter().filter_map(|row| table.cell(row, "events_file"));
        named.for_each(|path| imported_trial(dataset, Path::new(path), found));
    }
    Ok(())
}

fn imported_trial<D: AnyDisk>(dataset: &Dataset<D>, path: &Path, found: &mut Verified) {
    if is_outside(dataset, path) {
        found.problems.push(DatasetProblem::Outside { path: path.display().to_string() });
        return;
    }
    found.imported += 1;
    let recording = match read_events_on(dataset.disk.itself(), &dataset.root().join(path)) {
        Ok(recording) => recording,
        Err(source) => {
            found.problems.push(DatasetProblem::Read { path: path.to_owned(), source });
            return;
        }
    };
    let mut wrong = |what: String| found.problems.push(DatasetProblem::wrong(path, what));
    if let Some(difference) = recording.contradiction() {
        wrong(difference.to_string());
    }
    match recording.summary() {
        Ok(summary) => {
            summary_difference(&recording.footer.summary, &summary).into_iter().for_each(wrong);
        }
        Err(error) => wrong(error.to_string()),
    }
}

/// The folder of the participant whose journal it is.
fn whose(journal: &Path) -> Option<Component<'_>> {
    journal.strip_prefix(SOURCE).ok()?.components().next()
}

/// The session of a journal, where one began.
fn journaled<D: AnyDisk>(
    dataset: &Dataset<D>,
    journal: &Path,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
    plans: &mut Plans,
) {
    match KeptSession::read(dataset, journal) {
        Ok(Some(kept)) => {
            found.sessions += 1;
            plans.add(kept.place.participant(), kept.place.session, &kept.plan);
            session(dataset, &kept, found, listed);
        }
        Ok(None) => {}
        Err(error) => found.problems.push(error.into()),
    }
}

/// Each row of participants.tsv is that of somebody who began a session, and there is one of each.
fn rows<D: AnyDisk>(
    dataset: &Dataset<D>,
    journals: &[PathBuf],
    found: &mut Verified,
) -> Result<(), DatasetError> {
    let people = dataset.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
    let mut known = BTreeSet::new();
    let id = |row| people.cell(row, "participant_id").unwrap_or_default().to_owned();
    for id in people.rows.iter().map(id) {
        let folder = Path::new(SOURCE).join(&id);
        if !journals.iter().any(|journal| journal.starts_with(&folder)) {
            found.problems.push(DatasetProblem::NoSession { id: id.clone() });
        }
        if !known.insert(id.clone()) {
            let what = format!("{id}: has more than one row");
            found.problems.push(DatasetProblem::wrong(Path::new(PARTICIPANTS), what));
        }
    }
    Ok(())
}

/// The tables of analyses are as they were written, and have the levels of the plans.
fn analyses<D: AnyDisk>(
    dataset: &Dataset<D>,
    plans: &Plans,
    found: &mut Verified,
) -> Result<(), DatasetError> {
    let files = walk(dataset, Path::new(""))?.into_iter();
    let files: Vec<PathBuf> =
        files.filter(|entry| entry.kind == Kind::File).map(|entry| entry.path).collect();
    for (record, said) in records(dataset, &files) {
        let Some(sums) = said.files else { continue }; // an older version wrote it
        let folder = record.parent().unwrap_or(Path::new(""));
        let mut wrong = |path: &Path, what: &str| {
            let (path, what) = (path.to_owned(), what.to_owned());
            found.problems.push(DatasetProblem::Analysis { path, what });
        };
        if sums.is_empty() {
            wrong(&record, "the analysis was cut short");
            continue;
        }
        for (name, sum) in &sums {
            let path = folder.join(name);
            found.files += 1;
            match FileSum::of(&dataset.root().join(&path)) {
                Ok(there) if there == *sum && path.extension().is_some_and(|of| of == "tsv") => {
                    match plans.other_levels(&dataset.root().join(&path)) {
                        Ok(None) => {}
                        Ok(Some(other)) => wrong(&path, &others(&other.factors, other.rows)),
                        Err(error) => wrong(&path, &format!("cannot be read: {error}")),
                    }
                }
                Ok(there) if there == *sum => {}
                Ok(_) => wrong(&path, "changed since it was written"),
                Err(error) => wrong(&path, &format!("cannot be read: {error}")),
            }
        }
        let others = table_names().filter(|name| !sums.contains_key(name));
        let others = others.map(|name| folder.join(name)).filter(|path| dataset.has(path));
        others.for_each(|path| wrong(&path, "not of the analysis beside it"));
    }
    Ok(())
}

/// Nobody who withdrew is there any more; of those whose data were kept, nothing was computed.
fn withdrawn<D: AnyDisk>(dataset: &Dataset<D>, found: &mut Verified) -> Result<(), DatasetError> {
    for (somebody, kept) in withdrew(dataset)? {
        let label = &somebody.label;
        for trace in traces(dataset, &somebody)? {
            let known = !matches!(trace.trace, Some(Trace::Unknown(_)));
            if known && (!kept || trace.path.starts_with(DERIVED)) {
                let (path, label) = (trace.path, label.clone());
                found.problems.push(DatasetProblem::Trace { path, label, kept });
            }
        }
        let people = dataset.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
        let is_theirs = |row| people.cell(row, "participant_id") == Some(&*somebody.id);
        if !kept && people.rows.iter().any(is_theirs) {
            found.problems.push(DatasetProblem::Row { label: label.clone() });
        }
    }
    Ok(())
}

/// Whether a path leaves the dataset, by its name or by a link.
fn is_outside<D: AnyDisk>(dataset: &Dataset<D>, path: &Path) -> bool {
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(inside) {
        return true;
    }
    let whole = real(dataset.root()).and_then(|root| Ok((real(&dataset.root().join(path))?, root)));
    whole.is_ok_and(|(path, root)| !path.starts_with(root))
}

fn session<D: AnyDisk>(
    dataset: &Dataset<D>,
    kept: &KeptSession,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
) {
    plan(kept, found);
    person(dataset, kept, found);
    tables(dataset, kept, found, listed);
    sums(dataset, kept, found, listed);
    let began = kept.lines.iter().filter_map(|line| match line {
        Line::TrialBegan(began) => Some(&**began),
        _ => None,
    });
    began.for_each(|began| trial(dataset, kept, began, found));
}

/// The plan is that of the journal, and follows from the study.
fn plan(kept: &KeptSession, found: &mut Verified) {
    let path = kept.place.plan_as_json();
    let mut wrong = |what: &str| found.problems.push(DatasetProblem::wrong(&path, what));
    if kept.plan_sum != kept.began.plan {
        wrong("not the plan that the session began with");
    }
    if kept.began.program != PROGRAM {
        return; // another version may plan otherwise; the session follows its plan
    }
    match again(&kept.study, kept) {
        Some(sum) if sum == kept.began.plan => {}
        _ => wrong("does not follow from the kept experiment file"),
    }
}

fn again(study: &Study, kept: &KeptSession) -> Option<String> {
    let person = kept.began.person();
    let plan = study.plan(&person, kept.began.session).ok()?;
    Some(sha256(plan.json().as_bytes()))
}

/// The row of participants.tsv is what was assigned and answered.
fn person<D: AnyDisk>(dataset: &Dataset<D>, kept: &KeptSession, found: &mut Verified) {
    let table = Path::new(PARTICIPANTS);
    let label = &kept.began.participant;
    let people = match dataset.people_in_the_table(&kept.study.about.columns) {
        Ok(people) => people,
        Err(error) => return found.problems.push(DatasetProblem::People(error)),
    };
    let mut wrong = |what: String| found.problems.push(DatasetProblem::wrong(table, what));
    let Some(person) = people.find(label) else {
        return wrong(format!("sub-{label} has a session and no row"));
    };
    if person.cell != kept.began.cell || person.k != kept.began.k {
        wrong(format!("sub-{label}: not what was assigned when the session began"));
    }
    let mut written = people.clone();
    for (field, answer) in fields(&kept.lines) {
        if written.fill(label, field, answer) {
            wrong(format!("sub-{label}: {field} is not what was answered"));
        }
    }
}

/// The tables follow from the journal.
fn tables<D: AnyDisk>(
    dataset: &Dataset<D>,
    kept: &KeptSession,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
) {
    let checksums = kept.place.checksums();
    for (path, due) in kept.tables().files() {
        listed.insert(path.clone());
        let there = dataset.bytes(Path::new(&path)).unwrap_or_default();
        let nothing_yet = there.is_empty() && !due.contains(&b'\n');
        let rows = due.iter().filter(|byte| **byte == b'\n').count();
        let follows = match path == checksums {
            true => there.starts_with(&due), // sums are added when the session is complete
            false => says_what(&due, &there) || nothing_yet || (there.is_empty() && rows < 2),
        };
        if let Some(problem) = levels(kept, &path, &there) {
            found.problems.push(problem);
            continue;
        }
        if !follows {
            found.problems.push(DatasetProblem::wrong(&path, "does not follow from the journal"));
        }
    }
    named_events(dataset, kept, found);
    listed.insert(kept.place.table_description());
    listed.insert(kept.place.journal());
}

/// Whether a table of trials has other levels than the plan: held against it by the names of factors,
/// and not against a table that is made as it was.
pub(crate) fn levels(kept: &KeptSession, path: &Path, there: &[u8]) -> Option<DatasetProblem> {
    if path != kept.place.table() {
        return None;
    }
    let table = TsvTable::parse(std::str::from_utf8(there).ok()?)?;
    let OtherLevels { factors, rows } = other_levels(&table, &kept.plan)?;
    Some(DatasetProblem::Levels { path: path.to_owned(), factors, rows })
}

/// Whether a table says what is due. An earlier version may have written it, which had not all columns
/// of today: one may be missing where it would have no value.
fn says_what(due: &[u8], there: &[u8]) -> bool {
    let table = |bytes: &[u8]| TsvTable::parse(std::str::from_utf8(bytes).ok()?);
    let parsed = || table(due).zip(table(there));
    there == due || parsed().is_some_and(|(due, there)| due.without_empty(&there.columns) == there)
}

/// The events files that the table of trials names lie in the dataset.
fn named_events<D: AnyDisk>(dataset: &Dataset<D>, kept: &KeptSession, found: &mut Verified) {
    let path = kept.place.table();
    let text = dataset.text(&path).unwrap_or_default();
    let table = TsvTable::parse(&text).unwrap_or_default();
    let named = table.rows.iter().filter_map(|row| table.cell(row, "events_file"));
    for outside in named.filter(|named| is_outside(dataset, Path::new(named))) {
        let what = format!("names {outside}, which lies outside of the dataset");
        found.problems.push(DatasetProblem::wrong(&path, what));
    }
}

/// Every listed file has its checksum.
fn sums<D: AnyDisk>(
    dataset: &Dataset<D>,
    kept: &KeptSession,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
) {
    sums_of(dataset, &kept.place.checksums(), found, listed);
}

/// Every file in a list of checksums has its own.
fn sums_of<D: AnyDisk>(
    dataset: &Dataset<D>,
    list: &Path,
    found: &mut Verified,
    listed: &mut BTreeSet<PathBuf>,
) {
    let list = dataset.text(list).unwrap_or_default();
    for (sum, path) in parse_list(&list) {
        found.files += 1;
        if is_outside(dataset, Path::new(&path)) {
            // Somebody else may have written the list, and what it names there is not theirs to have read.
            found.problems.push(DatasetProblem::Outside { path });
            continue;
        }
        let mut wrong =
            |what| found.problems.push(DatasetProblem::Wrong { path: path.clone(), what });
        match dataset.bytes(Path::new(&path)) {
            Ok(bytes) if sha256(&bytes) == sum => {}
            Ok(_) => wrong("changed since it was written".into()),
            Err(error) => wrong(format!("cannot be read: {error}")),
        }
        listed.insert(PathBuf::from(path));
    }
}

/// The recorded inputs give the recorded actions, with the seed of the journal.
fn trial<D: AnyDisk>(
    dataset: &Dataset<D>,
    kept: &KeptSession,
    began: &TrialBegan,
    found: &mut Verified,
) {
    let path = kept.place.events(began.run);
    if !dataset.has(&path) {
        return; // a trial of which nothing could be saved; what was is in the list
    }
    found.trials += 1;
    let recording = match read_events_on(dataset.disk.itself(), &dataset.root().join(&path)) {
        Ok(recording) => recording,
        Err(source) => return found.problems.push(DatasetProblem::Read { path, source }),
    };
    let mut wrong = |what: String| found.problems.push(DatasetProblem::wrong(&path, what));
    if recording.header.seed != began.seed {
        wrong("not the seed that the journal has".to_owned());
    }
    match prove(&recording) {
        Ok(proof) => proof.faults().into_iter().for_each(wrong),
        Err(source) => found.problems.push(DatasetProblem::Recorded { path, source }),
    }
}

/// Files among the participants' that no journal knows.
fn unlisted<D: AnyDisk>(
    dataset: &Dataset<D>,
    folder: &Path,
    listed: &BTreeSet<PathBuf>,
    found: &mut Verified,
) -> Result<(), DatasetError> {
    for name in dataset.names_in(folder)? {
        if is_dropping(&name) {
            continue;
        }
        let path = folder.join(&name);
        let top = folder == Path::new("");
        let ours = !top || name.to_string_lossy().starts_with("sub-");
        if dataset.has_folder(&path) && ours {
            unlisted(dataset, &path, listed, found)?;
        } else if !top && !listed.contains(&path) {
            found.problems.push(DatasetProblem::wrong(&path, "no journal knows this file"));
        }
    }
    Ok(())
}
