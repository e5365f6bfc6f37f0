//! What was computed from tables of trials before they were repaired: analyses, reports and gathered
//! tables in the dataset and beside it, and packs beside it. What lies elsewhere nobody can name.

use crate::checksum::sha256;
use crate::dataset::{Dataset, DatasetError};
use crate::pack;
use crate::visit::Visit;
use crate::withdraw::{Kind, REPORT, walk};
use chronotap_core::files::{Disk as AnyDisk, real};
use chronotap_data::tables::{AnalysisRecord, RECORD};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Something that was computed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// In the dataset, from its folder; else the whole path.
    pub path: PathBuf,
    pub what: Derived,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// The folder of an analysis.
    Analysis,
    /// A report of trials.
    Report,
    /// A folder of gathered tables.
    Gathered,
    /// A pack.
    Pack,
}

/// The name of the record of gathered tables.
const GATHERED: &str = "gather.json";

/// What was computed before the newest repair of these sessions.
pub(super) fn find<D: AnyDisk>(
    dataset: &Dataset<D>,
    repaired: &[Visit],
) -> Result<Vec<Stale>, DatasetError> {
    // The note of a repair is the last that was written into the journal, unless something followed.
    let noted = |place: &Visit| written(&dataset.root().join(place.journal()));
    let Some(since) = repaired.iter().filter_map(noted).max() else { return Ok(Vec::new()) };
    let look = Look { dataset, repaired, since };
    let mut found = Vec::new();
    for entry in walk(dataset, Path::new(""))?.into_iter().filter(|one| one.kind == Kind::File) {
        found.extend(look.at(&entry.path));
    }
    for path in beside(dataset.root()) {
        found.extend(look.at(&path));
    }
    Ok(found)
}

/// The files beside a dataset, and those in the folders beside it.
fn beside(root: &Path) -> Vec<PathBuf> {
    let whole = real(root).unwrap_or_else(|_| root.to_owned());
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let all = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut all: Vec<PathBuf> = all.map(|entry| entry.path()).collect();
        all.sort();
        all
    };
    let folder = whole.parent().unwrap_or(Path::new("/"));
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        inside(folder).into_iter().filter(|path| *path != whole).partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| inside(folder)).filter(|path| path.is_file()));
    files
}

fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// For what is looked.
struct Look<'a, D: AnyDisk> {
    dataset: &'a Dataset<D>,
    repaired: &'a [Visit],
    since: SystemTime,
}

impl<D: AnyDisk> Look<'_, D> {
    /// What a file tells; its path is whole, or from the dataset's folder.
    fn at(&self, path: &Path) -> Option<Stale> {
        let whole = self.dataset.root().join(path);
        let is_older = || written(&whole).is_some_and(|at| at <= self.since);
        let named = |end: &str| path.extension().is_some_and(|of| of.eq_ignore_ascii_case(end));
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let (path, what) = match () {
            () if path.ends_with(RECORD) && self.is_analyzed(&whole) => (folder, Derived::Analysis),
            () if path.ends_with(GATHERED) && self.is_gathered(&whole) => {
                (folder, Derived::Gathered)
            }
            () if named("html") && self.is_reported(path, &whole) => {
                (path.to_owned(), Derived::Report)
            }
            // A pack says itself which table it has.
            () if self.is_packed(&whole) => {
                return Some(Stale { path: path.to_owned(), what: Derived::Pack });
            }
            () => return None,
        };
        is_older().then_some(Stale { path, what })
    }

    /// Whether an analysis has trials of a session that was repaired.
    fn is_analyzed(&self, whole: &Path) -> bool {
        let record = fs::read_to_string(whole).ok();
        let Some(record) = record.and_then(|text| AnalysisRecord::parse(&text)) else {
            return false;
        };
        let of = |place: &Visit, file: &str| Path::new(file).starts_with(place.beh());
        record.events_files().any(|file| self.repaired.iter().any(|place| of(place, file)))
    }

    /// Whether tables were gathered from a dataset of this name.
    fn is_gathered(&self, whole: &Path) -> bool {
        let text = fs::read(whole).unwrap_or_default();
        let Ok(record) = serde_json::from_slice::<Value>(&text) else { return false };
        let root = self.dataset.root();
        let root = real(root).unwrap_or_else(|_| root.to_owned());
        let own = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let datasets = record["datasets"].as_array();
        datasets.is_some_and(|all| all.iter().any(|one| one["name"] == own.as_str()))
    }

    /// Whether it is a report of trials, and in the dataset or of its title.
    fn is_reported(&self, path: &Path, whole: &Path) -> bool {
        let page = fs::read(whole).unwrap_or_default();
        let page = String::from_utf8_lossy(&page);
        let title = self.dataset.title().unwrap_or_default();
        page.contains(REPORT) && (!path.is_absolute() || page.contains(&title))
    }

    /// Whether it is a pack with another table of a session that was repaired.
    fn is_packed(&self, whole: &Path) -> bool {
        let Some(manifest) = pack::manifest_of(whole) else { return false };
        self.repaired.iter().map(Visit::table).any(|table| {
            let now = self.dataset.bytes(&table).map(|bytes| sha256(&bytes)).ok();
            let packed = manifest.files.get(&pack::name_in_pack(&table));
            packed.is_some_and(|packed| Some(&packed.sha256) != now.as_ref())
        })
    }
}
