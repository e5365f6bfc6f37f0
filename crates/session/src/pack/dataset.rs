//! [`stage_dataset`]: a finished study, laid out in a folder as it is to be packed.
//!
//! Only what the program itself wrote and knows goes along, by the journals: what else somebody keeps in
//! the folder is theirs, and is named. Of who withdrew nothing does, whether their data were kept or not.
//! What was asked about persons is left out unless it is wanted. The tables of the analysis are made anew
//! from what is packed; those of the dataset must say the same.

use super::manifest::{DATASET, Manifest, OfDataset, PackedDevice};
use super::{Differences, PackDifference, PackError, PackStop, persons, refused, unless_stopped};
use crate::checksum::{listed as listed_sum, parse_list, sha256};
use crate::columns::Columns;
use crate::dataset::withdrawals::MARK;
use crate::dataset::{Dataset, DatasetError};
use crate::kept::{KeptSession, journals, unfinished_correction};
use crate::line::Line;
use crate::table::TsvTable;
use crate::verify::levels;
use crate::withdraw::{Found, Kind, Somebody, Trace, traces, walk};
use chronotap_config::trial_files::sound_files_in;
use chronotap_core::files;
use chronotap_data::record::{PROGRAM, read_header};
use chronotap_data::tables::names::{ATTRITION, PARTICIPANTS, WITHDRAWALS};
use chronotap_data::tables::{
    Analysis, AnalysisOptions, AnalysisRecord, EXCLUDED, Excluded, NoTaps, RECORD, Sources,
    WrittenTables, table_names, write as write_tables,
};
use chronotap_design::question::{LinesForm, TextForm};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is ready to be packed.
#[derive(Debug)]
pub struct Packed {
    pub manifest: Manifest,
    pub left_out: LeftOutFiles,
}

/// What was left out, and what was not although it may tell of persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOutFiles {
    /// People who withdrew.
    pub withdrawn: usize,
    /// Columns of participants.tsv, which are answers of the journals too.
    pub persons: BTreeSet<String>,
    /// Files that the program did not write, or makes again.
    pub files: Vec<PathBuf>,
    /// Packed: questions that were answered in the participants' own words, and how often.
    pub free_text: BTreeMap<String, usize>,
    /// Sound files that trials played, which are in no dataset.
    pub sounds: BTreeSet<String>,
    /// Packed: notes and reasons of the experimenter.
    pub notes: usize,
}

/// The folder of an analysis in its dataset.
pub(super) const DERIVED: &str = "derivatives/chronotap";

/// Lays out a dataset below `root`.
///
/// # Errors
/// [`PackError`].
pub fn stage_dataset(
    dataset: &Dataset,
    root: &Path,
    with_persons: bool,
    stop: PackStop<'_>,
) -> Result<Packed, PackError> {
    if whole(root)?.starts_with(whole(dataset.root())?) {
        return Err(PackError::Within { path: dataset.root().to_owned() });
    }
    let _lock = dataset.lock()?;
    if let Some(unfinished) = unfinished_correction(dataset) {
        return Err(unfinished.into());
    }
    let stage = Stage { dataset, to: root.join(DATASET), with_persons, stop };
    let mut done = Done { whole: whole(dataset.root())?, ..Done::default() };
    let withdrawn = dataset.withdrawn()?;
    for journal in journals(dataset)? {
        let Some(kept) = KeptSession::read(dataset, &journal)? else { continue };
        if !withdrawn.contains(&kept.began.participant) {
            stage.session(&kept, &mut done)?;
        }
    }
    let Some(columns) = done.columns.clone() else {
        return Err(PackError::NoData { path: dataset.root().to_owned() });
    };
    done.left_out.withdrawn = withdrawn.len();
    stage.of_all(&mut done)?;
    stage.people(&columns, &mut done)?;
    let gone: Vec<Somebody> = withdrawn.iter().filter_map(|label| Somebody::of(label)).collect();
    stage.refuse_traces(&gone)?;
    let (analysis, written) = stage.analysis()?;
    stage.compare_own(&written)?;
    stage.rest(&gone, &mut done)?;
    let manifest = stage.manifest(&done, &analysis);
    Ok(Packed { manifest, left_out: done.left_out })
}

/// What is packed, and where it is laid out.
struct Stage<'a> {
    dataset: &'a Dataset,
    to: PathBuf,
    with_persons: bool,
    stop: PackStop<'a>,
}

/// What was done so far.
#[derive(Default)]
struct Done {
    whole: PathBuf, // the dataset's folder, without links
    packed: BTreeSet<PathBuf>,
    labels: BTreeSet<String>,
    sessions: usize,
    columns: Option<Columns>,
    devices: Devices,
    about: Manifest, // of the study that was run last
    left_out: LeftOutFiles,
}

