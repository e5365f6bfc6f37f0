//! [`sweep`]: whatever else of a dataset tells of somebody goes, or is named. [`traces`] finds it.

use super::links::OwnFiles;
use super::somebody::{Somebody, Trace};
use super::walk::{Entry, Kind, is_of_another, walk};
use super::{Done, TakenOut, is_lock, remove};
use crate::dataset::{Dataset, DatasetError};
use crate::system;
use chronotap_core::files::{self, Disk as AnyDisk};
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE, WITHDRAWALS};
use std::fs;
use std::path::{Path, PathBuf};

/// Something that tells of somebody who withdrew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub path: PathBuf,
    /// How; `None` where it is the name itself, or what it leads to.
    pub trace: Option<Trace>,
}

/// Everything in a dataset that tells of somebody, but for the table of participants and the note that
/// they withdrew. Of a folder that names them, nothing within is told.
pub(crate) fn traces<D: AnyDisk>(
    dataset: &Dataset<D>,
    somebody: &Somebody,
) -> Result<Vec<Found>, DatasetError> {
    let mut found: Vec<Found> = Vec::new();
    for Entry { path, kind } in walk(dataset, Path::new(""))? {
        let known = found.last().is_some_and(|last| path.starts_with(&last.path));
        if known
            || path == Path::new(PARTICIPANTS)
            || path == Path::new(WITHDRAWALS)
            || is_of_study(&path)
            || is_lock(&path) && kind != Kind::Folder
        {
            continue;
        }
        let named = somebody.is_on_the_way(&path);
        let trace = match &kind {
            _ if named => None,
            Kind::Link(target) if somebody.is_on_the_way(target) => None,
            Kind::File if !is_of_another(&path) => {
                match somebody.trace(&dataset.root().join(&path), dataset.bytes(&path)) {
                    None => continue,
                    trace => trace,
                }
            }
            _ => continue,
        };
        found.push(Found { path, trace });
    }
    Ok(found)
}

/// Whether this is in a kept study, which has designs and no data: a level or a file's name there may
/// read like a label, and without it the sessions of all others could not be read.
fn is_of_study(path: &Path) -> bool {
    let kept = path.strip_prefix(SOURCE).ok().and_then(|rest| rest.iter().next());
    kept.is_some_and(|folder| folder.to_string_lossy().starts_with("study-"))
}

/// Removes what tells of somebody in this folder of a dataset, "" being the whole; what only a person
/// can judge is named.
pub(super) fn sweep(
    dataset: &Dataset,
    somebody: &Somebody,
    within: &Path,
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    remove_unfinished(dataset, within)?;
    let found = traces(dataset, somebody)?.into_iter();
    for Found { path, trace } in found.filter(|found| found.path.starts_with(within)) {
        match trace {
            None => by_name(dataset, &path, done)?,
            Some(Trace::Rows) if !is_packed(&path) => {
                let bytes = dataset.told(&path, dataset.bytes(&path))?;
                let name = path.to_string_lossy();
                if let Some(without) = somebody.rows_without(&name, &bytes) {
                    dataset.replace(&path, &without)?;
                    done.tell(&path, Done::RowsTakenOut);
                }
            }
            Some(Trace::Rows | Trace::Parquet | Trace::Workbook | Trace::Report) => {
                remove(dataset, &path)?;
                done.files += 1;
                done.tell(&path, Done::RemovedWithRows);
            }
            Some(Trace::Unknown(why)) => done.look.push(format!("{}: {why}", path.display())),
            Some(Trace::Words) => left(done, &path, "names them; take out what concerns them"),
            Some(Trace::Unread(why)) => {
                left(done, &path, &format!("cannot be looked into ({why}); look yourself"));
            }
        }
    }
    links_to_folders(dataset, done)
}

/// Where BIDS has what was computed from a dataset.
pub(crate) const DERIVED: &str = "derivatives";

fn left(done: &mut TakenOut, path: &Path, why: &str) {
    done.left.push(format!("{}: {why}", path.display()));
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "gz")
}

