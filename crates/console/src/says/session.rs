//! What a page says of sessions, their datasets and journals.

use super::record::unsaved;
use super::{Row, Says, cure, of, row, with};
use chronotap_core::files::{OtherFolder, Refusal};
use chronotap_data::record::PROGRAM;
use chronotap_design::{AssignError, Ends, PlanError, TrialError};
use chronotap_session::correct::CorrectError;
use chronotap_session::withdraw::{Done, Step, WithdrawError};
use chronotap_session::{DatasetError, Ending, FrontendError, JournalError, KeptError, StudyError};
use chronotap_visit::SessionError;
use std::io;

pub(super) const ROWS: &[Row] = &[
    row::<AssignError>,
    row::<CorrectError>,
    row::<DatasetError>,
    row::<FrontendError>,
    row::<JournalError>,
    row::<KeptError>,
    row::<OtherFolder>,
    row::<PlanError>,
    row::<SessionError>,
    row::<StudyError>,
    row::<TrialError>,
    row::<WithdrawError>,
];

pub(super) const AGAIN: &str = "then begin the session again: it goes on where it was";
const ANOTHER_FOLDER: &str = "begin it with another folder for the data";
const FROM_A_BACKUP: &str = "restore it from a backup";
const NAMES_BACK: &str = "give folders and files back the names that they had";

/// What is said when a session is over for now.
pub(crate) fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::Completed => "The session is complete.",
        Ending::Answered(Ends::Participation) => {
            "An answer ended the participation; no further session comes."
        }
        Ending::Answered(Ends::Session) => "An answer ended the session.",
        Ending::Stopped => "The session is stopped; begun again, it goes on where it was.",
    }
}

const FINISHED_BY: &str = "the next session finishes it";
const LOCKS: &str =
    "name a folder on a disk of this computer, or have the locks of its server turned on";
const REPAIR: &str = "an earlier version wrote it so; `chronotap repair DATASET` makes the table again, and \
     what is recorded stays; then begin the session again: it goes on where it was";
const OTHER_GROUPS: &str = "restore the study (sourcedata/study-*), or name another folder";

impl Says for SessionError {
    fn says(&self) -> String {
        match self {
            SessionError::Dataset(error) => error.says(),
            SessionError::Journal(error) => error.says(),
            SessionError::Study(error) => error.says(),
            SessionError::Laboratory(error) => error.says(),
            SessionError::Record(error) => error.says(),
            SessionError::NotSaved(error) => format!("{}, {AGAIN}", unsaved(error)),
            SessionError::Elsewhere { moved, .. } => {
                with(self, format!("{}, {AGAIN}", cure(moved.refusal)))
            }
            SessionError::Read(error) => error.says(),
            SessionError::Recorded(error) => error.says(),
            SessionError::Frontend(error) => error.says(),
            SessionError::Running { .. } => {
                with(self, "end that one first (one with pages is in the list of the console)")
            }
            SessionError::Alike { .. } => with(self, "take a label that differs in more"),
            SessionError::Correction(error) => {
                format!("a correction that was cut short cannot be finished: {}", error.says())
            }
            SessionError::Renamed { .. } => with(self, NAMES_BACK),
            SessionError::Withdrawn { .. } | SessionError::Left { .. } => {
                with(self, "take another label")
            }
            SessionError::OtherCell { .. } => with(self, "leave it out"),
            SessionError::Follows { fields, .. } => {
                with(self, format!("answer {} instead", fields.join(" and ")))
            }
            SessionError::Between(error) => error.says(),
            SessionError::NoFirstSession { .. } => with(self, "run it first"),
            SessionError::Changed { .. } => with(
                self,
                "restore what was there (sourcedata/study-*), or tick that you go on with the files \
                 as they are now, which is recorded",
            ),
            SessionError::OtherPlan { .. } => with(self, FROM_A_BACKUP),
            SessionError::OtherSteps { .. } => {
                with(self, "restore the steps that it began with (sourcedata/study-*)")
            }
            SessionError::OtherFactors { .. } => {
                with(self, "restore those that it began with (sourcedata/study-*)")
            }
            SessionError::NoStep { known, near: None, .. } => {
                with(self, format!("the steps are {}", known.join(", ")))
            }
            SessionError::NoStep { near: Some(near), .. } => {
                with(self, format!("did you mean \"{near}\"?"))
            }
            SessionError::FromUnderWay { .. } => {
                with(self, "begin it where it was, or take another label")
            }
            SessionError::Gone { .. } => with(self, format!("restore them from a backup, {AGAIN}")),
            SessionError::NotBegun => self.to_string(),
        }
    }
}

impl Says for FrontendError {
    fn says(&self) -> String {
        match self {
            FrontendError::Missing { expected, .. } => with(self, format!("it takes {expected}")),
            FrontendError::NotAsked { known, .. } => {
                with(self, format!("it asks {}", known.join(", ")))
            }
            FrontendError::Refused { .. } | FrontendError::Interrupted => self.to_string(),
        }
    }
}

