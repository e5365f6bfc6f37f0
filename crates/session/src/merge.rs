//! [`merge`]: the parts of a simulation that several computers shared, as the one dataset that a
//! single computer would have made, byte for byte.
//!
//! Every part assigns all participants, and has the data of its own. What belongs to one person is taken
//! from the part that has it; of the rest all parts must say the same.

use crate::backup::{There, is_within, list};
use crate::dataset::withdrawals::WhoWithdrew;
use crate::dataset::{Dataset, DatasetError};
use crate::disk::SessionDisk;
use crate::table::{TsvRow, TsvTable};
use chronotap_core::files::{self, Unfinished};
use chronotap_core::text::counted;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What was put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    pub participants: usize,
    pub files: usize,
}

/// Why parts do not make a whole. Nothing is left of it then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// There is something already. Name a folder that is not there.
    #[error("{}: is there already", path.display())]
    There { path: PathBuf },
    /// The whole would lie in one of its parts. Name a folder elsewhere.
    #[error("{}: lies within {}", path.display(), part.display())]
    Within { path: PathBuf, part: PathBuf },
    /// Two parts have data of one participant. Name each part once.
    #[error("participant {label} is in {} and in {}", first.display(), second.display())]
    Twice { label: String, first: PathBuf, second: PathBuf },
    /// A part is missing. Name all parts.
    #[error("{}", lacks(label, *all))]
    Lacks {
        label: String,
        /// How many there are without data.
        all: usize,
    },
    /// Parts of different studies, programs or numbers of participants.
    #[error("{}: not the same in {} and {}", path.display(), first.display(), second.display())]
    Differs {
        /// The file within each part.
        path: PathBuf,
        first: PathBuf,
        second: PathBuf,
    },
    /// The disk refuses. Free space, or name another folder.
    #[error("{}: {source}", path.display())]
    Disk {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// People withdrew from a part while it was copied. Merge the parts again.
    #[error("somebody withdrew from {} meanwhile; no dataset was made", part.display())]
    Withdrew { part: PathBuf },
    /// Somebody interrupted it.
    #[error("interrupted; no dataset was made")]
    Interrupted,
}

fn lacks(label: &str, all: usize) -> String {
    let others = match all - 1 {
        0 => String::new(),
        others => format!(", nor of {}", counted(others, "other")),
    };
    format!("no share has data of participant {label}{others}")
}

const PEOPLE: &str = "participants.tsv";

/// Puts the parts together in a new folder. Where `stop` says so, it ends, and nothing is there.
///
/// # Errors
/// [`MergeError`].
pub fn merge(parts: &[Dataset], to: &Path, stop: &dyn Fn() -> bool) -> Result<Merged, MergeError> {
    if files::is_there(to) {
        return Err(MergeError::There { path: to.to_owned() });
    }
    let notes = parts.iter().map(Dataset::notes).collect::<Result<Vec<_>, _>>()?;
    let whole = Whole::of(parts)?;
    let people = whole.people()?;
    let folder = Unfinished::beside(to).map_err(refused(to))?;
    if let Some(part) = parts.iter().find(|part| is_within(folder.path(), part.root())) {
        let part = part.root().to_owned();
        return Err(MergeError::Within { path: to.to_owned(), part });
    }
    let disk = SessionDisk::that_syncs_at_the_end();
    for made in &whole.folders {
        disk.make_folder(&folder.path().join(made)).map_err(refused(&to.join(made)))?;
    }
    let copied = whole.copy(&people, (to, folder.path()), &disk, stop);
    unless_withdrawn(parts, &notes)?;
    copied?;
    disk.sync_all_of(folder.path()).map_err(refused(to))?;
    folder.finish(to).map_err(refused(to))?;
    // Whoever withdrew in this moment is in it.
    unless_withdrawn(parts, &notes).inspect_err(|_| drop(std::fs::remove_dir_all(to)))?;
    Ok(Merged { participants: people.rows.len(), files: whole.files.len() })
}

/// An error where more people have withdrawn from a part than had when it was listed.
fn unless_withdrawn(parts: &[Dataset], before: &[Vec<WhoWithdrew>]) -> Result<(), MergeError> {
    for (part, before) in parts.iter().zip(before) {
        if part.notes()? != *before {
            return Err(MergeError::Withdrew { part: part.root().to_owned() });
        }
    }
    Ok(())
}

fn refused(path: &Path) -> impl FnOnce(io::Error) -> MergeError + use<> {
    let path = path.to_owned();
    move |source| MergeError::Disk { path, source }
}

/// What is in the parts.
struct Whole<'a> {
    parts: &'a [Dataset],
    /// Each file, with the parts that have it.
    files: BTreeMap<PathBuf, Vec<&'a Dataset>>,
    folders: Vec<PathBuf>,
    /// The participants with data, each with its part.
    owners: BTreeMap<String, &'a Dataset>,
}

