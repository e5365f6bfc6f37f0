//! A recorded trial again: the trial file kept in it, what was observed in it, and its summary
//! worked out anew, as for a trial that was cut short and has none.

use crate::record::summarize::Observing;
use crate::record::{Circumstances, Difference, Outline, Recording, observed};
use chronotap_analysis::matching::MatchingRule;
use chronotap_analysis::observed::{Answers, Observed, Response};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::{Problems, TrialFile};
use chronotap_core::midi::U7;

/// Why a recording has no summary.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The trial file kept in it is none that this program can read. Restore the .json, or
    /// use the program that wrote it.
    #[error("the trial file kept in it: {0}")]
    TrialFile(#[from] Problems),
    /// A row is none of this trial's. Restore the table as it was written.
    #[error("{0}")]
    Row(Difference),
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
    pub fn observed<'a>(&self, file: &'a TrialFile) -> Result<Observed<'a>, Difference> {
        let answers = answers_by(self.header.matching, file);
        let seen = Circumstances { answers, ..Circumstances::default() };
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
    pub fn observed<'a>(&self, file: &'a TrialFile) -> Result<Observed<'a>, &Difference> {
        let seen = Circumstances { answers: answers(file), ..Circumstances::default() };
        let mut observing = Observing::of(&file.trial, &seen);
        observing.lasted_to(self.last);
        self.entries.as_ref()?.iter().for_each(|entry| observing.add(entry));
        Ok(observing.done())
    }
}

/// Which input answers which stream, as the trial file has it, and how its taps are matched now.
pub fn answers(file: &TrialFile) -> Answers {
    answers_by(matching_rule(file), file)
}

/// By which rule the taps of a trial are matched now.
pub fn matching_rule(file: &TrialFile) -> MatchingRule {
    if file.answers.heard.is_empty() { MatchingRule::FirstOnset } else { MatchingRule::FirstHeard }
}

/// The same by the rule that a recorded trial names. When the earliest rule was in force, only
/// what sounded was matched; then all of a stream that is silent at first.
pub(crate) fn answers_by(rule: MatchingRule, file: &TrialFile) -> Answers {
    let heard = &file.answers.heard;
    let silent = file.answers.silent.iter().filter(|stream| match rule {
        MatchingRule::FirstOnset => true,
        MatchingRule::FirstHeard => !heard.contains(stream),
        MatchingRule::ClosestFirst => false,
    });
    let place = |(input, stream): &(u16, u16)| (usize::from(*input), usize::from(*stream));
    Answers {
        pairs: Some(file.answers.pairs.iter().map(place).collect()),
        named: file.answers.named.iter().copied().map(usize::from).collect(),
        because: file.answers.because.clone(),
        responses: file.answers.responses.iter().map(response).collect(),
        silent: silent.copied().map(usize::from).collect(),
        rule,
        windows: file.answers.windows.clone(),
        sequences: file.answers.sequences.iter().map(sequence).collect(),
    }
}

fn sequence((input, keys): &(u16, Vec<U7>)) -> (usize, Vec<U7>) {
    (usize::from(*input), keys.clone())
}

fn response((stream, given): &(u16, chronotap_config::trial_files::Response)) -> Response {
    let chronotap_config::trial_files::Response { after, within, beats } = *given;
    Response { stream: usize::from(*stream), after, within, beats }
}
