//! [`write_events`]: the two files of a trial, put in their place whole or not at
//! all, and never over a file that is there. And the names they go by.

use crate::record::{
    Entry, EventRows, Footer, Header, HeardAgain, RecordError, Rows, sidecar, tsv,
};
use chronotap_core::files::{Disk, Prepared, Summing, System, place_on, sha256};
use serde::Serialize;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a trial; as JSON: `events`, `description`, `callbacks` (or null), and `forces` where
/// there are some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// The table, `<name>_events.tsv`.
    #[serde(rename = "events")]
    pub tsv: PathBuf,
    /// Its description, `<name>_events.json`.
    #[serde(rename = "description")]
    pub json: PathBuf,
    /// Number of rows.
    #[serde(skip)]
    pub rows: usize,
    /// The callbacks of the sound card, `<name>_callbacks.tsv.gz`, where there was one.
    pub callbacks: Option<PathBuf>,
    /// What sensors of force felt, `<name>_recording-INPUT_physio.tsv.gz`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<PathBuf>,
}

/// `x.tsv.gz` is described in `x.json`.
pub fn described_in(table: &Path) -> PathBuf {
    table.with_extension("").with_extension("json")
}

impl Saved {
    /// Every file of the trial.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.tsv.clone(), self.json.clone()];
        for table in self.callbacks.iter().chain(&self.forces) {
            files.extend([table.clone(), described_in(table)]);
        }
        files
    }
}

/// Writes `<name>_events.tsv` and `<name>_events.json`. With `durable` both are on
/// the disk when it returns; without, the system writes them when it likes (for
/// thousands of trials in virtual time, which can be made again).
///
/// # Errors
/// [`RecordError::Exists`] where one is already there and holds anything else;
/// [`RecordError::Events`] where the disk refuses.
pub fn write_events(
    dir: &Path,
    name: &str,
    header: &Header,
    entries: &[Entry],
    footer: &Footer,
    durable: bool,
) -> Result<Saved, RecordError> {
    let nothing = HeardAgain::default();
    write_events_heard(dir, name, (header, &nothing), entries, footer, durable)
}

/// The same with what the sound says of taps that was kept.
///
/// # Errors
/// As [`write_events`].
pub fn write_events_heard(
    dir: &Path,
    name: &str,
    (header, heard): (&Header, &HeardAgain),
    entries: &[Entry],
    footer: &Footer,
    durable: bool,
) -> Result<Saved, RecordError> {
    let mut rows = heard.beside(Rows::of_heard(header, entries, heard));
    write_rows(&System, &TrialFiles::of(dir, name), header, &mut rows, footer, durable)
}

/// The same on any disk, for rows that are made already. The table is whole before its
/// description, which has its checksum; it gets its name last.
///
/// # Errors
/// As [`write_events`].
pub fn write_rows<D: Disk>(
    disk: &D,
    files: &TrialFiles,
    header: &Header,
    rows: &mut impl EventRows,
    footer: &Footer,
    durable: bool,
) -> Result<Saved, RecordError> {
    let mut sum = String::new();
    let table = Prepared::new(disk, &files.tsv, durable, |file| {
        let mut summed = Summing::of(file);
        tsv::write_table(&mut summed, rows)?;
        sum = summed.sha256();
        Ok(())
    });
    let table = table.map_err(|e| refused(&files.tsv, e))?;
    let file = files.tsv.file_name().unwrap_or_default();
    let of_dataset = file.to_string_lossy().contains(TASK);
    let json =
        sidecar::sidecar(header, footer, &sum, of_dataset).map_err(|e| refused(&files.json, e))?;
    place(disk, &files.json, durable, |file| file.write_all(&json))?;
    table.place().map_err(|e| not_placed(&files.tsv, e))?;
    if durable {
        sync_directory(disk, &files.dir)?;
    }
    let (tsv, json) = (files.tsv.clone(), files.json.clone());
    Ok(Saved { tsv, json, rows: rows.rows(), callbacks: None, forces: Vec::new() })
}

