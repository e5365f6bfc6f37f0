//! What is said of studies: of those that are rehearsed in memory, and of sessions in real time.

use super::record::cure;
use super::{Says, with};
use chronotap_core::files::Refusal;
use chronotap_data::record::PROGRAM;
use chronotap_session::rehearse::RehearseError;
use chronotap_session::{DatasetError, FrontendError, JournalError, StudyError};
use chronotap_visit::SessionError;

const AGAIN: &str = "then call run again";
const FROM_A_BACKUP: &str = "restore it from a backup";

const LOCKS: &str =
    "name a folder on a disk of this computer, or have the locks of its server turned on";
const REPAIR: &str = "an earlier version wrote it so, and what was computed from it is wrong; `chronotap repair` \
     makes the table again, and what is recorded stays";
const OTHER_GROUPS: &str = "restore the study (sourcedata/study-*), or name another folder";

impl Says for RehearseError {
    fn says(&self) -> String {
        match self {
            RehearseError::Study(error) => error.says(),
            RehearseError::Between(error) => error.says(),
            RehearseError::Wires(error) => error.says(),
            RehearseError::Frontend(error) => error.says(),
        }
    }
}

impl Says for SessionError {
    fn says(&self) -> String {
        match self {
            SessionError::Dataset(error) => error.says(),
            SessionError::Journal(error) => error.says(),
            SessionError::Study(error) => error.says(),
            SessionError::Laboratory(error) => error.says(),
            SessionError::Record(error) => error.says(),
            SessionError::NotSaved(error) => format!("{}; {AGAIN}", error.says()),
            SessionError::Elsewhere { moved, .. } => {
                with(self, format!("{}; {AGAIN}", cure(moved.refusal)))
            }
            SessionError::Read(error) => error.says(),
            SessionError::Recorded(error) => error.says(),
            SessionError::Frontend(error) => error.says(),
            SessionError::Between(error) => error.says(),
            SessionError::Running { .. } => with(self, "end that one first"),
            SessionError::Alike { .. } => with(self, "take a label that differs in more"),
            SessionError::Renamed { .. } => {
                with(self, "give folders and files back the names that they had")
            }
            SessionError::Withdrawn { .. } | SessionError::Left { .. } => {
                with(self, "give another participant")
            }
            SessionError::OtherCell { .. } => format!("between: {self}; leave it out"),
            SessionError::Follows { fields, .. } => {
                format!("between: {self}; answer {} instead", fields.join(" and "))
            }
            SessionError::NoFirstSession { .. } => with(self, "run it first"),
            SessionError::Changed { .. } => with(
                self,
                "restore what was there (sourcedata/study-*), or go on with changed=True, which is \
                 recorded",
            ),
            SessionError::OtherPlan { .. } => with(self, FROM_A_BACKUP),
            SessionError::OtherSteps { .. } | SessionError::OtherFactors { .. } => {
                with(self, "restore the study that it began with (sourcedata/study-*)")
            }
            SessionError::Correction(_) => self.to_string(),
            SessionError::Gone { .. } => with(self, format!("restore them from a backup, {AGAIN}")),
            // Python begins no session in its middle.
            SessionError::NoStep { .. }
            | SessionError::FromUnderWay { .. }
            | SessionError::NotBegun => self.to_string(),
        }
    }
}

impl Says for DatasetError {
    fn says(&self) -> String {
        match self {
            DatasetError::Disk { source, .. } => with(self, cure(Refusal::of(source))),
            DatasetError::NoLocks { .. } => with(self, LOCKS),
            DatasetError::OtherGroups { .. } => with(self, OTHER_GROUPS),
            DatasetError::NotADataset { .. }
            | DatasetError::OtherStudy { .. }
            | DatasetError::Simulated { .. }
            | DatasetError::NotEmpty { .. }
            | DatasetError::Imported { .. } => with(self, "name another folder as data"),
            DatasetError::Missing { .. } => {
                with(self, "name the folder that holds dataset_description.json")
            }
            DatasetError::Table { .. } => {
                with(self, format!("{FROM_A_BACKUP}, or remove it to have it made again"))
            }
            DatasetError::Levels { .. } => with(self, REPAIR),
            DatasetError::NotMadeAgain { .. } => with(self, FROM_A_BACKUP),
            DatasetError::OtherFolder(_) => {
                with(self, format!("put the folder itself back, {AGAIN}"))
            }
            DatasetError::Journal(error) => error.says(),
        }
    }
}

impl Says for JournalError {
    fn says(&self) -> String {
        match self {
            JournalError::Disk { source, .. } | JournalError::NotSynced { source, .. } => {
                with(self, format!("{}, {AGAIN}", cure(Refusal::of(source))))
            }
            JournalError::Newer { path, line, program } => format!(
                "{}:{line}: written by {program}, which is newer than this program ({PROGRAM}) \
                 reads; install that version; nothing was changed",
                path.display()
            ),
            JournalError::Running { .. } => with(self, "end that one first"),
            JournalError::Damaged { .. } => {
                with(self, format!("{FROM_A_BACKUP} (`chronotap backup` makes one)"))
            }
        }
    }
}

impl Says for FrontendError {
    fn says(&self) -> String {
        match self {
            FrontendError::Missing { name, expected, .. } => {
                with(self, format!("give answers={{\"{name}\": …}} ({expected})"))
            }
            FrontendError::Refused { .. } => format!("answers: {self}"),
            FrontendError::NotAsked { known, .. } => {
                format!("answers: {self}; it asks {}", known.join(", "))
            }
            FrontendError::Interrupted => self.to_string(),
        }
    }
}

impl Says for StudyError {
    fn says(&self) -> String {
        match self {
            StudyError::Plan(error) => error.says(),
            StudyError::Trial(error) => error.says(),
            StudyError::Language { known, .. } => {
                with(self, format!("give language one of {}", known.join(", ")))
            }
            StudyError::OtherLanguage { .. } => {
                with(self, "leave out language: a session keeps its own")
            }
            StudyError::Problems(_) | StudyError::Cell { .. } => self.to_string(),
        }
    }
}
