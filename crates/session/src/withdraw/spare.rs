//! Files of trials that their own folder refused, because the disk was full or read-only, are in a
//! spare folder outside of the dataset. A trial there is known by its participant, its number, its seed
//! and its beginning: the folder is one for all studies of a laboratory.

use super::somebody::Somebody;
use super::{Done, TakenOut};
use crate::dataset::{Dataset, DatasetError};
use crate::journal::lines_of;
use crate::line::{Line, TrialBegan};
use crate::moment::seconds_between;
use chronotap_data::record::read_events;
use chronotap_data::tables::names::SOURCE;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Between the line of the journal and the head of the trial's own files: devices are opened.
const APART_S: f64 = 120.0;

/// Removes the files of this participant's trials from the spare folders.
pub(super) fn take_out(
    dataset: &Dataset,
    somebody: &Somebody,
    folders: &[PathBuf],
    done: &mut TakenOut,
) -> Result<(), DatasetError> {
    let began = began(dataset, somebody)?;
    for folder in folders {
        let names = match names_in(folder) {
            Ok(names) => names,
            Err(why) => {
                done.left.push(format!("{}: cannot be searched: {why}", folder.display()));
                continue;
            }
        };
        let theirs = |name: &&String| somebody.is_in(name.as_bytes());
        for journal in names.iter().filter(theirs).filter(|name| name.ends_with(".journal")) {
            let stem = journal.trim_end_matches(".journal");
            if !names.iter().any(|name| *name == format!("{stem}_events.tsv")) {
                let why = "a trial of a participant with this label that was never finished; if \
                           it is theirs, remove it";
                done.look.push(format!("{}: {why}", folder.join(journal).display()));
            }
        }
        for tsv in names.iter().filter(theirs).filter(|name| name.ends_with("_events.tsv")) {
            let stem = tsv.trim_end_matches("_events.tsv");
            if !is_of(&folder.join(tsv), stem, &began) {
                let why = "is of a participant with this label, and of no trial in this dataset's \
                           journals; if it is theirs, remove it";
                done.look.push(format!("{}: {why}", folder.join(tsv).display()));
                continue;
            }
            for name in names.iter().filter(|name| is_beside(name, stem)) {
                dataset
                    .disk
                    .remove_all(&folder.join(name))
                    .map_err(|source| DatasetError::Disk { path: folder.join(name), source })?;
                done.files += 1;
            }
            done.tell(&folder.join(stem), Done::RemovedFromSpare);
        }
    }
    Ok(())
}

/// The names in a folder, in their order; none where it is not there.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let name =
        |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let mut names = entries.map(name).collect::<io::Result<Vec<String>>>()?;
    names.sort();
    Ok(names)
}

/// The file itself, its description, and the callbacks of its sound cards.
fn is_beside(name: &str, stem: &str) -> bool {
    let rest = name.strip_prefix(stem).unwrap_or_default();
    ["_events.", "_callbacks.", ".journal", ".callbacks"].iter().any(|end| rest.starts_with(end))
}

/// What the journals of this participant say of the trials that began.
fn began(
    dataset: &Dataset,
    somebody: &Somebody,
) -> Result<Vec<(String, TrialBegan)>, DatasetError> {
    let folder = Path::new(SOURCE).join(&somebody.id);
    let mut found = Vec::new();
    if !dataset.has_folder(&folder) {
        return Ok(found);
    }
    for journal in crate::kept::journals(dataset)?.iter().filter(|path| path.starts_with(&folder)) {
        let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = name.trim_end_matches("_journal.jsonl");
        let lines = lines_of(&dataset.root().join(journal), dataset.bytes(journal));
        for line in lines.unwrap_or_default() {
            if let Line::TrialBegan(began) = line {
                found.push((format!("{stem}_run-{:02}", began.run), *began));
            }
        }
    }
    Ok(found)
}

/// Whether a trial in a spare folder is one of these. Where the name was taken there, it has a number
/// behind it.
fn is_of(tsv: &Path, stem: &str, began: &[(String, TrialBegan)]) -> bool {
    let numbered = |rest: &str| rest.is_empty() || rest.starts_with('_');
    let mut named =
        began.iter().filter(|(name, _)| stem.strip_prefix(&**name).is_some_and(numbered));
    let Ok(recording) = read_events(tsv) else { return false };
    named.any(|(_, began)| {
        let apart = seconds_between(&began.at, &recording.header.started);
        began.seed == recording.header.seed && apart.is_some_and(|apart| apart.abs() < APART_S)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spare_folder_that_cannot_be_searched_is_no_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(names_in(&dir.path().join("none")).unwrap(), Vec::<String>::new());
        let file = dir.path().join("file");
        fs::write(&file, "no folder").unwrap();
        assert!(names_in(&file).is_err());
        assert_eq!(names_in(dir.path()).unwrap(), ["file"]);
    }
}