/// The bytes of both files, table and description, for whoever keeps them in no folder.
///
/// # Errors
/// Where a caller's value cannot be JSON (a map with keys that are not strings).
pub fn events_in_memory(
    header: &Header,
    entries: &[Entry],
    footer: &Footer,
) -> io::Result<[Vec<u8>; 2]> {
    let mut table = Vec::new();
    tsv::write_table(&mut table, &mut Rows::of_header(header, entries))?;
    let description = sidecar::sidecar(header, footer, &sha256(&table), false)?;
    Ok([table, description])
}

/// What the names of a dataset's files hold, and those of single trials do not.
const TASK: &str = "_task-";

/// The first free name `<stem>_run-NN` in a directory, NN from 01.
///
/// # Errors
/// [`RecordError::Directory`] where the directory cannot be listed.
pub fn free_name(dir: &Path, stem: &str) -> Result<String, RecordError> {
    free_names(dir, stem, 1).map(|mut names| names.pop().unwrap_or_default())
}

/// The first `count` free names, ascending. A name is free where it has no file of a
/// trial.
///
/// # Errors
/// As [`free_name`], and [`RecordError::LongName`].
pub fn free_names(dir: &Path, stem: &str, count: usize) -> Result<Vec<String>, RecordError> {
    refuse_long(stem)?;
    let failed = |source| RecordError::Directory { path: dir.to_owned(), source };
    let mut taken = HashSet::new();
    for item in fs::read_dir(dir).map_err(failed)? {
        let file = item.map_err(failed)?.file_name();
        if let Some(name) = file.to_str().and_then(name_of) {
            taken.insert(name.to_owned());
        }
    }
    let names = (1..).map(|n| format!("{stem}_run-{n:02}"));
    Ok(names.filter(|name| !taken.contains(name)).take(count).collect())
}

/// Bytes that the name of a file may have on every file system in use.
const NAME_BYTES: usize = 255;
/// Room for what follows the stem: a number, and the longest of [`ENDS`].
const REST_BYTES: usize = "_run-0000000_callbacks.tsv.gz".len();

/// Refuses a stem that would be found too long only when the trial is over.
fn refuse_long(stem: &str) -> Result<(), RecordError> {
    let longest = NAME_BYTES - REST_BYTES;
    match stem.len() > longest {
        true => Err(RecordError::LongName { bytes: stem.len(), longest }),
        false => Ok(()),
    }
}

/// The trial's name in the name of one of its files.
fn name_of(file: &str) -> Option<&str> {
    let of_force = || file.rsplit_once("_recording-").filter(|(_, rest)| rest.contains("_physio."));
    let other = ENDS.iter().find_map(|end| file.strip_suffix(end));
    other.or_else(|| of_force().map(|(name, _)| name))
}

/// What the names of a trial's files end in.
const ENDS: [&str; 6] = [
    "_events.tsv",
    "_events.json",
    ".journal",
    "_callbacks.tsv.gz",
    "_callbacks.json",
    ".callbacks",
];

/// The paths of a trial's files.
#[derive(Clone, Debug)]
pub struct TrialFiles {
    /// Where they are.
    pub dir: PathBuf,
    /// The table of events.
    pub tsv: PathBuf,
    pub json: PathBuf,
    /// What a running trial leaves.
    pub journal: PathBuf,
    /// The callbacks of the sound cards, compressed.
    pub callbacks_tsv: PathBuf,
    /// Their description.
    pub callbacks_json: PathBuf,
    /// What a running trial leaves of them.
    pub callbacks_log: PathBuf,
}

impl TrialFiles {
    /// Those of the trial of that name in a directory.
    pub fn of(dir: &Path, name: &str) -> TrialFiles {
        let files = ENDS.map(|end| dir.join(format!("{name}{end}")));
        let [tsv, json, journal, callbacks_tsv, callbacks_json, callbacks_log] = files;
        let dir = dir.to_owned();
        TrialFiles { dir, tsv, json, journal, callbacks_tsv, callbacks_json, callbacks_log }
    }

