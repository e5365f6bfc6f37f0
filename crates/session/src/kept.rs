//! [`KeptSession`]: a session as it stands in a dataset, to be read and never written: its
//! journal, its plan, and the study that it followed.

use crate::checksum::sha256;
use crate::course::Course;
use crate::dataset::study_files::inside;
use crate::dataset::{Dataset, DatasetError};
use crate::journal::{JournalError, lines_of};
use crate::line::{Began, Line, beginning};
use crate::study::{Study, StudyError};
use crate::tables::Tables;
use crate::visit::Visit;
use chronotap_core::files::{Disk as AnyDisk, is_dropping};
use chronotap_data::tables::names::{CORRECTION, SOURCE};
use chronotap_design::{Files, Plan};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A session of a dataset.
#[derive(Debug)]
pub struct KeptSession {
    /// Where its files are.
    pub place: Visit,
    /// What holds for all of it.
    pub began: Began,
    /// What happened in it.
    pub lines: Vec<Line>,
    pub plan: Arc<Plan>,
    /// SHA-256 of the plan as it stands in its file.
    pub plan_sum: String,
    /// The study that it followed, from the files that the dataset keeps.
    pub study: Study,
}

/// Why a session of a dataset cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
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
        source: Box<StudyError>,
    },
    /// The files that the session followed are not kept. Restore them.
    #[error("{}: the files of the study that it followed are not in sourcedata/study-*", path.display())]
    NoStudy { path: PathBuf },
    /// The session is that of another participant, or another session of theirs, than the names of its
    /// folder and files say. Give these back the names that they had.
    #[error("{}: by its first line this journal is {}", path.display(), due.display())]
    Renamed {
        path: PathBuf,
        /// Where it belongs, from the dataset's folder.
        due: PathBuf,
    },
    /// A correction was cut short, so that journals and tables differ. Whoever writes finishes it.
    #[error("{}: a correction was cut short", path.display())]
    Unfinished { path: PathBuf },
    /// There is no plan beside the journal, or it is none. Restore it.
    #[error("{}: no plan", path.display())]
    NoPlan { path: PathBuf },
}

/// The journals of a dataset, from its folder, in the order of their names. One that lies elsewhere than
/// its name says, as in a copied folder, is no session: [`astray`] has it.
///
/// # Errors
/// [`DatasetError::Disk`].
pub fn journals<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = all_journals(dataset)?;
    found.retain(|path| is_in_its_place(path));
    Ok(found)
}

/// The journals that lie elsewhere than their names say.
pub(crate) fn astray<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = all_journals(dataset)?;
    found.retain(|path| !is_in_its_place(path));
    Ok(found)
}

fn all_journals<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    collect(dataset, Path::new(SOURCE), 3, &mut found)?;
    found.sort();
    Ok(found)
}

/// Whether the folders of a journal are those that its name says: `sub-07/ses-1` of `sub-07_ses-1_…`.
fn is_in_its_place(journal: &Path) -> bool {
    let folder = journal.parent().and_then(|folder| folder.strip_prefix(SOURCE).ok());
    let parts: Vec<String> =
        folder.into_iter().flatten().map(|part| part.to_string_lossy().into_owned()).collect();
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(&format!("{}_task-", parts.join("_")))
        && parts.first().and_then(|first| first.strip_prefix("sub-")).is_some_and(is_label)
}

/// Whether it can be somebody's label.
pub(crate) fn is_label(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Those of one participant.
pub(crate) fn journals_of<D: AnyDisk>(
    dataset: &Dataset<D>,
    label: &str,
) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    let folder = Path::new(SOURCE).join(format!("sub-{label}"));
    if dataset.has_folder(&folder) {
        collect(dataset, &folder, 2, &mut found)?;
    }
    found.retain(|path| is_in_its_place(path));
    found.sort();
    Ok(found)
}

fn collect<D: AnyDisk>(
    dataset: &Dataset<D>,
    folder: &Path,
    depth: u32,
    found: &mut Vec<PathBuf>,
) -> Result<(), DatasetError> {
    for name in dataset.names_in(folder)? {
        if is_dropping(&name) {
            continue;
        }
        let (path, name) = (folder.join(&name), name.to_string_lossy());
        let deeper = depth > 0 && (name.starts_with("sub-") || name.starts_with("ses-"));
        if deeper && dataset.has_folder(&path) {
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
    pub fn read<D: AnyDisk>(
        dataset: &Dataset<D>,
        journal: &Path,
    ) -> Result<Option<KeptSession>, KeptError> {
        let lines = lines_of(&dataset.root().join(journal), dataset.bytes(journal))?;
        let Some(began) = beginning(&lines) else { return Ok(None) };
        let study = kept_study(dataset, journal, &began)?;
        let place = study.place(&began.participant, began.session);
        if place.journal() != journal {
            let path = dataset.root().join(journal);
            return Err(KeptError::Renamed { path, due: place.journal() });
        }
        let path = dataset.root().join(place.plan_as_json());
        let no_plan = || KeptError::NoPlan { path: path.clone() };
        let text = dataset.text(&place.plan_as_json()).map_err(|_| no_plan())?;
        let plan: Plan = serde_json::from_str(&text).map_err(|_| no_plan())?;
        // A plan that was damaged may lack levels, or name steps that there are not.
        if !plan.is_whole() || !plan.steps.iter().all(|step| study.has_step(step)) {
            return Err(no_plan());
        }
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

/// That a correction of a dataset was cut short; `None` where none was. Whoever only reads says so.
pub fn unfinished_correction<D: AnyDisk>(dataset: &Dataset<D>) -> Option<KeptError> {
    let path = dataset.root().join(CORRECTION);
    dataset.has(Path::new(CORRECTION)).then_some(KeptError::Unfinished { path })
}

/// The study whose files have the sums with which the session began.
fn kept_study<D: AnyDisk>(
    dataset: &Dataset<D>,
    journal: &Path,
    began: &Began,
) -> Result<Study, KeptError> {
    for folder in dataset.versions()? {
        let same = began.files.iter().all(|(name, sum)| {
            let bytes = dataset.bytes(&folder.join(inside(name)));
            bytes.is_ok_and(|bytes| sha256(&bytes) == *sum)
        });
        if same {
            let files = KeptFiles { dataset, folder: &folder };
            let study = Study::read_from(&files, &began.experiment);
            return study.map_err(|source| KeptError::Study { folder, source: Box::new(source) });
        }
    }
    Err(KeptError::NoStudy { path: dataset.root().join(journal) })
}

/// The files of a study as a dataset keeps them.
struct KeptFiles<'k, D: AnyDisk> {
    dataset: &'k Dataset<D>,
    folder: &'k Path,
}

impl<D: AnyDisk> Files for KeptFiles<'_, D> {
    fn read(&self, name: &str) -> io::Result<String> {
        self.dataset.text(&self.folder.join(inside(name)))
    }

    fn were_recorded(&self) -> bool {
        true
    }

    fn said(&self, name: &str) -> String {
        self.dataset.root().join(self.folder).join(inside(name)).display().to_string()
    }
}
