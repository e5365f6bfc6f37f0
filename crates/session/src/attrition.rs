//! [`Attrition`]: who takes no further part, and why: an answer ended it (`stop_if`), or the
//! experimenter says that they will not come back. It follows from the journals of their sessions.
//! participants.tsv repeats it in a column that only datasets have where it came about.

use crate::dataset::{Dataset, DatasetError};
use crate::kept::{KeptSession, journals_of};
use crate::line::Line;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_design::Ends;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How somebody left a study whose data, if there are any, stay in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attrition {
    /// By an answer, before the first trial: no consent, or nobody whom the study asks for.
    Declined,
    /// By an answer, after trials were run.
    Ended,
    /// The experimenter says that they will not come back.
    DroppedOut,
}

/// All of them.
const ALL: [Attrition; 3] = [Attrition::Declined, Attrition::Ended, Attrition::DroppedOut];

impl Attrition {
    /// Its word in participants.tsv.
    pub fn word(self) -> &'static str {
        match self {
            Attrition::Declined => "declined",
            Attrition::Ended => "ended",
            Attrition::DroppedOut => "dropped out",
        }
    }

    /// What its word means.
    pub fn meaning(self) -> &'static str {
        match self {
            Attrition::Declined => {
                "An answer ended the participation before the first trial; the place in the group was given again."
            }
            Attrition::Ended => {
                "An answer ended the participation after trials were run; the place stays theirs."
            }
            Attrition::DroppedOut => {
                "The experimenter said that the participant will not come back; the place in the group was given again."
            }
        }
    }

    /// What a cell of participants.tsv says.
    pub(crate) fn of_word(word: &str) -> Option<Attrition> {
        ALL.into_iter().find(|one| one.word() == word)
    }

    /// The words with their meanings, for the description of the table.
    pub(crate) fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        ALL.into_iter().map(|one| (one.word(), one.meaning()))
    }

    /// Whether somebody else may have the group and the place.
    pub fn frees_the_place(self) -> bool {
        match self {
            Attrition::Declined | Attrition::DroppedOut => true,
            Attrition::Ended => false,
        }
    }
}

/// What these sessions of one participant come to.
pub(crate) fn of_sessions(sessions: &[KeptSession]) -> Option<Attrition> {
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
    /// The same of this participant. A session that cannot be read says nothing of it.
    ///
    /// # Errors
    /// [`DatasetError`] where the folder cannot be read.
    pub(crate) fn attrition(&self, label: &str) -> Result<Option<Attrition>, DatasetError> {
        let journals = journals_of(self, label)?;
        let read = |journal: &PathBuf| KeptSession::read(self, journal).ok().flatten();
        Ok(of_sessions(&journals.iter().filter_map(read).collect::<Vec<_>>()))
    }
}
