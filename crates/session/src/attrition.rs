//! [`Attrition`]: who takes no further part, and why: an answer ended it (`stop_if`), or the
//! experimenter says that they will not come back. It follows from the journals of their sessions.
//! participants.tsv repeats it in a column that only datasets have where it came about.

use serde::{Deserialize, Serialize};

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
