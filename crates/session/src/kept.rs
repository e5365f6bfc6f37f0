//! [`KeptSession`]: a session as it stands in a dataset, to be read and never written: its
//! journal, its plan, and the study that it followed.

use crate::attrition::Attrition;
use crate::checksum::sha256;
use crate::course::Course;
pub(crate) use crate::dataset::journals::{astray, journals, journals_of};
use crate::dataset::study_files::inside;
use crate::dataset::{Dataset, DatasetError};
use crate::journal::{OpenJournalError, lines_of};
use crate::line::{Began, Line, beginning};
use crate::study::{Study, StudyError};
use crate::tables::Tables;
use crate::visit::Visit;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::tables::names::CORRECTION;
use chronotap_design::{Ends, Files, Plan};
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
    Journal(#[from] OpenJournalError),
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

/// What these sessions of one participant come to.
fn of_sessions(sessions: &[KeptSession]) -> Option<Attrition> {
    let lines = || sessions.iter().flat_map(|kept| &kept.lines);
    let mut dropped = false;
    for line in lines() {
        if let Line::DroppedOut { back, .. } = line {
            dropped = !back;
        }
    }
    let stopped = |kept: &KeptSession| kept.course().stopped().map(|stopped| stopped.ends);
    let ended = sessions.iter().any(|kept| stopped(kept) == Some(Ends::Participation));
    let ran = lines().any(|line| matches!(line, Line::TrialBegan(_)));
    match (dropped, ended, ran) {
        (true, _, _) => Some(Attrition::DroppedOut),
        (false, true, true) => Some(Attrition::Ended),
        (false, true, false) => Some(Attrition::Declined),
        (false, false, _) => None,
    }
}

impl<D: AnyDisk> Dataset<D> {
    /// How this participant left the study. A session that cannot be read says nothing of it.
    ///
    /// # Errors
    /// [`DatasetError`] where the folder cannot be read.
    pub fn attrition(&self, label: &str) -> Result<Option<Attrition>, DatasetError> {
        let journals = journals_of(self, label)?;
        let read = |journal: &PathBuf| KeptSession::read(self, journal).ok().flatten();
        Ok(of_sessions(&journals.iter().filter_map(read).collect::<Vec<_>>()))
    }
}