impl Says for StudyError {
    fn says(&self) -> String {
        match self {
            StudyError::Problems(error) => of(error),
            StudyError::Plan(error) => error.says(),
            StudyError::Trial(error) => error.says(),
            StudyError::Language { known, .. } => {
                with(self, format!("choose one of {}", known.join(", ")))
            }
            StudyError::OtherLanguage { .. } => with(self, "choose that: a session keeps its own"),
            StudyError::Cell { .. } => with(self, "restore the table or the experiment file"),
        }
    }
}

impl Says for AssignError {
    fn says(&self) -> String {
        match self {
            AssignError::Label(_) | AssignError::Factor { .. } | AssignError::Level { .. } => {
                self.to_string()
            }
        }
    }
}

impl Says for PlanError {
    fn says(&self) -> String {
        match self {
            PlanError::Session { .. } => self.to_string(),
            PlanError::Order { .. } => with(self, "loosen the constraints"),
        }
    }
}

impl Says for TrialError {
    fn says(&self) -> String {
        match self {
            TrialError::Missing { .. } | TrialError::Outside { .. } | TrialError::Key { .. } => {
                self.to_string()
            }
            TrialError::Trial(error) => of(error),
        }
    }
}

impl Says for DatasetError {
    fn says(&self) -> String {
        match self {
            DatasetError::Disk { source, .. } => with(self, at_a_path(source)),
            DatasetError::NoLocks { .. } => with(self, LOCKS),
            DatasetError::OtherGroups { .. } => with(self, OTHER_GROUPS),
            DatasetError::NotADataset { .. }
            | DatasetError::OtherStudy { .. }
            | DatasetError::Simulated { .. }
            | DatasetError::NotEmpty { .. }
            | DatasetError::Imported { .. } => with(self, ANOTHER_FOLDER),
            DatasetError::Missing { .. } => {
                with(self, "name its folder, the one that holds dataset_description.json")
            }
            DatasetError::Table { .. } => {
                with(self, format!("{FROM_A_BACKUP}, or remove it to have it made again"))
            }
            DatasetError::Levels { .. } => with(self, REPAIR),
            DatasetError::NotMadeAgain { .. } => with(self, FROM_A_BACKUP),
            DatasetError::OtherFolder(error) => error.says(),
            DatasetError::Journal(error) => error.says(),
        }
    }
}

impl Says for OtherFolder {
    fn says(&self) -> String {
        with(self, format!("put the folder itself back, {AGAIN}"))
    }
}

/// What to do about a file or folder of a dataset, which may be none.
fn at_a_path(refused: &io::Error) -> &'static str {
    match Refusal::of(refused) {
        Refusal::Gone => "check that the path is right, or put the folder back",
        Refusal::Broken => "check that the path is right, and that you may write there",
        other => cure(other),
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
            JournalError::Damaged { .. } => with(self, FROM_A_BACKUP),
        }
    }
}

impl Says for KeptError {
    fn says(&self) -> String {
        match self {
            KeptError::Dataset(error) => error.says(),
            KeptError::Journal(error) => error.says(),
            KeptError::Study { folder, source } => {
                format!("{}: {}", folder.display(), source.says())
            }
            KeptError::NoStudy { .. } => with(self, "restore them from a backup"),
            KeptError::NoPlan { .. } => with(self, FROM_A_BACKUP),
            KeptError::Unfinished { .. } => with(self, FINISHED_BY),
            KeptError::Renamed { .. } => with(self, NAMES_BACK),
        }
    }
}

/// What is said of a file or folder of somebody who withdrew.
pub(crate) fn done_to(step: &Step) -> String {
    match &step.done {
        Done::ReportRemoved | Done::RemovedWithRows => with(step, "make it again"),
        Done::GatheredRemoved(_) => with(step, "gather them again"),
        Done::Removed
        | Done::RemovedLink
        | Done::RemovedFromSpare
        | Done::RowsTakenOut
        | Done::Analyzed
        | Done::AnalysisRemoved { .. }
        | Done::TrialRuns(_) => step.to_string(),
    }
}

impl Says for CorrectError {
    fn says(&self) -> String {
        match self {
            CorrectError::Dataset(error) => error.says(),
            CorrectError::Kept(error) => error.says(),
            CorrectError::Journal(error) => error.says(),
            CorrectError::Study(error) => error.says(),
            CorrectError::Running { .. } => with(self, "end it first"),
            CorrectError::Follows { .. } => with(self, "correct that"),
            CorrectError::Done { .. } => {
                with(self, "let them take part under another label, and withdraw this one")
            }
            CorrectError::NoReason => with(self, "write why"),
            CorrectError::Nobody { .. }
            | CorrectError::Withdrawn { .. }
            | CorrectError::Unknown { .. }
            | CorrectError::Refused { .. }
            | CorrectError::Drawn { .. }
            | CorrectError::Nothing { .. } => self.to_string(),
        }
    }
}

impl Says for WithdrawError {
    fn says(&self) -> String {
        match self {
            WithdrawError::Dataset(error) => error.says(),
            WithdrawError::Unknown { .. } => with(self, "the list of its sessions says who is"),
            WithdrawError::Gone { .. } => {
                with(self, "withdraw them with their data to look for what is left")
            }
            WithdrawError::Correction(error) => {
                format!("a correction that was cut short cannot be finished: {}", error.says())
            }
            WithdrawError::Running { .. } => with(self, "end it first"),
        }
    }
}
