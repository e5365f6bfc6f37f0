//! [`Visit`]: where in a dataset the files of one session of one participant stand. Names
//! follow BIDS 1.11 and hold nothing about the person but the label.

use chronotap_data::tables::names::SOURCE;
use std::path::{Path, PathBuf};

/// One session of one participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The participant's label, such as `07`.
    pub label: String,
    /// The number of the session; `None` where the study has only one.
    pub session: Option<u32>,
    /// The task label of the study.
    pub task: String,
}

impl Visit {
    /// `sub-07`.
    pub fn participant(&self) -> String {
        format!("sub-{}", self.label)
    }

    /// `sub-07` or `sub-07/ses-1`.
    pub fn folder(&self) -> PathBuf {
        let participant = PathBuf::from(self.participant());
        match self.session {
            Some(session) => participant.join(format!("ses-{session}")),
            None => participant,
        }
    }

    /// `sub-07` or `sub-07_ses-1`.
    pub fn prefix(&self) -> String {
        match self.session {
            Some(session) => format!("{}_ses-{session}", self.participant()),
            None => self.participant(),
        }
    }

    /// `sub-07_task-delay`, with which every file of behaviour begins.
    pub fn stem(&self) -> String {
        format!("{}_task-{}", self.prefix(), self.task)
    }

    /// The folder of the trials' files.
    pub fn beh(&self) -> PathBuf {
        self.folder().join("beh")
    }

    /// First part of the names of the files of the trial that was begun as number `run`.
    pub fn trial(&self, run: u32) -> String {
        format!("{}_run-{run:02}", self.stem())
    }

    /// The table of events of that trial, from the dataset's folder.
    pub fn events(&self, run: u32) -> PathBuf {
        self.beh().join(format!("{}_events.tsv", self.trial(run)))
    }

    /// The table with one row for each trial.
    pub fn table(&self) -> PathBuf {
        self.beh().join(format!("{}_beh.tsv", self.stem()))
    }

    pub fn table_description(&self) -> PathBuf {
        self.beh().join(format!("{}_beh.json", self.stem()))
    }

    /// The list of recordings and when each began.
    pub fn scans(&self) -> PathBuf {
        self.folder().join(format!("{}_scans.tsv", self.prefix()))
    }

    /// The folder of what is no BIDS file.
    pub fn source(&self) -> PathBuf {
        Path::new(SOURCE).join(self.folder())
    }

    /// The plan whole, as it was hashed.
    pub fn plan_as_json(&self) -> PathBuf {
        self.source().join(format!("{}_plan.json", self.stem()))
    }

    /// The plan as a table, for people.
    pub fn plan(&self) -> PathBuf {
        self.source().join(format!("{}_plan.tsv", self.stem()))
    }

    /// The journal of the session.
    pub fn journal(&self) -> PathBuf {
        self.source().join(format!("{}_journal.jsonl", self.stem()))
    }

    /// SHA-256 of every file of the session that does not change any more.
    pub fn checksums(&self) -> PathBuf {
        self.source().join(format!("{}_checksums.sha256", self.stem()))
    }

    /// What says that a session of this participant is under way, whichever. It lies outside of the
    /// participant's folder: on FUSE and network disks no folder can be removed in which a file is open.
    pub fn lock(&self) -> PathBuf {
        Path::new(SOURCE).join(format!("{}.lock", self.participant()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_bids_with_and_without_sessions() {
        let mut place = Visit { label: "07".into(), session: None, task: "delay".into() };
        assert_eq!(place.events(3), Path::new("sub-07/beh/sub-07_task-delay_run-03_events.tsv"));
        place.session = Some(1);
        assert_eq!(place.table(), Path::new("sub-07/ses-1/beh/sub-07_ses-1_task-delay_beh.tsv"));
        assert_eq!(place.scans(), Path::new("sub-07/ses-1/sub-07_ses-1_scans.tsv"));
        assert_eq!(place.lock(), Path::new("sourcedata/sub-07.lock"));
    }
}