impl Stage<'_> {
    /// Everything of one session that its journal knows.
    fn session(&self, kept: &KeptSession, done: &mut Done) -> Result<(), PackError> {
        unless_stopped(self.stop)?;
        let place = &kept.place;
        refuse_other_levels(self.dataset, kept)?;
        let journal = place.journal();
        let bytes = self.dataset.told(&journal, self.dataset.bytes(&journal))?;
        let bytes = persons::journal(&self.dataset.root().join(&journal), bytes, self.with_persons);
        let bytes = bytes.map_err(crate::kept::KeptError::from)?;
        let sum = sha256(&bytes);
        self.put(&journal, &bytes, done)?;
        self.sums(&place.checksums(), (&journal, &sum), done)?;
        let own = [place.plan(), place.plan_as_json(), place.table(), place.table_description()];
        for path in own.into_iter().chain([place.scans()]).chain(kept.tables().listed()) {
            if self.dataset.has(&path) && !done.packed.contains(&path) {
                self.copy(&path, done)?;
                add_devices(&self.dataset.root().join(&path), &mut done.devices);
            }
        }
        done.labels.insert(kept.began.participant.clone());
        done.sessions += 1;
        done.columns = Some(kept.study.about.columns.clone());
        done.about = Manifest::of(&kept.study);
        told_in_words(kept, &mut done.left_out);
        Ok(())
    }

    /// The list of checksums, with that of the journal as it is packed.
    fn sums(
        &self,
        path: &Path,
        (journal, sum): (&Path, &str),
        done: &mut Done,
    ) -> Result<(), PackError> {
        if !self.dataset.has(path) {
            return Ok(());
        }
        let text = self.dataset.told(path, self.dataset.text(path))?;
        let line = |(of, path): (String, String)| match Path::new(&path) == journal {
            true => listed_sum(sum, &path),
            false => listed_sum(&of, &path),
        };
        let text: String = parse_list(&text).into_iter().map(line).collect();
        self.put(path, text.as_bytes(), done)
    }

    /// What belongs to no session: what the dataset says of itself, and the files of the study.
    fn of_all(&self, done: &mut Done) -> Result<(), PackError> {
        let task = |name: &str| name.starts_with("task-") && name.ends_with(".json");
        for name in self.dataset.names_in(Path::new(""))? {
            let text = name.to_string_lossy().into_owned();
            let path = PathBuf::from(name);
            if (ABOUT.contains(&&*text) || task(&text)) && !self.dataset.has_folder(&path) {
                self.copy(&path, done)?;
            }
        }
        for folder in self.dataset.versions()? {
            for entry in walk(self.dataset, &folder)? {
                if entry.kind == Kind::File {
                    self.copy(&entry.path, done)?;
                }
            }
        }
        Ok(())
    }

    /// Who took part, without what was asked about them unless it is wanted.
    fn people(&self, columns: &Columns, done: &mut Done) -> Result<(), PackError> {
        let people = self.dataset.people(columns)?.table().clone();
        let (k, fields) = (people.column("k").unwrap_or(0), &columns.fields);
        let (mut wanted, mut not) = (Vec::new(), BTreeSet::new());
        for (place, name) in people.columns.iter().enumerate() {
            let field = self.with_persons && fields.iter().any(|field| field.name == *name);
            match place <= k || field || *name == ATTRITION {
                true => wanted.push(place),
                false if *name == MARK => {}
                false => drop(not.insert(name.clone())),
            }
        }
        let mut table =
            TsvTable::new(wanted.iter().map(|at| people.columns[*at].clone()).collect());
        let label = |row: &[Option<String>]| {
            let id = row.first().cloned().flatten().unwrap_or_default();
            id.strip_prefix("sub-").map(str::to_owned)
        };
        let packed = |row: &&Vec<Option<String>>| {
            label(row).is_some_and(|label| done.labels.contains(&label))
        };
        let rows = people.rows.iter().filter(packed);
        table.rows = rows.map(|row| wanted.iter().map(|at| row[*at].clone()).collect()).collect();
        if !self.with_persons {
            self.say_who_is_excluded(&mut table)?;
        }
        self.put(Path::new(PARTICIPANTS), &table.bytes(), done)?;
        self.description(&table.columns, done)?;
        done.left_out.persons = not;
        Ok(())
    }

    /// Without the answers about persons nobody could tell whom the study leaves out by them.
    fn say_who_is_excluded(&self, people: &mut TsvTable) -> Result<(), PackError> {
        let excluded = Excluded::of_dataset(self.dataset.root())?;
        if excluded.people.is_empty() {
            return Ok(());
        }
        people.columns.push(EXCLUDED.into());
        for row in &mut people.rows {
            let id = row.first().cloned().flatten().unwrap_or_default();
            let label = id.strip_prefix("sub-").unwrap_or(&id);
            row.push(excluded.people.get(label).cloned());
        }
        Ok(())
    }

    /// The description of these columns.
    fn description(&self, columns: &[String], done: &mut Done) -> Result<(), PackError> {
        let path = Path::new("participants.json");
        if !self.dataset.has(path) {
            return Ok(());
        }
        let text = self.dataset.told(path, self.dataset.text(path))?;
        let table = || DatasetError::Table { path: self.dataset.root().join(path) };
        let mut all: Map<String, Value> = serde_json::from_str(&text).map_err(|_| table())?;
        all.retain(|name, _| columns.contains(name) || name == "ChronotapStudy");
        if columns.iter().any(|column| column == EXCLUDED) {
            let about = "By which rule of the study the participant is left out of the analysis; n/a of the others.";
            all.insert(EXCLUDED.into(), json!({ "Description": about }));
        }
        let text = format!("{:#}\n", Value::Object(all));
        self.put(path, text.as_bytes(), done)
    }

    /// An error where anything tells of who withdrew all the same.
    fn refuse_traces(&self, gone: &[Somebody]) -> Result<(), PackError> {
        let staged = Dataset::open(&self.to)?;
        for somebody in gone {
            let known = |found: &Found| !matches!(found.trace, Some(Trace::Unknown(_)));
            if let Some(found) = traces(&staged, somebody)?.into_iter().find(known) {
                let (path, label) = (self.dataset.root().join(found.path), somebody.label.clone());
                return Err(PackError::Trace { path, label });
            }
        }
        Ok(())
    }

    /// The tables of the analysis, by the rules of the one that is there.
    fn analysis(&self) -> Result<(Analysis, WrittenTables), PackError> {
        let record = self.dataset.text(&Path::new(DERIVED).join(RECORD)).unwrap_or_default();
        let how =
            AnalysisRecord::parse(&record).and_then(|record| record.how()).unwrap_or_default();
        let (_, analysis, written) = analyzed(&self.to, &how)?;
        match &analysis.unread[..] {
            [] => Ok((analysis, written)),
            [first, ..] => Err(PackError::Unread {
                first: first.why.to_string().replace(&self.to.display().to_string(), ""),
                trials: analysis.unread.len(),
            }),
        }
    }

    /// An error where the dataset's own tables say something else.
    fn compare_own(&self, written: &WrittenTables) -> Result<(), PackError> {
        let mut found = Differences::default();
        // The widest has what was asked about persons.
        for (path, _) in written.tables.iter().filter(|(path, _)| !is_wide(path)) {
            let name = Path::new(DERIVED).join(path.file_name().unwrap_or_default());
            let own = self.dataset.root().join(&name);
            if files::is_there(&own) {
                found.compare(&own, &own, path).map_err(refused(&own))?;
            }
        }
        found.none_or_first()
    }

    /// What is in the dataset besides; the tables of the analysis are packed as they were made anew.
    fn rest(&self, gone: &[Somebody], done: &mut Done) -> Result<(), PackError> {
        let of_somebody = |path: &Path| gone.iter().any(|one| one.is_on_the_way(path));
        for entry in walk(self.dataset, Path::new(""))? {
            let path = entry.path;
            let lock = path.extension().is_some_and(|end| end == "lock");
            let known = done.packed.contains(&path) || path == Path::new(WITHDRAWALS) || lock;
            let again = is_made_again(&path);
            if entry.kind != Kind::Folder && !known && !again && !of_somebody(&path) {
                done.left_out.files.push(path);
            }
        }
        Ok(())
    }

    fn manifest(&self, done: &Done, analysis: &Analysis) -> Manifest {
        let counts = OfDataset {
            participants: done.labels.len(),
            sessions: done.sessions,
            simulated: self.dataset.is_simulated(),
            ..OfDataset::default()
        };
        Manifest {
            persons: self.with_persons,
            devices: listed(&done.devices),
            dataset: Some(counts.with(analysis)),
            ..done.about.clone()
        }
    }

    /// Copies a file that lies in the dataset, also by a link.
    fn copy(&self, path: &Path, done: &mut Done) -> Result<(), PackError> {
        let from = self.dataset.root().join(path);
        if !whole(&from)?.starts_with(&done.whole) {
            return Err(PackError::Outside { path: from });
        }
        let mut file = files::open(&from).map_err(refused(&from))?;
        self.place(path, done, |to| io::copy(&mut file, to).map(drop))
    }

    fn put(&self, path: &Path, bytes: &[u8], done: &mut Done) -> Result<(), PackError> {
        self.place(path, done, |to| to.write_all(bytes))
    }

    fn place(
        &self,
        path: &Path,
        done: &mut Done,
        write: impl FnOnce(&mut std::fs::File) -> io::Result<()>,
    ) -> Result<(), PackError> {
        new_file(&self.to.join(path), write)?;
        done.packed.insert(path.to_owned());
        Ok(())
    }
}

