//! [`Layout`]: what lies in the folder of a dataset, and what of it belongs there.
//!
//! Background: folders are copied ("sub-01 (1)"), renamed, and backed up into themselves; a table that is read
//! wherever it lies gives each of its trials twice, or to somebody else.
//! Solution: the name of a table of trials says whose it is, and so in which folder it stands. Only there is it
//! part of the dataset; what lies elsewhere is left out and told ([`Aside`]).

use super::{TablesError, read};
use crate::tables::aside::{Aside, Why};
use crate::tables::names;
use crate::tables::table::entity;
use chronotap_core::files::{is_dropping, is_there};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a dataset that tables are made from.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Events files, whatever their place, but for copies of others.
    pub events: Vec<PathBuf>,
    /// The tables of trials that stand where their names say.
    pub tables: Vec<PathBuf>,
    /// What is left out.
    pub aside: Vec<Aside>,
    /// Folders within that are datasets of their own.
    pub datasets: Vec<PathBuf>,
    /// Events files where their names say, which no table has to name.
    pub placed: Vec<PathBuf>,
}

impl Layout {
    /// What lies in this folder.
    pub fn of(folder: &Path) -> Result<Layout, TablesError> {
        let mut layout = Layout::default();
        let mut tables = Vec::new();
        layout.list(folder, &mut tables)?;
        let from = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).to_owned();
        let (placed, astray): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|path| Standing::of(&from(path)).is_right());
        layout.tables = placed;
        let own = layout.tables.iter().chain(&layout.events).map(from);
        let own: HashSet<PathBuf> = own.filter(|path| Standing::of(path).is_right()).collect();
        let is_copy =
            |file: &Path| Standing::of(file).original.is_some_and(|due| own.contains(&due));
        let mut found: BTreeMap<String, Why> = BTreeMap::new();
        for file in astray.iter().map(from) {
            let Standing { shown, due, .. } = Standing::of(&file);
            let why = if is_copy(&file) { Why::Copy } else { elsewhere(&file, &due) };
            let known = found.entry(shown).or_insert_with(|| why.clone());
            if *known == Why::Copy {
                *known = why;
            }
        }
        for path in std::mem::take(&mut layout.events) {
            let file = from(&path);
            let standing = Standing::of(&file);
            if !standing.is_right() && is_copy(&file) {
                found.entry(standing.shown).or_insert(Why::Copy);
                continue;
            }
            layout.placed.extend(standing.is_right().then(|| path.clone()));
            layout.events.push(path);
        }
        let datasets = layout.datasets.iter().map(|path| (shown(&from(path)), Why::Dataset));
        let all = found.into_iter().chain(datasets);
        layout.aside = all.map(|(shown, why)| Aside { shown, why }).collect();
        Ok(layout)
    }

    /// The events files and the tables of trials below, but for what was derived and what is no part of
    /// the data. Name by name, so that nothing needs to be sorted that has the same folder.
    fn list(&mut self, folder: &Path, tables: &mut Vec<PathBuf>) -> Result<(), TablesError> {
        let mut inside = Vec::new();
        for item in fs::read_dir(folder).map_err(|source| read(folder, source))? {
            let item = item.map_err(|source| read(folder, source))?;
            let name = item.file_name();
            if is_dropping(&name) {
                continue;
            }
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
                None if is_dataset(&path) => self.datasets.push(path),
                None => self.list(&path, tables)?,
                Some(true) => self.events.push(path),
                Some(false) => tables.push(path),
            }
        }
        Ok(())
    }
}

/// The tables of trials of a dataset that stand where their names say, and what is left out.
///
/// # Errors
/// [`TablesError`] where a folder cannot be read, or a correction was cut short.
pub fn placed_tables(folder: &Path) -> Result<(Vec<PathBuf>, Vec<Aside>), TablesError> {
    refuse_unfinished(folder)?;
    let layout = Layout::of(folder)?;
    Ok((layout.tables, layout.aside))
}

/// An error where a correction was cut short.
pub(super) fn refuse_unfinished(folder: &Path) -> Result<(), TablesError> {
    let path = folder.join(names::CORRECTION);
    if is_there(&path) { Err(TablesError::Unfinished { path }) } else { Ok(()) }
}

