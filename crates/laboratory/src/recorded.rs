//! A recorded trial again: the trial file kept in it, and its summary worked out anew, as
//! for a trial that was cut short and has none.

use crate::foot;
use chronotap_analysis::summary::Summary;
use chronotap_experiment::{Problems, TrialFile};
use chronotap_record::{Difference, Recording};

/// Why a recording has no summary.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The trial file kept in it is none that this program can read. Restore the .json, or
    /// use the program that wrote it.
    #[error("the trial file kept in it: {0}")]
    TrialFile(#[from] Problems),
    /// A row is none of this trial's. Restore the table as it was written.
    #[error("{0}; restore the file as it was written")]
    Row(Difference),
}

/// The trial file kept in a recording.
///
/// # Errors
/// Its problems, where it was changed, or written for another version of the program.
pub fn trial_of(recording: &Recording) -> Result<TrialFile, Problems> {
    let kept = &recording.header.trial_file;
    TrialFile::parse(&kept.text, &kept.name)
}

/// The summary of a recording, worked out from its rows. Of a trial that came to its end it
/// is the one that stands in its footer.
///
/// # Errors
/// [`RecordedError`].
pub fn summary_of(recording: &Recording) -> Result<Summary, RecordedError> {
    let file = trial_of(recording)?;
    recording.summary(&file.trial, foot::answers(&file)).map_err(RecordedError::Row)
}