    /// What sensors of force felt in the trial, as far as it is there, in the order of its names.
    pub fn forces<D: Disk>(&self, disk: &D) -> Vec<PathBuf> {
        let events = self.tsv.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let begins = format!("{}_recording-", events.trim_end_matches("_events.tsv"));
        let names = disk.names_in(&self.dir).unwrap_or_default().into_iter();
        let names = names.filter_map(|name| name.into_string().ok());
        let of_force =
            names.filter(|name| name.starts_with(&begins) && name.ends_with("_physio.tsv.gz"));
        let mut forces: Vec<PathBuf> = of_force.map(|name| self.dir.join(name)).collect();
        forces.sort();
        forces
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        let TrialFiles { dir: _, tsv, json, journal, callbacks_tsv, callbacks_json, callbacks_log } =
            self;
        [tsv, json, journal, callbacks_tsv, callbacks_json, callbacks_log].into_iter()
    }
}

/// Makes the names in a directory durable.
///
/// # Errors
/// [`RecordError::Events`].
pub fn sync_directory<D: Disk>(disk: &D, dir: &Path) -> Result<(), RecordError> {
    disk.sync_folder(dir).map_err(|e| refused(dir, e))
}

/// Puts a file in its place under a temporary name first. A file that already
/// holds exactly these bytes stays: a finish that was cut short can be repeated.
///
/// # Errors
/// [`RecordError::Exists`], [`RecordError::Events`].
pub fn place<D: Disk>(
    disk: &D,
    path: &Path,
    durable: bool,
    write: impl FnOnce(&mut D::File) -> io::Result<()>,
) -> Result<(), RecordError> {
    place_on(disk, path, durable, write).map_err(|e| not_placed(path, e))
}

fn not_placed(path: &Path, source: io::Error) -> RecordError {
    match source.kind() {
        io::ErrorKind::AlreadyExists => RecordError::Exists { path: path.to_owned() },
        _ => refused(path, source),
    }
}

fn refused(path: &Path, source: io::Error) -> RecordError {
    RecordError::Events { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_of_a_card_are_saved_with_their_description() {
        let [tsv, json] = ["a_events.tsv", "a_events.json"].map(PathBuf::from);
        let callbacks = Some("a_callbacks.tsv.gz".into());
        let forces = vec!["a_recording-pad_physio.tsv.gz".into()];
        let saved = Saved { tsv, json, rows: 0, callbacks, forces };
        let names = saved.files().into_iter().map(|path| path.display().to_string());
        let due = [
            "a_events.tsv",
            "a_events.json",
            "a_callbacks.tsv.gz",
            "a_callbacks.json",
            "a_recording-pad_physio.tsv.gz",
            "a_recording-pad_physio.json",
        ];
        assert_eq!(names.collect::<Vec<_>>(), due);
    }

    #[test]
    fn a_name_that_would_be_too_long_at_the_end_is_refused_at_the_beginning() {
        let dir = tempfile::tempdir().unwrap();
        let longest = "x".repeat(NAME_BYTES - REST_BYTES);
        let name = free_name(dir.path(), &longest).unwrap();
        for path in TrialFiles::of(dir.path(), &name).all() {
            fs::write(path, "").unwrap();
        }
        let refused = free_name(dir.path(), &format!("{longest}x"));
        assert!(matches!(refused, Err(RecordError::LongName { .. })), "{refused:?}");
    }

    #[test]
    fn a_name_is_taken_by_whatever_a_trial_has_left() {
        for (left, free) in [
            ("a_run-01_events.json", "a_run-02"),
            ("a_run-01_recording-pad_physio.tsv.gz", "a_run-02"),
            ("a_run-01_recording-pad_physio.json", "a_run-02"),
            ("a_run-01_recording-pad.txt", "a_run-01"),
        ] {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(left), "").unwrap();
            assert_eq!(free_name(dir.path(), "a").unwrap(), free, "{left}");
        }
    }
}