/// What is left out below a folder, which may be a dataset or hold several.
///
/// # Errors
/// [`TablesError::Read`] where a folder cannot be read.
pub fn aside_below(folder: &Path) -> Result<Vec<Aside>, TablesError> {
    let layout = Layout::of(folder)?;
    if is_dataset(folder) {
        return Ok(layout.aside);
    }
    let mut all = Vec::new();
    for dataset in &layout.datasets {
        let within = dataset.strip_prefix(folder).unwrap_or(dataset);
        let here = |aside: Aside| Aside { shown: shown(&within.join(&aside.shown)), ..aside };
        all.extend(aside_below(dataset)?.into_iter().map(here));
    }
    Ok(all)
}

/// Whether a folder is a dataset, of whatever program.
pub(super) fn is_dataset(folder: &Path) -> bool {
    is_there(&folder.join("dataset_description.json"))
}

fn elsewhere(file: &Path, due: &Path) -> Why {
    let name = file.file_name().unwrap_or_default();
    Why::Elsewhere { file: name.to_string_lossy().into_owned(), due: shown(due) }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Where a file of somebody stands, and where its name says.
struct Standing {
    /// The folder that it stands in, from the dataset's.
    folder: PathBuf,
    /// The folder that its name says; empty where it says none.
    due: PathBuf,
    /// The file that it may be a copy of.
    original: Option<PathBuf>,
    /// What is out of place: the topmost folder that its name does not say, else the file.
    shown: String,
}

impl Standing {
    fn of(file: &Path) -> Standing {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let due = due(Path::new(&*name)).unwrap_or_default();
        // "Copy of sub-01_…" is a copy of what its name goes on with.
        let own = name.rfind("sub-").map(|at| &name[at..]);
        let original = own.and_then(|own| Some(super::layout::due(Path::new(own))?.join(own)));
        let with = original.as_deref().and_then(Path::parent).unwrap_or(&due);
        let topmost = differing(&folder, with).unwrap_or_else(|| file.to_owned());
        Standing { folder, due, original, shown: shown(&topmost) }
    }

    fn is_right(&self) -> bool {
        !self.due.as_os_str().is_empty() && self.folder == self.due
    }
}

/// The folder that the name of a file of somebody says: `sub-07/ses-1/beh` of
/// `sub-07_ses-1_task-delay_beh.tsv`.
fn due(file: &Path) -> Option<PathBuf> {
    let of = entity(file, "sub-").filter(|_| shown(file).starts_with("sub-"))?;
    let mut folder = PathBuf::from(format!("sub-{of}"));
    folder.extend(entity(file, "ses-").map(|of| format!("ses-{of}")));
    folder.push("beh");
    Some(folder)
}

/// The topmost folder on a way that another way does not have; `None` where they are one.
fn differing(way: &Path, other: &Path) -> Option<PathBuf> {
    let (mut parts, mut shared) = (way.iter(), PathBuf::new());
    for due in other {
        let part = parts.next()?;
        shared.push(part);
        if part != due {
            return Some(shared);
        }
    }
    let deeper = parts.next()?;
    Some(shared.join(deeper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_place_is_the_topmost_folder_that_the_name_does_not_say() {
        let of = |file: &str| Standing::of(Path::new(file));
        let name = "sub-01_task-two_beh.tsv";
        for (folder, shown) in [
            ("sub-01 (1)/beh", "sub-01 (1)"),
            ("Backup/sub-01/beh", "Backup"),
            ("sub-01/beh/old", "sub-01/beh/old"),
        ] {
            let standing = of(&format!("{folder}/{name}"));
            assert_eq!((standing.is_right(), &*standing.shown), (false, shown));
            assert_eq!(standing.original, Some(Path::new("sub-01/beh").join(name)));
        }
        let copy = of(&format!("sub-01/beh/Copy of {name}"));
        assert_eq!((copy.is_right(), copy.due), (false, PathBuf::new()));
        assert_eq!(copy.shown, format!("sub-01/beh/Copy of {name}"));
        assert_eq!(copy.original, Some(Path::new("sub-01/beh").join(name)));
        assert!(of("sub-01/beh/sub-01_task-two_beh.tsv").is_right());
        assert!(of("sub-01/ses-2/beh/sub-01_ses-2_task-two_beh.tsv").is_right());
        assert!(!of("sub-01/beh/sub-01_ses-2_task-two_beh.tsv").is_right());
    }
}