impl<'a> Whole<'a> {
    fn of(parts: &'a [Dataset]) -> Result<Whole<'a>, MergeError> {
        let mut whole =
            Whole { parts, files: BTreeMap::new(), folders: Vec::new(), owners: BTreeMap::new() };
        for part in parts {
            let mut there = There::default();
            list(part, Path::new(""), &mut there)?;
            for label in there.folders.iter().filter_map(|folder| label(folder)) {
                if let Some(first) = whole.owners.insert(label.to_owned(), part) {
                    let (first, second) = (first.root().to_owned(), part.root().to_owned());
                    return Err(MergeError::Twice { label: label.to_owned(), first, second });
                }
            }
            there
                .files
                .into_iter()
                .for_each(|file| whole.files.entry(file).or_default().push(part));
            whole.folders.extend(there.folders);
        }
        whole.folders.sort();
        whole.folders.dedup();
        Ok(whole)
    }

    /// Copies every file; `to` is what the folder is to be called.
    fn copy(
        &self,
        people: &TsvTable,
        (to, folder): (&Path, &Path),
        disk: &SessionDisk,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), MergeError> {
        for (path, of) in &self.files {
            if stop() {
                return Err(MergeError::Interrupted);
            }
            let bytes = match path == Path::new(PEOPLE) {
                true => people.bytes(),
                false => self.same(path, of)?,
            };
            disk.place(&folder.join(path), &bytes).map_err(refused(&to.join(path)))?;
        }
        Ok(())
    }

    /// A file as all parts have it that have it.
    fn same(&self, path: &Path, of: &[&Dataset]) -> Result<Vec<u8>, MergeError> {
        let read = |part: &Dataset| part.told(path, files::read(&part.root().join(path)));
        let bytes = read(of[0])?;
        for other in &of[1..] {
            if read(other)? != bytes {
                return Err(differs(path, of[0], other));
            }
        }
        Ok(bytes)
    }

    /// Who took part: each row from the part with that person's data. What other parts say of
    /// somebody is the same, or not known there.
    fn people(&self) -> Result<TsvTable, MergeError> {
        let path = Path::new(PEOPLE);
        let read = |part: &'a Dataset| {
            let text = part.told(path, files::read_to_string(&part.root().join(path)))?;
            let place = || DatasetError::Table { path: part.root().join(path) };
            Ok::<_, MergeError>((part, TsvTable::parse(&text).ok_or_else(place)?))
        };
        let all: Vec<(&Dataset, TsvTable)> =
            self.parts.iter().map(read).collect::<Result<_, _>>()?;
        let Some(((first, table), others)) = all.split_first() else {
            return Ok(TsvTable::default());
        };
        let alike = |other: &TsvTable| {
            other.columns == table.columns && other.rows.len() == table.rows.len()
        };
        if let Some((second, _)) = others.iter().find(|(_, other)| !alike(other)) {
            return Err(differs(path, first, second));
        }
        let mut whole = TsvTable::new(table.columns.clone());
        let mut lacking: Vec<&str> = Vec::new();
        for place in 0..table.rows.len() {
            let id = table.rows[place].first().and_then(|id| id.as_deref()).unwrap_or_default();
            let label = id.strip_prefix("sub-").unwrap_or(id);
            let owner = self.owners.get(label).copied();
            let Some((owner, theirs)) =
                all.iter().find(|(part, _)| owner.is_some_and(|of| std::ptr::eq(of, *part)))
            else {
                lacking.push(label);
                continue;
            };
            let row = &theirs.rows[place];
            if let Some((second, _)) =
                all.iter().find(|(_, other)| !agrees(&other.rows[place], row))
            {
                return Err(differs(path, owner, second));
            }
            whole.rows.push(row.clone());
        }
        match lacking.first() {
            Some(label) => {
                Err(MergeError::Lacks { label: (*label).to_owned(), all: lacking.len() })
            }
            None => Ok(whole),
        }
    }
}

/// Whether another part says nothing else of somebody.
fn agrees(other: &TsvRow, row: &TsvRow) -> bool {
    other.iter().zip(row).all(|(other, cell)| other.is_none() || other == cell)
}

/// Whose folder it is.
fn label(folder: &Path) -> Option<&str> {
    let is_of_the_dataset = folder.parent() == Some(Path::new(""));
    folder.to_str().filter(|_| is_of_the_dataset)?.strip_prefix("sub-")
}

fn differs(path: &Path, first: &Dataset, second: &Dataset) -> MergeError {
    let (first, second) = (first.root().to_owned(), second.root().to_owned());
    MergeError::Differs { path: path.to_owned(), first, second }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;
    use crate::dataset::{About, Person};
    use crate::withdraw::{Manner, withdraw};
    use std::cell::Cell;
    use std::fs;

    /// A share of a simulation with two people that has the data of one.
    fn share(root: &Path, label: &str) -> Dataset {
        let about = About { task: "t".into(), ..About::default() };
        let dataset = Dataset::open_or_make(root, &about, true, SessionDisk::durable()).unwrap();
        let mut people = dataset.people(&Columns::default()).unwrap();
        for label in ["01", "02"] {
            people.add(&Person { label: label.into(), ..Person::default() });
        }
        dataset.write_people(&people).unwrap();
        let folder = root.join(format!("sub-{label}/beh"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("file"), "data").unwrap();
        dataset
    }

    #[test]
    fn who_withdraws_while_shares_are_merged_is_in_no_whole() {
        for file in 1.. {
            let dir = tempfile::tempdir().unwrap();
            let shares = ["01", "02"].map(|label| share(&dir.path().join(label), label));
            let asked = Cell::new(0); // before each file
            let stop = || {
                asked.set(asked.get() + 1);
                if asked.get() == file {
                    withdraw(&shares[0], "01", Manner::Remove, &[]).unwrap();
                }
                false
            };
            let merged = merge(&shares, &dir.path().join("whole"), &stop);
            if asked.get() < file {
                assert!(file > 5 && merged.is_ok(), "{file}: {merged:?}");
                return;
            }
            assert!(matches!(merged, Err(MergeError::Withdrew { .. })), "{file}: {merged:?}");
            assert_eq!(dir.path().read_dir().unwrap().count(), 2, "{file}: only the shares stay");
        }
    }
}