/// What has their name. Of a link only the link.
fn by_name(dataset: &Dataset, path: &Path, done: &mut TakenOut) -> Result<(), DatasetError> {
    let whole = dataset.root().join(path);
    if let Ok(target) = fs::read_link(&whole) {
        if whole.exists() {
            left(done, path, &format!("was a link; what it led to stays: {}", target.display()));
        }
        return remove(dataset, path);
    }
    let inside = if dataset.has_folder(path) { walk(dataset, path)? } else { Vec::new() };
    for entry in &inside {
        if let Kind::Link(target) = &entry.kind
            && dataset.root().join(&entry.path).exists()
        {
            left(
                done,
                &entry.path,
                &format!("was a link; what it led to stays: {}", target.display()),
            );
        }
    }
    done.files += inside.iter().filter(|entry| entry.kind == Kind::File).count().max(1);
    remove(dataset, path)?;
    done.tell(path, Done::Removed);
    Ok(())
}

/// Removes what programs left that were killed while they replaced a file: nobody knows whose data are
/// in it. Files that a session of somebody else writes at this moment stay, as do those of nobody here.
fn remove_unfinished(dataset: &Dataset, within: &Path) -> Result<(), DatasetError> {
    if !dataset.has_folder(within) {
        return Ok(());
    }
    for Entry { path, kind } in walk(dataset, within)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ours = chronotap_core::files::writer_of(&name);
        let of_session = path.iter().any(|part| part.to_string_lossy().starts_with("sub-"));
        let is_written = |program: u32| of_session && system::is_running(program);
        let of_python = name.ends_with(".parquet.part"); // by `chronotap.gather`
        if kind == Kind::File && (of_python || ours.is_some_and(|program| !is_written(program))) {
            remove(dataset, &path)?;
        }
    }
    Ok(())
}

/// Removes files elsewhere in the dataset that are somebody's under another name, and names those that
/// have yet another one, outside.
pub(super) fn twins(
    dataset: &Dataset,
    folders: &[PathBuf],
    held: &OwnFiles,
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let (mut found, mut names) = (Vec::new(), Vec::new());
    for Entry { path, kind } in walk(dataset, Path::new(""))? {
        let own = folders.iter().any(|folder| path.starts_with(folder));
        if own || kind != Kind::File || is_lock(&path) {
            continue;
        }
        let about = dataset.told(&path, fs::symlink_metadata(dataset.root().join(&path)))?;
        if held.is(&about, || dataset.bytes(&path)) && !is_of_another(&path) {
            names.extend(files::identity(&about).map(|(file, _)| file));
            found.push(path);
        }
    }
    let elsewhere = |file| names.iter().filter(|name| **name == file).count() as u64;
    for path in held.live_on(elsewhere) {
        let why = "has another name outside of the dataset (a hard link), and stays under that";
        left(done, path, why);
    }
    for path in found {
        remove(dataset, &path)?;
        done.files += 1;
        done.tell(&path, Done::RemovedLink);
    }
    Ok(())
}

/// Names links behind which nobody looked, and histories.
fn links_to_folders(dataset: &Dataset, done: &mut TakenOut) -> Result<(), DatasetError> {
    let whole = dataset.told(Path::new(""), files::real(dataset.root()))?;
    for Entry { path, kind } in walk(dataset, Path::new(""))? {
        let leads_out = |path: &Path| {
            files::real(path).is_ok_and(|target| target.is_dir() && !target.starts_with(&whole))
        };
        match kind {
            Kind::Link(target) if leads_out(&dataset.root().join(&path)) => {
                let why =
                    format!("a link to the folder {}, into which nobody looked", target.display());
                left(done, &path, &why);
            }
            Kind::Folder if path == Path::new(".git") => {
                done.look.push(".git: its history still has the data".into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Those who withdrew, each with whether their data were kept.
pub(crate) fn withdrew<D: AnyDisk>(
    dataset: &Dataset<D>,
) -> Result<Vec<(Somebody, bool)>, DatasetError> {
    let notes = dataset.notes()?.into_iter();
    Ok(notes.filter_map(|note| Some((Somebody::of(&note.label)?, !note.removed))).collect())
}