impl OfDataset {
    /// The same with what an analysis counts.
    pub(super) fn with(self, analysis: &Analysis) -> OfDataset {
        let verdicts = || analysis.verdicts.iter().flatten();
        OfDataset {
            trials: analysis.counts.trials,
            timing_failed: verdicts().filter(|said| said.timing == Some(false)).count(),
            unusable: verdicts().filter(|said| !said.data).count(),
            ..self
        }
    }
}

/// Of each input and output, by its direction and name, the ports that it was bound to.
pub(super) type Devices = BTreeMap<(String, String), BTreeSet<String>>;

/// Adds the ports of a trial, where this describes one. What cannot be read is told by the analysis.
pub(super) fn add_devices(path: &Path, all: &mut Devices) {
    let is_one = path.to_string_lossy().ends_with("_events.json");
    let header = is_one.then(|| read_header(path).ok()).flatten();
    for port in header.into_iter().flat_map(|header| header.ports) {
        all.entry((port.direction, port.name)).or_default().insert(port.port);
    }
}

pub(super) fn listed(devices: &Devices) -> Vec<PackedDevice> {
    let device =
        |((direction, name), ports): (&(String, String), &BTreeSet<String>)| PackedDevice {
            direction: direction.clone(),
            name: name.clone(),
            ports: ports.iter().cloned().collect(),
        };
    devices.iter().map(device).collect()
}

