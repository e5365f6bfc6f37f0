//! What is said of the files of a trial.

use super::{Says, with};
use chronotap_core::files::Refusal;
use chronotap_data::record::{JournalError, Left, ReadError, RecordError, RecordedError};

impl Says for RecordError {
    fn says(&self) -> String {
        match self {
            RecordError::Exists { .. } => with(self, "choose another name or move it away"),
            RecordError::Create { .. } => with(self, "name a writable directory with free space"),
            RecordError::Journal { source, left, .. }
            | RecordError::Unsaved { source, left, .. } => {
                with(self, then_recover(cure(Refusal::of(source)), left))
            }
            RecordError::Nowhere { refusal, left, .. } => {
                with(self, then_recover(cure(*refusal), left))
            }
            RecordError::Taken { left, .. } => with(self, then_recover("move it away", left)),
            RecordError::Events { source, .. } => {
                with(self, format!("{}, or name another directory", cure(Refusal::of(source))))
            }
            RecordError::Callbacks { log, .. } => {
                with(self, format!("move {} away, then recover the rest", log.display()))
            }
            RecordError::LongName { .. } => with(self, "give a shorter one as name"),
            RecordError::Directory { .. } => with(self, "name a readable directory"),
            RecordError::Thread { .. } => {
                with(self, "end other programs or raise the limit on threads")
            }
            RecordError::WriterLost { path } => {
                with(self, format!("keep the file and run `chronotap recover {}`", path.display()))
            }
            RecordError::NotAJournal { .. } => with(self, "name a file that ends in .journal"),
            RecordError::StrangeName { .. } => with(self, "give it another, then recover it"),
            RecordError::Running { .. } => with(self, "wait until that has ended, or end it"),
            RecordError::Unreadable(error) => error.says(),
        }
    }
}

/// A journal that is left is recovered.
fn then_recover(cure: &str, left: &Left) -> String {
    match left {
        Left::Journal(journal) => format!("{cure}, then `chronotap recover {}`", journal.display()),
        Left::Nothing => cure.into(),
    }
}

/// What to do about a file or folder that the system refuses.
pub(super) fn cure(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Full => "free space",
        Refusal::ReadOnly => "mount the disk for writing",
        Refusal::Gone => "put the folder back",
        Refusal::Forbidden => "correct the rights of the folder",
        Refusal::Broken => "see that the disk is connected and sound",
    }
}

impl Says for JournalError {
    fn says(&self) -> String {
        match self {
            JournalError::File { .. } => with(self, "name a journal that is there"),
            JournalError::Header { .. } => with(self, "name another journal, or remove this one"),
            JournalError::Newer { .. } => with(self, "recover it with the version that wrote it"),
        }
    }
}

impl Says for ReadError {
    fn says(&self) -> String {
        match self {
            ReadError::File { .. } => {
                with(self, "name an events file (…_events.tsv) that is there")
            }
            ReadError::NotUtf8 { .. } => with(
                self,
                "restore the file as it was written, or save it as UTF-8 where another program has \
                 changed it",
            ),
            ReadError::Name { .. } => with(self, "name a file that ends in _events.tsv"),
            ReadError::Sidecar { .. } => with(self, "restore the file as it was written"),
            ReadError::Newer { program, .. } => {
                with(self, format!("read it with the version that wrote it ({program})"))
            }
            ReadError::Column { .. } => with(self, "restore the first line as it was written"),
            ReadError::Cell { .. } => with(self, "restore the line as it was written"),
        }
    }
}

impl Says for RecordedError {
    fn says(&self) -> String {
        match self {
            RecordedError::TrialFile(error) => {
                format!("the trial file kept in it: {error}")
            }
            RecordedError::Row(_) => with(self, "restore the file as it was written"),
        }
    }
}
