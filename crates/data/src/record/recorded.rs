//! A recorded trial again: the trial file kept in it, what was observed in it, and its summary
//! worked out anew, as for a trial that was cut short and has none.

use crate::record::answers::answers_by;
use crate::record::summarize::Observing;
use crate::record::{
    Circumstances, HeardAgain, Outline, Recording, ReplayDifference, answers, observed,
};
use chronotap_analysis::observed::Observed;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::{Problems, TrialFile};

/// Why a recording has no summary.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The trial file kept in it is none that this program can read. Restore the .json, or
    /// use the program that wrote it.
    #[error("the trial file kept in it: {0}")]
    TrialFile(#[from] Problems),
    /// A row is none of this trial's. Restore the table as it was written.
    #[error("{0}")]
    Row(ReplayDifference),
}

impl Recording {
    /// The trial file kept in it.
    ///
    /// # Errors
    /// Its problems, where it was changed, or written for another version of the program.
    pub fn trial_file(&self) -> Result<TrialFile, Problems> {
        let kept = &self.header.trial_file;
        TrialFile::parse(&kept.text, &kept.name)
    }

    /// The summary, worked out from its rows. Of a trial that came to its end it is the one
    /// that stands in its footer.
    ///
    /// # Errors
    /// [`RecordedError`].
    pub fn summary(&self) -> Result<Summary, RecordedError> {
        let file = self.trial_file()?;
        self.summary_of(&file.trial, answers_by(self.header.matching, &file))
            .map_err(RecordedError::Row)
    }

    /// What was observed in it, as its summary took it; `file` is the trial file kept in it.
    /// Without title and lateness.
    ///
    /// # Errors
    /// The first row that is none of this trial's.
    pub fn observed<'a>(&self, file: &'a TrialFile) -> Result<Observed<'a>, ReplayDifference> {
        let answers = answers_by(self.header.matching, file);
        let heard = HeardAgain::of_rows(&self.rows);
        let seen = Circumstances { answers, heard, ..Circumstances::default() };
        Ok(observed(&file.trial, &self.entries()?, &seen))
    }
}

impl Outline {
    /// The trial file kept in it.
    ///
    /// # Errors
    /// Its problems, where it was changed, or written for another version of the program.
    pub fn trial_file(&self) -> Result<TrialFile, Problems> {
        TrialFile::parse(&self.trial_file.text, &self.trial_file.name)
    }

    /// What was observed in it, as [`Recording::observed`]; by the rule of matching that is in
    /// force now, whichever the trial names, so that trials of all versions can be compared.
    ///
    /// # Errors
    /// The first row that is none of this trial's.
    pub fn observed<'a>(&self, file: &'a TrialFile) -> Result<Observed<'a>, &ReplayDifference> {
        let (answers, heard) = (answers(file), self.heard.clone());
        let seen = Circumstances { answers, heard, ..Circumstances::default() };
        let mut observing = Observing::of(&file.trial, &seen);
        observing.lasted_to(self.last);
        self.entries.as_ref()?.iter().for_each(|entry| observing.add(entry));
        Ok(observing.done())
    }
}