/// Whether the analysis that is packed has this file anew, or has it in another form.
pub(super) fn is_made_again(path: &Path) -> bool {
    let Ok(name) = path.strip_prefix(DERIVED) else { return false };
    let others = [RECORD, "dataset_description.json", ".bidsignore"].map(str::to_owned);
    table_names().chain(others).any(|known| Path::new(&known) == name)
}

/// What a dataset says of itself.
pub(super) const ABOUT: [&str; 5] =
    [".bidsignore", "README.md", "CHANGES", "LICENSE", "dataset_description.json"];

/// Writes a new file, and makes its folder.
pub(super) fn new_file(
    path: &Path,
    write: impl FnOnce(&mut std::fs::File) -> io::Result<()>,
) -> Result<(), PackError> {
    let parent = path.parent().unwrap_or(Path::new(""));
    files::create_folder_unsynced(parent).map_err(refused(parent))?;
    files::create_new(path).and_then(|mut file| write(&mut file)).map_err(refused(path))
}

/// Where a file or folder really is, all links followed.
pub(super) fn whole(path: &Path) -> Result<PathBuf, PackError> {
    files::real(path).map_err(refused(path))
}

/// Makes the tables of the analysis of a dataset in it.
pub(super) fn analyzed(
    dataset: &Path,
    how: &AnalysisOptions,
) -> Result<(Sources, Analysis, WrittenTables), PackError> {
    let sources = Sources::find(&[dataset.to_owned()])?;
    let command = ["analyze".to_owned(), ".".to_owned()];
    let made_by = (PROGRAM, &command[..]);
    let folder = dataset.join(DERIVED);
    let (analysis, written) =
        write_tables(&folder, &sources, how, made_by, &mut |_: NoTaps| Ok(()))?;
    Ok((sources, analysis, written))
}

pub(super) fn is_wide(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "desc-wide_beh.tsv")
}

/// Nobody is handed a table that has other levels than the plan.
fn refuse_other_levels(dataset: &Dataset, kept: &KeptSession) -> Result<(), PackError> {
    let path = kept.place.table();
    let there = dataset.bytes(&path).unwrap_or_default();
    let differs =
        |problem| PackError::Differs { first: Box::new(PackDifference::Problem(problem)), all: 1 };
    levels(kept, &path, &there).map_or(Ok(()), |problem| Err(differs(problem)))
}

/// Counts what was said in words of people's own.
fn told_in_words(kept: &KeptSession, left_out: &mut LeftOutFiles) {
    let free = |name: &str| {
        let questions = &kept.study.experiment.questions;
        let question = questions.iter().find(|question| question.name == name);
        question.is_some_and(|question| {
            question.answer.form::<TextForm>().is_some()
                || question.answer.form::<LinesForm>().is_some()
        })
    };
    let texts = kept.study.about.files.iter();
    left_out.sounds.extend(texts.flat_map(|(_, text)| sound_files_in(text)));
    for line in &kept.lines {
        match line {
            Line::Answered(one) if free(&one.name) && !one.answer.is_empty() => {
                *left_out.free_text.entry(one.name.clone()).or_default() += 1;
            }
            Line::Noted { by, .. } if by != "chronotap" => left_out.notes += 1,
            Line::Repeated { .. } | Line::Skipped { .. } => left_out.notes += 1,
            _ => {}
        }
    }
}
