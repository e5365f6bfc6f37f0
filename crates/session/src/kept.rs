//! [`KeptSession`]: a session as it stands in a dataset, to be read and never written: its
//! journal, its plan, and the study that it followed.

use crate::checksum::sha256;
use crate::course::Course;
use crate::dataset::study_files::inside;
use crate::dataset::{Dataset, DatasetError};
use crate::journal::{JournalError, read_lines};
use crate::line::{Began, Line};
use crate::place::{Place, SOURCE};
use crate::study::{Study, StudyError};
use crate::tables::Tables;
use chronotap_design::Plan;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A session of a dataset.
#[derive(Debug)]
pub struct KeptSession {
    /// Where its files are.
    pub place: Place,
    /// What holds for all of it.
    pub began: Began,
    /// What happened in it.
    pub lines: Vec<Line>,
    /// Its plan.
    pub plan: Arc<Plan>,
    /// SHA-256 of the plan as it stands in its file.
    pub plan_sum: String,
    /// The study that it followed, from the files that the dataset keeps.
    pub study: Study,
}

/// Why a session of a dataset cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The dataset refuses.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The journal refuses.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The kept experiment is none that this program can read.
    #[error("{}: {source}", folder.display())]
    Study {
        /// Where it is kept.
        folder: PathBuf,
        /// What is wrong.
        source: Box<StudyError>,
    },
    /// The files that the session followed are not kept. Restore them.
    #[error("{}: the files of the study that it followed are not in sourcedata/study-*; restore them from a backup", path.display())]
    NoStudy {
        /// The journal.
        path: PathBuf,
    },
    /// There is no plan beside the journal, or it is none. Restore it.
    #[error("{}: no plan; restore it from a backup", path.display())]
    NoPlan {
        /// The file.
        path: PathBuf,
    },
}

/// The journals of a dataset, from its folder, in the order of their names.
///
/// # Errors
/// [`DatasetError::Disk`].
pub fn journals(dataset: &Dataset) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    collect(dataset, Path::new(SOURCE), 3, &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(
    dataset: &Dataset,
    folder: &Path,
    depth: u32,
    found: &mut Vec<PathBuf>,
) -> Result<(), DatasetError> {
    let entries = dataset.told(folder, std::fs::read_dir(dataset.root().join(folder)))?;
    for entry in entries.filter_map(Result::ok) {
        let path = folder.join(entry.file_name());
        let name = entry.file_name().to_string_lossy().into_owned();
        let deeper = depth > 0 && (name.starts_with("sub-") || name.starts_with("ses-"));
        if deeper && dataset.root().join(&path).is_dir() {
            collect(dataset, &path, depth - 1, found)?;
        } else if name.ends_with("_journal.jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

impl KeptSession {
    /// Reads the session of this journal; `None` where it did not begin.
    ///
    /// # Errors
    /// [`KeptError`].
    pub fn read(dataset: &Dataset, journal: &Path) -> Result<Option<KeptSession>, KeptError> {
        let lines = read_lines(&dataset.root().join(journal))?;
        let Some(Line::Began(began)) = lines.first() else { return Ok(None) };
        let began = (**began).clone();
        let study = kept_study(dataset, journal, &began)?;
        let place = study.place(&began.participant, began.session);
        let path = dataset.root().join(place.plan_as_json());
        let no_plan = || KeptError::NoPlan { path: path.clone() };
        let text = chronotap_files::read_to_string(&path).map_err(|_| no_plan())?;
        let plan: Plan = serde_json::from_str(&text).map_err(|_| no_plan())?;
        let plan_sum = sha256(text.trim_end().as_bytes());
        Ok(Some(KeptSession { place, began, lines, plan: Arc::new(plan), plan_sum, study }))
    }

    /// How far it has come.
    pub fn course(&self) -> Course<'_> {
        let mut course = Course::new(&self.study.experiment, Arc::clone(&self.plan));
        self.lines.iter().for_each(|line| course.take(line));
        course
    }

    /// Its tables, as they follow from its journal.
    pub fn tables(&self) -> Tables {
        let mut tables =
            Tables::new(&self.place, Arc::clone(&self.plan), &self.study.about.columns);
        tables.add_plan();
        self.lines.iter().for_each(|line| tables.take(line));
        tables
    }
}

/// The study whose files have the sums with which the session began.
fn kept_study(dataset: &Dataset, journal: &Path, began: &Began) -> Result<Study, KeptError> {
    for folder in dataset.versions()? {
        let whole = dataset.root().join(&folder);
        let same = began.files.iter().all(|(name, sum)| {
            let bytes = chronotap_files::read(&whole.join(inside(name)));
            bytes.is_ok_and(|bytes| sha256(&bytes) == *sum)
        });
        if same {
            let study = Study::read(&whole.join(inside(&began.experiment)));
            return study.map_err(|source| KeptError::Study { folder, source: Box::new(source) });
        }
    }
    Err(KeptError::NoStudy { path: dataset.root().join(journal) })
}
